package web

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"
)

// What is kept of robots.txt files (RFC 9309).
const (
	maxRobots     = 500 << 10 // bytes that are read of one
	robotsKept    = time.Hour
	robotsMissed  = time.Minute // how long a site whose robots.txt failed is left alone
	robotsSites   = 512
	robotsPattern = 2000 // bytes of one rule
)

// rules are those that hold for us on one site; the longest that matches wins, and of two the one that allows.
type rules []rule

type rule struct {
	path  string // * stands for anything, $ at the end for the end
	allow bool
}

// forbids reports whether a path with its query must not be fetched.
func (r rules) forbids(path string) bool {
	if path == "/robots.txt" {
		return false
	}
	longest, allow := -1, true
	for _, one := range r {
		if matches(one.path, path) && (len(one.path) > longest || len(one.path) == longest && one.allow) {
			longest, allow = len(one.path), one.allow
		}
	}
	return !allow
}

// matches takes time linear in the path for each star.
func matches(pattern, path string) bool {
	pattern, anchored := strings.CutSuffix(pattern, "$")
	parts := strings.Split(pattern, "*")
	rest, ok := strings.CutPrefix(path, parts[0])
	if !ok {
		return false
	}
	for i, part := range parts[1:] {
		if anchored && i == len(parts)-2 {
			return strings.HasSuffix(rest, part)
		}
		at := strings.Index(rest, part)
		if at < 0 {
			return false
		}
		rest = rest[at+len(part):]
	}
	return !anchored || rest == ""
}

// parseRobots picks the rules of the group that names us, else of the one for everybody. It accepts anything.
func parseRobots(text []byte, us string) rules {
	var own, all rules
	named, mine, everybody, inRules := false, false, false, false
	lines := bufio.NewScanner(bytes.NewReader(bytes.TrimPrefix(text[:min(len(text), maxRobots)], []byte("\xef\xbb\xbf"))))
	lines.Buffer(nil, 64<<10)
	lines.Split(anyLine)
	for lines.Scan() {
		line, _, _ := strings.Cut(lines.Text(), "#")
		key, value, ok := strings.Cut(line, ":")
		if !ok {
			continue
		}
		value = strings.TrimSpace(value)
		switch strings.ToLower(strings.TrimSpace(key)) {
		case "user-agent":
			if inRules {
				mine, everybody, inRules = false, false, false
			}
			token, _, _ := strings.Cut(value, "/")
			mine = mine || strings.EqualFold(token, us)
			everybody = everybody || token == "*"
			named = named || mine
		case "allow", "disallow":
			inRules = true
			if value == "" || len(value) > robotsPattern {
				continue // an empty disallow forbids nothing
			}
			if value[0] != '/' && value[0] != '*' {
				value = "/" + value
			}
			one := rule{value, strings.EqualFold(strings.TrimSpace(key), "allow")}
			if mine {
				own = append(own, one)
			}
			if everybody {
				all = append(all, one)
			}
		}
	}
	if named {
		return own
	}
	return all
}

// anyLine splits at any line end; a line that is too long is split, too, instead of ending the file.
func anyLine(data []byte, atEnd bool) (advance int, token []byte, err error) {
	if n := bytes.IndexAny(data, "\r\n"); n >= 0 {
		return n + 1, data[:n], nil
	}
	if len(data) >= 32<<10 || atEnd && len(data) > 0 {
		return len(data), data, nil
	}
	return 0, nil, nil
}

// robots knows which paths of which sites may be fetched. Safe from many goroutines.
type robots struct {
	get func(ctx context.Context, u *url.URL) (*http.Response, error) // follows redirects

	mu    sync.Mutex
	sites map[string]*site
}

type site struct {
	ready chan struct{} // closed once the rest is filled in
	rules rules
	none  error // why nothing may be fetched: it could not be asked
	given bool  // up, since the one who asked was cancelled: it says nothing of the site
	until time.Time
}

// check is an error when a page may not be fetched: [ErrRobots], or why its site could not be asked. It asks each site once an hour; several that
// want to know wait for one answer.
func (r *robots) check(ctx context.Context, u *url.URL) error {
	for ctx.Err() == nil {
		s, mine := r.site(u.Scheme + "://" + u.Host)
		if mine {
			r.ask(ctx, s, u)
		}
		select {
		case <-s.ready:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		switch {
		case s.given:
		case s.none != nil:
			return s.none
		case s.rules.forbids(u.EscapedPath() + query(u)):
			return fmt.Errorf("%s: %w", u.Host, ErrRobots)
		default:
			return nil
		}
	}
	return context.Cause(ctx)
}

// site is what is known of one; mine says that the caller must find out.
func (r *robots) site(key string) (s *site, mine bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if s = r.sites[key]; s != nil && !(s.done() && (s.given || time.Now().After(s.until))) {
		return s, false
	}
	if len(r.sites) >= robotsSites {
		clear(r.sites) // asking again costs less than keeping order
	}
	s = &site{ready: make(chan struct{})}
	r.sites[key] = s
	return s, true
}

func query(u *url.URL) string {
	if u.RawQuery == "" {
		return ""
	}
	return "?" + u.RawQuery
}

func (s *site) done() bool {
	select {
	case <-s.ready:
		return true
	default:
		return false
	}
}

// ask gets a site's robots.txt: none there allows everything, a server in trouble nothing.
func (r *robots) ask(ctx context.Context, s *site, u *url.URL) {
	defer close(s.ready)
	s.until = time.Now().Add(robotsKept)
	response, err := r.get(ctx, &url.URL{Scheme: u.Scheme, Host: u.Host, Path: "/robots.txt"})
	if err != nil {
		s.none, s.until, s.given = err, time.Now().Add(robotsMissed), ctx.Err() != nil
		return
	}
	defer response.Body.Close()
	switch {
	case response.StatusCode >= 500, response.StatusCode == http.StatusTooManyRequests:
		s.none, s.until = fmt.Errorf("%s: %w: status %d", u.Host, ErrRobots, response.StatusCode), time.Now().Add(robotsMissed)
	case response.StatusCode == http.StatusOK:
		text, err := io.ReadAll(io.LimitReader(response.Body, maxRobots))
		if err != nil && len(text) == 0 {
			s.none, s.until = fmt.Errorf("%s: its robots.txt broke off: %w", u.Host, err), time.Now().Add(robotsMissed)
			return
		}
		s.rules = parseRobots(text, product)
	}
}
