package plan

import (
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
	"github.com/hmap-project/hmap/bus"
)

// maxTries is how often a call that failed for a passing reason is made again.
const maxTries = 2

// barred are the tools that failed for good in this task, with the reason: another path is looked for. A change has no other
// path: that it was refused or failed is told, and nothing is changed in its place.
func (r *round) barred() map[string]string {
	out := map[string]string{}
	tries := map[string]int{}
	for _, d := range r.in.Done {
		if e := r.x.byName[d.Action.ToolName]; d.Status != bus.Failed || e != nil && !e.Reads() {
			continue
		}
		k := key(d.Action)
		tries[k]++
		if d.Error == nil || !d.Error.Retryable || tries[k] >= maxTries {
			out[d.Action.ToolName] = words.Say(r.g.lang, "在本任务中失败了：", "failed in this task: ") + reason(d)
			if d.Error != nil && d.Error.Code == bus.CodeForbidden && !refused(d) { // says nothing about how well it would have served
				out[d.Action.ToolName] = words.Say(r.g.lang, notAllowedHan, notAllowed) + reason(d)
			}
		}
	}
	return out
}

// notAllowed begins the reason why a tool is passed over that may not be called from here; notAllowedHan in Chinese.
const (
	notAllowed    = "not allowed in this task: "
	notAllowedHan = "本任务中不能使用："
)

// tries is how often a call was made.
func (r *round) tries(a bus.Action) int {
	n := 0
	for _, d := range r.in.Done {
		if key(d.Action) == key(a) {
			n++
		}
	}
	return n
}

// maxReason is how much of the reason of a failure is told, in runes: what it advises stands at its end.
const maxReason = 1000

// reason is why a call failed, without the names that the ways of a program put before it.
func reason(d Done) string {
	if d.Error == nil {
		return string(d.Status)
	}
	text := strings.TrimSpace(d.Error.Message)
	for {
		rest := wrapped.ReplaceAllString(text, "")
		if rest == text || strings.TrimSpace(rest) == "" {
			return closed(words.Short(text, maxReason))
		}
		text = rest
	}
}

// refusedWith are the calls of the tool of a refused one to which the user did not agree, itself among them; nil when it was not refused.
func refusedWith(d Done, calls []Done) (out []Done) {
	if !refused(d) {
		return nil
	}
	for _, o := range calls {
		if o.Action.ToolName == d.Action.ToolName && refused(o) {
			out = append(out, o)
		}
	}
	return out
}

// refusals says of calls of one tool that they were not made, and which, if others were.
func (r *round) refusals(no, calls []Done) string {
	what := r.deedOf(no[0].Action)
	if t := r.behind(no[0]); t != nil && strip(t.clause.Text) != "" {
		what = strip(t.clause.Text)
	}
	n, made := 0, 0
	var which []string
	for _, d := range calls {
		if d.Action.ToolName == no[0].Action.ToolName {
			n++
			made += words.Either(d.Status == bus.OK, 1, 0)
		}
	}
	if n == len(no) {
		return words.Say(r.g.lang, "好的，没有执行：%s（共 %d 项）。", "All right, not done: %s (%d in all).", what, n)
	}
	for _, d := range no {
		which = append(which, r.among(d, calls))
	}
	return words.Say(r.g.lang, "%[1]s：共 %[2]d 项，做了 %[3]d 项；没有执行的 %[4]d 项是您没有同意的：%[5]s。", "%[1]s: of %[2]d, %[3]d done; not done, as you did not agree to it: %[5]s.",
		r.deedOf(no[0].Action), n, made, len(no), strings.Join(which, words.Say(r.g.lang, "；", "; ")))
}

// deedOf is a short name of what a call does in the language of the person: what its card says up to the first conditions.
func (r *round) deedOf(a bus.Action) string {
	if a.JobDesc != "" {
		return r.title(a)
	}
	text := r.title(a)
	if e := r.x.byName[a.ToolName]; e != nil {
		text = e.Called(r.g.lang)
	}
	for _, m := range beyondDeed.FindAllStringIndex(text, -1) {
		if before := text[:m[0]]; len([]rune(before)) > 4 && (words.IsHan(words.FirstRune(before)) || strings.Count(before, " ") > 1) {
			return before
		}
	}
	return strings.TrimRight(text, "…")
}

// beyondDeed ends the words for a deed on a card.
var beyondDeed = words.MustCompile(`[，,；;：:…]`)

// closed is a text whose last block of code has an end, if that was cut away: what follows is no code.
func closed(text string) string {
	if open := fences.FindAllString(text, -1); len(open)%2 == 1 {
		return text + "\n" + strings.TrimSpace(open[len(open)-1])
	}
	return text
}

