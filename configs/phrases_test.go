package configs

import (
	"reflect"
	"strings"
	"testing"
)

// Phrases of one's own stand before those built in, with the terms written out and what a group says of all of its own.
func TestPhrasebook(t *testing.T) {
	built, err := (&Config{}).Phrasebook()
	if err != nil || len(built) < 100 {
		t.Fatalf("%d phrases, %v", len(built), err)
	}
	for _, p := range built {
		if strings.Contains(p.Say+p.Not+p.Unless, "{month") || strings.Contains(p.Say, "{timed") {
			t.Errorf("a term is not written out: %s", p.Say)
		}
	}
	path := write(t, "own.yaml", `
terms: {day: 'to(?:day|morrow)'}
phrases:
- say: 'burn rate {day}'
  means: costs
- where: [订单]
  unless: '{day}'
  phrases:
  - {say: 卖爆了的, means: 卖得最好的, not: 昨天}
`)
	all, err := (&Config{Phrases: path}).Phrasebook()
	if err != nil {
		t.Fatal(err)
	}
	want := []Phrase{{Say: "burn rate to(?:day|morrow)", Means: "costs"}, {Say: "卖爆了的", Means: "卖得最好的", Not: "昨天", Where: []string{"订单"}, Unless: "to(?:day|morrow)"}}
	if got := all[:2]; !reflect.DeepEqual(got, want) || len(all) != len(built)+2 {
		t.Errorf("%+v", got)
	}
	for text, says := range map[string]string{
		"phrases: [{say: a}]":   "lacks say or means",
		"phrases: [{means: a}]": "neither say nor phrases",
		"phrases: [{say: a, means: b, phrases: [{say: c, means: d}]}]": "both say and phrases",
		"phrases: [{phrases: [{say: c, means: d, where: [e]}]}]":       "stand with the group",
		"phrases: [{sya: a}]": "sya",
		"phrases: 7":          "own.yaml",
	} {
		if _, err := (&Config{Phrases: write(t, "own.yaml", text)}).Phrasebook(); err == nil || !strings.Contains(err.Error(), says) || !strings.Contains(err.Error(), "own.yaml") {
			t.Errorf("%s: %v", text, err)
		}
	}
	if _, err := (&Config{Phrases: path + "x"}).Phrasebook(); err == nil {
		t.Error("a file that is not there")
	}
}
