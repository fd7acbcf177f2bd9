package document

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"image"
	"image/jpeg"
	"image/png"
	"io"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hmap-project/hmap/tools/document/outline"
)

var (
	used   = regexp.MustCompile(`\br:(?:id|embed|link)="([^"]+)"`)
	shapes = regexp.MustCompile(`<p:cNvPr id="(\d+)"`)
)

// An office file is held to what strict readers ask of its package: each part is XML and has a type, each type and each relation has its part, whatever is
// used is related, and no id comes twice.
func TestOfficePackages(t *testing.T) {
	t.Parallel()
	for _, f := range []Format{PPTX, DOCX, XLSX} {
		t.Run(string(f), func(t *testing.T) {
			t.Parallel()
			body, err := Render(t.Context(), everything(), f)
			if err != nil {
				t.Fatal(err)
			}
			for _, wrong := range unsound(t, body) {
				t.Error(wrong)
			}
			if held := strings.Join(slices.Collect(maps.Values(parts(t, body))), "\n"); f != XLSX {
				for _, p := range everything().Sections[1].Pictures {
					if !strings.Contains(held, string(p.Image.Content)) {
						t.Errorf("%s lacks the picture %s", f, p.Caption)
					}
				}
			}
		})
	}
}

// photo is a picture of noise, which nothing makes smaller.
func photo(kind string, side int) *outline.Image {
	noise := image.NewRGBA(image.Rect(0, 0, side, side))
	for i := range noise.Pix {
		noise.Pix[i] = byte(i * i >> 3)
	}
	var b bytes.Buffer
	err := png.Encode(&b, noise)
	if kind == "jpeg" {
		b.Reset()
		err = jpeg.Encode(&b, noise, nil)
	}
	if err != nil {
		panic(err)
	}
	i, err := outline.ReadImage(b.Bytes())
	if err != nil {
		panic(err)
	}
	return i
}

// everything is an outline with one of each thing that an office file can hold.
func everything() *outline.Outline {
	values := func(v ...float64) (out []*float64) {
		for i := range v {
			out = append(out, &v[i])
		}
		return append(out, nil)
	}
	var charts []outline.Chart
	for _, kind := range []string{"column", "bar", "line", "area", "pie"} {
		charts = append(charts, outline.Chart{Kind: kind, Title: kind + " <&>", Unit: "元", Categories: []string{"2026-11-01", "2026-11-02", "2026-11-05"},
			Series: []outline.Series{{Name: "A & B", Values: values(1, 2)}, {Name: "C", Values: values(-3, 0.5)}}})
	}
	var rows [][]outline.Cell
	for i := range 60 {
		rows = append(rows, []outline.Cell{outline.Text("商品 <b> & \"x\""), outline.Number(float64(i) * 1.5), outline.Text("=1+1")})
	}
	return &outline.Outline{Title: "十月 & <report>", Subtitle: "s", Author: "a", Date: "2026-11-22", Language: "zh", Theme: "ember", Sections: []outline.Section{
		{Heading: "概况 <&>", Text: "## h\n\n**b** *i* `c` [l](https://example.com/?a=1&b=2) ~~s~~ [1]\n\n- a\n  - b\n\n1. x\n2. y\n\n> q\n\n```\ncode <x>\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n- [ ] task\n\n---\n",
			Notes: "say <it>", Charts: charts[:2], Tables: []outline.Table{{Title: "表", Columns: []string{"名", "数", "式"}, Rows: rows}}},
		{Heading: "图", Text: "short", Charts: charts[2:], Pictures: []outline.Picture{{Caption: "one <&>", Image: photo("png", 300)}, {Caption: "two", Image: photo("jpeg", 20)}, {Image: photo("png", 10)}}}, {Heading: "only a heading"},
	}, Sources: []outline.Source{{Title: "S & T", URL: "https://example.com/?a=1&b=2"}}}
}

