package mask

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// run is digits in groups, with one [gap] between two of them.
type run struct {
	plus   bool
	groups []group
	to     int
}

// group is digits without anything between them.
type group struct {
	from, to int
	digits   string
	x        bool // X follows at once, the check digit of an identity card
}

// shortest is how many bytes the shortest number has, which is +1234567.
const shortest = 8

// longest is how many digits the longest number has, a bank card.
const longest = 19

// read takes the run that begins at a place; false: there is none, and i is to be left behind.
func (n *run) read(text string, i int) bool {
	begin := i
	*n = run{groups: n.groups[:0]}
	if text[i] == '+' {
		n.plus = true
		i++
	}
	for {
		g := group{from: i}
		for i < len(text) && digit(text[i]) {
			i++
		}
		g.digits = text[g.from:i]
		if _, size := digitAt(text, i); size > 0 { // full width
			var b strings.Builder
			b.WriteString(g.digits)
			for d, size := digitAt(text, i); size > 0; d, size = digitAt(text, i) {
				b.WriteByte(d)
				i += size
			}
			g.digits = b.String()
		}
		if g.digits == "" {
			break
		}
		if g.to = i; i < len(text) && (text[i] == 'X' || text[i] == 'x') && (i+1 == len(text) || !alnum(text[i+1])) {
			g.x = true
		}
		n.groups = append(n.groups, g)
		n.to = i
		between := gap(text, i)
		if g.x || between == 0 {
			break
		}
		if _, size := digitAt(text, i+between); size == 0 {
			break
		}
		i += between
	}
	if len(n.groups) > 0 && n.to-begin >= shortest {
		n.trim(text, begin)
	}
	return len(n.groups) > 0
}

// gap is how many bytes a space or hyphen at a place has, of those that people and programs set between digits; 0: there is none.
func gap(text string, i int) int {
	if i >= len(text) {
		return 0
	}
	if text[i] == ' ' || text[i] == '-' {
		return 1
	}
	if r, size := utf8.DecodeRuneInString(text[i:]); strings.ContainsRune("\u00a0\u2009\u202f\u3000‐‑‒–—－", r) {
		return size
	}
	return 0
}

// trim takes away what is part of something else: the fraction or the whole part of a decimal number, and digits in a word that has others
// too, as a hash has. A fraction of zeros alone is none: programs write so what they took for numbers. Names of files part words by _.
func (n *run) trim(text string, begin int) {
	word := func(i int) bool { return alnum(text[i]) }
	first, last := &n.groups[0], &n.groups[len(n.groups)-1]
	i := begin - 1
	if i > 0 && text[i] == '.' && digit(text[i-1]) {
		first.digits = ""
	}
	if escapedSign(text, i-5) { // a sign escaped in JSON is none of these digits' word
		i = -1
	}
	for ; i >= 0 && word(i); i-- {
		if digit(text[i]) {
			first.digits = ""
			break
		}
	}
	i = last.to
	if last.x {
		return
	}
	if i < len(text) && text[i] == '.' {
		for i++; i < len(text) && text[i] == '0'; i++ {
		}
		zeros := i
		for ; i < len(text) && digit(text[i]); i++ {
		}
		if i > zeros && (i == len(text) || !letter(text[i])) { // and not the ending of a name, as .7z
			last.digits = ""
		}
		i = last.to
	}
	for ; i < len(text) && word(i); i++ {
		if digit(text[i]) {
			last.digits = ""
			break
		}
	}
}

// numbers are the values in a run: at each group the longest that is one.
func (r *Rules) numbers(n *run) []hit {
	if n.to-n.groups[0].from < shortest-1 {
		return nil
	}
	var hits []hit
	for k := 0; k < len(n.groups); {
		taken := 0
		for many := min(6, len(n.groups)-k); many > 0 && taken == 0; many-- {
			groups := n.groups[k : k+many]
			kind := r.kind(groups, n.plus && k == 0)
			if kind == "" {
				continue
			}
			h := hit{groups[0].from, groups[many-1].to, kind, ""}
			if n.plus && k == 0 {
				h.from--
			}
			if kind == IDCard && groups[many-1].x {
				h.to++
			}
			hits, taken = append(hits, h), many
		}
		k += max(taken, 1)
	}
	return hits
}

