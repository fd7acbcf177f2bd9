// Package pptx makes slides of an outline that people can go on working with: text in placeholders and text boxes, tables as tables, charts as charts
// with their numbers behind them, on master slides in the colours of the theme.
package pptx

import (
	"context"
	_ "embed"
	"strings"

	"github.com/hmap-project/hmap/tools/document/outline"
	"github.com/hmap-project/hmap/tools/document/script"
)

//go:embed driver.js
var driver string

var pptxgen = script.New("pptx", driver)

// maxSlides bounds a deck: what a long text and long tables would take beyond it is left to other formats, and the last slide says so.
const maxSlides = 400

// The slide, in inches, and where things stand on it.
const (
	width  = 13.333
	height = 7.5
	margin = 0.7
	inner  = width - 2*margin // usable width
	top    = 1.5              // below the title
	bottom = 6.85             // above the footer
)

// Render makes the slides of a cleaned outline.
func Render(ctx context.Context, o *outline.Outline) ([]byte, error) {
	d := newDeck(o)
	d.cover()
	d.contents()
	for i := range o.Sections {
		d.section(&o.Sections[i])
	}
	d.sources()
	if len(d.slides) == 0 {
		d.add("plain") // a deck without slides is none
	}
	raw, err := pptxgen.Run(ctx, d.finish())
	if err != nil {
		return nil, err
	}
	return repack(raw, o.Words("zh-CN", "en-US"), &d.pictures)
}

// obj are options of pptxgenjs, by its names for them.
type obj = map[string]any

// item is one thing on a slide: a method of pptxgenjs without its "add", and what it is given.
type item struct {
	Add  string `json:"add"`
	Args []any  `json:"args"`
}

type slide struct {
	Master string `json:"master"`
	Items  []item `json:"items"`
	Notes  string `json:"notes,omitempty"`
}

// deck is a presentation in the making.
type deck struct {
	o      *outline.Outline
	look   outline.Theme
	fonts  fonts
	slides []*slide
	full   bool // maxSlides is reached

	pictures script.Pictures
}

type fonts struct {
	Head string `json:"headFontFace"`
	Body string `json:"bodyFontFace"`
}

func newDeck(o *outline.Outline) *deck {
	d := &deck{o: o, look: o.Look(), fonts: fonts{"Microsoft YaHei", "Microsoft YaHei"}}
	if o.Language == "en" {
		d.fonts = fonts{"Calibri", "Calibri"}
	}
	if d.look.Serif && o.Language == "en" {
		d.fonts.Head = "Georgia"
	}
	return d
}

// finish is the deck as the driver takes it.
func (d *deck) finish() obj {
	if d.full {
		last := &slide{Master: "plain"}
		d.slides = append(d.slides[:maxSlides-1], last)
		last.Items = append(last.Items, d.title(d.o.Words("未完", "More")), item{"Text", []any{
			d.o.Words("内容超过 %d 页，其余部分请见网页、Word 或表格文件。", "There is more than %d slides hold; see the page, text or workbook for the rest.", maxSlides),
			obj{"x": margin, "y": top, "w": inner, "h": 1, "fontSize": 18, "color": d.look.Muted, "valign": "top", "margin": 0},
		}})
	}
	return obj{
		"width": width, "height": height, "title": d.o.Title, "author": d.o.Author, "fonts": d.fonts, "masters": d.masters(), "slides": d.slides,
	}
}

// add begins a slide.
func (d *deck) add(master string, items ...item) *slide {
	s := &slide{Master: master, Items: append([]item{}, items...)} // null is no list
	if len(d.slides) >= maxSlides {
		d.full = true
		return s // nobody sees it
	}
	d.slides = append(d.slides, s)
	return s
}

func (s *slide) put(add string, args ...any) { s.Items = append(s.Items, item{add, args}) }

// title fills the title's placeholder.
func (d *deck) title(text string) item {
	return item{"Text", []any{outline.Clip(text, 90), obj{"placeholder": "title"}}}
}

func (d *deck) cover() {
	if d.o.Title == "" {
		return
	}
	s := d.add("cover", item{"Text", []any{outline.Clip(d.o.Title, 120), obj{"placeholder": "title"}}})
	if d.o.Subtitle != "" {
		s.put("Text", outline.Clip(d.o.Subtitle, 200), obj{"placeholder": "body"})
	}
	var below []string
	for _, t := range []string{d.o.Author, d.o.Date} {
		if t != "" {
			below = append(below, t)
		}
	}
	if len(below) > 0 {
		s.put("Text", outline.Clip(strings.Join(below, "  ·  "), 120), obj{
			"x": 0.95, "y": 6.3, "w": 10, "h": 0.4, "fontSize": 14, "color": d.look.OnCover, "transparency": 25, "margin": 0, "fontFace": d.fonts.Body,
		})
	}
}

// contents lists the sections when there are several.
func (d *deck) contents() {
	var names []string
	for _, s := range d.o.Sections {
		if s.Heading != "" {
			names = append(names, s.Heading)
		}
	}
	if len(names) < 4 {
		return
	}
	const most = 16
	left := len(names) - most
	if left == 1 {
		left = 0
	}
	if left > 0 {
		names = append(names[:most:most], d.o.Words("另有 %d 节", "%d more", left))
	}
	s := d.add("plain", d.title(d.o.Words("目录", "Contents")))
	columns := 1
	if len(names) > 7 {
		columns = 2
	}
	each := (len(names) + columns - 1) / columns
	step := min(0.72, (bottom-top)/float64(each))
	for i, name := range names {
		x := margin + float64(i/each)*(inner+0.4)/2
		y := top + 0.1 + float64(i%each)*step
		w := inner
		if columns == 2 {
			w = (inner - 0.4) / 2
		}
		if i < most {
			s.put("Text", number(i+1), obj{"x": x, "y": y, "w": 0.6, "h": step, "fontSize": 18, "bold": true, "color": d.look.Accent, "valign": "middle", "margin": 0})
		}
		s.put("Text", outline.Clip(name, int(w*7)), obj{"x": x + 0.65, "y": y, "w": w - 0.65, "h": step, "fontSize": 18, "color": d.look.Ink, "valign": "middle", "margin": 0})
	}
}

func (d *deck) sources() {
	const each = 14
	for from := 0; from < len(d.o.Sources); from += each {
		s := d.add("plain", d.title(d.continued(d.o.Words("来源", "Sources"), from > 0)))
		var runs []obj
		for i, source := range d.o.Sources[from:min(from+each, len(d.o.Sources))] {
			text := source.Title
			if text == "" {
				text = source.URL
			}
			o := obj{"color": d.look.Ink, "breakLine": true, "paraSpaceAfter": 4}
			if source.URL != "" {
				o["hyperlink"], o["color"] = obj{"url": source.URL}, d.look.Accent
			}
			runs = append(runs, obj{"text": "[" + number(from+i+1) + "]  ", "options": obj{"color": d.look.Muted}}, obj{"text": outline.Clip(text, 110), "options": o})
		}
		s.put("Text", runs, obj{"x": margin, "y": top, "w": inner, "h": bottom - top, "fontSize": 14, "valign": "top", "margin": 0})
	}
}

// continued is the heading of a slide that goes on with the one before.
func (d *deck) continued(heading string, again bool) string {
	if again && heading != "" {
		return outline.Clip(heading, 76) + d.o.Words("（续）", " (continued)")
	}
	return heading
}
