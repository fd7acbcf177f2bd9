package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/hmap-project/hmap/actors"
	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/gateway/terminal"
	"github.com/hmap-project/hmap/tools/saved"
)

// toolsCmd are the saved tools, which agents make of solved tasks (ask for it: 把刚才的步骤存成工具).
type toolsCmd struct {
	List   toolsListCmd   `cmd:"" default:"withargs" help:"List the saved tools."`
	Show   toolsShowCmd   `cmd:"" help:"Print a saved tool as JSON."`
	Test   toolsTestCmd   `cmd:"" help:"Test a saved tool."`
	Edit   toolsEditCmd   `cmd:"" help:"Change a saved tool."`
	Remove toolsRemoveCmd `cmd:"" help:"Delete a saved tool."`
}

type toolsListCmd struct {
	JSON bool `help:"Print JSON."`
}

// Help tells where they come from.
func (*toolsListCmd) Help() string {
	return `A saved tool repeats the steps that once solved a task, with other values. To make one, ask for it in the session of that task:

  hmap ask --session SESSION 'save the last steps as a tool named late_orders'
  hmap tools list`
}

// Run lists the saved tools.
func (c *toolsListCmd) Run(a *app) error {
	h, err := a.connect(false)
	if err != nil {
		return err
	}
	defer h.close()
	all, err := h.bus.SavedTools(a.ctx)
	if err != nil {
		return err
	}
	if c.JSON {
		return printJSON(append([]bus.SavedTool{}, all...))
	}
	if len(all) == 0 {
		fmt.Fprintf(os.Stderr, "No tools are saved yet. In the session of a solved task: %s ask --session SESSION '把刚才的步骤存成工具'\n", h.called)
		return nil
	}
	t := tabwriter.NewWriter(os.Stdout, 0, 4, 2, ' ', 0)
	fmt.Fprintln(t, "NAME\tPARAMETERS\tDESCRIPTION\tSTEPS\tEFFECT\tAGENT\tVERSION\tSAVED")
	for _, s := range all {
		row(t, s.Name, strings.Join(saved.Names(s), ", "), saved.Purpose(s), fmt.Sprint(len(s.Steps)), string(s.Effect), s.Agent, fmt.Sprint(s.Version), h.clock(s.Saved))
	}
	return t.Flush()
}

type toolsShowCmd struct {
	Name string `arg:"" help:"Name of the tool, from hmap tools list."`
}

// Help has an example.
func (*toolsShowCmd) Help() string {
	return "For example:\n\n  hmap tools show late_orders > tool.json"
}

// Run prints the tool.
func (c *toolsShowCmd) Run(a *app) error {
	h, err := a.connect(false)
	if err != nil {
		return err
	}
	defer h.close()
	t, err := h.savedTool(a.ctx, c.Name)
	if err != nil {
		return err
	}
	return printJSON(t)
}

type toolsTestCmd struct {
	Name string `arg:"" help:"Name of the tool, from hmap tools list."`
}

// Help says what is run, and has an example.
func (*toolsTestCmd) Help() string {
	return `Runs it with the values of the task that it was made of, and compares the result with that of then. Steps that would change something are not
run; only their arguments are checked.

  hmap tools test late_orders`
}

// Run tests the tool and prints how each step went.
func (c *toolsTestCmd) Run(a *app) error {
	h, d, err := a.houseOfTools()
	if err != nil {
		return err
	}
	defer h.close()
	t, err := h.savedTool(a.ctx, c.Name)
	if err != nil {
		return err
	}
	return tried(t, saved.Try(a.ctx, h.bus, d, t, bus.Request{Language: "en"}))
}

