// Package tools is the hands of hmap: the actor in front of every tool, and what a tool is.
package tools

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/hmap-project/hmap/bus"
)

// Tool is a plain function with a card. What stands in front of it (schema validation, deadline, panic guard, shaping of the
// result) is the tool actor's business, so Run may trust its arguments.
type Tool struct {
	Card bus.Card
	// Run does the work. Its arguments hold the card's schema. It returns any JSON-encodable value, which becomes the
	// observation. A *bus.Error (wrapped or not) is a failure the agent reads and reacts to, worded for it; any other error is
	// our own fault and is reported as internal. An [*Ask] pauses the call. Run must end soon after ctx does, and must be safe from many goroutines.
	Run func(ctx context.Context, call *Call) (any, error)
}

// Call is one call of a tool.
type Call struct {
	// Request is the request as received. Request.Call is the idempotency key: the same for every repetition of this call.
	Request bus.Request
	// Progress tells the person who waits one line; never nil, does not block, may be dropped.
	Progress func(line string)
	// Attach adds an artifact to the result; never nil. Of a call that fails those are kept that the session already has.
	Attach func(bus.File)
	// Spend adds to what the call has cost; never nil.
	Spend func(bus.Usage)
	// Files keeps artifacts.
	Files *bus.Files

	stream *Stream // nil outside of a host
}

// Stream is where the tool writes text that the person who waits may read while it grows: the pieces of a model's answer, a report section
// by section. It is one for the call, and closed when the tool returns. In a call that no host made, as in tests, nobody reads it.
//
//	text := call.Stream()
//	for delta := range deltas {
//		text.Write(delta)
//	}
func (c *Call) Stream() *Stream {
	if c.stream == nil {
		return &Stream{}
	}
	return c.stream
}

// Ask as the error of a tool pauses its call: the person behind the task is asked, and the tool is called again with the same call id and
// with what they said in Request.Input. Its ID begins with the call's and "-". What the tool needs to go on it keeps itself.
type Ask struct{ bus.Ask }

// Error is the question.
func (a *Ask) Error() string { return a.Question }

// New makes a tool of a function with typed arguments: A is a struct that the parameter object is decoded into, R what is
// returned. card.Parameters must be the schema of A.
func New[A, R any](card bus.Card, run func(ctx context.Context, call *Call, args A) (R, error)) Tool {
	return Tool{Card: card, Run: func(ctx context.Context, call *Call) (any, error) {
		var args A
		if len(call.Request.Parameter) > 0 {
			if err := json.Unmarshal(call.Request.Parameter, &args); err != nil {
				return nil, &bus.Error{Code: bus.CodeInvalidParameter, Message: fmt.Sprintf("arguments of %s: %v", card.Name, err)}
			}
		}
		return run(ctx, call, args)
	}}
}
