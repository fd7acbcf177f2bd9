package pdf

import (
	"math"
	"strconv"

	"github.com/hmap-project/hmap/tools/document/outline"
)

// chart draws a chart with lines and boxes. A pie becomes bars with shares: in a plain layout they read better.
func (d *plain) chart(c outline.Chart) {
	if d.full() {
		return
	}
	title := c.Title
	if c.Unit != "" {
		title += d.o.Words("（"+c.Unit+"）", " ("+c.Unit+")")
	}
	height := 62.0
	lying := c.Kind == "bar" || c.Kind == "pie"
	if lying {
		height = min(220, float64(len(c.Categories))*max(7, 4.5*float64(len(c.Series)))+4)
	}
	d.y += 3
	d.room(height + 16)
	if title != "" {
		d.paragraph([]piece{{title, style{size: 10, bold: true, colour: d.look.Ink}}}, margin, inner)
		d.y++
	}
	if len(c.Series) > 1 && c.Kind != "pie" {
		d.legend(c)
	}
	if lying {
		d.lying(c, height)
	} else {
		d.y += 2 // the highest figure rises above its line
		d.standing(c, height)
	}
	d.y += height + 5
}

func (d *plain) fill(i int) {
	r, g, b := rgb(d.look.Palette[i%len(d.look.Palette)])
	d.SetFillColor(r, g, b)
	d.SetDrawColor(r, g, b)
}

func (d *plain) legend(c outline.Chart) {
	x := margin
	for i, s := range c.Series {
		spans := d.fit([]piece{{outline.Clip(s.Name, 30), style{size: 8.5, colour: d.look.Muted}}})
		if x+total(spans)+8 > pageWidth-margin {
			x = margin
			d.y += 5
		}
		d.fill(i)
		d.Rect(x, d.y+0.8, 3, 2.4, "F")
		d.line(spans, x+4, d.y+3.2)
		x += total(spans) + 10
	}
	d.y += 6
}

// scale is the least and the greatest value of an axis, and the step between its lines: 1, 2 or 5 of a power of ten.
func scale(c outline.Chart) (low, high, step float64) {
	sums := make([][2]float64, len(c.Categories)) // of negative and positive values, for stacks
	for _, s := range c.Series {
		for i, v := range s.Values {
			if v == nil {
				continue
			}
			if c.Stacked {
				if *v < 0 {
					sums[i][0] += *v
				} else {
					sums[i][1] += *v
				}
				low, high = min(low, sums[i][0]), max(high, sums[i][1])
			} else {
				low, high = min(low, *v), max(high, *v)
			}
		}
	}
	if high == low {
		high = low + 1
	}
	rough := (high - low) / 5
	power := math.Pow(10, math.Floor(math.Log10(rough)))
	for _, m := range []float64{1, 2, 5, 10} {
		if step = m * power; step >= rough {
			break
		}
	}
	return math.Floor(low/step) * step, math.Ceil(high/step) * step, step
}

func figure(v float64) string {
	return outline.Grouped(strconv.FormatFloat(math.Round(v*100)/100, 'f', -1, 64))
}

// standing draws columns, lines and areas.
func (d *plain) standing(c outline.Chart, height float64) {
	low, high, step := scale(c)
	small := style{size: 8, colour: d.look.Muted}
	left := 0.0
	for v := low; v <= high+step/2; v += step {
		left = max(left, total(d.fit([]piece{{figure(v), small}})))
	}
	x0, w, h := margin+left+2, inner-left-2, height-7
	y := func(v float64) float64 { return d.y + h - (v-low)/(high-low)*h }
	for v := low; v <= high+step/2; v += step {
		label := d.fit([]piece{{figure(v), small}})
		d.line(label, margin+left-total(label), y(v)+1)
		r, g, b := rgb(d.look.Line)
		d.SetDrawColor(r, g, b)
		d.SetLineWidth(0.2)
		d.Line(x0, y(v), x0+w, y(v))
	}
	slot := w / float64(len(c.Categories))
	every := max(1, int(math.Ceil(16/slot)))
	for i, name := range c.Categories {
		if i%every != 0 {
			continue
		}
		label := d.fit([]piece{{outline.Clip(name, max(4, int(slot*float64(every)/1.6))), small}})
		d.line(label, x0+slot*(float64(i)+0.5)-total(label)/2, d.y+height-2)
	}
	if c.Kind == "column" {
		d.columns(c, x0, slot, y)
		return
	}
	for n, s := range c.Series {
		d.fill(n)
		d.SetLineWidth(0.6)
		var px, py float64
		open := false
		for i, v := range s.Values {
			if v == nil {
				open = open && c.Spread
				continue
			}
			x, yy := x0+slot*(float64(i)+0.5), y(*v)
			if open {
				d.Line(px, py, x, yy)
			}
			if len(c.Categories) <= 60 {
				d.Circle(x, yy, 0.7, "F")
			}
			px, py, open = x, yy, true
		}
	}
}

