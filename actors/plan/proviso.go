package plan

import (
	"strings"

	"github.com/hmap-project/hmap/actors/plan/words"
)

// proviso is a condition that forbids a change wherever it does not hold: 只有缺货才取消, "unless it is paid". No call takes one, and a change that was made
// without looking at it would be made against what was said.
var proviso = words.MustCompile(`(?i)只有[^，,。；;！!？?\n]{1,30}?(?:才|的?时候)|除非[^，,。；;！!？?\n]{1,30}|\b(?:unless|only (?:if|when|in case)|provided that|as long as|on (?:the )?condition that)\b[^,.;!?\n]{1,60}`)

// provisos are the conditions of that kind in the sentence of a change.
func (r *round) provisos(t *target) (out []string) {
	if len(t.clause.Change) == 0 {
		return nil
	}
	told := toldOrQuoted(r.g.text)
	for _, m := range proviso.FindAllStringIndex(r.g.text, -1) {
		between := r.g.text[min(m[1], t.clause.Start):max(m[0], t.clause.Start)]
		if m[0] >= t.clause.End {
			between = r.g.text[t.clause.End:m[0]]
		}
		if !overlaps(told, m[0], m[1]) && !strings.ContainsAny(between, "。；;.!！\n") {
			out = append(out, strings.TrimSpace(r.g.text[m[0]:m[1]]))
		}
	}
	return out
}
