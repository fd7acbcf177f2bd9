package actors

import (
	"context"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/hmap-project/hmap/actors/model"
	"github.com/hmap-project/hmap/actors/plan"
	"github.com/hmap-project/hmap/actors/round"
	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/prompts"
)

// small are the models that do single steps for a planner that leads; nil: the step is not taken.
type small struct{ goal, arguments, answer, shorten *model.Client }

// lead is the planner's own round. doubt says why it is not sure of it, and then the thought is not to be used; "": it is sure, with the
// help of small models if there are any.
func (t *thinker) lead(ctx context.Context, v *View) (th Thought, doubts string, used bus.Usage) {
	w := sayer(v.Language)
	how := w("规划器有把握，没有问模型", "the planner is sure; the model was not asked")
	in := inputOf(v)
	out := v.Index.Think(in)
	doubts = doubt(v, out)
	h := t.helps.get(v.Request.Call)
	if doubts != "" && t.small.goal != nil && (h.goal != "" || len(v.Rounds) == 0) {
		if h.goal == "" {
			h.goal, used = t.distil(ctx, v)
		}
		if h.goal != "" {
			in.Request, in.History = h.goal, nil
			out = v.Index.Think(in)
			doubts = doubt(v, out)
			how = w("目标由小模型归纳：", "goal distilled by a small model: ") + h.goal
		}
	}
	if out.Ask != nil && t.small.arguments != nil && (h.said != nil || len(v.Rounds) == 0) {
		if h.said == nil {
			var spent bus.Usage
			h.said, spent = t.extract(ctx, v, in.Request, out.Ask.ToolName)
			used = used.Add(spent)
		}
		for range h.said {
			said, ok := h.said[parameterOf(out.Ask)]
			if !ok {
				break
			}
			in.Answers = append(in.Answers, plan.Answer{Ask: *out.Ask, Text: said})
			out = v.Index.Think(in)
			doubts = doubt(v, out)
			how = w("参数由小模型从原话中读出", "arguments read by a small model out of the user's words")
		}
	}
	t.helps.put(v.Request.Call, h)
	if doubts == "" { // a small model may have put words into the user's mouth: what they lead to is held against what was said
		if faults := audit(v, out.Actions, func() *known { return knownTo(v, "") }); len(faults) > 0 {
			doubts = faults[0].why
		}
	}
	if doubts != "" {
		return Thought{}, doubts, used
	}
	th = thoughtOf(out)
	if th.Answer != "" && t.small.answer != nil {
		answer, spent, ok := t.word(ctx, v, th.Answer)
		if used = used.Add(spent); ok {
			th.Answer, how = answer, how+w("；回答由小模型措辞", "; worded by a small model")
		}
	}
	th.Critique, th.Usage = remarks(th.Critique, how), used
	return th, "", used
}

func parameterOf(a *bus.Ask) string {
	if a == nil {
		return ""
	}
	return a.Parameter
}

// distil has a small model say in one sentence what is wanted; "": it did not, or put in a number or id that nobody named.
func (t *thinker) distil(ctx context.Context, v *View) (string, bus.Usage) {
	var said strings.Builder
	for _, turn := range v.Turns[max(0, len(v.Turns)-3):] {
		said.WriteString("> " + turn.Request + "\n< " + clip(turn.Answer, 400) + "\n")
	}
	text := said.String() + "> " + v.Request.JobDesc
	if v.Request.Context != "" {
		text = v.Request.Context + "\n\n" + text
	}
	p := model.Prompt{Language: v.Language, Schema: json.RawMessage(`{"type":"object","required":["goal"],"properties":{"goal":{"type":"string"}}}`)}
	p.Messages = []model.Message{{Role: "user", Text: t.text(v, "goal", text)}}
	r, err := t.small.goal.Ask(ctx, p)
	if err != nil {
		return "", r.Usage
	}
	var got struct{ Goal string }
	if json.Unmarshal(r.JSON, &got) != nil || strings.TrimSpace(got.Goal) == "" {
		return "", r.Usage
	}
	k := knownTo(v, "")
	for _, id := range append(token.FindAllString(plainly(got.Goal), -1), linksIn(got.Goal)...) {
		if strings.ContainsAny(id, "0123456789") && !k.holds(id) { // a short number may be an id, too
			return "", r.Usage
		}
	}
	return strings.TrimSpace(got.Goal), r.Usage
}

