package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hmap-project/hmap/actors/model/scripted"
)

// The planner of the command line has the embedding model that the house has, says whether it helped, and does without it when it is down, for
// the cards as well as for what is asked when the cards have their vectors already.
func TestPlanUsesTheEmbeddingModel(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	up := scripted.New(t)
	config := func(url string) string {
		return write(t, "hmap.yaml", fmt.Sprintf("models:\n  embedding: {base_url: %q, name: e}\n", url))
	}
	down := "http://127.0.0.1:1/v1"
	for _, c := range []struct {
		url, request, said string
		helped             bool
	}{
		{down, "How many orders did Wang Pingping place?", "did not help", false},
		{up.URL, "How many orders did Wang Pingping place?", "e helped to find tools", true},
		{down, "我有多少订单是王萍萍买的?", "没有参与", false},
	} {
		out, errs, code := hmap(t, dir, "--config", config(c.url), "plan", c.request, "--explain")
		if code != 0 || !strings.Contains(out, c.said) || !strings.Contains(out, "orders") {
			t.Errorf("%s, %s: %d\n%s\n%s", c.url, c.request, code, out, errs)
		}
		out, errs, code = hmap(t, dir, "--config", config(c.url), "plan", c.request, "--json")
		if code != 0 || !strings.Contains(out, `"orders"`) || strings.Contains(errs, "without the embedding model") == c.helped {
			t.Errorf("%s, %s: %d\n%s\n%s", c.url, c.request, code, out, errs)
		}
	}
}