// unsound says what is wrong with the package of an office file.
func unsound(t *testing.T, body []byte) (wrong []string) {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(body), int64(len(body)))
	if err != nil {
		t.Fatal(err)
	}
	parts := map[string]string{}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		raw, err := io.ReadAll(r)
		_ = r.Close()
		if err != nil {
			t.Fatal(err)
		}
		if _, twice := parts[f.Name]; twice {
			wrong = append(wrong, f.Name+" is there twice")
		}
		parts[f.Name] = string(raw)
	}
	var types struct {
		Default []struct {
			Extension string `xml:",attr"`
		}
		Override []struct {
			PartName string `xml:",attr"`
		}
	}
	if err := xml.Unmarshal([]byte(parts["[Content_Types].xml"]), &types); err != nil {
		t.Fatal(err)
	}
	typed := map[string]bool{"[Content_Types].xml": true}
	for _, o := range types.Override {
		name := strings.TrimPrefix(o.PartName, "/")
		if _, there := parts[name]; !there || typed[name] {
			wrong = append(wrong, "a type for "+name+", which is not there or has one")
		}
		typed[name] = true
	}
	for name, part := range parts {
		for _, d := range types.Default {
			typed[name] = typed[name] || strings.EqualFold(strings.TrimPrefix(path.Ext(name), "."), d.Extension)
		}
		if !typed[name] {
			wrong = append(wrong, name+" has no type")
		}
		if ext := path.Ext(name); ext == ".xml" || ext == ".rels" {
			if err := wellFormed(part); err != nil {
				wrong = append(wrong, name+": "+err.Error())
			}
		}
		ids := map[string]bool{}
		for _, m := range shapes.FindAllStringSubmatch(part, -1) {
			if ids[m[1]] {
				wrong = append(wrong, name+" has two shapes "+m[1])
			}
			ids[m[1]] = true
		}
		wrong = append(wrong, unrelated(parts, name)...)
		if path.Ext(name) == ".xlsx" { // the numbers of a chart
			for _, w := range unsound(t, []byte(part)) {
				wrong = append(wrong, name+": "+w)
			}
		}
	}
	return wrong
}

// unrelated says what a part uses without a relation, and which of its relations lead nowhere.
func unrelated(parts map[string]string, name string) (wrong []string) {
	var rels struct {
		Relationship []struct {
			ID         string `xml:"Id,attr"`
			Target     string `xml:",attr"`
			TargetMode string `xml:",attr"`
		}
	}
	dir, file := path.Split(name)
	if err := xml.Unmarshal([]byte(parts[dir+"_rels/"+file+".rels"]), &rels); err != nil && err != io.EOF {
		return []string{name + ": " + err.Error()}
	}
	ids := map[string]bool{}
	for _, r := range rels.Relationship {
		if ids[r.ID] {
			wrong = append(wrong, name+": two relations "+r.ID)
		}
		ids[r.ID] = true
		target := path.Join(dir, r.Target)
		if strings.HasPrefix(r.Target, "/") {
			target = r.Target[1:]
		}
		if _, there := parts[target]; !there && r.TargetMode != "External" {
			wrong = append(wrong, name+": "+target+" is not there")
		}
	}
	for _, m := range used.FindAllStringSubmatch(parts[name], -1) {
		if path.Ext(name) == ".xml" && !ids[m[1]] {
			wrong = append(wrong, name+" uses "+m[1]+", which leads nowhere")
		}
	}
	return wrong
}

func wellFormed(text string) error {
	d := xml.NewDecoder(strings.NewReader(text))
	for {
		switch token, err := d.Token(); {
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		default:
			if start, ok := token.(xml.StartElement); ok {
				seen := map[xml.Name]bool{}
				for _, a := range start.Attr {
					if seen[a.Name] {
						return &xml.SyntaxError{Msg: "two attributes " + a.Name.Local}
					}
					seen[a.Name] = true
				}
			}
		}
	}
}
