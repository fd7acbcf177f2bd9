package plan

import (
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/cards"
	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/figures"
	"github.com/hmap-project/hmap/actors/plan/words"
	"github.com/hmap-project/hmap/bus"
)

// What a change makes of a figure may be against its own words, 降价到 90 of what costs 79 now, leave it as it is, or put a price below the cost. The look before the change
// shows it, and who is asked for leave is told. It is their shop: nothing is refused for it.

var (
	ofCost = words.MustCompile(`(?i)成本|进货?价|\bcost\b`)
	ofName = words.MustCompile(`(?i)名称|\bname\b`)
)

// maxContrary is how many things are named for one such reason.
const maxContrary = 3

// contrary says of the calls of a change which of them go against what was wished, or below a cost; "" when none does, or nothing tells.
func (r *round) contrary(calls []bus.Action) string {
	said := map[string][]string{} // things by reason
	var order []string
	note := func(why, of string) {
		if said[why] == nil {
			order = append(order, why)
		}
		said[why] = append(said[why], of)
	}
	for _, a := range calls {
		e := r.x.byName[a.ToolName]
		args, _ := argumentMap(a)
		if e == nil {
			continue
		}
		for i := range e.Params {
			f := &e.Params[i]
			becomes, ok := rational(args[f.Name])
			row, of, property := r.presentRow(e, f, args)
			was, known := rational(row[property])
			if !ok || !known {
				continue
			}
			figure := fmt.Sprintf("%s: %s → %s", of, row[property], args[f.Name])
			t := r.wishOf(a, f)
			switch way := becomes.Cmp(was); {
			case t == nil || !saysWhat(t, f):
			case way == 0:
				note(words.Say(r.g.lang, "改了也还是现在的%s", "the %s is that already", f.Label(r.g.lang)), figure)
			case way > 0 && r.wayOf(t) < 0:
				note(words.Say(r.g.lang, "说的是降低，而这样会比现在高", "it shall become less, and this is more than now"), figure)
			case way < 0 && r.wayOf(t) > 0:
				note(words.Say(r.g.lang, "说的是提高，而这样会比现在低", "it shall become more, and this is less than now"), figure)
			}
			if cost := costIn(f, row, becomes); cost != nil {
				note(words.Say(r.g.lang, "低于成本", "this is below the cost"), of+words.Say(r.g.lang, fmt.Sprintf("（成本 %s，新价 %s）", cost, args[f.Name]), fmt.Sprintf(" (cost %s, new price %s)", cost, args[f.Name])))
			}
		}
	}
	var parts []string
	for _, why := range order {
		of, more := said[why], ""
		if n := len(of) - maxContrary; n > 0 {
			of, more = of[:maxContrary], words.Say(r.g.lang, fmt.Sprintf(" 等 %d 个", len(of)), fmt.Sprintf(" and %d more", n))
		}
		parts = append(parts, why+words.Say(r.g.lang, "：", ": ")+strings.Join(of, words.Say(r.g.lang, "，", ", "))+more)
	}
	if len(parts) == 0 {
		return ""
	}
	return words.Say(r.g.lang, "请注意，", "Please note: ") + strings.Join(parts, words.Say(r.g.lang, "；", "; ")) + words.Say(r.g.lang, "。", ".")
}

// costIn is what a thing costs by its row, where a parameter is its price and becomes less than that; nil for anything else.
func costIn(f *fields.Field, row map[string]any, becomes *big.Rat) any {
	if about := f.Label("zh") + " " + f.Name; !figures.Priced.MatchString(about) || ofCost.MatchString(about) {
		return nil
	}
	for _, k := range fields.Keys(row, nil) {
		if cost, ok := rational(row[k]); ok && ofCost.MatchString(k) && becomes.Cmp(cost) < 0 {
			return row[k]
		}
	}
	return nil
}

// ofLoss names a parameter by which a loss is accepted.
var ofLoss = words.MustCompile(`(?i)亏|\bloss\b`)

