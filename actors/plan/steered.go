package plan

import (
	"slices"
	"strings"
	"time"

	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
	"github.com/hmap-project/hmap/bus"
)

// heeds reports whether words that a person says while a task is under way can change it here: a wish, a refusal, a fact, or a word that some tool knows. Others, such
// as "hurry up", would only make another request of it, whose calls are made once more and bring the same.
func (x *Index) heeds(said string, now time.Time) bool {
	if takesAway.MatchString(said) || wishes.RefusalHan.MatchString(said) || wishes.RefusalEng.MatchString(said) || x.addsWish(said) {
		return true
	}
	tools := x
	if x.behind != nil {
		tools = x.behind.index
	}
	return len(tools.facts(said, now)) > 0 || slices.ContainsFunc(words.Content(aLittle.Replace(said)), func(w string) bool { return tools.trade[w] || x.trade[w] || len(tools.lexicon[w]) > 0 })
}

// addsWish reports whether words wish for something, as against telling how.
func (x *Index) addsWish(said string) bool {
	return (wishes.Splitter{Verbs: x.verbs, Topics: x.trade}).Begins(said) && !wishes.QuestionEng.MatchString(said)
}

// takesAway are words that take something away from a request, or put another thing in its place: to leave them out would be worse than to do it again.
var takesAway = words.MustCompile(`(?i)只|仅|不要|除了|换成|改成|\b(?:only|just|without|except|instead|rather|not)\b`)

// aLittle are words that soften a wish, and name nothing.
var aLittle = strings.NewReplacer("一点", " ", "一下", " ")

// calledOff is all that somebody says who wants nothing more to be done, or nothing yet.
var calledOff = words.MustCompile(`(?i)^(?:(?:请|麻烦|那就?|还是|先|快|赶紧|都|全部?|我|你|就|now|please|just|oh|no|sorry|ok(?:ay)?|actually|well)[\s,，、!！]*)*` +
	`(?:停(?:下来?|止|住|一?下|手)?|打住|暂停|别(?:做|弄|动|搞|干|继续|执行)?|不(?:用|要|必|需要|做|弄|搞|干|继续|执行)(?:做|弄|搞|干|继续|执行|管)?|算|作罢|取消(?:任务|这个任务|吧)?|够|等等|等一?[下会]|等会儿?|慢着|且慢|` +
	`stop(?: (?:it|that|everything|now|working|there))?|cancel(?: (?:it|that|this|everything|the task))?|abort(?: (?:it|that))?|halt|never ?mind|nvm|forget (?:it|about it|that)|drop it|leave (?:it|that)(?: (?:be|alone))?|hold on|hang on|wait(?: a (?:moment|minute|second))?|not (?:now|yet)|enough|that(?:['’]s| is) enough|don['’]?t(?: do (?:it|that|anything))?|do not(?: do (?:it|that|anything))?)` +
	`(?:[\s,，。.、!！~～…了吧啊呀哦啦]|please|now|then|thanks|thank you|谢谢|先|这样)*$`)

// stopped is the end of a task that somebody called off while it was under way; false when nobody has. What was done stays done, and is told.
func (r *round) stopped() (Outcome, bool) {
	said := r.in.Steering
	if len(said) == 0 || !calledOff.MatchString(strings.TrimSpace(said[len(said)-1])) {
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
	if len(done) > 0 {
		text += words.Say(r.g.lang, "在这之前已经做完：", " Done before that:") + "\n\n" + strings.Join(done, "\n")
	}
	return Outcome{Thought: words.Short(text, maxThought), Answer: text}, true
}

// notHeeded says which of a person's words were not used; "" when all were.
func (r *round) notHeeded() string {
	if len(r.g.unheard) == 0 {
		return ""
	}
	var said []string
	for _, s := range r.g.unheard {
		said = append(said, words.Say(r.g.lang, "「%s」", "“%s”", words.Short(strings.Join(strings.Fields(s), " "), 60)))
	}
	how := words.Say(r.g.lang, "要按它来，请在这个会话里把完整的要求再说一遍", "to have it, please say the whole request again in this session")
	if facts.SourceText.MatchString(r.g.text) && (len(r.targets) < 2 || slices.ContainsFunc(r.g.unheard, reckonsOn.MatchString)) {
		how = words.Say(r.g.lang, "代码做什么都写在代码里：请把改好的代码再发来运行", "what code does is in the code: please send the changed code to be run")
	}
	return words.Say(r.g.lang, "\n\n（您中途说的%s没有用上，还是照原来的要求做的；%s。）", "\n\n(What you said meanwhile, %s, was not used: the request was carried out as it was; %s.)",
		strings.Join(said, words.Say(r.g.lang, "、", ", ")), how)
}
