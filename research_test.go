package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Research with neither key nor model, as somebody types it: the rules and a folder of one's own, then a SearXNG and the page that it names.
func TestResearch(t *testing.T) {
	t.Parallel()
	dir, docs := dataDir(t), t.TempDir()
	if err := os.WriteFile(filepath.Join(docs, "report.html"), []byte("<title>年报</title><p>空气炸锅市场的竞争格局：甲品牌占三成，乙品牌占两成。"), 0o600); err != nil {
		t.Fatal(err)
	}
	var site *httptest.Server
	site = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/search":
			fmt.Fprintf(w, `{"results":[{"title":"消息","url":"%s/page","content":"空气炸锅"}]}`, site.URL)
		case "/page":
			_, _ = io.WriteString(w, "<title>消息</title><p>空气炸锅市场规模在 2026 年达到 86 亿元，比上年多了四个百分点。</p>")
		default:
			http.NotFound(w, r)
		}
	}))
	defer site.Close()
	config := filepath.Join(docs, ".hmap.yaml")
	text := fmt.Sprintf("search: {folders: [%q], searxng: %q, allow: [127.0.0.0/8]}\n", docs, site.URL)
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ request, tool, want string }{
		{"调研一下运费纠纷怎么处理，并给出处", "deep_search", "谁过错，谁承担”的原则处理，双方协商一致的除外。 [1]"},
		{"调研空气炸锅市场的竞争格局", "deep_search", "甲品牌占三成，乙品牌占两成。 ["},
		{"调研空气炸锅市场规模", "deep_search", site.URL + "/page"},
		{"打开 " + site.URL + "/page 看看", "web_fetch", "86 亿元"},
	} {
		out, errs, code := hmap(t, dir, "--config", config, "ask", c.request)
		if code != 0 || !strings.Contains(out, "→ "+c.tool) || !strings.Contains(out, c.want) || strings.Contains(out, "→ search_rules") {
			t.Errorf("%s: %d\n%s%s", c.request, code, out, errs)
		}
	}
}
