package pptx

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/hmap-project/hmap/tools/document/script"
)

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// again are paragraph properties behind the first run of a paragraph: pptxgenjs 4.0.1 writes them for each run, the schema allows them once, before all
// runs, and of several programs take the last, which has no bullet.
var again = regexp.MustCompile(`</a:r>(?:<a:pPr[^>]*/>|<a:pPr[^>]*>.*?</a:pPr>)`)

var override = regexp.MustCompile(`<Override PartName="([^"]*)"[^>]*/>`)

// repack sets right what the library writes wrong, and compresses what it left as it is. language is that of the texts, for spell checkers.
func repack(raw []byte, language string, pictures *script.Pictures) ([]byte, error) {
	parts, err := script.Parts(raw)
	if err != nil {
		return nil, err
	}
	there := map[string]bool{}
	for _, p := range parts {
		there["/"+p.Name] = true
	}
	for i := range parts {
		p := &parts[i]
		if strings.HasPrefix(p.Name, "ppt/slides/slide") {
			p.Body = again.ReplaceAll(p.Body, []byte("</a:r>"))
			p.Body = bytes.ReplaceAll(p.Body, []byte(`lang="en-US"`), []byte(`lang="`+language+`"`))
		}
		if strings.HasSuffix(p.Name, ".xlsx") { // the numbers of a chart: stored, and with entries for folders
			if p.Body, err = repack(p.Body, language, nil); err != nil {
				return nil, err
			}
		}
		if p.Name == "[Content_Types].xml" { // it names a master for each slide, of which there is but one
			p.Body = override.ReplaceAllFunc(p.Body, func(o []byte) []byte {
				if there[string(override.FindSubmatch(o)[1])] {
					return o
				}
				return nil
			})
		}
	}
	if pictures != nil {
		pictures.Into(parts)
	}
	return script.Pack(parts)
}
