package plan

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hmap-project/hmap/actors/plan/cards"
	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// What a request refuses or leaves out is read by how it is named: things by their number or as somebody (spared.go), by what they are (without.go), by their place in
// a list (beside.go, therest.go). Here is the rest: what of it a call would not hold to. A part of the sentence may take a change back for something that is only
// described: 耳机都涨价5元，头戴式不涨, "don't raise the rum"; whether 头戴式 is among what else was said nobody here knows, so that the change is not made.

var (
	// parted ends a part of a sentence.
	parted = words.MustCompile(`(?i)[，,;；。!！\n()（）]|但是?|不过|\b(?:but|though)\b`)
	// heldHan and heldEng: a part that says so leaves something alone, whatever is done to the rest; of 不涨 and "don't raise" it hangs on what is wished.
	heldHan = words.MustCompile(`例外|不(?:参加|参与)|[别勿不](?:要|用|能|可以?)?(?:再|去)?(?:动|变|碰)|(?:^|[就先也都则还])(?:留着|保留|保持)|照旧|照常|原价`)
	heldEng = words.MustCompile(`(?i)\b(?:leave|keep|spare)\b|\b(?:unchanged|as (?:it is|they are)|stays?|remains?)\b`)
	noHan   = words.MustCompile(`(?:不(?:要|用|必|能|可以?|准|许|再|给|想)?|[别勿]|暂不|先不)(?:再|给|把|去|做)*(?:涨|降|调|提价|打折|打|加价|减价|便宜|贵|补|进货|改|取消|退|发|催|通知|开票)`)
	noEng   = words.MustCompile(`(?i)(?:n['’]t|\bnot|\bnever|\bno)\s+(?:to\s+)?[a-z]+|^\s*(?:and\s+)?not\b`)
	// postedOn: what is said to be kept is who asks.
	postedOn = words.MustCompile(`(?i)\bkeep (?:me|us) (?:posted|informed|updated)`)
	// leftOutElse are words that leave something out wherever they stand.
	leftOutElse = words.MustCompile(`(?i)不是[^，。]{1,12}的|只留|放着|跳过|\b(?:not (?:in|from|of|by)\s|outside\b|minus\b|save for\b|exception of\b|excepted\b|without (?:the )?(?-i:[A-Z]))`)
	// leavesOut takes something out of what is looked up, also where it stands behind it (王萍萍的不算).
	leavesOut  = words.MustCompile(`(?i)` + exceptHan + `|不(?:包括|包含|含|算|计)|排除|撇开|去掉|(?:没有?|未)(?:被)?取消|\b(?:` + exceptEng + `|exclude|but not|(?:not|never) (?:been |be )?cancell?ed|(?:all|everything|every one) but|without (?:the|those)|without [^,.;]{1,40} ones)\b`)
	saidBehind = words.MustCompile(`除外|以外|之外|不[算计]`)
	// ofPast are states of things and reasons, which hold nothing back: 还没发货的, 不想要了.
	ofPast = words.MustCompile(`(?:没有?|未|尚未)|不想要|不喜欢|不要了|不需要了|不(?:对|好意思|知道)`)
)

// withheld are the parts of the request by which the change of a target shall not be made to something that has no number here.
func (r *round) withheld(t *target) (out []string) {
	if len(r.g.given) > 0 { // what was asked since says which
		return nil
	}
	text := r.g.text[min(r.g.fresh, len(r.g.text)):]
	said, _ := reasonApart(text)
	told := toldOrQuoted(text)
	for _, m := range heldParts(text, t.e.HasVerb) {
		if part := text[m[0]:m[1]]; m[0] < len(said) && !overlaps(told, m[0], m[1]) && !r.spokenFor(part) && !ofField(part, t) {
			out = append(out, strings.TrimSpace(part))
		}
	}
	return out
}

