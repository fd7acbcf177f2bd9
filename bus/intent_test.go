package bus

import (
	"errors"
	"testing"

	"github.com/nats-io/nuid"
)

// A request counts as long as the log of the call that asks has not gone on without it.
func TestCheckIntent(t *testing.T) {
	t.Parallel()
	b := newBus(t)
	for name, c := range map[string]struct {
		behind []Record // the intent of t-1-0
		change func(*Request)
		fenced bool
	}{
		"nothing behind it":   {},
		"others go on beside": {behind: []Record{{Kind: KindIntent, Child: "t-1-1"}, {Kind: KindResult, Child: "t-1-1"}, {Kind: KindAsk, Child: "t-1-1"}}},
		"no intent":           {behind: []Record{{Kind: KindClaim}}, change: func(r *Request) { r.Intent = 0 }},
		"taken over":          {behind: []Record{{Kind: KindResult, Child: "t-1-1"}, {Kind: KindClaim}}, fenced: true},
		"asked about":         {behind: []Record{{Kind: KindAsk, Child: "t-1-0"}}, fenced: true},
		"begun again":         {behind: []Record{{Kind: KindIntent, Child: "t-1-0"}}, fenced: true},
		"ended":               {behind: []Record{{Kind: KindResult, Child: "t-1-0"}}, fenced: true},
		"all ended":           {behind: []Record{{Kind: KindResponse}}, fenced: true},
		"of another action":   {change: func(r *Request) { r.Call = "t-1-1" }, fenced: true},
		"of another record":   {change: func(r *Request) { r.Intent-- }, fenced: true},
		"of no record":        {change: func(r *Request) { r.Intent++ }, fenced: true},
		"of another call":     {change: func(r *Request) { r.Parent = "t-9-9" }, fenced: true},
		"of another session":  {change: func(r *Request) { r.Session = "nobody" }, fenced: true},
	} {
		t.Run(name, func(t *testing.T) {
			session, last := nuid.Next(), uint64(0)
			put := func(r Record) {
				r.Session, r.Task, r.Call = session, "t", "t"
				last = must(b.Append(within(t), &r, last))
			}
			put(Record{Kind: KindRound})
			put(Record{Kind: KindIntent, Child: "t-1-0"})
			r := Request{Session: session, Task: "t", Parent: "t", Call: "t-1-0", Intent: last}
			for _, rec := range c.behind {
				put(rec)
			}
			if c.change != nil {
				c.change(&r)
			}
			if err := b.CheckIntent(within(t), r); errors.Is(err, ErrFenced) != c.fenced || err != nil && !c.fenced {
				t.Errorf("%v, want fenced %v", err, c.fenced)
			}
		})
	}
	if err := b.CheckIntent(within(t), Request{Session: "s", Task: "t", Call: "t-1-0", Intent: 1}); !errors.Is(err, ErrBadName) {
		t.Errorf("without a parent: %v", err)
	}
}
