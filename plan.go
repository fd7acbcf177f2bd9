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
	"github.com/hmap-project/hmap/bus/gloss"
	"github.com/hmap-project/hmap/configs"
	"github.com/hmap-project/hmap/gateway/terminal"
)

type planCmd struct {
	Request string   `arg:"" optional:"" help:"What you want, in plain language."`
	Explain bool     `help:"Show how the plan was found: the parts of the request, the candidates with their scores, and why others lost."`
	All     bool     `help:"Plan every call up to the answer, not only the next step."`
	JSON    bool     `help:"Print JSON."`
	Batch   string   `help:"Plan all requests of this file, one JSON object a line; - is standard input." placeholder:"FILE"`
	Tools   string   `help:"Plan with the tools in this file instead of those of hmap: a JSON array, JSON lines, a folder of such files, or - for standard input." placeholder:"FILE"`
	Agent   string   `help:"Plan as this agent, with the tools that it may use. Default: the agent that users talk to." placeholder:"NAME"`
	Without []string `help:"Switch off parts of the planner: embedding, dag, optimiser, model. Separate several with commas." placeholder:"MODELS"`
}

// Help has the formats and examples.
func (*planCmd) Help() string {
	return `Nothing is called and nothing is changed. No language model takes part.

  hmap plan 'How many orders did Wang Pingping place?'
  hmap plan 'Which orders are late?' --agent logistics --explain
  hmap plan 'Book a table and tell Ann' --tools cards.json --all
  hmap plan --batch requests.jsonl --tools cards.json > plans.jsonl

A tool in --tools is a card, as hmap agents --json prints it, or a tool as an MCP server answers to tools/list:

  {"name": "…", "description": "…", "parameters": JSON Schema, "returns": JSON Schema}

A line of --batch is a request. "tools" may be left out, and "context" may say what is known already:

  {"id": "1", "request": "…", "tools": [card, …], "context": "…"}

For each line one is printed, in the same order. "$0.field" stands for a field of the result of the first call:

  {"id": "1", "calls": [{"tool_name": "…", "parameter": {"name": "value"}}]}
  {"id": "2", "error": "…"}

"bounded" beside the calls says that the work reached its bound: they are the best plan found so far.

The exit status is 1 if any request of a batch has an error.`
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
				cards[i].Tags = gloss.Tags(card.Name, card.Description)
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
