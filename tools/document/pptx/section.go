package pptx

import (
	"encoding/base64"
	"math"
	"strings"

	"github.com/hmap-project/hmap/tools/document/outline"
)

// clip is [outline.Clip].
func clip(s string, width int) string { return outline.Clip(s, width) }

// section makes the slides of one section: a short text stands beside its first chart or picture, else each thing has slides of its own.
func (d *deck) section(s *outline.Section) {
	first := len(d.slides)
	blocks := outline.Blocks(s.Text, len(d.o.Sources))
	charts, pictures := s.Charts, shown(s.Pictures)
	tables := s.Tables
	text := paragraphs(blocks, d.look)
	for _, b := range blocks {
		if b.Kind == outline.Grid {
			tables = append(tables[:len(tables):len(tables)], *b.Table)
		}
	}
	again := func() bool { return len(d.slides) > first }
	const half = inner*0.4 - 0.1
	switch {
	case len(text) == 0 && len(charts) == 0 && len(pictures) == 0 && len(tables) == 0:
		d.add("divider", d.title(s.Heading))
	case len(text) > 0 && len(charts)+len(pictures) > 0 && tall(text, half, 16) <= bottom-top:
		p := d.add("plain", d.title(s.Heading))
		d.write(p, text, margin, half, 16)
		box := box{margin + half + 0.35, top, inner - half - 0.35, bottom - top}
		if len(charts) > 0 {
			d.chart(p, charts[0], box)
			charts = charts[1:]
		} else {
			d.picture(p, pictures[0], box)
			pictures = pictures[1:]
		}
	case len(text) > 0 && len(tables) > 0 && len(tables[0].Rows) > 0 && tall(text, inner, 16) <= 1.3:
		d.tables(s.Heading, text, tables[0], again)
		tables = tables[1:]
	case len(text) > 0:
		size := 18
		if tall(text, inner, 18) > bottom-top {
			size = 16
		}
		for _, page := range pages(text, inner, size) {
			p := d.add("plain", d.title(d.continued(s.Heading, again())))
			d.write(p, page, margin, inner, size)
		}
	}
	for _, c := range charts {
		p := d.add("plain", d.title(d.continued(s.Heading, again())))
		d.chart(p, c, box{margin, top - 0.1, inner, bottom - top + 0.1})
	}
	for _, t := range tables {
		d.tables(s.Heading, nil, t, again)
	}
	for _, pic := range pictures {
		p := d.add("plain", d.title(d.continued(s.Heading, again())))
		d.picture(p, pic, box{margin, top, inner, bottom - top})
	}
	if s.Notes != "" && first < len(d.slides) {
		d.slides[first].Notes = s.Notes
	}
}

// shown are the pictures that were found.
func shown(all []outline.Picture) []outline.Picture {
	var out []outline.Picture
	for _, p := range all {
		if p.Image != nil {
			out = append(out, p)
		}
	}
	return out
}

// box is a place on a slide, in inches.
type box struct{ x, y, w, h float64 }

// line is a paragraph on a slide.
type line struct {
	runs   []obj
	text   string // as plain text, to measure it
	bullet bool
	mark   string
	depth  int
	scale  float64 // of its letters, to those of the text
	code   bool
}

// paragraphs are the lines of a text; its tables are for others.
func paragraphs(blocks []outline.Block, look outline.Theme) []line {
	var out []line
	for _, b := range blocks {
		l := line{scale: 1, depth: b.Depth, mark: b.Mark, bullet: b.Kind == outline.Item}
		base := obj{}
		switch b.Kind {
		case outline.Grid, outline.Rule:
			continue
		case outline.Heading:
			l.scale, base = 1.12, obj{"bold": true, "color": look.Accent}
		case outline.Quote:
			base = obj{"italic": true, "color": look.Muted}
		case outline.Code:
			for _, t := range strings.Split(b.Text, "\n") {
				t = strings.ReplaceAll(t, "\t", "    ")
				out = append(out, line{scale: 0.8, text: t, code: true, runs: []obj{{"text": t, "options": obj{"fontFace": "Consolas", "color": look.Ink}}}})
			}
			continue
		}
		for _, r := range b.Runs {
			o := obj{"color": look.Ink}
			for k, v := range base {
				o[k] = v
			}
			if r.Bold {
				o["bold"] = true
			}
			if r.Italic {
				o["italic"] = true
			}
			if r.Strike {
				o["strike"] = "sngStrike"
			}
			if r.Code {
				o["fontFace"] = "Consolas"
			}
			if r.Link != "" {
				o["hyperlink"], o["color"] = obj{"url": r.Link}, look.Accent
			}
			if r.Cite > 0 {
				o["superscript"], o["color"] = true, look.Accent
			}
			l.runs = append(l.runs, obj{"text": r.Text, "options": o})
			l.text += r.Text
		}
		out = append(out, l)
	}
	return out
}

