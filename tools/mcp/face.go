package mcp

import "time"

// face is what others see of a server: a snapshot that is never changed.
type face struct {
	State
	conn    *conn         // nil: not connected
	settled bool          // it has begun, or failed to, at least once
	changed chan struct{} // closed at the next face
}

// State is how a server stands.
type State struct {
	Server   string    `json:"server"`
	Kind     string    `json:"kind"`              // stdio, http or sse
	State    string    `json:"state"`             // starting, up, down, login (somebody has to sign in), stopped, or elsewhere
	Since    time.Time `json:"since"`             // of the state
	Is       string    `json:"is,omitempty"`      // what it calls itself
	Tools    int       `json:"tools"`             // on offer
	More     bool      `json:"more,omitempty"`    // it has more than may be offered
	Refused  []string  `json:"refused,omitempty"` // tools that cannot be offered, and why; the first ten
	Listed   time.Time `json:"listed,omitzero"`   // when it told its tools
	Restarts int       `json:"restarts"`
	Trouble  string    `json:"trouble,omitempty"` // why it is down, or where it is
}

// show makes a new face of the old one.
func (s *server) show(change func(*face)) {
	old := s.face.Load()
	next := *old
	next.changed = make(chan struct{})
	change(&next)
	if next.State.State != old.State.State {
		next.Since = time.Now().UTC()
	}
	s.face.Store(&next)
	close(old.changed)
}
