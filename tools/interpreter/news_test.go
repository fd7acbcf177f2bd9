package interpreter

import (
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// Who waits for code that says nothing hears of it every ten seconds, and of code that speaks only what it says.
func TestBeats(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		var lines []string
		n := &news{tell: func(line string) { lines = append(lines, fmt.Sprint(time.Since(begun), " ", line)) }}
		stop := n.beats("已运行 %s", "%s so far")
		for range 3 {
			time.Sleep(9 * time.Second)
			n.say("a step")
		}
		time.Sleep(21 * time.Second)
		stop()
		time.Sleep(time.Hour)
		if want := []string{"9s a step", "18s a step", "27s a step", "37s a step · 37 s so far", "47s a step · 47 s so far"}; !slices.Equal(lines, want) {
			t.Errorf("%q", lines)
		}
		lines, n.line, n.zh = nil, "", true
		stop = n.beats("已运行 %s", "%s so far")
		time.Sleep(11 * time.Second)
		stop()
		if len(lines) != 1 || lines[0] != "1h0m58s 已运行 10 秒" {
			t.Errorf("%q", lines)
		}
	})
}
