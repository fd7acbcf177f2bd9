package plan

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"github.com/hmap-project/hmap/actors/plan/cards"
	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// Some values show by signs that all who work with computers use which parameter they are of, in any language: owner/repo, #channel, *.go, a command of
// SQL, a name in small letters right behind "table", a title in quotes behind "titled". What is learned from plain prose knows none of them.

var (
	slashed   = words.MustCompile(`(?:^|[^\w./:@\\-])([A-Za-z][\w.-]*)/([A-Za-z][\w.-]*)(?:$|[^\w/\\-])`)
	ownerName = words.MustCompile(`(?i)^(?:owner|org|organi[sz]ation|namespace|group|workspace|user|username)(?:_?name|_?login)?$`)
	repoName  = words.MustCompile(`(?i)^(?:repo|repository|project|package|image)(?:_?name|_?slug)?$`)

	signs = []struct{ text, takes, told *words.Pattern }{
		{words.MustCompile(`(?:^|[\s(，。：:到在给])(#\pL[\pL\pN_-]*)`), words.MustCompile(`(?i)channel|hashtag`), nil},
		{words.MustCompile(`(?:^|\s)([\w./-]*\*[\w.*/-]*)`), words.MustCompile(`(?i)^(?:\w+_)?(?:pattern|glob)s?$`), nil},
		{words.MustCompile(`(?:^|[\s“"'])([\w]+![A-Z]{1,3}\d+(?::[A-Z]{1,3}\d+)?)`), words.MustCompile(`(?i)range|cell`), nil},
		{words.MustCompile("(?is)(?:^|[\\s:：`“\"])((?:select\\s.+?\\sfrom|insert\\s+into|update\\s+\\w+\\s+set|delete\\s+from|with\\s+\\w+\\s+as\\s*\\(|create\\s+table|alter\\s+table|drop\\s+table)\\s[^`“”]+)"),
			words.MustCompile(`(?i)^(?:sql|query|statement)$|sql`), words.MustCompile(`(?i)\bsql\b`)},
	}
	// codeNames are things that have names in small letters.
	codeNames = words.MustCompile(`(?i)^(?:table|schema|database|db|column|branch|collection|index|bucket|queue|topic|namespace|container|service|host|server|cluster|pod|package|module|function|view)$`)
	// labelEnd is what the name of a parameter adds to what people call the thing.
	labelEnd = words.MustCompile(`(?i)(?:[_ ]?(?:id|key|name|number|slug))$`)
	titled   = words.MustCompile(`(?i)(?:\b(?:titled|entitled|called|named|(?:with )?(?:the )?(?:title|subject|summary|name)(?: is| of)?)|标题[是为叫]?|主题[是为]?|名为|叫做?)\s*[:：]?\s*["“「'‘]$`)
	prose    = words.MustCompile(`(?i)^(?:\w+_)?(?:text|message|body|content|comment|description|reply|note|markdown|title|summary|subject|name|query)s?$`)
	heading  = words.MustCompile(`(?i)(?:^|_)(?:title|summary|subject|name)$`)
)

// endsInMoney is a text that ends in the sign of a currency.
var endsInMoney = words.MustCompile(`[$€£¥￥]\s*$`)

func timesHundred(v any) any {
	switch n := v.(type) {
	case int64:
		return n * 100
	case float64:
		return math.Round(n * 100)
	}
	return v
}

// sureSign is how sure what such a sign tells is.
const sureSign = 0.9

// signed gives the parameters of a stranger's tool what signs tell, in place of what was read otherwise of the same words.
func (x *Index) signed(e *cards.Entry, g *goal, c wishes.Clause, out map[string]fields.Binding) {
	if e.IsAgent() || slices.ContainsFunc(e.Params, func(f fields.Field) bool { return f.Title != "" }) {
		return
	}
	moments(e, g, c, out)
	told := map[string]bool{}
	set := func(f *fields.Field, value string, fact int) {
		if b, ok := out[f.Name]; ok && b.Why == "answer" || f.Pattern != nil && !f.Pattern.MatchString(value) {
			return
		}
		for name, b := range out { // what is told of one thing is told of no other
			said, ok := b.Value.(string)
			if list, many := b.Value.([]any); name != f.Name && !told[name] && (ok && said != "" && (strings.Contains(value, said) || strings.Contains(said, value) && strings.HasPrefix(value, "#")) ||
				many && slices.ContainsFunc(list, func(v any) bool { s, _ := v.(string); return s != "" && strings.Contains(value, s) })) {
				delete(out, name)
			}
		}
		told[f.Name] = true
		out[f.Name] = fields.Binding{Value: words.Either[any](f.Sort == fields.List, []any{value}, value), Sure: sureSign, Why: slotWords, Used: fact}
	}
	text := c.Text
	if len(strings.Fields(text)) == 0 {
		return
	}
	owner := slices.IndexFunc(e.Params, func(f fields.Field) bool { return ownerName.MatchString(f.Parts) })
	repo := slices.IndexFunc(e.Params, func(f fields.Field) bool { return repoName.MatchString(f.Parts) })
	if m := slashed.FindStringSubmatch(text); m != nil && owner >= 0 && repo >= 0 {
		set(&e.Params[owner], m[1], -1)
		set(&e.Params[repo], strings.TrimSuffix(m[2], "."), -1)
	}
	x.signedQuotes(e, g, c, set, out)
	for i := range e.Params {
		f := &e.Params[i]
		if b, ok := out[f.Name]; ok && f.InCents() && b.Used >= 0 && b.Used < len(g.facts) && g.facts[b.Used].From == "" && endsInMoney.MatchString(g.text[:g.facts[b.Used].Start]) {
			if a, ok := g.facts[b.Used].Value.(facts.Amount); !ok || !fields.InWhole(a) { // which was minded already
				b.Value = timesHundred(b.Value) // $20 are 2000 cents
				out[f.Name] = b
			}
		}
		if f.Sort == fields.Enum || f.Type == "integer" || f.Type == "number" || f.Type == "boolean" {
			continue
		}
		for _, s := range signs {
			if !s.takes.MatchString(f.Name) || s.told != nil && !s.told.MatchString(e.Name+" "+e.Description+" "+f.Name+" "+f.Desc) {
				continue
			}
			if m := s.text.FindStringSubmatch(words.Either(s.told != nil, g.text, text)); m != nil {
				set(f, strings.TrimRight(m[1], " \n;；。"), -1)
			}
		}
		if _, ok := out[f.Name]; !ok || out[f.Name].Why == slotWords || out[f.Name].Why == "what remains" {
			if name := behindLabel(text, f, e); name != "" && !reflect.DeepEqual(out[f.Name].Value, name) {
				set(f, name, -1)
			}
		}
	}
}

