package outline

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"hash/crc32"
	"image"
	"image/png"
	"math"
	"strings"
	"testing"
)

func TestCells(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`245`: "#245", `"1,234.5"`: "#1,234.5", `"5.4%"`: "#5.4%", `"281064156041"`: "281064156041", `"13800138000"`: "13800138000", `"007"`: "007",
		`"=1+1"`: "=1+1", `"-3"`: "#-3", `null`: "", `true`: "true", `{"a":1}`: `{"a":1}`, `1e400`: "1e400", `"1,2"`: "1,2", `""`: "",
	} {
		var c Cell
		if err := json.Unmarshal([]byte(text), &c); err != nil {
			t.Error(text, err)
		}
		got := c.Text
		if c.Numeric {
			got = "#" + got
		}
		if got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
		back, err := json.Marshal(c)
		if err != nil || !json.Valid(back) {
			t.Errorf("%s: %s %v", text, back, err)
		}
	}
	sales := Table{Columns: []string{"销售额", "订单编号"}, Rows: [][]Cell{{Number(1234567.5), Number(20261121)}}}
	if a, b := sales.Shown(0, sales.Rows[0][0]), sales.Shown(1, sales.Rows[0][1]); a != "1,234,567.5" || b != "20261121" {
		t.Error(a, b)
	}
	// The numbers of a column stand alike.
	o := Outline{Sections: []Section{{Tables: []Table{{Columns: []string{"销售额", "客单价", "率", "长", "单号"}, Rows: [][]Cell{
		{Number(10329), Number(344.3), Read("3.25%"), Number(1.23456), Number(20261121)}, {Number(3246), Number(411.65), Read("0%"), Number(2), Number(1.5)}, {Text("无"), Number(2542), Read("12.5%"), Number(3), Number(12)},
	}}}}}}
	o.Clean()
	table := o.Sections[0].Tables[0]
	for i, want := range []string{"10,329 3,246 无", "344.30 411.65 2542.00", "3.25% 0.00% 12.50%", "1.23456 2 3", "20261121 1.5 12"} {
		var got []string
		for _, row := range table.Rows {
			got = append(got, table.Shown(i, row[i]))
		}
		if text := strings.Join(got, " "); text != want {
			t.Errorf("column %d: %q, want %q", i, text, want)
		}
	}
}

func TestClean(t *testing.T) {
	t.Parallel()
	nan, tiny := math.NaN(), 5e-324
	o := Outline{
		Title: "a\x00b\r\n\u202ec\xff" + strings.Repeat("长", 400),
		Sections: []Section{{
			Text:   "x\r\ny\x07",
			Tables: []Table{{Columns: []string{"a"}, Rows: [][]Cell{{Text("1"), Text("2")}, {}}}, {Columns: []string{"a"}, Rows: make([][]Cell, MaxRows+5)}},
			Charts: []Chart{{Kind: "line", Categories: []string{"a", "b"}, Series: []Series{{Values: []*float64{&nan}}, {Values: append([]*float64{nil, &tiny}, make([]*float64, 9)...)}}}},
		}},
		Sources: []Source{{Title: "t", URL: "javascript:alert(1)"}, {URL: "https://a.b/c"}},
	}
	o.Clean()
	s := o.Sections[0]
	if !strings.HasPrefix(o.Title, "ab c长") || len([]rune(o.Title)) != MaxHeading || s.Text != "x\ny" {
		t.Errorf("%q %q", o.Title, s.Text)
	}
	if table := s.Tables[0]; len(table.Columns) != 2 || len(table.Rows[0]) != 2 || len(table.Rows[1]) != 2 {
		t.Errorf("%+v", table)
	}
	if table := s.Tables[1]; len(table.Rows) != MaxRows || table.Left(10) != MaxRows+5-10 {
		t.Errorf("%d rows, %d left", len(table.Rows), table.Left(10))
	}
	for _, series := range s.Charts[0].Series {
		if len(series.Values) != 2 || series.Values[0] != nil {
			t.Errorf("%v", series.Values)
		}
	}
	if v := s.Charts[0].Series[1].Values[1]; v == nil || *v != 0 {
		t.Errorf("a value that is none: %v", v)
	}
	if o.Sources[0].URL != "" || o.Sources[1].URL == "" {
		t.Errorf("%+v", o.Sources)
	}
}

func TestCheck(t *testing.T) {
	t.Parallel()
	one := func(s Section) Outline { return Outline{Sections: []Section{s}} }
	for name, c := range map[string]struct {
		o    Outline
		want string
	}{
		"sections":   {Outline{Sections: make([]Section, 10_000)}, "10000 sections: 500 at most"},
		"text":       {one(Section{Text: strings.Repeat("x", MaxText+1)}), "sections[0]: text of"},
		"columns":    {one(Section{Tables: []Table{{Columns: make([]string, 101)}}}), "sections[0].tables[0]: 101 columns"},
		"cells":      {one(Section{Tables: []Table{{Columns: make([]string, 100), Rows: make([][]Cell, 30_000)}}}), "3000000 cells"},
		"wide row":   {one(Section{Tables: []Table{{Rows: append(make([][]Cell, 100_000), make([]Cell, 100))}}}), "10000100 cells"}, // all become as wide
		"kind":       {one(Section{Charts: []Chart{{Kind: "radar", Categories: []string{"a"}, Series: make([]Series, 1)}}}), `kind "radar"`},
		"no series":  {one(Section{Charts: []Chart{{Kind: "pie"}}}), "no categories"},
		"categories": {one(Section{Charts: []Chart{{Kind: "pie", Categories: make([]string, 1_001), Series: make([]Series, 1)}}}), "1001 categories"},
		"theme":      {Outline{Theme: "neon"}, "want one of sea, ember, night"},
		"fine":       {one(Section{Heading: "a"}), ""},
	} {
		switch err := c.o.Check(); {
		case c.want == "" && err != nil, c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

func TestReadImage(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 40, 20))); err != nil {
		t.Fatal(err)
	}
	whole := b.Bytes()
	i, err := ReadImage(whole)
	if err != nil || i.Type != "image/png" || i.Width != 40 || i.Height != 20 || !strings.HasPrefix(i.URL(), "data:image/png;base64,iVBOR") {
		t.Fatalf("%+v %v", i, err)
	}
	if w, h := i.Fit(10, 10, 96); w != 10 || h != 5 {
		t.Error(w, h)
	}
	huge := bytes.Clone(whole) // claims 60,000 × 60,000 pixels
	binary.BigEndian.PutUint32(huge[16:], 60_000)
	binary.BigEndian.PutUint32(huge[20:], 60_000)
	binary.BigEndian.PutUint32(huge[29:], crc32.ChecksumIEEE(huge[12:29]))
	for name, c := range map[string]struct {
		content []byte
		want    string
	}{
		"svg":  {[]byte(`<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`), "want PNG"},
		"html": {[]byte("<html>"), "want PNG"},
		"cut":  {whole[:len(whole)-20], "damaged"},
		"huge": {huge, "60000 × 60000"},
		"long": {make([]byte, MaxPicture+1), "at most"},
		"none": {nil, "want PNG"},
	} {
		if _, err := ReadImage(c.content); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}
