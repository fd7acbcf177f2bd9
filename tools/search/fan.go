package search

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/hmap-project/hmap/bus/mailbox"
)

// rest is how long an engine that failed is asked last: a search has many queries, and each would wait for it anew.
const rest = time.Minute

// tired knows the engines that failed a moment ago. Safe from many goroutines.
type tired struct {
	mu    sync.Mutex
	until map[string]time.Time
}

// failed notes a failure, and reports whether it is the first for a while.
func (t *tired) failed(engine string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := time.Now()
	first := !now.Before(t.until[engine])
	t.until[engine] = now.Add(rest)
	return first
}

// order puts the engines that failed a moment ago behind the others, each part in its order.
func (t *tired) order(all []Engine) []Engine {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := time.Now()
	out := slices.Clone(all)
	slices.SortStableFunc(out, func(a, b Engine) int {
		late := func(e Engine) int {
			if now.Before(t.until[e.Name()]) {
				return 1
			}
			return 0
		}
		return cmp.Compare(late(a), late(b))
	})
	return out
}

// answered is what one engine said to one query.
type answered struct {
	engine string
	hits   []Hit
	err    error
}

// ask puts a query to the engines: the first AtOnce side by side, and for each that fails or finds nothing the next one. It returns what they found, in the
// order of the engines, and what went wrong.
func (s *Searcher) ask(ctx context.Context, q Query, language string) (found [][]Hit, failures []error) {
	engines := s.tired.order(s.o.Engines)
	back := make(chan answered, len(engines)) // room for all, so that none waits when ctx has ended
	next, open := 0, 0
	start := func() {
		if next >= len(engines) || ctx.Err() != nil {
			return
		}
		e := engines[next]
		next++
		open++
		go func() { back <- s.one(ctx, e, q, language) }()
	}
	for range s.o.AtOnce {
		start()
	}
	by := map[string][]Hit{}
	for open > 0 {
		a := <-back // each ends by its time-out
		open--
		if a.err != nil {
			if ctx.Err() == nil && s.tired.failed(a.engine) {
				s.o.Log.Warn("search: an engine failed", "engine", a.engine, "error", a.err)
			}
			failures = append(failures, a.err)
		}
		if by[a.engine] = a.hits; len(a.hits) == 0 {
			start()
		}
	}
	for _, e := range s.o.Engines {
		if hits := by[e.Name()]; len(hits) > 0 {
			found = append(found, hits)
		}
	}
	return found, failures
}

// one asks one engine, within its time.
func (s *Searcher) one(ctx context.Context, e Engine, q Query, language string) answered {
	ctx, cancel := context.WithTimeout(ctx, s.o.Timeout)
	defer cancel()
	a := answered{engine: e.Name()}
	if p := mailbox.Catch(func() { a.hits, a.err = e.Search(ctx, q, language) }); p != nil {
		s.o.Log.Error("search: panic", "engine", a.engine, "panic", p.Value, "stack", string(p.Stack))
		a.hits, a.err = nil, fmt.Errorf("%s: panic: %v", a.engine, p.Value)
	}
	return a
}

// side runs work for 0 to n-1, at most limit at a time, and waits for all. Work that panics costs itself.
func (s *Searcher) side(n, limit int, work func(i int)) {
	var all sync.WaitGroup
	slots := make(chan struct{}, limit)
	for i := range n {
		slots <- struct{}{}
		all.Go(func() {
			defer func() { <-slots }()
			if p := mailbox.Catch(func() { work(i) }); p != nil {
				s.o.Log.Error("search: panic", "panic", p.Value, "stack", string(p.Stack))
			}
		})
	}
	all.Wait()
}

// fused are the hits of several lists in one, each page once: a page counts one over sixty and its place in each list (reciprocal rank fusion, whose sixty
// is that of Cormack and others, 2009).
func fused(lists [][]Hit) []Hit {
	const k = 60
	score := map[string]float64{}
	first := map[string]Hit{}
	var keys []string
	for _, l := range lists {
		for i, h := range l {
			key := pageKey(h.URL)
			if _, ok := first[key]; !ok {
				first[key] = h
				keys = append(keys, key)
			}
			score[key] += 1 / float64(k+i+1)
		}
	}
	slices.SortStableFunc(keys, func(a, b string) int { return cmp.Compare(score[b], score[a]) })
	out := make([]Hit, len(keys))
	for i, key := range keys {
		out[i] = first[key]
	}
	return out
}

// pageKey is the same for addresses of the same page: without fragment, tracking parameters, www, default port, index page and end slash, and for http and https.
func pageKey(address string) string {
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil {
		return address
	}
	host := strings.TrimSuffix(strings.TrimSuffix(strings.ToLower(u.Host), ":443"), ":80")
	host = strings.TrimPrefix(strings.TrimPrefix(host, "www."), "m.")
	kept := u.Query()
	for key := range kept {
		switch k := strings.ToLower(key); {
		case strings.HasPrefix(k, "utm_"), k == "fbclid", k == "gclid", k == "spm", k == "from", k == "ref", k == "share", k == "msclkid":
			kept.Del(key)
		}
	}
	path := strings.TrimSuffix(u.EscapedPath(), "/")
	for _, index := range []string{"/index.html", "/index.htm", "/index.php"} {
		path = strings.TrimSuffix(path, index)
	}
	if q := kept.Encode(); q != "" {
		path += "?" + q
	}
	return host + path
}
