package cards

import (
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
	"github.com/hmap-project/hmap/bus"
)

// maxDeeds is of how many allowed values of a parameter it is asked whether they name a change: thousands are a list of things.
const maxDeeds = 100

// verbsOf are the changes a tool makes: the verbs of its name and of its allowed values, and the first one of its
// description. Later verbs of a description tell conditions (催促派送一个已发货的订单).
func (e *Entry) verbsOf() map[string]bool {
	out := map[string]bool{}
	for v := range wishes.ChangeVerbs(e.Name) {
		out[v] = true
	}
	if e.IsAgent() {
		for v := range wishes.ChangeVerbs(e.Description + " " + strings.Join(e.Skills, " ")) {
			out[v] = true
		}
		return out
	}
	if v := wishes.FirstVerb(e.deeds()); v != "" {
		out[v] = true
	}
	if e.Effect != "" && e.Effect != bus.Read { // its tags are other names of what it does
		for v := range wishes.ChangeVerbs(strings.Join(e.Tags, ", ")) {
			out[v] = true
		}
	}
	for _, f := range e.Params {
		if f.Required {
			for _, value := range f.Enum[:min(len(f.Enum), maxDeeds)] {
				for v := range wishes.ChangeVerbs(value) {
					out[v] = true
				}
			}
		}
	}
	return out
}

// deeds are the verbs of change of the first sentence of the description, with their places. An English word is one where a verb stands: the stock exchange, and the time between two places, change nothing.
func (e *Entry) deeds() map[string]int {
	first := e.name("zh")
	out := wishes.ChangeVerbs(first)
	if e.Effect == "" && !words.HasHan(first) {
		maps.DeleteFunc(out, func(_ string, at int) bool {
			return e.looks || at > 0 && !beforeDeed.MatchString(first[:min(at, len(first))])
		})
	}
	return out
}

// beforeDeed stands before a verb in a description.
var beforeDeed = words.MustCompile(`(?i)(?:^|[,;:(/]|\b(?:to|and|or|then|that|which|can|will|you|tool|function|api|method|used for|for|by))\s*$`)

// orVerb: "Move or rename files" has two verbs for what it does.
var orVerb = words.MustCompile(`^(?:[\w ]{1,60}: )?([A-Za-z]+) (?:or|and) ([A-Za-z]+)\b`)

// imperative is the verb that a description in English begins with: "Move a patient", "Creates an issue".
var imperative = words.MustCompile(`^(?:This tool |Use this (?:tool )?to |Used to |Tool to |Allows you to )?([A-Za-z]{3,})s? (?:an?|the|one|some|this|these|all|text|data|files?|[a-z]+s)\b`)

// beginsHan is the verb that a description in Chinese begins with, 发送邮件, or that stands behind what it is done to: 把患者转到另一个病区.
var beginsHan = words.MustCompile(`^[把将][^，。]{1,12}?(\p{Han})[到入成给为至]|^(\p{Han}{2})`)

// BegunIn reports whether a text in Chinese has the verb that the description begins with, which may be no verb of change that we know, and a word of
// the card besides.
func (e *Entry) BegunIn(text string) bool {
	m := beginsHan.FindStringSubmatch(e.Description)
	return e.doesToThing(text) || m != nil && len(wishes.ChangeVerbs(m[1]+m[2])) == 0 && strings.Contains(text, m[1]+m[2]) && e.wordIn(text)
}

// wordIn reports whether a text has a word of the card.
func (e *Entry) wordIn(text string) bool {
	return slices.ContainsFunc(words.Content(text), func(w string) bool { return e.Vocab[w] })
}

// ownName is the name without that of the server that offers the tool.
func (e *Entry) ownName() string {
	if _, behind, ok := strings.Cut(e.Name, "__"); ok {
		return behind
	}
	return e.Name
}

// lookName is the name of a tool that begins with the verb of a look, and lookHan a description in Chinese that has one in its first words.
var (
	lookName = words.MustCompile(`(?i)^(?:get|list|search|find|read|fetch|show|look|query|describe|count|view|check|retrieve|browse)(?:[_\-. ]|$)|^(?:get|list|search|find|read|fetch|show|query|describe|count|view|check|retrieve)[A-Z]`)
	lookHan  = words.MustCompile(`^[^，。；]{0,16}?(?:查询|查找|查看|获取|搜索|检索|列出|返回|计算|规划)`)
)

// looking settles [Entry.Looks]: by the verb, or, in English, by there being none: "Balance of an account".
func (e *Entry) looking() bool {
	first := e.name("zh")
	if len(wishes.ChangeVerbs(e.ownName())) > 0 {
		return false
	}
	if words.HasHan(first) {
		return lookHan.MatchString(first) && len(wishes.ChangeVerbs(first)) == 0 && !slices.ContainsFunc(e.Params, func(f fields.Field) bool { return f.Title != "" })
	}
	name := strings.NewReplacer("_", " ", "-", " ", ".", " ").Replace(e.ownName())
	if lookName.MatchString(e.ownName()) {
		return !lookAnd.MatchString(name) && !lookAnd.MatchString(first)
	}
	return !words.HasHan(e.Description) && imperative.FindString(e.Description) == "" && len(e.deeds()) == 0 &&
		!deedNoun.MatchString(name) && !deedNoun.MatchString(words.Head(e.Description))
}

