package plan

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/configs"
)

// team is the house of house.json: every agent with an index of whom it may call. Its agents think; its tools say what they are told
// to say.
type team struct {
	index map[string]*Index
	// says are the observations of tools by name; without one, a tool tells of one order, and a change of itself.
	says map[string]string
	// fails are the errors of tools by name.
	fails map[string]*bus.Error
	// log are the calls of tools in order, each as name and arguments, and the questions as ask:tool.parameter.
	log []logged
	// agents are the calls of agents in order.
	agents []bus.Action
	asked  *bus.Ask
	loud   bool     // log every round
	chain  []string // the agents at work, each called by the one before
}

type logged struct {
	name string // or ask:tool.parameter
	args map[string]any
	read bool
}

// anOrder is what a tool of the tests finds when nothing else is said.
const anOrder = `{"count":1,"orders":[{"order_id":"281063663568","user_pin":"wang1","consumer_name":"王萍萍","waybill":"SF123456789"}],"order_id":"281063663568"}`

// aCustomer is what the shop shows of its customers when nothing else is said.
const aCustomer = `{"summary":"1 位。","summary_en":"There is 1.","count":1,"customers":[{"consumer_name":"王萍萍","orders":12,"spent":61000,"user_pin":"wang1"}]}`

func newTeam(t testing.TB) *team {
	t.Helper()
	index, err := houseIndex()
	if err != nil {
		t.Fatal(err)
	}
	return &team{index: index, says: map[string]string{}, fails: map[string]*bus.Error{}}
}

// cardsOfHouse are the tools and agents of house.json, and apart from them the agents whom the master may call.
func cardsOfHouse(t *testing.T) (all, agents []bus.Card) {
	t.Helper()
	raw, err := os.ReadFile("testdata/house.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, &all); err != nil {
		t.Fatal(err)
	}
	for _, c := range all {
		if c.IsAgent() && c.Name != "master" {
			agents = append(agents, c)
		}
	}
	return all, agents
}

// builtInPhrases are those of the default configuration.
var builtInPhrases = sync.OnceValues(func() (*Phrasebook, error) {
	read, err := (&configs.Config{}).Phrasebook()
	if err != nil {
		return nil, err
	}
	var all []Phrase
	for _, p := range read {
		all = append(all, Phrase(p))
	}
	return NewPhrasebook(all)
})

// houseIndex is made once for all tests, as an index serves all tasks of a house: it never changes.
var houseIndex = sync.OnceValues(func() (map[string]*Index, error) {
	raw, err := os.ReadFile("testdata/house.json")
	if err != nil {
		return nil, err
	}
	var all []struct {
		bus.Card
		Calls []string
	}
	if err := json.Unmarshal(raw, &all); err != nil {
		return nil, err
	}
	var cards []bus.Card
	for _, c := range all {
		for _, tool := range all { // as an agent's card is offered in the house: with what its tools say of themselves
			if c.IsAgent() && !tool.IsAgent() && slices.Contains(tool.Tags, c.Name) {
				c.Skills = append(c.Skills, tool.Description)
				for _, tag := range tool.Tags {
					if tag != c.Name {
						c.Tags = append(c.Tags, tag)
					}
				}
			}
		}
		cards = append(cards, c.Card)
	}
	phrases, err := builtInPhrases()
	if err != nil {
		return nil, err
	}
	index := map[string]*Index{}
	for _, c := range all {
		if !c.IsAgent() {
			continue
		}
		var mine []bus.Card
		for _, o := range cards {
			if o.Name != c.Name && o.Name != "master" && (slices.Contains(c.Calls, o.Name) || slices.Contains(c.Calls, "*") && o.IsAgent()) {
				mine = append(mine, o)
			}
		}
		x := NewIndex(mine, Options{Tools: cards, Phrases: phrases})
		if len(x.Rejects) > 0 {
			return nil, fmt.Errorf("%s: %v", c.Name, x.Rejects)
		}
		index[c.Name] = x
	}
	return index, nil
})

