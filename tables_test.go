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
	out, errs, code = hmap(t, dir, "ask", "--session", m[1], "sales.csv 里总销售额是多少")
	if code != 0 || !strings.Contains(out, "**50**") {
		t.Errorf("%d\n%s%s", code, out, errs)
	}
}
