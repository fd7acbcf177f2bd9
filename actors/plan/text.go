package plan

import (
	"hash/fnv"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hmap-project/hmap/actors/plan/vectors"
)

// isHan reports whether r is written without spaces between words, so that pairs of signs take the place of words.
func isHan(r rune) bool {
	return r >= 0x2E80 && unicode.Is(unicode.Han, r)
}

// wide reports whether a text holds signs beyond ASCII; one that does not holds no Chinese.
func wide(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return true
		}
	}
	return false
}

// clip cuts s to at most n bytes at a rune border and replaces broken UTF-8.
func clip(s string, n int) string {
	if len(s) > n {
		for n > 0 && !utf8.RuneStart(s[n]) {
			n--
		}
		s = s[:n]
	}
	return strings.ToValidUTF8(s, " ")
}

// piece is a run of one script: a Latin word (or number), or a stretch of Han signs.
type piece struct {
	text       string
	han        bool
	start, end int // bytes
}

// pieces splits s into words and Han runs in order. camelCase and snake_case names fall apart into their words.
func pieces(s string) []piece {
	var out []piece
	start, kind := -1, 0 // 1 lower, 2 upper, 3 digit, 4 han
	flush := func(end int) {
		if start >= 0 {
			out = append(out, piece{s[start:end], kind == 4, start, end})
			start = -1
		}
	}
	for i, r := range s {
		k := 0
		switch {
		case isHan(r):
			k = 4
		case unicode.IsUpper(r):
			k = 2
		case unicode.IsDigit(r):
			k = 3
		case unicode.IsLetter(r):
			k = 1
		}
		switch {
		case k == 0:
			flush(i)
		case start < 0:
			start = i
		case k == 4 && kind != 4, k != 4 && kind == 4, k == 2 && kind == 1:
			flush(i)
			start = i
		}
		kind = k
	}
	flush(len(s))
	return out
}

// words are the index terms of s: stems of Latin words, pairs of Han signs (a lone sign stands for itself).
func words(s string) []string {
	var out []string
	for _, p := range pieces(s) {
		if !p.han {
			out = append(out, stem(strings.ToLower(p.text)))
			continue
		}
		out = append(out, pairs(p.text)...)
	}
	return out
}

// pairs gives the overlapping pairs of a Han run.
func pairs(run string) []string {
	n := utf8.RuneCountInString(run)
	if n == 1 {
		return []string{run}
	}
	out := make([]string, 0, max(0, n-1))
	last, second := -1, -1 // where the two signs before begin
	for i := range run {
		if last >= 0 {
			out = append(out, run[last:i])
		}
		last, second = second, i
	}
	if last >= 0 {
		out = append(out, run[last:])
	}
	return out
}

// stem is the stem of an English word in small letters.
func stem(w string) string { return vectors.Stem(w) }

// gramBuckets is the size of the hashed feature space.
const gramBuckets = 1 << 16

// grams are the hashed features of s: words, character trigrams of Latin words, single Han signs and pairs. They bring
// together what the words miss: predict and prediction, 订货单 and 订单.
func grams(s string) []uint32 {
	var out []uint32
	for _, p := range pieces(s) {
		if p.han {
			rs := []rune(p.text)
			for i := range rs {
				out = append(out, bucket(string(rs[i])))
				if i+1 < len(rs) {
					out = append(out, bucket(string(rs[i:i+2])))
				}
			}
			continue
		}
		w := stem(strings.ToLower(p.text))
		out = append(out, bucket(w))
		edged := "^" + w + "$"
		for i := 0; i+3 <= len(edged); i++ {
			out = append(out, bucket(edged[i:i+3]))
		}
	}
	return out
}

func bucket(s string) uint32 {
	h := fnv.New32a()
	h.Write([]byte(s))
	return h.Sum32() % gramBuckets
}

// before is the text just before byte at, so that a rule about what precedes it does not read all of s again.
func before(s string, at int) string { return s[max(0, at-32):at] }

// language tells Chinese from English by the script; mixed text is Chinese, since Latin words stand in Chinese text and
// hardly the other way round.
func language(s string) string {
	for _, r := range s {
		if isHan(r) {
			return "zh"
		}
	}
	return "en"
}

// sentence cuts a description, which may say the same in two languages.
var sentence = regexp.MustCompile(`[^。！\n.]+(?:\.\w[^。！\n.]*)*[。！.]?`)

// inLanguage is the first sentence of a text that is in the language, without its full stop; the first of all when none is.
func inLanguage(text, lang string) string {
	other := ""
	for _, s := range sentence.FindAllString(text, 20) {
		if s = strings.Trim(s, " 。.！"); len(s) < 2 {
			continue
		}
		if language(s) == lang {
			return s
		}
		if other == "" {
			other = s
		}
	}
	return other
}

// head is the part of a description that names the thing: up to the first colon, comma, bracket or full stop.
func head(desc string) string {
	if i := strings.IndexAny(desc, ":：,，。.;；(（\n"); i > 0 {
		return strings.TrimSpace(desc[:i])
	}
	return strings.TrimSpace(desc)
}

// maxTitle is how many runes the title of a step has.
const maxTitle = 100

// short cuts s to n runes for titles and thoughts, not inside a word that could be left out instead.
func short(s string, n int) string {
	rs := []rune(strings.TrimSpace(s))
	if len(rs) <= n {
		return string(rs)
	}
	cut := string(rs[:n-1])
	if next := rs[n-1]; unicode.IsLetter(next) && !isHan(next) {
		if i := strings.LastIndexAny(cut, " \n"); i > len(cut)*2/3 {
			cut = strings.TrimRight(cut[:i], " \n")
		}
	}
	return cut + "…"
}
