// Package staff gives tools the names of people: in a task each tool that may be used is a digital employee with a role that fits the
// scene, "market analyst" rather than deep_search. It is pure: built-in names for any card, and the check of names that a model chose.
package staff

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hmap-project/hmap/bus"
)

// How long a role name may be, in characters: six in Chinese, as JoyAgent's prompt wants it, and what stays as short in English.
const (
	MaxHan   = 6
	MaxLatin = 24
)

// Longest is how many characters a role name may have in a language, zh or en.
func Longest(language string) int {
	if language == "zh" {
		return MaxHan
	}
	return MaxLatin
}

//go:embed names.json
var namesFile []byte

//go:embed words.json
var wordsFile []byte

// names are role names by tool and language; does and things are what names of tools are made of: [in Chinese, in English] and in Chinese.
var names, does, things = func() (map[string]map[string]string, map[string][2]string, map[string]string) {
	var names map[string]map[string]string
	var words struct {
		Does   map[string][2]string
		Things map[string]string
	}
	if err := errors.Join(json.Unmarshal(namesFile, &names), json.Unmarshal(wordsFile, &words)); err != nil {
		panic(err) // embedded: the first test sees it
	}
	return names, words.Does, words.Things
}()

// Names gives each tool among the cards its role name without a model, in a language (zh, or anything else for English): what its card says
// itself, what is built in, or a name made of what the tool is called and of its tags. The same cards in the same order give the same
// names, no two alike. Agents get none; they are people already.
func Names(cards []bus.Card, language string) map[string]string {
	if language != "zh" {
		language = "en"
	}
	out, taken := make(map[string]string, len(cards)), make(map[string]bool, len(cards))
	for i := range cards {
		if c := &cards[i]; !c.IsAgent() {
			out[c.Name] = apart(name(c, language), taken, language)
		}
	}
	return out
}

// Name is the role name of one tool; "" for an agent.
func Name(card bus.Card, language string) string {
	return Names([]bus.Card{card}, language)[card.Name]
}

func name(c *bus.Card, language string) string {
	if own := c.Role[language]; fits(own, language) {
		return own
	}
	if built := names[c.Name][language]; built != "" {
		return built
	}
	if language == "zh" {
		return made(c)
	}
	return madeLatin(c)
}

// fits reports whether a text can be a role name.
func fits(name, language string) bool {
	return name != "" && utf8.RuneCountInString(name) <= Longest(language) && strings.TrimSpace(name) == name &&
		!strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) || strings.ContainsRune("<>{}[]`\"", r) }) &&
		strings.ContainsFunc(name, unicode.IsLetter)
}

// apart is a name, or with a number when another tool has it already; it is taken then.
func apart(name string, taken map[string]bool, language string) string {
	for n := 2; ; n++ {
		if !taken[name] {
			taken[name] = true
			return name
		}
		number := fmt.Sprint(n)
		if language != "zh" {
			number = " " + number
		}
		base := []rune(strings.TrimRight(name, "0123456789 "))
		name = string(base[:min(len(base), Longest(language)-len(number))]) + number
	}
}

// parts are the words of a tool's name, in lower case, without the MCP server before them: readFile and read_file are alike.
func parts(tool string) []string {
	if _, own, ok := strings.Cut(tool, "__"); ok && own != "" {
		tool = own
	}
	var b strings.Builder
	lower := false
	for _, r := range tool {
		if unicode.IsUpper(r) && lower {
			b.WriteByte(' ')
		}
		lower = unicode.IsLower(r) || unicode.IsDigit(r)
		b.WriteRune(unicode.ToLower(r))
	}
	return strings.FieldsFunc(b.String(), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// made is a Chinese role name made of what is done to what: 文件查阅员.
func made(c *bus.Card) string {
	thing, role := "", ""
	for _, p := range parts(c.Name) {
		if d, ok := does[p]; ok && role == "" {
			role = d[0]
		} else if t := orSingular(things, p); t != "" {
			thing = t
		}
	}
	if thing == "" {
		thing = tag(c)
	}
	if role == "" {
		role = "专员"
	}
	if thing == "" && role == "专员" {
		thing = "工具"
	}
	if n := MaxHan - utf8.RuneCountInString(role); utf8.RuneCountInString(thing) > n {
		thing = string([]rune(thing)[:n])
	}
	return thing + role
}

// tag is the first tag that is a short Chinese word.
func tag(c *bus.Card) string {
	for _, t := range c.Tags {
		if n := utf8.RuneCountInString(t); n >= 2 && n <= 4 && !strings.ContainsFunc(t, func(r rune) bool { return !unicode.Is(unicode.Han, r) }) {
			return t
		}
	}
	return ""
}

// madeLatin is an English role name made of the tool's: read_file is a file reader.
func madeLatin(c *bus.Card) string {
	role := "clerk"
	var rest []string
	for i, p := range parts(c.Name) {
		if d, ok := does[p]; ok && role == "clerk" && i == 0 {
			role = d[1]
		} else {
			rest = append(rest, p)
		}
	}
	for ; len(rest) > 0; rest = rest[1:] { // what it is done to stands last
		if slices.Contains([]string{"a", "and", "by", "for", "from", "in", "of", "on", "or", "the", "to", "with"}, rest[0]) {
			continue
		}
		if s := strings.Join(append(slices.Clone(rest), role), " "); utf8.RuneCountInString(s) <= MaxLatin {
			return capital(s)
		}
	}
	return capital(role)
}

func capital(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:]
}

func orSingular(of map[string]string, word string) string {
	if s := of[word]; s != "" {
		return s
	}
	return of[strings.TrimSuffix(word, "s")]
}
