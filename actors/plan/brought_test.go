package plan

import (
	"strings"
	"testing"
)

// TestDocumentOfAFile: what shall be made of what a file tells is a wish of its own, and no part of the question.
func TestDocumentOfAFile(t *testing.T) {
	h := newTeam(t)
	for _, request := range []string{"total revenue by city, as a web page (sales.csv)", "每个city的revenue是多少，做成网页（sales.csv）"} {
		out := h.index["master"].Think(Input{Request: inTwo(request, "")})
		if got := told(out); out.Plan == nil || len(out.Plan.Steps) != 2 || !strings.HasPrefix(got, "data") {
			t.Errorf("%s: %s", request, got)
		}
	}
	if out := h.index["master"].Think(Input{Request: "how much revenue and how many orders per region (sales.csv)"}); out.Plan != nil && len(out.Plan.Steps) > 1 {
		t.Errorf("one question is %d steps", len(out.Plan.Steps))
	}
}
