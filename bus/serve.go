package bus

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/micro"
)

// queueGroup is shared by all who serve the same name, so each request goes to one of them.
const queueGroup = "hmap"

// workingEvery is how often a callee says that it still works, at most.
const workingEvery = 10 * time.Second

// firstWord is when it says so first: from then on the caller knows which node has the call, and hears at once when that dies.
const firstWord = 200 * time.Millisecond

// Service is an agent or a tool that can be called.
type Service struct {
	bus  *Bus
	svc  micro.Service
	once sync.Once
}

// Serve makes an agent or tool reachable under its card's name and tells everybody. handle gets one request at a time and must not
// block: it starts the work elsewhere, which answers by [Incoming.Respond]. It must not panic either. Bodies that are no requests are
// answered here. Several may serve one name with the same card; each request goes to one of them. When Serve returns the server knows of
// it, or the connection is away and it will know.
//
// The error says what is wrong with the card: one that [Directory] would reject is refused here.
func (b *Bus) Serve(card Card, handle func(*Incoming)) (*Service, error) {
	card = card.filled()
	meta, err := card.metadata()
	if err != nil {
		return nil, fmt.Errorf("serve %.80q: %w", card.Name, err)
	}
	meta["tenant"], meta["node"], meta["since"] = b.o.Tenant, b.o.Node, time.Now().UTC().Format(time.RFC3339Nano)
	if _, err := parseCard(card.Name, card.Version, meta); err != nil {
		return nil, fmt.Errorf("serve %.80q: %w", card.Name, err)
	}
	if err := b.cancels.listen(b); err != nil {
		return nil, fmt.Errorf("serve %s: %w", card.Name, err)
	}
	svc, err := micro.AddService(b.nc, micro.Config{Name: card.Name, Version: card.Version, Description: card.Description,
		Metadata: meta, QueueGroup: queueGroup})
	if err != nil {
		return nil, fmt.Errorf("serve %s: %w", card.Name, err)
	}
	s := &Service{bus: b, svc: svc}
	err = svc.AddEndpoint("call", micro.HandlerFunc(func(r micro.Request) { b.receive(card.Name, r, handle) }),
		micro.WithEndpointSubject(CallSubject(b.o.Tenant, card.Name)))
	if err != nil {
		_ = svc.Stop()
		return nil, fmt.Errorf("serve %s: %w", card.Name, err)
	}
	b.mu.Lock()
	b.services[s] = struct{}{}
	b.mu.Unlock()
	s.announce(Here)
	// Until the server has the subscriptions, callers on other connections find nobody.
	if err := b.nc.FlushTimeout(apiTimeout); err != nil {
		b.log.Warn("bus: served as soon as the connection is back", "name", card.Name, "err", err)
	}
	return s, nil
}

// Stop takes no more requests and tells everybody; requests taken before may still be answered. Twice is harmless.
func (s *Service) Stop() {
	s.once.Do(func() {
		s.bus.mu.Lock()
		delete(s.bus.services, s)
		s.bus.mu.Unlock()
		if err := s.svc.Stop(); err != nil {
			s.bus.log.Warn("bus: withdrawing a service", "name", s.svc.Info().Name, "err", err)
		}
		s.announce(Gone)
	})
}

// serves are the ids of what this bus serves.
func (b *Bus) serves() map[string]bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	own := make(map[string]bool, len(b.services))
	for s := range b.services {
		own[s.svc.Info().ID] = true
	}
	return own
}

func (s *Service) announce(event Event) {
	body, err := json.Marshal(Announcement{Version, event, s.svc.Info().ServiceIdentity})
	if err == nil {
		err = s.bus.nc.Publish(AnnounceSubject(s.bus.o.Tenant), body)
	}
	if err != nil { // the next sweep of every directory finds out as well
		s.bus.log.Debug("bus: announcing", "name", s.svc.Info().Name, "err", err)
	}
}

func (b *Bus) receive(name string, m micro.Request, handle func(*Incoming)) {
	if !ValidReply(m.Reply()) {
		b.log.Warn("bus: a request without a subject to answer on", "name", name, "reply", m.Reply())
		return
	}
	req, err := parseRequest(m.Data(), name)
	if err != nil {
		e := &Error{Code: CodeInvalidRequest, Message: err.Error()}
		if errors.Is(err, ErrVersion) {
			e.Code = CodeUnsupported
		}
		if err := b.answer(m.Reply(), Response{Call: req.Call, Status: Failed, Error: e}); err != nil {
			b.log.Warn("bus: refusing a request", "name", name, "err", err)
		}
		return
	}
	req.Deadline = deadlineOf(req.Deadline, nats.Header(m.Headers()))
	in := &Incoming{Request: req, bus: b, reply: m.Reply(), every: min(workingEvery, b.o.Silence/3)}
	in.mu.Lock()
	in.beat = time.AfterFunc(min(in.every, firstWord), in.Working)
	in.mu.Unlock()
	b.cancels.add(in)
	handle(in)
}

// Incoming is a request being worked on. Until it is answered, the caller is told every 10 s that somebody works on it, at longest
// until the request's deadline.
type Incoming struct {
	Request Request

	bus   *Bus
	reply string
	every time.Duration

	mu        sync.Mutex
	beat      *time.Timer
	answered  bool
	cancelled bool
	onCancel  []func()
}

// Working tells the caller now that somebody works on it.
func (in *Incoming) Working() { in.progress("") }

