package search

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// What a model is asked for, as JSON Schemas.
var (
	querySchema = `{"type":"object","required":["dimension","query"],"properties":{"dimension":{"type":"string"},"query":{"type":"string"}}}`
	manySchema  = json.RawMessage(`{"type":"object","required":["queries"],"properties":{"queries":{"type":"array","items":` + querySchema + `}}}`)
	judgeSchema = json.RawMessage(`{"type":"object","required":["enough","queries"],"properties":{"enough":{"type":"boolean"},"queries":{"type":"array","items":` + querySchema + `}}}`)
)

// maxMaterial bounds what a model is shown of what was found, in bytes.
const maxMaterial = 24 << 10

// sameQuery is how like another query of a model's may be, 0 to 1: models say the same again in other order.
const sameQuery = 0.9

// ask asks the model. A model that fails once is not asked again in this search.
func (h *hunt) ask(ctx context.Context, p Prompt) (Reply, bool) {
	if !h.model || ctx.Err() != nil {
		return Reply{}, false
	}
	p.Language, p.Task = h.t.language, h.t.asked
	r, err := h.s.o.Ask(ctx, h.call.Request, p)
	h.call.Spend(r.Usage)
	if err != nil {
		h.model = false
		if ctx.Err() == nil {
			h.miss(fmt.Sprintf(h.t.say("模型没有回答（%s）：%v", "the model did not answer (%s): %v"), p.Name, err))
		}
		return r, false
	}
	return r, true
}

// first are the queries of the first round: the model's, else those of the rules. The question itself is always among them.
func (h *hunt) first(ctx context.Context) []Query {
	most := h.s.o.Queries
	if r, ok := h.ask(ctx, Prompt{Name: "search_queries", Schema: manySchema}); ok {
		h.asked.add(Query{Dimension: h.t.overview(), Text: h.t.core, Round: 1})
		h.take(r.JSON, 1, most)
		if len(h.asked.all) > 1 {
			return h.asked.all
		}
		h.asked = asked{}
	}
	for _, q := range h.t.queries(most) {
		h.asked.add(q)
	}
	return h.asked.all
}

// take adds the queries that a model gave, as far as they are any and differ from those before.
func (h *hunt) take(raw json.RawMessage, round, most int) {
	var given struct {
		Queries []Query `json:"queries"`
	}
	if json.Unmarshal(raw, &given) != nil {
		return
	}
	from := len(h.asked.all)
	if round == 1 {
		from = 0
	}
	for _, q := range given.Queries {
		q.free, q.Round, q.Dimension = true, round, strings.Join(strings.Fields(q.Dimension), " ")
		if q.Dimension == "" || len([]rune(q.Dimension)) > 40 {
			q.Dimension = q.Text
		}
		words := termsOf(q.Text)
		if len(h.asked.all)-from < most && !slices.ContainsFunc(h.asked.terms, func(o set) bool { return words.like(o) >= sameQuery }) {
			h.asked.add(q)
		}
	}
}

// next are the queries of the next round; none when it is enough or nothing new can be asked.
func (h *hunt) next(ctx context.Context, found []answer, missing []string, round int) []Query {
	from := len(h.asked.all)
	enough := h.enough(found, missing)
	if h.model {
		var before []string
		for _, q := range h.asked.all {
			before = append(before, "- "+q.Dimension+": "+q.Text)
		}
		material, _ := h.material(found, maxMaterial/2)
		r, ok := h.ask(ctx, Prompt{Name: "search_judge", Context: strings.Join(before, "\n"), Text: material, Schema: judgeSchema})
		var judged struct {
			Enough bool `json:"enough"`
		}
		if ok && json.Unmarshal(r.JSON, &judged) == nil {
			if !judged.Enough {
				h.take(r.JSON, round, h.s.o.Queries)
			}
			return h.asked.all[from:]
		}
	}
	if enough {
		return nil
	}
	if len(missing) == 0 { // one source alone says all of it: look for another
		missing = []string{h.t.overview()}
	}
	return h.t.again(&h.asked, missing, round, h.s.o.Queries)
}

// material are the passages that were found, numbered by their sources, in order of the queries, at most n bytes.
func (h *hunt) material(found []answer, n int) (string, []*Source) {
	var out strings.Builder
	var sources []*Source
	number := map[string]int{}
	seen := map[string]bool{}
	for k := range perQuery { // the best of each side first
		for _, a := range found {
			if k >= len(a.passages) {
				continue
			}
			p := a.passages[k]
			text := words(p.Passage, h.t.language)
			if seen[text] || out.Len()+len(text) > n {
				continue
			}
			seen[text] = true
			if number[p.source] == 0 {
				sources = append(sources, h.pool.sources[p.source])
				number[p.source] = len(sources)
			}
			fmt.Fprintf(&out, "[%d] %s\n%s\n\n", number[p.source], h.pool.sources[p.source].Title, text)
		}
	}
	return strings.TrimSpace(out.String()), sources
}

// write has the model write the answer from what was found. false: it could not, or no citation of its answer holds.
func (h *hunt) write(ctx context.Context, found []answer) (string, []*Source, bool) {
	material, sources := h.material(found, maxMaterial)
	if len(sources) == 0 {
		return "", nil, false
	}
	stream := h.call.Stream()
	r, ok := h.ask(ctx, Prompt{Name: "search_answer", Text: material, OnText: stream.Write})
	if !ok || strings.TrimSpace(r.Text) == "" {
		return "", nil, false
	}
	text, kept, gone := cite(r.Text, sources, h.said(), h.t.say("（无出处）", " (no source)"))
	if gone > 0 {
		h.miss(fmt.Sprintf(h.t.say("模型的 %d 处引用对不上来源，已去掉并注明", "%d citations of the model fit no source and were taken out"), gone))
	}
	if len(kept) == 0 {
		h.miss(h.t.say("模型的回答没有一处引用对得上来源，改为摘录原文", "no citation of the model's answer fits its source, so the sources are quoted instead"))
		return "", nil, false
	}
	return text, kept, true
}

// said is all that is here of each source, by its key.
func (h *hunt) said() map[*Source]set {
	out := map[*Source]set{}
	for _, p := range h.pool.held {
		s := h.pool.sources[p.source]
		out[s] = append(out[s], p.terms...)
	}
	for s := range out {
		out[s] = joined(out[s])
	}
	return out
}
