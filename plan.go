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
	"github.com/hmap-project/hmap/actors/plan"
	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/configs"
	"github.com/hmap-project/hmap/gateway/terminal"
	"github.com/hmap-project/hmap/tools/mcp"
)

type planCmd struct {
	Request string   `arg:"" optional:"" help:"What you want, in plain language."`
	Explain bool     `help:"Show how the plan came about: clauses, candidates with scores, the graph searched, alternatives and why they lost."`
	All     bool     `help:"Plan all calls of tools to the end, as --batch does, instead of the next round."`
	JSON    bool     `help:"Print JSON."`
	Batch   string   `help:"Plan a file of requests, one JSON object a line; - is standard input." placeholder:"FILE"`
	Tools   string   `help:"The cards on offer: a JSON array or JSON lines, a folder of such files, or - for standard input. Default: those of the house." placeholder:"FILE"`
	Agent   string   `help:"Whose view of the house: what this agent may call. Default: the agent that users talk to." placeholder:"NAME"`
	Without []string `help:"Switch some of the planner's four models off: embedding,dag,optimiser,model." placeholder:"MODELS"`
}

// Help has the formats and examples.
func (*planCmd) Help() string {
	return `Nothing is run and nobody is asked: the planner says what it would do. No language model takes part; an embedding model that the configuration names
helps with the cards of the house, as it does when the house runs.

  hmap plan '我有多少订单是王萍萍买的?' --explain
  hmap plan '找出发货超时的订单' --agent orders --json
  hmap plan 'Book a table and tell Ann' --tools cards.json --all
  hmap plan --batch requests.jsonl --tools catalogue.jsonl > plans.jsonl

A card is {"name","description","parameters":JSON Schema,"returns":JSON Schema}; what 'hmap agents --json' prints will do, and what an MCP server
answers to tools/list. A line of --batch is
{"id","request","tools":[card, …]}, and "tools" may be missing where --tools or the house has them; "context" is what is known beside. For each
line there is one in the same order, {"id","calls":[{"tool_name","parameter":{"x":"literal"}}]}, where "$0.field" in place of a literal is a field
of what the first call returns, or {"id","error"}; then the exit status is 1. "bounded" beside the calls says that the work reached its bound: they
are the best plan found so far.`
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
	s, err := c.stock(a, o)
	if err != nil {
		return err
	}
	defer s.end()
	x := s.index
	in := plan.Input{Request: c.Request, Now: time.Now().In(settings.Location()), Parallel: s.parallel}
	look := planLook{lang: actors.Language(c.Request)}
	if c.All {
		calls, bounded := x.PlanBounded(in)
		if c.JSON {
			return printJSON(map[string]any{"calls": append([]plan.Call{}, calls...), "bounded": bounded})
		}
		look.calls(calls, bounded)
	}
	if !c.All || c.Explain {
		out := x.Think(in)
		if s.model != "" && s.failed() != nil && (!c.Explain || c.JSON) {
			fmt.Fprintln(os.Stderr, terminal.Line("planned without the embedding model: "+s.failed().Error()))
		}
		if c.JSON {
			return printJSON(asJSON(out, c.Explain))
		}
		if !c.All {
			look.outcome(out)
		}
		if c.Explain {
			if c.All {
				look.head("下一轮（--all 把整句一起衡量，所选可能不同）", "The next round (--all weighs the whole request at once, and may choose otherwise)")
			}
			look.explain(out.Explain)
			look.vectors(s)
		}
	}
	_, err = os.Stdout.WriteString(terminal.Clean(look.String()))
	return err
}

// stock is what requests are planned with.
type stock struct {
	index *plan.Index
	// model is the embedding model that helps, and failed why it did not, so far; "": none is configured.
	model  string
	failed func() error
	// parallel is how many calls run at the same time; 0: not known.
	parallel int
	// end lets the house go; the index must not be asked after it. Never nil.
	end func()
}

// stock reads the cards, and tells on standard error which of them cannot be offered.
func (c *planCmd) stock(a *app, o plan.Options) (s stock, err error) {
	var left []plan.Reject
	switch c.Tools {
	case "":
		s, left, err = a.houseStock(c.Agent, c.Agent == "" && (c.All || c.Batch != ""), o)
	default:
		var cards []bus.Card
		if c.Tools == "-" {
			cards, left, err = eval.Cards(os.Stdin, "standard input")
		} else {
			cards, left, err = eval.Catalogue(c.Tools)
		}
		for i, card := range cards { // as those of an MCP server are when the house has them
			if len(card.Tags) == 0 {
				cards[i].Tags = mcp.Gloss(card.Name, card.Description)
			}
		}
		s = stock{index: plan.NewIndex(cards, o), end: func() {}}
	}
	if err != nil {
		return stock{}, err
	}
	left = append(left, s.index.Rejects...)
	for i, r := range left {
		if i == maxRejectsTold {
			fmt.Fprintf(os.Stderr, "… and %d more cards left out\n", len(left)-i)
			break
		}
		tellReject("", r)
	}
	if s.index.Len() == 0 {
		s.end()
		return stock{}, fmt.Errorf("%s: %w", cmp.Or(c.Tools, "the house"), eval.ErrNoCards)
	}
	return s, nil
}

// maxRejectsTold is how many cards are told of that cannot be offered.
const maxRejectsTold = 20

func tellReject(where string, r plan.Reject) {
	fmt.Fprintln(os.Stderr, terminal.Line(fmt.Sprintf("left out: %scard %q: %s", where, r.Name, r.Reason)))
}
