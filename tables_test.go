package main

import (
	"strings"
	"testing"
)

// A file is brought into a session and asked, without any model, as somebody types it; the next request asks it by its name.
func TestAskAFile(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	file := write(t, "sales.csv", "地区,销售额\n华东,10\n华南,32\n华东,8\n")
	out, errs, code := hmap(t, dir, "ask", "--file", file, "每个地区的销售额是多少")
	m := goOn.FindStringSubmatch(errs)
	if code != 0 || m == nil || !strings.Contains(out, "→ data") || !strings.Contains(out, "| 华南 | 32 |") || !strings.Contains(out, "| 华东 | 18 |") {
		t.Fatalf("%d\n%s%s", code, out, errs)
	}
	for _, c := range []struct{ say, shows string }{
		{"sales.csv 里总销售额是多少", "**50**"},
		{"华东呢", "**18**"},
		{"那华南呢", "**32**"},
		{"画一张各地区销售额的饼图", "| 华东 | 18 |"},
	} {
		if out, errs, code = hmap(t, dir, "ask", "--session", m[1], c.say); code != 0 || !strings.Contains(out, c.shows) {
			t.Errorf("%s: %d\n%s%s", c.say, code, out, errs)
		}
	}
}
