package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/hmap-project/hmap/actors/eval"
	"github.com/hmap-project/hmap/actors/plan"
	"github.com/hmap-project/hmap/gateway/terminal"
)

type evalCmd struct {
	Planner evalPlannerCmd `cmd:"" help:"Compare the plans of the built-in planner with the right ones."`
}

// evalPlannerCmd takes the folder of the public sets from --data, which every command has: scoring uses no data of the house.
type evalPlannerCmd struct {
	Sets     []string `help:"Public sets to score, with commas. Default: nestools,seal-tools,ecom-bench." default:"nestools,seal-tools,ecom-bench" placeholder:"SETS"`
	Requests string   `help:"Score a set of your own: the requests, in the form of hmap plan --batch." placeholder:"FILE"`
	Gold     string   `help:"The right plans for --requests, in the form that hmap plan --batch prints, with the same ids. A list of names in \"tools_used\" is enough." placeholder:"FILE"`
	Tools    string   `help:"Tools for the requests that bring none, in the form of hmap plan --tools." placeholder:"FILE"`
	Without  []string `help:"Switch off parts of the planner: embedding, dag, optimiser, model. Separate several with commas." placeholder:"MODELS"`
	Ablation bool     `help:"Score with all parts, and then without each of them."`
	Renamed  string   `help:"Give tools and fields other names first: camel (getUserInfo), badge (svc_get_user_info) or numbered (tool_1, param_1)." placeholder:"MANNER"`
	Misses   int      `help:"Show this many wrong plans of each set." placeholder:"N"`
	JSON     bool     `help:"Print JSON with all counts."`
}

// Help has examples.
func (*evalPlannerCmd) Help() string {
	return `Needs --data, the folder that holds the public sets (nestools, seal-tools, ecom-bench), or a set of your own. No language model takes part.
Prints a table in Markdown: a row for each planner, a column for each set. Times are elapsed, and in brackets of the processors. The figures are
explained by: go doc ./actors/eval

  hmap eval planner --data DIR --ablation
  hmap eval planner --data DIR --sets ecom-bench --misses 5
  hmap eval planner --data DIR --renamed numbered
  hmap eval planner --requests mine.jsonl --gold plans.jsonl --tools cards.json`
}

// Validate refuses a command line without a set, and names that there are not.
func (c *evalPlannerCmd) Validate() error {
	if _, err := eval.Without(c.Without); err != nil {
		return fmt.Errorf("--without: %w", err)
	}
	for _, s := range c.Sets {
		if !slices.Contains(eval.Names, s) {
			return fmt.Errorf("--sets: there is no set %.80q; want some of %s", s, strings.Join(eval.Names, ","))
		}
	}
	switch {
	case c.Renamed != "" && !slices.Contains(eval.Manners, c.Renamed):
		return fmt.Errorf("--renamed: there is no manner %.80q; want one of %s", c.Renamed, strings.Join(eval.Manners, ","))
	case (c.Requests == "") != (c.Gold == ""), c.Requests == "" && c.Tools != "":
		return errors.New("--requests, --gold and, if the requests bring no cards, --tools belong together")
	case c.Misses < 0:
		return errors.New("--misses is how many rows to show, 0 or more")
	case c.Ablation && len(c.Without) > 0:
		return errors.New("--ablation switches each model off in turn; it takes no --without")
	}
	return nil
}

// Run scores.
func (c *evalPlannerCmd) Run(a *app) error {
	if a.flags.Data == "" && c.Requests == "" {
		return errors.New("which requests? Name the folder of the public sets with --data, or files of your own with --requests and --gold")
	}
	sets, err := c.open(a.flags.Data)
	if err != nil {
		return err
	}
	for i := range sets {
		if c.Renamed == "" {
			break
		}
		if sets[i], err = sets[i].Renamed(c.Renamed); err != nil {
			return fmt.Errorf("--renamed: %w", err)
		}
	}
	withouts := [][]string{c.Without}
	if c.Ablation {
		for _, m := range eval.Models {
			withouts = append(withouts, []string{m})
		}
	}
	show := progress(os.Stderr, terminal.Lively(os.Stderr))
	var rows []eval.Ablation
	for _, names := range withouts {
		without, err := eval.Without(names)
		if err != nil {
			return err
		}
		row := eval.Ablation{Without: append([]string{}, names...)}
		for i, s := range sets {
			head := fmt.Sprintf("%s (%d of %d)", s.Name, len(rows)*len(sets)+i+1, len(withouts)*len(sets))
			show(head + ": reading the cards …")
			score, err := s.Run(a.ctx, plan.Options{Without: without, AnyName: true}, eval.Watch{
				Misses: c.Misses, Done: func(done, all int) { show(fmt.Sprintf("%s: %d of %d rows", head, done, all)) },
			})
			if err != nil {
				show("")
				return err
			}
			row.Scores = append(row.Scores, score)
		}
		rows = append(rows, row)
	}
	show("")
	if c.JSON {
		return printJSON(rows)
	}
	_, err = os.Stdout.WriteString(terminal.Clean(eval.Table(rows) + misses(rows)))
	return err
}

// progress shows how far a work is on one line of a terminal, ten times a second at most; "" takes the line away. live: w is a terminal, else
// nothing is written.
func progress(w io.Writer, live bool) func(string) {
	var shown time.Time
	return func(s string) {
		if !live || s != "" && time.Since(shown) < 100*time.Millisecond {
			return
		}
		shown = time.Now()
		fmt.Fprintf(w, "\r\033[K%s", s)
	}
}

// misses tells what went wrong, set by set.
func misses(rows []eval.Ablation) string {
	var b strings.Builder
	for _, r := range rows {
		for _, s := range r.Scores {
			if len(s.Misses) > 0 {
				fmt.Fprintf(&b, "\n%s", s.Set)
				if len(r.Without) > 0 {
					fmt.Fprintf(&b, ", without %s", strings.Join(r.Without, ", "))
				}
				b.WriteString("\n")
			}
			for _, m := range s.Misses {
				fmt.Fprintf(&b, "\n  %s  %s\n", m.ID, cut(terminal.Line(strings.Join(m.Requests, " | ")), 400))
				for _, p := range []struct {
					head         string
					said, wanted []string
				}{{"tools", m.Said.Tools, m.Wanted.Tools}, {"references", m.Said.References, m.Wanted.References}} {
					if !slices.Equal(p.said, p.wanted) {
						fmt.Fprintf(&b, "    %s  said    %s\n    %s  wanted  %s\n", p.head, terminal.Line(strings.Join(p.said, " ")), strings.Repeat(" ", len(p.head)), terminal.Line(strings.Join(p.wanted, " ")))
					}
				}
			}
		}
	}
	return b.String()
}

func (c *evalPlannerCmd) open(dir string) ([]eval.Set, error) {
	if c.Requests != "" {
		s, err := eval.Read(c.Requests, c.Gold, c.Tools)
		return []eval.Set{s}, err
	}
	var sets []eval.Set
	for _, name := range c.Sets {
		some, err := eval.Open(dir, name)
		if err != nil {
			return nil, fmt.Errorf("the set %s: %w", name, err)
		}
		sets = append(sets, some...)
	}
	return sets, nil
}
