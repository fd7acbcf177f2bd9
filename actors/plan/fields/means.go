package fields

import "encoding/json"

// Means are other words for the allowed values of a parameter, by value: the x-means of its schema, in which a card says once what its
// values are called in other languages and by other people. A text that holds such a word names the value.
type Means map[string]StringList

// UnmarshalJSON takes an object of strings or lists of strings; anything else counts as nothing said.
func (m *Means) UnmarshalJSON(b []byte) error {
	var said map[string]StringList
	if json.Unmarshal(b, &said) == nil {
		*m = said
	}
	return nil
}