// rows is how many rows a paragraph takes in a width (inches), in letters of size (points). A Han character is as wide as it is high, a Latin
// one about half.
func (l line) rows(w float64, size int) int {
	pt := float64(size) * l.scale
	columns := max(4, (w-0.35*float64(l.depth))*72/(pt*0.53)-2)
	n := 0
	for _, t := range strings.Split(l.text, "\n") {
		n += max(1, int(math.Ceil(float64(outline.Width(t))/columns)))
	}
	return n
}

// height of a paragraph, in inches.
func (l line) height(w float64, size int) float64 {
	pt := float64(size) * l.scale
	after := 0.5 * pt
	if l.code {
		after = 0
	}
	return (float64(l.rows(w, size))*pt*1.32 + after) / 72
}

func tall(text []line, w float64, size int) float64 {
	sum := 0.0
	for _, l := range text {
		sum += l.height(w, size)
	}
	return sum
}

// pages parts a text into what one slide holds each. A paragraph that is taller than a slide is parted.
func pages(text []line, w float64, size int) [][]line {
	const room = bottom - top
	var out [][]line
	var page []line
	used := 0.0
	for len(text) > 0 {
		l := text[0]
		h := l.height(w, size)
		switch {
		case used+h <= room:
			page, used, text = append(page, l), used+h, text[1:]
		case len(page) > 0:
			if n := len(page) - 1; n > 0 && page[n].scale > 1 { // a heading goes with what it heads
				text = append([]line{page[n]}, text...)
				page = page[:n]
			}
			out, page, used = append(out, page), nil, 0
		default:
			head, rest := l.part(int(float64(l.rows(w, size))*room/h*0.9), w, size)
			out = append(out, []line{head})
			text[0] = rest
		}
	}
	if len(page) > 0 {
		out = append(out, page)
	}
	return out
}

// part cuts a paragraph behind about so many rows, and loses the looks of its runs but those of the first.
func (l line) part(rows int, w float64, size int) (head, rest line) {
	columns := int(w*72/(float64(size)*l.scale*0.53)) - 4
	text := []rune(l.text)
	n, room := 0, max(1, rows)*max(8, columns)
	for n < len(text) && room > 0 {
		room -= outline.Width(string(text[n]))
		if n++; text[n-1] == '\n' {
			room -= columns / 2
		}
	}
	options := obj{}
	if len(l.runs) > 0 {
		options = l.runs[0]["options"].(obj)
	}
	make := func(s string) line {
		p := l
		p.text, p.runs = s, []obj{{"text": s, "options": options}}
		return p
	}
	return make(string(text[:n])), make(string(text[n:]))
}

// write puts paragraphs on a slide.
func (d *deck) write(s *slide, text []line, x, w float64, size int) {
	d.writeAt(s, text, box{x, top, w, bottom - top}, size)
}

func (d *deck) writeAt(s *slide, text []line, at box, size int) {
	var runs []obj
	for _, l := range text {
		pt := math.Round(float64(size) * l.scale)
		for i, r := range l.runs {
			o := obj{"fontSize": pt, "paraSpaceAfter": math.Round(pt * 0.45), "lineSpacingMultiple": 1.12}
			if l.code {
				o["paraSpaceAfter"] = 0
			}
			for k, v := range r["options"].(obj) {
				o[k] = v
			}
			if l.bullet && i == 0 { // each run with a bullet begins a paragraph
				o["indentLevel"] = l.depth
				switch {
				case strings.HasSuffix(l.mark, "."):
					o["bullet"] = obj{"type": "number", "numberStartAt": atoi(l.mark), "indent": 20}
				case l.mark != "":
					o["bullet"] = obj{"characterCode": map[string]string{"☐": "2610", "☑": "2611"}[l.mark], "indent": 20}
				default:
					o["bullet"] = obj{"indent": 16}
				}
			}
			if i == len(l.runs)-1 {
				o["breakLine"] = true
			}
			runs = append(runs, obj{"text": r["text"], "options": o})
		}
	}
	s.put("Text", runs, obj{"x": at.x, "y": at.y, "w": at.w, "h": at.h, "valign": "top", "margin": 0, "fontFace": d.fonts.Body})
}

func atoi(mark string) int {
	n := 0
	for _, r := range mark {
		if r >= '0' && r <= '9' && n < 10_000 {
			n = 10*n + int(r-'0')
		}
	}
	return max(1, n)
}

// picture puts a picture into the middle of a box, with its caption below.
func (d *deck) picture(s *slide, p outline.Picture, at box) {
	if p.Caption != "" {
		at.h -= 0.4
	}
	w, h := p.Image.Fit(at.w, at.h, 1)
	x, y := at.x+(at.w-w)/2, at.y+(at.h-h)/2
	data := p.Image.Type + ";base64," + base64.StdEncoding.EncodeToString([]byte(d.pictures.Aside(p.Image.Content)))
	s.put("Image", obj{"data": data, "x": x, "y": y, "w": w, "h": h, "altText": p.Caption})
	if p.Caption != "" {
		s.put("Text", clip(p.Caption, 120), obj{"x": at.x, "y": y + h + 0.08, "w": at.w, "h": 0.32, "fontSize": 12, "color": d.look.Muted, "align": "center", "margin": 0})
	}
}
