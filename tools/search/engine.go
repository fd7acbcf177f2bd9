package search

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"
)

// Engine is a search engine of the web.
type Engine interface {
	Name() string
	// Search returns what the engine found, best first; nothing is no error. It ends when ctx does, and is safe from many goroutines.
	Search(ctx context.Context, q Query, language string) ([]Hit, error)
}

// Hit is what an engine found.
type Hit struct {
	Title, URL string
	Snippet    string // the engine's words from the page
	Published  string // "2006-01-02", or empty
	Engine     string
}

// Bounds of an engine's answer.
const (
	maxAnswer = 4 << 20
	maxHits   = 10
)

// remote is an engine that is asked over HTTP.
type remote struct {
	name    string
	client  *http.Client
	request func(q Query, language string) (*http.Request, error)
	read    func(answer []byte) ([]Hit, error)
}

func (e *remote) Name() string { return e.name }

// Search asks the engine once.
func (e *remote) Search(ctx context.Context, q Query, language string) ([]Hit, error) {
	request, err := e.request(q, language)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", e.name, err)
	}
	request.Header.Set("Accept", "application/json")
	response, err := e.client.Do(request.WithContext(ctx))
	if err != nil {
		var wrapped *url.Error
		if errors.As(err, &wrapped) {
			err = wrapped.Err
		}
		return nil, fmt.Errorf("%s: %w", e.name, err)
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer+1))
	switch {
	case response.StatusCode == http.StatusUnauthorized, response.StatusCode == http.StatusForbidden:
		return nil, fmt.Errorf("%s: it refuses us (status %d): look at its key; SearXNG wants json among search.formats", e.name, response.StatusCode)
	case response.StatusCode != http.StatusOK:
		return nil, fmt.Errorf("%s: status %d", e.name, response.StatusCode)
	case err != nil:
		return nil, fmt.Errorf("%s: its answer broke off: %w", e.name, err)
	case len(answer) > maxAnswer:
		return nil, fmt.Errorf("%s: an answer of more than %d MiB", e.name, maxAnswer>>20)
	}
	found, err := e.read(answer)
	if err != nil {
		return nil, fmt.Errorf("%s: an answer that cannot be read: %w", e.name, err)
	}
	var out []Hit
	for _, h := range found {
		h.Title, h.Snippet, h.Engine = plain(h.Title, 200), plain(h.Snippet, 2000), e.name
		h.Published = day(h.Published)
		if u, err := url.Parse(strings.TrimSpace(h.URL)); err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" && len(out) < maxHits {
			h.URL = u.String()
			out = append(out, h)
		}
	}
	return out, nil
}

var markup = regexp.MustCompile(`</?(?:b|em|strong|span|mark)\b[^>]{0,80}>`)

// plain is an engine's text without marks, on one line, of at most n characters.
func plain(s string, n int) string {
	s = strings.ToValidUTF8(markup.ReplaceAllString(s, ""), "")
	s = strings.NewReplacer("&amp;", "&", "&lt;", "<", "&gt;", ">", "&quot;", `"`, "&#x27;", "'", "&#39;", "'", "&nbsp;", " ").Replace(s)
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > n {
		s = string(r[:n])
	}
	return s
}

var dayForm = regexp.MustCompile(`^(19|20)\d\d-\d\d-\d\d`)

func day(s string) string {
	if s = dayForm.FindString(s); s != "" {
		if _, err := time.Parse(time.DateOnly, s); err == nil {
			return s
		}
	}
	return ""
}

// NewEngine makes an engine by its name: searxng, tavily, exa, serper or brave. base is its address, which searxng needs and the others have a default
// for; key is its key, which all but searxng need.
func NewEngine(name, base, key string) (Engine, error) {
	api, ok := apis[name]
	if !ok {
		return nil, fmt.Errorf("there is no search engine %.40q: want searxng, tavily, exa, serper or brave", name)
	}
	if base == "" {
		base = api.base
	}
	u, err := url.Parse(base)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, fmt.Errorf("search engine %s: %.80q is no address; want http:// or https:// and a host", name, base)
	}
	if key == "" && api.keyed {
		return nil, fmt.Errorf("search engine %s: it needs a key", name)
	}
	base = strings.TrimSuffix(base, "/")
	return &remote{
		name: name,
		// A redirect would carry the key to somebody else.
		client:  &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }},
		request: func(q Query, language string) (*http.Request, error) { return api.request(base, key, q.Text, language) },
		read:    api.read,
	}, nil
}