// heldParts are the parts of a text that hold something back from a change, as bytes; mine tells of verbs that are denied whether the change is one of them.
func heldParts(text string, mine func(verbs map[string]int) bool) (out [][]int) {
	from := 0
	for _, m := range append(parted.FindAllStringIndex(text, 40), []int{len(text), len(text)}) {
		if holdsBack(text[from:m[0]], mine) {
			out = append(out, []int{from, m[0]})
		}
		from = m[1]
	}
	return out
}

// holdsBack reports whether a part of a text says that a change shall not be made to something. It says so, too, where it denies no verb of change.
func holdsBack(part string, mine func(verbs map[string]int) bool) bool {
	if ofPast.MatchString(part) || postedOn.MatchString(part) {
		return false
	}
	if heldHan.MatchString(part) || heldEng.MatchString(part) {
		return true
	}
	if m := noHan.FindString(part); m != "" {
		verbs := wishes.ChangeVerbs(m)
		return len(verbs) == 0 || mine(verbs)
	}
	m := strings.TrimSpace(noEng.FindString(part))
	verbs, said := wishes.ChangeVerbs(part), strings.TrimSpace(part)
	if m == "" || len(verbs) > 0 {
		return m != "" && said != m && mine(verbs)
	}
	return strings.HasPrefix(strings.ToLower(said), "not")
}

// holdsSome is a part of a request, or words in it, by which some things are left out in a way that was not read; "" when there is none.
func holdsSome(said string) string {
	if m := leftOutElse.FindString(said); m != "" {
		return m
	}
	for _, m := range heldParts(said, func(map[string]int) bool { return true }) {
		if part := strings.TrimSpace(said[m[0]:m[1]]); m[0] > 0 && !words.LongNumber.MatchString(part) {
			return part
		}
	}
	return ""
}

// spokenFor reports whether what a part of the request names is spared by itself: it has a number, or is somebody.
func (r *round) spokenFor(part string) bool {
	return words.LongNumber.MatchString(part) || slices.ContainsFunc(append(slices.Clone(r.g.spared), r.g.facts...), func(f facts.Fact) bool {
		return (f.Kind == facts.Digits || f.Kind == facts.Code || f.Kind == facts.Person || f.Kind == facts.Phone) && strings.Contains(part, f.Text)
	})
}

// ofField reports whether a part only says that another property of the same thing stays as it is: 电话不变.
func ofField(part string, t *target) bool {
	return slices.ContainsFunc(t.e.Params, func(f fields.Field) bool {
		if _, given := t.bound[f.Name]; given || len(f.Needs) > 0 {
			return false
		}
		label := []rune(nounOf(f.Label("zh")))
		return len(label) > 1 && strings.Contains(part, string(label[len(label)-2:])) || slices.ContainsFunc(words.Content(part), func(w string) bool { return w == words.Stem(f.Name) })
	})
}

// unspared are the words of the exceptions that a change would not hold to: it is made to what another tool finds, and what is excepted is
// nothing that it takes, so that nobody can tell it among that.
func (r *round) unspared(t *target) (out []string) {
	if t.e.IsAgent() {
		return nil
	}
	if t.e.Reads() {
		return r.unlooked(t)
	}
	if !r.lacks(t.e) {
		out = r.withheld(t)
	}
	if e := r.g.exception; len(out) == 0 && e.Text != "" && !r.lacks(t.e) && t.clause.Start <= e.Start && e.Start < t.clause.End {
		out = append(out, e.Text)
	}
	if len(r.best.Providers(t.e)) > 0 {
		for _, f := range r.g.spared {
			held := slices.ContainsFunc(r.g.without, func(o facts.Fact) bool { return o.Text == f.Text }) // taken out of the rows that are found
			if !held && !slices.Contains(out, f.Text) && !slices.ContainsFunc(t.e.Params, func(p fields.Field) bool { _, sure := fields.Suits(&p, f); return p.Sort == fields.ID && sure > 0 }) {
				out = append(out, f.Text)
			}
		}
	}
	return out
}

