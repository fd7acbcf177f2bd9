package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/gateway/terminal"
)

type sessionsCmd struct {
	Session string `arg:"" optional:"" help:"List the tasks of this session."`
	Limit   int    `default:"20" help:"List at most this many sessions (default 20)." placeholder:"N"`
	JSON    bool   `help:"Print JSON."`
	Delete  string `help:"Delete this session: its records and the files made in it. It cannot be undone." placeholder:"ID"`
}

// Help has examples.
func (*sessionsCmd) Help() string {
	return `A session is a conversation; each request in it is a task. The newest comes first.

  hmap sessions
  hmap sessions SESSION
  hmap sessions --delete SESSION`
}

// Validate refuses a limit that no list has, and two wishes at once.
func (c *sessionsCmd) Validate() error {
	if c.Limit < 1 || c.Limit > bus.MaxSessions {
		return fmt.Errorf("--limit is %d: want 1 to %d", c.Limit, bus.MaxSessions)
	}
	if c.Delete != "" && c.Session != "" {
		return errors.New("either list the tasks of a session or remove one")
	}
	return nil
}

// Run lists sessions or tasks, or removes a session.
func (c *sessionsCmd) Run(a *app) error {
	h, err := a.connect(false)
	if err != nil {
		return err
	}
	defer h.close()
	switch {
	case c.Delete != "":
		return h.remove(a.ctx, c.Delete)
	case c.Session != "":
		return c.tasks(a.ctx, h)
	}
	// A log of an earlier version has no list yet; whoever serves it has made one.
	if h.server != nil {
		if err := h.bus.IndexSessions(a.ctx); err != nil {
			return err
		}
	}
	return c.list(a.ctx, h)
}

func (c *sessionsCmd) list(ctx context.Context, h *house) error {
	list, left, err := h.newest(ctx, c.Limit)
	if err != nil {
		return err
	}
	if c.JSON {
		return printJSON(append([]bus.Session{}, list...))
	}
	if len(list) == 0 {
		fmt.Println("no sessions")
		return nil
	}
	t := tabwriter.NewWriter(os.Stdout, 0, 4, 2, ' ', 0)
	fmt.Fprintln(t, "SESSION\tLAST\tTASKS\tOPEN\tTITLE")
	for _, s := range list {
		row(t, s.ID, h.clock(s.Last), fmt.Sprint(s.Tasks), open(s), s.Title)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if left {
		fmt.Fprintf(os.Stderr, "there are more: %s sessions --limit %d\n", h.called, min(10*c.Limit, bus.MaxSessions))
	}
	return nil
}

// newest gives the sessions in which something happened last, newest first, at most limit (1 to [bus.MaxSessions]), and whether there are others. The bus gives those that
// wait before all others, however old, so it is read on until as many that have ended are there.
func (h *house) newest(ctx context.Context, limit int) (list []bus.Session, left bool, err error) {
	seen := map[string]bool{}
	ended, before, many := 0, uint64(0), limit
	for {
		page, next, err := h.bus.Sessions(ctx, before, many)
		if err != nil {
			return nil, false, err
		}
		for _, s := range page {
			if !seen[s.ID] {
				seen[s.ID], list = true, append(list, s)
			}
			if s.Running+s.Waiting == 0 {
				ended++
			}
		}
		if before = next; before == 0 || ended >= limit {
			break
		}
		many = bus.MaxSessions // each page reads the index of open tasks anew, and there may be thousands
	}
	slices.SortStableFunc(list, func(a, b bus.Session) int { return b.Last.Compare(a.Last) })
	left = before != 0 || len(list) > limit
	return list[:min(len(list), limit)], left, nil
}

// open says what of a session has not ended.
func open(s bus.Session) string {
	switch {
	case s.Running > 0 && s.Waiting > 0:
		return fmt.Sprintf("%d run, %d wait", s.Running, s.Waiting)
	case s.Running > 0:
		return fmt.Sprintf("%d run", s.Running)
	case s.Waiting > 0:
		return fmt.Sprintf("%d wait", s.Waiting)
	}
	return ""
}

// taskLine is a task as the list of a session shows it.
type taskLine struct {
	Task    string    `json:"task"`
	Status  string    `json:"status"` // of its response; running or waiting before that
	Begun   time.Time `json:"begun"`
	Request string    `json:"request"`
}

func (c *sessionsCmd) tasks(ctx context.Context, h *house) error {
	records, err := h.bus.Read(ctx, bus.Where{Session: c.Session}, 0)
	if err != nil {
		return err
	}
	list := []*taskLine{}
	at := map[string]*taskLine{}
	for _, r := range records {
		if r.Call != r.Task {
			continue
		}
		t := at[r.Task]
		switch {
		case r.Kind == bus.KindRequest && r.Request != nil && t == nil:
			t = &taskLine{Task: r.Task, Status: "running", Begun: r.Time, Request: r.Request.JobDesc}
			at[r.Task], list = t, append(list, t)
		case r.Kind == bus.KindResponse && t != nil:
			t.Status = string(r.Status)
		}
	}
	if len(list) == 0 {
		return h.noSession(c.Session)
	}
	for _, t := range list {
		if t.Status == "running" {
			if o, found, err := h.bus.OpenTask(ctx, c.Session, t.Task); err != nil {
				return err
			} else if found && o.Waiting {
				t.Status = "waiting"
			}
		}
	}
	if c.JSON {
		return printJSON(list)
	}
	t := tabwriter.NewWriter(os.Stdout, 0, 4, 2, ' ', 0)
	fmt.Fprintln(t, "TASK\tBEGUN\tSTATUS\tREQUEST")
	for _, l := range list {
		row(t, l.Task, h.clock(l.Begun), l.Status, l.Request)
	}
	return t.Flush()
}

func (h *house) remove(ctx context.Context, session string) error {
	err := h.bus.Remove(ctx, session)
	// Behind a kill the last node's lease still stands for a moment, and with it what it had not cleared away. With a server of our own nobody works.
	for until := time.Now().Add(h.config.Limits.Lease + time.Second); h.server != nil && errors.Is(err, bus.ErrOpenTask) && time.Now().Before(until) && ctx.Err() == nil; {
		time.Sleep(100 * time.Millisecond)
		err = h.bus.Remove(ctx, session)
	}
	switch {
	case errors.Is(err, bus.ErrNotFound):
		return h.noSession(session)
	case errors.Is(err, bus.ErrOpenTask):
		return fmt.Errorf("%w; wait for it, or end it with: %s cancel TASK (%[2]s sessions %[3]s lists them)", err, h.called, terminal.Line(session))
	case err != nil:
		return err
	}
	fmt.Printf("session %s is gone\n", session)
	return nil
}

func (h *house) noSession(session string) error {
	return fmt.Errorf("the log %s has no session %q", h.lies(), session)
}

// retain keeps sessions as long as the configuration says, until the house is closed.
func (h *house) retain() {
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		h.bus.Retain(ctx, bus.Retention{Age: h.config.Retention.Age, Bytes: h.config.Retention.Bytes})
	}()
	h.closes = append(h.closes, func() { cancel(); <-ended })
}
