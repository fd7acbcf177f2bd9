package plan

import (
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/words"
	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/bus/consent"
)

// calledOff reports whether a text is all that somebody says who wants nothing more to be done, or nothing yet.
func calledOff(said string) bool { return consent.GivesUp(said) || consent.HoldsOn(said) }

// Dropped reports whether an answer to a question gives up what the question was put for, and is no value that it wants: not where it is one of the values offered,
// nor a mere no to what may be answered so. Who only wants time is still asked.
func Dropped(text string, a bus.Ask) bool {
	if a.Kind == bus.Approval || slices.ContainsFunc(a.Options, func(o string) bool { return words.Holds(text, o) || words.Holds(o, text) }) {
		return false
	}
	if consent.GivesUp(text) || consent.TakesBack(text) && !freeText.MatchString(a.Parameter) {
		return true
	}
	return mereNo.MatchString(text) && len(a.Options) == 0 && idNamed.MatchString(a.Parameter)
}

// stopped is the end of a task that somebody called off while it was under way, or in the place of an answer to a question of it; false when nobody has. What was done
// stays done, and is told.
func (r *round) stopped() (Outcome, bool) {
	said, off := r.in.Steering, slices.IndexFunc(r.in.Answers, func(a Answer) bool { return Dropped(a.Text, a.Ask) })
	dropped := off >= 0
	switch {
	case dropped:
		r.g.lang = Language(r.in.Answers[off].Text) // who changes the language is answered in it
	case len(said) > 0 && calledOff(said[len(said)-1]):
		r.g.lang = Language(said[len(said)-1])
	default:
		return Outcome{}, false
	}
	r.g.unheard = nil
	text := words.Say(r.g.lang, "好的，停下了，后面的都没有做。", "All right, stopped: nothing more is done.")
	var done []string
	for _, d := range r.latest() {
		if e := r.x.byName[d.Action.ToolName]; d.Status == bus.OK && (e == nil || e.Effect != bus.Read) {
			done = append(done, "- "+r.title(d.Action))
		}
	}
	switch {
	case len(done) > 0:
		text += words.Say(r.g.lang, "在这之前已经做完：", " Done before that:") + "\n\n" + strings.Join(done, "\n")
	case dropped:
		text = words.Say(r.g.lang, "好的，不做了：「%s」没有执行，什么也没有改。", "All right, it is dropped: “%s” was not carried out, and nothing was changed.", words.Short(firstLine(r.in.Request), maxNamed))
	}
	return Outcome{Thought: words.Short(text, maxThought), Answer: text}, true
}

// firstLine is a text up to the end of its first line.
func firstLine(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(s), "\n")
	return s
}
