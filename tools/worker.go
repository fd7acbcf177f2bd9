package tools

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/bus/mailbox"
)

const (
	// unwind is how long a tool may take to return after its context has ended. Longer, and it is given up on: answered for
	// and left behind in its slot, since a goroutine cannot be stopped from outside.
	unwind = time.Second
	// maxAttached bounds the artifacts of one result.
	maxAttached = 64
	// maxMessage bounds the message of an error, in bytes.
	maxMessage = 4 << 10
)

// worker runs calls of one tool: arguments in, response out. It has no state and is safe from many goroutines.
type worker struct {
	tool       Tool
	parameters *schema
	returns    *schema
	timeout    time.Duration
	maxResult  int // bytes
	stream     bus.StreamMode
	files      *bus.Files
	wanted     func(context.Context, bus.Request) error // whether an unsafe call is still to be made
	log        *slog.Logger
}

// run carries out one call and turns every way it can end into a response. It returns when the tool does, whatever becomes of ctx.
func (w *worker) run(ctx context.Context, request bus.Request, progress, text func(string)) (answer bus.Response) {
	stream := newStream(w.stream, text)
	if m := request.StreamMode; m != nil && m.Mode != "" {
		stream = newStream(*m, text)
	}
	defer stream.Close()
	if p := mailbox.Catch(func() { answer = w.carryOut(ctx, request, progress, stream) }); p != nil {
		w.log.Error("tool: panic", slog.String("tool", w.tool.Card.Name), slog.String("call", request.Call), slog.Any("panic", p.Value), slog.String("stack", string(p.Stack)))
		return w.fail(ctx, fmt.Errorf("panic: %v", p.Value))
	}
	return answer
}

func (w *worker) carryOut(ctx context.Context, request bus.Request, progress func(string), stream *Stream) bus.Response {
	arguments, err := w.parameters.arguments(w.tool.Card.Name, request.Parameter)
	if err != nil {
		return failed(&bus.Error{Code: bus.CodeInvalidParameter, Message: clip(err.Error(), maxMessage)})
	}
	request.Parameter = arguments
	var mu sync.Mutex
	var attached []bus.File
	var spent bus.Usage
	call := &Call{Request: request, Progress: progress, Files: w.files, stream: stream, Attach: func(f bus.File) {
		mu.Lock()
		defer mu.Unlock()
		if len(attached) < maxAttached {
			attached = append(attached, f)
		}
	}, Spend: func(u bus.Usage) {
		mu.Lock()
		defer mu.Unlock()
		spent = spent.Add(u)
	}}
	cost := func() *bus.Usage {
		mu.Lock()
		defer mu.Unlock()
		if spent == (bus.Usage{}) {
			return nil
		}
		return &spent
	}
	if w.tool.Card.Effect == bus.Unsafe {
		if err := w.wanted(ctx, request); err != nil {
			return w.notWanted(ctx, err)
		}
	}
	value, err := w.tool.Run(ctx, call)
	var observation, whole []byte
	if err == nil {
		observation, whole, err = w.shape(value)
	}
	if err != nil {
		answer := w.fail(ctx, err)
		answer.Usage = cost()
		mu.Lock()
		defer mu.Unlock()
		answer.Files = call.known(ctx, attached)
		return answer
	}
	if whole != nil {
		w.store(ctx, call, whole)
	}
	usage := cost()
	mu.Lock()
	defer mu.Unlock()
	return bus.Response{Status: bus.OK, Observation: observation, Files: attached, Usage: usage}
}

// shape makes the observation of what the function returned. whole is the full text when the observation had to be
// shortened, else nil.
func (w *worker) shape(value any) (observation json.RawMessage, whole []byte, err error) {
	text, err := encode(value)
	if err != nil {
		return nil, nil, fmt.Errorf("its result is not JSON: %w", err)
	}
	if w.returns == nil && len(text) <= w.maxResult {
		return text, nil, nil
	}
	parsed, err := parse(text)
	if err != nil {
		return nil, nil, fmt.Errorf("its result: %w", err)
	}
	if problems := w.returns.problems(parsed); len(problems) > 0 {
		return nil, nil, fmt.Errorf("its result does not hold its own schema: %s", strings.Join(problems, "; "))
	}
	if len(text) <= w.maxResult {
		return text, nil, nil
	}
	observation, err = encode(shorten(parsed, w.maxResult))
	return observation, text, err
}

