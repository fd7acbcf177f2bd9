package eval

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/hmap-project/hmap/actors/plan"
	"github.com/hmap-project/hmap/bus/mailbox"
)

// Batch plans a stream of requests. House is required if requests may come without tools of their own.
type Batch struct {
	// House gives the index for requests without tools. It is asked once, when the first of them comes; its error becomes that of each.
	House func() (*plan.Index, error)
	// Options are for the requests with tools of their own.
	Options plan.Options
	// Now resolves "tomorrow" in the requests.
	Now time.Time
	// Rejected is told of cards that came with a request and cannot be used; nil: nobody is. Line is that of the input, from 1. It is
	// called from one goroutine, in the order of the lines.
	Rejected func(line int, r plan.Reject)
	// Wrote is told after each line written how many lines were planned and how many failed; nil: nobody is. The same goroutine calls it.
	Wrote func(planned, failed int)
}

// planned is a line of the output: calls, or an error.
type planned struct {
	line    int
	id      json.RawMessage
	calls   []plan.Call
	bounded bool
	rejects []plan.Reject
	err     error
}

// Run reads a request a line, {"id","request","context"?,"tools"?}, and writes {"id","calls","bounded"?} or {"id"?,"error"} for each that is not
// blank, in their order and as soon as it can, planning on all cores. Other fields are ignored. A line that cannot be planned holds up no
// other. Its counts are of the lines written.
//
// The error is of in, of out or of ctx, with what was planned until then written; Run returns when a Read that is under way does.
func (b Batch) Run(ctx context.Context, in io.Reader, out io.Writer) (done, failed int, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	type task struct {
		line int
		text []byte
		err  error
		to   chan planned // holds one
	}
	cores := runtime.GOMAXPROCS(0)
	work, order := make(chan task), make(chan chan planned, 4*cores)
	house := sync.OnceValues(b.House)
	var all sync.WaitGroup
	for range cores {
		all.Go(func() {
			p := planner{Batch: b, house: house}
			for t := range work {
				t.to <- p.line(t.line, t.text, t.err)
			}
		})
	}
	all.Go(func() {
		for to := range order {
			p := <-to
			if context.Cause(ctx) != nil {
				continue
			}
			if err := b.write(out, p); err != nil {
				cancel(err)
				continue
			}
			if p.err != nil {
				failed++
			} else {
				done++
			}
			if b.Wrote != nil {
				b.Wrote(done, failed)
			}
		}
	})
	err = func() error {
		defer all.Wait()
		defer close(order)
		defer close(work)
		for l := newLines(in); ; {
			text, err := l.next()
			if err == io.EOF {
				return nil
			}
			if err != nil && !errors.Is(err, errLong) {
				return fmt.Errorf("line %d: %w", l.n, err)
			}
			t := task{l.n, text, err, make(chan planned, 1)}
			select {
			case order <- t.to:
				work <- t
			case <-ctx.Done():
				return nil
			}
		}
	}()
	if cause := context.Cause(ctx); cause != nil {
		err = cause
	}
	return done, failed, err
}

func (b Batch) write(out io.Writer, p planned) error {
	if b.Rejected != nil {
		for _, r := range p.rejects {
			b.Rejected(p.line, r)
		}
	}
	var line any = struct {
		ID      json.RawMessage `json:"id,omitempty"`
		Calls   []plan.Call     `json:"calls"`
		Bounded bool            `json:"bounded,omitempty"`
	}{p.id, append([]plan.Call{}, p.calls...), p.bounded}
	if p.err != nil {
		line = struct {
			ID    json.RawMessage `json:"id,omitempty"`
			Error string          `json:"error"`
		}{p.id, fmt.Sprintf("line %d: %v", p.line, p.err)}
	}
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	if err := e.Encode(line); err != nil {
		return err
	}
	_, err := out.Write(text.Bytes())
	return err
}

// planner plans lines, one after the other.
type planner struct {
	Batch
	house func() (*plan.Index, error)
	tools []byte // of the last line that brought any, and what became of them: lines often bring the same
	index *plan.Index
	left  []plan.Reject
}

func (p *planner) line(n int, text []byte, err error) planned {
	out := planned{line: n, err: err}
	if err != nil {
		return out
	}
	if panicked := mailbox.Catch(func() { out.err = p.plan(text, &out) }); panicked != nil {
		out.err = fmt.Errorf("a defect of the planner: %v", panicked.Value)
	}
	return out
}

func (p *planner) plan(text []byte, out *planned) error {
	var r request
	err := json.Unmarshal(text, &r)
	out.id = r.ID
	if err != nil {
		return errors.New(wrong(err))
	}
	if strings.TrimSpace(r.Request) == "" {
		return errors.New(`"request" is empty; say in plain language what is wanted`)
	}
	x, err := p.of(r, out)
	if err != nil {
		return err
	}
	out.calls, out.bounded = x.PlanBounded(plan.Input{Request: r.Request, Context: r.Context, Now: p.Now})
	return nil
}

// of is the index for the tools of a request, or that of the house when it brings none.
func (p *planner) of(r request, out *planned) (*plan.Index, error) {
	if p.index == nil || !bytes.Equal(p.tools, r.Tools) {
		cards, rejects, own, err := r.own()
		if !own {
			return p.house()
		}
		if err != nil {
			return nil, err
		}
		p.index = plan.NewIndex(cards, p.Options)
		p.left, p.tools = append(rejects, p.index.Rejects...), r.Tools
		out.rejects = p.left
	}
	switch {
	case p.index.Len() > 0:
		return p.index, nil
	case len(p.left) > 0:
		return nil, fmt.Errorf("%w in its tools: %s: %s", ErrNoCards, p.left[0].Name, p.left[0].Reason)
	}
	return nil, fmt.Errorf("%w in its tools", ErrNoCards)
}
