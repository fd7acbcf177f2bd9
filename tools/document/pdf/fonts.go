package pdf

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"

	"codeberg.org/go-pdf/fpdf"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goitalic"
	"golang.org/x/image/font/gofont/gomono"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/sfnt"
)

// han has the Chinese, Japanese and Korean characters, and no Latin ones: texts are parted by script. See fonts/README.md.
//
//go:embed fonts/DroidSansFallback.ttf
var han []byte

// The families of fonts.
const (
	latin = "latin"
	mono  = "mono"
	wide  = "han"
)

// addFonts gives a document its fonts; of each only the characters that are used come into the file.
func addFonts(p *fpdf.Fpdf) {
	p.AddUTF8FontFromBytes(latin, "", goregular.TTF)
	p.AddUTF8FontFromBytes(latin, "B", gobold.TTF)
	p.AddUTF8FontFromBytes(latin, "I", goitalic.TTF)
	p.AddUTF8FontFromBytes(mono, "", gomono.TTF)
	p.AddUTF8FontFromBytes(wide, "", han)
}

// faces know which characters the fonts have.
var faces = sync.OnceValues(func() (fonts [2]*sfnt.Font, err error) {
	for i, raw := range [][]byte{goregular.TTF, han} {
		if fonts[i], err = sfnt.Parse(raw); err != nil {
			return fonts, fmt.Errorf("font: %w", err)
		}
	}
	return fonts, nil
})

// scripts tells in which font a character stands.
type scripts struct {
	fonts [2]*sfnt.Font
	known map[rune]string
	buf   sfnt.Buffer
}

func newScripts() (*scripts, error) {
	fonts, err := faces()
	return &scripts{fonts: fonts, known: map[rune]string{}}, err
}

// family of a character; "" when no font has it.
func (s *scripts) family(r rune) string {
	if family, ok := s.known[r]; ok {
		return family
	}
	family := ""
	for i, name := range []string{latin, wide} {
		if at, err := s.fonts[i].GlyphIndex(&s.buf, r); err == nil && at != 0 && r <= 0xffff { // the writer knows the first plane
			family = name
			break
		}
	}
	s.known[r] = family
	return family
}

// alike are characters that stand in for some that no font has.
var alike = strings.NewReplacer("☐", "□", "☑", "■", "•", "·", "✓", "√", "→", "→", "\u00a0", " ", "\t", "    ")