// atLoss is why a call is not made that puts a price below the cost, where its tool wants to be told that this is meant and was not: nobody is asked to agree to what
// it will refuse. nil for any other.
func (r *round) atLoss(e *cards.Entry, a bus.Action) *hindered {
	at := slices.IndexFunc(e.Params, func(p fields.Field) bool {
		return p.Sort == fields.Bool && ofLoss.MatchString(p.Label("zh")+" "+strings.ReplaceAll(p.Name, "_", " "))
	})
	args, _ := argumentMap(a)
	if at < 0 || args[e.Params[at].Name] == true {
		return nil
	}
	for i := range e.Params {
		f := &e.Params[i]
		becomes, ok := rational(args[f.Name])
		row, of, _ := r.presentRow(e, f, args)
		if !ok || row == nil {
			continue
		}
		if cost := costIn(f, row, becomes); cost != nil {
			return &hindered{id: of, why: words.Say(r.g.lang, "%[1]s 的成本是 %[2]s，新价 %[3]s 低于成本；亏本也要卖，请连同「%[4]s」再说一次", "%[1]s costs %[2]s, and the new price %[3]s is below that; if a loss is meant, say it again with “%[4]s”", of, fmt.Sprint(cost), fmt.Sprint(args[f.Name]), e.Params[at].Within(r.g.lang))}
		}
	}
	return nil
}

// presentRow is what was looked up of the thing of a call, what it is called, and the property there that a parameter replaces; nil where nothing shows it.
func (r *round) presentRow(e *cards.Entry, f *fields.Field, args map[string]any) (row map[string]any, of, property string) {
	look, property := r.x.shownBy(f)
	if look == nil {
		return nil, "", ""
	}
	for i := range e.Params {
		p := &e.Params[i]
		id := fmt.Sprint(args[p.Name])
		if len(p.Needs) == 0 || args[p.Name] == nil {
			continue
		}
		for at, m := range r.rowsOf(id) {
			if m[property] == nil || at.Name != look.Name && !r.x.showsTheSame(at.Name, look, property) {
				continue
			}
			of = id
			for _, k := range fields.Keys(m, nil) {
				if name, ok := m[k].(string); ok && ofName.MatchString(strings.ReplaceAll(k, "_", " ")) {
					of = words.Short(name, 40)
					break
				}
			}
			return m, of, property
		}
	}
	return nil, "", ""
}

// wishOf is the target that a call of a change was made for, which gave a parameter its value; nil for none.
func (r *round) wishOf(a bus.Action, f *fields.Field) *target {
	var out *target
	for _, t := range r.targets {
		if t.e.Name != a.ToolName {
			continue
		}
		if args, _ := argumentMap(a); out == nil || fmt.Sprint(t.bound[f.Name].Value) == fmt.Sprint(args[f.Name]) {
			out = t
		}
	}
	return out
}

// saysWhat reports whether it was said what a parameter becomes, and not by how much it changes.
func saysWhat(t *target, f *fields.Field) bool {
	_, relative := t.bound[f.Name].Value.(by)
	return !relative
}

// wayOf is whether a change is said to lower something (-1) or to raise it (1); 0 where its words do not tell.
func (r *round) wayOf(t *target) int {
	text := limiting.ReplaceAllString(t.clause.Text, " ")
	for _, b := range t.bound {
		for _, v := range b.Texts() {
			text = strings.ReplaceAll(text, v, " ")
		}
	}
	less, more := lessSaid.MatchString(text), moreSaid.MatchString(text)
	switch {
	case less == more:
		return 0
	case less:
		return -1
	}
	return 1
}

// rational reads a figure exactly; false for anything else.
func rational(v any) (*big.Rat, bool) {
	n, ok := v.(json.Number)
	if !ok || !plainNumber.MatchString(n.String()) {
		return nil, false
	}
	return new(big.Rat).SetString(n.String())
}

// callsOf are the actions that call one tool.
func callsOf(actions []bus.Action, tool string) []bus.Action {
	return slices.DeleteFunc(slices.Clone(actions), func(a bus.Action) bool { return a.ToolName != tool })
}
