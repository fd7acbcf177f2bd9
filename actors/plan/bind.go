package plan

import (
	"cmp"
	"encoding/json"
	"math"
	"regexp"
	"slices"
	"strings"
)

// binding is a value for a parameter, and how sure it is.
type binding struct {
	value any
	sure  float64 // 0–1
	why   string
	used  int // index of the fact in the list it came from; -1 for none
	weak  bool
}

// needSure is what a parameter asks of a binding: an optional one is better left out than guessed.
const (
	sureRequired = 0.3
	sureOptional = 0.55
)

// bind gives values to the parameters of e from what is known, the surest first, each fact once.
func (x *Index) bind(e *entry, g *goal, c clause) map[string]binding {
	out := map[string]binding{}
	for i := range e.params {
		f := &e.params[i]
		if text, ok := g.given[f.Name]; ok {
			if v, ok := x.fromAnswer(f, text, g); ok {
				out[f.Name] = binding{value: v, sure: 1, why: "answer", used: -1}
			}
		}
	}
	facts := append(slices.Clone(g.facts), g.extra...)
	x.bindFacts(e, g, c, facts, out)
	for _, read := range []func(*entry, *field, *goal, clause, []fact) (binding, bool){x.bindTold, x.bindKnown, x.bindRest} {
		for i := range e.params {
			f := &e.params[i]
			if _, ok := out[f.Name]; ok {
				continue
			}
			if b, ok := read(e, f, g, c, facts); ok && (!b.weak || !spent(out, b.value)) {
				out[f.Name] = b
			}
		}
	}
	e.onlyOne(out)
	return out
}

// spent reports whether another parameter has the value already.
func spent(out map[string]binding, v any) bool {
	for _, b := range out {
		if b.value == v && b.why != "question" {
			return true
		}
	}
	return false
}

// onlyOne drops a parameter whose place another one has taken: the less sure, and words before declared formats.
func (e *entry) onlyOne(out map[string]binding) {
	for i := range e.params {
		f := &e.params[i]
		b, ok := out[f.Name]
		if !ok || f.Required {
			continue
		}
		for _, o := range e.instead(f) {
			if other, ok := out[o.Name]; ok && (other.sure > b.sure || other.sure == b.sure && f.Format == "" && len(f.Instead) > 0 && len(o.Instead) == 0) {
				delete(out, f.Name)
			}
		}
	}
}

// oneOf is the parameter to ask for when the card says that one of several is enough and none is known; else nil.
func (e *entry) oneOf(known map[string]binding) *field {
	for i := range e.params {
		f := &e.params[i]
		if !f.OneOf || f.Required {
			continue
		}
		if _, ok := known[f.Name]; ok {
			continue
		}
		given := false
		for _, o := range e.instead(f) {
			_, ok := known[o.Name]
			given = given || ok
		}
		if !given {
			return f
		}
	}
	return nil
}

// instead lists the parameters that f names as doing its job.
func (e *entry) instead(f *field) []*field {
	var out []*field
	for i := range e.params {
		if o := &e.params[i]; o.Name != f.Name && (slices.Contains(f.Instead, o.Name) || o.Title != "" && slices.Contains(f.Instead, o.Title)) {
			out = append(out, o)
		}
	}
	return out
}

// offer is a fact that could fill a field.
type offer struct {
	field int
	fact  int
	sure  float64
	value any
}

// bindFacts assigns typed facts to fields, the surest pair first.
func (x *Index) bindFacts(e *entry, g *goal, c clause, facts []fact, out map[string]binding) {
	var offers []offer
	for i := range e.params {
		f := &e.params[i]
		if _, ok := out[f.Name]; ok {
			continue
		}
		for j, fa := range facts {
			v, sure := suits(f, fa)
			if sure <= 0 {
				continue
			}
			near := 0.0
			text := g.text
			if fa.from != "" {
				sure -= 0.15
				text = ""
			} else if fa.start < c.start || fa.end > c.end {
				sure -= 0.1
			}
			if text != "" {
				near = affinity(f, text, fa)
			}
			sure += near
			need := sureOptional
			if f.Required {
				need = sureRequired
				sure += 0.05
			}
			if sure >= need {
				offers = append(offers, offer{i, j, min(sure, 1), v})
			}
		}
	}
	slices.SortStableFunc(offers, func(a, b offer) int { return cmp.Compare(b.sure, a.sure) })
	used := map[int]bool{}
	for _, o := range offers {
		f := &e.params[o.field]
		if used[o.fact] && facts[o.fact].kind != factDate {
			continue
		}
		if b, ok := out[f.Name]; ok {
			if f.Sort == sortList && b.used >= 0 { // a list takes all that suits it
				b.value = append(b.value.([]any), o.value)
				out[f.Name] = b
				used[o.fact] = true
			}
			continue
		}
		if f.Sort == sortDate && used[o.fact] && !f.isStart() && !f.isEnd() {
			continue
		}
		used[o.fact] = true
		v := o.value
		if f.Sort == sortList {
			v = []any{v}
		}
		out[f.Name] = binding{value: v, sure: o.sure, why: factNames[facts[o.fact].kind], used: o.fact}
	}
}