// unlooked are the words of the exceptions in what a target looks up: no tool filters by what it is not, and what is excepted would be all that is
// shown. A tool that is given the words themselves reads them.
func (r *round) unlooked(t *target) (out []string) {
	if t.e.Knowledge() || slices.Contains(t.e.Tags, documents) {
		return nil
	}
	end := 0 // of the exception before
	for _, m := range leavesOut.FindAllStringIndex(r.g.text, -1) {
		if m[0] < end { // 以外 of 除了 A 以外
			continue
		}
		if saidBehind.MatchString(r.g.text[m[0]:m[1]]) { // 除 A 以外, and A 不算
			before := r.g.text[end:m[0]]
			if at := strings.LastIndex(before, "除"); at >= 0 {
				m[0] = end + at
			} else if at := strings.LastIndexAny(before, ",，;；。.！!\n "); at >= 0 {
				_, size := utf8.DecodeRuneInString(before[at:])
				m[0] = end + at + size
			}
		}
		said := wishes.FirstPart(r.g.text[m[0]:])
		end = m[0] + len(said)
		mine, heard := t.clause.Start <= m[0] && m[1] <= t.clause.End, false
		for _, b := range t.bound {
			text, ok := b.Value.(string)
			heard = heard || ok && strings.Contains(text, said)
			mine = mine || b.Used >= 0 && b.Used < len(r.g.facts) && r.g.facts[b.Used].Start >= m[0] && r.g.facts[b.Used].End <= m[0]+len(said)
		}
		if mine && !heard && !inclusive(r.g.text, m[1]) {
			out = append(out, said)
		}
	}
	return out
}

// notLeftOut says, in the place of what a call found, that its rows do not tell what should be left out: who goes on with them would do it to all. "" where they do.
func (r *round) notLeftOut(t *target, d Done, held []facts.Fact) string {
	if t.e.IsAgent() || !t.e.Reads() || t.e.Knowledge() || empty(d.Observation) {
		return ""
	}
	var of []string
	for _, f := range r.g.leftFrom(t.clause) {
		if slices.ContainsFunc(held, func(h facts.Fact) bool { return h.Start == f.Start && h.Not }) {
			continue
		}
		if latinName(f) && hanNames(t.e, d) {
			return words.Say(r.g.lang, "没有查：%[1]s。这里的姓名是用汉字记的，认不出「%[2]s」是其中哪一位，所以没法排除；请用汉字写出姓名再说一次。",
				"Not looked up: %[1]s. Names are kept in Chinese characters here, so that nobody can tell which one is “%[2]s” and leave it out; say it again with the name in Chinese characters.", strip(r.g.wording(t.clause)), f.Text)
		}
		of = append(of, words.Say(r.g.lang, "「%s」", "“%s”", f.Text))
	}
	if len(of) == 0 {
		return ""
	}
	return r.cannotLeaveOut(t, strings.Join(of, words.Say(r.g.lang, "、", ", ")))
}

// hanNames reports whether the rows that a call found tell of people by names in Chinese characters.
func hanNames(e *cards.Entry, d Done) bool {
	found := false
	for _, l := range e.Lists() {
		for _, f := range l.Fields {
			if f.Sort == fields.Person {
				for _, v := range dig(d.Observation, l.Name+"."+f.Name) {
					s, _ := v.(string)
					found = found || words.IsHan(words.FirstRune(s))
				}
			}
		}
	}
	return found
}

// cannotLeaveOut says that a look-up cannot leave something out.
func (r *round) cannotLeaveOut(t *target, of string) string {
	return words.Say(r.g.lang, "没有查：%[1]s。这里只能查有某个条件的，不能按%[2]s来排除；可以先查全部的，再查要去掉的那些，相减就是其余的。",
		"Not looked up: %[1]s. Things are looked up by what they are, and %[2]s cannot be left out; ask for all and then for those alone: the difference is the rest.", strip(r.g.wording(t.clause)), of)
}
