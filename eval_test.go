package main

import (
	"strings"
	"testing"
)

// On a terminal one line says how far scoring is; where nobody watches, nothing does.
func TestProgress(t *testing.T) {
	for _, live := range []bool{true, false} {
		var b strings.Builder
		show := progress(&b, live)
		for range 1000 {
			show("nestools (1 of 4): 7 of 800 rows")
		}
		show("")
		shown := strings.Count(b.String(), "rows")
		if b.Len() > 0 != live || live && (shown < 1 || shown == 1000 || !strings.HasSuffix(b.String(), "\r\033[K")) || strings.Contains(b.String(), "\n") {
			t.Errorf("live %v: %d times: %.100q", live, shown, b.String())
		}
	}
}
