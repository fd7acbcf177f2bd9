package plan

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/cards"
	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/figures"
	"github.com/hmap-project/hmap/actors/plan/solver"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
	"github.com/hmap-project/hmap/bus"
)

// A card may say where the present value of a parameter is to be seen, with x-present: "find_products.stock", a tool that reads and the property
// of the thing there. Then a change can be said by how much (补货100件, lower by 10 %): what is there is looked up before leave is asked, and what it
// becomes is worked out exactly. So is a name that several things have found out before anybody agrees to anything.

// by is how much a parameter shall change by, until it is known what it is now.
type by struct {
	text  string
	sign  int // -1 or 1; 0: it becomes the share of what it is
	n     *big.Rat
	share bool // n is a share of what it is now
}

// MarshalJSON writes it as it was said.
func (b by) MarshalJSON() ([]byte, error) { return json.Marshal(b.text) }

var (
	lessSaid  = words.MustCompile(`(?i)降|减|下调|调低|便宜|扣|少|\b(?:lower|reduce|decrease|cut|drop|discount|slash|minus|less|fewer|off|down|deduct|take|cheaper)\b`)
	moreSaid  = words.MustCompile(`(?i)补|进货?|入库|增|追加|添|加|涨|提|贵|上调|调高|多|\b(?:raise|increase|add|restock|replenish|more|extra|plus|up|another|bump|dearer)\b`)
	limiting  = words.MustCompile(`(?i)不?[多少]于|\b(?:more|less|fewer|cheaper|dearer) than\b`) // what limits is no change
	minusSign = words.MustCompile(`[-−]\s*$`)
	behindIt  = words.MustCompile(`(?i)^\s*(?:件|个|台|%|％|pieces?|units?|yuan|元|块|percent)?\s*(?:off|less|fewer|cheaper|more|extra|dearer)\b`)
)

// adjusts reports whether a clause wishes that something changes by so much, and a tool can be told that of a value of the kind that is spoken of: money or pieces.
func (x *Index) adjusts(g *goal, c wishes.Clause, e *cards.Entry) bool {
	if e.Reads() || e.IsAgent() || c.Question || c.Policy || c.Advice || !wishes.Adjusting.MatchString(c.Text) {
		return false
	}
	inMoney := moneyUnit.MatchString(c.Text) || figures.Priced.MatchString(c.Text)
	for i := range e.Params {
		f := &e.Params[i]
		if f.Present != "" && (f.Type == "number" || f.Type == "integer") {
			about := f.Label("zh") + " " + f.Label("en") + " " + strings.ReplaceAll(f.Name, "_", " ")
			if byShare := strings.ContainsAny(c.Text, "%％折"); byShare && !inMoney || inMoney == (figures.Money.MatchString(about) || figures.Priced.MatchString(about)) {
				return true
			}
		}
	}
	return false
}

// moneyUnit: a sum, or a word for how dear something is; nothing but a price is 打折 or "20% off".
var moneyUnit = words.MustCompile(`(?i)[¥￥$元块折]|便宜|[贵涨降]|(?:%|percent)\s*off\b|\b(?:yuan|CNY|RMB|dollars?|cheaper|dearer|discount|mark(?:ed)?)\b`)

// plainNumber: an exponent of ten digits would take all memory.
var plainNumber = words.MustCompile(`^-?\d{1,30}(?:\.\d{1,12})?$`)

// howMuchBy reads a number as how much something shall change by; false when nothing says that, or in which direction.
func howMuchBy(text string, fa facts.Fact) (by, bool) {
	v, ok := fa.Value.(facts.Amount)
	if !ok || fa.Kind != facts.Number || fa.From != "" {
		return by{}, false
	}
	n, ok := new(big.Rat).SetString(strconv.FormatFloat(v.N, 'f', -1, 64))
	if !ok {
		return by{}, false
	}
	out := by{text: strings.TrimSpace(fa.Text), n: n, share: v.Percent}
	if v.Unit == "折" { // 九折, 85折: what it becomes, in tenths
		out.n, out.share = n.Quo(n, big.NewRat(words.Either[int64](v.N < 10, 10, 100), 1)), true
		return out, v.N > 0 && v.N < 100 && strings.HasSuffix(strings.TrimSpace(words.Before(text, fa.Start)), "打")
	}
	if v.Percent {
		out.n = n.Quo(n, big.NewRat(100, 1))
	}
	lead, rest := text[:fa.Start], text[fa.End:]
	near := max(0, fa.Start-12)
	if !byHowMuch(text, fa) && !behindIt.MatchString(rest) && !slices.ContainsFunc(wishes.Adjusting.FindAllStringIndex(text[near:], -1), func(m []int) bool { // 三个 of 三个商品涨价5元 is no sum
		return near+m[0] < fa.End && fa.Start < near+m[1]
	}) {
		return out, false
	}
	if i := strings.LastIndexAny(lead, ",，;；。"); i >= 0 {
		lead = lead[i:]
	}
	lead = limiting.ReplaceAllString(lead, " ")
	switch less, more := lastAt(lessSaid, lead), lastAt(moreSaid, lead); {
	case minusSign.MatchString(lead):
		out.sign = -1
	case behindIt.MatchString(rest):
		out.sign = words.Either(lessSaid.MatchString(behindIt.FindString(rest)), -1, 1)
	case less > more:
		out.sign = -1
	case more > less:
		out.sign = 1
	}
	out.text = words.Either(out.sign < 0, "-", "+") + out.text
	return out, out.sign != 0
}

