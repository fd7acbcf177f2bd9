package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"text/tabwriter"
	"time"

	"golang.org/x/term"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/configs"
	"github.com/hmap-project/hmap/gateway/terminal"
)

type askCmd struct {
	Question string  `arg:"" help:"What you want, in plain language."`
	Session  string  `help:"Go on in this session." placeholder:"ID"`
	Mode     string  `enum:"auto,react,plan" default:"auto" help:"How the agents go about it: auto, react or plan."`
	Output   string  `enum:"text,html,ppt,table,docs" default:"text" help:"What is wanted at the end: text, html, ppt, table or docs."`
	Seconds  float64 `help:"Time the task may take." placeholder:"N"`
	JSON     bool    `help:"Print the records as JSON lines."`
	Full     bool    `help:"Show thoughts and observations uncut."`
}

// Help tells the exit statuses.
func (*askCmd) Help() string {
	return "Exit status: 0 the task ended well, 1 it failed or could not be submitted, 2 the command line is wrong, " +
		"3 the task waits for an answer, 130 it was cancelled or left with Ctrl-C twice."
}

// Run submits the question and follows its task. If the session's last task waits for an answer, the words are that answer.
func (q *askCmd) Run(a *app) error {
	if strings.TrimSpace(q.Question) == "" {
		return errors.New("the question is empty; ask for something")
	}
	h, err := a.connect(false)
	if err != nil {
		return err
	}
	defer h.close()
	if h.server != nil {
		if err := h.populate(a.ctx, fillProgress()); err != nil {
			return err
		}
	}
	w, waits, err := h.waiting(a.ctx, q.Session)
	if err != nil {
		return err
	}
	if waits != nil {
		in := bus.Input{Kind: bus.Answer, Ask: waits.ID, Text: q.Question, By: "terminal"}
		if _, err := h.bus.Tell(a.ctx, w.Session, w.Task, in, ""); err != nil {
			return err
		}
	} else {
		s := bus.Submission{Query: q.Question, Session: q.Session, Mode: bus.Mode(q.Mode), Output: q.Output}
		if q.Seconds > 0 {
			s.Budget = &bus.Budget{Seconds: q.Seconds}
		}
		r, err := h.bus.Submit(a.ctx, "master", s, "")
		if errors.Is(err, bus.ErrBusy) {
			return fmt.Errorf("%w, or raise limits.queue", err)
		}
		if err != nil {
			return err
		}
		w = bus.Where{Session: r.Session, Task: r.Task}
	}
	err = h.follow(a.ctx, w, screen(q.JSON, q.Full))
	if !q.JSON {
		fmt.Fprintf(os.Stderr, "\nGo on with: hmap ask --session %s '…'     See it again: hmap replay %s\n", w.Session, w.Task)
	}
	return err
}

// waiting is the open question of a session's newest task, if it has one.
func (h *house) waiting(ctx context.Context, session string) (bus.Where, *bus.Ask, error) {
	if session == "" {
		return bus.Where{}, nil, nil
	}
	records, err := h.bus.Read(ctx, bus.Where{Session: session}, 0)
	if err != nil {
		return bus.Where{}, nil, err
	}
	var w bus.Where
	var ask *bus.Ask
	for _, r := range records {
		if r.Call != r.Task {
			continue
		}
		switch r.Kind {
		case bus.KindRequest:
			w, ask = bus.Where{Session: session, Task: r.Task}, nil
		case bus.KindAsk:
			ask = r.Ask
		case bus.KindInput:
			if r.Input != nil && r.Input.Kind != bus.Steer {
				ask = nil
			}
		case bus.KindResponse:
			ask = nil
		}
	}
	return w, ask, nil
}

func screen(asJSON, full bool) terminal.Screen {
	s := terminal.Screen{Out: os.Stdout, Err: os.Stderr, JSON: asJSON, Full: full, Color: term.IsTerminal(int(os.Stdout.Fd())) && os.Getenv("NO_COLOR") == ""}
	s.Ticker = term.IsTerminal(int(os.Stderr.Fd()))
	if term.IsTerminal(int(os.Stdin.Fd())) && !asJSON {
		s.In = os.Stdin
	}
	return s
}