// run lets an agent think until it answers or asks; "" when it asks.
func (h *team) run(t testing.TB, agent string, in Input) string {
	t.Helper()
	h.chain = append(h.chain, agent)
	defer func() { h.chain = h.chain[:len(h.chain)-1] }()
	for round := 1; round <= 8; round++ {
		out := h.index[agent].Think(in)
		if h.loud {
			t.Logf("%s: %s %s %s", agent, out.Thought, out.Critique, told(out))
		}
		switch {
		case out.Answer != "":
			return out.Answer
		case out.Ask != nil:
			h.asked = out.Ask
			h.log = append(h.log, logged{name: "ask:" + out.Ask.ToolName + "." + out.Ask.Parameter})
			return ""
		case len(out.Actions) == 0:
			t.Fatalf("%s: %s: nothing", agent, in.Request)
		}
		if p := h.index[agent].Check(out.Actions); p != nil {
			t.Errorf("%s: %s: %v", agent, in.Request, p)
		}
		for i, a := range out.Actions {
			d := Done{Action: a, Call: bus.ChildID("t", round, i), Status: bus.OK}
			e := h.index[agent].byName[a.ToolName]
			switch {
			case e.IsAgent() && slices.Contains(h.chain, a.ToolName): // as the house refuses it
				d.Status, d.Error = bus.Failed, &bus.Error{Code: bus.CodeForbidden, Message: "调用成环，已拒绝：" + strings.Join(h.chain, " → ")}
			case e.IsAgent():
				h.agents = append(h.agents, a)
				answer := h.run(t, a.ToolName, Input{Request: a.JobDesc, Now: in.Now, Language: in.Language, Answers: in.Answers})
				if answer == "" {
					return ""
				}
				if a.TrustMode == 1 {
					return answer
				}
				d.Observation, _ = json.Marshal(answer)
			default:
				args, _ := argumentMap(a)
				h.log = append(h.log, logged{a.ToolName, args, e.Reads()})
				said, ok := h.says[a.ToolName]
				if !ok && a.ToolName == "find_products" {
					said = aProduct(args)
				} else if !ok && a.ToolName == "find_customers" {
					said = aCustomer
				} else if !ok && e.Reads() {
					said = anOrder
					if id, ok := args["order_id"].(string); ok { // it tells of the order that it was asked for
						said = strings.ReplaceAll(said, "281063663568", id)
					} else if id, ok := args["refund_id"].(string); ok {
						said = fmt.Sprintf(`{"refund_id":%q,"order_id":"281063663568","consumer_name":"王萍萍","amount":193,"state":"待处理"}`, id)
					}
				} else if !ok {
					said = fmt.Sprintf(`{"done":%q}`, a.ToolName)
				}
				d.Observation = json.RawMessage(said)
				if err := h.fails[a.ToolName]; err != nil {
					d.Status, d.Observation, d.Error = bus.Failed, nil, err
				}
			}
			in.Done = append(in.Done, d)
		}
	}
	t.Errorf("%s: %s: no end", agent, in.Request)
	return ""
}

// aProduct is what the shop shows of the product that it was asked for.
func aProduct(args map[string]any) string {
	name, ok := args["sku_name"]
	if !ok {
		name = "禾煮空气炸锅 5L 可视窗"
	}
	id, ok := args["sku_id"]
	if !ok {
		id = "10000020260001"
	}
	return fmt.Sprintf(`{"summary":"有 1 种商品。","summary_en":"There is 1 product.","count":1,"products":[{"sku_name":%q,"category":"空气炸锅","price":329,"cost":3.98,"stock":71,"sku_id":%q}]}`, name, id)
}

// ask puts a request to the Master and returns the answer.
func (h *team) ask(t testing.TB, request string) string {
	t.Helper()
	return h.begin(t, ask(request))
}

// begin puts a request to the Master that may have earlier turns or answers.
func (h *team) begin(t testing.TB, in Input) string {
	t.Helper()
	h.log, h.agents, h.asked = nil, nil, nil
	return h.run(t, "master", in)
}

