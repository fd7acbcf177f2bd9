package script

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"strings"
)

// Part is a file inside an office document.
type Part struct {
	Name string
	Body []byte
}

// Parts takes an office document that a library made apart, without its entries for folders. It is not for documents of strangers: nothing is bounded.
func Parts(raw []byte) ([]Part, error) {
	in, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		return nil, err
	}
	var out []Part
	for _, f := range in.File {
		if strings.HasSuffix(f.Name, "/") {
			continue
		}
		r, err := f.Open()
		if err != nil {
			return nil, err
		}
		body, err := io.ReadAll(r)
		_ = r.Close() // it was read to its end
		if err != nil {
			return nil, err
		}
		out = append(out, Part{f.Name, body})
	}
	return out, nil
}

// Pack makes an office document of its parts, compressed: Go does that a hundred times faster than a library in a script machine.
func Pack(parts []Part) ([]byte, error) {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, p := range parts {
		f, err := w.CreateHeader(&zip.FileHeader{Name: p.Name, Method: zip.Deflate})
		if err != nil {
			return nil, err
		}
		if _, err := f.Write(p.Body); err != nil {
			return nil, err
		}
	}
	err := w.Close() // it writes the directory
	return out.Bytes(), err
}

// Pictures wait outside while a library makes a document: it gets a short text in the place of each, for a megabyte takes it seconds.
type Pictures struct{ all map[string][]byte }

// Aside takes a picture and gives what stands for its content.
func (p *Pictures) Aside(content []byte) string {
	if p.all == nil {
		p.all = map[string][]byte{}
	}
	text := fmt.Sprintf("picture %d", len(p.all))
	p.all[text] = content
	return text
}

// Into puts the pictures where their texts stand in.
func (p *Pictures) Into(parts []Part) {
	for i := range parts {
		if content, ok := p.all[string(parts[i].Body)]; ok {
			parts[i].Body = content
		}
	}
}
