package pdf

import (
	"bytes"
	"context"
	"math"
	"strings"
	"unicode"
)

// text reads the pages in their order.
func (f *file) text() (Text, error) {
	var t Text
	if info := f.dict(f.info); info != nil {
		if s, ok := f.get(info["Title"]).(text); ok {
			t.Title = plain(s)
		}
	}
	var pages []dict
	seen := map[ref]bool{}
	f.pages(f.dict(f.root)["Pages"], dict{}, seen, &pages, 0)
	if len(pages) == 0 {
		return t, ErrNoText
	}
	var out strings.Builder
	for _, p := range pages {
		if out.Len() > maxText || f.budget <= 0 {
			t.Cut = true
			break
		}
		if f.ctx.Err() != nil {
			return t, context.Cause(f.ctx)
		}
		s := &screen{file: f}
		s.show(f.content(p["Contents"]), f.dict(p["Resources"]), 0)
		if said := strings.TrimSpace(s.out.String()); said != "" {
			out.WriteString(said + "\n\n")
		}
	}
	t.Body = strings.TrimSpace(out.String())
	t.Cut = t.Cut || len(pages) >= maxPages
	if t.Body == "" {
		return t, ErrNoText
	}
	return t, nil
}

// pages gathers the leaves of the page tree; what a branch says holds for its leaves.
func (f *file) pages(o object, above dict, seen map[ref]bool, out *[]dict, depth int) {
	if r, ok := o.(ref); ok {
		if seen[r] {
			return
		}
		seen[r] = true
	}
	d := f.dict(o)
	if d == nil || depth > maxNesting || len(*out) >= maxPages {
		return
	}
	resources := d["Resources"]
	if resources == nil {
		resources = above["Resources"]
	}
	kids := f.array(d["Kids"])
	if kids == nil {
		*out = append(*out, dict{"Contents": d["Contents"], "Resources": resources})
		return
	}
	for _, k := range kids {
		f.pages(k, dict{"Resources": resources}, seen, out, depth+1)
	}
}

// content is what a page draws, in one piece.
func (f *file) content(o object) []byte {
	if s, ok := f.get(o).(*stream); ok {
		return f.data(s)
	}
	var out bytes.Buffer
	for _, part := range f.array(o) {
		if s, ok := f.get(part).(*stream); ok && f.budget > 0 {
			out.Write(f.data(s))
			out.WriteByte('\n')
		}
	}
	return out.Bytes()
}

// matrix is a, b, c, d, e, f of the standard.
type matrix [6]float64

func (m matrix) times(n matrix) matrix {
	return matrix{
		m[0]*n[0] + m[1]*n[2], m[0]*n[1] + m[1]*n[3], m[2]*n[0] + m[3]*n[2], m[2]*n[1] + m[3]*n[3],
		m[4]*n[0] + m[5]*n[2] + n[4], m[4]*n[1] + m[5]*n[3] + n[5],
	}
}

// state is what q keeps and Q brings back.
type state struct {
	font                   *font
	size, leading          float64
	char, word, scale      float64
	place                  matrix
	lineMatrix, textMatrix matrix
}

// screen follows where text is shown and writes it as lines.
type screen struct {
	file  *file
	out   strings.Builder
	state state
	stack []state
	x, y  float64 // where the last text ended
	drawn bool    // there was one
	steps int
}

var unit = matrix{1, 0, 0, 1, 0, 0}

// show carries out the operators of a content stream.
func (s *screen) show(content []byte, resources dict, depth int) {
	if depth == 0 {
		s.state = state{scale: 1, place: unit, lineMatrix: unit, textMatrix: unit}
	}
	l := &lexer{b: content}
	var args array
	for s.out.Len() < maxText && s.file.budget > 0 {
		if s.steps++; s.steps%4096 == 0 && s.file.ctx.Err() != nil {
			s.file.budget = 0 // ends those that called this one, too
			return
		}
		o, ok := l.next(0)
		if !ok {
			return
		}
		op, isOp := o.(operator)
		if !isOp {
			if args = append(args, o); len(args) > 64 {
				args = args[1:]
			}
			continue
		}
		if op == "ID" { // a picture in the line
			if n := bytes.Index(l.b[l.at:], []byte("EI")); n >= 0 {
				l.at += n + 2
			}
		}
		s.do(string(op), args, resources, depth)
		args = args[:0]
	}
}