// Progress sends one line for the person who waits. Lines may be lost; the first 1,000 bytes are sent.
func (in *Incoming) Progress(line string) { in.progress(headerText(line)) }

// maxText bounds the text of one working message, in bytes.
const maxText = 16 << 10

// Text sends a piece of what is being written, to be shown behind the pieces before it. Pieces may be lost, so the whole belongs in the response.
func (in *Incoming) Text(text string) {
	text = strings.ToValidUTF8(text, "\uFFFD")
	for len(text) > maxText {
		n := maxText
		for !utf8.RuneStart(text[n]) {
			n--
		}
		in.work(Response{Text: text[:n]})
		text = text[n:]
	}
	in.work(Response{Text: text})
}

func (in *Incoming) progress(line string) { in.work(Response{Progress: line}) }

// work tells the caller that it goes on, with what is to be shown.
func (in *Incoming) work(r Response) {
	in.mu.Lock()
	defer in.mu.Unlock()
	late := !in.Request.Deadline.IsZero() && time.Now().After(in.Request.Deadline)
	if in.answered || late {
		return
	}
	r.Call, r.Status = in.Request.Call, Working
	if err := in.bus.answer(in.reply, r); err != nil {
		in.bus.log.Debug("bus: progress is lost", "call", in.Request.Call, "err", err)
	}
	if !in.bus.nc.IsClosed() {
		in.beat.Reset(in.every)
	}
}

// errAnswered is not for callers to decide by: it means that two goroutines believe they own the answer.
var errAnswered = errors.New("the call was answered before")

// Respond ends the call; HMAP, Call and Node are filled in. A response that cannot be sent, above all one that is [ErrTooLarge], is
// replaced by an error for the caller, and the reason is returned here too. It does not tell whether the caller is still there.
func (in *Incoming) Respond(r Response) error {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.answered {
		return fmt.Errorf("respond to %s: %w", in.Request.Call, errAnswered)
	}
	switch r.Status {
	case OK, Failed, InputRequired, Cancelled:
	default:
		return fmt.Errorf("respond to %s: status %q does not end a call", in.Request.Call, r.Status)
	}
	in.answered = true
	in.beat.Stop()
	in.onCancel = nil
	in.bus.cancels.remove(in)
	r.Call = in.Request.Call
	err := in.bus.answer(in.reply, r)
	if err == nil {
		return nil
	}
	e := &Error{Code: CodeInternal, Message: "the response could not be sent: " + err.Error()}
	return errors.Join(fmt.Errorf("respond to %s: %w", in.Request.Call, err),
		in.bus.answer(in.reply, Response{Call: in.Request.Call, Status: Failed, Error: e, Usage: r.Usage}))
}

// OnCancel has fn called once if the caller gives the call up before it is answered; at once if it already has. fn must not block.
// An answer is still welcome then, but nobody may hear it.
func (in *Incoming) OnCancel(fn func()) {
	in.mu.Lock()
	now := in.cancelled
	if !now && !in.answered {
		in.onCancel = append(in.onCancel, fn)
	}
	in.mu.Unlock()
	if now {
		fn()
	}
}

func (in *Incoming) cancel() {
	in.mu.Lock()
	fns := in.onCancel
	in.cancelled, in.onCancel = true, nil
	in.mu.Unlock()
	for _, fn := range fns {
		fn()
	}
}

// cancels brings cancellations to the requests being worked on.
type cancels struct {
	mu   sync.Mutex
	sub  *nats.Subscription
	open map[string][]*Incoming // by call
	// early are reply subjects given up before their request was seen: two subscriptions may overtake each other.
	early [256]string
	next  int
}

func (c *cancels) listen(b *Bus) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.sub != nil {
		return nil
	}
	c.open = map[string][]*Incoming{}
	var err error
	c.sub, err = b.nc.Subscribe(CancelSubject(b.o.Tenant, "*"), c.hear)
	return err
}

func (c *cancels) hear(m *nats.Msg) {
	var body Cancellation
	if err := object(m.Data, &body); err != nil && len(m.Data) > 0 {
		return // not a cancellation; whoever sent it gives nothing up
	}
	call := m.Subject[strings.LastIndexByte(m.Subject, '.')+1:]
	var hit []*Incoming
	c.mu.Lock()
	for _, in := range c.open[call] {
		r := in.Request
		if (body.Session == "" || body.Session == r.Session) && (body.Task == "" || body.Task == r.Task) && (body.Reply == "" || body.Reply == in.reply) {
			hit = append(hit, in)
		}
	}
	if len(hit) == 0 && body.Reply != "" {
		c.early[c.next] = body.Reply
		c.next = (c.next + 1) % len(c.early)
	}
	c.mu.Unlock()
	for _, in := range hit {
		in.cancel()
	}
}

func (c *cancels) add(in *Incoming) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.open[in.Request.Call] = append(c.open[in.Request.Call], in)
	if slices.Contains(c.early[:], in.reply) {
		in.cancelled = true // nobody else knows it yet
	}
}

func (c *cancels) remove(in *Incoming) {
	c.mu.Lock()
	defer c.mu.Unlock()
	open := c.open[in.Request.Call]
	for i := range open {
		if open[i] == in {
			open = append(open[:i:i], open[i+1:]...)
			break
		}
	}
	if len(open) == 0 {
		delete(c.open, in.Request.Call)
	} else {
		c.open[in.Request.Call] = open
	}
}
