package configs

import (
	"strings"
	"testing"
)

func TestSearch(t *testing.T) {
	c, err := Load("")
	if err != nil {
		t.Fatal(err)
	}
	if s := c.Search; len(s.Engines) != 5 || s.Keys["tavily"] != "TAVILY_API_KEY" || s.Rounds != 3 || s.Robots == nil || !*s.Robots || len(s.Networks()) != 0 {
		t.Errorf("%+v", s)
	}
	good := write(t, "good.yaml", "search: {searxng: 'http://10.0.0.5:8888', allow: [10.1.0.0/16, '::1/128'], engines: [brave, searxng], robots: false}\n")
	if c, err = Load(good); err != nil || len(c.Search.Networks()) != 2 || *c.Search.Robots {
		t.Errorf("%+v %v", c.Search, err)
	}
	for text, want := range map[string]string{
		"engines: [bing]": "bing", "keys: {google: X}": "google", "searxng: 127.0.0.1": "search.searxng", "rounds: 6": "search.rounds", "pages: -1": "search.pages",
		"time: 1s": "search.time", "timeout: 0s": "search.timeout", "allow: [10.1]": "search.allow", "tavily_key: abc": "tavily_key",
	} {
		if _, err := Load(write(t, "bad.yaml", "search: {"+text+"}\n")); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}
