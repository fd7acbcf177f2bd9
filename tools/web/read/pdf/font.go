package pdf

import (
	"strings"
	"unicode"
	"unicode/utf16"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/encoding/unicode/utf32"
)

// font tells what codes mean and how wide they are.
type font struct {
	wide   bool // codes have two bytes, unless spaces says otherwise
	spaces []codespace
	means  map[uint32]string // from its ToUnicode map
	simple *[256]string      // of a font of single bytes
	utf16  bool              // codes are UTF-16 as they are
	bytes  encoding.Encoding // codes are a text in this encoding
	widths map[uint32]float64
	normal float64 // of a code without a width
	work   int     // entries written, and their length: ranges may say the same again and again
}

type codespace struct {
	size     int
	from, to uint32
}

// maxCodes bounds the map of a font, maxWork what it takes to fill it, maxMeaning what one code stands for, in bytes (ISO 32000, 9.10.3).
const (
	maxCodes   = 1 << 17
	maxWork    = 1 << 18
	maxMeaning = 512
)

// font reads a font of a page's resources; it is never nil.
func (f *file) font(o object) *font {
	r, isRef := o.(ref)
	if isRef && f.fonts[r] != nil {
		return f.fonts[r]
	}
	d := f.dict(o)
	n := &font{means: map[uint32]string{}, widths: map[uint32]float64{}, normal: 0.5}
	if d["Subtype"] == name("Type0") {
		n.wide = true
		n.encoding(d["Encoding"])
		if kids := f.array(d["DescendantFonts"]); len(kids) > 0 {
			n.wideWidths(f, f.dict(kids[0]))
		}
	} else {
		n.single(f, d)
	}
	if s, ok := f.get(d["ToUnicode"]).(*stream); ok {
		n.learn(f.data(s))
	}
	f.budget -= 1000 + 32*(n.work+len(n.widths)+len(n.means)) // a font that stands in its page is read at each use
	if isRef {
		f.fonts[r] = n
	}
	return n
}

// encoding knows the predefined maps whose codes are a character set.
func (n *font) encoding(o object) {
	e, _ := o.(name)
	switch s := string(e); {
	case strings.Contains(s, "UCS2"), strings.Contains(s, "UTF16"):
		n.utf16 = true
	case strings.Contains(s, "UTF32"):
		n.bytes = utf32.UTF32(utf32.BigEndian, utf32.IgnoreBOM)
	case strings.HasPrefix(s, "GB"):
		n.bytes = simplifiedchinese.GB18030
	case strings.HasPrefix(s, "ETen"), strings.HasPrefix(s, "B5"):
		n.bytes = traditionalchinese.Big5
	}
}

func (n *font) wideWidths(f *file, d dict) {
	n.normal = 1
	if w, ok := f.get(d["DW"]).(float64); ok {
		n.normal = w / 1000
	}
	list := f.array(d["W"])
	for i := 0; i+1 < len(list) && len(n.widths) < maxCodes; {
		from := uint32(number(f.get(list[i])))
		if each := f.array(list[i+1]); each != nil {
			for j, w := range each {
				n.widths[from+uint32(j)] = number(f.get(w)) / 1000
			}
			i += 2
			continue
		}
		if i+2 >= len(list) {
			return
		}
		to, w := uint32(number(f.get(list[i+1]))), number(f.get(list[i+2]))/1000
		for c := from; c <= to && c-from < 1<<16 && n.work < maxWork; c++ {
			n.widths[c] = w
			n.work++
		}
		i += 3
	}
}

// single fills in a font of single bytes: an encoding of the standard's, changed by glyph names.
func (n *font) single(f *file, d dict) {
	n.simple = new([256]string)
	base, _ := f.get(d["Encoding"]).(name)
	e := f.dict(d["Encoding"])
	if b, ok := e["BaseEncoding"].(name); ok {
		base = b
	}
	from := charmap.Windows1252
	if base == "MacRomanEncoding" {
		from = charmap.Macintosh
	}
	for c := 32; c < 256; c++ {
		if r := from.DecodeByte(byte(c)); unicode.IsPrint(r) {
			n.simple[c] = string(r)
		}
	}
	code := 0
	for _, o := range f.array(e["Differences"]) {
		switch o := f.get(o).(type) {
		case float64:
			code = int(o)
		case name:
			if code >= 0 && code < 256 {
				n.simple[code] = glyph(string(o))
			}
			code++
		}
	}
	first := uint32(number(f.get(d["FirstChar"])))
	for i, w := range f.array(d["Widths"]) {
		if i < 256 {
			n.widths[first+uint32(i)] = number(f.get(w)) / 1000
		}
	}
}

// learn reads a ToUnicode map.
func (n *font) learn(cmap []byte) {
	l := &lexer{b: cmap}
	var args array
	for len(n.means) < maxCodes {
		o, ok := l.next(0)
		if !ok {
			return
		}
		if op, isOp := o.(operator); !isOp {
			if args = append(args, o); len(args) > 4096 {
				args = args[1:]
			}
			continue
		} else if op == "endbfchar" {
			for i := 0; i+1 < len(args); i += 2 {
				if from, ok := args[i].(text); ok {
					if to, ok := args[i+1].(text); ok {
						n.means[code(from)] = meaning(to)
					}
				}
			}
		} else if op == "endbfrange" {
			for i := 0; i+2 < len(args); i += 3 {
				n.ranges(args[i], args[i+1], args[i+2])
			}
		} else if op == "endcodespacerange" {
			for i := 0; i+1 < len(args); i += 2 {
				if from, ok := args[i].(text); ok {
					if to, ok := args[i+1].(text); ok && len(from) == len(to) && len(from) > 0 && len(from) <= 4 {
						n.spaces = append(n.spaces, codespace{len(from), code(from), code(to)})
					}
				}
			}
		}
		args = nil
	}
}

