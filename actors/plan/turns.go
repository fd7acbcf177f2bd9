package plan

import (
	"maps"
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
	"github.com/hmap-project/hmap/bus"
)

// What a later turn leaves out, and the turn before it says: a short answer to a question, a bare fact, one changed condition.

// earlier is an earlier turn as it was understood.
type earlier struct {
	Turn                    // its request completed by those before it
	given map[string]string // what was said in it and before to questions that it goes on with
	lists []list            // that its answer showed
	nouns []string          // of their headings, each once
	base  string            // the request before it, when it only put a fact to that; "" when it stood alone
}

// root is the request to which a fact may be put. A second one takes the place of the first, so that a conversation of fragments stays as
// short as one request.
func (e earlier) root() string {
	if e.base != "" {
		return e.base
	}
	return e.Request
}

// closed reports whether the turn was refused, or waits for leave: nothing later brings back what it would have done.
func (e earlier) closed() bool { return e.Refused || e.Ask != nil && e.Ask.Kind == bus.Approval }

// maxPointing is how long an earlier request may be, in bytes, that is read by what was said before it: a longer one stands alone.
const maxPointing = 1000

// before reads the earlier turns, each by those before it.
func (x *Index) before(g *goal, turns []Turn) []earlier {
	var out []earlier
	for _, t := range turns {
		then := goal{given: map[string]string{}, lang: g.lang, now: g.now}
		fresh := 0
		if t.Request = readable(strings.TrimSpace(words.Clip(t.Request, words.MaxText)), x.inFull); len(t.Request) <= maxPointing {
			t.Request, fresh, _ = x.complete(&then, t.Request, out)
		}
		if then.told != "" {
			continue
		}
		e := earlier{Turn: t, given: then.given}
		if n := len(out); n > 0 && fresh > 0 {
			e.base = out[n-1].root()
			for _, o := range slices.Backward(out) { // what came to nothing in between was passed over
				if strings.HasPrefix(t.Request, strings.TrimRight(o.root(), "?？。. ")) {
					e.base = o.root()
					break
				}
			}
		} else if n > 0 && strings.HasPrefix(t.Request, out[n-1].base) {
			e.base = out[n-1].base
		}
		out = append(out, remember(e))
	}
	return out
}

// complete adds to a request that cannot stand alone what the earlier turns said: a short answer to a question left open, or
// a bare fact such as 我这个是京东小店的, bring the earlier goal back; a place in a list and a pronoun, what they stand for.
func (x *Index) complete(g *goal, text string, history []earlier) (full string, fresh int, how string) {
	if full, fresh, how = x.completed(g, text, history); full == text && how == "" && g.lost == nil && g.told == "" && !g.job { // it would be of the whole shop
		if g.told = x.notOfIt(g, text, standing(history), history); g.told == "" {
			g.wider = x.leftOut(g, text, standing(history), history)
		}
	}
	return full, fresh, how
}

