package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/hmap-project/hmap/actors/staff"
	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/gateway/terminal"
)

type agentsCmd struct {
	JSON   bool `help:"Print JSON, with the parameters and results of each."`
	Stats  bool `help:"Show what plans have learned from past tasks instead: calls, failures and duration of each tool, and which result fitted which parameter." xor:"stats"`
	Forget bool `name:"forget-stats" help:"Forget what was learned, and begin anew." xor:"stats"`
}

// Help says what the columns are, and has examples.
func (*agentsCmd) Help() string {
	return `EFFECT says what happens if a tool is called twice: read changes nothing, idempotent changes it once, unsafe changes it again. APPROVAL says
whether you are asked before it is called. "awaited" is an agent that has tasks and is not there: they begin when one of that name joins.

  hmap agents
  hmap agents --stats`
}

// Run lists who is there.
func (c *agentsCmd) Run(a *app) error {
	h, err := a.connect(false)
	if err != nil {
		return err
	}
	defer h.close()
	switch {
	case c.Forget:
		return c.forget(a.ctx, h)
	case c.Stats:
		return c.stats(a.ctx, h)
	}
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
	cards := d.Cards()
	if h.config.Employees.Names == "on" {
		for i := range cards { // what tools are called where nothing is known of the task
			if zh, en := staff.Name(cards[i], "zh"), staff.Name(cards[i], "en"); zh != "" {
				cards[i].Role = map[string]string{"zh": zh, "en": en}
			}
		}
	}
	if c.JSON {
		return printJSON(cards)
	}
	t := tabwriter.NewWriter(os.Stdout, 0, 4, 2, ' ', 0)
	fmt.Fprintln(t, "KIND\tNAME\tEFFECT\tAPPROVAL\tDESCRIPTION")
	servers := h.servers(a.ctx, cards)
	language := "en"
	if chinese(os.Getenv) {
		language = "zh"
	}
	for _, card := range cards {
		if s, ok := servers[card.Name]; ok {
			s.rows(t)
			continue
		}
		name, effect := card.Name, string(card.Effect)
		if role := card.Role[language]; role != "" {
			name += " · " + role
		}
		if card.IsAgent() {
			effect = ""
		}
		row(t, string(card.Kind), name, effect, string(card.Approval), half(card.Description, language == "zh"))
	}
	for _, r := range d.Rejected() {
		row(t, "rejected", r.Card.Name, "", "", r.Reason)
	}
	queued, err := h.bus.Queued(a.ctx)
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(queued)) {
		if _, there := d.Get(name); !there {
			row(t, "awaited", name, "", "", fmt.Sprintf("not there; tasks that wait for it: %d", queued[name]))
		}
	}
	return t.Flush()
}

// settle waits until nobody new has come for 300 ms and somebody is in the directory, or NATS knows of no service at all; 3 s at most, and 30 s while nobody
// is: NATS has no list that ends, our own agents have only just announced themselves, and a busy house is slow to answer.
func settle(d *bus.Directory) {
	someone := func() bool { return len(d.Cards()) > 0 || len(d.Rejected()) > 0 }
	enough, end := time.After(3*time.Second), time.After(30*time.Second)
	for late := false; ; {
		changed := d.Changed()
		select {
		case <-changed:
			if late && someone() {
				return
			}
		case <-time.After(300 * time.Millisecond):
			if someone() || d.Nobody() {
				return
			}
		case <-enough:
			if late = true; someone() {
				return
			}
		case <-end:
			return
		}
	}
}

// await gives tools that should be there 3 s to be on offer; none is a matter of the caller.
func (a *app) await(d *bus.Directory, names ...string) {
	ctx, cancel := context.WithTimeout(a.ctx, 3*time.Second)
	defer cancel()
	_ = d.Await(ctx, names...)
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