func (n *font) ranges(a, b, to object) {
	first, ok1 := a.(text)
	last, ok2 := b.(text)
	if !ok1 || !ok2 {
		return
	}
	from, end := code(first), code(last)
	if end < from || end-from > 1<<16 {
		return
	}
	switch to := to.(type) {
	case array:
		for i, o := range to {
			if s, ok := o.(text); ok && from+uint32(i) <= end {
				n.means[from+uint32(i)] = meaning(s)
			}
		}
	case text:
		if len(to) < 2 || len(to) > maxMeaning {
			return
		}
		for c := from; c <= end && len(n.means) < maxCodes && n.work < maxWork; c++ {
			n.work += 1 + len(to)/16
			s := []byte(to)
			at := len(s) - 2
			low := uint32(s[at])<<8 | uint32(s[at+1])
			low += c - from
			s[at], s[at+1] = byte(low>>8), byte(low)
			n.means[c] = fromUTF16(string(s))
		}
	}
}

func code(s text) uint32 {
	var v uint32
	for i := range min(len(s), 4) {
		v = v<<8 | uint32(s[i])
	}
	return v
}

// meaning is what a code stands for, as far as it may be long.
func meaning(s text) string { return fromUTF16(string(s[:min(len(s), maxMeaning)])) }

func fromUTF16(s string) string {
	var units []uint16
	for i := 0; i+1 < len(s); i += 2 {
		units = append(units, uint16(s[i])<<8|uint16(s[i+1]))
	}
	return string(utf16.Decode(units))
}

// read gives what a string shows, as far as a file may have text, and how wide it is in units of the font's size.
func (n *font) read(s text) (shown string, width float64, codes int) {
	if n.bytes != nil && len(n.means) == 0 {
		out, err := n.bytes.NewDecoder().String(string(s))
		if err != nil {
			return "", 0, 0
		}
		for _, r := range out {
			width += 1
			if r < 0x80 {
				width -= 0.5
			}
			codes++
		}
		return out, width, codes
	}
	if n.utf16 && len(n.means) == 0 {
		out := fromUTF16(string(s))
		return out, float64(len(s) / 2), len(s) / 2
	}
	var out strings.Builder
	for len(s) > 0 && out.Len() <= maxText {
		size := n.size(s)
		c := code(s[:size])
		s = s[size:]
		codes++
		if w, ok := n.widths[c]; ok {
			width += w
		} else {
			width += n.normal
		}
		if m, ok := n.means[c]; ok {
			out.WriteString(m)
		} else if n.simple != nil && c < 256 {
			out.WriteString(n.simple[c])
		}
	}
	return out.String(), width, codes
}

// size is how many bytes the next code has.
func (n *font) size(s text) int {
	if n.simple != nil {
		return 1
	}
	for _, sp := range n.spaces {
		if len(s) >= sp.size {
			if c := code(s[:sp.size]); c >= sp.from && c <= sp.to {
				return sp.size
			}
		}
	}
	if n.wide {
		return min(2, len(s))
	}
	return 1
}

// glyph is what a glyph's name stands for: the names that texts need (Adobe Glyph List), and those that say it themselves.
func glyph(s string) string {
	if g, ok := glyphs[s]; ok {
		return g
	}
	if len(s) == 1 {
		return s
	}
	for _, prefix := range []string{"uni", "u"} {
		digits, ok := strings.CutPrefix(s, prefix)
		if !ok || len(digits) < 4 || len(digits) > 6 {
			continue
		}
		v := rune(0)
		for _, c := range digits {
			at := strings.IndexRune("0123456789ABCDEF", c)
			if at < 0 {
				v = -1
				break
			}
			v = v<<4 | rune(at)
		}
		if v > 0 && v <= unicode.MaxRune {
			return string(v)
		}
	}
	if stem, _, ok := strings.Cut(s, "."); ok && stem != "" {
		return glyph(stem)
	}
	return ""
}

var glyphs = func() map[string]string {
	m := map[string]string{}
	words := strings.Fields(`space _ exclam ! quotedbl " numbersign # dollar $ percent % ampersand & quotesingle ' quoteright ’ quoteleft ‘ parenleft ( parenright ) asterisk * plus +
		comma , hyphen - minus − period . slash / zero 0 one 1 two 2 three 3 four 4 five 5 six 6 seven 7 eight 8 nine 9 colon : semicolon ; less < equal = greater > question ? at @
		bracketleft [ backslash \ bracketright ] underscore _ grave ` + "`" + ` braceleft { bar | braceright } asciitilde ~ endash – emdash — bullet • ellipsis … quotedblleft “ quotedblright ”
		fi fi fl fl ff ff ffi ffi ffl ffl dagger † section § copyright © registered ® degree ° plusminus ± multiply × divide ÷ germandbls ß
		Adieresis Ä Odieresis Ö Udieresis Ü adieresis ä odieresis ö udieresis ü eacute é egrave è ecircumflex ê agrave à aacute á acircumflex â ccedilla ç ntilde ñ oacute ó
		iacute í uacute ú ocircumflex ô icircumflex î oslash ø aring å ae æ Euro € sterling £ yen ¥ cent ¢ mu μ periodcentered · guillemotleft « guillemotright »`)
	for i := 0; i+1 < len(words); i += 2 {
		m[words[i]] = words[i+1]
	}
	m["space"], m["underscore"] = " ", "_"
	return m
}()
