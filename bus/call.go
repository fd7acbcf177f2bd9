package bus

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
)

// Cancellation is the body on a [CancelSubject]. Without Reply it means every attempt of the call.
type Cancellation struct {
	HMAP    string `json:"hmap"`
	Session string `json:"session,omitempty"`
	Task    string `json:"task,omitempty"`
	Reply   string `json:"reply,omitempty"` // the reply subject of the attempt
}

// Call asks the agent or tool req.ToolName and waits for its one final response; onProgress, when not nil, gets the working messages
// before it, from this goroutine, and some may be left out when it is slow. req needs Session, Task, Call and ToolName; HMAP is filled in,
// and Deadline when ctx has an earlier one.
//
// Whatever happens to the callee is told by the response: nobody of that name, silence for [Options.Silence], a node that died, a
// connection that was lost, or a reply that is none are status error with [CodeUnavailable], and so is a deadline that had passed before
// anybody was asked; one that passes later is [CodeTimeout]; a cancelled ctx is status cancelled. After the last two the callee is told to
// stop, which it may not hear, unless the cause of the ctx is [ErrLeaving]. Unavailable is retryable only when nobody can have taken the
// call; in all other cases the callee may have done its work, or be still at it, so whoever asks again does so with the same call id, and
// only if the card allows it. The error is for what is wrong on our side: [ErrBadName], [ErrTooLarge], a closed bus.
func (b *Bus) Call(ctx context.Context, req Request, onProgress func(Response)) (Response, error) {
	req.HMAP = Version
	if d, ok := ctx.Deadline(); ok && (req.Deadline.IsZero() || d.Before(req.Deadline)) {
		req.Deadline = d.UTC()
	}
	if !req.Deadline.IsZero() {
		req.Deadline = steady(req.Deadline)
	}
	if err := req.check(); err != nil {
		return Response{}, fmt.Errorf("call: %w", err)
	}
	body, err := encode(req)
	if err == nil {
		err = b.checkSize(body)
	}
	if err != nil {
		return Response{}, fmt.Errorf("call %s: %w", req.ToolName, err)
	}
	c := caller{bus: b, req: req, onProgress: onProgress}
	return c.run(ctx, body)
}

// caller is one attempt of one call.
type caller struct {
	bus        *Bus
	req        Request
	onProgress func(Response)
	asked      time.Time
	node       string          // who said it works on it
	gone       <-chan struct{} // closed when the lease of node lapses; nil while nothing is known
}

// repliesKept is how many replies wait for a caller busy with an earlier one.
const repliesKept = 64

func (c *caller) run(ctx context.Context, body []byte) (Response, error) {
	b := c.bus
	replies, err := b.replies.expect(repliesKept)
	if err != nil {
		return Response{}, fmt.Errorf("call %s: %w", c.req.ToolName, err)
	}
	defer replies.close()
	if !b.nc.IsClosed() && !b.nc.IsConnected() {
		return c.untaken("there is no connection to the bus"), nil
	}
	if !c.req.Deadline.IsZero() && !time.Now().Before(c.req.Deadline) {
		return c.untaken("its deadline passed before it could be asked"), nil
	}
	m := &nats.Msg{Subject: CallSubject(b.o.Tenant, c.req.ToolName), Reply: replies.subject, Data: body, Header: nats.Header{HeaderVersion: versionHeader}}
	if !c.req.Deadline.IsZero() {
		m.Header[HeaderLeft] = leftHeader(c.req.Deadline)
	}
	heard := time.Now()
	c.asked = heard
	if err := b.nc.PublishMsg(m); err != nil {
		return Response{}, fmt.Errorf("call %s: %w", c.req.ToolName, err)
	}
	timer := time.NewTimer(c.patience(heard))
	defer timer.Stop()
	for late := 0; ; {
		// What has been said counts before what has happened since; what goes on being said then does not.
		m, err := replies.take()
		switch {
		case m != nil:
			if r, final := c.hear(m); final {
				return r, nil
			}
			heard = time.Now()
			if c.over(ctx) {
				late++
			}
			if late > repliesKept {
				return c.ended(ctx, replies.subject), nil
			}
			continue
		case errors.Is(err, errLost):
			return c.fail(CodeUnavailable, "the connection to the bus was lost while waiting"), nil
		case err != nil:
			return Response{}, fmt.Errorf("call %s: %w", c.req.ToolName, err)
		}
		select {
		case <-replies.ready:
		case <-ctx.Done():
			return c.ended(ctx, replies.subject), nil
		case <-timer.C:
			switch {
			case c.over(ctx):
				return c.ended(ctx, replies.subject), nil
			case time.Since(heard) >= b.o.Silence:
				return c.fail(CodeUnavailable, fmt.Sprintf("not a word for %v", b.o.Silence)), nil
			}
			timer.Reset(c.patience(heard)) // a word came since the timer was set
		case <-c.gone:
			return c.fail(CodeUnavailable, "node "+c.node+", which worked on it, is gone"), nil
		}
	}
}

