package plan

import (
	"testing"
	"time"
)

func TestPaths(t *testing.T) {
	for text, want := range map[string]string{
		"list the files in /tmp/x":               "/tmp/x",
		"read ./notes/a-b.txt, please":           "./notes/a-b.txt",
		"列出/tmp/x里的文件":                           "/tmp/x",
		"what is in ~/docs?":                     "~/docs",
		`open C:\temp\a.txt`:                     `C:\temp\a.txt`,
		"(see /etc/hosts).":                      "/etc/hosts",
		"100元/kg":                                "",
		"is it 3/4 or 5/6?":                      "",
		"see https://example.com/a/b":            "",
		"pros and/or cons":                       "",
		"2026/11/21":                             "",
		"write '/tmp/x y' there, and / is a bar": "",
	} {
		got := ""
		for _, f := range readFacts(text, time.Now(), func(string) bool { return false }) {
			if f.kind == factPath {
				got += f.text
			}
		}
		if got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
