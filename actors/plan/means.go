package plan

import "encoding/json"

// means are other words for the allowed values of a parameter, by value: the x-means of its schema, in which a card says once what its
// values are called in other languages and by other people. A text that holds such a word names the value.
type means map[string]stringList

// UnmarshalJSON takes an object of strings or lists of strings; anything else counts as nothing said.
func (m *means) UnmarshalJSON(b []byte) error {
	var said map[string]stringList
	if json.Unmarshal(b, &said) == nil {
		*m = said
	}
	return nil
}
