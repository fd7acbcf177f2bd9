package search

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/tools/knowledge"
	"github.com/hmap-project/hmap/tools/web"
)

// With neither key nor model: an answer from the rules, every sentence of which stands in its source.
func TestQuotesLocalFolders(t *testing.T) {
	folder := rules(t)
	w := newWorld(t, Options{Folders: []*knowledge.Base{folder}})
	for query, want := range map[string]string{
		"调研一下运费纠纷怎么处理，并给出处":                                                                              "按“谁过错，谁承担”的原则处理",
		"从期限、赔付两个方面调研延迟发货":                                                                               "付款后四十八小时内发货",
		"research the late shipment rules":                                                               "5 % of what was paid goes to the buyer",
		"look up how long a return policy lasts, with sources":                                           "within seven days",
		"research the late shipment rules of the shop and what is paid to the buyer for a late shipment": "5 % of what was paid goes to the buyer",
	} {
		out, answer := w.search(query)
		if !out.Found || !strings.Contains(out.Answer, want) {
			t.Errorf("%s: %s", query, out.Answer)
			continue
		}
		said, list, ok := strings.Cut(out.Answer, "\n\n来源\n\n")
		if !ok {
			said, list, ok = strings.Cut(out.Answer, "\n\nSources\n\n")
		}
		if !ok || len(out.Sources) == 0 || strings.Count(list, "\n")+1 != len(out.Sources) {
			t.Errorf("%s: %d sources: %s", query, len(out.Sources), out.Answer)
		}
		quoted := 0
		for line := range strings.Lines(said) {
			words, ok := strings.CutPrefix(strings.TrimSpace(line), "- ")
			if !ok {
				continue
			}
			quoted++
			words, number, _ := strings.Cut(words, " [")
			source, ok := out.Sources[strings.TrimSuffix(number, "]")]
			if !ok {
				t.Fatalf("%s: %q cites nothing of %v", query, line, out.Sources)
			}
			text, err := os.ReadFile(filepath.Join("..", "knowledge", "rules", source.File))
			if err != nil || !strings.Contains(string(text), words) {
				t.Errorf("%s: %q is not in %s (%v)", query, words, source.File, err)
			}
		}
		if quoted == 0 {
			t.Errorf("%s: nothing is quoted: %s", query, out.Answer)
		}
		if len(answer.Files) != 2 || !strings.HasSuffix(answer.Files[0].Name, ".md") || answer.Files[1].Description == "" || answer.Files[0].Name == answer.Files[1].Name {
			t.Errorf("%s: files: %+v", query, answer.Files)
		}
	}
}

func TestNothingIsFound(t *testing.T) {
	w := newWorld(t, Options{Folders: []*knowledge.Base{rules(t)}})
	for _, query := range []string{"量子计算的现状", "世界杯冠军的影响", "research the history of jazz"} {
		if out, _ := w.search(query); out.Found || len(out.Sources) != 0 || out.Rounds < 2 {
			t.Errorf("%s: %+v", query, out)
		}
	}
	for _, query := range []string{"", "？？？", "调研一下", strings.Repeat("长", 3000)} {
		if a := w.ask(t.Context(), Question{Query: query}); a.Status != bus.Failed || a.Error.Code != bus.CodeInvalidParameter {
			t.Errorf("%.20q: %s %v", query, a.Status, a.Error)
		}
	}
	nowhere := newWorld(t, Options{})
	if a := nowhere.ask(t.Context(), Question{Query: "量子计算"}); a.Error == nil || a.Error.Code != bus.CodeUnsupported || !strings.Contains(a.Error.Message, "search.folders") {
		t.Errorf("%+v", a.Error)
	}
}

