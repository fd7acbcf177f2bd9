package actors

import (
	"github.com/hmap-project/hmap/actors/plan"
	"github.com/hmap-project/hmap/actors/round"
	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/bus/consent"
)

// Apart reports whether words said while an ask is open are no answer to it but a request of their own: the ask stays open then, and they
// are a new turn.
func Apart(text string, a bus.Ask) bool {
	if a.Kind == bus.Approval && consent.To(a, bus.Input{Kind: bus.Answer, Text: text}) != consent.Unclear {
		return false
	}
	if _, _, picks := round.Picked(text, a); picks && a.Kind == bus.Approval {
		return false
	}
	return !plan.Dropped(text, a) && plan.Stands(text, a)
}
