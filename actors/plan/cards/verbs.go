package cards

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
	"github.com/hmap-project/hmap/bus"
)

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
	if v := wishes.FirstVerb(wishes.ChangeVerbs(e.name("zh"))); v != "" {
		out[v] = true
	}
	if e.Effect != "" && e.Effect != bus.Read { // its tags are other names of what it does
		for v := range wishes.ChangeVerbs(strings.Join(e.Tags, ", ")) {
			out[v] = true
		}
	}
	for _, f := range e.Params {
		if f.Required {
			for _, value := range f.Enum {
				for v := range wishes.ChangeVerbs(value) {
					out[v] = true
				}
			}
		}
	}
	return out
}

// orVerb: "Move or rename files" has two verbs for what it does.
var orVerb = words.MustCompile(`^(?:[\w ]{1,60}: )?([A-Za-z]+) (?:or|and) ([A-Za-z]+)\b`)

// SaidIn looks for the verb in a text as it stands.
func (e *Entry) SaidIn(text string) bool {
	known := len(e.Verbs) > 0
	own := e.Name
	if _, behind, ok := strings.Cut(own, "__"); ok {
		own = behind
	}
	if name := words.Pieces(own); len(name) > 0 && !known {
		verbs := []string{words.Stem(strings.ToLower(name[0].Text))}
		if m := orVerb.FindStringSubmatch(e.Description); m != nil && words.Stem(strings.ToLower(m[1])) == verbs[0] {
			verbs = append(verbs, words.Stem(strings.ToLower(m[2])))
		}
		if slices.ContainsFunc(words.Pieces(text), func(p words.Piece) bool { return slices.Contains(verbs, words.Stem(strings.ToLower(p.Text))) }) {
			return true
		}
	}
	return slices.ContainsFunc(e.Tags, func(thing string) bool {
		return words.IsHan(words.FirstRune(thing)) && slices.ContainsFunc(e.Tags, func(tag string) bool {
			verb, ok := strings.CutSuffix(tag, thing)
			if n := utf8.RuneCountInString(verb); n == 1 { // a verb of one sign is one only with its thing
				return ok && strings.Contains(text, tag)
			}
			return ok && !known && verb != "" && strings.Contains(text, verb)
		})
	})
}