// follow watches a task on the screen. Only meanwhile Ctrl-C is ours: before and after, as everywhere, it ends the process.
func (h *house) follow(ctx context.Context, w bus.Where, s terminal.Screen) error {
	interrupt := make(chan os.Signal, 2)
	signal.Notify(interrupt, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(interrupt)
	return s.Follow(ctx, h.bus, w, interrupt)
}

// at finds a task by its id and hands it on.
func (a *app) at(task string, do func(h *house, w bus.Where) error) error {
	h, err := a.connect(false)
	if err != nil {
		return err
	}
	defer h.close()
	w, err := h.bus.Find(a.ctx, task)
	if errors.Is(err, bus.ErrNotFound) {
		return fmt.Errorf("the log in %s has no task %q", h.config.Data, task)
	}
	if err != nil {
		return err
	}
	return do(h, w)
}

type answerCmd struct {
	Task    string `arg:"" help:"Id of the task."`
	Text    string `arg:"" optional:"" help:"The answer; with --refuse the reason; with --steer the wish."`
	Approve bool   `xor:"kind" help:"Agree to what the task wants to do."`
	Refuse  bool   `xor:"kind" help:"Do not agree."`
	Steer   bool   `xor:"kind" help:"Not an answer: a wish for the running task."`
	Ask     string `help:"Which question, if several are open." placeholder:"ID"`
	Follow  bool   `default:"true" negatable:"" help:"Watch the task go on (default)."`
}

// Run answers a task that waits.
func (c *answerCmd) Run(a *app) error {
	in := bus.Input{Kind: bus.Answer, Ask: c.Ask, Text: c.Text, By: "terminal"}
	switch {
	case c.Approve:
		in.Kind = bus.Approve
	case c.Refuse:
		in.Kind = bus.Refuse
	case c.Steer:
		in.Kind = bus.Steer
	}
	if c.Text == "" && !c.Approve && !c.Refuse {
		return errors.New("give an answer, --approve or --refuse")
	}
	return a.at(c.Task, func(h *house, w bus.Where) error {
		if last, err := h.bus.Last(a.ctx, bus.Where{Session: w.Session, Task: w.Task, Call: w.Task}); err == nil && last.Kind == bus.KindResponse {
			return fmt.Errorf("task %s has ended; see it with: hmap replay %s", w.Task, w.Task)
		}
		// Told before our own agents are there, which may take the task up at once.
		if _, err := h.bus.Tell(a.ctx, w.Session, w.Task, in, ""); err != nil || !c.Follow {
			return err
		}
		if h.server != nil {
			if err := h.populate(a.ctx, fillProgress()); err != nil {
				return err
			}
		}
		return h.follow(a.ctx, w, screen(false, false))
	})
}

// cancelWithin is longer than the 30 s after which the queue gives a task again whose node died as it took it.
const cancelWithin = 45 * time.Second

type cancelCmd struct {
	Task   string `arg:"" help:"Id of the task."`
	Reason string `arg:"" optional:"" help:"Why; it stands in the log."`
}

// Run cancels a task and waits until it has ended.
func (c *cancelCmd) Run(a *app) error {
	return a.at(c.Task, func(h *house, w bus.Where) error {
		root := bus.Where{Session: w.Session, Task: w.Task, Call: w.Task}
		if last, err := h.bus.Last(a.ctx, root); err == nil && last.Kind == bus.KindResponse {
			fmt.Printf("task %s has ended already: %s\n", w.Task, terminal.Line(string(last.Status)))
			return nil
		}
		// Told before our own agents are there, or they would go on with the task.
		if _, err := h.bus.Tell(a.ctx, w.Session, w.Task, bus.Input{Kind: bus.Cancel, Text: c.Reason, By: "terminal"}, ""); err != nil {
			return err
		}
		if h.server != nil {
			if err := h.populate(a.ctx, fillProgress()); err != nil {
				return err
			}
		}
		ctx, cancel := context.WithTimeout(a.ctx, cancelWithin)
		defer cancel()
		for e, err := range h.bus.Follow(ctx, root, 0) {
			if err != nil {
				return err
			}
			if e.Record.Kind == bus.KindResponse {
				fmt.Printf("task %s: %s\n", w.Task, terminal.Line(string(e.Record.Status)))
				return nil
			}
		}
		return fmt.Errorf("task %s: the cancel is in the log, but nobody has acted on it within %v; is an hmap running?", w.Task, cancelWithin)
	})
}

type agentsCmd struct {
	JSON bool `help:"Print the cards as JSON."`
}

// Run lists who is there.
func (c *agentsCmd) Run(a *app) error {
	h, err := a.connect(false)
	if err != nil {
		return err
	}
	defer h.close()
	if h.server != nil {
		h.passive = true
		if err := h.populate(a.ctx, fillProgress()); err != nil {
			return err
		}
	}
	d, err := h.bus.Directory(a.ctx)
	if err != nil {
		return err
	}
	settle(d)
	if c.JSON {
		return printJSON(d.Cards())
	}
	t := tabwriter.NewWriter(os.Stdout, 0, 4, 2, ' ', 0)
	fmt.Fprintln(t, "KIND\tNAME\tEFFECT\tAPPROVAL\tDESCRIPTION")
	for _, card := range d.Cards() {
		effect := string(card.Effect)
		if card.IsAgent() {
			effect = ""
		}
		row(t, string(card.Kind), card.Name, effect, string(card.Approval), card.Description)
	}
	for _, r := range d.Rejected() {
		row(t, "rejected", r.Card.Name, "", "", r.Reason)
	}
	return t.Flush()
}

// settle waits until nobody new has come to the directory for 300 ms, 3 s at most: NATS has no list that ends, and our own agents have
// only just announced themselves.
func settle(d *bus.Directory) {
	for end := time.After(3 * time.Second); ; {
		changed := d.Changed()
		select {
		case <-changed:
		case <-time.After(300 * time.Millisecond):
			return
		case <-end:
			return
		}
	}
}

// row prints one line of a table. What is in it may come from other nodes.
func row(t *tabwriter.Writer, cells ...string) {
	for i, c := range cells {
		cells[i] = headline(c)
	}
	fmt.Fprintln(t, strings.Join(cells, "\t"))
}

// headline is the first line of a text, cut to 60 characters.
func headline(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(s), "\n")
	s = terminal.Line(s)
	if r := []rune(s); len(r) > 60 {
		s = string(r[:60]) + "…"
	}
	return s
}

