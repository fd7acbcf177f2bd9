package actors

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hmap-project/hmap/actors/plan"
	"github.com/hmap-project/hmap/bus"
)

// known is the text of all that the mind of a call may take ids and links from: what people said and what tools and agents found. What
// it wrote itself, its thoughts and the arguments of its calls, is not in it, nor what only echoes them.
type known struct {
	text   strings.Builder
	joined strings.Builder // what has digits, without the spaces and dashes between them
}

// knownTo gathers what is known to a mind. notes are of turns that its view no longer has.
func knownTo(v *View, notes string) *known {
	k := &known{}
	k.add(v.Request.JobDesc, v.Request.Context, notes)
	for _, f := range v.Request.Files {
		k.add(f.Ref, f.Name)
	}
	for _, t := range v.Turns {
		k.add(t.Request, t.Answer)
		if t.Ask != nil {
			k.add(t.Ask.Question)
			k.add(t.Ask.Options...)
		}
		for _, f := range t.Files {
			k.add(f.Ref, f.Name)
		}
	}
	k.add(v.Steering...)
	for _, a := range v.Answers {
		k.add(a.Input.Text)
		if a.Ask.Kind == bus.Question && a.Ask.ToolName != "" { // asked by the planner or by a tool; what a model asks it may have made up
			k.add(a.Ask.Options...)
		}
	}
	for _, r := range v.Rounds {
		for _, a := range r.Acts {
			if a.Result != nil {
				k.result(a)
			}
		}
	}
	return k
}

// result adds what a call brought, but for ids that it was called with and that nobody knew before: an observation that repeats an
// invented id does not make it true.
func (k *known) result(a Acted) {
	lines := plan.Scalars(decoded(a.Result.Observation))
	if a.Result.Error != nil {
		lines = append(lines, a.Result.Error.Message)
	}
	for _, f := range a.Result.Files {
		lines = append(lines, f.Ref, f.Name)
	}
	given := append(plan.Scalars(decoded(a.Parameter)), plan.Scalars(decoded(a.Result.Parameter))...)
	var own []string
	for _, s := range append(given, a.JobDesc) {
		for _, id := range append(idsIn(s), s) {
			if identifier(id) && !slices.Contains(own, id) && !k.holds(id) {
				own = append(own, id)
			}
		}
	}
	for _, line := range lines {
		for _, id := range own {
			line = without(line, strings.ToLower(id))
		}
		k.add(line)
	}
}

func (k *known) add(texts ...string) {
	for _, s := range texts {
		s = plainly(s)
		k.text.WriteString(s + "\n")
		if strings.ContainsAny(s, "0123456789") {
			k.joined.WriteString(groups.ReplaceAllString(s, "$1") + "\n")
		}
	}
}

// holds reports whether an id or link is known, whole, in whatever case, however its digits are grouped.
func (k *known) holds(id string) bool {
	id = plainly(id)
	if at, _ := word(k.text.String(), id, 0); at >= 0 {
		return true
	}
	at, _ := word(k.joined.String(), groups.ReplaceAllString(id, "$1"), 0)
	return at >= 0
}

// groups are the spaces and dashes between digits, as in a telephone number.
var groups = regexp.MustCompile(`(\d)[ \-](?:\b)`)

// plainly is a text in lower case, with wide letters and digits as narrow ones.
func plainly(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= '！' && r <= '～' {
			r -= '！' - '!'
		}
		return unicode.ToLower(r)
	}, s)
}

// word finds a text in another where no letter or digit of a Latin word goes on beside it; -1: nowhere.
func word(in, text string, from int) (start, end int) {
	for text != "" {
		at := strings.Index(in[from:], text)
		if at < 0 {
			break
		}
		start, end = from+at, from+at+len(text)
		if !(start > 0 && joins(in[start-1], text[0])) && !(end < len(in) && joins(text[len(text)-1], in[end])) {
			return start, end
		}
		from = start + 1
	}
	return -1, -1
}

// joins reports whether two bytes beside each other are of one word.
func joins(a, b byte) bool { return alnum(a) && alnum(b) }

func alnum(b byte) bool {
	return b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z'
}

// without takes an id, in lower case, out of a text.
func without(text, id string) string {
	text = plainly(text)
	for from := 0; ; {
		start, end := word(text, id, from)
		if start < 0 {
			return text
		}
		text, from = text[:start]+" "+text[end:], start
	}
}

var (
	link    = regexp.MustCompile(`\bhttps?://[^\s"'<>()（）\[\]{}，。；、|]+`)
	token   = regexp.MustCompile(`[A-Za-z0-9][A-Za-z0-9_\-]*`)
	moment  = regexp.MustCompile(`^(?:19|20)\d\d[\-/.]?(?:0?[1-9]|1[0-2])(?:[\-/.]?(?:0?[1-9]|[12]\d|3[01]))?(?:[T ]\d{1,2}(?::\d\d)*\S*)?$`)
	counted = regexp.MustCompile(`(?i)^\s?(?:[元块万亿千百件个台条次人名位天年月日秒克米升%％]|yuan|rmb|cny|usd|dollars?|pieces?|items?|units?|bytes?|%)`)
)

// linksIn are the links in a text.
func linksIn(text string) []string {
	var out []string
	for _, l := range link.FindAllString(text, -1) {
		out = append(out, strings.TrimRight(l, ".,;:!?*_`~'/。！？"))
	}
	return out
}

// idsIn are the ids of a free text, each once: long rows of digits, or of letters and digits, that are neither an amount nor a date. What
// may have been worked out from other figures must not be among them, so short numbers and whatever has a unit or a point are left out.
func idsIn(text string) []string {
	text = link.ReplaceAllString(text, " ")
	var out []string
	for _, at := range token.FindAllStringIndex(text, -1) {
		s, before, after := text[at[0]:at[1]], text[:at[0]], text[at[1]:]
		last, size := utf8.DecodeLastRuneInString(before)
		whole := before[:len(before)-size]
		point := strings.ContainsRune(".,，", last) && whole != "" && digit(whole[len(whole)-1])
		fraction := len(after) > 1 && (after[0] == '.' || after[0] == ',') && digit(after[1])
		switch {
		case point, fraction, strings.ContainsRune("¥￥$€£", last), counted.MatchString(after), moment.MatchString(s):
			continue
		}
		digits, letters := count(s)
		if letters == 0 && strings.ContainsRune(s, '-') { // a range, a telephone number
			continue
		}
		if (letters == 0 && digits >= 8 || letters > 0 && digits >= 6) && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// identifier reports whether a whole value looks like an id: one word with several digits that is no date.
func identifier(s string) bool {
	if len(s) < 3 || len(s) > 64 || moment.MatchString(s) || strings.ContainsFunc(s, func(r rune) bool { return r > unicode.MaxASCII || r <= ' ' || r == '$' }) {
		return false
	}
	digits, letters := count(s)
	return letters == 0 && digits >= 5 && !strings.ContainsAny(s, ".,:%") || letters > 0 && digits >= 3
}

func count(s string) (digits, letters int) {
	for i := range len(s) {
		switch {
		case digit(s[i]):
			digits++
		case alnum(s[i]):
			letters++
		}
	}
	return digits, letters
}

func digit(b byte) bool { return b >= '0' && b <= '9' }

// decoded is a JSON value with numbers as they are written; what is no JSON is a text.
func decoded(raw json.RawMessage) any {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if len(raw) > 0 && d.Decode(&v) != nil {
		return string(raw)
	}
	return v
}