// kind is what some groups are together; "": nothing. plus: a + stands before them.
func (r *Rules) kind(groups []group, plus bool) Kind {
	size := 0
	for _, g := range groups {
		if g.digits == "" {
			return ""
		}
		size += len(g.digits)
	}
	if size > longest || size < shortest-1 || !plus && size < 11 {
		return ""
	}
	shape := make([]int, len(groups))
	for i, g := range groups {
		shape[i] = len(g.digits)
	}
	var b strings.Builder
	for _, g := range groups {
		b.WriteString(g.digits)
	}
	digits, x := b.String(), groups[len(groups)-1].x
	switch {
	case r.idCard && (x && size == 17 || !x && size == 18) && one(shape, idShapes) && idCard(digits, x):
		return IDCard
	case r.mobile && mobile(digits, shape, plus):
		return Mobile
	case r.bankCard && !plus && size >= 13 && size <= 19 && cardShape(shape) && luhn(digits):
		return BankCard
	}
	return ""
}

// How the parts of numbers are set apart.
var (
	idShapes     = [][]int{{18}, {17}, {6, 8, 4}, {6, 8, 3}}
	mobileShapes = [][]int{{11}, {3, 4, 4}}
)

func one(shape []int, of [][]int) bool {
	return slices.ContainsFunc(of, func(s []int) bool { return slices.Equal(s, shape) })
}

// mobile reports whether digits are a mobile number of mainland China (1, then 3 to 9, eleven digits, 86 or 0086 before it), or, behind a +,
// of any country: E.164 has 7 to 15 digits, of which the first is none of a country's when it is 0.
func mobile(digits string, shape []int, plus bool) bool {
	if plus {
		return len(digits) >= 8 && len(digits) <= 15 && digits[0] != '0'
	}
	for _, prefix := range []string{"", "86", "0086"} {
		own, ok := strings.CutPrefix(digits, prefix)
		if !ok || len(own) != 11 || own[0] != '1' || own[1] < '3' {
			continue
		}
		rest := slices.Clone(shape)
		switch {
		case prefix == "":
		case rest[0] == len(prefix):
			rest = rest[1:]
		default:
			rest[0] -= len(prefix)
		}
		if one(rest, mobileShapes) {
			return true
		}
	}
	return false
}

// idCard checks the birthday and the check digit of an identity card of mainland China (GB 11643-1999, after ISO 7064 mod 11-2). x: its last
// sign is X.
func idCard(digits string, x bool) bool {
	year, month, day := number(digits[6:10]), number(digits[10:12]), number(digits[12:14])
	if year < 1850 || year > 2150 || month < 1 || month > 12 || day < 1 || day > 31 {
		return false
	}
	weights := [17]int{7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2}
	sum := 0
	for i, w := range weights {
		sum += w * int(digits[i]-'0')
	}
	check := "10X98765432"[sum%11]
	if x {
		return check == 'X'
	}
	return check == digits[17]
}

func number(digits string) int {
	n := 0
	for _, c := range []byte(digits) {
		n = 10*n + int(c-'0')
	}
	return n
}

// cardShape reports whether a card is written like this: in one, by fours, or the bank's six first.
func cardShape(shape []int) bool {
	switch {
	case len(shape) == 1:
		return true
	case len(shape) == 2:
		return shape[0] == 6
	case slices.Equal(shape, []int{4, 6, 5}): // American Express
		return true
	}
	for i, n := range shape {
		if n != 4 && (i < len(shape)-1 || n > 4) {
			return false
		}
	}
	return len(shape) >= 4
}

// luhn checks the check digit of a bank card. The first digit says who issued it; with 0, 1, 7 and 8 nobody does who gives cards to people.
func luhn(digits string) bool {
	if strings.IndexByte("234569", digits[0]) < 0 || strings.Count(digits, digits[:1]) == len(digits) {
		return false
	}
	sum := 0
	for i := range len(digits) {
		d := int(digits[len(digits)-1-i] - '0')
		if i%2 == 1 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return sum%10 == 0
}
