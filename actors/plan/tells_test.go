package plan

import "testing"

// What is in no language says nothing of the one to answer in.
func TestTellsLanguage(t *testing.T) {
	for _, text := range []string{"281067154231", "PPT", "ok", "Excel", "2026-10", "SKU 10000020299893", "pdf", "L42", "```\nprint(1)\n```", "", "  ", "20%", "¥199"} {
		if TellsLanguage(text) {
			t.Errorf("%q is in a language", text)
		}
	}
	for _, text := range []string{"第二个", "top 3", "the second", "PPT 版", "as PDF", "hello", "Tang Juan", "281067154231 呢"} {
		if !TellsLanguage(text) {
			t.Errorf("%q is in no language", text)
		}
	}
}
