package cards

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
	"github.com/hmap-project/hmap/bus"
)

// Act is a way of using data beyond looking it up: to say what would be wise, or what will be. A tool of such an act serves requests
// for it and no others: what a thing costs is not what it should cost.
type Act int

const (
	// ActAdvise and ActForesee are those acts.
	ActAdvise Act = iota
	ActForesee
	Acts // how many there are
)

// madeFor are the words by which a card says that it is made for an act, plan.askedBy those by which a request asks for it. They are
// knowledge of the languages.
var (
	madeFor = [Acts]*words.Pattern{
		words.MustCompile(`(?i)建议|推荐|策划|\b(?:suggest|recommend|propose|advise|advice)`),
		words.MustCompile(`(?i)预测|预估|\b(?:forecast|predict)`),
	}
)

// acting are the acts that a card is made for, by its name and the first thing it says of itself.
func (e *Entry) acting() (out [Acts]bool) {
	if e.IsAgent() {
		return out
	}
	text := strings.ReplaceAll(e.Name, "_", " ") + " " + words.Head(e.name("zh")) + " " + words.Head(e.name("en"))
	for a, re := range madeFor {
		out[a] = re.MatchString(text)
	}
	return out
}

// CanName reports whether a parameter of the tool may hold what is called so.
func (e *Entry) CanName(s string) bool {
	return e.Knowledge() || slices.ContainsFunc(e.Params, func(f fields.Field) bool {
		switch f.Sort {
		case fields.Person:
			return len(facts.Persons(s, func(string) bool { return false })) > 0
		case fields.ID:
			return words.AllDigits(s)
		case fields.Text:
			return NameLike.MatchString(f.Name+" "+f.Head()) && f.Takes(s)
		}
		return false
	})
}

// Figures reports whether what remains of a text is a piece of a word that the tool has for its figures or its allowed values, which names no thing:
// 客单 of 客单价.
func (e *Entry) Figures(text string, r wishes.Rest) bool {
	in := func(word string) bool {
		if len([]rune(word)) < 2 || !words.IsHan(words.FirstRune(word)) || word == r.Text {
			return false
		}
		for from := max(0, r.Start-len(word)); from < len(text); {
			i := strings.Index(text[from:], word)
			if i < 0 || from+i > r.Start {
				return false
			}
			if from+i+len(word) >= r.End {
				return true
			}
			from += i + len(string(words.FirstRune(word)))
		}
		return false
	}
	for i := range e.Params {
		if slices.ContainsFunc(e.Params[i].Enum, in) {
			return true
		}
	}
	for i := range e.Result.Fields {
		f := &e.Result.Fields[i]
		if in(f.Title) || slices.ContainsFunc(f.Fields, func(c fields.Field) bool { return in(c.Title) }) {
			return true
		}
	}
	return false
}

// Allows reports whether a text is what the card calls one of its allowed values, as flagship store is: it names no other thing.
func (e *Entry) Allows(text string) bool {
	for i := range e.Params {
		f := &e.Params[i]
		for _, v := range f.Enum {
			if strings.EqualFold(v, text) || slices.ContainsFunc(f.Called[v], func(name string) bool { return strings.EqualFold(name, text) }) {
				return true
			}
		}
	}
	return false
}

// Groups reports whether a text is no more than words for allowed values of a parameter and what stands beside these: 老客贡献, 各时段. It names no thing.
func (e *Entry) Groups(text string) bool {
	rest, low := text, strings.ToLower(text)
	for i := range e.Params {
		f := &e.Params[i]
		for _, v := range f.Enum {
			if called := words.Longest(append([]string{v}, f.Called[v]...), low); len([]rune(called)) > 1 {
				rest = strings.Replace(strings.ToLower(rest), strings.ToLower(called), " ", 1)
			}
		}
	}
	return rest != text && strings.TrimSpace(besideGroup.ReplaceAllString(rest, " ")) == ""
}

// besideGroup are words that stand beside a kind of things and say what it does.
var besideGroup = words.MustCompile(`(?i)按照?|各个?|每一?个?|[的和比与跟]|贡献|平时|平日|双休日|时段|\b(?:of|by|per|and|vs|versus|the|customers?|buyers?)\b`)

// NameLike: optional parameters that name a thing may take what remains; others need better evidence.
var NameLike = words.MustCompile(`(?i)(product|sku_name|item|keyword|category|goods|商品名|商品|关键词|类目|品类|产品)`)

// polite stands before what is wanted and says nothing of it.
var polite = words.MustCompile(`(?i)^(?:\s*(?:请你?|麻烦你?|帮我|帮忙|给我|替我|我想要?|我要|你|能不能|可以|再|先|please|can you|could you|would you|i want(?: you)? to|i need to|help me(?: to)?|then|,|，)\s*)+`)

// Leads reports whether a clause begins with a tag of the card: of two signs, or of a word.
func (e *Entry) Leads(text string) bool {
	text = strings.ToLower(strings.TrimSpace(polite.ReplaceAllString(text, "")))
	for _, tag := range e.Tags {
		tag = strings.ToLower(tag)
		rest, ok := strings.CutPrefix(text, tag)
		if ok && utf8.RuneCountInString(tag) >= 2 && (words.IsHan(words.FirstRune(tag)) || rest == "" || rest[0] == ' ') {
			return true
		}
	}
	return false
}

