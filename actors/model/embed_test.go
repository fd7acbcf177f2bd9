package model

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestEmbed(t *testing.T) {
	c, _, _ := client(t, Options{})
	texts := []string{"订单", "订单查询", "运费", "", "订单"}
	for len(texts) < 23 { // more than two batches
		texts = append(texts, "x")
	}
	v, err := c.Embed(t.Context(), texts)
	if err != nil || len(v) != len(texts) {
		t.Fatalf("%d vectors, %v", len(v), err)
	}
	dot := func(a, b []float32) (sum float32) {
		for i := range a {
			sum += a[i] * b[i]
		}
		return
	}
	if dot(v[0], v[4]) < 0.999 || dot(v[0], v[1]) <= dot(v[0], v[2]) {
		t.Errorf("like texts do not lie close: same %v, like %v, other %v", dot(v[0], v[4]), dot(v[0], v[1]), dot(v[0], v[2]))
	}
	if v, err := c.Embed(t.Context(), nil); v != nil || err != nil {
		t.Errorf("no texts: %v %v", v, err)
	}
}

// endpoint answers everything in one way.
func endpoint(t *testing.T, status int, body string, header ...string) *Client {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i+1 < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
	}))
	t.Cleanup(s.Close)
	c, err := New(Options{BaseURL: s.URL, Model: "m", Retries: -1, KeyName: "HMAP_KEY", Key: "k"})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestEmbedRefusesNonsense(t *testing.T) {
	for body, want := range map[string]string{
		`{"data":[]}`: "0 vectors came for 2 texts",
		`{"data":[{"index":0,"embedding":[1]},{"index":0,"embedding":[1]}]}`:   "do not fit",
		`{"data":[{"index":0,"embedding":[1]},{"index":7,"embedding":[1]}]}`:   "do not fit",
		`{"data":[{"index":0,"embedding":[1]},{"index":1,"embedding":[1,2]}]}`: "do not fit",
		`{"data":[{"index":0,"embedding":[]},{"index":1,"embedding":[]}]}`:     "do not fit",
		`nonsense`: "connection failed",
	} {
		if _, err := endpoint(t, 200, body).Embed(t.Context(), []string{"a", "b"}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", body, err)
		}
	}
	if _, err := endpoint(t, 401, `{"error":{"message":"no"}}`).Embed(t.Context(), []string{"a"}); err == nil || !strings.Contains(err.Error(), "HMAP_KEY") {
		t.Error(err)
	}
}

func TestProbe(t *testing.T) {
	c, _, _ := client(t, Options{})
	if err := c.Probe(t.Context()); err != nil {
		t.Error(err)
	}
	for status, want := range map[int]string{404: "", 401: "HMAP_KEY", 503: "status 503", 302: "redirects"} {
		err := endpoint(t, status, "{}", "Location", "http://elsewhere/").Probe(t.Context())
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%d: %v", status, err)
		}
	}
}

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC)
	for v, want := range map[string]time.Duration{
		"":                              0,
		"3":                             3 * time.Second,
		"0.5":                           500 * time.Millisecond,
		"-1":                            0,
		"1e30":                          0,
		"NaN":                           0,
		"soon":                          0,
		"Sat, 21 Nov 2026 08:00:20 GMT": 20 * time.Second,
		"Sat, 21 Nov 2026 07:00:00 GMT": 0,
	} {
		if got := retryAfter(http.Header{"Retry-After": {v}}, now); got != want {
			t.Errorf("%q: %v, want %v", v, got, want)
		}
	}
	if got := retryAfter(http.Header{"Retry-After": {"9"}, "Retry-After-Ms": {"250"}}, now); got != 250*time.Millisecond {
		t.Errorf("milliseconds: %v", got)
	}
}

func TestCountTokens(t *testing.T) {
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for text, want := range map[string]int{"": 0, "hello world": 2, "one two three": 3} {
				if got := CountTokens(text); got != want {
					t.Errorf("%q: %d", text, got)
				}
			}
		})
	}
	wg.Wait()
	if n := CountTokens("我有多少订单是王萍萍买的?"); n < 6 || n > 20 {
		t.Errorf("chinese: %d", n)
	}
	// The worst for a tokenizer is one long word.
	begun := time.Now()
	if n := CountTokens(strings.Repeat("好", 100_000)); n < 10_000 || time.Since(begun) > time.Minute {
		t.Errorf("%d in %v", n, time.Since(begun))
	}
	if CountTokens("\xff\xfe") == 0 {
		t.Error("bytes that are no text count as nothing")
	}
}