type logCmd struct {
	Task string `arg:"" help:"Id of the task."`
}

// Run prints a task's records.
func (c *logCmd) Run(a *app) error {
	return a.at(c.Task, func(h *house, w bus.Where) error { return screen(true, true).Replay(a.ctx, h.bus, w) })
}

type replayCmd struct {
	Task string `arg:"" help:"Id of the task."`
	Full bool   `help:"Show thoughts and observations uncut."`
}

// Run shows a task again.
func (c *replayCmd) Run(a *app) error {
	return a.at(c.Task, func(h *house, w bus.Where) error { return screen(false, c.Full).Replay(a.ctx, h.bus, w) })
}

type deadCmd struct {
	List   deadListCmd   `cmd:"" default:"1" help:"List them."`
	Show   deadShowCmd   `cmd:"" help:"Print the body of one."`
	Resend deadResendCmd `cmd:"" help:"Submit one again, as it was or with another body."`
}

type deadListCmd struct{}

// Run lists the dead letters.
func (deadListCmd) Run(a *app) error {
	return a.withDead(func(h *house) error {
		letters, err := h.bus.DeadLetters(a.ctx)
		if err != nil {
			return err
		}
		if len(letters) == 0 {
			fmt.Println("no dead letters")
			return nil
		}
		t := tabwriter.NewWriter(os.Stdout, 0, 4, 2, ' ', 0)
		fmt.Fprintln(t, "NUMBER\tTIME\tAGENT\tTRIES\tBYTES\tCAUSE")
		for _, d := range letters {
			row(t, fmt.Sprint(d.Seq), d.Time.Local().Format(time.DateTime), d.Agent, fmt.Sprint(d.Tries), fmt.Sprint(len(d.Body)), d.Cause)
		}
		return t.Flush()
	})
}

type deadShowCmd struct {
	Number uint64 `arg:"" help:"Number of the dead letter."`
}

// Run prints one.
func (c *deadShowCmd) Run(a *app) error {
	return a.withDead(func(h *house) error {
		d, err := h.bus.DeadLetter(a.ctx, c.Number)
		if err != nil {
			return err
		}
		fmt.Fprintf(os.Stderr, "for %s, %d tries, cause: %s\n", terminal.Line(d.Agent), d.Tries, terminal.Line(d.Cause))
		body := append(bytes.TrimRight(d.Body, "\n"), '\n')
		if term.IsTerminal(int(os.Stdout.Fd())) {
			body = []byte(terminal.Clean(string(body)))
		}
		_, err = os.Stdout.Write(body)
		return err
	})
}

type deadResendCmd struct {
	Number uint64 `arg:"" help:"Number of the dead letter."`
	Body   string `help:"Submit this file instead of the body as it was." type:"existingfile" placeholder:"FILE"`
}

// Run submits one again.
func (c *deadResendCmd) Run(a *app) error {
	var body []byte
	if c.Body != "" {
		var err error
		if body, err = os.ReadFile(c.Body); err != nil {
			return err
		}
	}
	return a.withDead(func(h *house) error {
		if err := h.bus.Resend(a.ctx, c.Number, body); err != nil {
			return err
		}
		fmt.Printf("dead letter %d is in the queue again\n", c.Number)
		return nil
	})
}

func (a *app) withDead(do func(*house) error) error {
	h, err := a.connect(false)
	if err != nil {
		return err
	}
	defer h.close()
	return do(h)
}

type configCmd struct{}

// Run prints the default configuration.
func (configCmd) Run() error {
	_, err := os.Stdout.Write(configs.Default())
	return err
}

func printJSON(v any) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return err
	}
	_, err := os.Stdout.Write(terminal.JSON(b.Bytes()))
	return err
}
