package knowledge

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"go.uber.org/goleak"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/tools"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.IgnoreCurrent()) // bleve starts its analysers at import
}

func open(t testing.TB, dir fs.FS, o Options) *Base {
	t.Helper()
	b, err := Open(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	return b
}

func ask(t testing.TB, b *Base, query string) []Passage {
	t.Helper()
	found, err := b.Search(t.Context(), query, 4)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestSearch(t *testing.T) {
	b := open(t, Rules(), Options{})
	for query, section := range map[string]string{
		"偏远地区发出了又不要了，运费谁承担": "发出后买家又不要了，运费由谁承担",
		"快递费由谁出":               "发出后买家又不要了，运费由谁承担",
		"无理由拒收运费":              "发出后买家又不要了，运费由谁承担",
		"客户拒签了邮费谁出":            "发出后买家又不要了，运费由谁承担",
		"什么类目的标题可以不带品牌的名字":     "各类目的标题都要带品牌的名字",
		"新疆的订单可以加收运费吗":         "偏远地区加收运费要事先写明",
		"买家收到货以后七天内想退货怎么处理":    "七天无理由退货",
		"晚发货会被罚多少钱":            "晚发货（延迟发货）罚多少",
		"发票抬头写错了怎么办":           "发票抬头或者税号写错",
		"包裹丢了谁赔":               "包裹丢失",
		"开店要什么资质":              "开店都要交的基本资质",
		"保证金什么时候退":             "退店与退还保证金",
		"退款几天到账":               "退款多久到账",
		"店铺有哪几种类型":             "店铺类型有六种",
		"请问店铺主体可以是什么":          "店铺主体有三种",
		"好评返现可以吗":              "好评返现",
		"大促期间能涨价吗":             "活动期间改价和撤销",
		"买家说没收到但显示签收":          "显示签收但没有收到",
		"怎么报名秒杀活动":             "报名活动的条件",
		"ｗｈａｔ about 七天无理由退货?!": "七天无理由退货",
	} {
		t.Run(query, func(t *testing.T) {
			found := ask(t, b, query)
			if len(found) == 0 || found[0].Section != section {
				t.Fatalf("got %+v, want %q first", found, section)
			}
			for i, p := range found {
				if p.Score <= 0 || p.Score > 1 || i > 0 && p.Score > found[i-1].Score {
					t.Errorf("score %v of passage %d, after %v", p.Score, i, found[max(0, i-1)].Score)
				}
			}
		})
	}
}

// Questions in English find the passages by what stands there in English.
func TestSearchInEnglish(t *testing.T) {
	b := open(t, Rules(), Options{})
	for query, section := range map[string]string{
		"Who pays the freight when a parcel to a remote area is no longer wanted?": "发出后买家又不要了，运费由谁承担",
		"What is the return policy?":                            "七天无理由退货",
		"Do titles need the brand?":                             "各类目的标题都要带品牌的名字",
		"Does the title need a brand name in a JD small shop?":  "京东小店的标题要不要带品牌名字",
		"What is the penalty for late shipments?":               "晚发货（延迟发货）罚多少",
		"How long does a refund take to arrive?":                "退款多久到账",
		"The parcel was lost":                                   "包裹丢失",
		"Which papers are needed to open a shop?":               "开店都要交的基本资质",
		"who pays for shipping if the buyer changes their mind": "发出后买家又不要了，运费由谁承担",
		"Can I charge extra freight for remote areas?":          "偏远地区加收运费要事先写明",
		"price protection":                                      "价格保护",
		"may I pay cash for good reviews":                       "好评返现",
		"When do I get my deposit back after closing the shop?": "退店与退还保证金",
	} {
		found := ask(t, b, query)
		if len(found) == 0 || found[0].Section != section || found[0].TextEn == "" {
			t.Errorf("%s: got %+v, want %q first", query, found, section)
		}
	}
	for _, query := range []string{"how do I cook rice", "what is the weather today", "best football player", "write me a poem about spring", "may I keep a cat"} {
		if found := ask(t, b, query); len(found) > 0 {
			t.Errorf("%s found %s with score %.2f", query, found[0].Section, found[0].Score)
		}
	}
}

// A fact told in a later turn decides between two passages about the same thing, wherever it stands in the query.
func TestLaterFact(t *testing.T) {
	b := open(t, Rules(), Options{})
	for _, query := range []string{
		"什么类目的标题可以不带品牌的名字 我这个是京东小店的",
		"我这个是京东小店的，什么类目的标题可以不带品牌的名字",
		"什么类目的标题可以不带品牌的名字 京东小店",
	} {
		found := ask(t, b, query)
		if len(found) < 2 || found[0].Section != "京东小店的标题要不要带品牌名字" || found[1].Section != "各类目的标题都要带品牌的名字" {
			t.Errorf("%s: got %+v", query, found)
		}
	}
}

func TestNothingFound(t *testing.T) {
	b := open(t, Rules(), Options{})
	for _, query := range []string{
		"今天天气怎么样", "商家可以养猫吗", "量子力学的运费", "怎么做红烧肉", "帮我写一首关于春天的诗", "世界杯谁是冠军", "who won the world cup",
		"订单系统用什么数据库", "股票基金怎么买", "我的电脑坏了怎么修", "平台服务器在哪里", "苹果手机多少钱", "喜欢的人不要我了",
		"谁", "什么可以的吗", "how is it", "", "   ", "？！。", "\x00\xff", "*:*", "+text:运 -", `"`, strings.Repeat("?", 5000),
	} {
		if found := ask(t, b, query); len(found) > 0 {
			t.Errorf("%.40q found %s / %s with score %.2f", query, found[0].Title, found[0].Section, found[0].Score)
		}
	}
}

// What no rule speaks of is left out where the rest of the question is answered whole, and said; nothing is found for what has no rest, or no passage of it.
func TestInGeneral(t *testing.T) {
	b := open(t, Rules(), Options{})
	for query, want := range map[string]string{
		"耳机可以退货吗": "耳机", "what is the return policy for headphones": "headphones", "headphones return policy": "headphones", "量子力学": "", "who won the world cup": "", "谁": "", "七天无理由退货": "",
	} {
		found, lacks, err := b.InGeneral(t.Context(), query, "", 3)
		if err != nil || want == "" != (len(found) == 0) || want != "" && (lacks != want || !strings.Contains(found[0].Text, "七天内可以申请无理由退货")) {
			t.Errorf("%s: %q, %d found, %v: %+v", query, lacks, len(found), err, found)
		}
	}
}

func TestEqualPassagesKeepTheOrderOfFiles(t *testing.T) {
	dir := fstest.MapFS{}
	for i := range 30 {
		dir[fmt.Sprintf("%02d.md", i)] = &fstest.MapFile{Data: []byte("# same\n\n发票抬头")}
	}
	b := open(t, dir, Options{})
	for range 20 {
		found := ask(t, b, "发票抬头")
		if len(found) != 4 || found[0].File != "00.md" || found[3].File != "03.md" {
			t.Fatalf("got %+v", found)
		}
	}
}

func TestDomainPrefersButNeitherHidesNorInvents(t *testing.T) {
	b := open(t, fstest.MapFS{
		"a.md": {Data: []byte("# 仓库\n\n超时要赔付")},
		"b.md": {Data: []byte("# 物流\n\n超时要赔付")},
	}, Options{})
	first := func(domain string) string {
		found, err := b.SearchIn(t.Context(), "超时赔付", domain, 4)
		if err != nil || len(found) == 0 {
			t.Fatal(found, err)
		}
		return found[0].File
	}
	if first("") != "a.md" || first("物流") != "b.md" || first("天文") != "a.md" {
		t.Error(first(""), first("物流"), first("天文"))
	}
	if found, err := b.SearchIn(t.Context(), "红烧肉", "物流", 4); err != nil || len(found) != 0 {
		t.Error("a domain alone found", found, err)
	}
}

func TestReload(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("a.md", "# 甲\n\n发票抬头")
	b := open(t, os.DirFS(dir), Options{Log: slog.New(slog.DiscardHandler)})
	if n := len(ask(t, b, "月饼礼盒")); n != 0 {
		t.Fatal(n, "passages before there were any")
	}

	write("b.md", "# 乙\n\n月饼礼盒")
	if n := len(ask(t, b, "月饼礼盒")); n != 1 {
		t.Fatal("a new file was not seen")
	}
	write("b.md", "---\nunknown: 1\n---\n月饼礼盒")
	if n := len(ask(t, b, "月饼礼盒")); n != 1 {
		t.Fatal("a broken file took the old text away")
	}
	if err := os.Remove(filepath.Join(dir, "b.md")); err != nil {
		t.Fatal(err)
	}
	if n := len(ask(t, b, "月饼礼盒")); n != 0 {
		t.Fatal("a removed file is still found")
	}
}

func TestSearchWhileReloadingAndClosing(t *testing.T) {
	dir := t.TempDir()
	b := open(t, os.DirFS("."), Options{Recheck: -1})
	if b.Len() == 0 {
		t.Fatal("no passages in rules/")
	}
	if err := os.WriteFile(filepath.Join(dir, "a.md"), []byte("发票抬头"), 0o600); err != nil {
		t.Fatal(err)
	}
	live := open(t, os.DirFS(dir), Options{Recheck: time.Nanosecond, Log: slog.New(slog.DiscardHandler)})
	var group sync.WaitGroup
	for n := range 4 {
		group.Go(func() {
			for i := range 50 {
				if n == 0 {
					text := "发票抬头 " + strings.Repeat("x", i)
					if err := os.WriteFile(filepath.Join(dir, "b.md"), []byte(text), 0o600); err != nil {
						t.Error(err)
					}
				}
				if _, err := live.Search(context.Background(), "发票抬头", 3); err != nil && !errors.Is(err, ErrClosed) {
					t.Error(err)
				}
				if n == 1 && i == 40 {
					if err := live.Close(); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	group.Wait()
	if _, err := live.Search(t.Context(), "发票", 1); !errors.Is(err, ErrClosed) {
		t.Errorf("search after Close: %v", err)
	}
}

func TestOpenRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		dir  fs.FS
		want string
	}{
		"no such folder":    {os.DirFS(filepath.Join(t.TempDir(), "none")), "knowledge folder"},
		"nothing in it":     {fstest.MapFS{"a.txt": {Data: []byte("x")}, ".hidden.md": {Data: []byte("x")}}, "no Markdown file"},
		"only blank":        {fstest.MapFS{"a.md": {Data: []byte(" \n# \n")}}, "no Markdown file"},
		"open front matter": {fstest.MapFS{"a.md": {Data: []byte("---\ntitle: x\n")}}, "a.md: front matter is not closed"},
		"nested front":      {fstest.MapFS{"a.md": {Data: []byte("---\nwords: " + strings.Repeat("[", 2_000) + "\n---\nx")}}, "a.md: front matter: nested too deep"},
		"long front":        {fstest.MapFS{"a.md": {Data: []byte("---\nwords: [" + strings.Repeat("a, ", 20_000) + "]\n---\nx")}}, "a.md: front matter: larger than 16 KiB"},
		"misspelt key":      {fstest.MapFS{"a.md": {Data: []byte("---\nlnik: x\n---\n")}}, "lnik"},
		"link of no web":    {fstest.MapFS{"a.md": {Data: []byte("---\nlink: javascript:x\n---\n")}}, "not an http"},
		"huge file":         {fstest.MapFS{"a.md": {Data: make([]byte, maxFile+1)}}, "larger than 4 MiB"},
	} {
		t.Run(name, func(t *testing.T) {
			b, err := Open(c.dir, Options{})
			if err == nil {
				t.Fatal(b.Len(), "passages, want an error", b.Close())
			}
			if !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %q, want it to say %q", err, c.want)
			}
		})
	}
}

// Somebody's own documents begin as they like: with front matter of another program, or with a rule that is none.
func TestFrontMatterOfOthers(t *testing.T) {
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	b := open(t, fstest.MapFS{
		"rule.md":  file("---\n\n# 手册\n\n退货须在十五天内提出。\n"),
		"other.md": file("---\nlayout: post\n---\n\n# 说明\n\n年假有十二天。\n"),
		"deep.md":  file("---\nwords: " + strings.Repeat("[", 300_000) + "\n---\n\n# 住宿\n\n住宿上限四百元。\n"),
	}, Options{Documents: map[string]func([]byte) (string, string, error){}})
	for query, want := range map[string]string{"退货": "十五天", "年假": "十二天", "住宿": "四百元"} {
		found, err := b.Search(t.Context(), query, 1)
		if err != nil || len(found) != 1 || !strings.Contains(found[0].Text, want) || strings.Contains(found[0].Text, "layout") {
			t.Errorf("%s: %+v %v", query, found, err)
		}
	}
}

func TestCancelledSearch(t *testing.T) {
	b := open(t, Rules(), Options{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := b.Search(ctx, "运费谁承担", 3); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// The only rule whose public text the articles link to carries that link; every other says that it is a sample.
func TestShippedRulesSayWhatTheyAre(t *testing.T) {
	b := open(t, Rules(), Options{})
	for _, p := range b.shelf.passages {
		linked := p.Link == "https://rule.jd.com/rule/ruleDetail.action?ruleId=3727&type=0&btype=1"
		sample := strings.HasPrefix(p.Note, "示例规则")
		quoted := strings.HasPrefix(p.Note, "依据公开案例")
		if p.TextEn == "" || p.TitleEn == "" || p.NoteEn == "" || sample != strings.HasPrefix(p.NoteEn, "A sample rule") {
			t.Errorf("%s / %s: English %q, note %q", p.File, p.Section, p.TextEn, p.NoteEn)
		}
		if p.Note == "" || !linked && !sample && !quoted || p.Link != "" && !linked {
			t.Errorf("%s / %s: link %q, note %q", p.File, p.Section, p.Link, p.Note)
		}
	}
}

func TestTool(t *testing.T) {
	tool := Tool(open(t, Rules(), Options{}))
	run := func(arguments string) (found Findings) {
		t.Helper()
		call := &tools.Call{Request: bus.Request{Parameter: json.RawMessage(arguments)}}
		got, err := tool.Run(t.Context(), call)
		if err != nil {
			t.Fatal(err)
		}
		found, ok := got.(Findings)
		if !ok {
			t.Fatalf("%T", got)
		}
		return found
	}

	freight := run(`{"query":"偏远地区发出了又不要了，运费谁承担","domain":"售后"}`)
	for _, fact := range []string{"谁过错，谁承担", "协商一致的除外", "没有正当理由", "由消费者承担", "有正当理由", "由商家承担"} {
		if !strings.Contains(freight.Answer, fact) {
			t.Errorf("the answer does not say %q: %s", fact, freight.Answer)
		}
	}
	if !freight.Found || !strings.Contains(freight.Link, "ruleId=3727") || freight.Passages[0].Text != freight.Answer {
		t.Errorf("%+v", freight)
	}

	english := run(`{"query":"Who pays the freight when a parcel to a remote area is no longer wanted?"}`)
	if english.Link != freight.Link || english.Answer != freight.Answer || !strings.Contains(english.AnswerEn, "whoever is at fault pays") || !strings.Contains(english.NoteEn, "summary") {
		t.Errorf("%+v", english)
	}
	if none := run(`{"query":"how do I cook rice"}`); none.Found || none.Answer != none.AnswerEn || !strings.Contains(none.Answer, "how do I cook rice") {
		t.Errorf("%+v", none)
	}

	none := run(`{"query":"怎么做红烧肉"}`)
	if none.Found || none.Passages == nil || !strings.Contains(none.Answer, "没有找到") {
		t.Errorf("%+v", none)
	}
}

func BenchmarkSearch(b *testing.B) {
	base := open(b, Rules(), Options{Recheck: -1})
	for b.Loop() {
		ask(b, base, "偏远地区发出了又不要了，运费谁承担")
	}
}