var (
	isEndName   = regexp.MustCompile(`(?i)(^|_)(end|to|until|before|till|finish)(_|$)|(end|to|until)(date|time|day)?$`)
	isStartName = regexp.MustCompile(`(?i)(^|_)(start|from|since|begin|after)(_|$)|^(start|from|since|begin)`)
	isEndDesc   = regexp.MustCompile(`(?i)(结束|截止|终止|\bend(?:ing)?\b|\buntil\b)`)
	isStartDesc = regexp.MustCompile(`(?i)(开始|起始|起|\bstart(?:ing)?\b|\bbegin(?:ning)?\b|\bsince\b)`)
)

func (f *field) isEnd() bool {
	return isEndName.MatchString(f.Name) && f.Sort == sortDate || isEndDesc.MatchString(f.head())
}
func (f *field) isStart() bool {
	return isStartName.MatchString(f.Name) && f.Sort == sortDate || isStartDesc.MatchString(f.head())
}

// suits says whether a fact can be the field's value by its kind alone, and how sure that is; 0: not at all.
func suits(f *field, fa fact) (any, float64) {
	text, _ := fa.value.(string)
	if f.Pattern != nil {
		if text != "" && f.Pattern.MatchString(text) && f.Sort != sortQuery {
			return text, 0.9
		}
		if text != "" {
			return nil, 0
		}
	}
	switch f.Sort {
	case sortPhone:
		if fa.kind == factPhone {
			return text, 1
		}
	case sortLink:
		if mail := strings.Contains(text, "@"); fa.kind == factLink && mail == mailField.MatchString(f.Name+f.Format+f.Desc) {
			return text, 1
		}
	case sortPerson:
		switch fa.kind {
		case factPerson:
			return text, 0.9
		case factQuote:
			return text, 0.35
		case factProper:
			return text, 0.35
		}
	case sortDate:
		if p, ok := fa.value.(period); ok {
			if f.Format == "" && inWords.MatchString(f.Desc) {
				return fa.text, 0.7
			}
			v, ok := p.render(f)
			return v, ifElse(ok, 0.8, 0)
		}
	case sortID:
		return suitsID(f, fa, text)
	case sortNumber:
		return suitsNumber(f, fa)
	case sortList, sortText:
		if f.Sort == sortList && len(f.Fields) > 0 {
			return nil, 0
		}
		switch fa.kind {
		case factQuote:
			return text, 0.6
		case factProper:
			return text, 0.4
		case factCode:
			return text, 0.3
		case factPerson:
			return text, 0.15
		case factLink:
			return text, 0.2
		}
	}
	return nil, 0
}

var mailField = regexp.MustCompile(`(?i)mail|邮箱|邮件`)

func suitsID(f *field, fa fact, text string) (any, float64) {
	if f.Type == "integer" || f.Type == "number" {
		switch v := fa.value.(type) {
		case amount:
			return v.n, 0.3
		case string:
			if digits(v) && len(v) < 16 {
				return json.Number(v), 0.5
			}
		}
		return nil, 0
	}
	switch fa.kind {
	case factDigits:
		if len(f.Lengths) > 0 {
			return text, ifElse(slices.Contains(f.Lengths, len(text)), 1, 0)
		}
		return text, 0.45
	case factPhone:
		if slices.Contains(f.Lengths, len(text)) && !digits(text) {
			return nil, 0
		}
		return text, ifElse(slices.Contains(f.Lengths, len(text)), 0.5, 0)
	case factCode, factQuote:
		if len(f.Lengths) > 0 {
			return text, ifElse(digits(text) && slices.Contains(f.Lengths, len(text)), 1, 0)
		}
		return text, ifElse(fa.kind == factCode, 0.45, 0.35)
	case factNumber:
		if len(f.Lengths) == 0 {
			return fa.text, 0.2
		}
	}
	return nil, 0
}

