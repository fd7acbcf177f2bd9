package mask

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Veil hides the values of one exchange with a model, and puts them back into what it says. Make one with [Rules.Veil]. The same value has the
// same placeholder all the time. Not safe for concurrent use.
type Veil struct {
	rules    *Rules
	byValue  map[string]string // placeholders
	byName   map[string]string // values, by placeholder
	count    map[Kind]int
	reserved map[string]bool // placeholders that somebody wrote, and that stand for themselves
}

// Veil is a new veil that hides nothing yet.
func (r *Rules) Veil() *Veil {
	return &Veil{rules: r, byValue: map[string]string{}, byName: map[string]string{}, count: map[Kind]int{}, reserved: map[string]bool{}}
}

// Reserve makes sure that what looks like a placeholder in a text already is never used for a value. It is to be called with all texts of the
// exchange before the first is hidden.
func (v *Veil) Reserve(text string) {
	for i := strings.IndexByte(text, '<'); i >= 0; {
		if n := placeholder(text[i:]); n > 0 {
			v.reserved[text[i:i+n]] = true
		}
		next := strings.IndexByte(text[i+1:], '<')
		if next < 0 {
			return
		}
		i += 1 + next
	}
}

// Hides reports whether anything is hidden.
func (v *Veil) Hides() bool { return len(v.byName) > 0 }

// Hide is a text with placeholders for what is to be masked.
func (v *Veil) Hide(text string) string { return replaced(text, v.rules.find(text), v.name) }

// HideJSON is Hide for a JSON value, in which a number that is hidden becomes a string. What is no JSON is hidden as text.
func (v *Veil) HideJSON(raw []byte) []byte {
	if len(v.rules.find(string(raw))) == 0 && !bytes.ContainsRune(raw, '\\') { // behind an escape something may be hidden from us
		return raw
	}
	var b bytes.Buffer
	in := jsontext.NewDecoder(bytes.NewReader(raw), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	out := jsontext.NewEncoder(&b, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	for in.PeekKind() > 0 {
		t, err := in.ReadToken()
		if err == nil {
			switch t.Kind() {
			case '"':
				t = jsontext.String(v.Hide(t.String()))
			case '0':
				if s := t.String(); v.Hide(s) != s {
					t = jsontext.String(v.Hide(s))
				}
			}
			err = out.WriteToken(t)
		}
		if err != nil {
			return []byte(v.Hide(string(raw)))
		}
	}
	if out.StackDepth() > 0 || b.Len() == 0 {
		return []byte(v.Hide(string(raw)))
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// name is the placeholder of a value.
func (v *Veil) name(value string, k Kind) string {
	if n, ok := v.byValue[value]; ok {
		return n
	}
	for {
		v.count[k]++
		n := "<" + label(k) + "-" + strconv.Itoa(v.count[k]) + ">"
		if !v.reserved[n] {
			v.byValue[value], v.byName[n] = n, value
			return n
		}
	}
}

// Show is a text with the values in the place of their placeholders, also where < and > are escaped as JSON may have them. A placeholder that
// was never given out stays. Values hold nothing that a JSON string would have to escape.
func (v *Veil) Show(text string) string {
	shown, rest := v.Open(text)
	return shown + rest
}

// Open is Show for text that comes in pieces: rest is its end that may be the beginning of a placeholder, to be put before the next piece.
func (v *Veil) Open(text string) (shown, rest string) {
	if len(v.byName) == 0 {
		return text, ""
	}
	var b strings.Builder
	at := 0
	for i := 0; i < len(text); i++ {
		if text[i] != '<' && text[i] != '\\' {
			continue
		}
		n := placeholder(text[i:])
		if n == 0 {
			continue
		}
		if n < 0 {
			rest = text[i:]
			text = text[:i]
			break
		}
		if value, ok := v.byName[canonical(text[i:i+n])]; ok {
			b.WriteString(text[at:i])
			b.WriteString(value)
			at = i + n
			i += n - 1
		}
	}
	if at == 0 {
		return text, rest
	}
	b.WriteString(text[at:])
	return b.String(), rest
}

// The escapes of < and > in JSON; a placeholder may be written with either, the letters of the numbers in both cases.
const (
	opening = `\u003c`
	closing = `\u003e`
	// maxNumber is how many digits the number of a placeholder has at most.
	maxNumber = 6
)

// labels are the kinds as placeholders have them.
var labels = func() (all []string) {
	for _, k := range append([]Kind{person, place}, Kinds...) {
		all = append(all, label(k)+"-")
	}
	return all
}()

// placeholder is the length of the placeholder that a text begins with; 0: it begins with none, -1: it ends before that can be known.
func placeholder(text string) int {
	n := sign(text, '<', opening)
	if n <= 0 {
		return n
	}
	rest, short := text[n:], false
	for _, l := range labels {
		if len(rest) < len(l) && strings.HasPrefix(l, rest) {
			short = true
		}
		own, ok := strings.CutPrefix(rest, l)
		if !ok {
			continue
		}
		d := 0
		for d < len(own) && d < maxNumber && digit(own[d]) {
			d++
		}
		switch {
		case d == len(own):
			return -1
		case d == 0:
			return 0
		}
		end := sign(own[d:], '>', closing)
		if end <= 0 {
			return end
		}
		return n + len(l) + d + end
	}
	if short {
		return -1
	}
	return 0
}

// sign is the length of a bracket that a text begins with, escaped or not; 0: another sign, -1: it ends in an escape that may become it.
func sign(text string, bracket byte, escape string) int {
	switch {
	case text == "":
		return -1
	case text[0] == bracket:
		return 1
	case len(text) >= len(escape) && strings.EqualFold(text[:len(escape)], escape):
		return len(escape)
	case len(text) < len(escape) && strings.EqualFold(escape[:len(text)], text):
		return -1
	}
	return 0
}

// canonical is a placeholder with plain brackets.
func canonical(p string) string {
	if p[0] == '\\' {
		p = "<" + p[len(opening):]
	}
	if !strings.HasSuffix(p, ">") {
		p = p[:len(p)-len(closing)] + ">"
	}
	return p
}