func (x *Index) completed(g *goal, text string, history []earlier) (full string, fresh int, how string) {
	var last earlier
	if n := len(history); n > 0 {
		last = history[n-1]
	}
	if text == "" || SmallTalk(text) && last.Ask == nil {
		return text, 0, ""
	}
	if !g.job && (last.Ask == nil || last.Ask.Kind != bus.Approval) && !last.closed() {
		full, rest := x.corrected(g, text, history)
		if full != "" {
			return full, 0, words.Say(g.lang, "接着前面的问题：%s", "Going on with an earlier question: %s", words.Short(full, 80))
		}
		text = words.Either(rest == "", text, rest)
	}
	if last.Ask != nil && !last.closed() && !Stands(text, *last.Ask) && answers(text, last.Ask.Options) {
		g.take(last)
		if p := last.Ask.Parameter; p != "" {
			if text, ok := reply(*last.Ask, bare(text), nil); ok {
				g.given[p] = text
			}
			full, how = x.refer(g, last.Request, history[:len(history)-1]) // a place in a list that had to be asked for
			if how == "" && g.lost == nil {
				full, _ = x.point(g, full, history[:len(history)-1])
			}
			return full, 0, words.Say(g.lang, "用户回答了上一轮的追问：%s", "The user answers the earlier question: %s", words.Short(bare(text), 40))
		}
		return join(last.Request, bare(text), g.lang), len(last.Request), words.Say(g.lang, "接着上一轮的问题", "Going on with the earlier question")
	}
	if !g.job && ofThoseShown(text) {
		return text, 0, ""
	}
	if full := wholeList(text, history); full != "" {
		return full, 0, words.Say(g.lang, "上一轮的列表没有列全，这次全部列出", "The list before was cut; this time all of it")
	}
	if base := standing(history); !g.job {
		if g.told = x.heldRows(g, text, history); g.told != "" {
			return text, 0, ""
		}
		full := x.goesWith(g, text, base)
		if full == "" {
			full = x.elliptic(g, text, base, history)
		}
		if full == "" {
			full = x.carried(g, text, base)
		}
		if full == "" {
			full = x.further(g, text, base, history)
		}
		if full != "" {
			return full, 0, words.Say(g.lang, "接着上一轮的问题：%s", "Going on with the earlier question: %s", words.Short(full, 80))
		}
		if ofCampaigns.MatchString(base) {
			if g.told = x.notOfIt(g, text, base, history); g.told != "" {
				return text, 0, ""
			}
		}
		if ofRule.MatchString(text) {
			topic := base
			if was := strings.TrimRight(last.base, words.EndMarks+"?？"); was != "" && ofRule.MatchString(strings.TrimSpace(strings.TrimPrefix(base, was))) { // of the rule, not of what was asked of it
				topic = was
			}
			if full, fresh := x.ofTopic(g, topic, strings.TrimRight(text, "?？。.! ")); full != "" {
				return full, fresh, words.Say(g.lang, "接着上一轮的话题，问「%s」", "Of the subject before: “%s”", words.Short(text, 40))
			}
		}
		if full, fresh := x.ofPassage(g, text, base, last); full != "" {
			return full, fresh, words.Say(g.lang, "接着上一轮的话题，问「%s」", "Of the subject before: “%s”", words.Short(text, 40))
		}
		if full = amended(text, history); full != "" {
			return full, 0, words.Say(g.lang, "刚才没有同意的，换成：%s", "What was refused, now as: %s", words.Short(full, 80))
		}
	}
	if full := x.eachThing(text, g, history); full != "" && !g.job {
		return full, 0, words.Say(g.lang, "上一轮列出的：%s", "Those listed before: %s", words.Short(full, 80))
	}
	if full := x.filledIn(g, text, history); full != "" && !g.job {
		return full, 0, words.Say(g.lang, "接着上一轮说的：%s", "Of what was spoken of before: %s", words.Short(full, 80))
	}
	text, how = x.refer(g, text, history)
	if how == "" && g.lost == nil {
		if full, how := x.among(g, text, history); full != "" {
			return full, 0, how
		}
		text, how = x.point(g, text, history)
	}
	if last.Request == "" || g.job || g.lost != nil || SmallTalk(last.Request) || last.closed() || (how != "" || words.LongNumber.MatchString(text)) && x.saysMore(text, g) {
		return text, 0, how
	}
	if groupsAnew.MatchString(text) { // of what came to something
		if full := regroup(comparedTail.ReplaceAllString(standing(history), ""), text); full != "" {
			return full, 0, words.Say(g.lang, "接着上一轮的问题，换成「%s」", "The earlier question once more, for “%s”", words.Short(text, 40))
		}
	}
	if full := x.oneMore(g, standing(history), text); full != "" {
		return full, 0, words.Say(g.lang, "接着上一轮的问题，加上「%s」", "The earlier question once more, also for “%s”", words.Short(text, 40))
	}
	if before := x.beforeNothing(g, last, bare(text), history); before.Request != "" {
		last = before
	}
	fact, part := bare(text), x.fragment(text) && !befell.MatchString(text) && !x.turnsAway(g, text, last) && !ofOneFile(text) && !x.ofItsOwn(g, text, last)
	if part && missed.MatchString(last.Answer) && !insteadOf.MatchString(text) && x.saysMore(text, g) { // what failed is mended by a fact, and not by another wish
		return text, 0, how
	}
	if who := x.possessor(fact, g); part && who != "" {
		fact = who
	}
	only := onlyOnes.FindStringSubmatch(fact)
	if only != nil {
		fact = only[1]
	}
	if m := onlyNamed.FindStringSubmatch(text); m != nil && !part {
		fact = m[1]
		part = x.possessor(fact+"的", g) != "" // 上海呢 is 那上海呢
	} else if !part {
		return text, 0, how
	}
	anew := x.answeredAnew(g, last, text, fact)
	given := maps.Clone(g.given)
	if full = anew; full == "" {
		full = x.instead(g, last.Request, fact)
	}
	if i := thingsNamed.FindStringIndex(last.Request); full == "" && only != nil && i != nil { // only the rejected ones, of refunds
		full = last.Request[:i[0]] + fact + " " + last.Request[i[0]:]
	}
	if full == "" {
		said := fact
		if words.Language(fact) == "zh" && wishes.QuestionHan.MatchString(text) && !wishes.QuestionHan.MatchString(fact) { // 退款 alone may be a change
			said += "呢"
		}
		wish, alone := x.another(g, last.Request, said)
		if alone && part && !insteadOf.MatchString(text) && !onlyNamed.MatchString(text) {
			return text, 0, how
		}
		if wish != "" {
			return wish, 0, words.Say(g.lang, "接着上一轮说的，问「%s」", "Of what was spoken of before: “%s”", words.Short(wish, 60))
		}
	}
	if full == "" && (!part || !insteadOf.MatchString(text) && !onlyNamed.MatchString(text) && x.saysMore(text, g) && x.otherDays(last.Request, text, g)) {
		return text, 0, how
	}
	if g.told = x.noSuchName(g, text, fact, last.Request); full == "" && g.told != "" {
		return text, 0, ""
	}
	g.take(last)
	if anew != "" {
		maps.Copy(g.given, given)
	}
	if full != "" {
		return full, 0, words.Say(g.lang, "接着上一轮的问题，换成「%s」", "The earlier question once more, for “%s”", words.Short(fact, 40))
	}
	if full, fresh := x.ofTopic(g, last.root(), fact); full != "" && (insteadOf.MatchString(text) || onlyNamed.MatchString(text)) { // what only tells of who asks leaves the question
		return full, fresh, words.Say(g.lang, "接着上一轮的话题，问「%s」", "Of the subject before: “%s”", words.Short(fact, 40))
	}
	return join(last.root(), fact, g.lang), len(last.root()), words.Say(g.lang, "接着上一轮的问题，补充「%s」", "Going on with the earlier question, now for “%s”", words.Short(fact, 40))
}

