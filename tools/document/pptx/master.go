package pptx

import "strconv"

// masters are the layouts of the deck: a cover, a divider, and the plain slide.
func (d *deck) masters() []obj {
	l := d.look
	band := obj{"rect": obj{"x": 0, "y": 0, "w": 0.28, "h": height, "fill": obj{"color": l.Palette[1]}}}
	heading := func(x, y, w, h float64, size int, colour, valign string) obj {
		return obj{"placeholder": obj{
			"options": obj{
				"name": "title", "type": "title", "x": x, "y": y, "w": w, "h": h, "fontSize": size, "bold": true, "color": colour, "fontFace": d.fonts.Head,
				"align": "left", "valign": valign, "margin": 0,
			}, "text": "",
		}}
	}
	return []obj{
		{
			"title": "cover", "background": obj{"color": l.Cover},
			"objects": []obj{
				band,
				{"rect": obj{"x": 0.95, "y": 4.42, "w": 1.3, "h": 0.07, "fill": obj{"color": l.Palette[1]}}},
				heading(0.95, 1.5, 11.2, 2.7, 40, l.OnCover, "bottom"),
				{"placeholder": obj{
					"options": obj{
						"name": "body", "type": "body", "x": 0.95, "y": 4.7, "w": 11.2, "h": 1.3, "fontSize": 20, "color": l.OnCover, "fontFace": d.fonts.Body,
						"align": "left", "valign": "top", "margin": 0, "transparency": 15, "bullet": false,
					}, "text": "",
				}},
			},
		},
		{
			"title": "divider", "background": obj{"color": l.Panel},
			"objects": []obj{band, heading(0.95, 2.4, 11.2, 2.2, 34, l.Ink, "middle")},
		},
		{
			"title": "plain", "background": obj{"color": l.Paper},
			"objects": []obj{
				{"rect": obj{"x": margin, "y": 0.52, "w": 0.08, "h": 0.56, "fill": obj{"color": l.Accent}}},
				{"line": obj{"x": margin, "y": 7.02, "w": inner, "h": 0, "line": obj{"color": l.Line, "width": 0.75}}},
				{"text": obj{"text": clip(d.o.Title, 70), "options": obj{
					"x": margin, "y": 7.08, "w": 10, "h": 0.28, "fontSize": 10, "color": l.Muted, "margin": 0, "valign": "middle", "fontFace": d.fonts.Body,
				}}},
				heading(margin+0.24, 0.4, inner-0.24, 0.8, 26, l.Ink, "middle"),
			},
			"slideNumber": obj{"x": width - margin - 0.6, "y": 7.08, "w": 0.6, "h": 0.28, "fontSize": 10, "color": l.Muted, "align": "right"},
		},
	}
}

func number(n int) string { return strconv.Itoa(n) }