// store attaches a full result. A store that fails costs the rest of the text, not the call: the effect has happened.
func (w *worker) store(ctx context.Context, call *Call, whole []byte) {
	id := call.Request.Call
	name, mediaType := id+".json", "application/json"
	var text string
	if json.Unmarshal(whole, &text) == nil {
		name, mediaType, whole = id+".txt", "text/plain; charset=utf-8", []byte(text)
	}
	description := fmt.Sprintf("full result of %s (%d bytes); the observation is shortened", w.tool.Card.Name, len(whole))
	f, err := w.files.Put(ctx, name, mediaType, description, bytes.NewReader(whole))
	if err != nil {
		w.log.Error("tool: the full result could not be kept", slog.String("tool", w.tool.Card.Name), slog.String("call", id), slog.Any("error", err))
		return
	}
	call.Attach(f)
}

// fail turns an error of the function into a response. What the tool words as a *bus.Error stands; an error after the end of
// the call's time is that end; all else is ours.
func (w *worker) fail(ctx context.Context, err error) bus.Response {
	var asks *Ask
	if errors.As(err, &asks) {
		return bus.Response{Status: bus.InputRequired, Ask: &asks.Ask}
	}
	var told *bus.Error
	if errors.As(err, &told) {
		kept := *told
		kept.Message = clip(kept.Message, maxMessage)
		return failed(&kept)
	}
	if ctx.Err() != nil && (errors.Is(err, ctx.Err()) || errors.Is(err, context.Cause(ctx))) {
		return w.gaveUp(context.Cause(ctx), true)
	}
	return failed(&bus.Error{Code: bus.CodeInternal, Message: clip(fmt.Sprintf("%s failed: %v", w.tool.Card.Name, err), maxMessage)})
}

// neverBegan is the response of a call that still waited for a slot: nothing of it was done, so that even an unsafe one may be asked
// again.
func (w *worker) neverBegan(cause error) bus.Response {
	switch {
	case errors.Is(cause, errCancelled):
		return w.gaveUp(cause, true)
	case errors.Is(cause, errStopping):
		return failed(&bus.Error{Code: bus.CodeUnavailable, Message: w.tool.Card.Name + " was stopped before it began", Retryable: true})
	}
	return failed(&bus.Error{Code: bus.CodeBusy, Message: w.tool.Card.Name + " had too much to do, and had not begun by the deadline", Retryable: true})
}

// notWanted is the response of a call that was not begun, because the log does not say that it is still to be made, or could not be asked. Who asks under
// the same id by a newer intent is not meant by that, so it is nothing to be remembered.
func (w *worker) notWanted(ctx context.Context, err error) bus.Response {
	if ctx.Err() != nil {
		return w.neverBegan(context.Cause(ctx))
	}
	return failed(&bus.Error{Code: bus.CodeUnavailable, Message: clip(fmt.Sprintf("%s was not begun: %v", w.tool.Card.Name, err), maxMessage), Retryable: true})
}

// gaveUp answers for a call that ended before the tool was done, by the cause. over says that nothing goes on any more: the
// tool has come back. If not, the effect of an unsafe tool is in doubt.
func (w *worker) gaveUp(cause error, over bool) bus.Response {
	name := w.tool.Card.Name
	if !over && w.tool.Card.Effect == bus.Unsafe {
		return failed(&bus.Error{
			Code:    bus.CodeInDoubt,
			Message: fmt.Sprintf("%s did not come back (%v); whether it took effect is not known", name, cause),
		})
	}
	switch {
	case errors.Is(cause, errCancelled):
		return bus.Response{Status: bus.Cancelled, Error: &bus.Error{Code: bus.CodeCancelled, Message: name + " was cancelled by the caller"}}
	case errors.Is(cause, errStopping):
		return failed(&bus.Error{Code: bus.CodeUnavailable, Message: name + " was stopped before it was done", Retryable: w.tool.Card.Effect != bus.Unsafe})
	}
	return failed(&bus.Error{
		Code:      bus.CodeTimeout,
		Message:   fmt.Sprintf("%s was not done by its deadline (it has %v at most)", name, w.timeout),
		Retryable: w.tool.Card.Effect != bus.Unsafe,
	})
}