// A folder of documents of any sort, with a broken one in it, which is read anew when a file changes.
func TestFolder(t *testing.T) {
	dir := t.TempDir()
	put := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put("market.html", "<html><title>空气炸锅年报</title><body><nav>首页</nav><main><h1>市场</h1><p>2026 年空气炸锅零售额为 86 亿元，同比增长 4.2%。</p></main></body></html>")
	put("note.txt", "空气炸锅的主要品牌是甲、乙和丙，三家的市场份额合计六成。\n")
	put("own.md", "---\nlayout: post\nanything: [1, 2]\n---\n# 用户\n空气炸锅的消费者多是年轻家庭。\n")
	put("broken.pdf", "%PDF-1.4 and nothing of it")
	put("picture.png", "\x89PNG")
	folder, err := Folder(dir, quiet)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = folder.Close() })
	w := newWorld(t, Options{Folders: []*knowledge.Base{folder}})
	out, _ := w.search("调研空气炸锅市场")
	for _, want := range []string{"86 亿元", "市场份额合计六成", "年轻家庭", "market.html", "note.txt", "own.md"} {
		if !strings.Contains(out.Answer, want) {
			t.Errorf("%s is missing: %s", want, out.Answer)
		}
	}
	if strings.Contains(out.Answer, "首页") || strings.Contains(out.Answer, "layout") {
		t.Error(out.Answer)
	}
	if _, err := Folder(filepath.Join(dir, "none"), quiet); err == nil {
		t.Error("a folder that is not there is no error")
	}
}

// site serves pages by their path, and a search engine of SearXNG's dialect that finds all of them.
type site struct {
	*httptest.Server
	asked atomic.Int32
	mu    sync.Mutex
	pages map[string]http.HandlerFunc
	order []string
}

func newSite(t *testing.T) *site {
	t.Helper()
	s := &site{pages: map[string]http.HandlerFunc{}}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/search" {
			s.asked.Add(1)
			var results []map[string]any
			for _, path := range s.order {
				results = append(results, map[string]any{"title": "页面 " + path, "url": s.URL + path, "content": "空气炸锅 <b>摘要</b> 关于市场规模的若干说明文字 " + path, "publishedDate": "2026-05-01T00:00:00"})
			}
			_ = json.NewEncoder(w).Encode(map[string]any{"results": results})
			return
		}
		s.mu.Lock()
		page := s.pages[r.URL.Path]
		s.mu.Unlock()
		if page == nil {
			http.NotFound(w, r)
			return
		}
		page(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *site) page(path, body string) {
	s.handle(path, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(w, body)
	})
}

func (s *site) handle(path string, h http.HandlerFunc) {
	s.pages[path] = h
	s.order = append(s.order, path)
}

func (s *site) engine(t *testing.T) Engine {
	t.Helper()
	e, err := NewEngine("searxng", s.URL, "")
	if err != nil {
		t.Fatal(err)
	}
	return e
}

const article = "<html><title>%s</title><body><article><p>%s</p><p>本文另有一些与主题无关的说明，用来使正文足够长，读者可以略过。</p></article></body></html>"

// The pages are read, said twice counts once, one that cannot be read is cited by the engine's words.
func TestReadsTheWeb(t *testing.T) {
	s := newSite(t)
	same := "2026 年国内空气炸锅市场规模达到 86 亿元，比上年增长百分之四点二，线上占八成。"
	s.page("/a", fmt.Sprintf(article, "年报", same))
	s.page("/copy", fmt.Sprintf(article, "转载", same))
	s.page("/b", fmt.Sprintf(article, "品牌", "空气炸锅市场的竞争格局：甲品牌占三成，乙品牌占两成。"))
	s.handle("/gone", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) })
	w := newWorld(t, Options{Engines: []Engine{s.engine(t)}, Web: fetcher(t, web.Options{})})
	out, _ := w.search("调研空气炸锅市场")
	if strings.Count(out.Answer, "86 亿元") != 1 || !strings.Contains(out.Answer, "甲品牌占三成") {
		t.Error(out.Answer)
	}
	var links []string
	for _, source := range out.Sources {
		links = append(links, strings.TrimPrefix(source.Link, s.URL))
		if source.Snippet != strings.HasSuffix(source.Link, "/gone") {
			t.Errorf("%+v", source)
		}
	}
	if !slices.Contains(links, "/a") || !slices.Contains(links, "/b") || slices.Contains(links, "/copy") {
		t.Error(links)
	}
	if !strings.Contains(out.Note, "500") {
		t.Errorf("the page that failed is not told: %q", out.Note)
	}
}

// engine is one of a test's own.
type engine struct {
	name   string
	search func(ctx context.Context, q Query) ([]Hit, error)
}

func (e engine) Name() string { return e.name }
func (e engine) Search(ctx context.Context, q Query, _ string) ([]Hit, error) {
	return e.search(ctx, q)
}