var fences = words.MustCompile("(?m)^`{3,}")

// wrapped is the name of a tool or the code of an error before a message: snake_case and a colon.
var wrapped = words.MustCompile(`^(?:[a-z][a-z0-9]*(?:_[a-z0-9]+)+|forbidden|unavailable|timeout|busy|internal|cancelled|expired|[a-z][a-z0-9_]* failed)\s*[:：]\s*`)

// complete reports whether a text stands as a sentence of its own.
var complete = words.MustCompile(`[。！？.!?][」”"）)]?$`)

// refused reports whether the user did not agree to a call.
func refused(d Done) bool {
	return d.Status == bus.Failed && d.Error != nil && d.Error.Code == bus.CodeForbidden && byPerson.MatchString(d.Error.Message)
}

// byPerson: how the round words that a person said no, as against a rule that forbids a call.
var byPerson = words.MustCompile(`(?i)^(?:用户没有同意|the user did not agree)`)

// failure says in one sentence that a call was not made or did not succeed.
func (r *round) failure(d Done) string {
	lang := r.g.lang
	if refused(d) {
		return words.Say(lang, "好的，没有执行：%s。", "All right, not done: %s.", r.deed(d))
	}
	if text := r.notHere(d); text != "" {
		return text
	}
	text := reason(d)
	if complete.MatchString(text) {
		return text
	}
	return words.Say(lang, "没能完成：%s。", "This could not be done: %s.", text)
}

// missed is an answer of [round.failure] or of [Index.cannot]: that nothing came of the request.
var missed = words.MustCompile(`^(?:没能完成：|This could not be done: |抱歉，我没有能处理「|Sorry, I have no tool for “)`)

// Missed reports whether an answer says that nothing came of the request.
func Missed(answer string) bool { return missed.MatchString(answer) }

// besides answers what a person said together with a no, of which nothing was done, once for all the calls that it was a no to; "" when a no was all.
func (r *round) besides(calls []Done) string {
	var out []string
	for _, d := range calls {
		if !refused(d) {
			continue
		}
		line := ""
		if more := besidesNo(d.Error.Message); more != "" {
			line = words.Say(r.g.lang, "您另外说的「%s」也还没有做，请单独再说一次。", "Nor is what you said besides, “%s”; please ask for it once more by itself.", words.Short(more, 60))
		} else if m := inWords.FindStringSubmatch(d.Error.Message); m != nil && !mereNo.MatchString(m[1]) && !SmallTalk(m[1]) {
			line = words.Say(r.g.lang, "您说：「%s」。如果要另外做什么，请单独再说一次。", "You said: “%s”. If something else shall be done, please ask for it by itself.", words.Short(strip(m[1]), 200))
		}
		if line != "" && !slices.Contains(out, line) {
			out = append(out, line)
		}
	}
	return strings.Join(out, "\n\n")
}

// inWords is how the round tells a no in the user's own words, its group; that of noAndMore is what follows the first part of them.
var (
	inWords   = words.MustCompile(`(?s)(?:并说：|and said: )(.+)$`)
	noAndMore = words.MustCompile(`(?:并说：|and said: )[^，,。.;；！!\n]*[，,。.;；！!\n]\s*(.+)$`)
	// mereNo are words that say no and nothing more.
	mereNo = words.MustCompile(`(?i)^(?:n|no+|nope|nah|never|stop|refused?|reject(?:ed)?|deny|denied|(?:please )?(?:do not|don['’]?t)|先?不+(?:要|行|用|好|必|同意|可以|批准|允许|需要|做)?|先?别|否|拒绝|算)(?:[了吧啊呢的\s，,。.!！~]|thanks?|thank you|please|do it|谢谢|多谢)*$`)
)

// besidesNo is the wish that a user spoke together with a no; "" when there is none.
func besidesNo(told string) string {
	m := noAndMore.FindStringSubmatch(told)
	if m == nil || SmallTalk(m[1]) || !(wishes.Splitter{}).Wants(m[1]) {
		return ""
	}
	return strip(m[1])
}

// deed words a call as the user asked for it: the clause behind it, or, when that means other calls too, what the tool is called with what
// sets this one apart.
func (r *round) deed(d Done) string {
	a := d.Action
	if apart := r.among(d, r.latest()); apart != "" {
		return r.deedOf(a) + words.Say(r.g.lang, "（%s）", " (%s)", apart)
	}
	for _, t := range r.targets {
		if t.e.Name == a.ToolName && strip(t.clause.Text) != "" {
			return strip(t.clause.Text)
		}
	}
	return strip(r.deedOf(a))
}
