// Package chart draws charts as SVG: no script, no fonts and no links in them, so that they may stand in any page.
package chart

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/hmap-project/hmap/tools/document/outline"
	"github.com/hmap-project/hmap/tools/document/script"
)

//go:embed driver.js
var driver string

var echarts = script.New("chart", driver)

// Width and Height are the size of a chart in pixels; a page may scale it.
const (
	Width  = 760
	Height = 340
)

// SVG draws charts of a cleaned outline, one for each, in the colours of a theme.
func SVG(ctx context.Context, charts []outline.Chart, look outline.Theme) ([]string, error) {
	if len(charts) == 0 {
		return nil, nil
	}
	var in struct {
		Width   int              `json:"width"`
		Charts  []map[string]any `json:"charts"`
		Heights []int            `json:"heights"`
	}
	in.Width = Width
	for _, c := range charts {
		in.Charts = append(in.Charts, option(c, look))
		in.Heights = append(in.Heights, height(c))
	}
	raw, err := echarts.Run(ctx, in)
	if err != nil {
		return nil, fmt.Errorf("charts: %w", err)
	}
	var out []string
	return out, json.Unmarshal(raw, &out)
}

// height gives horizontal bars room for each of them.
func height(c outline.Chart) int {
	if c.Kind == "bar" {
		return min(1_600, max(200, 80+len(c.Categories)*max(28, 16*len(c.Series))))
	}
	return Height
}

type obj = map[string]any

// option says to ECharts what a chart looks like. It is data alone: what a chart holds can be shown, and not be run.
func option(c outline.Chart, look outline.Theme) obj {
	hex := func(s string) string { return "#" + s }
	colours := make([]string, len(look.Palette))
	for i, p := range look.Palette {
		colours[i] = hex(p)
	}
	small := obj{"color": hex(look.Muted), "fontSize": 12}
	o := obj{
		"animation": false, "color": colours, "backgroundColor": "transparent",
		"textStyle": obj{"fontFamily": "inherit"}, // the page's own
	}
	if c.Kind == "pie" {
		return pie(o, c, look)
	}
	top := 16
	if len(c.Series) > 1 {
		o["legend"] = obj{"top": 0, "left": 0, "itemWidth": 14, "itemHeight": 9, "textStyle": small, "icon": "roundRect"}
		top = 40
	}
	o["grid"] = obj{"left": 4, "right": 28, "top": top, "bottom": 4, "containLabel": true}
	categories := obj{
		"type": "category", "data": c.Categories, "boundaryGap": c.Kind == "column" || c.Kind == "bar",
		"axisLine": obj{"lineStyle": obj{"color": hex(look.Line)}}, "axisTick": obj{"show": false},
		"axisLabel": obj{"color": hex(look.Muted), "fontSize": 12, "hideOverlap": true, "overflow": "truncate", "width": labelWidth(c)},
	}
	values := obj{
		"type": "value", "axisLabel": small, "splitLine": obj{"lineStyle": obj{"color": hex(look.Line)}},
	}
	if c.Kind == "bar" {
		categories["inverse"] = true
		o["yAxis"], o["xAxis"] = categories, values
	} else {
		o["xAxis"], o["yAxis"] = categories, values
	}
	var series []obj
	for _, s := range c.Series {
		series = append(series, shape(c, s))
	}
	o["series"] = series
	return o
}

func shape(c outline.Chart, s outline.Series) obj {
	v := obj{"name": s.Name, "data": s.Values, "silent": true}
	switch c.Kind {
	case "column", "bar":
		v["type"], v["barMaxWidth"] = "bar", 38
		radius := []int{3, 3, 0, 0}
		if c.Kind == "bar" {
			radius = []int{0, 3, 3, 0}
		}
		if !c.Stacked {
			v["itemStyle"] = obj{"borderRadius": radius}
		}
		if len(c.Series) == 1 && len(c.Categories) <= 12 {
			at := "top"
			if c.Kind == "bar" {
				at = "right"
			}
			v["label"] = obj{"show": true, "position": at, "fontSize": 11, "color": "inherit"}
			v["data"] = labelled(s.Values)
		}
	default:
		v["type"], v["symbolSize"], v["showSymbol"] = "line", 6, len(c.Categories) <= 40
		v["connectNulls"] = c.Spread
		v["lineStyle"] = obj{"width": 2.5}
		if c.Kind == "area" {
			v["areaStyle"] = obj{"opacity": 0.18}
		}
	}
	if c.Stacked {
		v["stack"] = "all"
	}
	return v
}

// labelled values carry the text of their label: data cannot hold the function that would group the digits.
func labelled(values []*float64) []any {
	out := make([]any, len(values))
	for i, v := range values {
		if v != nil {
			out[i] = obj{"value": *v, "label": obj{"formatter": outline.Grouped(strconv.FormatFloat(*v, 'f', -1, 64))}}
		}
	}
	return out
}

// labelWidth keeps long names from taking the room of the drawing, in pixels.
func labelWidth(c outline.Chart) int {
	if c.Kind == "bar" {
		return 220
	}
	width := max(48, (Width-60)/max(1, min(len(c.Categories), 12)))
	if len(c.Categories) > 12 { // not every one is shown, so the others have room: of 2026-10-24 and 2026-10-25 the beginnings are the same
		for _, name := range c.Categories {
			width = max(width, min(120, 8*outline.Width(name)))
		}
	}
	return width
}

func pie(o obj, c outline.Chart, look outline.Theme) obj {
	var slices []obj
	for i, name := range c.Categories {
		if v := c.Series[0].Values[i]; v != nil && *v > 0 {
			slices = append(slices, obj{"name": name, "value": *v})
		}
	}
	o["series"] = []obj{{
		"type": "pie", "radius": []string{"42%", "70%"}, "data": slices, "minAngle": 2,
		"itemStyle": obj{"borderColor": "#" + look.Paper, "borderWidth": 2},
		"label":     obj{"color": "#" + look.Ink, "fontSize": 12, "formatter": "{b}  {d}%", "overflow": "truncate", "width": 180},
		"labelLine": obj{"lineStyle": obj{"color": "#" + look.Muted}},
	}}
	return o
}
