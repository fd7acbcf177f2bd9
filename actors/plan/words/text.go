package words

import (
	"hash/fnv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hmap-project/hmap/actors/plan/vectors"
)

// IsWord reports whether a byte belongs to a Latin word.
func IsWord(b byte) bool {
	return b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z'
}

// FirstRune is the first sign of a text; 0 for an empty one.
func FirstRune(s string) rune {
	for _, r := range s {
		return r
	}
	return 0
}

// StandsAlone reports whether a value stands by itself at [start,end): a Latin one as whole words, a Han one not as the beginning of a number's
// name (手机 in 手机号).
func StandsAlone(s string, start, end int) bool {
	if IsHan(FirstRune(s[start:])) {
		return !strings.HasPrefix(s[end:], "号") && !strings.HasPrefix(s[end:], "码")
	}
	return !WordByte(s, start-1) && !WordByte(s, end)
}

// Longest is the longest known value that the text holds.
func Longest(values []string, text string) string {
	best, low := "", strings.ToLower(text)
	for _, v := range values {
		if len(v) > len(best) && len([]rune(v)) > 1 && Holds(low, strings.ToLower(v)) {
			best = v
		}
	}
	return best
}

// Holds reports whether s holds v, Latin values as whole words only, Han values not as the beginning of a number's name
// (手机 in 手机号).
func Holds(s, v string) bool {
	for from := 0; ; {
		i := strings.Index(s[from:], v)
		if i < 0 {
			return false
		}
		i += from
		if IsHan(FirstRune(v)) && !strings.HasPrefix(s[i+len(v):], "号") && !strings.HasPrefix(s[i+len(v):], "码") ||
			!IsHan(FirstRune(v)) && !WordByte(s, i-1) && !WordByte(s, i+len(v)) {
			return true
		}
		from = i + len(v)
	}
}

// WordByte reports whether the byte at i belongs to a Latin word; false beyond the ends.
func WordByte(s string, i int) bool {
	if i < 0 || i >= len(s) {
		return false
	}
	b := s[i]
	return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9'
}

// SentenceStart reports whether a sentence begins at a byte.
func SentenceStart(s string, at int) bool {
	before := strings.TrimRight(s[:at], " \t\n")
	return before == "" || strings.HasSuffix(before, ".") || strings.HasSuffix(before, "?") || strings.HasSuffix(before, "!")
}

// FirstRunes are the first n runes, or fewer.
func FirstRunes(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}

// MaxText is how many bytes of a text are read; the rest changes nothing. A request of a person is far shorter.
const MaxText = 8 << 10

// IsHan reports whether r is written without spaces between words, so that pairs of signs take the place of words.
func IsHan(r rune) bool {
	return r >= 0x2E80 && unicode.Is(unicode.Han, r)
}

// Wide reports whether a text holds signs beyond ASCII; one that does not holds no Chinese.
func Wide(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return true
		}
	}
	return false
}

// HasHan reports whether a text holds a Chinese sign.
func HasHan(s string) bool { return Wide(s) && strings.ContainsFunc(s, IsHan) }

// Clip cuts s to at most n bytes at a rune border and replaces broken UTF-8.
func Clip(s string, n int) string {
	if len(s) > n {
		for n > 0 && !utf8.RuneStart(s[n]) {
			n--
		}
		s = s[:n]
	}
	return strings.ToValidUTF8(s, " ")
}

// Piece is a run of one script: a Latin word (or number), or a stretch of Han signs.
type Piece struct {
	Text       string
	Han        bool
	Start, End int // bytes
}

// Pieces splits s into words and Han runs in order. camelCase and snake_case names fall apart into their words, getCPUUsage as well.
func Pieces(s string) []Piece {
	var out []Piece
	eachPiece(s, func(p Piece) { out = append(out, p) })
	return out
}

// eachPiece visits the pieces of s in order. Who only reads them needs no list, of which an index of thousands of cards made most of its rubbish.
func eachPiece(s string, visit func(Piece)) {
	start, last, kind := -1, -1, 0 // 1 lower, 2 upper, 3 digit, 4 han
	flush := func(end int) {
		if start >= 0 {
			visit(Piece{s[start:end], kind == 4, start, end})
			start = -1
		}
	}
	for i, r := range s {
		k := 0
		switch {
		case IsHan(r):
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
		case k == 4 && kind != 4, k != 4 && kind == 4, k == 2 && kind == 1 && last > start: // one small letter is no word: iPhone, eMail
			flush(i)
			start = i
		case k == 1 && kind == 2 && last > start && !startsLower(s[start:]) && startsLower(s[i+utf8.RuneLen(r):]): // CPUUsage, but IDs
			flush(last)
			start = last
		}
		kind, last = k, i
	}
	flush(len(s))
}

