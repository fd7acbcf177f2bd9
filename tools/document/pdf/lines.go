package pdf

import "strings"

// span is a piece of a line in one font: as much as is drawn at once.
type span struct {
	text   string
	family string
	width  float64
	style
}

// fit parts pieces into spans by script. What no font has becomes a question mark: a reader sees that there was something.
func (d *plain) fit(pieces []piece) []span {
	var out []span
	for _, p := range pieces {
		var text strings.Builder
		family := ""
		flush := func() {
			if text.Len() > 0 {
				d.font(p.style, family)
				out = append(out, span{text.String(), family, d.GetStringWidth(text.String()), p.style})
				text.Reset()
			}
		}
		for _, r := range alike.Replace(p.text) {
			f := d.scripts.family(r)
			if f == "" {
				f, r = latin, '?'
			}
			if f != family {
				flush()
				family = f
			}
			text.WriteRune(r)
		}
		flush()
	}
	return out
}

// closing are signs that do not begin a line.
const closing = "，。、；：？！）》」』】”’％,.;:?!)]}%"

// words cut a text where a line may end: behind spaces and around Han characters.
func words(s string) []string {
	var out []string
	from := 0
	runes := []rune(s)
	cut := func(i int) {
		if i > from {
			out = append(out, string(runes[from:i]))
			from = i
		}
	}
	for i, r := range runes {
		switch {
		case r == '\n':
			cut(i)
			cut(i + 1)
		case strings.ContainsRune(closing, r):
		case r >= 0x2e80 && i > 0:
			cut(i)
		case i > 0 && (runes[i-1] == ' ' || runes[i-1] >= 0x2e80) && r != ' ':
			cut(i)
		}
	}
	cut(len(runes))
	return out
}

// wrap breaks pieces into lines of a width.
func (d *plain) wrap(pieces []piece, width float64) [][]span {
	var lines [][]span
	var line []span
	used := 0.0
	end := func() { lines, line, used = append(lines, line), nil, 0 }
	put := func(spans []span, w float64) {
		for _, s := range spans {
			if k := len(line) - 1; k >= 0 && line[k].family == s.family && line[k].style == s.style {
				line[k].text += s.text
				line[k].width += s.width
				continue
			}
			line = append(line, s)
		}
		used += w
	}
	for _, p := range pieces {
		for _, word := range words(p.text) {
			if word == "\n" {
				end()
				continue
			}
			spans := d.fit([]piece{{word, p.style}})
			w := total(spans)
			if used > 0 && used+total(d.fit([]piece{{strings.TrimRight(word, " "), p.style}})) > width {
				end()
			}
			for w > width { // a word longer than the line is broken where it must
				runes := []rune(word)
				n := 1
				for n < len(runes) && total(d.fit([]piece{{string(runes[:n+1]), p.style}})) <= width {
					n++
				}
				put(d.fit([]piece{{string(runes[:n]), p.style}}), width)
				end()
				word = string(runes[n:])
				spans = d.fit([]piece{{word, p.style}})
				w = total(spans)
			}
			put(spans, w)
		}
	}
	if len(line) > 0 || len(lines) == 0 {
		end()
	}
	return lines
}

func total(spans []span) float64 {
	sum := 0.0
	for _, s := range spans {
		sum += s.width
	}
	return sum
}

// line draws spans from x on; y is the foot of the letters.
func (d *plain) line(spans []span, x, y float64) {
	for _, s := range spans {
		d.at(s.style)
		d.font(s.style, s.family)
		if s.family == wide && s.bold { // there is no bold face: the outline is drawn as well
			r, g, b := rgb(s.colour)
			d.SetDrawColor(r, g, b)
			d.SetLineWidth(s.size * 0.008)
			d.SetTextRenderingMode(2)
		}
		d.Text(x, y, s.text)
		d.SetTextRenderingMode(0)
		if s.link != "" {
			d.LinkString(x, y-s.size*0.3, s.width, s.size*0.42, s.link)
		}
		if s.strike {
			r, g, b := rgb(s.colour)
			d.SetDrawColor(r, g, b)
			d.SetLineWidth(0.2)
			d.Line(x, y-s.size*0.1, x+s.width, y-s.size*0.1)
		}
		x += s.width
	}
}

// paragraph sets lines below each other, on as many pages as they take.
func (d *plain) paragraph(pieces []piece, x, width float64) {
	size := 0.0
	for _, p := range pieces {
		size = max(size, p.size)
	}
	step := size * 0.3528 * 1.6
	for _, line := range d.wrap(pieces, width) {
		if d.over && d.PageNo() > maxPages+1 {
			return
		}
		d.room(step)
		d.line(line, x, d.y+step*0.72)
		d.y += step
	}
}
