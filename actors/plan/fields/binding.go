package fields

import "encoding/json"

// Binding is a value for a parameter, and how sure it is.
type Binding struct {
	Value any
	Sure  float64 // 0–1
	Why   string
	Used  int // index of the fact in the list it came from; -1 for none
	Weak  bool
	More  []any // further values named beside it; one call each
}

// Arguments makes the JSON object of bindings, keys in order.
func Arguments(bs map[string]any) json.RawMessage {
	if len(bs) == 0 {
		return json.RawMessage("{}")
	}
	raw, err := json.Marshal(bs)
	if err != nil {
		return json.RawMessage("{}") // only values that came out of JSON or of text stand here
	}
	return raw
}

// Texts are the texts of the value: it, or what a list of them holds.
func (b Binding) Texts() []string {
	switch v := b.Value.(type) {
	case string:
		return []string{v}
	case []any:
		return texts(v)
	}
	return nil
}