func (d *plain) columns(c outline.Chart, x0, slot float64, y func(float64) float64) {
	each := slot * 0.66 / float64(len(c.Series))
	if c.Stacked {
		each = slot * 0.66
	}
	each = min(each, 14)
	for i := range c.Categories {
		up, down := 0.0, 0.0
		x := x0 + slot*(float64(i)+0.5) - each*float64(len(c.Series))/2
		if c.Stacked {
			x = x0 + slot*(float64(i)+0.5) - each/2
		}
		for n, s := range c.Series {
			v := s.Values[i]
			if v == nil {
				continue
			}
			from := 0.0
			if c.Stacked {
				if from = up; *v < 0 {
					from = down
					down += *v
				} else {
					up += *v
				}
			}
			d.fill(n)
			a, b := y(from), y(from+*v)
			at := x
			if !c.Stacked {
				at += each * float64(n)
			}
			d.Rect(at, min(a, b), each*0.94, math.Abs(a-b), "F")
			if len(c.Series) == 1 && len(c.Categories) <= 12 {
				label := d.fit([]piece{{figure(*v), style{size: 7.5, colour: d.look.Ink}}})
				d.line(label, at+each/2-total(label)/2, min(a, b)-1)
			}
		}
	}
}

// lying draws bars from the left.
func (d *plain) lying(c outline.Chart, height float64) {
	series, sum, high := c.Series, 0.0, 0.0
	if c.Kind == "pie" {
		series = series[:1]
	}
	for _, s := range series {
		for _, v := range s.Values {
			if v != nil {
				sum += max(0, *v)
				high = max(high, math.Abs(*v))
			}
		}
	}
	if high == 0 {
		high = 1
	}
	const names, values = 52.0, 24.0
	slot := height / float64(len(c.Categories))
	each := min(5.5, slot*0.72/float64(len(series)))
	for i, name := range c.Categories {
		label := d.fit([]piece{{outline.Clip(name, 30), style{size: 8.5, colour: d.look.Muted}}})
		for total(label) > names-2 && len(label) > 0 { // letters are of different widths
			name = outline.Clip(name, outline.Width(name)-3)
			label = d.fit([]piece{{outline.Clip(name, 28), style{size: 8, colour: d.look.Muted}}})
			if outline.Width(name) < 6 {
				break
			}
		}
		y := d.y + slot*float64(i)
		d.line(label, margin+names-2-total(label), y+slot/2+1)
		for n, s := range series {
			v := s.Values[i]
			if v == nil {
				continue
			}
			if d.fill(n); c.Kind == "pie" {
				d.fill(i)
			}
			length := max(0, *v) / high * (inner - names - values)
			at := y + slot/2 - each*float64(len(series))/2 + each*float64(n)
			d.Rect(margin+names, at, length, each*0.9, "F")
			text := figure(*v)
			if c.Kind == "pie" && sum > 0 {
				text += "  " + strconv.FormatFloat(math.Round(*v/sum*1000)/10, 'f', -1, 64) + "%"
			}
			d.line(d.fit([]piece{{text, style{size: 8, colour: d.look.Ink}}}), margin+names+length+1.5, at+each*0.5+1)
		}
	}
}
