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
	for name, body := range map[string]string{
		"手册.md":       "# 员工手册\n\n## 退货\n\n退货须在签收后 15 天内提出，由客服主管审批。\n\n## 年假\n\n每位员工每年有 12 天年假。\n",
		"handbook.md": "# Tidewater Staff Handbook\n\n## Refunds\n\nRefunds are paid within 10 working days.\n\n## Annual leave\n\nEach employee has 27 days of annual leave.\n",
	} {
		if err := os.WriteFile(filepath.Join(docs, name), []byte(body), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	config := filepath.Join(docs, ".hmap.yaml")
	text := fmt.Sprintf("search: {folders: [%q], searxng: %q, allow: [127.0.0.0/8]}\n", docs, site.URL)
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ request, tool, want string }{
		{"调研一下运费纠纷怎么处理，并给出处", "deep_search", "谁过错，谁承担”的原则处理，双方协商一致的除外。 [1]"},
		{"调研空气炸锅市场的竞争格局", "deep_search", "甲品牌占三成，乙品牌占两成。 ["},
		{"调研空气炸锅市场规模", "deep_search", site.URL + "/page"},
		// What one's own documents answer is asked of them, with no word of research; what only the rules answer is found as well.
		{"我们的手册里怎么说退货", "search_documents", "签收后 15 天内提出"},
		{"what does our handbook say about refunds?", "search_documents", "within 10 working days"},
		{"年假有几天", "search_documents", "每年有 12 天年假"},
		{"how many days of annual leave do we get?", "search_documents", "27 days of annual leave"},
		{"王萍萍的退货", "list_refunds", ""},
		{"refunds of Wang Pingping", "list_refunds", ""},
		{"打开 " + site.URL + "/page 看看", "web_fetch", "86 亿元"},
	} {
		out, errs, code := hmap(t, dir, "--config", config, "ask", c.request)
		if code != 0 || !strings.Contains(out, "→ "+c.tool) || !strings.Contains(out, c.want) || strings.Contains(out, "→ search_rules") {
			t.Errorf("%s: %d\n%s%s", c.request, code, out, errs)
		}
	}
}
