// Package mask keeps what is personal from language models: mobile numbers, identity cards, bank cards, e-mail addresses, and names and
// addresses that somebody listed. Before a text goes out a [Veil] puts placeholders such as <mobile-1> in their place, and what comes back gets
// the values again, so that the model can still hand them to tools and name them in answers. It is pure, and keeps nothing once a veil is gone.
//
// Promised: a value that is found is in no text that a veil has hidden, and Show(Hide(text)) is text, but for the signs of a listed name or address
// that JSON has as \u738b: those come back as they are. Not promised: that all is found. Numbers are known by their form and their check digit, names
// and addresses only when they are listed; pictures are not looked into.
package mask

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Kind is what is masked.
type Kind string

// The kinds that are found by their form.
const (
	Mobile   Kind = "mobile"    // of mainland China with or without +86, or any number that begins with +
	IDCard   Kind = "id_card"   // of 18 digits, by birthday and check digit (GB 11643)
	BankCard Kind = "bank_card" // of 13 to 19 digits, by check digit (Luhn, ISO/IEC 7812)
	Email    Kind = "email"
)

// The kinds that are listed.
const (
	person Kind = "name"
	place  Kind = "address"
)

// Kinds lists the kinds that are found by their form.
var Kinds = []Kind{Mobile, IDCard, BankCard, Email}

// Options say what is masked; nothing by default.
type Options struct {
	Kinds []Kind
	// Names and Addresses are masked wherever they stand, to the letter; at most 10,000 together, of 2 to 200 characters.
	Names, Addresses []string
}

// Rules are options, ready for use. They do not change, and are safe for concurrent use.
type Rules struct {
	mobile, idCard, bankCard, email bool

	listed map[[2]rune][]listed // by the first two signs, longest first
}

// listed is a name or an address.
type listed struct {
	text string
	kind Kind
}

const maxListed = 10_000

// New checks the options; nil rules when there is nothing to mask.
func New(o Options) (*Rules, error) {
	r := &Rules{listed: map[[2]rune][]listed{}}
	for _, k := range o.Kinds {
		switch k {
		case Mobile:
			r.mobile = true
		case IDCard:
			r.idCard = true
		case BankCard:
			r.bankCard = true
		case Email:
			r.email = true
		default:
			return nil, fmt.Errorf("mask: kind %.40q: want some of %v", k, Kinds)
		}
	}
	if len(o.Names)+len(o.Addresses) > maxListed {
		return nil, fmt.Errorf("mask: %d names and addresses, at most %d", len(o.Names)+len(o.Addresses), maxListed)
	}
	for kind, texts := range map[Kind][]string{person: o.Names, place: o.Addresses} {
		for _, text := range texts {
			// What breaks a JSON string could not be put back into arguments as it is.
			if n := utf8.RuneCountInString(text); n < 2 || n > 200 || !utf8.ValidString(text) || strings.ContainsAny(text, "\"\\<>\n\r\t") || strings.TrimSpace(text) != text {
				return nil, fmt.Errorf("mask: %s %.60q: want 2 to 200 characters, without quotes, backslashes, angle brackets and line breaks", kind, text)
			}
			first, n := utf8.DecodeRuneInString(text)
			second, _ := utf8.DecodeRuneInString(text[n:])
			begin := [2]rune{first, second}
			r.listed[begin] = append(r.listed[begin], listed{text, kind})
		}
	}
	for _, l := range r.listed {
		slices.SortFunc(l, func(a, b listed) int {
			if len(a.text) != len(b.text) {
				return len(b.text) - len(a.text)
			}
			return strings.Compare(a.text+string(a.kind), b.text+string(b.kind))
		})
	}
	if len(o.Kinds)+len(o.Names)+len(o.Addresses) == 0 {
		return nil, nil
	}
	return r, nil
}

// Blank puts <mobile> and the like in the place of what is found, for good.
func (r *Rules) Blank(text string) string {
	return replaced(text, r.find(text), func(_ string, k Kind) string { return "<" + label(k) + ">" })
}

// label is a kind in a placeholder.
func label(k Kind) string { return strings.ReplaceAll(string(k), "_", "-") }

// replaced is a text with something else for each of the hits.
func replaced(text string, hits []hit, with func(value string, k Kind) string) string {
	if len(hits) == 0 {
		return text
	}
	var b strings.Builder
	b.Grow(len(text))
	at := 0
	for _, h := range hits {
		b.WriteString(text[at:h.from])
		b.WriteString(with(cmp.Or(h.plain, text[h.from:h.to]), h.kind))
		at = h.to
	}
	b.WriteString(text[at:])
	return b.String()
}
