package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"text/tabwriter"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/gateway/terminal"
	"github.com/hmap-project/hmap/tools"
)

// filesCmd are the files of sessions: those that requests brought, and those that agents and tools made.
type filesCmd struct {
	List filesListCmd `cmd:"" default:"withargs" help:"List the files of a session (the default)."`
	Get  filesGetCmd  `cmd:"" help:"Fetch one."`
}

type filesListCmd struct {
	Session string `arg:"" optional:"" help:"The session; default: the newest. 'hmap sessions' lists them."`
	JSON    bool   `help:"Print them as JSON."`
}

// Run lists the files in the order in which the session's log first names them.
func (c *filesListCmd) Run(a *app) error {
	h, err := a.connect(false)
	if err != nil {
		return err
	}
	defer h.close()
	session := c.Session
	if session == "" {
		newest, _, err := h.bus.Sessions(a.ctx, 0, 1)
		if err != nil {
			return err
		}
		if len(newest) == 0 {
			return errors.New("there are no sessions yet, so there are no files; hmap ask --file FILE '…' brings one")
		}
		session = newest[0].ID
	}
	list, err := h.bus.Files().Of(a.ctx, session)
	if err != nil {
		return err
	}
	if len(list) == 0 && c.Session != "" { // a session without files, or none at all
		records, err := h.bus.Read(a.ctx, bus.Where{Session: session}, 0)
		if err != nil {
			return err
		}
		if len(records) == 0 {
			return h.noSession(session)
		}
	}
	if c.JSON {
		return printJSON(append([]bus.File{}, list...))
	}
	if len(list) == 0 {
		fmt.Fprintf(os.Stderr, "session %s has no files\n", terminal.Line(session))
		return nil
	}
	t := tabwriter.NewWriter(os.Stdout, 0, 4, 2, ' ', 0)
	fmt.Fprintln(t, "REF\tBYTES\tNAME\tDESCRIPTION")
	for _, f := range list {
		row(t, f.Ref, fmt.Sprint(f.Bytes), f.Name, f.Description)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "\nFetch one with: hmap files get %s\n", list[len(list)-1].Ref)
	return nil
}

type filesGetCmd struct {
	Ref string `arg:"" help:"Its reference, obj:…, as 'hmap files' lists it."`
	Out string `short:"o" help:"Write to this file; - is standard output. Default: a new file here, of its own name." placeholder:"FILE"`
}

// Run fetches a file whole before it writes any of it: what is damaged or cut off replaces nothing.
func (c *filesGetCmd) Run(a *app) error {
	h, err := a.connect(false)
	if err != nil {
		return err
	}
	defer h.close()
	content, f, err := h.bus.Files().Get(a.ctx, c.Ref)
	if errors.Is(err, bus.ErrNotFound) {
		return fmt.Errorf("there is no file %s; hmap files SESSION lists those of a session", terminal.Line(c.Ref))
	}
	if err != nil {
		return err
	}
	body, err := io.ReadAll(content)
	if err = errors.Join(err, content.Close()); err != nil {
		return fmt.Errorf("%s cannot be read: %w", terminal.Line(c.Ref), err)
	}
	if c.Out == "" && !tools.PlainName(f.Name) {
		return fmt.Errorf("its name, %s, is none for a file here; name one with -o", terminal.Line(f.Name))
	}
	return writeFile(body, c.Out, f.Name)
}
