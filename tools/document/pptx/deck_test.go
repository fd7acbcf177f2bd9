package pptx

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/hmap-project/hmap/tools/document/outline"
)

// said is all text on the slides of a deck, and how many there are.
func said(t *testing.T, o *outline.Outline) (text string, slides int) {
	t.Helper()
	o.Clean()
	d := newDeck(o)
	for i := range o.Sections {
		d.section(&o.Sections[i])
	}
	raw, err := json.Marshal(d.finish()["slides"])
	if err != nil {
		t.Fatal(err)
	}
	return string(raw), len(d.slides)
}

// Long texts and tables go on, on slides that say so; nothing is lost but what is counted.
func TestDeckGoesOn(t *testing.T) {
	t.Parallel()
	table := outline.Table{Columns: []string{"名", "数"}}
	for i := range 300 {
		table.Rows = append(table.Rows, []outline.Cell{outline.Text("行"), outline.Number(float64(i))})
	}
	text, slides := said(t, &outline.Outline{Language: "zh", Sections: []outline.Section{
		{Heading: "文", Text: strings.Repeat("这一段讲了很多事情，", 400) + "最后一句。"}, {Heading: "表", Tables: []outline.Table{table}},
	}})
	if n := strings.Count(text, "这一段讲了很多事情"); n < 390 { // one is cut at the end of each slide
		t.Errorf("%d of 400 sentences", n)
	}
	for _, want := range []string{"最后一句。", "文（续）", "表（续）", "另有 ", " 行"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q", want)
		}
	}
	if slides < 12 || slides > 20 {
		t.Errorf("%d slides", slides)
	}
}

// A table that goes on does not end in a slide of two rows.
func TestLastSlidesShareATable(t *testing.T) {
	t.Parallel()
	for n := 5; n <= 40; n++ {
		table := outline.Table{Columns: []string{"名", "数"}}
		for i := range n {
			table.Rows = append(table.Rows, []outline.Cell{outline.Text(fmt.Sprintf("〔%d〕", i)), outline.Number(float64(i))})
		}
		text, _ := said(t, &outline.Outline{Language: "zh", Sections: []outline.Section{{Heading: "表", Tables: []outline.Table{table}}}})
		var shown []int
		for _, slide := range strings.Split(text, `"Table"`)[1:] {
			shown = append(shown, strings.Count(slide, "〔"))
		}
		all := 0
		for i, k := range shown {
			all += k
			if i > 0 && i == len(shown)-1 && shown[i-1]-k > 1 {
				t.Errorf("%d rows as %v", n, shown)
			}
		}
		if all != n {
			t.Errorf("%d rows as %v", n, shown)
		}
	}
}

func TestDeckIsBounded(t *testing.T) {
	t.Parallel()
	o := &outline.Outline{Language: "en"}
	for range 450 {
		o.Sections = append(o.Sections, outline.Section{Heading: "part"})
	}
	if text, slides := said(t, o); slides != maxSlides || !strings.Contains(text, "There is more than 400 slides hold") {
		t.Errorf("%d slides", slides)
	}
}

// Notes go with the first slide of a section; a short text stands beside its chart.
func TestDeckLayout(t *testing.T) {
	t.Parallel()
	one, two := 1.0, 2.0
	o := &outline.Outline{Sections: []outline.Section{{
		Heading: "a", Text: "short", Notes: "say it", Charts: []outline.Chart{{Kind: "line", Categories: []string{"x", "y"}, Series: []outline.Series{{Values: []*float64{&one, &two}}}}},
	}, {Heading: "b"}}}
	o.Clean()
	d := newDeck(o)
	for i := range o.Sections {
		d.section(&o.Sections[i])
	}
	if len(d.slides) != 2 || d.slides[0].Notes != "say it" || len(d.slides[0].Items) != 3 || d.slides[1].Master != "divider" {
		t.Errorf("%+v", d.slides)
	}
}
