package fields

import (
	"bytes"
	"encoding/json"
	"strings"
)

// Bounds of what is read of a value's shape.
const (
	maxShape = 4   // levels
	maxNames = 100 // properties of an object
)

// Shape is a field such as the returns schema of a result would give, where its card has none: the names in the order in which the result lists them. Of a list its
// first object tells. The zero field for what is no JSON.
func Shape(raw json.RawMessage) Field {
	d := json.NewDecoder(bytes.NewReader(raw))
	var b strings.Builder
	if shape(d, &b, 0) != nil {
		return Field{}
	}
	s, err := ReadSchema(json.RawMessage(b.String()))
	if err != nil {
		return Field{}
	}
	return New("", s, false, 0)
}

// shape writes the schema of the next value; nothing of one that lies too deep.
func shape(d *json.Decoder, b *strings.Builder, depth int) error {
	t, err := d.Token()
	if err != nil {
		return err
	}
	switch t := t.(type) {
	case json.Delim:
		if t == '{' {
			return shapeOfObject(d, b, depth)
		}
		return shapeOfList(d, b, depth)
	case string:
		b.WriteString(`{"type":"string"}`)
	case float64:
		b.WriteString(`{"type":"number"}`)
	case bool:
		b.WriteString(`{"type":"boolean"}`)
	default:
		b.WriteString(`{}`)
	}
	return nil
}

func shapeOfList(d *json.Decoder, b *strings.Builder, depth int) error {
	b.WriteString(`{"type":"array"`)
	for first := true; d.More(); first = false {
		if !first || depth >= maxShape {
			if err := skip(d); err != nil {
				return err
			}
			continue
		}
		b.WriteString(`,"items":`)
		if err := shape(d, b, depth+1); err != nil {
			return err
		}
	}
	b.WriteString("}")
	_, err := d.Token()
	return err
}

func shapeOfObject(d *json.Decoder, b *strings.Builder, depth int) error {
	b.WriteString(`{"type":"object","properties":{`)
	for n := 0; d.More(); n++ {
		name, err := d.Token()
		if err != nil {
			return err
		}
		if depth >= maxShape || n >= maxNames {
			if err := skip(d); err != nil {
				return err
			}
			continue
		}
		quoted, err := json.Marshal(name)
		if err != nil {
			return err
		}
		if n > 0 {
			b.WriteString(",")
		}
		b.Write(quoted)
		b.WriteString(":")
		if err := shape(d, b, depth+1); err != nil {
			return err
		}
	}
	b.WriteString("}}")
	_, err := d.Token()
	return err
}

// skip passes over a value.
func skip(d *json.Decoder) error {
	var raw json.RawMessage
	return d.Decode(&raw)
}
