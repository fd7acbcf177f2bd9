package plan

import (
	"maps"
	"regexp"
	"slices"
	"strings"
)

// linked: what may stand between two values that are meant alike: A和B, A, B and C, orders A and order B.
var linked = regexp.MustCompile(`(?i)^[\s"'“”「」]*(?:[、,，;；&/]|和|与|跟|及|以及|还有|加上|\band\b|\bor\b)+[\s"'“”「」]*(?:and\b|the\b|orders?\b|products?\b|refunds?\b|skus?\b|invoices?\b|parcels?\b|waybills?\b|订单|商品|客户|买家|退款单?|运单|包裹|编号|号|[\s#：:])*$`)

// alongside reports whether a value stands beside one before it and is meant alike; numbers of things need no word between them.
func alongside(between string, kind factKind) bool {
	return linked.MatchString(between) || kind == factDigits && between != "" && strings.TrimSpace(between) == ""
}

// others finds the further values of a parameter that stand beside the one it took: each is one more call.
func (x *Index) others(f *field, b binding, g *goal, c clause, facts []fact, used map[int]bool) []any {
	if f.isList() || b.used < 0 || b.used >= len(facts) {
		return nil
	}
	took := facts[b.used]
	if took.kind == factDate || took.kind == factNumber || took.kind == factQuote || took.kind == factLink || took.from == "history" {
		return nil
	}
	if took.from == "context" && (len(g.clauses) > 1 || pointsAtOne.MatchString(c.text) && !pointsAt.MatchString(c.text)) {
		return nil
	}
	var out []any
	last := took
	for i, fa := range facts {
		if i == b.used || used[i] || fa.kind != took.kind || fa.from != took.from || fa.text == took.text {
			continue
		}
		v, sure := suits(f, fa)
		if sure < sureOptional && !(sure > 0 && f.Required) || v == b.value || slices.Contains(out, v) {
			continue
		}
		if fa.from == "" {
			if fa.start < c.start || fa.end > c.end || fa.start < last.end || !alongside(g.text[last.end:fa.start], fa.kind) {
				continue
			}
			last = fa
		} else if f.Pattern == nil && len(f.Lengths) == 0 {
			continue
		}
		out = append(out, v)
	}
	first := took
	for i, fa := range slices.Backward(facts) { // and those before it
		if took.from != "" || used[i] || fa.kind != took.kind || fa.from != "" || fa.text == took.text || fa.start < c.start || fa.end > first.start || !alongside(g.text[fa.end:first.start], fa.kind) {
			continue
		}
		if v, sure := suits(f, fa); (sure >= sureOptional || sure > 0 && f.Required) && v != b.value && !slices.Contains(out, v) {
			out, first = append(out, v), fa
		}
	}
	return out
}

// alike finds the further known values that stand beside the one that a parameter took.
func (f *field) alike(value string, g *goal, c clause) []any {
	var out []any
	last := fact{}
	for _, fa := range within(g.facts, c.start, c.end) {
		if fa.kind != factKnown && fa.kind != factPerson || !slices.ContainsFunc(f.Examples, func(e string) bool { return strings.EqualFold(e, fa.text) }) {
			continue
		}
		switch {
		case strings.EqualFold(fa.text, value):
			last = fa
		case last.end > 0 && linked.MatchString(g.text[last.end:fa.start]), last.end == 0 && f.joins(fa, value, g, c):
			out = append(out, fa.text)
			if last.end > 0 {
				last = fa
			}
		}
	}
	return out
}

// joins reports whether a value that stands before the one taken is linked to it.
func (f *field) joins(fa fact, value string, g *goal, c clause) bool {
	rest := strings.ToLower(g.text[fa.end:c.end])
	i := strings.Index(rest, strings.ToLower(value))
	return i >= 0 && linked.MatchString(rest[:i])
}

// widened makes of each set of arguments one for every value that was named side by side, but for parameters that a provider fills.
func (r *round) widened(e *entry, bs map[string]binding, fan []map[string]any) []map[string]any {
	for i := range e.params {
		name := e.params[i].Name
		b := bs[name]
		if len(b.more) == 0 || slices.ContainsFunc(r.best.choices, func(c choice) bool {
			return c.taker == e && c.field.Name == name && c.provider != nil
		}) {
			continue
		}
		var wider []map[string]any
		for _, args := range fan {
			for _, v := range append([]any{b.value}, b.more...) {
				m := maps.Clone(args)
				m[name] = v
				wider = append(wider, m)
			}
		}
		return wider[:min(len(wider), MaxActions)]
	}
	return fan
}
