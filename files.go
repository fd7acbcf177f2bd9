package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/gateway/terminal"
	"github.com/hmap-project/hmap/tools"
)

// filesCmd are the files of sessions: those that requests brought, and those that agents and tools made.
type filesCmd struct {
	List filesListCmd `cmd:"" default:"withargs" help:"List the files of a session."`
	Get  filesGetCmd  `cmd:"" help:"Fetch a file of a session."`
}

type filesListCmd struct {
	Session string `arg:"" optional:"" help:"The session; hmap sessions lists them. Default: the most recent one."`
	JSON    bool   `help:"Print JSON."`
}

// Help has examples.
func (*filesListCmd) Help() string {
	return `Lists what you brought and what agents and tools made.

  hmap files
  hmap files SESSION`
}

// Run lists the files in the order in which the session's log first names them.
func (c *filesListCmd) Run(a *app) error {
	h, err := a.connect(false)
	if err != nil {
		return err
	}
	defer h.close()
	session, list, err := h.filesOf(a.ctx, c.Session)
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
	session = terminal.Line(session)
	newest := ""
	if c.Session == "" {
		newest = fmt.Sprintf(" (the most recent; %s files SESSION lists those of another)", h.called)
	}
	if len(list) == 0 {
		fmt.Fprintf(os.Stderr, "session %s%s has no files\n", session, newest)
		return nil
	}
	fmt.Fprintf(os.Stderr, "session %s%s:\n\n", session, newest)
	if err := showFiles(os.Stdout, list); err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "\nFetch one with: %s files get %s\n", h.called, list[len(list)-1].Ref)
	return nil
}

// filesOf are the files of a session; of the one in which something happened last when none is named.
func (h *house) filesOf(ctx context.Context, session string) (string, []bus.File, error) {
	if session == "" {
		newest, _, err := h.newest(ctx, 1)
		if err != nil {
			return "", nil, err
		}
		if len(newest) == 0 {
			return "", nil, fmt.Errorf("there are no sessions yet, so there are no files; %s ask --file FILE '…' brings one", h.called)
		}
		session = newest[0].ID
	}
	list, err := h.bus.Files().Of(ctx, session)
	return session, list, err
}

func showFiles(to io.Writer, list []bus.File) error {
	t := tabwriter.NewWriter(to, 0, 4, 2, ' ', 0)
	fmt.Fprintln(t, "REF\tBYTES\tNAME\tDESCRIPTION")
	for i, f := range list {
		name := f.Name
		if slices.ContainsFunc(list[i+1:], func(g bus.File) bool { return g.Name == name }) {
			name += " (older)"
		}
		row(t, f.Ref, fmt.Sprint(f.Bytes), name, f.Description)
	}
	return t.Flush()
}

type filesGetCmd struct {
	Names   []string `arg:"" optional:"" name:"file" help:"The file: its name, or its reference (obj:…) from hmap files list. Before it may stand the session to look in."`
	Session string   `help:"The session to look in. Default: the most recent one." placeholder:"ID"`
	Out     string   `short:"o" help:"Write to this file; - is standard output. Default: a new file here with the same name." placeholder:"FILE"`
	ref     string   // of these
}

// Help has examples.
func (*filesGetCmd) Help() string {
	return `For example:

  hmap files get report.html
  hmap files get SESSION report.html
  hmap files get obj:REFERENCE -o report.html`
}

// Validate reads the one or two names: a file, or a session and a file.
func (c *filesGetCmd) Validate() error {
	switch {
	case len(c.Names) > 2 || len(c.Names) == 2 && c.Session != "":
		return errors.New("want one file, with its session before it or in --session")
	case len(c.Names) == 2:
		c.Session = c.Names[0]
	}
	if len(c.Names) > 0 {
		c.ref = c.Names[len(c.Names)-1]
	}
	return nil
}

// Run fetches a file whole before it writes any of it: what is damaged or cut off replaces nothing.
func (c *filesGetCmd) Run(a *app) error {
	h, err := a.connect(false)
	if err != nil {
		return err
	}
	defer h.close()
	if c.ref == "" {
		return h.whichFile(a.ctx)
	}
	if !strings.HasPrefix(c.ref, "obj:") {
		if c.ref, err = h.refOf(a.ctx, c.Session, c.ref); err != nil {
			return err
		}
	}
	content, f, err := h.bus.Files().Get(a.ctx, c.ref)
	if errors.Is(err, bus.ErrNotFound) {
		return fmt.Errorf("there is no file %s; %s files SESSION lists those of a session", terminal.Line(c.ref), h.called)
	}
	if err != nil {
		return err
	}
	body, err := io.ReadAll(content)
	if err = errors.Join(err, content.Close()); err != nil {
		return fmt.Errorf("%s cannot be read: %w", terminal.Line(c.ref), err)
	}
	if c.Out == "" && !tools.PlainName(f.Name) {
		return fmt.Errorf("its name, %s, is none for a file here; name one with -o", terminal.Line(f.Name))
	}
	return writeFile(body, c.Out, f.Name)
}

// refOf is the reference of the newest file of a name in a session; "": the newest session.
func (h *house) refOf(ctx context.Context, session, name string) (string, error) {
	session, list, err := h.filesOf(ctx, session)
	if err != nil {
		return "", err
	}
	var names []string
	for _, f := range slices.Backward(list) {
		if f.Name == name {
			return f.Ref, nil
		}
		if !slices.Contains(names, f.Name) {
			names = append(names, terminal.Line(f.Name))
		}
	}
	if len(names) == 0 {
		return "", fmt.Errorf("session %s has no files, so there is no %s; --session names another", terminal.Line(session), terminal.Line(name))
	}
	return "", fmt.Errorf("session %s has no file %s; it has %s. --session names another", terminal.Line(session), terminal.Line(name), strings.Join(names, ", "))
}

// whichFile says which references there are, for who named none.
func (h *house) whichFile(ctx context.Context) error {
	session, list, err := h.filesOf(ctx, "")
	if err != nil {
		return err
	}
	if len(list) == 0 {
		return fmt.Errorf("name the file to fetch by its reference; the newest session, %s, has no files, and %s files SESSION lists those of another", session, h.called)
	}
	if err := showFiles(os.Stderr, list); err != nil {
		return err
	}
	return fmt.Errorf("name the file to fetch by its reference: %s files get %s; these are of the newest session, %s, and %[1]s files SESSION lists those of another", h.called, list[len(list)-1].Ref, session)
}
