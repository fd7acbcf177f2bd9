package plan

import (
	"encoding/json"
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"

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
	lessSaid  = regexp.MustCompile(`(?i)降|减|下调|调低|便宜|扣|少|\b(?:lower|reduce|decrease|cut|drop|discount|slash|minus|less|fewer|off|down|deduct|take|cheaper)\b`)
	moreSaid  = regexp.MustCompile(`(?i)补|进货?|入库|增|追加|添|加|涨|提|贵|上调|调高|多|\b(?:raise|increase|add|restock|replenish|more|extra|plus|up|another|bump|dearer)\b`)
	limiting  = regexp.MustCompile(`(?i)不?[多少]于|\b(?:more|less|fewer|cheaper|dearer) than\b`) // what limits is no change
	minusSign = regexp.MustCompile(`[-−]\s*$`)
	behindIt  = regexp.MustCompile(`(?i)^\s*(?:件|个|台|%|％|pieces?|units?|yuan|元|块|percent)?\s*(?:off|less|fewer|cheaper|more|extra|dearer)\b`)
	// adjusting wishes for a change by how much, without a verb that [changeGroups] has.
	adjusting = hinted{regexp.MustCompile(`(?i)(^|[^下上回])(?:(?:降|涨|提|加|减)价?|便宜|贵|下调|上调|调高|调低|增加|减少|打|补|进)\s*[¥￥]?(?:百分之)?(?:\d+(?:\.\d+)?|[一二两三四五六七八九十百]{1,4})\s*(?:%|％|个点|折|元|块|件|个|台)|百分之[一二三四五六七八九十]{1,3}的?(?:降价|涨价)|\badd(?:ing)?\s+[$¥]?\d+(?:\.\d+)?%?\s+(?:more\s+)?(?:pieces?\s+|units?\s+|yuan\s+)?to\b|\b(?:cut|drop|discount|slash|bump)\b[^.;?]{0,60}\bby\s+[$¥]?\d|\b(?:put|bring|mark|move|set|turn)\b[^.;?]{0,60}\b(?:up|down)\s+by\s+[$¥]?\d|\b(?:take|knock)\s+[$¥]?\d[^.;?]{0,20}\boff\b`), []string{"cut", "drop", "discount", "slash", "bump", "off", "add", " up by", " down by"}}
)

// adjusts reports whether a clause wishes that something changes by so much, and a tool can be told that of a value of the kind that is spoken of: money or pieces.
func (x *Index) adjusts(g *goal, c clause, e *entry) bool {
	if e.reads() || e.IsAgent() || c.question || c.policy || c.advice || !adjusting.MatchString(c.text) {
		return false
	}
	inMoney := moneyUnit.MatchString(c.text) || priced.MatchString(c.text)
	for i := range e.params {
		f := &e.params[i]
		if f.Present != "" && (f.Type == "number" || f.Type == "integer") {
			about := f.label("zh") + " " + f.label("en") + " " + strings.ReplaceAll(f.Name, "_", " ")
			if byShare := strings.ContainsAny(c.text, "%％折"); byShare || inMoney == (money.MatchString(about) || priced.MatchString(about)) {
				return true
			}
		}
	}
	return false
}

// moneyUnit: a sum, or a word for how dear something is.
var moneyUnit = regexp.MustCompile(`(?i)[¥￥$元块]|便宜|[贵涨降]|\b(?:yuan|CNY|RMB|dollars?|cheaper|dearer|discount|mark(?:ed)?)\b`)

// plainNumber: an exponent of ten digits would take all memory.
var plainNumber = regexp.MustCompile(`^-?\d{1,30}(?:\.\d{1,12})?$`)

// howMuchBy reads a number as how much something shall change by; false when nothing says that, or in which direction.
func howMuchBy(text string, fa fact) (by, bool) {
	v, ok := fa.value.(amount)
	if !ok || fa.kind != factNumber || fa.from != "" {
		return by{}, false
	}
	n, ok := new(big.Rat).SetString(strconv.FormatFloat(v.n, 'f', -1, 64))
	if !ok {
		return by{}, false
	}
	out := by{text: strings.TrimSpace(fa.text), n: n, share: v.percent}
	if v.unit == "折" { // 九折, 85折: what it becomes, in tenths
		out.n, out.share = n.Quo(n, big.NewRat(ifThen[int64](v.n < 10, 10, 100), 1)), true
		return out, v.n > 0 && v.n < 100 && strings.HasSuffix(strings.TrimSpace(before(text, fa.start)), "打")
	}
	if v.percent {
		out.n = n.Quo(n, big.NewRat(100, 1))
	}
	lead, rest := text[:fa.start], text[fa.end:]
	if !byHowMuch(text, fa) && !behindIt.MatchString(rest) && !adjusting.MatchString(text[max(0, len(text)-len(rest)-len(fa.text)-12):]) {
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
		out.sign = ifThen(lessSaid.MatchString(behindIt.FindString(rest)), -1, 1)
	case less > more:
		out.sign = -1
	case more > less:
		out.sign = 1
	}
	out.text = ifThen(out.sign < 0, "-", "+") + out.text
	return out, out.sign != 0
}