// behindLabel is a name that no sentence has, or that may be in small letters, right behind what people call the parameter: table orders, project OPS. "": none.
func behindLabel(text string, f *fields.Field, e *cards.Entry) string {
	if f.Sort != fields.Text && f.Sort != fields.ID {
		return ""
	}
	terms := words.Pieces(strings.ReplaceAll(labelEnd.ReplaceAllString(f.Name, ""), "_", " "))
	if len(terms) == 0 {
		return ""
	}
	label := strings.ToLower(terms[len(terms)-1].Text)
	if !strings.Contains(strings.ToLower(text), label) { // the cheap question first: it is asked of each parameter of each card
		return ""
	}
	ps := words.Pieces(text)
	for i := 0; i+1 < len(ps); i++ {
		if strings.ToLower(ps[i].Text) != label || strings.TrimSpace(text[ps[i].End:ps[i+1].Start]) != "" || ps[i].Han {
			continue
		}
		end := strings.IndexFunc(text[ps[i+1].Start:], func(r rune) bool {
			return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_-.", r) || words.IsHan(r)
		})
		name := text[ps[i+1].Start:]
		if end >= 0 {
			name = name[:end]
		}
		name = strings.TrimRight(name, ".-")
		low := strings.ToLower(name)
		odd := name != low && name != strings.ToUpper(low[:min(1, len(low))])+low[min(1, len(low)):] || strings.ContainsAny(name, "_0123456789")
		if name == "" || words.StopEnglish[low] || words.LightEnglish[low] || slices.Contains(e.NameWords, words.Stem(low)) || !odd && !codeNames.MatchString(label) || e.Vocab[words.Stem(low)] && !odd {
			continue
		}
		return name
	}
	return ""
}

// signedQuotes gives what stands in quotes to the parameters that take words of the user, and not to those that name a thing by an id.
func (x *Index) signedQuotes(e *cards.Entry, g *goal, c wishes.Clause, set func(*fields.Field, string, int), out map[string]fields.Binding) {
	taken := map[string]bool{}
	for i, fa := range g.facts {
		said, _ := fa.Value.(string)
		if fa.Kind != facts.Quote || fa.From != "" || !c.Has(fa) || said == "" {
			continue
		}
		var holder *fields.Field
		for k := range e.Params {
			if b, ok := out[e.Params[k].Name]; ok && reflect.DeepEqual(b.Value, said) {
				holder = &e.Params[k]
			}
		}
		title := titled.MatchString(words.Before(g.text, fa.Start)) || titled.MatchString(g.text[:fa.Start])
		fits := func(f *fields.Field) bool {
			return f.Sort != fields.Enum && f.Type == "string" && !taken[f.Name] && f.Pattern == nil && prose.MatchString(f.Parts) && (!title || heading.MatchString(f.Parts))
		}
		if holder != nil && (fits(holder) || holder.Sort == fields.List || holder.Format != "") {
			taken[holder.Name] = true
			continue
		}
		if holder != nil && !strings.ContainsAny(said, " ") && !words.HasHan(said) && !title { // a word in quotes may be a name of anything
			continue
		}
		for _, must := range []bool{true, false} {
			if k := slices.IndexFunc(e.Params, func(f fields.Field) bool { return f.Required == must && fits(&f) }); k >= 0 {
				if holder != nil {
					delete(out, holder.Name)
				}
				set(&e.Params[k], said, i)
				taken[e.Params[k].Name] = true
				break
			}
		}
	}
}
