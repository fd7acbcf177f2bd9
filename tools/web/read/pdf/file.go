// Package pdf takes the text out of PDF files, without fonts, pictures or drawing: enough to read and to quote it. It does not trust the file's own
// directory, which hostile and damaged files lie in; it finds objects where they stand. Time and memory are bounded, and no input is a panic.
package pdf

import (
	"bytes"
	"compress/zlib"
	"context"
	"encoding/ascii85"
	"errors"
	"io"
	"slices"
	"strconv"
)

// Bounds of one file.
const (
	maxObjects  = 300_000
	maxUnpacked = 64 << 20 // bytes of all streams together, also when one is unpacked several times; what fonts cost counts, too
	maxPages    = 2000
	maxText     = 2 << 20
)

// The reasons why a file gives no text.
var (
	ErrNotPDF    = errors.New("no PDF file")
	ErrEncrypted = errors.New("the PDF file is encrypted")
	ErrNoText    = errors.New("the PDF file has no text that can be read; it may hold pictures of pages")
)

// Text is what a file says.
type Text struct {
	Title string
	Body  string // lines; pages are parted by an empty line
	Cut   bool   // there is more than the bounds let through
}

// file is a PDF file whose objects have been found.
type file struct {
	ctx     context.Context
	objects map[ref]object
	info    object // of a trailer
	root    object
	budget  int // bytes that may still be unpacked
	fonts   map[ref]*font
}

// Read takes the text out of a file. Besides the errors above it returns the context's.
func Read(ctx context.Context, data []byte) (Text, error) {
	if n := bytes.Index(data[:min(len(data), 1024)], []byte("%PDF-")); n < 0 {
		return Text{}, ErrNotPDF
	}
	f := &file{ctx: ctx, objects: map[ref]object{}, budget: maxUnpacked, fonts: map[ref]*font{}}
	if err := f.scan(data); err != nil {
		return Text{}, err
	}
	t, err := f.text()
	if err := ctx.Err(); err != nil {
		return Text{}, context.Cause(ctx)
	}
	return t, err
}

// scan finds the objects. One that stands further down replaces its earlier version, as an update of the file does.
func (f *file) scan(data []byte) error {
	trailers := func(d dict) error {
		if d["Encrypt"] != nil {
			return ErrEncrypted
		}
		if d["Root"] != nil {
			f.root = d["Root"]
		}
		if d["Info"] != nil {
			f.info = d["Info"]
		}
		return nil
	}
	var packed []ref
	at := 0
	for at < len(data) && len(f.objects) < maxObjects {
		if err := f.ctx.Err(); err != nil {
			return context.Cause(f.ctx)
		}
		n, from, ok := begin(data, at)
		if !ok {
			break
		}
		l := &lexer{b: data, at: from}
		o, ok := l.next(0)
		at = l.at
		if !ok {
			continue
		}
		if d, ok := o.(dict); ok {
			if raw, end, ok := f.body(l, d); ok {
				o = &stream{d, raw}
				at = end
				switch d["Type"] {
				case name("ObjStm"):
					packed = append(packed, ref(n))
				case name("XRef"):
					if err := trailers(d); err != nil {
						return err
					}
				}
			}
		}
		f.objects[ref(n)] = o
	}
	for rest := data; ; {
		n := bytes.Index(rest, []byte("trailer"))
		if n < 0 {
			break
		}
		rest = rest[n+len("trailer"):]
		l := &lexer{b: rest}
		o, ok := l.next(0)
		rest = rest[l.at:]
		if ok {
			if d, ok := o.(dict); ok {
				if err := trailers(d); err != nil {
					return err
				}
			}
		}
	}
	for _, r := range packed {
		if f.ctx.Err() != nil {
			return context.Cause(f.ctx)
		}
		if s, ok := f.objects[r].(*stream); ok {
			f.unpack(s)
		}
	}
	return nil
}

// begin finds where the next object begins, as in "12 0 obj": its number, and the place after it.
func begin(data []byte, at int) (number, from int, ok bool) {
	for {
		n := bytes.Index(data[at:], []byte("obj"))
		if n < 0 {
			return 0, 0, false
		}
		end := at + n
		at = end + len("obj")
		_, left, ok1 := digitsBefore(data, end, 5)
		number, _, ok2 := digitsBefore(data, left, 9)
		if ok1 && ok2 {
			return number, at, true
		}
	}
}

// digitsBefore reads a number of at most most digits, and the white space after it, backwards from end.
func digitsBefore(data []byte, end, most int) (number, left int, ok bool) {
	at := end
	for at > 0 && end-at < 32 && white(data[at-1]) {
		at--
	}
	last := at
	for at > 0 && last-at < most && data[at-1] >= '0' && data[at-1] <= '9' {
		at--
	}
	n, err := strconv.Atoi(string(data[at:last]))
	return n, at, err == nil && last < end
}

