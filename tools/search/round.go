package search

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hmap-project/hmap/tools"
	"github.com/hmap-project/hmap/tools/knowledge"
	"github.com/hmap-project/hmap/tools/web"
)

const (
	readAtOnce   = 4
	roundReading = 40 * time.Second // for the pages of one round
	// writing is kept back of a search's time for the answer.
	writing = 20 * time.Second
	// answersOf is how many sources an answer should have at least, where there is more than one place to look.
	answersOf = 2
	minText   = 20 // characters of a page, and of an engine's words, that say something
)

// hunt is one search under way. It belongs to one goroutine.
type hunt struct {
	s      *Searcher
	call   *tools.Call
	t      topic
	asked  asked
	pool   *pool
	core   set
	rounds []lap
	failed []string        // engines, pages and steps that failed, in words, each once
	read   map[string]bool // pages that were tried, by key
	model  bool            // there is one, and it has not failed
}

// lap is one round, for the record that is kept.
type lap struct {
	queries []Query
	hits    []Hit
	local   int // passages of folders
	pages   int // pages that were read
	missing []string
}

// answer is what there is to one query.
type answer struct {
	query    Query
	passages []held
}

func (s *Searcher) hunt(call *tools.Call, t topic) *hunt {
	return &hunt{s: s, call: call, t: t, pool: newPool(), core: termsOf(t.core), read: map[string]bool{}, model: s.o.Ask != nil}
}

// say tells the person who waits how far it is; step is extend, search or report.
func (h *hunt) say(step, zh, en string, args ...any) {
	word := map[string]string{"extend": h.t.say("拆解", "extend"), "search": h.t.say("搜索", "search"), "report": h.t.say("成文", "report")}[step]
	h.call.Progress(word + h.t.say("：", ": ") + fmt.Sprintf(h.t.say(zh, en), args...))
}

// miss notes what failed, for the answer to tell.
func (h *hunt) miss(what string) {
	if !slices.Contains(h.failed, what) && len(h.failed) < 20 {
		h.failed = append(h.failed, what)
	}
}

// run goes round until it is enough, nothing new can be asked, the rounds are used up or the time is. The error is the context's, or one of ours.
func (h *hunt) run(ctx context.Context, rounds int) ([]answer, error) {
	deadline := time.Now().Add(h.s.o.Time)
	if d, ok := ctx.Deadline(); ok && d.Before(deadline) {
		deadline = d
	}
	until := deadline.Add(-min(writing, time.Until(deadline)/4))
	searching, cancel := context.WithDeadline(ctx, until)
	defer cancel()
	queries := h.first(searching)
	var found []answer
	for round := 1; ; round++ {
		err := h.round(searching, queries)
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if err != nil && !errors.Is(err, context.DeadlineExceeded) {
			return nil, err
		}
		// What is here is ranked even when the time for searching is over.
		found = h.answers()
		missing := h.missing(found)
		h.rounds[len(h.rounds)-1].missing = missing
		if searching.Err() != nil {
			h.miss(h.t.say("时间用完了", "the time was over"))
			return found, nil
		}
		if round >= rounds || round >= h.s.o.Rounds {
			return found, nil
		}
		if queries = h.next(searching, found, missing, round+1); len(queries) == 0 {
			return found, nil
		}
	}
}

