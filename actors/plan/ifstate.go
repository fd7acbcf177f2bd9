package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/cards"
	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
	"github.com/hmap-project/hmap/bus"
)

// A change to one thing may be wished under the condition of its own state: 如果还没付款就取消订单281…. The look that is taken before each change tells that state, and the
// change is made, or asked leave for, only where it is so (state.go).

var (
	// saysNoMore are the words beside a state that add nothing to it; 除非 and unless turn it round.
	saysNoMore = words.MustCompile(`(?i)如果|假如|要是|若是?|万一|只要|只有|的话|这个|该|那个|订单|单子|它|现在|目前|还|已经?|是|状态|买家|客户|[就便则再才时，,]|\d{6,}|\b(?:if|only|when|the|this|that|order|it|they|is|was|has|have|had|been|still|already|yet|status|state|buyer|customer|currently|provided|as long as)\b|['’]s\b`)
	orElse     = words.MustCompile(`(?i)否则|不然|要不然|\b(?:otherwise|or else|else)\b`)
)

// stateSaid are the states to which a condition limits the thing that one of the tools shows, as its card says (x-said); nil where it says anything else.
func (x *Index) stateSaid(condition string, shows func(look *cards.Entry) bool) []string {
	for _, e := range x.entries {
		if !e.Reads() || e.IsAgent() || !shows(e) {
			continue
		}
		for _, f := range e.Gives {
			if f.Name != stateField {
				continue
			}
			for _, s := range f.Stated {
				m := s.Said.FindStringIndex(condition)
				if m == nil {
					continue
				}
				if rest := saysNoMore.ReplaceAllString(condition[:m[0]]+" "+condition[m[1]:], " "); strings.TrimSpace(rest) == "" {
					return s.Are
				}
				break
			}
		}
	}
	return nil
}

// showsOne reports whether a tool shows the one thing that a parameter of another one names, and nothing else.
func showsOne(look *cards.Entry, one *fields.Field) bool {
	need := look.Required()
	return look.Reads() && !look.IsAgent() && len(need) == 1 && sameThing(need[0], one)
}

// looksAtState reports whether the state that a condition names is looked at before the one change that a text wishes for one thing: a tool that makes it takes that thing
// by its id, and another one shows the thing with its state.
func (x *Index) looksAtState(text, condition, verb string) bool {
	if orElse.MatchString(text) || len(words.LongNumber.FindAllString(text, 2)) != 1 || len(wishes.ChangeVerbs(strings.Replace(text, condition, " ", 1))) != 1 {
		return false
	}
	return slices.ContainsFunc(x.entries, func(e *cards.Entry) bool {
		one := e.TakesOne()
		if one == nil || e.Reads() || e.IsAgent() || !e.Verbs[verb] || !e.NeedsApproval() {
			return false
		}
		return x.stateSaid(condition, func(look *cards.Entry) bool { return showsOne(look, one) }) != nil // which of several is looked at, its agent decides
	})
}

// stateField is the property by which a thing tells its state.
const stateField = "state"

// unlessState is why a call is not made that is wished under a condition of its thing's state; nil where there is no such condition, or it holds.
func (r *round) unlessState(e *cards.Entry, a bus.Action) *hindered {
	one := e.TakesOne()
	if one == nil || e.Reads() {
		return nil
	}
	if r.x.underCondition(&r.g); r.g.onlyIf == "" {
		return nil
	}
	args, _ := argumentMap(a)
	id := fmt.Sprint(args[one.Name])
	for _, m := range r.rowsOf(id) {
		state, ok := m[stateField].(string)
		if !ok {
			continue
		}
		if slices.Contains(r.x.stateSaid(r.g.onlyIf, func(look *cards.Entry) bool { return showsOne(look, one) }), state) {
			return nil
		}
		return &hindered{id: id, why: words.Say(r.g.lang, "%[1]s 的状态是%[2]s，所以「%[3]s」不成立", "%[1]s is %[2]s, so that “%[3]s” does not hold", id, words.Either(r.g.lang == "zh", state, words.Either(r.x.inEnglish(state) != "", r.x.inEnglish(state), state)), r.g.onlyIf)}
	}
	return &hindered{id: id, why: words.Say(r.g.lang, "没有查到 %[1]s 的状态，不知道「%[2]s」是否成立", "the state of %[1]s was not found, and nobody knows whether “%[2]s” holds", id, r.g.onlyIf)}
}
