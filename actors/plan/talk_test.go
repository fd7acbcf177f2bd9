package plan

import (
	"strings"
	"testing"
)

// What is on offer is told in words that say what each does: no tool goes by the name of its agent, and nobody by a role.
func TestAbilities(t *testing.T) {
	t.Parallel()
	index, err := houseIndex()
	if err != nil {
		t.Fatal(err)
	}
	for name, x := range index {
		for _, lang := range []string{"zh", "en"} {
			for line := range strings.Lines(x.abilities(lang)) {
				said, _ := strings.CutPrefix(strings.TrimSpace(line), "- ")
				if said == name || strings.Contains(said, ", Analyst") {
					t.Errorf("%s, %s: %s", name, lang, said)
				}
			}
		}
	}
	if got := index["analyst"].abilities("en"); !strings.Contains(got, "- Runs a piece of Python or JavaScript") {
		t.Error(got)
	}
}
