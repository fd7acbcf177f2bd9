package pdf

import (
	"bytes"
	"context"
	"fmt"
	"strconv"
	"strings"

	"codeberg.org/go-pdf/fpdf"

	"github.com/hmap-project/hmap/tools/document/outline"
)

// The page, in millimetres.
const (
	pageWidth  = 210.0
	pageHeight = 297.0
	margin     = 20.0
	inner      = pageWidth - 2*margin
	bottom     = pageHeight - 20
)

const (
	maxRows    = 1_000 // of a table
	maxPages   = 500   // more is left to other formats, and said
	maxColumns = 10
)

// Plain makes a PDF in a layout of our own.
func Plain(ctx context.Context, o *outline.Outline) ([]byte, error) {
	s, err := newScripts()
	if err != nil {
		return nil, err
	}
	p := fpdf.New("P", "mm", "A4", "")
	p.SetMargins(margin, margin, margin)
	p.SetAutoPageBreak(false, 0)
	p.SetTitle(o.Title, true)
	p.SetAuthor(o.Author, true)
	p.SetCreator("hmap", true)
	addFonts(p)
	d := &plain{Fpdf: p, ctx: ctx, o: o, look: o.Look(), scripts: s}
	p.SetFooterFunc(func() {
		d.at(style{size: 8, colour: d.look.Muted})
		text := strconv.Itoa(p.PageNo())
		p.Text(pageWidth/2-p.GetStringWidth(text)/2, pageHeight-10, text)
	})
	d.page()
	d.cover()
	for i := range o.Sections {
		if d.full() {
			break
		}
		d.section(&o.Sections[i])
	}
	d.sources()
	if cause := context.Cause(ctx); cause != nil {
		return nil, cause
	}
	var out bytes.Buffer
	if err := p.Output(&out); err != nil {
		return nil, fmt.Errorf("plain layout: %w", err)
	}
	return out.Bytes(), nil
}

// plain is a document in the making. y is where the next line comes.
type plain struct {
	*fpdf.Fpdf
	ctx     context.Context
	o       *outline.Outline
	look    outline.Theme
	scripts *scripts
	y       float64
	over    bool // maxPages is reached
}

func (d *plain) page() {
	d.AddPage()
	d.y = margin
}

// full reports whether nothing more shall come, and says so once in the document.
func (d *plain) full() bool {
	if d.ctx.Err() != nil {
		return true
	}
	if d.PageNo() >= maxPages && !d.over {
		d.over = true
		d.page()
		d.paragraph([]piece{{text: d.o.Words("其余内容请见其他格式的文件。", "The rest stands in the other formats."), style: style{size: 11, colour: d.look.Muted}}}, margin, inner)
	}
	return d.over
}

// room begins a page when so much is not left on this one.
func (d *plain) room(height float64) {
	if d.y+height > bottom {
		d.page()
	}
}

// style is how a piece of text looks. size is in points.
type style struct {
	size                       float64
	bold, italic, mono, strike bool
	colour                     string
	link                       string
}

// piece is text of one style.
type piece struct {
	text string
	style
}

// at chooses font and colour for Latin text in a style; [plain.font] changes the font by script.
func (d *plain) at(s style) {
	d.font(s, latin)
	r, g, b := rgb(s.colour)
	d.SetTextColor(r, g, b)
}

func (d *plain) font(s style, family string) {
	face := ""
	switch {
	case family == latin && s.mono:
		family = mono
	case family == latin && s.bold:
		face = "B"
	case family == latin && s.italic:
		face = "I"
	}
	d.SetFont(family, face, s.size)
}

func rgb(hex string) (r, g, b int) {
	v, err := strconv.ParseUint(hex, 16, 32)
	if err != nil {
		return 0, 0, 0
	}
	return int(v >> 16), int(v >> 8 & 0xff), int(v & 0xff)
}

func (d *plain) cover() {
	r, g, b := rgb(d.look.Accent)
	d.SetFillColor(r, g, b)
	d.Rect(margin, d.y, 26, 1.6, "F")
	d.y += 8
	d.paragraph([]piece{{d.o.Title, style{size: 22, bold: true, colour: d.look.Ink}}}, margin, inner)
	if d.o.Subtitle != "" {
		d.y++
		d.paragraph([]piece{{d.o.Subtitle, style{size: 12, colour: d.look.Muted}}}, margin, inner)
	}
	if by := strings.Trim(d.o.Author+"  ·  "+d.o.Date, " ·"); by != "" {
		d.y++
		d.paragraph([]piece{{by, style{size: 9.5, colour: d.look.Muted}}}, margin, inner)
	}
	d.y += 3
	d.rule(d.y)
	d.y += 5
}

func (d *plain) rule(y float64) {
	r, g, b := rgb(d.look.Line)
	d.SetDrawColor(r, g, b)
	d.SetLineWidth(0.3)
	d.Line(margin, y, pageWidth-margin, y)
}