// lastAt is where a pattern matches last in a text; -1: nowhere.
func lastAt(re *words.Pattern, s string) int {
	at := -1
	for _, m := range re.FindAllStringIndex(s, -1) {
		at = m[0]
	}
	return at
}

// of is what a value becomes. A share of it is rounded to whole numbers where only those are allowed, else to hundredths, or as fine as the
// value itself is written.
func (b by) of(now json.Number, whole bool) (json.Number, bool) {
	if !plainNumber.MatchString(now.String()) {
		return "", false
	}
	was, ok := new(big.Rat).SetString(now.String())
	if !ok {
		return "", false
	}
	change := new(big.Rat).Set(b.n)
	if b.share {
		change.Mul(change, was)
	}
	out := change
	if b.sign != 0 {
		out = change.Mul(change, big.NewRat(int64(b.sign), 1)).Add(change, was)
	}
	places := 2
	if _, fine, ok := strings.Cut(now.String(), "."); ok {
		places = max(places, len(fine))
	}
	if whole {
		places = 0
	}
	if !b.share && !whole {
		places = max(places, 6)
	}
	s := out.FloatString(places)
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return json.Number(s), true
}

// shownBy is the tool on offer that shows the present value of a parameter, and the property that holds it; nil when there is none.
func (x *Index) shownBy(f *fields.Field) (*cards.Entry, string) {
	tool, property, ok := strings.Cut(f.Present, ".")
	e := x.byName[tool]
	if !ok || e == nil || !e.Reads() || e.IsAgent() {
		return nil, ""
	}
	return e, property
}

// presents puts a look at what is there before each change of which a card says where that is.
func (r *round) presents() {
	for _, t := range r.targets {
		if t.e.Reads() || t.e.IsAgent() || r.lacks(t.e) {
			continue
		}
		_, made := r.tried(t.e.Name)
		made = (made || r.begun(t.e.Name)) && !t.relative()
		for i := range t.e.Params {
			if _, ok := t.bound[t.e.Params[i].Name]; !ok {
				continue
			}
			if look, property := r.x.shownBy(&t.e.Params[i]); look != nil && !r.down(look.Name) {
				if _, looked := r.tried(look.Name); made && !looked {
					continue
				}
				r.lookAt(t, look, property)
				break
			}
		}
	}
}

// begun reports whether a call of a tool is under way, so that what it needed to be looked up was.
func (r *round) begun(tool string) bool {
	return slices.ContainsFunc(slices.Collect(maps.Values(r.running)), func(a bus.Action) bool { return a.ToolName == tool })
}

// relative reports whether an argument says by how much something changes.
func (t *target) relative() bool {
	for _, b := range t.bound {
		if _, ok := b.Value.(by); ok {
			return true
		}
	}
	return false
}

// lookAt makes a look provide the parameter by which a change names its thing: by the name that the user told, or by what another tool finds that does not
// show the property itself.
func (r *round) lookAt(t *target, look *cards.Entry, property string) {
	if slices.ContainsFunc(r.best.Providers(t.e), func(p *cards.Entry) bool { return p.Name == look.Name }) {
		return
	}
	e := *look
	for i := range t.e.Params {
		f := &t.e.Params[i]
		b, ok := t.bound[f.Name]
		q := e.Param(f.Name)
		if q == nil || len(f.Needs) == 0 {
			continue
		}
		if !ok {
			at := slices.IndexFunc(r.best.Choices, func(c solver.Choice) bool {
				return c.Taker == t.e && c.Field.Name == f.Name && c.Provider != nil && !c.Provider.IsAgent() && c.Provider.Name != look.Name
			})
			if at < 0 || r.x.showsTheSame(r.best.Choices[at].Provider.Name, look, property) || !t.relative() {
				continue
			}
			if ed, fits := r.x.shape.best(look, t.e, f, minInsert); fits {
				r.looks[&e] = map[string]fields.Binding{}
				r.best.Choices = append(r.best.Choices, solver.Choice{Need: solver.Need{Taker: &e, Field: q}, Option: r.best.Choices[at].Option})
				r.best.Choices[at].Option = solver.Option{Provider: &e, Edge: ed}
				r.best.Tools = append(r.best.Tools, &e)
				return
			}
			continue
		}
		ed, ok := r.x.shape.best(look, t.e, f, minInsert)
		if !ok || len(e.Missing(map[string]fields.Binding{q.Name: b})) > 0 {
			continue
		}
		r.looks[&e] = map[string]fields.Binding{q.Name: b}
		c := solver.Choice{Need: solver.Need{Taker: t.e, Field: f}, Option: solver.Option{Provider: &e, Edge: ed}}
		if at := slices.IndexFunc(r.best.Choices, func(c solver.Choice) bool { return c.Taker == t.e && c.Field.Name == f.Name }); at >= 0 {
			r.best.Choices[at] = c
		} else {
			r.best.Choices = append(r.best.Choices, c)
		}
		r.best.Tools = append(r.best.Tools, &e)
		return
	}
}