// patience is how long to wait from now on for a callee last heard then: until its silence or the deadline is too much.
func (c *caller) patience(heard time.Time) time.Duration {
	d := time.Until(heard.Add(c.bus.o.Silence))
	if !c.req.Deadline.IsZero() {
		d = min(d, time.Until(c.req.Deadline))
	}
	return d
}

// over reports whether the caller waits no longer: its ctx has ended, or the deadline has passed.
func (c *caller) over(ctx context.Context) bool {
	return ctx.Err() != nil || !c.req.Deadline.IsZero() && !time.Now().Before(c.req.Deadline)
}

// ended is what comes of a call that is over without an answer.
func (c *caller) ended(ctx context.Context, inbox string) Response {
	if !errors.Is(context.Cause(ctx), ErrLeaving) {
		c.tellCancel(inbox)
	}
	if ctx.Err() == context.Canceled {
		r := c.fail(CodeCancelled, "given up by the caller")
		r.Status = Cancelled
		return r
	}
	r := c.fail(CodeTimeout, "no answer before the deadline")
	r.Error.Retryable = true
	return r
}

// hear makes sense of one reply, and tells whether it ends the call.
func (c *caller) hear(m *nats.Msg) (r Response, final bool) {
	switch {
	case nobodyThere(m):
		c.bus.vacant(c.req.ToolName, c.asked)
		return c.untaken("nobody of that name is there"), true
	case m.Header.Get("Nats-Service-Error-Code") != "":
		return c.fail(CodeInternal, m.Header.Get("Nats-Service-Error")), true
	}
	r, err := parseResponse(m.Data, c.req.Call)
	if err != nil {
		return c.fail(CodeUnavailable, "its reply cannot be understood: "+err.Error()), true
	}
	if r.Status != Working {
		return r, true
	}
	if r.Node != "" && (r.Node != c.node || c.gone == nil) {
		c.node, c.gone = r.Node, c.bus.goneNode(r.Node)
	}
	if c.onProgress != nil {
		c.onProgress(r)
	}
	return r, false
}

// fail is a response in the callee's stead.
func (c *caller) fail(code, why string) Response {
	return Response{HMAP: Version, Call: c.req.Call, Status: Failed, Node: c.node, Error: &Error{Code: code, Message: c.req.ToolName + ": " + why}}
}

// untaken is fail where nobody can have begun with the call, so that it may be made again whatever it does.
func (c *caller) untaken(why string) Response {
	r := c.fail(CodeUnavailable, why)
	r.Error.Retryable = true
	return r
}

// Cancel tells whoever works on a call of a task that nobody wants it any more, whoever asked for it and however often: also one that asked and is dead. Like
// every cancellation it is sent once and may be lost.
func (b *Bus) Cancel(session, task, call string) { b.tellCancel(session, task, call, "") }

func (c *caller) tellCancel(inbox string) {
	c.bus.tellCancel(c.req.Session, c.req.Task, c.req.Call, inbox)
}

// tellCancel gives up the attempt that is answered at inbox; "": every one.
func (b *Bus) tellCancel(session, task, call, inbox string) {
	body, err := json.Marshal(Cancellation{Version, session, task, inbox})
	if err == nil {
		err = b.nc.Publish(CancelSubject(b.o.Tenant, call), body)
	}
	if err != nil {
		b.log.Debug("bus: a callee was not told to stop", "call", call, "err", err)
	}
}
