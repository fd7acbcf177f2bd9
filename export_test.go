package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A session is exported in the format that the file's name says; what nobody named is not replaced.
func TestExport(t *testing.T) {
	t.Parallel()
	dir, out := dataDir(t), t.TempDir()
	_, said, code := hmap(t, dir, "ask", "把王萍萍的订单做成一份表格")
	m := goOn.FindStringSubmatch(said)
	if code != 0 || m == nil {
		t.Fatal(said)
	}
	session := m[1]
	for name, begins := range map[string]string{"a.md": "# 王萍萍的订单\n", "a.html": "<!DOCTYPE html>", "a.xlsx": "PK\x03\x04"} {
		file := filepath.Join(out, name)
		for range 2 { // a name that was given is replaced
			if _, errs, code := hmap(t, dir, "export", session, "-o", file); code != 0 {
				t.Fatal(errs)
			}
		}
		if body, err := os.ReadFile(file); err != nil || !strings.HasPrefix(string(body), begins) {
			t.Errorf("%s: %v %.40q", name, err, body)
		}
	}
	text, errs, code := raced(t, dir, "export", session, "--format", "markdown", "--title", "T", "-o", "-")
	if code != 0 || !strings.HasPrefix(text, "# T\n") || !strings.Contains(text, "| 订单编号 |") || strings.Contains(text, "已生成") {
		t.Errorf("%d %s\n%s", code, errs, text)
	}
	for _, c := range [][]string{{"export", "none"}, {"export", session, "--task", "none"}, {"export", session, "--format", "exe"}, {"export", session, "-o", filepath.Join(out, "a.doc")}, {"export", session, "--format", "pdf", "-o", filepath.Join(out, "a.docx")}} {
		if _, errs, code := hmap(t, dir, c...); code == 0 || errs == "" {
			t.Errorf("%v: %d %s", c, code, errs)
		}
	}
	if _, errs, code := hmap(t, dir, "export", session, "-o", filepath.Join(out, "a.doc")); code != exitUsage || !strings.Contains(errs, filepath.Join(out, "a.docx")) {
		t.Errorf("%d %s", code, errs)
	}
}
