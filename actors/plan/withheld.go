package plan

import (
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// A change may be taken back for some of what it is made to by a part of the sentence that names no number: 耳机都涨价5元，头戴式不涨, "don't raise the rum". What has a
// number or is a person is spared by itself (spared.go); whether 头戴式 is among what else was said nobody here knows, so that the change is not made.

var (
	// parted ends a part of a sentence.
	parted = words.MustCompile(`(?i)[，,;；。!！\n()（）]|但是?|不过|\b(?:but|though)\b`)
	// heldHan and heldEng: a part that says so leaves something alone, whatever is done to the rest; of 不涨 and "don't raise" it hangs on what is wished.
	heldHan = words.MustCompile(`例外|不(?:参加|参与)|[别勿不](?:要|用|能|可以?)?(?:再|去)?(?:动|变|碰)|(?:^|[就先也都则还])(?:留着|保留|保持)|照旧|照常|原价`)
	heldEng = words.MustCompile(`(?i)\b(?:leave|keep|spare)\b|\b(?:unchanged|as (?:it is|they are)|stays?|remains?)\b`)
	noHan   = words.MustCompile(`(?:不(?:要|用|必|能|可以?|准|许|再|给|想)?|[别勿]|暂不|先不)(?:再|给|把|去|做)*(?:涨|降|调|提价|打折|打|加价|减价|便宜|贵|补|进货|改|取消|退|发|催|通知|开票)`)
	noEng   = words.MustCompile(`(?i)(?:n['’]t|\bnot|\bnever|\bno)\s+(?:to\s+)?[a-z]+|^\s*(?:and\s+)?not\b`)
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
	from := 0
	for _, m := range append(parted.FindAllStringIndex(text, 40), []int{len(text), len(text)}) {
		part, start := text[from:m[0]], from
		from = m[1]
		if start >= len(said) || overlaps(told, start, start+len(part)) || !holdsBack(part, t) || r.spokenFor(part) || ofField(part, t) {
			continue
		}
		out = append(out, strings.TrimSpace(part))
	}
	return out
}

// holdsBack reports whether a part of a request says that the change of a target shall not be made to something.
func holdsBack(part string, t *target) bool {
	if ofPast.MatchString(part) {
		return false
	}
	if heldHan.MatchString(part) || heldEng.MatchString(part) {
		return true
	}
	if m := noHan.FindString(part); m != "" {
		verbs := wishes.ChangeVerbs(m)
		return len(verbs) == 0 || t.e.HasVerb(verbs)
	}
	m := noEng.FindString(part)
	verbs := wishes.ChangeVerbs(part)
	return m != "" && (strings.TrimSpace(part) != strings.TrimSpace(m) || len(verbs) == 0) && (len(verbs) == 0 && strings.HasPrefix(strings.ToLower(strings.TrimSpace(part)), "not") || t.e.HasVerb(verbs))
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
