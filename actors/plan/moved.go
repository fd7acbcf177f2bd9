package plan

import (
	"slices"

	"github.com/hmap-project/hmap/actors/plan/words"
	"github.com/hmap-project/hmap/bus"
)

// anew is what was done without the changes that were not made because what they would replace had moved since it was shown, and without all that was looked
// up before them: that is looked up, planned and asked for anew, once. Where another change was made before that, or together with it, or it moved a second time, all
// stays and the answer tells of it: by "5 % more" nobody means that again for what has been raised already.
func (x *Index) anew(done []Done) (left, moved []Done) {
	isMoved := func(d Done) bool { return d.Error != nil && d.Error.Code == bus.CodeChanged }
	last := -1
	for i, d := range done {
		if !isMoved(d) {
			continue
		}
		for j, o := range done {
			between := slices.ContainsFunc(done[min(i, j):max(i, j)], x.looks)
			if j != i && !x.looks(o) && (between && isMoved(o) || !isMoved(o) && (j < i || !between)) {
				return done, nil
			}
		}
		moved, last = append(moved, d), i
	}
	for i, d := range done {
		if !isMoved(d) && (i > last || !x.looks(d)) {
			left = append(left, d)
		}
	}
	return left, moved
}

// looks reports whether a call only looked something up.
func (x *Index) looks(d Done) bool {
	e := x.byName[d.Action.ToolName]
	return e != nil && e.Reads() && !e.IsAgent()
}

// whyAnew says why leave for a call of a tool is asked anew; "" when it is not.
func (r *round) whyAnew(tool string) string {
	for _, d := range r.in.moved {
		if d.Action.ToolName == tool {
			return words.Say(r.g.lang, "请再确认一次：在您同意之后又有了变动，所以还没有执行。", "Please agree once more: this has moved since you agreed, so nothing was done yet.")
		}
	}
	return ""
}