func suitsNumber(f *field, fa fact) (any, float64) {
	switch v := fa.value.(type) {
	case amount:
		n := v.n
		if v.percent && fraction.MatchString(f.Desc) {
			n /= 100
		}
		if f.Type == "integer" && n != math.Trunc(n) {
			return nil, 0
		}
		sure := 0.45
		if v.percent {
			sure = ifElse(percentField.MatchString(f.Name+f.Desc), 0.75, 0.1)
		} else if v.unit != "" && strings.Contains(strings.ToLower(f.Name+" "+f.Desc), strings.TrimSuffix(v.unit, "s")) {
			sure = 0.7
		}
		if f.Type == "integer" {
			return int64(n), sure
		}
		return n, sure
	case period:
		if v, ok := v.render(f); ok && f.Type == "integer" {
			return v, 0.6
		}
	}
	return nil, 0
}

var (
	percentField = regexp.MustCompile(`(?i)percent|rate|ratio|discount|%|百分|折|比例|幅度|率`)
	fraction     = regexp.MustCompile(`(?i)0\s*[-–~到至]\s*1\b|fraction|小数`)
)

func ifElse(ok bool, a, b float64) float64 {
	if ok {
		return a
	}
	return b
}

// affinity is how well the words around a fact name the field, 0–0.4.
func affinity(f *field, s string, fa fact) float64 {
	before := s[max(0, fa.start-48):fa.start]
	after := s[fa.end:min(len(s), fa.end+18)]
	sum := 0.0
	ws := content(strings.ToValidUTF8(before, ""))
	for i := len(ws) - 1; i >= 0 && i >= len(ws)-6; i-- {
		if f.vocab[ws[i]] {
			sum += 0.25 / float64(len(ws)-i)
		}
	}
	for i, w := range content(strings.ToValidUTF8(after, "")) {
		if i < 2 && f.vocab[w] {
			sum += 0.1
		}
	}
	return min(sum, 0.4)
}

// bindTold chooses allowed values and reads yes, no and the question itself.
func (x *Index) bindTold(e *entry, f *field, g *goal, c clause, facts []fact) (binding, bool) {
	where := c.text
	if g.fresh > 0 {
		where = g.text
	}
	switch f.Sort {
	case sortEnum:
		if v, sure := x.chooseEnum(f, undated(where, g, facts), !e.reads()); v != "" && (f.Required || sure >= sureOptional) {
			return binding{value: x.typed(f, v), sure: sure, why: "enum", used: -1}, true
		}
		if v, sure := x.chooseEnum(f, undated(g.text, g, facts)+" "+g.context, !e.reads()); v != "" && where != g.text && sure >= 0.8 {
			return binding{value: x.typed(f, v), sure: sure - 0.1, why: "enum", used: -1}, true
		}
	case sortQuery:
		if f.Required || len(e.required()) == 0 {
			text := strings.TrimSpace(g.text)
			if len(g.clauses) > 1 {
				text = c.text
			}
			if text != "" {
				return binding{value: text, sure: 0.7, why: "question", used: -1}, true
			}
		}
	case sortBool:
		if v, ok := chooseBool(f, where); ok {
			return binding{value: v, sure: 0.6, why: "boolean", used: -1}, true
		}
	}
	return binding{}, false
}

// undated takes the dates out of a text: the 月 of 上个月 chooses nothing.
func undated(s string, g *goal, facts []fact) string {
	for _, f := range facts {
		if f.from == "" && f.kind == factDate {
			s = strings.ReplaceAll(s, f.text, " ")
		}
	}
	return s
}

// bindKnown looks for values that the card itself knows, and for the text of a message.
func (x *Index) bindKnown(_ *entry, f *field, g *goal, c clause, _ []fact) (binding, bool) {
	if f.Sort != sortText && f.Sort != sortID && f.Sort != sortPerson {
		return binding{}, false
	}
	for _, text := range []string{g.text[min(g.fresh, len(g.text)):], c.text, g.text, g.context} {
		if v := longest(f.Examples, text); v != "" {
			return binding{value: v, sure: 0.85, why: "known value", used: -1}, true
		}
	}
	if f.Sort == sortText && isMessage.MatchString(f.Name+" "+f.head()) {
		if m := saidWhat.FindStringSubmatch(c.text); m != nil {
			return binding{value: strings.Trim(m[1], ` "“”「」'`), sure: 0.7, why: "what to say", used: -1}, true
		}
	}
	return binding{}, false
}