// befell tells what has happened to who speaks, and narrows no list: I lost my laptop, 我的电脑丢了.
var befell = words.MustCompile(`(?i)^(?:i|we|my \w+|our \w+|somebody|someone)\b.{0,20}\b(?:lost|broken?|forgot(?:ten)?|stolen|stole|damaged|sick|ill|injured|pregnant|locked out|resign(?:ed|ing)?|quit(?:ting)?|married)\b|^我(?:们)?(?:的|家|刚|想|要)?[^，。,.？?]{0,8}?(?:丢了|弄丢|坏了|摔了|没了|忘了|忘记|病了|生病|怀孕|被偷|受伤|要?离职|要?辞职|结婚)`)

// take makes what was said in an earlier turn part of this one, which goes on with it.
func (g *goal) take(p earlier) {
	for k, v := range p.given {
		g.given[k] = v
	}
}

func join(base, fact, lang string) string {
	base = strings.TrimRight(base, "?？。. ")
	if lang == "zh" {
		return base + "，" + fact
	}
	return base + ", " + fact
}

var (
	insteadOf = words.MustCompile(`(?i)^(?:那么?|换成|换|改成|如果是|要是|假如是|(?:and|so|then|but),? (?:what|how) about|and|what about|how about|(?:(?:and|do|now) )*the same (?:again |thing )?(?:for|with|of)|what if it(?: is|'s))\s*(.{1,40}?)\s*(?:的话)?(?:呢|怎么样|如何|行吗)?\s*[?？]*$`)
	bareFact  = words.MustCompile(`(?i)^(?:(?:我|我们|咱们?|俺)(?:这个|这边|这里|这家|这|家|的)?(?:店铺|店)?(?:是|属于|就是|卖的?是?|做的?是?|要|想要|开的是)?|(?:这个|那个|这家店?|店铺|它|主体|类型|类目)?(?:是|属于)|(?:it is|it's|this is|mine is|i am|i'm|i have|i sell|we are|we sell|for|in)\s+(?:an?\s+)?)(.{1,60}?)(?:类目|类型)?的?\s*(?:哦|呢|吧|啊|呀)?[。.!！]*$`)
)

