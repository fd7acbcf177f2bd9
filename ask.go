package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"golang.org/x/term"

	"github.com/hmap-project/hmap/actors"
	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/gateway/terminal"
)

type askCmd struct {
	Question string   `arg:"" help:"What you want, in plain language. Use - to read it from standard input."`
	Session  string   `help:"Continue this session (conversation). Without it a new one begins." placeholder:"ID"`
	Mode     string   `enum:"auto,react,plan" default:"auto" help:"How to work: react (think after each step), plan (plan all steps first), or auto."`
	Output   string   `enum:"text,html,ppt,table,docs" default:"text" help:"Form of the result: text, table, html (web page), ppt (slides) or docs (Word)."`
	File     []string `type:"path" sep:"none" help:"Give this file to the agents. Repeat the flag for more files." placeholder:"PATH"`
	MCP      []string `name:"mcp-servers" help:"Use only these MCP servers: their names, or addresses that mcp.open in the settings allows." placeholder:"NAMES"`
	NoTools  bool     `name:"no-tools" help:"Use no tools and no other agents; needs a language model."`
	Stream   string   `help:"How often to show text that a tool is writing: general (once, at the end), token:20 (every 20 tokens), 5,20 (after 5, then every 20) or 2s (every 2 seconds)." placeholder:"MODE"`
	Seconds  *float64 `help:"Stop the task after this many seconds." placeholder:"N"`
	JSON     bool     `help:"Print every record of the task as a line of JSON."`
	Full     bool     `help:"Show thoughts and results in full."`
}

// Help has examples, what can be typed meanwhile, and the exit statuses.
func (*askCmd) Help() string {
	return `Asks the hmap that is running. If none is, starts one for this question.

  hmap ask 'How many orders did Wang Pingping place?'
  hmap ask --session SESSION 'and how much did she pay?'
  hmap ask --file sales.csv 'total revenue by city'
  hmap ask --output ppt 'Which orders are late?'

While the task runs, type a line and press Enter to add a wish. Press Ctrl-C once to cancel the task, twice to leave at once.

Exit status: 0 answered, 1 failed, 2 wrong command line, 3 waits for your answer, 130 cancelled.`
}

// Validate refuses an empty question, files that cannot be brought, each with its reason, and an unknown stream mode.
func (q *askCmd) Validate() error {
	if q.Question == "-" {
		text, err := io.ReadAll(io.LimitReader(os.Stdin, maxPiped+1))
		if err != nil {
			return fmt.Errorf("the question on the standard input: %w", err)
		}
		if len(text) > maxPiped {
			return fmt.Errorf("the question on the standard input is longer than %d KiB; bring long content with --file", maxPiped>>10)
		}
		q.Question = strings.TrimSpace(string(text))
	}
	if strings.TrimSpace(q.Question) == "" {
		return errors.New("the question is empty; ask for something, or give - to have it read from the standard input")
	}
	var all []error
	for _, path := range q.File {
		switch info, err := os.Stat(path); {
		case err != nil:
			all = append(all, fmt.Errorf("--file: %w", err))
		case info.IsDir():
			all = append(all, fmt.Errorf("--file: %s is a folder; name the files in it", path))
		case info.Size() > bus.MaxFile:
			all = append(all, tooLarge(path))
		}
	}
	if q.Seconds != nil && !(*q.Seconds > 0 && *q.Seconds <= maxSeconds) {
		all = append(all, fmt.Errorf("--seconds is %v: want more than 0, and %d at most, which is a week", *q.Seconds, maxSeconds))
	}
	if _, err := streamMode(q.Stream); err != nil {
		all = append(all, fmt.Errorf("--stream is %q: want general, token:20, 2s, or 5,20", q.Stream))
	}
	return errors.Join(all...)
}

// ofATask are the flags given that say how a task shall be worked on, which an answer to one cannot; "" when none was.
func (q *askCmd) ofATask() string {
	var given []string
	for _, f := range []struct {
		name string
		set  bool
	}{
		{"--file", len(q.File) > 0}, {"--mode", q.Mode != "auto"}, {"--output", q.Output != "text"}, {"--mcp-servers", len(q.MCP) > 0},
		{"--no-tools", q.NoTools}, {"--stream", q.Stream != ""}, {"--seconds", q.Seconds != nil},
	} {
		if f.set {
			given = append(given, f.name)
		}
	}
	return strings.Join(given, ", ")
}

// maxPiped bounds a question that is read, in bytes; one on the command line has about the same bound on Linux.
const maxPiped = 128 << 10

// maxSeconds bounds the time that a task may be given.
const maxSeconds = 7 * 24 * 60 * 60

func tooLarge(path string) error {
	return fmt.Errorf("%s is larger than %d MiB, the most that a file may have", path, bus.MaxFile>>20)
}