// isMessage and saidWhat: a message's text is what follows 说, saying, or a colon.
var (
	isMessage = regexp.MustCompile(`(?i)^(?:text|message|content|body)\b|消息内容|内容|短信|留言`)
	saidWhat  = regexp.MustCompile(`(?i)(?:告诉(?:他们?|她|对方|买家)|说明?|内容(?:是|为)|写上?|saying(?: that)?|says?(?: that)?|[:：])[，,:：]?\s*(.{2,500})$`)
)

// bindRest takes the noun that remains, from the clause, then from the other clauses, then from the context; or the default.
func (x *Index) bindRest(e *entry, f *field, g *goal, c clause, facts []fact) (binding, bool) {
	if f.Sort == sortText && !x.options.Without.Model && f.Pattern == nil && !isMessage.MatchString(f.Name+" "+f.head()) &&
		(f.Required || nameLike.MatchString(f.Name+" "+f.head())) {
		trade := e.tradeWords()
		if len(x.entries) <= smallHouse {
			trade = x.trade
		}
		r := residue(g.text, max(c.start, min(g.fresh, c.end)), c.end, facts, trade)
		if r != "" && (f.Required || isHan(firstRune(r)) || strings.Contains(r, " ")) && (f.Required || f.takes(r)) { // one Latin word may be any verb
			return binding{value: r, sure: 0.6, why: "what remains", used: -1, weak: true}, true
		}
		if r == "" {
			// The thing was named in another clause: 预测空气炸锅的销量，并建议要不要降价.
			if r := residue(g.text, 0, len(g.text), facts, x.trade); r != "" && len(g.clauses) > 1 {
				return binding{value: r, sure: 0.5, why: "what remains", used: -1, weak: true}, true
			}
			if r := residue(g.context, 0, len(g.context), nil, trade); f.Required && r != "" && len([]rune(r)) <= 20 {
				return binding{value: r, sure: 0.4, why: "context", used: -1, weak: true}, true
			}
		}
	}
	if f.Required && len(f.Default) > 0 {
		var v any
		if json.Unmarshal(f.Default, &v) == nil {
			return binding{value: v, sure: 0.4, why: "default", used: -1}, true
		}
	}
	return binding{}, false
}

// takes reports whether a value may belong to the field's dictionary, if the card declares one: a new category is no
// category, but a product's name may be new.
func (f *field) takes(v string) bool {
	if len(f.Examples) < 5 || openName.MatchString(f.Name+" "+f.head()) {
		return true
	}
	low := strings.ToLower(v)
	for _, e := range f.Examples {
		if e = strings.ToLower(e); strings.Contains(e, low) || strings.Contains(low, e) {
			return true
		}
	}
	return false
}

var openName = regexp.MustCompile(`(?i)name|名称|关键词|keyword`)

// nameLike: optional parameters that name a thing may take what remains; others need better evidence.
var nameLike = regexp.MustCompile(`(?i)(product|sku_name|item|keyword|category|goods|商品名|商品|关键词|类目|品类|产品)`)

// longest is the longest known value that the text holds.
func longest(values []string, text string) string {
	best, low := "", strings.ToLower(text)
	for _, v := range values {
		if len(v) > len(best) && len([]rune(v)) > 1 && holds(low, strings.ToLower(v)) {
			best = v
		}
	}
	return best
}

// holds reports whether s holds v, Latin values as whole words only, Han values not as the beginning of a number's name
// (手机 in 手机号).
func holds(s, v string) bool {
	for from := 0; ; {
		i := strings.Index(s[from:], v)
		if i < 0 {
			return false
		}
		i += from
		if isHan(firstRune(v)) && !strings.HasPrefix(s[i+len(v):], "号") && !strings.HasPrefix(s[i+len(v):], "码") ||
			!isHan(firstRune(v)) && !wordByte(s, i-1) && !wordByte(s, i+len(v)) {
			return true
		}
		from = i + len(v)
	}
}

func wordByte(s string, i int) bool {
	if i < 0 || i >= len(s) {
		return false
	}
	b := s[i]
	return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9'
}

