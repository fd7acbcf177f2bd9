package round

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"time"

	"github.com/hmap-project/hmap/bus"
)

// Terms is what a decision depends on besides the log.
type Terms struct {
	Now time.Time
	// Card is the card of an agent or tool that this agent may call and that is there now; nil: there is none. It is only read.
	Card func(name string) *bus.Card
	// Check says what is wrong with a tool's arguments, worded for the mind that wrote them; nil: nothing.
	Check func(card *bus.Card, parameter json.RawMessage) *bus.Error
	// Names lists who may be called, for the reply to a name that is not there.
	Names func() []string
	// Running reports whether the call with that key is under way; such a call is due by its key alone. nil: none is.
	Running func(key string) bool
	// Context is what callees that are agents must know of the conversation; nil: nothing.
	Context func() string
	// Language of what is said to people: "zh" or "en".
	Language string
	// AskTTL is how long an ask stays open; 0: 24 hours.
	AskTTL time.Duration
}

// Due is what should be happening now. Whoever runs the call appends Write (one at a time; then folds it and asks again), runs
// Think and Calls that are not running yet, and stops those that run and are not due any more.
type Due struct {
	Write *bus.Record
	Think *Think
	Calls []Call
	// Waiting lists the open asks when nothing else is due: the call sleeps until a person speaks.
	Waiting []bus.Ask
	// Wake is when to ask again at the latest; zero: only when something happens.
	Wake time.Time
}

// Wants reports whether the thought or call with that key is due.
func (d *Due) Wants(key string) bool {
	for i := range d.Calls {
		if d.Calls[i].Key == key {
			return true
		}
	}
	return d.Think != nil && d.Think.Key == key
}

// Think asks the mind for the next round.
type Think struct {
	Key   string // equal keys are the same thought
	Round int
	Left  bus.Budget // what may still be used
}

// Call asks an agent or a tool. Of one that is running already only the key is given.
type Call struct {
	Key     string
	Request bus.Request
	Card    *bus.Card
}

// maxRepeats is how often the same call with the same arguments is carried out; the next one is refused, and the one after
// that ends the call.
const maxRepeats = 2

// Due says what should be happening now. It changes nothing.
func (s *State) Due(t Terms) Due {
	if s.Ended() || s.Call == "" {
		return Due{}
	}
	end := s.deadline(t.Now)
	switch {
	case s.Cancel != nil:
		return Due{Write: s.stop(bus.Cancelled, bus.CodeCancelled, t.words().cancelled(s.Cancel), t)}
	case !end.IsZero() && !t.Now.Before(end):
		return Due{Write: s.stop(bus.Failed, bus.CodeBudget, t.words().timeUp(max(end.Sub(s.Begun), 0)), t)}
	}
	d := Due{Wake: end}
	write := func(r *bus.Record) {
		if d.Write == nil {
			d.Write = r
		}
	}
	if p := s.progress(); p != nil { // before anything that may end the call
		write(p)
	}
	for _, n := range s.Rounds {
		for _, a := range n.Acts {
			if !a.released || a.Result != nil {
				continue
			}
			if a.Ask != nil {
				if e := a.Ask.Expires; !e.IsZero() && !t.Now.Before(e) {
					write(s.expired(n, a, t))
				} else if !e.IsZero() && (d.Wake.IsZero() || e.Before(d.Wake)) {
					d.Wake = e
				}
				continue
			}
			w, c := s.act(n, a, t)
			if w != nil {
				write(w)
			} else if c != nil {
				d.Calls = append(d.Calls, *c)
			}
		}
	}
	w, think := s.next(t)
	if w != nil {
		write(w)
	}
	switch {
	case d.Write == nil && think == nil && len(d.Calls) == 0:
		d.Waiting = s.OpenAsks()
	case d.Write == nil || d.Write.Kind != bus.KindResult: // a result that is being written is worth waiting for
		d.Think = think
	}
	return d
}

// next decides between another round, the response and waiting for what runs.
func (s *State) next(t Terms) (*bus.Record, *Think) {
	n := s.last()
	busy := len(s.running()) > 0
	again := n == nil || s.unseen() || s.steered()
	switch {
	case busy && (s.Plan == nil || !s.unseen() && !s.steered()): // plan again after every step; without a plan, wait for all
		return nil, nil
	case !again && len(n.Acts) == 0:
		return s.respond(JSONText(cmp.Or(n.Answer, n.Thought))), nil
	case !again:
		return s.respond(n.trusted()), nil
	}
	left, spent := s.left(t)
	if spent != "" {
		if busy {
			return nil, nil
		}
		return s.stop(bus.Failed, bus.CodeBudget, spent, t), nil
	}
	if s.stubborn() {
		if busy {
			return nil, nil
		}
		return s.stop(bus.Failed, bus.CodeRepeated, t.words().stubborn(), t), nil
	}
	number := 1
	if n != nil {
		number = n.N + 1
	}
	return nil, &Think{Key: "think-" + strconv.Itoa(number) + "-" + strconv.Itoa(len(s.Steering)), Round: number, Left: left}
}

// trusted is the observation that a list of trusted actions ends with: the last one's, unchanged, or when several stand at the
// end side by side, the list of theirs in order.
func (n *Round) trusted() json.RawMessage {
	ends := make([]bool, len(n.Acts))
	for i := range ends {
		ends[i] = true
	}
	for _, a := range n.Acts {
		for _, d := range a.deps {
			ends[d] = false
		}
	}
	var list []json.RawMessage
	for i, a := range n.Acts {
		if ends[i] {
			o := a.Result.Observation
			if len(o) == 0 {
				o = json.RawMessage("null")
			}
			list = append(list, o)
		}
	}
	if len(list) == 1 {
		return list[0]
	}
	all := []byte{'['}
	for i, o := range list {
		if i > 0 {
			all = append(all, ',')
		}
		all = append(all, o...)
	}
	return append(all, ']')
}

// steered reports whether the user wished something that the newest round does not know of.
func (s *State) steered() bool {
	n := s.last()
	return n != nil && slices.ContainsFunc(s.Steering, func(w Said) bool { return w.Seq > n.Heard })
}

// stubborn reports whether the mind insists on repeating itself, although it was told.
func (s *State) stubborn() bool {
	told := 0
	for _, n := range s.Rounds {
		if slices.ContainsFunc(n.Acts, func(a *Act) bool {
			return a.Result != nil && a.Result.Error != nil && a.Result.Error.Code == bus.CodeRepeated
		}) {
			told++
		}
	}
	return told >= 2
}
