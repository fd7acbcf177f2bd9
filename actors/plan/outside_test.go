package plan

import (
	"strings"
	"testing"
	"time"
)

// A text full of such wishes costs little more than reading it once more.
func TestOutsideReadsAClauseOnce(t *testing.T) {
	x := newTeam(t).index["master"]
	text := strings.Repeat("sing me a song, ", MaxText/16)
	whole := clause{text: text, end: len(text)}
	quickest := func(f func()) time.Duration {
		least := time.Hour
		for range 3 {
			start := time.Now()
			f()
			least = min(least, time.Since(start))
		}
		return least
	}
	once := quickest(func() { c := whole; c.classify(text) })
	if all := quickest(func() { x.outside(&goal{text: text, clauses: []clause{whole}}) }); all > 15*once {
		t.Errorf("%v, and %v to read it once", all, once)
	}
	short := "王萍萍的订单, sing me a song"
	if found := x.outside(&goal{text: short, clauses: []clause{span(short, 0, len(short))}}); len(found) != 1 || found[0].text != "sing me a song" {
		t.Errorf("%+v", found)
	}
}
