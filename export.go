package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/gateway/terminal"
	"github.com/hmap-project/hmap/tools/document"
)

type exportCmd struct {
	Session string `arg:"" help:"The session; hmap sessions lists them."`
	Format  string `help:"html, pptx, docx, pdf, xlsx, csv or md. Default: the ending of --out, else html." placeholder:"FORMAT"`
	Out     string `short:"o" help:"Write to this file; - is standard output. Default: a new file here, named after the session." placeholder:"FILE"`
	Task    string `help:"Export only this task of the session." placeholder:"ID"`
	Title   string `help:"Title of the document. Default: the first request." placeholder:"TEXT"`
	Theme   string `help:"Colours: sea (blue), ember (warm) or night (dark)." enum:",sea,ember,night" default:"" placeholder:"NAME"`
}

// Help has examples.
func (*exportCmd) Help() string {
	return `For example:

  hmap export SESSION
  hmap export SESSION -o orders.pptx --theme night
  hmap export SESSION --format md -o -`
}

// Validate refuses a format that there is not.
func (c *exportCmd) Validate() error {
	_, err := c.format()
	return err
}

func (c *exportCmd) format() (document.Format, error) {
	name, ending := c.Format, strings.TrimPrefix(filepath.Ext(c.Out), ".")
	if name == "" {
		name = ending
	}
	if name == "" {
		return document.HTML, nil
	}
	if f, ok := document.Named(name); ok {
		if other, known := document.Named(ending); known && (other != f || older[strings.ToLower(ending)]) { // a program would open it as what it is not
			return "", fmt.Errorf("no program would open %s, for what is in it is %s; name it %s", c.Out, f, strings.TrimSuffix(c.Out, "."+ending)+"."+string(f))
		}
		return f, nil
	}
	return "", fmt.Errorf("there is no format %.40q; want one of %s with --format", name, strings.Join(formatList(), ", "))
}

// older are the ends of names of files that programs wrote before 2007: what is made here is none of these.
var older = map[string]bool{"doc": true, "xls": true, "ppt": true}

func formatList() []string {
	var all []string
	for _, f := range document.Formats() {
		all = append(all, string(f))
	}
	return all
}

// Run makes a document of what a session's log says: each request with its answer.
func (c *exportCmd) Run(a *app) error {
	f, err := c.format()
	if err != nil {
		return err
	}
	h, err := a.connect(false)
	if err != nil {
		return err
	}
	defer h.close()
	records, err := h.bus.Read(a.ctx, bus.Where{Session: c.Session, Task: c.Task}, 0)
	if err != nil {
		return err
	}
	if len(records) == 0 {
		if c.Task != "" {
			return fmt.Errorf("session %q has no task %q; %s sessions %s lists them", c.Session, c.Task, h.called, terminal.Line(c.Session))
		}
		return h.noSession(c.Session)
	}
	o := document.Whole(records, h.config.Location())
	if o.Theme = c.Theme; c.Title != "" {
		o.Title = c.Title
	}
	if o.Empty() {
		return fmt.Errorf("nothing was found in it yet, so there is nothing to export; go on with: %s ask --session %s '…'", h.called, terminal.Line(c.Session))
	}
	body, err := document.Render(a.ctx, o, f)
	if err != nil {
		return err
	}
	return writeFile(body, c.Out, document.FileName(o, f))
}

// writeFile puts a file where it was asked for (out, - for standard output), or, when that is empty, into a new file of a name that nobody chose.
func writeFile(body []byte, out, fresh string) error {
	if out == "-" {
		_, err := os.Stdout.Write(body)
		return err
	}
	name, mode := out, os.O_TRUNC
	if name == "" { // which replaces nothing
		name, mode = fresh, os.O_EXCL
	}
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|mode, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s is there already; name another file with -o, or the same to replace it", name)
	}
	if err != nil {
		return err
	}
	_, err = file.Write(body)
	if err = errors.Join(err, file.Close()); err == nil {
		fmt.Printf("%s (%d bytes)\n", name, len(body))
	}
	return err
}
