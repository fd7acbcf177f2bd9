package knowledge

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/tools"
)

// Somebody's own documents answer plain questions in the words of both languages; the card names what they hold, within its bounds.
func TestDocuments(t *testing.T) {
	t.Parallel()
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	own := open(t, fstest.MapFS{
		"手册.md":       file("# 员工手册\n\n## 退货\n\n退货须在签收后 15 天内提出，由客服主管审批。\n\n## 年假\n\n每位员工每年有 12 天年假。\n\n## 报销\n\n差旅报销须在 30 天内提交，住宿每晚上限 450 元。\n"),
		"more.md":     file("# House rules\n\n## Passwords\n\nA password must have at least 14 characters.\n\n## Resignation\n\nThe notice period is two months.\n\n## 离职\n\n员工离职须提前 30 天书面提出。\n"),
		"handbook.md": file("# Tidewater Staff Handbook\n\n## Time off\n\n### Annual leave\n\nEach employee has 27 days of annual leave.\n\n## Refunds\n\nRefunds are paid within 10 working days.\n"),
	}, Options{})
	tool := Documents(open(t, Rules(), Options{}), own)
	for _, want := range []string{"员工手册", "Tidewater Staff Handbook", "退货", "年假", "Annual leave", "Refunds"} {
		if heading := !strings.Contains(want, "手册") && !strings.Contains(want, "Handbook"); slices.Contains(tool.Card.Tags, want) == heading || !strings.Contains(tool.Card.Description, want) {
			t.Errorf("the card lacks %q: %v", want, tool.Card.Tags)
		}
	}
	var schema struct {
		Properties struct {
			Query struct {
				Holds string `json:"x-holds"`
			}
		}
	}
	if err := json.Unmarshal(tool.Card.Parameters, &schema); err != nil {
		t.Fatal(err)
	}
	for _, word := range []string{"主管", "住宿", "employee", "tidewater", "酒店", "辞职", "vacation"} { // of the texts themselves
		if !strings.Contains(schema.Properties.Query.Holds, word) {
			t.Errorf("%q is not told: %s", word, schema.Properties.Query.Holds)
		}
	}
	for query, want := range map[string]string{
		"我们的手册里怎么说退货": "15 天内提出", "我们的文档里怎么说报销": "450 元", "年假有几天": "12 天年假", "住宿报销上限是多少": "450 元", "公司的资料里有没有提到年假": "12 天年假", "员工手册对退货的规定": "15 天内",
		"what does our handbook say about refunds?": "10 working days", "how many days of annual leave do we get?": "27 days", "do our documents mention annual leave?": "27 days",
		"How long must a password be?": "14 characters", "how often do we get a passcode?": "14 characters", "怎么辞职": "提前 30 天", "how do I resign": "two months", "how do I quit": "two months",
		"how many holidays do we get": "27 days", "酒店能报多少": "450 元",
		"偏远地区发出了又不要了，运费谁承担": "“谁过错，谁承担”", // of the rules
		"火星上几点开门":           "", "where is the moon base": "",
	} {
		arguments, err := json.Marshal(Question{Query: query})
		if err != nil {
			t.Fatal(err)
		}
		out, err := tool.Run(t.Context(), &tools.Call{Request: bus.Request{Parameter: arguments}})
		if err != nil {
			t.Fatal(err)
		}
		f := out.(Findings)
		if f.Found != (want != "") || !strings.Contains(f.Answer, want) {
			t.Errorf("%s: %+v", query, f)
		}
	}
	many := fstest.MapFS{}
	for i := range 100 {
		many[fmt.Sprint(i, ".md")] = file(fmt.Sprintf("# Title %d\n\n## Heading %d\n\ntext\n\n## %s\n\ntext\n", i, i, strings.Repeat("long ", 40)))
	}
	if card := Documents(open(t, Rules(), Options{}), open(t, many, Options{})).Card; len(card.Tags) > 8+maxTitles || len(card.Description) > 6000 {
		t.Errorf("%d tags, %d bytes", len(card.Tags), len(card.Description))
	}
	var long strings.Builder
	for i := range 8_000 {
		fmt.Fprintf(&long, "%c%c w%xq ", 0x4e00+i%20_000, 0x4e00+i/3, i)
	}
	if card := Documents(open(t, Rules(), Options{}), open(t, fstest.MapFS{"a.md": file("# A\n\n" + long.String())}, Options{})).Card; len(card.Parameters) < maxHeld/2 || len(card.Parameters) > maxHeld+2000 {
		t.Errorf("the card of a long text has %d bytes of parameters", len(card.Parameters))
	}
}

// A folder of more text than an index may hold is refused; of somebody's documents what fits is searched, and what does not is told.
func TestTooMuchText(t *testing.T) {
	t.Parallel()
	folder := fstest.MapFS{}
	for _, name := range []string{"a", "b", "c", "d"} {
		folder[name+".md"] = &fstest.MapFile{Data: []byte("# " + name + "\n\n" + strings.Repeat("退货须在签收后提出。\n\n", 20))}
	}
	if b, err := Open(folder, Options{Most: 1500}); err == nil || !strings.Contains(err.Error(), "more than 1500 bytes") {
		t.Errorf("%v %v", b, err)
	}
	own := open(t, folder, Options{Most: 1500, Documents: map[string]func([]byte) (string, string, error){}})
	if own.Left() != 2 && own.Left() != 3 {
		t.Errorf("%d files are left out", own.Left())
	}
	out, err := Documents(open(t, Rules(), Options{}), own).Run(t.Context(), &tools.Call{Request: bus.Request{Parameter: json.RawMessage(`{"query":"火星上几点开门"}`)}})
	if err != nil || !strings.Contains(fmt.Sprint(out), "个文件没有收进来") {
		t.Errorf("%v %v", out, err)
	}
}
