package search

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// api is how one engine is asked and read.
type api struct {
	base    string // of its vendor; searxng has none
	keyed   bool
	request func(base, key, query, language string) (*http.Request, error)
	read    func(answer []byte) ([]Hit, error)
}

// apis are the engines, by their documentation of November 2026. Bing's was switched off in August 2025.
var apis = map[string]api{
	"searxng": {"", false, func(base, _, query, language string) (*http.Request, error) {
		return get(base+"/search", url.Values{"q": {query}, "format": {"json"}, "language": {pick(language, "zh-CN", "en")}}, "", "")
	}, rows("results", "title", "url", "content", "publishedDate")},

	"tavily": {"https://api.tavily.com", true, func(base, key, query, _ string) (*http.Request, error) {
		return post(base+"/search", map[string]any{"query": query, "max_results": maxHits, "search_depth": "basic"}, "Authorization", "Bearer "+key)
	}, rows("results", "title", "url", "content", "published_date")},

	"exa": {"https://api.exa.ai", true, func(base, key, query, _ string) (*http.Request, error) {
		return post(base+"/search", map[string]any{"query": query, "numResults": maxHits, "type": "auto", "contents": map[string]any{"highlights": true}}, "X-Api-Key", key)
	}, rows("results", "title", "url", "highlights", "publishedDate")},

	"serper": {"https://google.serper.dev", true, func(base, key, query, language string) (*http.Request, error) {
		return post(base+"/search", map[string]any{"q": query, "num": maxHits, "hl": pick(language, "zh-cn", "en")}, "X-Api-Key", key)
	}, rows("organic", "title", "link", "snippet", "date")},

	"brave": {"https://api.search.brave.com", true, func(base, key, query, language string) (*http.Request, error) {
		return get(base+"/res/v1/web/search", url.Values{"q": {query}, "count": {strconv.Itoa(maxHits)}, "search_lang": {pick(language, "zh-hans", "en")}}, "X-Subscription-Token", key)
	}, rows("web.results", "title", "url", "description", "page_age")},
}

func pick(language, zh, en string) string {
	if language == "zh" {
		return zh
	}
	return en
}

func get(address string, query url.Values, header, key string) (*http.Request, error) {
	r, err := http.NewRequest(http.MethodGet, address+"?"+query.Encode(), nil)
	if err == nil && header != "" {
		r.Header.Set(header, key)
	}
	return r, err
}

func post(address string, body map[string]any, header, key string) (*http.Request, error) {
	raw, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	r, err := http.NewRequest(http.MethodPost, address, bytes.NewReader(raw))
	if err == nil {
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set(header, key)
	}
	return r, err
}

// rows reads a list of objects at a place in an answer, by the names of their fields. Fields that are missing or of another type are empty; a list that is
// missing is empty, too, for some engines leave it out when they find nothing.
func rows(place, title, address, snippet, published string) func([]byte) ([]Hit, error) {
	return func(answer []byte) ([]Hit, error) {
		var at any
		if err := json.Unmarshal(answer, &at); err != nil {
			return nil, err
		}
		for _, key := range strings.Split(place, ".") {
			o, ok := at.(map[string]any)
			if !ok {
				return nil, errors.New("no object where the list should be")
			}
			at = o[key]
		}
		items, ok := at.([]any)
		if !ok && at != nil {
			return nil, errors.New("no list where it should be")
		}
		var out []Hit
		for _, item := range items {
			if o, ok := item.(map[string]any); ok {
				out = append(out, Hit{Title: text(o[title]), URL: text(o[address]), Snippet: text(o[snippet]), Published: text(o[published])})
			}
		}
		return out, nil
	}
}

// text is a text, or the texts of a list in one.
func text(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case []any:
		var all []string
		for _, one := range v {
			if s, ok := one.(string); ok {
				all = append(all, s)
			}
		}
		return strings.Join(all, " … ")
	}
	return ""
}
