package plan

import (
	"maps"
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/cards"
	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/solver"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// linked: what may stand between two values that are meant alike: A和B, A, B and C, orders A and order B.
var linked = words.MustCompile(`(?i)^[\s"'“”「」]*(?:[、,，;；&/]|和|与|跟|及|以及|还有|加上|\band\b|\bor\b)+[\s"'“”「」]*(?:and\b|the\b|orders?\b|products?\b|refunds?\b|skus?\b|invoices?\b|parcels?\b|waybills?\b|订单|商品|客户|买家|退款单?|运单|包裹|编号|号|[\s#：:])*$`)

// alongside reports whether a value stands beside one before it and is meant alike; numbers of things need no word between them.
func alongside(between string, kind facts.Kind) bool {
	return linked.MatchString(between) || kind == facts.Digits && between != "" && strings.TrimSpace(between) == ""
}

// others finds the further values of a parameter that stand beside the one it took: each is one more call.
func (x *Index) others(f *fields.Field, b fields.Binding, g *goal, c wishes.Clause, found []facts.Fact, used map[int]bool) []any {
	if f.IsList() || b.Used < 0 || b.Used >= len(found) {
		return nil
	}
	took := found[b.Used]
	if took.Kind == facts.Date || took.Kind == facts.Number || took.Kind == facts.Quote || took.Kind == facts.Link || took.From == "history" {
		return nil
	}
	if took.From == "context" && (len(g.clauses) > 1 || pointsAtOne.MatchString(c.Text) && !pointsAt.MatchString(c.Text)) {
		return nil
	}
	var out []any
	last := took
	for i, fa := range found {
		if i == b.Used || used[i] || fa.Kind != took.Kind || fa.From != took.From || fa.Text == took.Text {
			continue
		}
		v, sure := fields.Suits(f, fa)
		if sure < sureOptional && !(sure > 0 && f.Required) || v == b.Value || slices.Contains(out, v) {
			continue
		}
		if fa.From == "" {
			if fa.Start < c.Start || fa.End > c.End || fa.Start < last.End || !alongside(g.text[last.End:fa.Start], fa.Kind) {
				continue
			}
			last = fa
		} else if f.Pattern == nil && len(f.Lengths) == 0 {
			continue
		}
		out = append(out, v)
	}
	first := took
	for i, fa := range slices.Backward(found) { // and those before it
		if took.From != "" || used[i] || fa.Kind != took.Kind || fa.From != "" || fa.Text == took.Text || fa.Start < c.Start || fa.End > first.Start || !alongside(g.text[fa.End:first.Start], fa.Kind) {
			continue
		}
		if v, sure := fields.Suits(f, fa); (sure >= sureOptional || sure > 0 && f.Required) && v != b.Value && !slices.Contains(out, v) {
			out, first = append(out, v), fa
		}
	}
	return out
}

// namedBeside finds the further known values that stand beside the one that a parameter took.
func namedBeside(f *fields.Field, value string, g *goal, c wishes.Clause) []any {
	var out []any
	last := facts.Fact{}
	for _, fa := range facts.Within(g.facts, c.Start, c.End) {
		if fa.Kind != facts.Known && fa.Kind != facts.Person && fa.Kind != facts.Place || !slices.ContainsFunc(f.Examples, func(e string) bool { return strings.EqualFold(e, fa.Text) }) {
			continue
		}
		switch {
		case strings.EqualFold(fa.Text, value):
			last = fa
		case last.End > 0 && linked.MatchString(g.text[last.End:fa.Start]), last.End == 0 && joins(f, fa, value, g, c):
			out = append(out, fa.Text)
			if last.End > 0 {
				last = fa
			}
		}
	}
	return out
}

// joins reports whether a value that stands before the one taken is linked to it.
func joins(f *fields.Field, fa facts.Fact, value string, g *goal, c wishes.Clause) bool {
	rest := strings.ToLower(g.text[fa.End:c.End])
	i := strings.Index(rest, strings.ToLower(value))
	return i >= 0 && linked.MatchString(rest[:i])
}

// widened makes of each set of arguments one for every value that was named side by side, but for parameters that a provider fills.
func (r *round) widened(e *cards.Entry, bs map[string]fields.Binding, fan []map[string]any) []map[string]any {
	for i := range e.Params {
		name := e.Params[i].Name
		b := bs[name]
		if len(b.More) == 0 || slices.ContainsFunc(r.best.Choices, func(c solver.Choice) bool {
			return c.Taker == e && c.Field.Name == name && c.Provider != nil
		}) {
			continue
		}
		var wider []map[string]any
		for _, args := range fan {
			for _, v := range append([]any{b.Value}, b.More...) {
				m := maps.Clone(args)
				m[name] = v
				maps.DeleteFunc(m, func(k string, a any) bool { // 空气炸锅 of 禾煮空气炸锅 says nothing of the next one
					part, _ := a.(string)
					first, _ := b.Value.(string)
					other, _ := v.(string)
					return k != name && part != "" && strings.Contains(first, part) && !strings.Contains(other, part)
				})
				wider = append(wider, m)
			}
		}
		return wider[:min(len(wider), MaxActions)]
	}
	return fan
}
