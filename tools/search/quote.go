package search

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hmap-project/hmap/tools/knowledge"
)

// Bounds of an answer without a model.
const (
	perSide     = 3 // sentences
	perPassage  = 2
	maxSentence = 260 // characters
	minSentence = 8
	alike       = 0.75 // sentences that say the same
	unended     = 0.6  // what a line is worth that does not end as a sentence: a caption, a menu
)

// words is a passage in the language of the question, where it has one.
func words(p knowledge.Passage, language string) string {
	if language == "en" && p.TextEn != "" {
		return p.TextEn
	}
	return p.Text
}

// quoted is a sentence of a passage, as it stands there.
type quoted struct {
	text   string
	from   string // the source's key
	terms  set
	score  float64
	at, in int // its place in its passage, and its passage's among the answers
}

// quote answers from the sources' own sentences: for each side of the question those that hold most of it, each sentence once.
func (h *hunt) quote(found []answer) (string, []*Source) {
	var out strings.Builder
	var sources []*Source
	number := map[string]int{}
	var said []quoted
	stream := h.call.Stream()
	for _, a := range found {
		chosen := h.choose(a, said)
		if len(chosen) == 0 {
			continue
		}
		said = append(said, chosen...)
		var part strings.Builder
		if len(found) > 1 {
			fmt.Fprintf(&part, "**%s**\n\n", a.query.Dimension)
		}
		for _, q := range chosen {
			if number[q.from] == 0 {
				sources = append(sources, h.pool.sources[q.from])
				number[q.from] = len(sources)
			}
			fmt.Fprintf(&part, "- %s [%d]\n", q.text, number[q.from])
		}
		part.WriteByte('\n')
		out.WriteString(part.String())
		stream.Write(part.String())
	}
	return strings.TrimSpace(out.String()), sources
}

// choose picks sentences for one side, in the order of the passages.
func (h *hunt) choose(a answer, said []quoted) []quoted {
	asks := termsOf(a.query.Text)
	if side := asks.without(h.core); len(side) > 0 && !a.query.free {
		asks = side
	}
	var all []quoted
	for i, p := range a.passages {
		for j, s := range sentences(words(p.Passage, h.t.language)) {
			terms := split(s)
			q := quoted{text: s, from: p.source, terms: terms, at: j, in: i}
			// What it holds of the question; the better passages first, and in a passage what comes first.
			q.score = (asks.share(terms) + 0.5*h.core.share(terms) + 0.1) / (1 + 0.15*float64(i)) / (1 + 0.03*float64(min(j, 20)))
			if !strings.ContainsAny(s[max(0, len(s)-6):], "。！？.!?；;：:”\"") {
				q.score *= unended
			}
			all = append(all, q)
		}
	}
	slices.SortStableFunc(all, func(a, b quoted) int { return cmp.Compare(b.score, a.score) })
	var out []quoted
	for _, q := range all {
		of := 0
		twin := func(o quoted) bool { return o.text == q.text || o.terms.like(q.terms) >= alike }
		for _, o := range out {
			if o.in == q.in {
				of++
			}
		}
		if of >= perPassage || slices.ContainsFunc(said, twin) || slices.ContainsFunc(out, twin) {
			continue
		}
		if out = append(out, q); len(out) == perSide {
			break
		}
	}
	slices.SortStableFunc(out, func(a, b quoted) int { return cmp.Or(cmp.Compare(a.in, b.in), cmp.Compare(a.at, b.at)) })
	return out
}

// sentences are the running sentences of a Markdown text, each as it stands in it: no headings, tables or code.
func sentences(text string) []string {
	var out []string
	fenced := false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~") {
			fenced = !fenced
		}
		if fenced || line == "" || strings.HasPrefix(line, "#") || strings.HasPrefix(line, "|") || strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~") {
			continue
		}
		line = bullet(line)
		from := 0
		for i, r := range line {
			if i < from || !stops(line, i, r) {
				continue
			}
			to := i + utf8.RuneLen(r)
			for to < len(line) { // closing quotes belong to it
				next, n := utf8.DecodeRuneInString(line[to:])
				if !strings.ContainsRune("”’」』)）\"'", next) {
					break
				}
				to += n
			}
			out = keep(out, line[from:to])
			from = to
		}
		out = keep(out, line[from:])
	}
	return out
}

func stops(line string, i int, r rune) bool {
	switch r {
	case '。', '！', '？':
		return true
	case '.', '!', '?':
		rest := line[i+1:]
		if rest == "" {
			return true
		}
		// "3.5", "e.g. x" and "Fig. 2" go on; a capital or a sign of Chinese after a space begins anew.
		next, _ := utf8.DecodeRuneInString(strings.TrimLeft(rest, " \"'”’)"))
		before, _ := utf8.DecodeLastRuneInString(line[:i])
		return strings.HasPrefix(strings.TrimLeft(rest, "\"'”’)"), " ") && (unicode.IsUpper(next) || unicode.Is(unicode.Han, next) || unicode.IsDigit(next)) && !unicode.IsUpper(before)
	}
	return false
}

var bullets = regexp.MustCompile(`^(?:(?:>|[-*+•·]|\d{1,3}\.|\(\d{1,2}\))[ \t]+|>|\d{1,3}、|（[一二三四五六七八九十\d]{1,3}）)`)

// bullet takes the marks of lists and quotations off a line.
func bullet(line string) string {
	for {
		rest := strings.TrimLeft(line[len(bullets.FindString(line)):], " \t")
		if rest == line {
			return line
		}
		line = rest
	}
}

// keep adds a sentence that is one: not too short, not too long, with letters in it.
func keep(out []string, s string) []string {
	s = strings.TrimSpace(s)
	n := utf8.RuneCountInString(s)
	if n < minSentence || n > maxSentence || !strings.ContainsFunc(s, unicode.IsLetter) || strings.Count(s, "**")%2 == 1 {
		return out
	}
	return append(out, s)
}