// wish is one call that a request shall come to.
type wish struct {
	names []string
	args  map[string]string // keys and values with alternatives
}

func readWishes(s string) []wish {
	var out []wish
	for s = strings.TrimSpace(s); s != "" && s != "none"; {
		name, rest := s, ""
		var args string
		if i := strings.IndexAny(s, "{,"); i >= 0 {
			name, rest = s[:i], s[i+1:]
			if s[i] == '{' {
				args, rest, _ = strings.Cut(rest, "}")
				rest = strings.TrimLeft(rest, ", ")
			}
		}
		w := wish{names: strings.Split(strings.TrimSpace(name), "/"), args: map[string]string{}}
		for _, a := range strings.Split(args, ";") {
			if k, v, ok := strings.Cut(strings.TrimSpace(a), "="); ok {
				w.args[k] = v
			}
		}
		out, s = append(out, w), strings.TrimSpace(rest)
	}
	return out
}

func (w wish) met(l logged) bool {
	if !slices.Contains(w.names, l.name) {
		return false
	}
	for k, v := range w.args {
		if v == "-" {
			if l.args[k] != nil {
				return false
			}
			continue
		}
		if !slices.ContainsFunc(strings.Split(k, "/"), func(k string) bool {
			have, ok := l.args[k]
			return ok && slices.Contains(strings.Split(v, "/"), fmt.Sprint(have))
		}) {
			return false
		}
	}
	return true
}

// short of a wish, or beyond all wishes: what is wrong with the calls that were made; "" when nothing is.
func (h *team) wrong(want []wish) string {
	taken := map[int]bool{}
	for _, w := range want {
		i := slices.IndexFunc(h.log, w.met)
		for i >= 0 && taken[i] {
			j := slices.IndexFunc(h.log[i+1:], w.met)
			if j < 0 {
				i = -1
			} else {
				i += j + 1
			}
		}
		if i < 0 {
			return fmt.Sprintf("no %v%v", w.names, w.args)
		}
		taken[i] = true
	}
	for i, l := range h.log {
		if taken[i] {
			continue
		}
		looked := false // at what is changed
		for j, o := range h.log {
			looked = looked || l.read && j > i && taken[j] && !o.read && len(l.args) == 1
		}
		if !looked {
			return "needless " + l.name
		}
	}
	return ""
}

func (h *team) told() string {
	var out []string
	for _, l := range h.log {
		out = append(out, l.name+string(fields.Arguments(l.args)))
	}
	return strings.Join(out, " ")
}

// score asks all requests of a file and tells how many came to the right calls.
func score(t *testing.T, h *team, file string, show bool) (right, all int) {
	t.Helper()
	raw, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(string(raw), "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		all++
		request, want, _ := strings.Cut(line, " | ")
		h.ask(t, request)
		if miss := h.wrong(readWishes(want)); miss == "" {
			right++
		} else if show {
			t.Logf("%s\n\t%s\n\t%s", request, miss, h.told())
		}
	}
	t.Logf("%s: %d of %d (%.0f %%)", file, right, all, 100*float64(right)/float64(all))
	return right, all
}

// TestHouse counts how many requests, put to the Master, come to the right calls of tools with the right arguments, through all
// agents between. asked.txt was in view while the planner was made, held.txt was not; the bars only go up.
func TestHouse(t *testing.T) {
	h := newTeam(t)
	for _, c := range []struct {
		file string
		show bool
		bar  float64
	}{{"asked.txt", true, 0.98}, {"held.txt", false, 0.83}} {
		if right, all := score(t, h, c.file, c.show); float64(right) < c.bar*float64(all) {
			t.Errorf("%s: under the bar of %.0f %%", c.file, 100*c.bar)
		}
	}
}

// BenchmarkMaster is what one thought of the Master costs in a house of 28 tools.
func BenchmarkMaster(b *testing.B) {
	x := newTeam(b).index["master"]
	b.ReportAllocs()
	for b.Loop() {
		x.Think(ask("找出发货超时的订单，然后给买家写一条道歉消息"))
	}
}
