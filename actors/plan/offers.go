package plan

import (
	"cmp"
	"reflect"
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/cards"
	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// seated are the offers without those of an id to a parameter that can have another one, where it is the only one for another parameter that must be
// given: 281063663568 may look like a waybill, too, but only it looks like an order.
func seated(e *cards.Entry, offers []offer) []offer {
	id := func(o offer) bool { return e.Params[o.field].Sort == fields.ID && e.Params[o.field].Pattern != nil }
	return slices.DeleteFunc(slices.Clone(offers), func(a offer) bool {
		return id(a) && slices.ContainsFunc(offers, func(o offer) bool { return o.field == a.field && o.fact != a.fact }) &&
			slices.ContainsFunc(offers, func(b offer) bool {
				return b.fact == a.fact && b.field != a.field && id(b) && e.Params[b.field].Required &&
					!slices.ContainsFunc(offers, func(o offer) bool { return o.field == b.field && o.fact != b.fact })
			})
	})
}

// alike are the offers without those of the id of a further thing to another parameter: of orders A and B, B is no waybill of A.
func alike(e *cards.Entry, text string, found []facts.Fact, offers []offer) []offer {
	own := ownID(e)
	if own == nil {
		return offers
	}
	thing := e.TakesOne()
	things := map[int]bool{} // by fact
	for j, b := range found {
		for i, a := range found {
			if i == j || a.Kind != b.Kind || a.From != "" || b.From != "" || a.End > b.Start || !thing.Pattern.MatchString(a.Text) || !thing.Pattern.MatchString(b.Text) {
				continue
			}
			between := text[a.End:b.Start]
			if alongside(between, a.Kind) && !slices.ContainsFunc(words.Content(between), func(w string) bool { return own.Vocab[w] && !thing.Vocab[w] }) {
				things[i], things[j] = true, true
			}
		}
	}
	return slices.DeleteFunc(offers, func(o offer) bool {
		return things[o.fact] && e.Params[o.field].Name != thing.Name && e.Params[o.field].Sort == fields.ID
	})
}

// namesFormat reports whether a word is an allowed value of a parameter of a tool that makes documents, or what people call one.
func namesFormat(e *cards.Entry, word string) bool {
	return slices.Contains(e.Tags, documents) && slices.ContainsFunc(e.Params, func(f fields.Field) bool {
		return slices.ContainsFunc(f.Enum, func(v string) bool {
			return strings.EqualFold(v, word) || slices.ContainsFunc(f.Called[v], func(w string) bool { return strings.EqualFold(w, word) })
		})
	})
}

// inOrder is the list of the values of offers as the text has them, and the offers in that order.
func inOrder(offers []offer, found []facts.Fact) ([]any, []offer) {
	slices.SortStableFunc(offers, func(a, b offer) int { return cmp.Compare(found[a.fact].Start, found[b.fact].Start) })
	var list []any
	for _, o := range offers {
		list = with(list, found[o.fact], o.value)
	}
	return list, offers
}

// with is a list with the value of a fact, unless it has that already. Names that are told together, Ada and Bob, are a value each.
func with(list []any, f facts.Fact, v any) []any {
	all := []any{v}
	if text, ok := v.(string); ok && f.Kind == facts.Proper && strings.Contains(text, " and ") {
		all = nil
		for _, name := range fields.SplitValues.Split(text, -1) {
			all = append(all, name)
		}
	}
	for _, v := range all {
		if !slices.ContainsFunc(list, func(o any) bool { return reflect.DeepEqual(o, v) }) {
			list = append(list, v)
		}
	}
	return list
}

// onlyFor reports whether an offer is the only one for a required parameter.
func onlyFor(e *cards.Entry, r offer, offers []offer) bool {
	return e.Params[r.field].Required && !slices.ContainsFunc(offers, func(o offer) bool { return o.field == r.field && o.fact != r.fact })
}
