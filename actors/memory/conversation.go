package memory

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/hmap-project/hmap/actors/round"
	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/bus/consent"
)

// Turn is one task of a session as the conversation knows it.
type Turn struct {
	Task    string     `json:"task"`
	Request string     `json:"request"`
	Answer  string     `json:"answer,omitempty"`  // "" while it runs
	Status  bus.Status `json:"status,omitempty"`  // "" while it runs
	Ask     *bus.Ask   `json:"ask,omitempty"`     // the question that is open at the end of the turn
	Refused bool       `json:"refused,omitempty"` // the person did not agree to something that was to be done
	Files   []bus.File `json:"files,omitempty"`
	At      time.Time  `json:"at"`
	Seq     uint64     `json:"seq"` // of the newest record in it

	ended time.Time // by [TurnOf] only
}

// Ended reports whether the task has its response.
func (t Turn) Ended() bool { return t.Status != "" }

// The bounds of what is kept of a session. Of what is older, the records are in the log.
const (
	maxTurns    = 64   // that have ended
	maxFiles    = 32   // of a turn
	wholeTurns  = 3    // the newest that have ended, of which a later turn may mean a row of what they listed
	newestText  = 4000 // characters of their requests and answers
	recentText  = 1000 // of those before, unless the window is larger: Fit wants a quarter of that
	olderText   = 400  // of those that no window holds: Digest wants less
	bytesToken  = 12   // a snapshot's room for each token of the window: characters of three bytes, with some air
	leastBytes  = 48 << 10
	mostBytes   = 512 << 10 // half of what a message may have
	bytesAround = 200       // of a turn or a file: names, times and marks
)

// Conversation is a session folded up to a place in the log: its head, and the last of its turns, oldest first. Not safe for
// concurrent use.
type Conversation struct {
	bus.Snapshot // Memory is always nil: it is the Turns
	Turns        []Turn
}

// Fold takes the session's next record, in the order of the log. A record that is in it already changes nothing; those of calls below a
// task are only counted as read.
func (c *Conversation) Fold(r bus.Record) {
	if r.Seq <= c.Seq {
		return
	}
	c.Seq = r.Seq
	if c.Last.Before(r.Time) {
		c.Last = r.Time
	}
	if r.Call != r.Task {
		return
	}
	i := c.find(r.Task)
	if i < 0 {
		if r.Kind == bus.KindRequest && r.Request != nil {
			c.begin(Turn{Task: r.Task, Request: r.Request.JobDesc, Files: r.Request.Files, At: r.Time, Seq: r.Seq})
		}
		return
	}
	t := &c.Turns[i]
	if r.Seq <= t.Seq { // put in as a whole when it ended
		return
	}
	t.Seq = r.Seq
	switch r.Kind {
	case bus.KindAsk:
		t.Ask = r.Ask
	case bus.KindInput:
		if r.Input == nil || r.Input.Kind == bus.Steer {
			return
		}
		a := round.Answered{Input: *r.Input}
		if t.Ask != nil {
			a.Ask, t.Ask = *t.Ask, nil
		}
		t.said(a)
	case bus.KindResponse:
		t.Answer, t.Status, t.Files = round.Text(r.Observation), r.Status, r.Files
		if r.Status == bus.OK {
			t.Ask = nil
		}
	}
}

func (c *Conversation) find(task string) int {
	return slices.IndexFunc(c.Turns, func(t Turn) bool { return t.Task == task })
}

func (c *Conversation) begin(t Turn) {
	if c.Tasks == 0 {
		c.Title, c.First = t.Request, t.At
	}
	c.Tasks++
	c.Turns = append(c.Turns, t)
}

// End puts the turn of a task that has ended into the conversation, which has read the log only up to its beginning.
func (c *Conversation) End(t Turn) {
	if c.Last.Before(t.ended) {
		c.Last = t.ended
	}
	i := c.find(t.Task)
	if i < 0 {
		c.begin(t)
	} else if c.Turns[i].Seq < t.Seq {
		c.Turns[i] = t
	}
}

// Before is the turns that began before the task did, without the task itself; all of them when it is not among them.
func (c *Conversation) Before(task string) []Turn {
	if i := c.find(task); i >= 0 {
		return c.Turns[:i:i]
	}
	return c.Turns
}

// bound cuts what is more than a window of so many tokens can need: long texts of the newest turns in half of the room, and short
// ones before them. A turn that has not ended stays.
func (c *Conversation) bound(window int) {
	room := min(max(leastBytes, bytesToken*window), mostBytes)
	used, whole, kept := 0, 0, 0
	for i := len(c.Turns) - 1; i >= 0; i-- {
		t := c.Turns[i]
		limit := newestText
		if whole >= wholeTurns {
			limit = max(recentText, window/4)
		}
		if t.Ended() {
			whole++
		}
		if t.cut(limit); whole > 1 && used+t.bytes() > room/2 {
			t.cut(olderText)
		}
		used += t.bytes()
		if full := kept >= maxTurns || used > room && kept > 0; full && t.Ended() {
			continue
		}
		c.Turns[len(c.Turns)-1-kept] = t
		kept++
	}
	c.Turns = c.Turns[len(c.Turns)-kept:]
}

func (t *Turn) cut(limit int) {
	t.Request, t.Answer = Shorten(t.Request, limit), Shorten(t.Answer, limit)
	n := min(len(t.Files), maxFiles)
	t.Files = t.Files[:n:n]
}

func (t *Turn) bytes() int { return len(t.Request) + len(t.Answer) + bytesAround*(1+len(t.Files)) }

// TurnOf is what a conversation keeps of a task that has ended.
func TurnOf(s *round.State) Turn {
	r := s.Response
	t := Turn{ended: r.Time, Task: s.Task, Request: s.Request.JobDesc, Answer: round.Text(r.Observation), Status: r.Status, Files: r.Files, At: s.Begun, Seq: max(r.Seq, s.LastInput)}
	for _, a := range s.Answers {
		t.said(a)
	}
	if asks := s.OpenAsks(); len(asks) > 0 && r.Status != bus.OK {
		t.Ask = &asks[len(asks)-1]
	}
	return t
}

// said takes what a person answered. It is a part of the request when it answers a question; to an ask for leave it is yes or no, which no
// later turn may take for a wish.
func (t *Turn) said(a round.Answered) {
	switch {
	case a.Ask.Kind == bus.Approval:
		t.Refused = t.Refused || consent.To(a.Ask, a.Input) == consent.No
	case a.Input.Kind == bus.Answer && a.Input.Text != "":
		t.Request += "\n" + a.Input.Text
	}
}

// restore reads a snapshot. One without memory, or with one that cannot be read, is an empty conversation: the log has it all.
func restore(s bus.Snapshot) *Conversation {
	c := &Conversation{Snapshot: s}
	c.Memory = nil
	if s.Tasks == 0 && s.Memory == nil || json.Unmarshal(s.Memory, &c.Turns) == nil { // nothing is there, or what says so
		return c
	}
	return &Conversation{Snapshot: bus.Snapshot{Session: bus.Session{ID: s.ID}, Revision: s.Revision}}
}
