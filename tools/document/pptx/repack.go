package pptx

import (
	"archive/zip"
	"bytes"
	"io"
	"strings"
)

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// repack compresses what the library left as it is: Go does that a hundred times faster than a library in a script machine.
func repack(raw []byte) ([]byte, error) {
	in, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, f := range in.File {
		if strings.HasSuffix(f.Name, "/") {
			continue
		}
		from, err := f.Open()
		if err != nil {
			return nil, err
		}
		to, err := w.CreateHeader(&zip.FileHeader{Name: f.Name, Method: zip.Deflate})
		if err != nil {
			return nil, err
		}
		_, err = io.Copy(to, from)
		from.Close()
		if err != nil {
			return nil, err
		}
	}
	err = w.Close() // first: it writes the directory
	return out.Bytes(), err
}
