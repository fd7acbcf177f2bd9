package gateway

import (
	"context"
	"fmt"

	"github.com/hmap-project/hmap/bus"
)

// Whoever answers an ask writes to the log, over a gateway or from the bus, and the log says who was first: nobody is asked before, so that of two that
// answer in the same moment only one is taken.

// answered is the input that had answered the ask before the input at seq came, and its place in the log; nil: the one at seq did, nobody has, or the log
// cannot be read in time. Then the records tell it, to who follows them.
func (g *Gateway) answered(ctx context.Context, f clientFrame, seq uint64) (*bus.Input, uint64) {
	if f.Kind != bus.Answer && f.Kind != bus.Approve && f.Kind != bus.Refuse {
		return nil, 0
	}
	records, _, err := g.bus.ReadCall(ctx, bus.Where{Session: f.Session, Task: f.Task, Call: f.Task})
	if err != nil {
		return nil, 0
	}
	var open bus.Asks
	var by *bus.Input
	var at uint64
	for _, r := range records {
		if r.Seq >= seq {
			break
		}
		was := open.Find(f.Ask) != nil
		open.Fold(r)
		switch is := open.Find(f.Ask) != nil; {
		case is:
			by, at = nil, 0 // asked, or asked again
		case was && r.Kind == bus.KindInput:
			by, at = r.Input, r.Seq
		}
	}
	return by, at
}

// answeredFrame tells whoever answered later what was answered, in a sentence and as it stands in the log.
func answeredFrame(f clientFrame, by *bus.Input, at uint64) []byte {
	said := map[bus.InputKind]string{bus.Approve: "it was approved", bus.Refuse: "it was refused", bus.Cancel: "the task was cancelled", bus.Expire: "nobody had answered in time"}[by.Kind]
	switch {
	case said == "":
		said = fmt.Sprintf("with %.200q", by.Text)
	case by.Text != "":
		said += fmt.Sprintf(" with %.200q", by.Text)
	}
	return encode(serverFrame{Type: "error", ID: f.ID, Session: f.Session, Task: f.Task, Seq: at, Answered: by,
		Code: bus.CodeInvalidRequest, Message: "what was asked is answered already: " + said + "; what you said is in the log, and changes nothing"})
}