// Engines fail in every way, and the search goes on with the next one.
func TestEnginesFail(t *testing.T) {
	var backups atomic.Int32
	hit := []Hit{{Title: "T", URL: "https://example.com/x", Snippet: "空气炸锅市场规模的说明：2026 年为 86 亿元，增长很快。"}}
	backup := engine{"backup", func(context.Context, Query) ([]Hit, error) { backups.Add(1); return hit, nil }}
	never := engine{"never", func(context.Context, Query) ([]Hit, error) {
		t.Error("asked although the others had answered")
		return nil, nil
	}}
	fails := map[string]func(ctx context.Context, q Query) ([]Hit, error){
		"error": func(context.Context, Query) ([]Hit, error) { return nil, errors.New("error: down") },
		"hang":  func(ctx context.Context, _ Query) ([]Hit, error) { <-ctx.Done(); return nil, ctx.Err() },
		"panic": func(context.Context, Query) ([]Hit, error) { panic("engine") },
		"empty": func(context.Context, Query) ([]Hit, error) { return nil, nil },
	}
	for name, search := range fails {
		t.Run(name, func(t *testing.T) {
			backups.Store(0)
			w := newWorld(t, Options{Engines: []Engine{engine{name, search}, backup, never}, AtOnce: 1, Timeout: time.Second, Rounds: 1})
			out, _ := w.search("空气炸锅市场规模")
			if !out.Found || backups.Load() == 0 || (name != "empty") != strings.Contains(out.Note, name+": ") && name != "hang" {
				t.Errorf("%+v, %d times asked the backup", out, backups.Load())
			}
		})
	}
	all := []Engine{}
	for name, search := range fails {
		all = append(all, engine{name, search})
	}
	w := newWorld(t, Options{Engines: all, Timeout: time.Second, Folders: []*knowledge.Base{rules(t)}})
	if out, _ := w.search("运费纠纷怎么处理"); !out.Found || out.Note == "" {
		t.Errorf("no engine works, and the folder does: %+v", out)
	}
}

// One that failed is asked last for a while: the queries of a search do not each wait for it.
func TestAFailedEngineIsAskedLast(t *testing.T) {
	var slow atomic.Int32
	s := New(Options{AtOnce: 1, Log: quiet, Engines: []Engine{
		engine{"slow", func(context.Context, Query) ([]Hit, error) { slow.Add(1); return nil, errors.New("busy") }},
		engine{"good", func(context.Context, Query) ([]Hit, error) { return []Hit{{URL: "https://e.com/1", Title: "t"}}, nil }},
	}})
	for range 3 {
		if found, _ := s.ask(t.Context(), Query{Text: "x"}, "en"); len(found) != 1 {
			t.Fatal(found)
		}
	}
	if slow.Load() != 1 {
		t.Errorf("asked %d times", slow.Load())
	}
}

// Cancelled in the middle of an engine's and of a page's answer: it ends, and nothing is left behind (goleak).
func TestCancel(t *testing.T) {
	s := newSite(t)
	held := make(chan struct{})
	reached := make(chan struct{}, 8)
	s.handle("/slow", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, "<p>")
		w.(http.Flusher).Flush()
		reached <- struct{}{}
		select {
		case <-r.Context().Done():
		case <-held:
		}
	})
	w := newWorld(t, Options{Engines: []Engine{s.engine(t)}, Web: fetcher(t, web.Options{NoRobots: true})})
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-reached
		cancel()
	}()
	if a := w.ask(ctx, Question{Query: "空气炸锅市场"}); a.Status != bus.Cancelled {
		t.Errorf("%s %v", a.Status, a.Error)
	}
	close(held)
}

// The time of a search is over in the middle: what was found by then is answered from.
func TestTimeIsOver(t *testing.T) {
	hang := engine{"hang", func(ctx context.Context, _ Query) ([]Hit, error) { <-ctx.Done(); return nil, ctx.Err() }}
	w := newWorld(t, Options{Engines: []Engine{hang}, Folders: []*knowledge.Base{rules(t)}, Time: 400 * time.Millisecond, Timeout: time.Minute})
	out, _ := w.search("运费纠纷怎么处理")
	if !out.Found || !strings.Contains(out.Note, "时间用完了") {
		t.Errorf("%+v", out)
	}
}

