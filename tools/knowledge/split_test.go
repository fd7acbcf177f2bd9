package knowledge

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestSplit(t *testing.T) {
	const fenced = "```\n# not a heading\n来源: https://no.example\n```"
	for name, c := range map[string]struct {
		text string
		want []Passage
	}{
		"plain":         {"just text", []Passage{{Title: "f", Text: "just text"}}},
		"title heading": {"# T\n\nx", []Passage{{Title: "T", Text: "x"}}},
		"sections nest": {"# T\nx\n## A\na\n### B\nb\n## C ##\nc", []Passage{
			{Title: "T", Text: "x"}, {Title: "T", Section: "A", Text: "a"}, {Title: "T", Section: "A / B", Text: "b"}, {Title: "T", Section: "C", Text: "c"}}},
		"empty sections go": {"# T\n## A\n\n## B\nb", []Passage{{Title: "T", Section: "B", Text: "b"}}},
		"front matter": {"---\ntitle: T\nlink: https://x.example/a?b=1&c=2\nwords: [w]\nnote: n\n---\nx", []Passage{
			{Title: "T", Link: "https://x.example/a?b=1&c=2", Note: "n", Text: "x"}}},
		"a passage's own link and note": {"---\ntitle: T\nlink: https://x.example\nnote: n\n---\n## A\n来源：<https://y.example/z>\n备注: m\na\n## B\nb", []Passage{
			{Title: "T", Section: "A", Link: "https://y.example/z", Note: "m", Text: "a"},
			{Title: "T", Section: "B", Link: "https://x.example", Note: "n", Text: "b"}}},
		"English": {"---\ntitle: T\ntitle_en: E\nnote: n\nnote_en: ne\n---\n## A\nen: one\nen：two\na\n## B\nnote: m\nb\n## C\nnote: m\nnote_en: me\nen: only", []Passage{
			{Title: "T", TitleEn: "E", Section: "A", Note: "n", NoteEn: "ne", Text: "a", TextEn: "one\ntwo"},
			{Title: "T", TitleEn: "E", Section: "B", Note: "m", Text: "b"},
			{Title: "T", TitleEn: "E", Section: "C", Note: "m", NoteEn: "me", Text: "only", TextEn: "only"}}},
		"a link that is none is text": {"link: ftp://x", []Passage{{Title: "f", Text: "link: ftp://x"}}},
		"code is text":                {"## A\n" + fenced, []Passage{{Title: "f", Section: "A", Text: fenced}}},
		"open fence":                  {"````\n```\n# x", []Passage{{Title: "f", Text: "````\n```\n# x"}}},
		"mark, CRLF, broken UTF-8":    {"\ufeff# T\r\nx\xff\r\n", []Passage{{Title: "T", Text: "x\uFFFD"}}},
		"rule, not front matter":      {"x\n---\ny", []Passage{{Title: "f", Text: "x\n---\ny"}}},
		"empty":                       {"", nil},
		"empty front matter":          {"---\n---\nx", []Passage{{Title: "f", Text: "x"}}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := Split("dir/f.md", c.text)
			if err != nil {
				t.Fatal(err)
			}
			for i := range c.want {
				c.want[i].File = "dir/f.md"
			}
			if diff := cmp.Diff(c.want, got, cmpopts.IgnoreUnexported(Passage{})); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestLongSectionsAreCutBetweenParagraphs(t *testing.T) {
	paragraph := strings.Repeat("规则", 200) // 1200 bytes
	got, err := Split("f.md", paragraph+"\n\n"+paragraph+"\n\n"+strings.Repeat("长", 2000))
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 5 || got[0].Text != paragraph || got[1].Text != paragraph {
		t.Errorf("%d pieces", len(got))
	}
}

func TestContent(t *testing.T) {
	for query, want := range map[string]string{
		"什么类目的标题可以不带品牌的名字":            "类目 标题 不带品牌 名字",
		"我这个是京东小店的":                   "京东小店",
		"为什么？":                        "",
		"How long does a Refund take": "long refund take",
		"iPhone15 的退款":                "iphone15 退款",
	} {
		if got := content(query); got != want {
			t.Errorf("%s: %q, want %q", query, got, want)
		}
	}
}

func FuzzSplit(f *testing.F) {
	f.Add("---\ntitle: T\nwords: [a]\n---\n# A\n来源: https://x\ntext\n```\n# b\n```\n")
	f.Add("---\n---")
	f.Add("~~~\n#\n~~~~ \n" + strings.Repeat("规", 1500))
	f.Fuzz(func(t *testing.T, text string) {
		passages, err := Split("f.md", text)
		if err != nil {
			return
		}
		for _, p := range passages {
			if p.Text == "" || p.Title == "" || len(p.Text) > MaxPassage || !utf8.ValidString(p.Text) || p.Link != "" && !address.MatchString(p.Link) {
				t.Fatalf("%+v", p)
			}
		}
	})
}

func FuzzSearch(f *testing.F) {
	b := open(f, Rules(), Options{Recheck: -1})
	f.Add("偏远地区发出了又不要了，运费谁承担")
	f.Add("a\x00运\xff*?:\"")
	f.Fuzz(func(t *testing.T, query string) {
		for _, p := range ask(t, b, query) {
			if !(p.Score > 0 && p.Score <= 1) {
				t.Fatalf("%q: score %v", query, p.Score)
			}
		}
	})
}