func (d *plain) section(s *outline.Section) {
	if s.Heading != "" {
		d.y += 4
		d.room(30)
		r, g, b := rgb(d.look.Accent)
		d.SetFillColor(r, g, b)
		d.Rect(margin, d.y+1, 1.4, 6, "F")
		d.Bookmark(s.Heading, 0, d.y)
		d.paragraph([]piece{{s.Heading, style{size: 15, bold: true, colour: d.look.Ink}}}, margin+4, inner-4)
		d.y += 2
	}
	for _, b := range outline.Blocks(s.Text, len(d.o.Sources)) {
		if d.full() {
			return
		}
		d.block(b)
	}
	for _, c := range s.Charts {
		d.chart(c)
	}
	for _, t := range s.Tables {
		d.table(t)
	}
	for _, p := range s.Pictures {
		d.picture(p)
	}
}

func (d *plain) block(b outline.Block) {
	base := style{size: 10.5, colour: d.look.Ink}
	x, w := margin, inner
	switch b.Kind {
	case outline.Heading:
		base.size, base.bold = 12.5, true
		d.y += 2
		d.room(18)
	case outline.Item:
		x += 5 + 6*float64(b.Depth)
		w = inner - (x - margin)
		d.room(6)
		mark := b.Mark
		if mark == "" {
			mark = "•"
		}
		d.line(d.fit([]piece{{mark, style{size: base.size, colour: d.look.Accent}}}), x-4.5, d.y+4.4)
	case outline.Quote:
		x, w, base.colour = x+6, w-6, d.look.Muted
	case outline.Code:
		d.code(b.Text)
		return
	case outline.Grid:
		d.table(*b.Table)
		return
	case outline.Rule:
		d.room(6)
		d.rule(d.y + 2)
		d.y += 5
		return
	}
	from, page := d.y, d.PageNo()
	d.paragraph(d.pieces(b, base), x, w)
	if b.Kind == outline.Quote && page == d.PageNo() {
		r, g, bl := rgb(d.look.Palette[1])
		d.SetFillColor(r, g, bl)
		d.Rect(margin+1, from, 0.9, d.y-from, "F")
	}
	if d.y += 2; b.Kind == outline.Item {
		d.y--
	}
}

func (d *plain) pieces(b outline.Block, base style) []piece {
	var out []piece
	for _, r := range b.Runs {
		s := base
		s.bold, s.italic, s.mono, s.strike = s.bold || r.Bold, r.Italic, r.Code, r.Strike
		if r.Link != "" || r.Cite > 0 {
			s.colour, s.link = d.look.Accent, r.Link
		}
		if r.Cite > 0 {
			s.size *= 0.75
		}
		out = append(out, piece{r.Text, s})
	}
	return out
}

func (d *plain) code(text string) {
	r, g, b := rgb(d.look.Panel)
	for line := range strings.SplitSeq(text, "\n") {
		for _, row := range d.wrap([]piece{{line, style{size: 9, mono: true, colour: d.look.Ink}}}, inner-8) {
			if d.full() {
				return
			}
			d.room(5)
			d.SetFillColor(r, g, b)
			d.Rect(margin, d.y, inner, 5, "F")
			d.line(row, margin+4, d.y+3.6)
			d.y += 5
		}
	}
	d.y += 3
}

func (d *plain) picture(p outline.Picture) {
	if p.Image == nil || d.full() {
		return
	}
	w, h := p.Image.Fit(inner, 150, 25.4)
	d.room(h + 10)
	options := fpdf.ImageOptions{ImageType: strings.TrimPrefix(p.Image.Type, "image/")}
	name := fmt.Sprintf("%p", p.Image)
	d.RegisterImageOptionsReader(name, options, bytes.NewReader(p.Image.Content))
	if d.Err() { // a kind of picture that the writer does not know costs the picture, not the document
		d.ClearError()
	} else {
		d.ImageOptions(name, margin+(inner-w)/2, d.y, w, h, false, options, 0, "")
		d.y += h + 2
	}
	if p.Caption != "" {
		d.paragraph([]piece{{p.Caption, style{size: 9, colour: d.look.Muted}}}, margin, inner)
	}
	d.y += 3
}

func (d *plain) sources() {
	if len(d.o.Sources) == 0 || d.full() {
		return
	}
	d.section(&outline.Section{Heading: d.o.Words("来源", "Sources")})
	for i, s := range d.o.Sources {
		if d.full() {
			return
		}
		title := s.Title
		if title == "" {
			title = s.URL
		}
		colour := d.look.Ink
		if s.URL != "" {
			colour = d.look.Accent
		}
		d.paragraph([]piece{{fmt.Sprintf("[%d]  ", i+1), style{size: 9.5, colour: d.look.Muted}}, {title, style{size: 9.5, colour: colour, link: s.URL}}}, margin, inner)
		d.y++
	}
}