// round asks all queries side by side, and reads the best pages that are new.
func (h *hunt) round(ctx context.Context, queries []Query) error {
	var told []string
	for _, q := range queries {
		told = append(told, q.Text)
	}
	h.say("extend", "第 %d 轮，%d 个查询：%s", "round %d, %d queries: %s", len(h.rounds)+1, len(queries), strings.Join(told, h.t.say("；", "; ")))
	type brought struct {
		web   [][]Hit
		local []knowledge.Passage
		fails []error
	}
	got := make([]brought, len(queries))
	h.s.side(len(queries), max(len(queries), 1), func(i int) {
		b := &got[i]
		for _, folder := range h.s.o.Folders {
			found, err := folder.Search(ctx, queries[i].Text, perQuery)
			if err != nil {
				b.fails = append(b.fails, fmt.Errorf("a folder: %w", err))
			}
			b.local = append(b.local, found...)
		}
		found, fails := h.s.ask(ctx, queries[i], h.t.language)
		b.web, b.fails = append(b.web, found...), append(b.fails, fails...)
	})
	now := lap{queries: queries}
	var lists [][]Hit
	for i, b := range got {
		for _, one := range b.local {
			h.pool.local(one, queries[i].Text)
			now.local++
		}
		lists = append(lists, b.web...)
		for _, err := range b.fails {
			if ctx.Err() == nil {
				h.miss(err.Error())
			}
		}
	}
	now.hits = fused(lists)
	h.say("search", "%d 个网页，%d 段本地资料", "%d pages, %d local passages", len(now.hits), now.local)
	now.pages = h.pages(ctx, now.hits)
	h.rounds = append(h.rounds, now)
	return ctx.Err()
}

// pages reads the best pages that are new; of those that cannot be read, and of the others, the engine's words are kept.
func (h *hunt) pages(ctx context.Context, hits []Hit) (n int) {
	var wanted []Hit
	hosts := map[string]int{}
	for _, hit := range hits {
		if key := pageKey(hit.URL); h.s.o.Web != nil && !h.read[key] && hosts[host(hit.URL)] < 2 && len(wanted) < h.s.o.Pages {
			h.read[key] = true
			hosts[host(hit.URL)]++
			wanted = append(wanted, hit)
		}
	}
	if len(wanted) > 0 {
		h.say("search", "阅读 %d 个网页", "reading %d pages", len(wanted))
	}
	reading, cancel := context.WithTimeout(ctx, roundReading)
	defer cancel()
	texts, errs := make([]web.Page, len(wanted)), make([]error, len(wanted))
	for i := range errs {
		errs[i] = errors.New("its reader failed")
	}
	h.s.side(len(wanted), readAtOnce, func(i int) { texts[i], errs[i] = h.s.o.Web.Fetch(reading, wanted[i].URL, false) })
	for i, hit := range wanted {
		if errs[i] != nil || len([]rune(texts[i].Markdown)) < minText {
			if errs[i] != nil && ctx.Err() == nil {
				h.miss(host(hit.URL) + ": " + strings.TrimPrefix(errs[i].Error(), host(hit.URL)+": "))
			}
			continue
		}
		p := texts[i]
		if h.pool.has(p.URL) {
			continue
		}
		h.pool.page(Source{Title: p.Title, Link: p.URL, Published: first(p.Published, hit.Published)}, p.Markdown)
		n++
	}
	for _, hit := range hits {
		h.pool.snippet(hit)
	}
	return n
}

func first(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}

// answers looks up what there is to each side by now.
func (h *hunt) answers() []answer {
	var out []answer
	at := map[string]int{}
	for _, q := range h.asked.all {
		i, ok := at[q.Dimension]
		if !ok {
			i = len(out)
			at[q.Dimension] = i
			out = append(out, answer{query: q})
		}
		for _, p := range h.pool.find(q, h.core, h.asked.all[0].Text) { // of a query in other words: what the first one did not find
			if !slices.ContainsFunc(out[i].passages, func(o held) bool { return o.Text == p.Text }) && len(out[i].passages) < perQuery {
				out[i].passages = append(out[i].passages, p)
			}
		}
	}
	return out
}

// missing are the sides of the question that nothing answers yet.
func (h *hunt) missing(found []answer) []string {
	var out []string
	for _, a := range found {
		if len(a.passages) == 0 {
			out = append(out, a.query.Dimension)
		}
	}
	return out
}

// enough judges by rules: every side has an answer, from two sources at least where there is more than one place to look.
func (h *hunt) enough(found []answer, missing []string) bool {
	sources := map[string]bool{}
	for _, a := range found {
		for _, p := range a.passages {
			sources[p.source] = true
		}
	}
	return len(missing) == 0 && (len(sources) >= answersOf || len(h.s.o.Engines) == 0 && len(sources) > 0)
}
