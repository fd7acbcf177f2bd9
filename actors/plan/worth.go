package plan

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// sureOf counts the parameters that something said gives, not what merely remained.
func sureOf(bound map[string]binding) int {
	n := 0
	for _, b := range bound {
		if !b.weak && b.why != inOrderOf {
			n++
		}
	}
	return n
}

// shows is what it is worth, 0–1, that a tool tells much of a thing of which nothing is asked: a bare order number wants the whole order.
func (e *entry) shows(bound map[string]binding) float64 {
	if !e.reads() || len(e.missing(bound)) > 0 {
		return 0
	}
	n := 0.0
	var count func(fs []field)
	count = func(fs []field) {
		for i := range fs {
			n++
			count(fs[i].Fields)
		}
	}
	count(e.returns)
	return n / (n + 10)
}

// ofThing: what is asked of a thing that is named: 电话 of 订单 281063663568 的电话, phone of "phone of order 281063663568".
var (
	ofThingHan = regexp.MustCompile(`的(?:收货|客户|买家|联系)?(\p{Han}{2,4}?)(?:号码?)?(?:是|呢|有|都|各|多少|什么|[?？。！!]|$)`)
	ofThingEng = regexp.MustCompile(`(?i)\b(phone|address|receiver|note|discount|freight|invoice|waybill|carrier|city|account|price|amount|total|reason)s?(?: numbers?)?\s+(?:of|for)\b`)
)

// askedOf is the noun of what is asked of a thing; "" when it is none.
func askedOf(text string) string {
	for _, re := range []*regexp.Regexp{ofThingHan, ofThingEng} {
		if m := re.FindStringSubmatch(text); m != nil {
			return m[1]
		}
	}
	return ""
}

// boughtWhat asks which goods somebody bought.
var boughtWhat = regexp.MustCompile(`(?i)买(?:了|过|的)(?:些|都)?(?:是)?(?:什么|啥|哪些)|\b(?:what|which (?:products?|items?|goods))\s+(?:did|has|have|does)\b.{1,40}\b(?:buy|bought|purchased?)\b`)

// telling is what it is worth that a tool returns what is asked of a thing, and silent what it costs that it does not.
const (
	telling = 0.6
	silent  = 0.3
)

// answers is what it is worth that what a looking tool returns is called by a noun: to take a phone number is not to tell one.
func (e *entry) answers(noun string) float64 {
	if noun == "" || !e.reads() || e.IsAgent() {
		return 0
	}
	var tells func(fs []field) bool
	tells = func(fs []field) bool {
		return slices.ContainsFunc(fs, func(f field) bool {
			_, ok := lessNoun(f.label("zh"), noun)
			_, en := lessNoun(f.label("en"), noun)
			return ok || en || tells(f.Fields)
		})
	}
	return ifElse(tells(e.returns), telling, -silent)
}

// listing is what it is worth, for a wish to see which things there are of a kind, that a tool lists such things, each with its id, and tells the kind of each.
const listing = 1.2

// listsOf reports whether a tool lists things by a known value that it was given, and by nothing else.
func (e *entry) listsOf(bound map[string]binding) bool {
	return e.reads() && !e.IsAgent() && slices.ContainsFunc(e.lists(), func(l *field) bool {
		return l.hasIDs() && slices.ContainsFunc(l.Fields, func(c field) bool {
			b, ok := bound[c.Name]
			return ok && !b.weak && c.Sort != sortID && b.why != "enum"
		})
	})
}

// candidates are the cards nearest to a text, and in a small house all others behind them.
func (x *Index) candidates(text string) []ranked {
	found := x.rank(text)
	if len(x.entries) > smallHouse {
		return found[:min(len(found), considered)]
	}
	seen := map[*entry]bool{}
	for _, r := range found {
		seen[r.e] = true
	}
	for _, e := range x.entries {
		if !seen[e] {
			found = append(found, ranked{e: e})
		}
	}
	return found
}

// goesBy reports whether the text holds a word that is a tag of the card by itself: sales is what one of them does, after-sales is not. Or a
// whole tag of several words or three signs, such as 快没了, which may hold no word that would tell.
func (e *entry) goesBy(text string) bool {
	said, low := content(text), strings.ToLower(text)
	return slices.ContainsFunc(e.Tags, func(tag string) bool {
		if utf8.RuneCountInString(tag) >= minHeard && (isHan(firstRune(tag)) || strings.Contains(tag, " ")) && holds(low, strings.ToLower(tag)) {
			return true
		}
		ws := content(tag)
		return len(ws) == 1 && len(pieces(tag)) == 1 && slices.Contains(said, ws[0])
	})
}

// sayingThat: words that bring in what is said.
var sayingThat = regexp.MustCompile(`(?i)[说讲给]|\b(?:saying|says?|telling|that)\b`)

// strange reports whether a tool knows nothing of what a change shall be made to: "write a poem" is nothing for one that writes to buyers.
func (x *Index) strange(about string, e *entry, bound map[string]binding) bool {
	rest := sayingThat.ReplaceAllString(withoutVerbs(about), " ")
	return len(content(rest)) > 0 && x.fitWith(rest, e, bound) == 0
}

// chosen is what it is worth that the text names an allowed value of the tool outright, by a word that few cards speak of.
func (x *Index) chosen(e *entry, bound map[string]binding, text string) float64 {
	text = strings.ToLower(text)
	for name, b := range bound {
		v, ok := b.value.(string)
		if !ok || b.why != "enum" || b.sure < 0.9 {
			continue
		}
		word := strings.ReplaceAll(v, "_", " ")
		if called := longest(e.param(name).Called[v], text); called != "" {
			word = called
		}
		if slices.ContainsFunc(content(word), func(w string) bool { return x.heard[w] <= rare }) {
			return sharing / 2
		}
	}
	return 0
}

// rare is in how many cards a word may stand and still tell them apart.
const rare = 3

// several: words that ask for all things of a kind, of which none is named.
var several = regexp.MustCompile(`(?i)哪些|有哪|哪几|有没有|列出|列一下|所有|全部|多少|几[个单笔件]|\b(?:which|list|any|all|how many)\b`)

// lacking is what it costs that a tool cannot be called as things stand. One that needs the id of a single thing does not serve a
// question for many of them.
func (x *Index) lacking(e *entry, bound map[string]binding, many bool) float64 {
	sum := 0.0
	for _, f := range e.missing(bound) {
		if e.knowledge() {
			continue
		}
		sum += ifElse(many && e.reads() && f.Sort == sortID, 0.6, 0.1)
	}
	return sum
}
