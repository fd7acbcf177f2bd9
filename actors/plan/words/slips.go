package words

import "strings"

// Inflected gives a word the ending that a slip for it has: "cancled orders" are no wish to cancel.
func Inflected(word, like string) string {
	for _, ending := range []string{"ed", "ing", "s"} {
		if word != "" && strings.HasSuffix(like, ending) && !strings.HasSuffix(word, ending) {
			if ending != "s" {
				word = strings.TrimSuffix(word, "e")
			}
			return word + ending
		}
	}
	return word
}

// Undoubled is a word with each letter once where it stands twice: cancell, cancel.
func Undoubled(w string) string {
	var out strings.Builder
	for i := range len(w) {
		if i == 0 || w[i] != w[i-1] {
			out.WriteByte(w[i])
		}
	}
	return out.String()
}

// PartOfCode reports whether a Latin word belongs to a code, an address or a number: SF-awb, awating@example.org.
func PartOfCode(s string, p Piece) bool {
	joint := func(i int) bool {
		return i >= 0 && i < len(s) && (strings.IndexByte("-_@/\\#$.:+", s[i]) >= 0 || s[i] >= '0' && s[i] <= '9')
	}
	// a full stop or colon that ends a sentence joins nothing
	return joint(p.Start-1) || joint(p.End) && (p.End+1 < len(s) && s[p.End+1] != ' ' && s[p.End+1] != '\n')
}

// Slip reports whether two words differ by one slip of the fingers: a letter more, less, other, or two in the wrong order. Their first
// letters must be the same, since slips there are rare and other words are many.
func Slip(a, b string) bool {
	if a == b || a == "" || b == "" || a[0] != b[0] || len(a)-len(b) > 1 || len(b)-len(a) > 1 {
		return false
	}
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	ra, rb := a[i:], b[i:]
	switch {
	case len(ra) > len(rb):
		return ra[1:] == rb
	case len(rb) > len(ra):
		return rb[1:] == ra
	case len(ra) > 1 && ra[0] == rb[1] && ra[1] == rb[0] && ra[2:] == rb[2:]:
		return true
	}
	return len(a) >= 6 && ra[1:] == rb[1:] // short words with another letter are other words
}
