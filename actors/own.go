package actors

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/hmap-project/hmap/actors/round"
	"github.com/hmap-project/hmap/bus"
)

// standing is how a call stands to this node.
type standing int

const (
	ours      standing = iota // claimed: this node goes on with it
	ended                     // it has its response
	elsewhere                 // a node that is alive works on it
	asking                    // it waits for a person
)

// own takes a call up: it begins the call with the record first (nil: it must have been begun), or claims it from its log if nobody
// who is alive works on it. input, if not nil, is what a caller brings to a child call that waits for a person. Every way to a
// running call leads through here, since each must ask the same: has it ended, who has it, may it be had? A call that has cost too
// many executors is ended instead.
func (t *Team) own(ctx context.Context, k callKey, first *bus.Record, input *bus.Input) (*round.State, standing, error) {
	if first != nil {
		s := &round.State{}
		err := t.write(ctx, s, first)
		if err == nil {
			return s, ours, nil
		}
		if !errors.Is(err, bus.ErrFenced) {
			return nil, 0, err
		}
	}
	for n := 0; ; n++ {
		s, err := t.load(ctx, k)
		if err != nil {
			return nil, 0, err
		}
		at, err := t.stands(ctx, s, input)
		if err != nil || at != ours {
			return s, at, err
		}
		if first != nil && t.begunHere(s) { // it was stored although we were not told so
			return s, ours, nil
		}
		if s.Stalled >= maxAttempts {
			if err = t.poison(ctx, s); err == nil {
				return s, ended, nil
			}
		} else if err = t.claim(ctx, s, input); err == nil {
			return s, ours, nil
		}
		if !errors.Is(err, bus.ErrFenced) {
			return nil, 0, err
		}
		// Somebody was faster, or a replica that lags was read: see how it stands now.
		if !pause(ctx, min(time.Duration(n)*10*time.Millisecond, time.Second)) {
			return nil, 0, ctx.Err()
		}
	}
}

// stands reports whether a call may be claimed, by its log and, for a task, by the index.
func (t *Team) stands(ctx context.Context, s *round.State, input *bus.Input) (standing, error) {
	away := s.Node != t.bus.Node() && t.bus.Alive(s.Node)
	switch {
	case s.Ended():
		return ended, nil
	case s.Root():
		o, found, err := t.bus.OpenTask(ctx, s.Session, s.Task)
		switch {
		case err != nil:
			return 0, err
		case away && !(found && o.Waiting): // a living node, which has not parked it
			return elsewhere, nil
		}
		return ours, nil
	case len(s.OpenAsks()) > 0 && input == nil && s.Cancel == nil:
		return asking, nil
	case away && len(s.OpenAsks()) == 0:
		return elsewhere, nil
	}
	return ours, nil
}

// begunHere reports whether this node began a call and nothing has become of it yet, so that to go on is no new claim.
func (t *Team) begunHere(s *round.State) bool {
	return s.Attempt == 1 && max(s.Last, s.LastInput) == s.Began && s.Node == t.bus.Node() && s.Begun.After(t.begun)
}

// claim appends the claim, and the input that a caller brought. Without a claim goes on only who slept, with nothing on its way: another process
// may have had this node's name, and must not be taken for us where it began something of which nobody knows what became of it.
func (t *Team) claim(ctx context.Context, s *round.State, input *bus.Input) error {
	r := bus.Record{Session: s.Session, Task: s.Task, Call: s.Call, Parent: s.Request.Parent, Agent: s.Agent, Node: t.bus.Node()}
	if input != nil && input.Kind != bus.Cancel && len(s.OpenAsks()) == 0 { // answered before
		input = nil
	}
	if s.Node != t.bus.Node() || input == nil || s.Acting() {
		c := r
		c.Kind, c.Attempt, c.Orderly = bus.KindClaim, s.Attempt+1, t.bus.LeftInOrder(ctx, s.Node)
		if err := t.write(ctx, s, &c); err != nil {
			return err
		}
	}
	if input == nil {
		return nil
	}
	r.Kind, r.Input = bus.KindInput, input
	return t.write(ctx, s, &r)
}

// write appends a record and folds it.
func (t *Team) write(ctx context.Context, s *round.State, r *bus.Record) error {
	seq, err := t.bus.Append(ctx, r, s.Last)
	if err != nil {
		return err
	}
	done := *r
	done.Seq = seq
	s.Fold(&done)
	return nil
}

// load folds the log of one call. A root call's inputs are folded with it.
func (t *Team) load(ctx context.Context, k callKey) (*round.State, error) {
	records, last, err := t.bus.ReadCall(ctx, bus.Where{Session: k.session, Task: k.task, Call: k.call})
	if err != nil {
		return nil, err
	}
	s := &round.State{}
	for _, r := range records {
		s.Fold(&r)
	}
	s.Fold(&bus.Record{Call: k.call, Seq: last}) // what is no record counts as a place: the fence stands behind it
	if s.Agent == "" {
		return nil, fmt.Errorf("call %s: %w", k.call, bus.ErrNotFound)
	}
	return s, nil
}

// poison ends a call that has cost too many executors their life. A task is kept with the dead letters first, so that it is in one
// of the two places whatever happens in between; when somebody lives with it after all, its letter is taken back.
func (t *Team) poison(ctx context.Context, s *round.State) error {
	var letter uint64
	var err error
	e := &bus.Error{Code: bus.CodePoison, Message: fmt.Sprintf("%d executors in a row went down with it; see the dead letters", s.Stalled)}
	if s.Root() {
		q := s.Request
		letter, err = t.bus.Bury(ctx, s.Agent, bus.Submission{
			Query: q.JobDesc, Session: s.Session, Task: s.Task, Mode: q.Mode, Output: q.Output, Files: q.Files, Budget: q.Budget,
			DisableTools: q.DisableTools, MCPServers: q.MCPServers, ReplyTo: q.ReplyTo,
		}, s.Attempt, e)
		if err != nil {
			return err
		}
	}
	err = t.write(ctx, s, s.Broken(e, round.Terms{Now: time.Now(), Language: spoken(&s.Request)}))
	if letter == 0 || !errors.Is(err, bus.ErrFenced) {
		return err
	}
	now, unseen := t.load(ctx, callKey{session: s.Session, task: s.Task, call: s.Call})
	switch {
	case unseen != nil || now.Last <= s.Last: // a replica that lags does not show who was faster
		return err
	case now.Ended() && now.Response.Error != nil && now.Response.Error.Code == bus.CodePoison: // another who gave it up needs the letter
		return err
	case !now.Ended() && now.Stalled >= maxAttempts: // so do we, in a moment; one of this many tries would not be buried again
		return err
	}
	return errors.Join(err, t.bus.Unbury(ctx, letter))
}