// The engines are asked as they document it, and read.
func TestEngines(t *testing.T) {
	answers := map[string]string{
		"searxng": `{"results":[{"title":"A <b>x</b>","url":"https://e.com/a","content":"some &amp; words","publishedDate":"2026-01-02T03:04:05"}]}`,
		"tavily":  `{"answer":null,"results":[{"title":"A x","url":"https://e.com/a","content":"some & words","published_date":"2026-01-02"}]}`,
		"exa":     `{"results":[{"title":"A x","url":"https://e.com/a","highlights":["some & words"],"publishedDate":"2026-01-02T00:00:00Z"}]}`,
		"serper":  `{"organic":[{"title":"A x","link":"https://e.com/a","snippet":"some & words","date":"2026-01-02"}]}`,
		"brave":   `{"web":{"results":[{"title":"A x","url":"https://e.com/a","description":"some &amp; words","page_age":"2026-01-02T00:00:00"}]}}`,
	}
	for name, answer := range answers {
		t.Run(name, func(t *testing.T) {
			var got *http.Request
			var body bytes.Buffer
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				got = r
				_, _ = body.ReadFrom(r.Body)
				_, _ = io.WriteString(w, answer)
			}))
			defer server.Close()
			e, err := NewEngine(name, server.URL+"/", "secret")
			if err != nil {
				t.Fatal(err)
			}
			hits, err := e.Search(t.Context(), Query{Text: "a&b 词"}, "zh")
			want := Hit{Title: "A x", URL: "https://e.com/a", Snippet: "some & words", Published: "2026-01-02", Engine: name}
			if err != nil || len(hits) != 1 || hits[0] != want {
				t.Errorf("%+v %v", hits, err)
			}
			if asked := got.URL.Query().Get("q") + body.String(); !strings.Contains(asked, "a&b 词") && !strings.Contains(asked, `a\u0026b 词`) {
				t.Errorf("asked %s", asked)
			}
			keyed := strings.Contains(fmt.Sprint(got.Header), "secret")
			if keyed != (name != "searxng") || strings.Contains(got.URL.String(), "secret") || strings.Contains(body.String(), "secret") {
				t.Errorf("the key: %v %s", got.Header, got.URL)
			}
		})
	}
	for _, bad := range [][3]string{{"bing", "", "k"}, {"tavily", "", ""}, {"searxng", "", ""}, {"searxng", "ftp://x", ""}, {"exa", "::", "k"}} {
		if _, err := NewEngine(bad[0], bad[1], bad[2]); err == nil {
			t.Errorf("%v is taken", bad)
		}
	}
}

// Answers of engines that lie: too large, no JSON, a redirect, refusals. None is a panic or a wait, and the key goes nowhere else.
func TestHostileEngines(t *testing.T) {
	elsewhere := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { t.Errorf("followed with %v", r.Header) }))
	defer elsewhere.Close()
	for name, answer := range map[string]http.HandlerFunc{
		"huge": func(w http.ResponseWriter, _ *http.Request) {
			line := strings.Repeat("x", 1<<16)
			for range 100 {
				_, _ = io.WriteString(w, line)
			}
		},
		"no JSON":    func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "<html>") },
		"other JSON": func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, `{"organic":{"a":1}}`) },
		"redirect":   func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, elsewhere.URL, http.StatusFound) },
		"refused":    func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) },
		"busy":       func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTooManyRequests) },
	} {
		server := httptest.NewServer(answer)
		e, err := NewEngine("serper", server.URL, "secret")
		if err != nil {
			t.Fatal(err)
		}
		if hits, err := e.Search(t.Context(), Query{Text: "x"}, "en"); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v %v", name, hits, err)
		}
		server.Close()
	}
}

func TestPageKey(t *testing.T) {
	same := []string{"https://www.example.com/a/", "http://example.com/a?utm_source=x#top", "https://EXAMPLE.com:443/a/index.html", "https://example.com/a?spm=1"}
	for _, a := range same {
		if pageKey(a) != pageKey(same[0]) {
			t.Errorf("%s is %s, not %s", a, pageKey(a), pageKey(same[0]))
		}
	}
	if pageKey("https://example.com/a?id=1") == pageKey("https://example.com/a?id=2") {
		t.Error("two pages are one")
	}
}