// lastAt is where a pattern matches last in a text; -1: nowhere.
func lastAt(re *regexp.Regexp, s string) int {
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
func (x *Index) shownBy(f *field) (*entry, string) {
	tool, property, ok := strings.Cut(f.Present, ".")
	e := x.byName[tool]
	if !ok || e == nil || !e.reads() || e.IsAgent() {
		return nil, ""
	}
	return e, property
}

// presents puts a look at what is there before each change of which a card says where that is.
func (r *round) presents() {
	for _, t := range r.targets {
		if t.e.reads() || t.e.IsAgent() || r.lacks(t.e) {
			continue
		}
		if _, made := r.tried(t.e.Name); made && !t.relative() {
			continue
		}
		for i := range t.e.params {
			if _, ok := t.bound[t.e.params[i].Name]; !ok {
				continue
			}
			if look, _ := r.x.shownBy(&t.e.params[i]); look != nil && !r.down(look.Name) {
				r.lookAt(t, look)
				break
			}
		}
	}
}

// relative reports whether an argument says by how much something changes.
func (t *target) relative() bool {
	for _, b := range t.bound {
		if _, ok := b.value.(by); ok {
			return true
		}
	}
	return false
}

// lookAt makes a look provide the parameter by which a change names its thing.
func (r *round) lookAt(t *target, look *entry) {
	if slices.ContainsFunc(r.best.providers(t.e), func(p *entry) bool { return p.Name == look.Name }) {
		return
	}
	e := *look
	for i := range t.e.params {
		f := &t.e.params[i]
		b, ok := t.bound[f.Name]
		q := e.param(f.Name)
		if !ok || q == nil || len(f.Needs) == 0 {
			continue
		}
		ed, ok := r.x.shape.best(look, t.e, f, minInsert)
		if !ok || len(e.missing(map[string]binding{q.Name: b})) > 0 {
			continue
		}
		r.looks[&e] = map[string]binding{q.Name: b}
		c := choice{need{t.e, f}, option{provider: &e, edge: ed}}
		if at := slices.IndexFunc(r.best.choices, func(c choice) bool { return c.taker == t.e && c.field.Name == f.Name }); at >= 0 {
			r.best.choices[at] = c
		} else {
			r.best.choices = append(r.best.choices, c)
		}
		r.best.tools = append(r.best.tools, &e)
		return
	}
}

// namedBy is how many things the user named for a look.
func namedBy(look map[string]binding) int {
	n := 0
	for _, b := range look {
		n += 1 + len(b.more)
	}
	return n
}

// meant keeps of what a look found by a name the one that has that very name, if there is one.
func (r *round) meant(c choice, values []any) []any {
	b, ok := r.looks[c.provider]
	if !ok {
		return values
	}
	for _, was := range b {
		named := append([]any{was.value}, was.more...)
		if all := slices.DeleteFunc(slices.Clone(named), func(v any) bool { return !slices.Contains(values, v) }); len(all) == len(named) {
			return all
		}
	}
	return values
}

// reckoned puts what a parameter becomes in the place of by how much it changes. False: what it is now is not known, or it cannot become that.
func (r *round) reckoned(t *target, args map[string]any) bool {
	for i := range t.e.params {
		f := &t.e.params[i]
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
		given, err := readArguments(arguments(args))
		if err == nil && t.e.invalid(given, false) == "" {
			continue
		}
		h := hindered{id: of, why: say(r.g.lang, "%s的%s现在是 %s，照「%s」会变成 %s，这是不允许的", "%[2]s of %[1]s is %[3]s now; by “%[4]s” it would become %[5]s, which is not allowed", of, f.label(r.g.lang), now, b.text, n)}
		if !slices.ContainsFunc(r.hindered[t.e], func(o hindered) bool { return o.why == h.why }) {
			r.hindered[t.e] = append(r.hindered[t.e], h)
		}
		return false
	}
	return true
}

// showsTheSame reports whether the rows of another tool have a property that is called as one of the rows of a look, so that it is not looked up twice.
func (x *Index) showsTheSame(tool string, look *entry, property string) bool {
	e := x.byName[tool]
	if e == nil || !e.reads() || e.IsAgent() {
		return false
	}
	in := func(e *entry) *field {
		for _, l := range e.lists() {
			for i := range l.Fields {
				if l.Fields[i].Name == property {
					return &l.Fields[i]
				}
			}
		}
		return nil
	}
	a, b := in(look), in(e)
	return a != nil && b != nil && a.label("zh") == b.label("zh")
}

// present is the value that a parameter's thing has now, as it was looked up in this task, and what that thing is called; "" when it was not.
func (r *round) present(e *entry, f *field, args map[string]any) (now json.Number, of string) {
	look, property := r.x.shownBy(f)
	for _, d := range slices.Backward(r.in.Done) {
		if look == nil || d.Status != bus.OK || d.Action.ToolName != look.Name && !r.x.showsTheSame(d.Action.ToolName, look, property) {
			continue
		}
		v, err := decode(d.Observation)
		if err != nil {
			continue
		}
		for i := range e.params {
			id := fmt.Sprint(args[e.params[i].Name])
			if args[e.params[i].Name] == nil || len(e.params[i].Needs) == 0 {
				continue
			}
			if n, ok := holding(v, id)[property].(json.Number); ok {
				return n, id
			}
		}
	}
	return "", ""
}