// Length is the parameter by which a looking tool is told how many rows to list; nil when there is none with a maximum that may be left out.
func (e *Entry) Length() *fields.Field {
	if !e.Reads() || e.IsAgent() || len(e.Lists()) == 0 {
		return nil
	}
	for i := range e.Params {
		if f := &e.Params[i]; f.Type == "integer" && !f.Required && f.Most > 0 && f.SaysRows() {
			return f
		}
	}
	return nil
}

// Wording is what a card says of itself.
func Wording(c bus.Card) string {
	return c.Name + " " + words.Clip(c.Description, words.MaxText) + " " + strings.Join(c.Tags, " ") + " " + strings.Join(c.Skills, " ")
}

// ShowsValue reports whether a word is one of the values that a column of the tool's results may have: 质量问题 of the reasons.
func (e *Entry) ShowsValue(word string) bool {
	found := false
	fields.Walk(e.Gives, "", func(_ string, f *fields.Field) {
		for v, also := range f.Called {
			found = found || v == word || slices.Contains(also, strings.ToLower(word))
		}
	})
	return found
}

// LabelOf is what a field of the tool's results is called, wherever it stands in them.
func (e *Entry) LabelOf(name, lang string) string {
	label := ""
	fields.Walk(e.Gives, "", func(_ string, f *fields.Field) {
		if f.Name == name && label == "" {
			label = f.Label(lang)
		}
	})
	return words.Either(label == "", name, label)
}

// Ability is one short line about a card: what it is called, and the first words of its tags.
func (e *Entry) Ability(lang string) string {
	called := e.Gist(lang)
	if !e.IsAgent() && slices.Contains(e.Tags, called) { // a tag alone tells little of a tool, least of all the name of its agent
		if h := words.Head(e.name(lang)); h != e.Name && words.Language(h) == lang {
			called = words.Short(h, maxAbility)
		} else if lang == "en" {
			called = strings.ReplaceAll(e.Name, "_", " ")
		}
	}
	var tags []string
	for _, t := range e.Tags {
		if len(tags) < 4 && words.Language(t) == lang && !aRole.MatchString(t) && !slices.Contains(tags, t) && !strings.Contains(strings.ToLower(called), strings.ToLower(t)) {
			tags = append(tags, t)
		}
	}
	if !e.IsAgent() || len(tags) == 0 {
		return called
	}
	return called + words.Say(lang, "：", ": ") + strings.Join(tags, words.Say(lang, "、", ", "))
}

// maxAbility is how much of a tool's description tells what it does, in runes.
const maxAbility = 80

// aRole: what somebody is called, and not what they do.
var aRole = words.MustCompile(`(?:专员|[员师]|助理|顾问)$|^(?:[A-Z][\w-]*(?: \w+)* )?(?:[Cc]lerk|[Aa]nalyst|[Aa]ssistant|[Ss]pecialist|[Aa]gent|[Ww]riter|[Rr]esearcher|[Mm]anager)$`)

// Gist is the shortest honest name of a card: how its description begins, where that is short and in the language, else its
// first tag, else its name in words.
func (e *Entry) Gist(lang string) string {
	if h := words.Head(e.name(lang)); h != e.Name && fields.Nameable(h, lang) && !strings.Contains(h, "用户") {
		return h
	}
	for _, t := range e.Tags {
		if words.Language(t) == lang && !e.IsAgent() { // an agent's name is its domain already
			return t
		}
	}
	return strings.ReplaceAll(e.Name, "_", " ")
}

// Yields are the fields of a tool's result that people would name, in the order of its schema.
func (e *Entry) Yields() []*fields.Field {
	m := map[string]any{}
	for _, f := range e.Gives {
		m[f.Name] = nil
	}
	var out []*fields.Field
	for _, k := range fields.Keys(m, &e.Result) {
		if f := fields.Child(&e.Result, k); f.Type != "boolean" && k != "note" && !strings.HasSuffix(k, "_en") {
			out = append(out, f)
		}
	}
	return out
}

// Tells reports whether the tool's own text speaks of a word, in what it does or in what it returns.
func (e *Entry) Tells(w string) bool {
	if e.Vocab[w] {
		return true
	}
	found := false
	fields.Walk(e.Gives, "", func(_ string, f *fields.Field) { found = found || f.Vocab[w] })
	return found
}

// telling is what it is worth that a tool returns what is asked of a thing, and silent what it costs that it does not.
const (
	telling = 0.6
	silent  = 0.3
)

// Answers is what it is worth that what a looking tool returns is called by a noun: to take a phone number is not to tell one.
func (e *Entry) Answers(noun string) float64 {
	if noun == "" || !e.Reads() || e.IsAgent() {
		return 0
	}
	if strings.EqualFold(noun, "手机") || strings.EqualFold(noun, "mobile") { // somebody's is a number
		noun = words.Either(words.IsHan(words.FirstRune(noun)), "电话", "phone")
	}
	var tells func(fs []fields.Field) bool
	tells = func(fs []fields.Field) bool {
		return slices.ContainsFunc(fs, func(f fields.Field) bool {
			_, ok := words.LessNoun(f.Label("zh"), noun)
			_, en := words.LessNoun(f.Label("en"), noun)
			return ok || en || tells(f.Fields)
		})
	}
	return words.Either[float64](tells(e.Gives), telling, -silent)
}
