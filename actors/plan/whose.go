package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// Whose a thing is that a change names by its number, 取消王萍萍的订单281…, narrows nothing that is looked for: what was looked up of that thing tells whether it is so.

// whose are the people whom the rows of all of a target's things tell of, in the order of the card, and as an English sentence there calls them: Hu Xuan (胡轩). nil
// where they were not all looked up, or are not named by their numbers.
func (r *round) whose(t *target) (out []string) {
	one := t.e.TakesOne()
	if one == nil || t.e.Reads() || t.bound[one.Name].Value == nil {
		return nil
	}
	for i, id := range append([]any{t.bound[one.Name].Value}, t.bound[one.Name].More...) {
		of := r.peopleOf(fmt.Sprint(id))
		if i == 0 {
			out = of
		}
		out = slices.DeleteFunc(out, func(s string) bool { return !slices.Contains(of, s) })
	}
	return out
}

// peopleOf are the people whom the row of one thing tells of, as it was looked up last.
func (r *round) peopleOf(id string) (out []string) {
	for look, m := range r.rowsOf(id) {
		fields.Walk(look.Gives, "", func(_ string, f *fields.Field) {
			if s, ok := m[f.Name].(string); ok && f.Sort == fields.Person && !slices.Contains(out, s) {
				out = append(out, s)
			}
		})
		for _, s := range slices.Clone(out) {
			for _, k := range fields.Keys(m, nil) {
				text, _ := m[k].(string)
				if before, _, ok := strings.Cut(text, " ("+s+")"); ok && latinLast.MatchString(before) {
					out = append(out, latinLast.FindString(before))
				}
			}
		}
		if len(out) > 0 {
			return out
		}
	}
	return nil
}

var latinLast = words.MustCompile(`[A-Z][a-z']+(?: [A-Z][a-z']+)+$`)

// tellsWhose reports whether a look at the one thing that a target names is still to be taken, and tells whose it is.
func (r *round) tellsWhose(t *target) bool {
	one := t.e.TakesOne()
	if one == nil || t.bound[one.Name].Value == nil || r.whose(t) != nil {
		return false
	}
	look, _, _, ok := r.x.look(t.e, one)
	if _, looked := r.tried(words.Either(ok, look, t.e).Name); !ok || looked || !t.e.NeedsApproval() {
		return false
	}
	return slices.ContainsFunc(look.Gives, func(f fields.Field) bool { return f.Sort == fields.Person })
}

// notTheirs says that the thing of a change is not theirs whom the request names beside its number; "" where it is, or nobody knows, as of a name in other letters.
func (r *round) notTheirs(t *target) string {
	whose := r.whose(t)
	for _, f := range r.unused(t) {
		at := slices.IndexFunc(whose, func(s string) bool { return words.IsHan(words.FirstRune(s)) == words.IsHan(words.FirstRune(f.Text)) })
		if f.Kind == facts.Person && at >= 0 {
			return words.Say(r.g.lang, "没有执行：%[1]s。查到的是 %[2]s 的，不是 %[3]s 的；请核对编号或姓名。", "Not done: %[1]s. It is that of %[2]s and not of %[3]s; please check the number or the name.",
				strip(r.g.wording(t.clause)), whose[at], f.Text)
		}
	}
	return ""
}
