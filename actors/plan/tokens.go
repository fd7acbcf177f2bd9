package plan

import (
	"strings"
	"unicode"

	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// token is a word of a request, or what stands between quotes, which is one word here.
type token struct {
	start, end int    // bytes in the request, without quotes
	low        string // in small letters
	stem       string
	sense      int32 // see [Index.sense]
	sentence   int
	quoted     bool
	linking    bool // a word that no name or text begins or ends with
	digits     bool // holds one
	capital    bool // begins with a capital, where that is no matter of course
	opens      bool // a mark stands before it that no name goes beyond
	comma      bool // and that mark is a comma
	strange    bool // neither a card nor the vocabulary of the planner has it
}

// plainWord reports whether it is an ordinary word: neither a name, nor a figure, nor quoted.
func (t *token) plainWord() bool { return !t.linking && !t.quoted && !t.digits && !t.capital }

// maxTokens is how many words of a request are looked at.
const maxTokens = 400

var (
	tokenPattern = words.MustCompile(`(?:[.~]{0,2}/)?[\p{L}\p{N}_$€£#@][\p{L}\p{N}_$€£%°@#&'’./:^*+=<>{}\[\]()!?\\-]*|[{<\[(*+=-][\p{L}\p{N}_{}<>\[\]()*+=^-]*`)
	// linkingWords stand beside [words.StopEnglish]: they join what they stand between, and are in no value at its ends.
	linkingWords = words.Set(`across because including include includes included using use utilizing utilize such like within without during between among along per
	under over into onto upon via through toward towards until till since while where when which who whom whose that this these those there after before
	following follow based regarding concerning considering given its their his her my our your it they he she we you me him them us i
	also next subsequently afterwards afterward finally lastly firstly first then later additionally moreover furthermore besides however
	please could would should can will shall must may might want need like wish help assist
	named called titled entitled against around about above below near behind not no nor either neither both each every all any some`)
)

// tokens cuts a request into words.
func (x *Index) tokens(s string) []token {
	var out []token
	add := func(start, end int, quoted bool) {
		text := s[start:end]
		t := token{start: start, end: end, quoted: quoted, low: strings.ToLower(text), digits: strings.ContainsAny(text, "0123456789"), opens: true}
		t.stem = words.Stem(withoutOwner(t.low))
		t.sense = x.sense(t.stem)
		t.strange = x.heard[t.stem] == 0 && x.shape.df[t.stem] == 0
		upper := unicode.IsUpper(words.FirstRune(text))
		t.capital = !quoted && upper && !words.SentenceStart(s, start)
		afterCapital := false
		if len(out) > 0 {
			last := out[len(out)-1]
			between := s[last.end:start]
			t.sentence = last.sentence
			if words.HardBreak.MatchString(between + " ") {
				t.sentence++
			}
			t.opens = strings.ContainsAny(between, ".,;:!?()\n") || quoted || last.quoted
			t.comma = strings.Contains(between, ",")
			afterCapital = last.capital
		}
		ofName := len(text) == 1 && upper && afterCapital // Vitamin A, Plan B
		t.linking = !quoted && !ofName && (words.StopEnglish[t.low] || linkingWords[t.low])
		out = append(out, t)
	}
	at := 0
	plain := func(end int) {
		for _, m := range tokenPattern.FindAllStringIndex(s[at:end], maxTokens) {
			add(at+m[0], at+m[0]+wordEnd(s[at+m[0]:at+m[1]]), false)
		}
	}
	for _, m := range facts.Quoted.FindAllStringSubmatchIndex(s, maxTokens) {
		for k := 2; k+1 < len(m); k += 2 {
			if m[k] >= 0 && m[k+1] > m[k] {
				plain(m[0])
				add(m[k], m[k+1], true)
				at = m[1]
				break
			}
		}
	}
	plain(len(s))
	return out[:min(len(out), maxTokens)]
}

// wordEnd is where a word ends that has marks behind it; a bracket that closes one of its own is a part of it.
func wordEnd(s string) int {
	opening := map[byte]string{')': "(", ']': "[", '}': "{", '>': "<"}
	end := len(s)
	for end > 1 && strings.IndexByte(`.,;:!?')]}>`, s[end-1]) >= 0 && (opening[s[end-1]] == "" || !strings.Contains(s[:end], opening[s[end-1]])) {
		end--
	}
	return end
}

// withoutOwner is a word without the 's behind it.
func withoutOwner(s string) string {
	return strings.TrimSuffix(strings.TrimSuffix(s, "'s"), "’s")
}
