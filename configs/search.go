package configs

import (
	"errors"
	"fmt"
	"maps"
	"net/netip"
	"net/url"
	"slices"
	"time"
)

// Search says where deep_search looks and how far it goes, and what web_fetch may reach.
type Search struct {
	Engines []string          `yaml:"engines"` // in the order in which they are asked
	SearXNG string            `yaml:"searxng"` // base address; "": there is none
	Keys    map[string]string `yaml:"keys"`    // engine → name of the environment variable with its key
	Folders []string          `yaml:"folders"`
	Rounds  int               `yaml:"rounds"`
	Queries int               `yaml:"queries"`
	Pages   int               `yaml:"pages"`
	AtOnce  int               `yaml:"at_once"` // engines
	Timeout time.Duration     `yaml:"timeout"` // of an engine
	Page    time.Duration     `yaml:"page"`    // of a page
	Time    time.Duration     `yaml:"time"`    // of a whole search
	Allow   []string          `yaml:"allow"`
	Robots  *bool             `yaml:"robots"` // nil: true
}

var searchEngines = []string{"searxng", "tavily", "exa", "serper", "brave"}

// Networks are those that pages may be fetched from although they are not the public Internet.
func (s Search) Networks() []netip.Prefix {
	var out []netip.Prefix
	for _, text := range s.Allow {
		if p, err := netip.ParsePrefix(text); err == nil { // else check has refused it
			out = append(out, p)
		}
	}
	return out
}

func (s Search) check() error {
	var errs []error
	bad := func(format string, a ...any) { errs = append(errs, fmt.Errorf(format, a...)) }
	for _, name := range append(slices.Clone(s.Engines), slices.Sorted(maps.Keys(s.Keys))...) {
		if !slices.Contains(searchEngines, name) {
			bad("search.engines and search.keys know %v, not %q", searchEngines, name)
		}
	}
	if u, err := url.Parse(s.SearXNG); s.SearXNG != "" && (err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "") {
		bad("search.searxng is %q: want an address like http://127.0.0.1:8888", s.SearXNG)
	}
	if s.Rounds < 1 || s.Rounds > 5 || s.Queries < 1 || s.Queries > 10 || s.Pages < 0 || s.Pages > 20 || s.AtOnce < 1 || s.AtOnce > 5 {
		errs = append(errs, errors.New("search.rounds must be 1 to 5, search.queries 1 to 10, search.pages 0 to 20, search.at_once 1 to 5"))
	}
	if s.Timeout < time.Second || s.Page < time.Second || s.Time < 5*time.Second || s.Time > 10*time.Minute {
		errs = append(errs, errors.New("search.timeout and search.page must be 1s or more, search.time 5s to 10m"))
	}
	for _, text := range s.Allow {
		if _, err := netip.ParsePrefix(text); err != nil {
			bad("search.allow has %q: want a network like 10.1.0.0/16", text)
		}
	}
	return errors.Join(errs...)
}
