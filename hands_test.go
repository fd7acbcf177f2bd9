package main

import (
	"strings"
	"testing"
)

// Code and files without any model, as somebody types them: what the code leaves behind is a file of the session, which the next wish finds.
func TestCodeAndFiles(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	out, errs, code := hmap(t, dir, "ask", "run this JavaScript: ```js\nwriteFile('squares.csv', [1, 2, 3].map(x => x + ',' + x * x).join('\\n'))\n6 * 7\n```")
	m := goOn.FindStringSubmatch(errs)
	if code != 0 || m == nil || !strings.Contains(out, "→ code_interpreter") || !strings.Contains(out, "42") || !strings.Contains(out, "squares.csv") {
		t.Fatalf("%d\n%s%s", code, out, errs)
	}
	for request, want := range map[string]string{"列出本会话的文件": "squares.csv", "读取文件 squares.csv": "3,9"} {
		out, errs, code = hmap(t, dir, "ask", "--session", m[1], request)
		if code != 0 || !strings.Contains(out, want) {
			t.Errorf("%s: %d\n%s%s", request, code, out, errs)
		}
	}
}
