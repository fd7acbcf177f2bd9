package bus

import (
	"bytes"
	"encoding/json"
)

// encode is the JSON of a body as it goes over the wire. Unlike [json.Marshal] it leaves <, > and & alone, inside raw values too, so
// that an observation is in the log as it came.
func encode(body any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(body); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}