// tried prints the outcome of a test; the error is that of the test.
func tried(t bus.SavedTool, out saved.Tried) error {
	w := tabwriter.NewWriter(os.Stdout, 0, 4, 2, ' ', 0)
	for _, s := range out.Steps {
		how := "looked at"
		switch {
		case s.Why != "":
			how = "failed"
		case s.Ran:
			how = "ran in " + s.Took.Round(time.Millisecond).String()
		}
		note := s.Why
		if s.Changed {
			note = strings.TrimPrefix(note+"; its card has changed since this was saved", "; ")
		}
		row(w, s.ID, s.ToolName, how, note)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if out.Why != "" {
		return fmt.Errorf("%s: the test failed: %s", saved.Versioned(t), out.Why)
	}
	fmt.Printf("%s: %s\n", saved.Versioned(t), out.Words("en"))
	return nil
}

type toolsEditCmd struct {
	Name string `arg:"" help:"Name of the tool, from hmap tools list."`
	File string `arg:"" help:"The changed tool, in the form that hmap tools show prints; - is standard input."`
}

// Help has an example.
func (*toolsEditCmd) Help() string {
	return `The new version replaces the old one if it passes its test.

  hmap tools show late_orders > tool.json
  hmap tools edit late_orders tool.json`
}

// Run replaces the tool. What a file says of effects is not believed: the cards of the steps' tools are asked.
func (c *toolsEditCmd) Run(a *app) error {
	body, err := readBounded(c.File)
	if err != nil {
		return err
	}
	t, err := bus.ParseSavedTool(body)
	switch {
	case err != nil:
		return err
	case t.Name != c.Name:
		return fmt.Errorf("the file is of the tool %s, and not of %s; a tool keeps its name", t.Name, c.Name)
	}
	h, d, err := a.houseOfTools()
	if err != nil {
		return err
	}
	defer h.close()
	old, err := h.savedTool(a.ctx, c.Name)
	if err != nil {
		return err
	}
	if t.Version != 0 && t.Version != old.Version {
		return fmt.Errorf("%s is at version %d by now, and the file is of version %d; show it anew", c.Name, old.Version, t.Version)
	}
	if card, there := d.Get(t.Agent); !there || !card.IsAgent() {
		return fmt.Errorf("there is no agent %.64q that the tool could belong to", t.Agent)
	}
	if t, err = saved.Refresh(t, d); err != nil {
		return err
	}
	if err := tried(t, saved.Try(a.ctx, h.bus, d, t, bus.Request{Language: "en"})); err != nil {
		return fmt.Errorf("%w; nothing was changed", err)
	}
	if t, err = h.bus.KeepTool(a.ctx, t, old.Version); err != nil {
		return err
	}
	fmt.Printf("%s is version %d now\n", t.Name, t.Version)
	return nil
}

type toolsRemoveCmd struct {
	Name string `arg:"" help:"Name of the tool, from hmap tools list."`
}

// Help has an example.
func (*toolsRemoveCmd) Help() string {
	return `Calls of it that are under way go on to their end.

  hmap tools remove late_orders`
}

// Run removes the tool.
func (c *toolsRemoveCmd) Run(a *app) error {
	h, err := a.connect(false)
	if err != nil {
		return err
	}
	defer h.close()
	if _, err := h.savedTool(a.ctx, c.Name); err != nil {
		return err
	}
	if err := h.bus.RemoveTool(a.ctx, c.Name); err != nil {
		return err
	}
	fmt.Printf("removed %s\n", c.Name)
	return nil
}

// offerTool says how the steps of a task that took several of them, and ended well, become a tool.
func (h *house) offerTool(ctx context.Context, w bus.Where, failed error) {
	if failed != nil {
		return
	}
	if records, err := h.bus.Read(ctx, w, 0); err == nil && saved.Worth(records) && records[0].Request != nil {
		wish := "把刚才的步骤存成工具"
		if actors.Language(records[0].Request.JobDesc) == "en" {
			wish = "save these steps as a tool"
		}
		fmt.Fprintf(os.Stderr, "Keep these steps as a tool: %s ask --session %s '%s'\n", h.called, w.Session, wish)
	}
}

// savedTool is the tool of a name; the error says where the names are.
func (h *house) savedTool(ctx context.Context, name string) (bus.SavedTool, error) {
	t, err := h.bus.SavedTool(ctx, name)
	if errors.Is(err, bus.ErrNotFound) || errors.Is(err, bus.ErrBadName) {
		return t, fmt.Errorf("there is no saved tool %s; %s tools lists them", terminal.Line(name), h.called)
	}
	return t, err
}

// houseOfTools is the house that runs, or one of our own, with all its tools.
func (a *app) houseOfTools() (*house, *bus.Directory, error) {
	h, err := a.connect(false)
	if err != nil {
		return nil, nil, err
	}
	if h.server != nil {
		h.passive = true
		if err := h.populate(a.ctx, fillProgress()); err != nil {
			h.close()
			return nil, nil, err
		}
	}
	d, err := h.bus.Directory(a.ctx)
	if err != nil {
		h.close()
		return nil, nil, err
	}
	settle(d)
	return h, d, nil
}

// readBounded reads a file, or the standard input, of at most 1 MiB.
func readBounded(name string) ([]byte, error) {
	const most = 1 << 20
	in := io.Reader(os.Stdin)
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		in = f
	}
	body, err := io.ReadAll(io.LimitReader(in, most+1))
	if err == nil && len(body) > most {
		err = fmt.Errorf("%s has more than %d bytes", name, most)
	}
	return bytes.TrimPrefix(body, []byte("\xef\xbb\xbf")), err
}