var (
	// lookAnd is a look that is none, or with which a deed goes: get rid of, fetch and purge.
	lookAnd = words.MustCompile(`(?i)^(?:get rid|check ?(?:out|in)|count down)\b|^\w+(?: \w+){0,2} (?:and|then|or) (?:` + strongDeeds + `)\b`)
	// deedNoun is a deed in a description without a verb we know: Deletion of an account, Wipes everything, Emergency stop.
	deedNoun = words.MustCompile(`(?i)\b(?:` + strongDeeds + `|(?:dele|comple|execu|prosecu)tion|(?:cancell|termin|activ|deactiv|transform|install|registr|reserv|confirm|publish|liquid)ation|(?:remov|approv|withdraw|dismiss|renew|dispos|dispatch)als?|erasure|closure|transmission|submission|shipment|payments?|refunds?|transfers?|bookings?|purchases?|orders?|checks? ?(?:out|in)|check(?:out|in)|suspension|ejection|rejection)\b`)
)

// strongDeeds are verbs of change, of which some are nouns as well.
const strongDeeds = `wip(?:e|es|ing)|purg(?:e|es|ing)|reboot(?:s|ing)?|restart(?:s|ing)?|shut(?:s|ting)? ?downs?|stop(?:s|ping)?|kill(?:s|ing)?|terminat(?:e|es|ing)|delet(?:e|es|ing)|remov(?:e|es|ing)|eras(?:e|es|ing)|destr(?:oy|oys|uction)|drop(?:s|ping)?|clear(?:s|ing)?|cancel(?:s|ling)?|reset(?:s|ting)?|flush(?:es|ing)?|format(?:s|ting)|pay(?:s|ing)?|send(?:s|ing)?|buy(?:s|ing)?|sell(?:s|ing)?|launch(?:es)?|fire[sd]?|launching|replac(?:e|es|ing)|overwrit(?:e|es|ing)|updat(?:e|es|ing)|lock(?:s|ing)?|unlock(?:s|ing)?`

// Looks reports whether a tool that is said to change something, or says nothing of it, is called by a look: servers of strangers seldom say
// that their tools change nothing. Whether a person must agree to a call is another matter, and the card's.
func (e *Entry) Looks() bool { return e.looks }

// sayVerbs are the verbs that the tool is called by where they are none that we know: the first word of its name, behind that of a server, and those that
// its description begins with.
func (e *Entry) sayVerbs() []string {
	name := words.Pieces(e.ownName())
	if len(name) == 0 || len(e.Verbs) > 0 && words.HasHan(e.Description) {
		return nil
	}
	verbs := []string{words.Stem(strings.ToLower(name[0].Text))}
	if m := imperative.FindStringSubmatch(e.Description); m != nil {
		verbs = append(verbs, words.Stem(strings.ToLower(m[1])))
	}
	if m := orVerb.FindStringSubmatch(e.Description); m != nil && words.Stem(strings.ToLower(m[1])) == verbs[0] {
		verbs = append(verbs, words.Stem(strings.ToLower(m[2])))
	}
	return verbs
}

// beforeWish stands before a verb that somebody wishes: please move it, and restart it; status of the pump wishes for no pump_shutdown.
var beforeWish = words.MustCompile(`(?i)(?:^|[^\p{Latin}\s]|\b(?:please|and|then|to|you|i|we|me|us|it|also|just|now|kindly|quickly|must|should|shall|will|would|can|could|let['’]?s|lets|go|help|or))\s*$`)

// SaidIn looks for the verb in a text as it stands.
func (e *Entry) SaidIn(text string) bool {
	known := len(e.Verbs) > 0
	if len(e.says) > 0 && slices.ContainsFunc(words.Pieces(text), func(p words.Piece) bool {
		return slices.Contains(e.says, words.Stem(strings.ToLower(p.Text))) && (p.Start == 0 || beforeWish.MatchString(text[:p.Start]))
	}) {
		return true
	}
	return slices.ContainsFunc(e.Tags, func(thing string) bool {
		return words.IsHan(words.FirstRune(thing)) && slices.ContainsFunc(e.Tags, func(tag string) bool {
			verb, ok := strings.CutSuffix(tag, thing)
			if n := utf8.RuneCountInString(verb); n == 1 { // a verb of one sign is one only with its thing
				return ok && doneTo(text, verb, thing)
			}
			return ok && verb != "" && (!known && strings.Contains(text, verb) || !words.HasHan(e.Description) && doneTo(text, verb, thing)) // of a card in English the verbs may be nouns: a shipping label
		})
	})
}