// chooseEnum picks the allowed value that the text names, or whose explanation it comes closest to. "" when none speaks for
// itself. named: only a value that the text names will do, as for a tool that changes something.
func (x *Index) chooseEnum(f *field, text string, named bool) (string, float64) {
	low := strings.ToLower(text)
	terms, order := bag(content(text))
	if countHan.MatchString(text) || countEng.MatchString(text) { // grammar elsewhere, here it says what is wanted
		for _, w := range []string{"数量", "number", "count"} {
			terms[w], order = 1, append(order, w)
		}
	}
	x.lexicon.widen(terms, &order)
	best, second, pick := 0.0, 0.0, ""
	for _, v := range f.Enum {
		s := 0.0
		plain := strings.ToLower(strings.ReplaceAll(v, "_", " "))
		if there := holds(low, strings.ToLower(v)) || holds(low, plain); there && (len([]rune(v)) > 1 || strings.Contains(low, "按"+v) || strings.Contains(low, "每"+v)) {
			s += 1 + 0.02*float64(len([]rune(v)))
			if askedFor(low, strings.ToLower(v)) {
				s += 0.5
			}
		} else {
			hit, all := 0.0, 0.0
			for _, t := range content(plain) {
				all++
				hit += min(1, 2*terms[t])
			}
			if all > 0 && (hit == all || !named) {
				s += 0.7 * hit / all
			}
		}
		mine := 0.0
		for _, w := range f.Means[v] {
			shared := 0
			for _, o := range f.Enum {
				if slices.Contains(f.Means[o], w) {
					shared++
				}
			}
			if terms[w] > 0 && !named {
				mine += min(1, 2*terms[w]) / float64(shared*shared)
			}
		}
		s += min(0.6, 0.3*mine)
		switch {
		case s > best:
			best, second, pick = s, best, v
		case s > second:
			second = s
		}
	}
	if best < 0.3 || best-second < 0.05 {
		return "", 0
	}
	return pick, min(1, 0.4+0.5*best)
}

// askedFor reports whether the value stands beside the question word: 买了什么商品 asks for 商品.
func askedFor(text, v string) bool {
	for _, q := range []string{"什么", "哪些", "哪个", "多少", "几个", "几单", "几件", "which ", "what ", "how many "} {
		if strings.Contains(text, q+v) {
			return true
		}
	}
	return false
}

// typed gives an enum value in the field's type.
func (x *Index) typed(f *field, v string) any {
	if f.Type == "array" {
		return []any{v}
	}
	return v
}

var no = regexp.MustCompile(`(?i)不|没|无|\b(?:no|not|without|don't)\b`)

// chooseBool is true when the text names what the flag is about, false when it denies it.
func chooseBool(f *field, text string) (bool, bool) {
	hit := 0
	for _, w := range content(f.Name + " " + f.head()) {
		if strings.Contains(strings.ToLower(text), w) {
			hit++
		}
	}
	if hit < 2 && !(hit == 1 && len(content(f.Name)) == 1) {
		return false, false
	}
	return !no.MatchString(text), true
}

// fromAnswer reads the user's answer as the field's value: the allowed value, the typed fact, or the text itself.
func (x *Index) fromAnswer(f *field, text string, g *goal) (any, bool) {
	if text == "" {
		return nil, false
	}
	if f.Sort == sortEnum {
		if v, _ := x.chooseEnum(f, text, false); v != "" {
			return x.typed(f, v), true
		}
		return nil, false
	}
	best, sure := any(nil), 0.0
	for _, fa := range readFacts(text, g.now, x.knows) {
		if v, s := suits(f, fa); s > sure {
			best, sure = v, s
		}
	}
	switch f.Sort {
	case sortDate, sortNumber, sortPhone, sortLink:
		return best, best != nil
	case sortID:
		if len(f.Lengths) > 0 || f.Pattern != nil {
			return best, best != nil
		}
	case sortBool:
		return !no.MatchString(text), true
	case sortList:
		var vs []any
		for _, v := range splitValues.Split(text, -1) {
			vs = append(vs, v)
		}
		return vs, true
	case sortText, sortPerson:
		if v := longest(f.Examples, text); v != "" {
			return v, true
		}
	}
	if best != nil && sure >= 0.6 {
		return best, true
	}
	if b := bare(text); b != "" {
		return b, true
	}
	return text, true
}

// arguments makes the JSON object of bindings, keys in order.
func arguments(bs map[string]any) json.RawMessage {
	if len(bs) == 0 {
		return json.RawMessage("{}")
	}
	raw, err := json.Marshal(bs)
	if err != nil {
		return json.RawMessage("{}") // only values that came out of JSON or of text stand here
	}
	return raw
}
