package plan

import (
	"slices"
	"strings"
	"testing"
)

// What an answer showed is read once, however many turns come after it: twice the turns are about twice the work, not four times.
func TestEarlierTurnsAreReadOnce(t *testing.T) {
	x := newTeam(t).index["master"]
	turn := Turn{Request: strings.Repeat("cancel the second one and the third one, ", 20), Answer: strings.Repeat(shownHan+"\n\n", 4)}
	work := func(n int) float64 {
		return testing.AllocsPerRun(2, func() { x.before(&goal{lang: "en"}, slices.Repeat([]Turn{turn}, n)) })
	}
	if few, many := work(4), work(8); many > 3*few {
		t.Errorf("%.0f allocations for 4 turns, %.0f for 8", few, many)
	}
}

// Of an answer as long as no house gives one, the last lists and their first rows are kept, and it is known that they are not all.
func TestListsAreBounded(t *testing.T) {
	tables := remember(earlier{Turn: Turn{Answer: strings.Repeat("| a |\n|-|\n| 1 |\n\n", 3000)}})
	if n := len(tables.lists); n != maxLists || len(tables.nouns) != 1 || !tables.lists[n-1].cut {
		t.Errorf("%d lists of %q", n, tables.nouns)
	}
	rows := remember(earlier{Turn: Turn{Answer: "| a |\n|-|\n" + strings.Repeat("| 1 |\n", maxListed+1) + "\n"}})
	if l := rows.lists[0]; len(l.rows) != maxListed || !l.cut {
		t.Errorf("%d rows, cut %v", len(l.rows), l.cut)
	}
}