// Run submits the question and follows its task. If the session's last task waits for an answer, the words are that answer, unless they are a
// request of their own: then it goes on waiting, and the person is told so.
func (q *askCmd) Run(a *app) error {
	h, err := a.connect(false)
	if err != nil {
		return err
	}
	defer h.close()
	look := h.lively(screen(q.JSON, q.Full))
	stop := look.Waits(a.ctx, h.bus)
	defer stop()
	w, waits, err := h.waiting(a.ctx, q.Session)
	if err != nil {
		return err
	}
	if h.server != nil {
		if err := h.populate(a.ctx, fillProgress()); err != nil {
			return err
		}
	}
	if waits != nil && actors.Apart(q.Question, *waits) {
		fmt.Fprintf(os.Stderr, "Task %s still waits, and nothing of it is done meanwhile: %s\n  %s answer %s '…'\n\n", w.Task, terminal.Line(waits.Question), h.called, w.Task)
		waits = nil
	}
	if waits != nil {
		if extra := q.ofATask(); extra != "" {
			return fmt.Errorf("task %s waits for an answer, which takes no %s; answer it without (%s answer %s '…') or cancel it first", w.Task, extra, h.called, w.Task)
		}
		in := bus.Input{Kind: bus.Answer, Ask: waits.ID, Text: q.Question, By: "terminal"}
		if _, err := h.bus.Tell(a.ctx, w.Session, w.Task, in, ""); err != nil {
			return err
		}
	} else {
		if err := h.knowServers(a.ctx, q.MCP); err != nil {
			return err
		}
		s := bus.Submission{Query: q.Question, Session: q.Session, Mode: bus.Mode(q.Mode), Output: q.Output, MCPServers: q.MCP, DisableTools: q.NoTools}
		if s.StreamMode, err = streamMode(q.Stream); err != nil {
			return err
		}
		if s.Files, err = h.bring(a.ctx, q.File); err != nil {
			return err
		}
		if q.Seconds != nil {
			s.Budget = &bus.Budget{Seconds: *q.Seconds}
		}
		r, err := h.bus.Submit(a.ctx, "master", s, "")
		if err != nil && refusedFor(err) {
			err = errors.Join(err, h.takeBack(a.ctx, s.Files))
		}
		if errors.Is(err, bus.ErrBusy) {
			return fmt.Errorf("%w, or raise limits.queue", err)
		}
		if err != nil {
			return err
		}
		w = bus.Where{Session: r.Session, Task: r.Task}
	}
	stop() // following tells of it by itself
	err = h.follow(a.ctx, w, look)
	if !q.JSON {
		fmt.Fprintf(os.Stderr, "\nGo on with:    %s ask --session %s '…'\nSee it again:  %[1]s replay %[3]s\n", h.called, w.Session, w.Task)
		h.offerTool(a.ctx, w, err)
	}
	return err
}

// bring keeps files of this machine as artifacts that a request may name, in their order. When one cannot be kept, none is.
func (h *house) bring(ctx context.Context, paths []string) (files []bus.File, err error) {
	defer func() {
		if err != nil {
			err = errors.Join(err, h.takeBack(ctx, files))
		}
	}()
	for _, path := range paths {
		r, err := os.Open(path)
		if err != nil {
			return files, err
		}
		f, err := h.bus.Files().Bring(ctx, filepath.Base(path), mime.TypeByExtension(filepath.Ext(path)), r)
		if err = errors.Join(err, r.Close()); errors.Is(err, bus.ErrTooLarge) {
			err = tooLarge(path)
		}
		if err != nil {
			return files, err
		}
		files = append(files, f)
	}
	return files, nil
}

// takeBack removes files that were brought for a request that is not made.
func (h *house) takeBack(ctx context.Context, files []bus.File) (err error) {
	for _, f := range files {
		err = errors.Join(err, h.bus.Files().Delete(context.WithoutCancel(ctx), f.Ref))
	}
	return err
}

// refusedFor reports whether a submission was refused for sure: after any other trouble it may lie in the queue all the same, and needs its files.
func refusedFor(err error) bool {
	return slices.ContainsFunc([]error{bus.ErrBusy, bus.ErrBadName, bus.ErrTooLarge, bus.ErrVersion}, func(e error) bool { return errors.Is(err, e) })
}

// waiting is the open question of a session's newest task, if it has one. A session that is named and that the log does not know is an error: who meant another would else
// talk to one that remembers nothing.
func (h *house) waiting(ctx context.Context, session string) (bus.Where, *bus.Ask, error) {
	if session == "" {
		return bus.Where{}, nil, nil
	}
	records, err := h.bus.Read(ctx, bus.Where{Session: session}, 0)
	if err != nil {
		return bus.Where{}, nil, err
	}
	if len(records) == 0 {
		return bus.Where{}, nil, fmt.Errorf("%w; %s sessions lists them, and without --session a new one is opened", h.noSession(session), h.called)
	}
	var w bus.Where
	var open bus.Asks
	for _, r := range records {
		if r.Call == r.Task && r.Kind == bus.KindRequest {
			w, open = bus.Where{Session: session, Task: r.Task}, nil
		}
		if r.Task == w.Task {
			open.Fold(r)
		}
	}
	return w, open.Find(""), nil
}

func screen(asJSON, full bool) terminal.Screen {
	s := terminal.Screen{Out: os.Stdout, Err: os.Stderr, JSON: asJSON, Full: full, Color: terminal.Lively(os.Stdout) && os.Getenv("NO_COLOR") == ""}
	s.Ticker = terminal.Lively(os.Stderr)
	if term.IsTerminal(int(os.Stdin.Fd())) && !asJSON {
		s.In = os.Stdin
	}
	return s
}

// lively is a screen that knows why nothing may go on: our own server's trouble, or the disk of the hmap whose data folder we share.
func (h *house) lively(s terminal.Screen) terminal.Screen {
	s.Grace, s.Hmap = h.config.Limits.Drain, h.called
	switch {
	case h.server != nil:
		s.Trouble = h.bus.Trouble
	case h.config.NATS.URL == "":
		s.Trouble = func() error { return bus.Writable(h.config.Data) }
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
