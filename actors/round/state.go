package round

import (
	"cmp"
	"encoding/json"
	"slices"
	"time"

	"github.com/hmap-project/hmap/bus"
)

// The reserved tools: they are offered to every mind and carried out here, not dispatched.
const (
	AskUser = "ask_user" // parameter: question, options, parameter; the observation is the answer
	Finish  = "finish"   // parameter: answer; ends the call with it
)

// State is one call, folded from its records. The zero value is a call of which nothing is known; only [State.Fold] changes it.
// Not safe for concurrent use.
type State struct {
	Session, Task, Call string
	Agent, Node         string
	Request             bus.Request
	Attempt             int       // how often the call has been claimed; 1 after the request record
	Stalled             int       // claims after a node that did not leave in good order, since the last round, result or input: how many executors went down in the same place
	Begun               time.Time // time of the request record
	Began               uint64    // and its sequence
	Last                uint64    // sequence of the newest record on the call's own subject: what the next append must name
	LastInput           uint64    // sequence of the newest input folded from the task's input subject

	Rounds   []*Round
	Plan     *bus.PlanBody
	Steering []Said     // wishes of the user while it runs
	Answers  []Answered // asks that were answered, in order
	Cancel   *bus.Input
	// Employees are the role names of tools, by tool; a new map when some come.
	Employees map[string]string
	Response  *bus.Record // set: the call has ended

	// used is what thinking and ended children have cost.
	used bus.Usage
	// claimed is the sequence of the newest claim; an intent before it belongs to a node that is gone.
	claimed uint64
}

// Said is a wish of the user, and where in the log it stands.
type Said struct {
	Seq  uint64
	Text string
}

// Answered is an ask with what was said to it.
type Answered struct {
	Ask   bus.Ask
	Input bus.Input
}

// Round is one round: a thought and its actions.
type Round struct {
	N                 int // from 1
	Seq               uint64
	Known             // to the mind when it thought this
	Thought, Critique string
	Answer            string
	Model             string
	Acts              []*Act
	Grant             bus.Budget // what each agent action of the round may use

	closed bool // a result asks for a new round: nothing more of this one is released
}

// Act is one action of a round on its way.
type Act struct {
	bus.Action
	Child  string      // id of the child call
	Result *bus.Record // set: it has ended
	Ask    *bus.Ask    // not answered; open as long as there is no result

	fault     string               // why it can never run
	deps      []int                // indices of acts that must end before it
	released  bool                 // its turn has come: it runs unless something outside holds it
	askSeq    uint64               // sequence of the newest ask
	waited    []span               // when a person was waited for, in order
	said      map[string]bus.Input // what the person said, by the id of the ask
	unclear   bool                 // what was said to its ask for leave was neither yes nor no
	present   map[string]string    // what it would replace, as the newest ask for leave for it showed that
	forward   *bus.Input           // what was said last to an ask of the callee
	heard     uint64               // sequence of that
	intentSeq uint64               // sequence of its newest intent; 0: none, or the callee paused with a question since
	effect    bus.Effect           // what the intent says
	intents   int                  // how many there are, of those that may have come to something
	doubted   uint64               // sequence of an intent whose outcome nobody knows, once a person was asked about it
	filled    *filled              // what it asks for, once that is certain
}

// Running reports whether the action's turn has come and it has not ended: its call is under way, or it waits for a person.
func (a *Act) Running() bool { return a.released && a.Result == nil }

// Ended reports whether the call has its response.
func (s *State) Ended() bool { return s.Response != nil }

// Acting reports whether something with effects was begun that has not ended, nor paused with a question, and is not in doubt. Whoever goes on with
// the call then must claim it first, also under the name of the node that began it: by the claim it is in doubt.
func (s *State) Acting() bool {
	return slices.ContainsFunc(s.running(), func(a *Act) bool { return a.intentSeq != 0 && a.Ask == nil })
}

// Root reports whether the call is the task itself and not a part of it.
func (s *State) Root() bool { return s.Call == s.Task }

// Used is what the call and the calls below it have cost so far; children under way are not in it.
func (s *State) Used() bus.Usage { return s.used }

// OpenAsks lists the asks that wait for a person, oldest first.
func (s *State) OpenAsks() []bus.Ask {
	var acts []*Act
	for _, a := range s.running() {
		if a.Ask != nil {
			acts = append(acts, a)
		}
	}
	slices.SortFunc(acts, func(a, b *Act) int { return cmp.Compare(a.askSeq, b.askSeq) })
	var asks []bus.Ask
	for _, a := range acts {
		asks = append(asks, *a.Ask)
	}
	return asks
}

// Find is the act with that child id, or nil.
func (s *State) Find(child string) *Act {
	for _, r := range s.Rounds {
		for _, a := range r.Acts {
			if a.Child == child {
				return a
			}
		}
	}
	return nil
}

func (s *State) last() *Round {
	if len(s.Rounds) == 0 {
		return nil
	}
	return s.Rounds[len(s.Rounds)-1]
}

// Follows reports whether a round of a number may come next. The ids of its acts are made of it, so that no two rounds may have the same.
func (s *State) Follows(n int) bool { return len(s.Rounds) == 0 || n > s.last().N }

// running lists the released acts that have not ended, of all rounds.
func (s *State) running() []*Act {
	var acts []*Act
	for _, r := range s.Rounds {
		for _, a := range r.Acts {
			if a.Running() {
				acts = append(acts, a)
			}
		}
	}
	return acts
}

// unseen reports whether a result came that the newest round does not know of and that wants to be reasoned on. What that round
// itself trusts does not.
func (s *State) unseen() bool {
	last := s.last()
	for _, r := range s.Rounds {
		for _, a := range r.Acts {
			if a.Result != nil && a.Result.Seq > last.Seen && !(r == last && a.trusted()) {
				return true
			}
		}
	}
	return false
}

// trusted reports whether the act has ended so that the list goes on without reasoning.
func (a *Act) trusted() bool { return a.Result.Status == bus.OK && a.TrustMode == 1 }

// Text is the plain text of a JSON value: the string itself, or its JSON.
func Text(v json.RawMessage) string {
	var s string
	if len(v) > 0 && v[0] == '"' && json.Unmarshal(v, &s) == nil {
		return s
	}
	return string(v)
}

// JSONText is text as a JSON string, with no HTML escaping.
func JSONText(text string) json.RawMessage { return encode(text) }