// aMonth is all that a turn names: and August?
var aMonth = words.MustCompile(`(?i)^(?:(?:and|so|then|now|ok|what about|how about),? )+((?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b(?: \d{4})?)[?.! ]*$`)

// onlyNamed: 电饭煲呢.
var onlyNamed = words.MustCompile(`^([^，。,？?！!；;]{1,24}?)(?:的)?呢\s*[?？]?$`)

// ofOne: 李建国的, Bob Miller's.
var ofOne = words.MustCompile(`^(\S(?:[^，。,？?！!；;]{0,40}\S)?)(?:的|['’]s)$`)

// possessor is who or what a text names whose it only says to be; "" when it says anything else.
func (x *Index) possessor(text string, g *goal) string {
	m := ofOne.FindStringSubmatch(text)
	if m == nil {
		return ""
	}
	fs := x.facts(m[1], g.now)
	if len(fs) != 1 || !swaps[fs[0].Kind] || fs[0].Text != m[1] && (fs[0].Kind != facts.Place || fs[0].Text+"市" != m[1]) {
		return ""
	}
	return m[1]
}

// fragment reports whether the text only changes or adds a fact: "那李四呢", "我这个是京东小店的", "last month".
func (x *Index) fragment(text string) bool {
	if len([]rune(text)) > 60 {
		return false
	}
	if m := insteadOf.FindStringSubmatch(text); m != nil && len([]rune(words.LongNumber.ReplaceAllString(m[1], "#"))) <= 24 { // an id may be long
		return true
	}
	if wishes.Adjusting.MatchString(text) { // a change of its own, by how much is said
		return false
	}
	p := wishes.Splitter{Verbs: x.verbs, Topics: x.trade}
	for _, part := range words.SoftBreak.Split(text, -1) {
		if p.Begins(part) {
			return false
		}
	}
	return !p.Wants(text) && len([]rune(text)) <= 40
}

// otherDays reports whether a text names days where the request before it named others: put behind that one, one of the two would go unheard.
func (x *Index) otherDays(before, text string, g *goal) bool {
	was, now := datesOf(x.facts(before, g.now)), datesOf(x.facts(text, g.now))
	return len(was) > 0 && len(now) > 0 && was[0].Value != now[0].Value
}

// saysMore reports whether a text in which it is settled what is spoken of says something about that: 订单 281065253769 的物流, not 订单 281065253769 呢.
func (x *Index) saysMore(text string, g *goal) bool {
	rest := bare(text)
	for _, f := range x.facts(rest, g.now) {
		rest = strings.Replace(rest, f.Text, " ", 1)
		if noun := x.idNoun(f.Text, g.lang); noun != "" {
			rest = strings.Replace(rest, noun, " ", 1)
		}
	}
	return len(words.Content(strings.NewReplacer("呢", " ", "'s", " ").Replace(rest))) > 0
}

// answers reports whether the text answers an open question rather than asking something new.
func answers(text string, options []string) bool {
	for _, o := range options {
		if strings.Contains(text, o) {
			return true
		}
	}
	return len([]rune(text)) <= 60 && (!wishes.Splitter{}.Wants(text) || insteadOf.MatchString(text))
}

// bare takes the words around a fact off: 我这个是京东小店的 → 京东小店.
func bare(text string) string {
	text = strings.TrimSpace(text)
	if m := aMonth.FindStringSubmatch(text); m != nil { // alone it may be a name
		return "in " + m[1]
	}
	for _, re := range []*words.Pattern{insteadOf, bareFact} {
		if m := re.FindStringSubmatch(text); m != nil {
			return strings.TrimSuffix(strings.TrimSpace(m[1]), "的")
		}
	}
	return strings.TrimRight(text, "。.!！?？ ")
}

// replaced drops the facts before fresh whose kind occurs again after it.
func replaced(fs []facts.Fact, fresh int) []facts.Fact {
	newer := map[facts.Kind]bool{}
	for _, f := range fs {
		if f.Start >= fresh {
			newer[f.Kind] = true
		}
	}
	var out []facts.Fact
	for _, f := range fs {
		if f.Start >= fresh || !newer[f.Kind] {
			out = append(out, f)
		}
	}
	return out
}
