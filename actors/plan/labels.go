package plan

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/cards"
	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// Chinese puts what a thing is called before what it is, and how many before what is counted: 101会议室, rockets仓库, 10个人.

var (
	// labelEnds is what a parameter adds to what people call the thing.
	labelEnds = words.MustCompile(`(?:的?(?:名称?|编号|代码|号码?|ID))$`)
	countEnds = words.MustCompile(`(?:总?数量?|个数)$`)
)

// bindLabels gives a tool what stands before the names of its parameters, where its card says no more of them than words.
func (x *Index) bindLabels(e *cards.Entry, g *goal, c wishes.Clause, out map[string]fields.Binding) {
	for i := range e.Params {
		f := &e.Params[i]
		if b, ok := out[f.Name]; f.Title != "" || ok && b.Why != "what remains" || !words.HasHan(f.Desc) {
			continue
		}
		switch head := f.Head(); f.Sort {
		case fields.Text, fields.ID:
			if label := labelEnds.ReplaceAllString(head, ""); words.HasHan(label) {
				text, at := codeBefore(c.Text, label)
				if text == "" {
					text, at = codeBehind(c.Text, head)
				}
				if text != "" {
					out[f.Name] = fields.Binding{Value: text, Sure: 0.8, Why: slotWords, Used: g.factAt(c.Start + at)}
				}
			}
		case fields.Number:
			if what := countEnds.ReplaceAllString(head, ""); what != head && what != "" {
				if n, at, ok := countOf(c.Text, what); ok {
					out[f.Name] = fields.Binding{Value: n, Sure: 0.8, Why: facts.KindNames[facts.Number], Used: g.factAt(c.Start + at)}
				}
			}
		}
	}
}

// labelled is what a text tells of a parameter behind its name and a colon: close T-2, resolution: battery replaced. "" when it does not.
func labelled(text string, f *fields.Field) string {
	if f.Sort != fields.Text && f.Sort != fields.Person || !strings.ContainsAny(text, ":=") {
		return ""
	}
	low := strings.ToLower(text)
	for _, name := range []string{strings.ToLower(f.Name), strings.ReplaceAll(strings.ToLower(f.Name), "_", " "), strings.ToLower(f.Title)} {
		for at, from := 0, 0; name != "" && from < len(low); from = at + len(name) {
			next := strings.Index(low[from:], name)
			if next < 0 {
				break
			}
			at = from + next
			before := strings.TrimRight(text[:at], " \t\n")
			rest := strings.TrimLeft(low[at+len(name):], " ")
			if before != "" && (!strings.ContainsRune(",;.(\n", rune(before[len(before)-1])) || len(before) == at) || rest == "" || rest[0] != ':' && rest[0] != '=' {
				continue
			}
			value := text[len(text)-len(rest)+1:]
			if m := nextLabel.FindStringIndex(value); m != nil {
				value = value[:m[0]]
			}
			if value = strings.Trim(value, " \t\n\"“”'.;,)"); value != "" {
				return value
			}
		}
	}
	return ""
}

// nextLabel is where what stands behind a label ends.
var nextLabel = words.MustCompile(`[;\n]|,\s*[A-Za-z_ ]{1,24}[:=]|\.\s+[A-Z]`)

// codeBefore is the name in Latin letters or digits that stands right before a label, and where.
func codeBefore(s, label string) (string, int) {
	at := strings.Index(s, label)
	if at <= 0 {
		return "", 0
	}
	from := at
	for from > 0 && (s[from-1] == '_' || s[from-1] == '-' || s[from-1] == '/' || s[from-1] == '.' || s[from-1] >= '0' && s[from-1] <= '9' || s[from-1]|0x20 >= 'a' && s[from-1]|0x20 <= 'z') {
		from--
	}
	return s[from:at], from
}

// codeBehind is the name in Latin letters or digits that stands right behind a label, and where: 股票代码600519.
func codeBehind(s, label string) (string, int) {
	m := regexp.MustCompile(regexp.QuoteMeta(label) + `(?:是|为|[:：])?\s*([A-Za-z0-9][\w./-]*)`).FindStringSubmatchIndex(s)
	if m == nil {
		return "", 0
	}
	return s[m[2]:m[3]], m[2]
}

// countOf is how many of something a text tells, and where.
func countOf(s, what string) (n int64, at int, ok bool) {
	m := regexp.MustCompile(`(\d{1,9})\s*[个位名张条件份间]?` + regexp.QuoteMeta(what)).FindStringSubmatchIndex(s)
	if m == nil {
		return 0, 0, false
	}
	n, err := strconv.ParseInt(s[m[2]:m[3]], 10, 64)
	return n, m[2], err == nil
}

// factAt is the fact of the request that stands at a byte; -1: none.
func (g *goal) factAt(at int) int {
	for i, f := range g.facts {
		if f.From == "" && f.Start <= at && at < f.End {
			return i
		}
	}
	return -1
}