// body is what a stream holds, and where it ends.
func (f *file) body(l *lexer, d dict) (raw []byte, end int, ok bool) {
	l.skip()
	rest := l.b[l.at:]
	if !bytes.HasPrefix(rest, []byte("stream")) {
		return nil, 0, false
	}
	from := l.at + len("stream")
	if from < len(l.b) && l.b[from] == '\r' {
		from++
	}
	if from < len(l.b) && l.b[from] == '\n' {
		from++
	}
	if n, isNumber := d["Length"].(float64); isNumber && n >= 0 && from+int(n) <= len(l.b) {
		to := from + int(n)
		if tail := (&lexer{b: l.b, at: to}); true {
			tail.skip()
			if bytes.HasPrefix(l.b[tail.at:], []byte("endstream")) {
				return l.b[from:to], tail.at, true
			}
		}
	}
	n := bytes.Index(l.b[from:], []byte("endstream"))
	if n < 0 {
		return l.b[from:], len(l.b), true
	}
	return l.b[from : from+n], from + n, true
}

// unpack adds the objects of an object stream, where the file has no later ones of their own.
func (f *file) unpack(s *stream) {
	data := f.data(s)
	count, first := int(number(f.get(s.dict["N"]))), int(number(f.get(s.dict["First"])))
	if first <= 0 || first > len(data) || count <= 0 {
		return
	}
	heads := &lexer{b: data[:first]}
	for range min(count, maxObjects-len(f.objects)) {
		id, ok1 := heads.next(0)
		offset, ok2 := heads.next(0)
		n, isNumber := id.(float64)
		at := first + int(number(offset))
		if !ok1 || !ok2 || !isNumber || at < first || at >= len(data) {
			return
		}
		l := &lexer{b: data, at: at}
		o, ok := l.next(0)
		if f.budget -= l.at - at; f.budget <= 0 { // many that are one large object
			return
		}
		if ok {
			if _, there := f.objects[ref(n)]; !there {
				f.objects[ref(n)] = o
			}
		}
	}
}

// get follows references.
func (f *file) get(o object) object {
	for range 16 {
		r, ok := o.(ref)
		if !ok {
			return o
		}
		o = f.objects[r]
	}
	return nil
}

func (f *file) dict(o object) dict {
	switch o := f.get(o).(type) {
	case dict:
		return o
	case *stream:
		return o.dict
	}
	return nil
}

func (f *file) array(o object) array {
	a, _ := f.get(o).(array)
	return a
}

func number(o object) float64 {
	n, _ := o.(float64)
	return n
}

// data is what a stream holds, unpacked as far as it can be; nil for pictures.
func (f *file) data(s *stream) []byte {
	filters := f.array(s.dict["Filter"])
	if one, ok := f.get(s.dict["Filter"]).(name); ok {
		filters = array{one}
	}
	parms := f.array(s.dict["DecodeParms"])
	if one, ok := f.get(s.dict["DecodeParms"]).(dict); ok {
		parms = array{one}
	}
	out := s.raw
	f.budget -= len(out) // so that one stream used a thousand times ends, too
	if len(filters) > 4 || f.budget <= 0 {
		return nil
	}
	for i, o := range filters {
		filter, _ := f.get(o).(name)
		switch filter {
		case "FlateDecode", "Fl":
			out = f.inflate(out)
			if i < len(parms) {
				out = predict(out, f.dict(parms[i]))
			}
		case "ASCIIHexDecode", "AHx":
			out = []byte((&lexer{b: append([]byte{'<'}, out...)}).hex())
		case "ASCII85Decode", "A85":
			if n := bytes.Index(out, []byte("~>")); n >= 0 {
				out = out[:n]
			}
			out, _ = io.ReadAll(io.LimitReader(ascii85.NewDecoder(bytes.NewReader(out)), int64(f.budget)))
			f.budget -= len(out)
		default:
			return nil
		}
	}
	return out
}

// inflate unpacks what can be: a stream that breaks off gives what came before.
func (f *file) inflate(packed []byte) []byte {
	z, err := zlib.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil
	}
	var out bytes.Buffer
	_, _ = io.Copy(&out, io.LimitReader(z, int64(max(f.budget, 0))))
	f.budget -= out.Len()
	return out.Bytes()
}

// predict undoes the PNG predictors, which object streams may have.
func predict(data []byte, parms dict) []byte {
	if number(parms["Predictor"]) < 10 {
		return data
	}
	columns := max(int(number(parms["Columns"])), 1)
	colors, bits := max(int(number(parms["Colors"])), 1), int(number(parms["BitsPerComponent"]))
	if bits == 0 {
		bits = 8
	}
	if columns > 1<<20 || colors > 32 || bits > 16 {
		return nil
	}
	width, step := min((columns*colors*bits+7)/8, len(data)), max(colors*bits/8, 1)
	out := make([]byte, 0, len(data))
	above := make([]byte, width)
	for len(data) > 1 {
		kind, row := data[0], slices.Clone(data[1:min(len(data), 1+width)])
		data = data[min(len(data), 1+width):]
		for i := range row {
			var left, corner byte
			if i >= step {
				left, corner = row[i-step], above[i-step]
			}
			switch kind {
			case 1:
				row[i] += left
			case 2:
				row[i] += above[i]
			case 3:
				row[i] += byte((int(left) + int(above[i])) / 2)
			case 4:
				row[i] += paeth(left, above[i], corner)
			}
		}
		out = append(out, row...)
		copy(above, row)
	}
	return out
}

func paeth(a, b, c byte) byte {
	abs := func(n int) int { return max(n, -n) }
	p := int(a) + int(b) - int(c)
	switch pa, pb, pc := abs(p-int(a)), abs(p-int(b)), abs(p-int(c)); {
	case pa <= pb && pa <= pc:
		return a
	case pb <= pc:
		return b
	}
	return c
}
