package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/hmap-project/hmap/actors"
	"github.com/hmap-project/hmap/actors/eval"
	"github.com/hmap-project/hmap/actors/learn"
	"github.com/hmap-project/hmap/actors/plan"
	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/configs"
	"github.com/hmap-project/hmap/gateway/terminal"
)

type planCmd struct {
	Request string   `arg:"" optional:"" help:"What you want, in plain language."`
	Explain bool     `help:"Show how the plan came about: clauses, candidates with scores, the graph searched, alternatives and why they lost."`
	All     bool     `help:"Plan all calls to the end, as --batch does, instead of the next round."`
	JSON    bool     `help:"Print JSON."`
	Batch   string   `help:"Plan a file of requests, one JSON object a line; - is standard input." placeholder:"FILE"`
	Tools   string   `help:"The cards on offer: a JSON array or JSON lines, a folder of such files, or - for standard input. Default: those of the house." placeholder:"FILE"`
	Agent   string   `help:"Whose view of the house: what this agent may call. Default: the agent that users talk to." placeholder:"NAME"`
	Without []string `help:"Switch some of the planner's four models off: embedding,dag,optimiser,model." placeholder:"MODELS"`
}

// Help has the formats and examples.
func (*planCmd) Help() string {
	return `Nothing is run and nobody is asked: the planner says what it would do. No language model takes part.

  hmap plan '我有多少订单是王萍萍买的?' --explain
  hmap plan '找出发货超时的订单' --agent orders --json
  hmap plan 'Book a table and tell Ann' --tools cards.json --all
  hmap plan --batch requests.jsonl --tools catalogue.jsonl > plans.jsonl

A card is {"name","description","parameters":JSON Schema,"returns":JSON Schema}; what 'hmap agents --json' prints will do. A line of --batch is
{"id","request","tools":[card, …]}, and "tools" may be missing where --tools or the house has them; "context" is what is known beside. For each
line there is one in the same order, {"id","calls":[{"tool_name","parameter":{"x":"literal"}}]}, where "$0.field" in place of a literal is a field
of what the first call returns, or {"id","error"}; then the exit status is 1.`
}

// Validate refuses wishes that exclude each other.
func (c *planCmd) Validate() error {
	_, err := eval.Without(c.Without)
	switch {
	case err != nil:
		return fmt.Errorf("--without: %w", err)
	case c.Batch == "" && strings.TrimSpace(c.Request) == "":
		return errors.New("the request is empty; say what you want, or give a file of requests with --batch")
	case c.Batch != "" && (c.Request != "" || c.Explain || c.All || c.JSON):
		return errors.New("--batch takes its requests from the file and prints JSON lines; it goes with --tools, --agent and --without only")
	case c.Agent != "" && c.Tools != "":
		return errors.New("--agent is a view of the house, --tools are other cards; give one of them")
	case c.Batch == "-" && c.Tools == "-":
		return errors.New("requests and cards cannot both come from standard input")
	}
	return nil
}

// Run plans one request or many.
func (c *planCmd) Run(a *app) error {
	without, err := eval.Without(c.Without)
	if err != nil {
		return err
	}
	o := plan.Options{Without: without, AnyName: true}
	settings, err := configs.Load(a.flags.Config) // not a.config: other cards are planned with and nothing is kept
	if err != nil {
		return fmt.Errorf("configuration: %w", err)
	}
	if c.Batch != "" {
		return c.batch(a, o, time.Now().In(settings.Location()))
	}
	x, err := c.index(a, o)
	if err != nil {
		return err
	}
	in := plan.Input{Request: c.Request, Now: time.Now().In(settings.Location())}
	look := planLook{lang: actors.Language(c.Request)}
	if c.All {
		calls := x.PlanAll(in)
		if c.JSON {
			return printJSON(map[string]any{"calls": append([]plan.Call{}, calls...)})
		}
		look.calls(calls)
	}
	if !c.All || c.Explain {
		out := x.Think(in)
		if c.JSON {
			return printJSON(asJSON(out, c.Explain))
		}
		if !c.All {
			look.outcome(out)
		}
		if c.Explain {
			look.explain(out.Explain)
		}
	}
	_, err = os.Stdout.WriteString(terminal.Clean(look.String()))
	return err
}

// index reads the cards, and tells on standard error which of them cannot be offered.
func (c *planCmd) index(a *app, o plan.Options) (*plan.Index, error) {
	var cards []bus.Card
	var left []plan.Reject
	var err error
	switch c.Tools {
	case "":
		cards, left, err = a.offered(c.Agent, &o)
	case "-":
		cards, left, err = eval.Cards(os.Stdin, "standard input")
	default:
		cards, left, err = eval.Catalogue(c.Tools)
	}
	if err != nil {
		return nil, err
	}
	x := plan.NewIndex(cards, o)
	left = append(left, x.Rejects...)
	for i, r := range left {
		if i == maxRejectsTold {
			fmt.Fprintf(os.Stderr, "… and %d more cards left out\n", len(left)-i)
			break
		}
		tellReject("", r)
	}
	if x.Len() == 0 {
		return nil, fmt.Errorf("%s: %w", cmp.Or(c.Tools, "the house"), eval.ErrNoCards)
	}
	return x, nil
}

// maxRejectsTold is how many cards are told of that cannot be offered.
const maxRejectsTold = 20

func tellReject(where string, r plan.Reject) {
	fmt.Fprintln(os.Stderr, terminal.Line(fmt.Sprintf("left out: %scard %q: %s", where, r.Name, r.Reason)))
}

// offered are the cards that an agent of the house may call, with those that the directory rejects; into o goes what the agent knows
// beside: the tools behind other agents, and what the log has taught. The house is that which runs, or one of our own that is gone when
// offered returns. The agent "" is the first that users may call.
func (a *app) offered(agent string, o *plan.Options) ([]bus.Card, []plan.Reject, error) {
	h, err := a.connect(false)
	if err != nil {
		return nil, nil, err
	}
	defer h.close()
	if h.server != nil {
		h.passive = true
		if err := h.populate(a.ctx, fillProgress()); err != nil {
			return nil, nil, err
		}
	}
	d, err := h.bus.Directory(a.ctx)
	if err != nil {
		return nil, nil, err
	}
	settle(d)
	team, err := configs.Team(h.config.Agents)
	if err != nil {
		return nil, nil, err
	}
	for _, a := range team {
		if agent == "" && a.Entry {
			agent = a.Name
		}
	}
	var left []plan.Reject
	for _, r := range d.Rejected() {
		left = append(left, plan.Reject{Name: r.Card.Name, Reason: r.Reason})
	}
	cards, tools, err := actors.Offered(team, agent, d.Cards())
	if err != nil {
		return nil, nil, err
	}
	o.Tools = tools
	if h.config.Learning == "on" {
		book := learn.Open(h.bus)
		if _, err := book.Refresh(a.ctx); err != nil {
			return nil, nil, err
		}
		o.Evidence = book.Lessons().Evidence()
	}
	return cards, left, nil
}
