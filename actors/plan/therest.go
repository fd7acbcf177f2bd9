package plan

import (
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// "Cancel all but the second", after a list, means the rows of that list without the second; 其他的都取消, after something was done to one of them, those
// that were not spoken of since. They are put into the request by their ids, so that leave is asked for each. Where the list was cut, or anything else is
// said that it does not settle, it is asked which are meant (beside.go).

var (
	// restOf are words for all of a list, or for all of it that is not named.
	restOf = words.MustCompile(`(?i)都|全部|所有|全|其[他它余]|剩下|剩余|这些|那些|[它他她]们|以外|之外|\b(?:all|every|everything|every ?one|others?|rest|remaining|remainder|them|these|those)\b`)
	// excepting are the words beside a place that leave it out.
	excepting = words.MustCompile(`(?i)除外|除(?:了|去|开|掉)?|以外|之外|留着|留下|保留|别动|不动|跳过|\b(?:` + exceptEng + `|rather than|besides|spare|skip|minus|keep|leave|not|but)\b`)
	// restKept: it is the rest that shall be left alone.
	restKept = words.MustCompile(`(?i)(?:其[他它余]|剩下|剩余|\b(?:the (?:rest|others?|remaining)|others)\b)[^，,。;；]{0,12}(?:留|不|别|勿|算了|\b(?:alone|stay|remain|as (?:it is|they are)|not|keep|stays?)\b)|(?:留|别|不要?|勿|\b(?:keep|leave|not|don't|spare)\b)[^，,。;；]{0,12}(?:其[他它余]|剩下|剩余|\b(?:rest|others?|remaining)\b)`)
	inParts  = words.MustCompile(`[，,。;；]|\band\b|\bthen\b`)
	ofNoMore = words.MustCompile(`(?i)的|把|将|给|吧|了|单子?|订单|\b(?:ones?|orders?|rows?|number|no|for)\b`)
)

// theRest is a request for a change to all of the last list but what is left out, in the ids of those that remain; false when that is not what it says, or
// when it cannot be told for sure which these are.
func (x *Index) theRest(text string, places []place, history []earlier) (put string, ok bool) {
	verbs := wishes.ChangeVerbs(text)
	suits := x.suiting(text)
	if len(verbs) != 1 || suits == nil || !restOf.MatchString(text) || restKept.MatchString(text) || toldOrQuoted(text) != nil {
		return "", false
	}
	turn, l := lastList(history)
	if l == nil || l.cut || l.twin || len(l.rows) < 2 || len(l.rows) > maxFan {
		return "", false
	}
	col, _ := l.column("", suits)
	if col < 0 || !l.cols[col].ids || !l.cols[col].differs {
		return "", false
	}
	out := map[int]bool{}
	rest := text
	for _, s := range slices.Backward(places) {
		from, to := s.from, s.to
		if from < 0 {
			from, to = len(l.rows)+1+from, len(l.rows)+1+to
		}
		if from < 1 || to > len(l.rows) || !excepting.MatchString(partAt(text, s)) {
			return "", false
		}
		for i := from - 1; i < to; i++ {
			out[i] = true
		}
		rest = rest[:s.start] + " " + rest[s.end:]
	}
	for i, r := range l.rows {
		if !suits(r[col]) {
			return "", false
		}
		if len(places) == 0 && slices.ContainsFunc(history[turn+1:], func(e earlier) bool { return strings.Contains(e.Request, r[col]) }) {
			out[i] = true
		}
	}
	if len(out) == 0 || len(out) == len(l.rows) {
		return "", false
	}
	verb := wishes.FirstVerb(verbs)
	word := wishes.VerbWord(text[verbs[verb]:], verb)
	for _, re := range []*words.Pattern{restOf, excepting, ofAll, ofNoMore} {
		rest = re.ReplaceAllString(rest, " ")
	}
	said := words.Content(history[turn].Request + " " + history[turn].Answer)
	for _, w := range words.Content(strings.Replace(rest, word, " ", 1)) { // others that are late, of a list of late ones
		if !slices.Contains(said, w) {
			return "", false
		}
	}
	var ids []string
	for i, r := range l.rows {
		if !out[i] {
			ids = append(ids, r[col])
		}
	}
	lang := words.Language(text)
	noun := x.idNoun(ids[0], lang)
	return strings.ToLower(word) + " " + strings.TrimSpace(noun+" "+strings.Join(ids, words.Say(lang, "、", " and "))), true
}

// partAt is the part of a text between commas in which a place stands.
func partAt(text string, s place) string {
	from, to := 0, len(text)
	for _, m := range inParts.FindAllStringIndex(text, -1) {
		switch {
		case m[1] <= s.start:
			from = m[1]
		case m[0] >= s.end && m[0] < to:
			to = m[0]
		}
	}
	return text[from:to]
}

// lastList is the list that was shown last, and the turn that showed it; nil when none was.
func lastList(history []earlier) (turn int, l *list) {
	for i, e := range slices.Backward(history) {
		if n := len(e.lists); n > 0 {
			l := e.lists[n-1]
			l.twin = n > 1 && slices.ContainsFunc(e.lists[:n-1], func(o list) bool { return slices.Equal(o.heads, l.heads) })
			return i, &l
		}
	}
	return 0, nil
}
