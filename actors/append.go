package actors

import (
	"context"
	"errors"

	"github.com/hmap-project/hmap/bus"
)

// append sends one record; the next is sent when this one is folded.
func (c *call) append(e entry) {
	c.busy = true
	if k := e.record.Kind; c.unused != (bus.Usage{}) && (k == bus.KindRound || k == bus.KindResponse) {
		if spent := e.record.Usage; spent != nil {
			c.unused = c.unused.Add(*spent)
		}
		spent := c.unused
		e.record.Usage, c.unused = &spent, bus.Usage{}
	}
	engine, pid := c.team.engine, c.pid
	err := c.team.bus.TryAppend(e.record, c.state.Last, func(a bus.Attempt) { engine.Send(pid, &tried{e, a}) })
	if err != nil {
		engine.Send(pid, &appended{e, 0, err})
	}
}

// tried folds a record that was stored, or goes on until it is known, beside the actor.
func (c *call) tried(m *tried) {
	if m.attempt.Seq > 0 {
		c.appended(&appended{m.entry, m.attempt.Seq, nil})
		return
	}
	c.beside.Go(func(ctx context.Context) any {
		seq, err := m.attempt.Insist(ctx)
		return &appended{m.entry, seq, err}
	})
}

func (c *call) appended(m *appended) {
	c.busy = false
	switch {
	case errors.Is(m.err, bus.ErrTooLarge) && c.cut(m.entry):
		c.advance()
		return
	case m.err != nil:
		if !errors.Is(m.err, context.Canceled) {
			c.drop(m.err.Error())
		}
		return
	}
	m.entry.record.Seq = m.seq
	c.state.Fold(m.entry.record)
	if m.entry.key != "" {
		if j := c.jobs[m.entry.key]; j != nil {
			j.end(nil)
			delete(c.jobs, m.entry.key)
		}
	}
	c.advance()
}

// cut puts something smaller in the place of a record that no message can hold: a result becomes a failed one that says so, and
// anything else ends the call. False: that was tried already.
func (c *call) cut(e entry) bool {
	why := &bus.Error{Code: bus.CodeInternal, Message: "a " + string(e.record.Kind) + " record was too large for a message; ask for less at a time"}
	var less *bus.Record
	switch {
	case e.record.Kind == bus.KindResponse && e.record.Error != nil && e.record.Error.Message == why.Message:
		return false
	case e.record.Kind == bus.KindResult && (e.record.Error == nil || e.record.Error.Message != why.Message):
		less = e.record
		less.Status, less.Observation, less.Files, less.Error = bus.Failed, nil, nil, why
	default:
		less = c.state.Broken(why, c.terms())
		less.Files = nil
	}
	c.queue = append([]entry{{less, e.key}}, c.queue...)
	return true
}