// startsLower reports whether a text begins with a small letter.
func startsLower(s string) bool { return unicode.IsLower(FirstRune(s)) }

// perWord are the bytes of text that a word of it takes about, to make room for all words of a text at once.
const perWord = 6

// Terms are the index terms of s: stems of Latin words, pairs of Han signs (a lone sign stands for itself).
func Terms(s string) []string {
	out := make([]string, 0, len(s)/perWord+1)
	eachPiece(s, func(p Piece) {
		if p.Han {
			out = append(out, Pairs(p.Text)...)
		} else {
			out = append(out, Stem(strings.ToLower(p.Text)))
		}
	})
	return out
}

// Pairs gives the overlapping pairs of a Han run.
func Pairs(run string) []string {
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

// Stem is the stem of an English word in small letters.
func Stem(w string) string { return vectors.Stem(w) }

// gramBuckets is the size of the hashed feature space.
const gramBuckets = 1 << 16

// Grams are the hashed features of s: words, character trigrams of Latin words, single Han signs and pairs. They bring
// together what the words miss: predict and prediction, 订货单 and 订单.
func Grams(s string) []uint32 {
	out := make([]uint32, 0, len(s)+1)
	eachPiece(s, func(p Piece) {
		if p.Han {
			rs := []rune(p.Text)
			for i := range rs {
				out = append(out, Bucket(string(rs[i])))
				if i+1 < len(rs) {
					out = append(out, Bucket(string(rs[i:i+2])))
				}
			}
			return
		}
		w := Stem(strings.ToLower(p.Text))
		out = append(out, Bucket(w))
		edged := "^" + w + "$"
		for i := 0; i+3 <= len(edged); i++ {
			out = append(out, Bucket(edged[i:i+3]))
		}
	})
	return out
}

// Bucket is the place of a feature in the hashed space.
func Bucket(s string) uint32 {
	h := fnv.New32a()
	h.Write([]byte(s))
	return h.Sum32() % gramBuckets
}

// Before is the text just before byte at, so that a rule about what precedes it does not read all of s again.
func Before(s string, at int) string { return s[max(0, at-32):at] }

// Language tells Chinese from English by the script; mixed text is Chinese, since Latin words stand in Chinese text and
// hardly the other way round.
func Language(s string) string {
	for _, r := range s {
		if IsHan(r) {
			return "zh"
		}
	}
	return "en"
}

// sentence cuts a description, which may say the same in two languages.
var sentence = MustCompile(`[^。！\n.]+(?:\.\w[^。！\n.]*)*[。！.]?`)

// InLanguage is the first sentence of a text that is in the language, without its full stop; the first of all when none is.
func InLanguage(text, lang string) string {
	other := ""
	for _, s := range sentence.FindAllString(text, 20) {
		if s = strings.Trim(s, " 。.！"); len(s) < 2 {
			continue
		}
		if Language(s) == lang {
			return s
		}
		if other == "" {
			other = s
		}
	}
	return other
}

// maxHead is how long the name of a thing may be in its description, in bytes: what goes on for longer is no name, and each rule reads it again.
const maxHead = 400

// Head is the part of a description that names the thing: up to the first colon, comma, bracket or full stop, 400 bytes at most.
func Head(desc string) string {
	desc = Clip(desc, maxHead)
	if i := strings.IndexAny(desc, ":：,，。.;；(（\n"); i > 0 {
		return strings.TrimSpace(desc[:i])
	}
	return strings.TrimSpace(desc)
}

// MaxTitle is how many runes the title of a step has.
const MaxTitle = 100

// Short cuts s to n runes for titles and thoughts, not inside a word that could be left out instead.
func Short(s string, n int) string {
	rs := []rune(strings.TrimSpace(s))
	if len(rs) <= n {
		return string(rs)
	}
	cut := string(rs[:n-1])
	if next := rs[n-1]; unicode.IsLetter(next) && !IsHan(next) {
		if i := strings.LastIndexAny(cut, " \n"); i > len(cut)*2/3 {
			cut = strings.TrimRight(cut[:i], " \n")
		}
	}
	return cut + "…"
}