// extract has a small model read a tool's parameters out of the user's words. Only what stands there as whole words is taken, or, for a
// tool that changes nothing, what is one of the values that it allows; never nil.
func (t *thinker) extract(ctx context.Context, v *View, request, tool string) (map[string]string, bus.Usage) {
	out := map[string]string{}
	i := slices.IndexFunc(v.Cards, func(c bus.Card) bool { return c.Name == tool })
	if i < 0 {
		return out, bus.Usage{}
	}
	var schema struct {
		Properties map[string]json.RawMessage `json:"properties"`
	}
	if json.Unmarshal(v.Cards[i].Parameters, &schema) != nil || len(schema.Properties) == 0 {
		return out, bus.Usage{}
	}
	wanted, err := json.Marshal(map[string]any{"type": "object", "properties": schema.Properties}) // nothing is required: what is not said stays away
	if err != nil {
		return out, bus.Usage{}
	}
	words := v.Request.Context + "\n" + request
	var there known
	there.add(words)
	p := model.Prompt{Language: v.Language, Schema: wanted, Messages: []model.Message{{Role: "user", Text: t.text(v, "arguments", words)}}}
	r, err := t.small.arguments.Ask(ctx, p)
	var got map[string]any
	if err != nil || json.Unmarshal(r.JSON, &got) != nil {
		return out, r.Usage
	}
	for name, value := range got {
		said, ok := value.(string)
		var limits struct{ Enum []any }
		_ = json.Unmarshal(schema.Properties[name], &limits) // without it any value said is allowed
		if ok && said != "" && (there.holds(said) || round.EffectOf(&v.Cards[i]) == bus.Read && slices.Contains(limits.Enum, any(said))) {
			out[name] = said
		}
	}
	return out, r.Usage
}

// figures are the numbers of a text.
var figures = regexp.MustCompile(`\d[\d,.]*`)

// word has a small model put the planner's answer into good prose. Not ok: the planner's own words are better, for the model's hold a
// figure, id or link that these do not. So strict a rule costs nothing here.
func (t *thinker) word(ctx context.Context, v *View, facts string) (string, bus.Usage, bool) {
	text, err := t.prompts.Text(v.Language, "word", prompts.Vars{Task: v.Request.JobDesc, Text: facts})
	if err != nil {
		return "", bus.Usage{}, false
	}
	heard := &listener{to: v.Live}
	r, err := t.small.answer.Ask(ctx, model.Prompt{Language: v.Language, OnDelta: heard.say, Messages: []model.Message{{Role: "user", Text: text}}})
	if err != nil || strings.TrimSpace(r.Answer) == "" || !within(r.Answer, facts, v.Request.JobDesc) {
		heard.void()
		return "", r.Usage, false
	}
	return r.Answer, r.Usage, true
}

// within reports whether an answer has no figure that neither the facts nor the question has, and no link that the facts lack.
func within(answer, facts, question string) bool {
	given := map[string]bool{}
	for _, n := range figures.FindAllString(facts+"\n"+question, -1) {
		given[figure(n)] = true
	}
	for _, n := range figures.FindAllString(answer, -1) {
		if !given[figure(n)] {
			return false
		}
	}
	return !slices.ContainsFunc(linksIn(answer), func(l string) bool { return !strings.Contains(facts, l) })
}

func figure(n string) string { return strings.TrimRight(strings.ReplaceAll(n, ",", ""), ".") }

func clip(s string, runes int) string {
	if r := []rune(s); len(r) > runes {
		return string(r[:runes]) + "…"
	}
	return s
}

// help is what models said about one call: the log has no place for it, so whoever takes the call over asks again.
type help struct {
	goal   string
	said   map[string]string // by parameter; nil: not asked yet
	inVain bool              // what the agent's model wanted went back in vain
}

// helps keeps what was said for the calls under way. The zero value is empty. Safe for concurrent use.
type helps struct {
	mu sync.Mutex
	of map[string]help // by call
}

func (h *helps) get(call string) help {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.of[call]
}

func (h *helps) put(call string, one help) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if one.goal == "" && one.said == nil && !one.inVain {
		return
	}
	if h.of == nil || len(h.of) >= maxNotes {
		h.of = map[string]help{}
	}
	h.of[call] = one
}
