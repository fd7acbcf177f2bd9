package mcp

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/hmap-project/hmap/bus"
)

// inFlight is the key of a context under which its call is found.
type inFlight struct{}

// desk knows the calls under way on a connection, and answers what the server asks meanwhile.
type desk struct {
	mu    sync.Mutex
	calls map[*flight]struct{}
}

func (d *desk) enter(f *flight) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.calls == nil {
		d.calls = map[*flight]struct{}{}
	}
	d.calls[f] = struct{}{}
}

func (d *desk) leave(f *flight) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.calls, f)
}

// whose finds the call that a server's request is made for: the newest protocol tells it; else it is the only one under way. nil: it
// cannot be known, and a question meant for one person must not reach another.
func (d *desk) whose(ctx context.Context) *flight {
	if f, ok := ctx.Value(inFlight{}).(*flight); ok {
		return f
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.calls) != 1 {
		return nil
	}
	for f := range d.calls {
		return f
	}
	return nil
}

// Elicit asks the person, field by field, on behalf of a server. It runs in a goroutine of its own.
func (d *desk) Elicit(ctx context.Context, r mcp.ElicitationRequest) (*mcp.ElicitationResult, error) {
	answer := func(action mcp.ElicitationResponseAction, content map[string]any) *mcp.ElicitationResult {
		out := &mcp.ElicitationResult{}
		out.Action = action
		if content != nil {
			out.Content = content
		}
		return out
	}
	f := d.whose(ctx)
	if f == nil {
		return answer(mcp.ElicitationResponseActionDecline, nil), nil
	}
	if r.Params.Mode == mcp.ElicitationModeURL {
		return answer(f.visit(r.Params), nil), nil
	}
	fields, err := form(r.Params.RequestedSchema)
	if err != nil {
		return nil, err
	}
	message := clip(plain(r.Params.Message), 1000)
	if len(fields) == 0 {
		in, err := f.ask(bus.Ask{Question: message, Options: []string{"accept", "decline"}})
		switch {
		case err != nil || in.Kind == bus.Cancel || in.Kind == bus.Expire:
			return answer(mcp.ElicitationResponseActionCancel, nil), nil
		case in.Kind == bus.Refuse || strings.EqualFold(strings.TrimSpace(in.Text), "decline"):
			return answer(mcp.ElicitationResponseActionDecline, nil), nil
		}
		return answer(mcp.ElicitationResponseActionAccept, map[string]any{}), nil
	}
	content := map[string]any{}
	for _, field := range fields {
		text := message
		if len(fields) > 1 || !strings.Contains(message, field.title) {
			text += "\n" + field.title
		}
		for try := 0; ; try++ {
			in, err := f.ask(bus.Ask{Question: text, Options: field.options, Parameter: field.name})
			switch {
			case err != nil || in.Kind == bus.Cancel || in.Kind == bus.Expire:
				return answer(mcp.ElicitationResponseActionCancel, nil), nil
			case in.Kind == bus.Refuse:
				return answer(mcp.ElicitationResponseActionDecline, nil), nil
			}
			value, err := field.read(in.Text)
			if err == nil {
				content[field.name] = value
				break
			}
			if try == 2 {
				return answer(mcp.ElicitationResponseActionCancel, nil), nil
			}
			text = fmt.Sprintf("%s\n%s (%v)", message, field.title, err)
		}
	}
	return answer(mcp.ElicitationResponseActionAccept, content), nil
}

// visit shows the person an address that a server wants them to go to, as for a sign-in, and asks whether they have been there. We never
// open it: what is said there is between them and whoever is behind it. An address that is no page of the web is declined.
func (f *flight) visit(p mcp.ElicitationParams) mcp.ElicitationResponseAction {
	u, err := url.Parse(p.URL)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.User != nil || len(p.URL) > maxAddress || plain(p.URL) != p.URL {
		return mcp.ElicitationResponseActionDecline
	}
	question := fmt.Sprintf("%s\n%s\nIt leads to %s. Open it if you trust that, and answer yes when you are done there. 请自行打开该链接，完成后回答 yes；不愿意就回答 no。",
		clip(plain(p.Message), 1000), u, u.Host)
	in, err := f.ask(bus.Ask{Question: strings.TrimSpace(question), Options: []string{"yes", "no"}})
	switch {
	case err != nil || in.Kind == bus.Cancel || in.Kind == bus.Expire:
		return mcp.ElicitationResponseActionCancel
	case in.Kind == bus.Refuse:
		return mcp.ElicitationResponseActionDecline
	}
	if yes, err := (&field{kind: "boolean"}).read(in.Text); err == nil && yes == true {
		return mcp.ElicitationResponseActionAccept
	}
	return mcp.ElicitationResponseActionDecline
}

const (
	maxAddress = 2000 // bytes of an address that a person is sent to
	maxVisits  = 4    // addresses in one refusal, and refusals in one call
)

// sent reports whether the person has been where a server sends them before it does anything.
func (f *flight) sent(e mcp.URLElicitationRequiredError) bool {
	if len(e.Elicitations) == 0 || len(e.Elicitations) > maxVisits {
		return false
	}
	for _, p := range e.Elicitations {
		if f.visit(p) != mcp.ElicitationResponseActionAccept {
			return false
		}
	}
	return true
}