// namedBy is how many things the user named for a look.
func namedBy(look map[string]fields.Binding) int {
	n := 0
	for _, b := range look {
		n += 1 + len(b.More)
	}
	return n
}

// meant keeps of what a look found by a name the one that has that very name, if there is one, and nothing that it was not asked for by an id.
func (r *round) meant(c solver.Choice, values []any) []any {
	b, ok := r.looks[c.Provider]
	if !ok {
		return values
	}
	for _, o := range r.best.Choices {
		if o.Taker == c.Provider && o.Provider != nil && o.Field.Name == c.Field.Name { // it was asked for what another tool found
			asked, _ := r.observed(o)
			values = slices.DeleteFunc(slices.Clone(values), func(v any) bool {
				return !slices.ContainsFunc(asked, func(a any) bool { return fmt.Sprint(a) == fmt.Sprint(v) })
			})
		}
	}
	for _, was := range b {
		named := append([]any{was.Value}, was.More...)
		if all := slices.DeleteFunc(slices.Clone(named), func(v any) bool { return !slices.Contains(values, v) }); len(all) == len(named) {
			return all
		}
	}
	return values
}

// reckoned puts what a parameter becomes in the place of by how much it changes. False: what it is now is not known, or it cannot become that.
func (r *round) reckoned(t *target, args map[string]any) bool {
	for i := range t.e.Params {
		f := &t.e.Params[i]
		b, ok := args[f.Name].(by)
		if !ok {
			continue
		}
		now, of := r.present(t.e, f, args)
		n, ok := b.of(now, f.Type == "integer")
		if !ok {
			return false
		}
		args[f.Name] = n
		given, err := cards.ReadArguments(fields.Arguments(args))
		if err == nil && t.e.Invalid(given, false) == "" {
			continue
		}
		h := hindered{id: of, why: words.Say(r.g.lang, "%s的%s现在是 %s，照「%s」会变成 %s，这是不允许的", "%[2]s of %[1]s is %[3]s now; by “%[4]s” it would become %[5]s, which is not allowed", of, f.Label(r.g.lang), now, b.text, n)}
		if !slices.ContainsFunc(r.hindered[t.e], func(o hindered) bool { return o.why == h.why }) {
			r.hindered[t.e] = append(r.hindered[t.e], h)
		}
		return false
	}
	return true
}

// showsTheSame reports whether the rows of another tool have a property that is called as one of the rows of a look, so that it is not looked up twice.
func (x *Index) showsTheSame(tool string, look *cards.Entry, property string) bool {
	e := x.byName[tool]
	if e == nil || !e.Reads() || e.IsAgent() {
		return false
	}
	in := func(e *cards.Entry) *fields.Field {
		for _, l := range e.Lists() {
			for i := range l.Fields {
				if l.Fields[i].Name == property {
					return &l.Fields[i]
				}
			}
		}
		return nil
	}
	a, b := in(look), in(e)
	return a != nil && b != nil && a.Label("zh") == b.Label("zh")
}

// present is the value that a parameter's thing has now, as it was looked up in this task, and what that thing is called; "" when it was not.
func (r *round) present(e *cards.Entry, f *fields.Field, args map[string]any) (now json.Number, of string) {
	look, property := r.x.shownBy(f)
	for _, d := range slices.Backward(r.in.Done) {
		if look == nil || d.Status != bus.OK || d.Action.ToolName != look.Name && !r.x.showsTheSame(d.Action.ToolName, look, property) {
			continue
		}
		v, err := fields.Decode(d.Observation)
		if err != nil {
			continue
		}
		for i := range e.Params {
			id := fmt.Sprint(args[e.Params[i].Name])
			if args[e.Params[i].Name] == nil || len(e.Params[i].Needs) == 0 {
				continue
			}
			if n, ok := holding(v, id)[property].(json.Number); ok {
				return n, id
			}
		}
	}
	return "", ""
}
