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
	// statesSaid are the states that a condition may name, the first that matches counts.
	statesSaid = []struct {
		*words.Pattern
		states []string
	}{
		{words.MustCompile(`(?i)(?:没有?|未|尚未|待)(?:付款|付钱|支付|给钱|付)|\b(?:not|n['’]t)(?: yet)?(?: been)? paid\b|\bunpaid\b|\bawaiting payment\b`), []string{"待付款"}},
		{notSent, []string{"待付款", "待发货"}},
		{words.MustCompile(`(?i)已经?(?:付款|付钱|支付)|(?:付款|付钱|支付)了|\b(?:is|was|been|already|got) paid\b`), []string{"待发货", "已发货", "已完成"}},
		{words.MustCompile(`(?i)已经?(?:发货|发出|寄出)|(?:发货|发出|寄出)了|\b(?:is|was|been|already|got) (?:shipped|sent|dispatched)\b`), []string{"已发货", "已完成"}},
	}
	// saysNoMore are the words beside a state that add nothing to it; 除非 and unless turn it round.
	saysNoMore = words.MustCompile(`(?i)如果|假如|要是|若是?|万一|只要|只有|的话|这个|该|那个|订单|单子|它|现在|目前|还|已经?|是|状态|买家|客户|[就便则再才时，,]|\d{6,}|\b(?:if|only|when|the|this|that|order|it|they|is|was|has|have|had|been|still|already|yet|status|state|buyer|customer|currently|provided|as long as)\b|['’]s\b`)
	orElse     = words.MustCompile(`(?i)否则|不然|要不然|\b(?:otherwise|or else|else)\b`)
)

// stateSaid are the states to which a condition limits a thing; nil where it says anything else.
func stateSaid(condition string) []string {
	for _, s := range statesSaid {
		m := s.FindStringIndex(condition)
		if m == nil {
			continue
		}
		if rest := saysNoMore.ReplaceAllString(condition[:m[0]]+" "+condition[m[1]:], " "); strings.TrimSpace(rest) == "" {
			return s.states
		}
		return nil
	}
	return nil
}

// looksAtState reports whether the state that a condition names is looked at before the one change that a text wishes for one thing: a tool that makes it takes that thing
// by its id, and another one shows the thing with its state.
func (x *Index) looksAtState(text, condition, verb string) bool {
	if stateSaid(condition) == nil || orElse.MatchString(text) || len(words.LongNumber.FindAllString(text, 2)) != 1 || len(wishes.ChangeVerbs(strings.Replace(text, condition, " ", 1))) != 1 {
		return false
	}
	return slices.ContainsFunc(x.entries, func(e *cards.Entry) bool {
		one := e.TakesOne()
		if one == nil || e.Reads() || e.IsAgent() || !e.Verbs[verb] || !e.NeedsApproval() {
			return false
		}
		return slices.ContainsFunc(x.entries, func(look *cards.Entry) bool { // which of several is looked at, its agent decides
			need := look.Required()
			return look.Reads() && !look.IsAgent() && len(need) == 1 && sameThing(need[0], one) && slices.ContainsFunc(look.Gives, func(f fields.Field) bool { return f.Name == stateField })
		})
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
		if slices.Contains(stateSaid(r.g.onlyIf), state) {
			return nil
		}
		return &hindered{id: id, why: words.Say(r.g.lang, "%[1]s 的状态是%[2]s，所以「%[3]s」不成立", "%[1]s is %[2]s, so that “%[3]s” does not hold", id, words.Either(r.g.lang == "zh", state, words.Either(r.x.inEnglish(state) != "", r.x.inEnglish(state), state)), r.g.onlyIf)}
	}
	return &hindered{id: id, why: words.Say(r.g.lang, "没有查到 %[1]s 的状态，不知道「%[2]s」是否成立", "the state of %[1]s was not found, and nobody knows whether “%[2]s” holds", id, r.g.onlyIf)}
}