func (s *screen) do(op string, args array, resources dict, depth int) {
	t := &s.state
	n := func(i int) float64 {
		if i < len(args) {
			return number(args[i])
		}
		return 0
	}
	six := func() matrix { return matrix{n(0), n(1), n(2), n(3), n(4), n(5)} }
	move := func(x, y float64) {
		t.lineMatrix = matrix{1, 0, 0, 1, x, y}.times(t.lineMatrix)
		t.textMatrix = t.lineMatrix
	}
	string1 := func(i int) {
		if i < len(args) {
			if v, ok := args[i].(text); ok {
				s.write(v)
			}
		}
	}
	switch op {
	case "q":
		if len(s.stack) < 256 {
			s.stack = append(s.stack, *t)
		}
	case "Q":
		if k := len(s.stack); k > 0 {
			s.state, s.stack = s.stack[k-1], s.stack[:k-1]
		}
	case "cm":
		t.place = six().times(t.place)
	case "BT":
		t.lineMatrix, t.textMatrix = unit, unit
	case "Tf":
		if len(args) > 0 {
			if f, ok := args[0].(name); ok {
				t.font = s.file.font(s.file.dict(resources["Font"])[f])
			}
		}
		t.size = n(1)
	case "TL":
		t.leading = n(0)
	case "Tc":
		t.char = n(0)
	case "Tw":
		t.word = n(0)
	case "Tz":
		t.scale = n(0) / 100
	case "Td":
		move(n(0), n(1))
	case "TD":
		t.leading = -n(1)
		move(n(0), n(1))
	case "Tm":
		t.lineMatrix = six()
		t.textMatrix = t.lineMatrix
	case "T*":
		move(0, -t.leading)
	case "Tj":
		string1(0)
	case "'":
		move(0, -t.leading)
		string1(0)
	case "\"":
		t.word, t.char = n(0), n(1)
		move(0, -t.leading)
		string1(2)
	case "TJ":
		if len(args) == 0 {
			return
		}
		list, _ := args[0].(array)
		for _, o := range list {
			if s.file.budget <= 0 || s.out.Len() >= maxText {
				return
			}
			switch o := o.(type) {
			case text:
				s.write(o)
			case float64:
				t.textMatrix = matrix{1, 0, 0, 1, -o / 1000 * t.size * t.scale, 0}.times(t.textMatrix)
			}
		}
	case "Do":
		if len(args) == 0 || depth > 4 {
			return
		}
		key, _ := args[0].(name)
		form, ok := s.file.get(s.file.dict(resources["XObject"])[key]).(*stream)
		if !ok || form.dict["Subtype"] != name("Form") || s.file.budget <= 0 {
			return
		}
		inner := s.file.dict(form.dict["Resources"])
		if inner == nil {
			inner = resources
		}
		before, stack := s.state, s.stack
		s.stack = nil
		if m := s.file.array(form.dict["Matrix"]); len(m) == 6 {
			s.state.place = matrix{number(m[0]), number(m[1]), number(m[2]), number(m[3]), number(m[4]), number(m[5])}.times(s.state.place)
		}
		s.show(s.file.data(form), inner, depth+1)
		s.state, s.stack = before, stack
	}
}

// write shows a string: on a new line when it stands higher or lower than the last one, after a space when there is a gap.
func (s *screen) write(v text) {
	t := &s.state
	if t.font == nil {
		t.font = s.file.font(nil)
	}
	shown, width, codes := t.font.read(v)
	s.file.budget -= len(shown) // a code may stand for much that is not printed
	m := t.textMatrix.times(t.place)
	size := t.size * math.Hypot(m[2], m[3])
	if size == 0 || math.IsNaN(size) || math.IsInf(size, 0) {
		size = 1
	}
	x, y := m[4], m[5]
	if shown != "" && s.drawn {
		down, gap := math.Abs(y-s.y), x-s.x
		switch {
		case down > 1.8*math.Abs(size):
			s.out.WriteString("\n\n")
		case down > 0.5*math.Abs(size):
			s.newLine(shown)
		case gap > 0.2*math.Abs(size) || gap < -2*math.Abs(size):
			s.space(shown)
		}
	}
	advance := (width*t.size + float64(codes)*t.char + float64(strings.Count(string(v), " "))*t.word) * t.scale
	t.textMatrix = matrix{1, 0, 0, 1, advance, 0}.times(t.textMatrix)
	if shown != "" {
		s.out.WriteString(strings.Map(printed, shown))
		end := t.textMatrix.times(t.place)
		s.x, s.y, s.drawn = end[4], end[5], true
	}
}

func (s *screen) last() rune {
	all := s.out.String()
	r := []rune(all[max(0, len(all)-4):])
	if len(r) == 0 {
		return '\n'
	}
	return r[len(r)-1]
}

func (s *screen) space(next string) {
	if !unicode.IsSpace(s.last()) && !unicode.IsSpace([]rune(next)[0]) {
		s.out.WriteByte(' ')
	}
}

// newLine ends a line of the page, which is not one of the text: Chinese runs on, a word that was divided is joined, other words are parted.
func (s *screen) newLine(next string) {
	if last := s.last(); unicode.Is(unicode.Han, last) && unicode.Is(unicode.Han, []rune(next)[0]) {
		return
	}
	s.out.WriteByte('\n')
}

func printed(r rune) rune {
	if r < ' ' && r != '\n' && r != '\t' || r == unicode.ReplacementChar {
		return -1
	}
	return r
}

// plain is a text string of the file itself: UTF-16 with a mark, else Latin.
func plain(s text) string {
	if rest, ok := strings.CutPrefix(string(s), "\xfe\xff"); ok {
		return fromUTF16(rest)
	}
	if rest, ok := strings.CutPrefix(string(s), "\xef\xbb\xbf"); ok {
		return strings.ToValidUTF8(rest, "")
	}
	var out strings.Builder
	for i := range len(s) {
		out.WriteRune(rune(s[i]))
	}
	return out.String()
}
