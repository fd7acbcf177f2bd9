package pptx

import (
	"archive/zip"
	"bytes"
	"io"
	"regexp"
	"strings"
)

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// again are paragraph properties behind the first run of a paragraph: pptxgenjs 4.0.1 writes them for each run, the schema allows them once, before all
// runs, and of several programs take the last, which has no bullet.
var again = regexp.MustCompile(`</a:r>(?:<a:pPr[^>]*/>|<a:pPr[^>]*>.*?</a:pPr>)`)

var override = regexp.MustCompile(`<Override PartName="([^"]*)"[^>]*/>`)

// repack sets right what the library writes wrong, and compresses what it left as it is: Go does that a hundred times faster than a library in a script
// machine. language is that of the texts, for spell checkers.
func repack(raw []byte, language string) ([]byte, error) {
	in, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		return nil, err
	}
	there := map[string]bool{}
	for _, f := range in.File {
		there["/"+f.Name] = true
	}
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, f := range in.File {
		if strings.HasSuffix(f.Name, "/") {
			continue
		}
		body, err := content(f)
		if err != nil {
			return nil, err
		}
		if strings.HasPrefix(f.Name, "ppt/slides/slide") {
			body = again.ReplaceAll(body, []byte("</a:r>"))
			body = bytes.ReplaceAll(body, []byte(`lang="en-US"`), []byte(`lang="`+language+`"`))
		}
		if strings.HasSuffix(f.Name, ".xlsx") { // the numbers of a chart: stored, and with entries for folders
			if body, err = repack(body, language); err != nil {
				return nil, err
			}
		}
		if f.Name == "[Content_Types].xml" { // it names a master for each slide, of which there is but one
			body = override.ReplaceAllFunc(body, func(o []byte) []byte {
				if there[string(override.FindSubmatch(o)[1])] {
					return o
				}
				return nil
			})
		}
		to, err := w.CreateHeader(&zip.FileHeader{Name: f.Name, Method: zip.Deflate})
		if err != nil {
			return nil, err
		}
		if _, err := to.Write(body); err != nil {
			return nil, err
		}
	}
	err = w.Close() // first: it writes the directory
	return out.Bytes(), err
}

func content(f *zip.File) ([]byte, error) {
	r, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(r)
}
