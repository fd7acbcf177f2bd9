package wishes

import (
	"math/big"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/words"
)

// A sum that a request is, and nothing else: 2+3等于多少, 12乘以8, what is 15% of 240. It is worked out exactly, and no tool is called for it. A request with one
// word more is none.

var (
	sumAsked = words.MustCompile(`(?i)^\s*(?:请问|请|麻烦|帮我|给我|算一下|算算|计算一下|计算|算|求|(?:please|could you|can you|what is|what's|whats|how much is|how much are|calculate|compute|work out)\b|\s)+`)
	sumEnd   = words.MustCompile(`(?i)(?:的值|等于(?:多少|几|什么|啥)?|得(?:多少|几)|是?(?:多少|几)|结果是?(?:多少)?|equals?(?: what)?|make[s]?|\s|[=?？。.!！,，呢啊呀吗])+$`)
	ofWhole  = words.MustCompile(`(?i)^(.+?)(?:占|是)(.+?)的(?:百分之(?:几|多少)|几成)$|^(?:what (?:per ?cent(?:age)?|%) (?:of (.+) is (.+)|is (.+) of (.+)))$|^(.+) is what (?:per ?cent(?:age)?|%) of (.+)$`)
	// A form of its own for what is written the other way round.
	sumForms = []struct {
		re *words.Pattern
		to string
	}{
		{words.MustCompile(`百分之(` + words.HanNumber + `(?:\.\d+)?)`), `${1}%`},
		{words.MustCompile(`(?i)\s*\bper ?cent\b`), `%`},
		{words.MustCompile(`([\d.,]+)的([\d.]+|[一二三四五六七八九十百]+)%`), `$1*$2%`},
		{words.MustCompile(`(?i)%\s*of\b`), `%*`},
		{words.MustCompile(`(^|[^\d.)\s%零一二两三四五六七八九十百千万亿])\s*(-\d+(?:\.\d+)?)(的(?:平方|立方|\S{1,3}次方))`), `$1($2)$3`}, // unlike -3^2
		{words.MustCompile(`(?i)(?:the )?(?:square root of|sqrt(?: of)?)\s*|(?:开)?根号(?:下)?\s*`), `√`}, {words.MustCompile(`(?i)(?:the )?cube root of\s*|cbrt(?: of)?\s*|三次根号(?:下)?\s*`), `∛`},
		{words.MustCompile(`(\d+(?:\.\d+)?)(?:的(?:算术)?平方根|开(?:平)?方|开根号)`), `√$1`}, {words.MustCompile(`(\d+(?:\.\d+)?)(?:的立方根|开立方)`), `∛$1`},
		{words.MustCompile(`的?(\d{1,3}|[二三四五六七八九十])次方`), `^$1`}, {words.MustCompile(`的?平方`), `^2`}, {words.MustCompile(`的?立方`), `^3`},
		{words.MustCompile(`(?i)\s+squared\b`), `^2`}, {words.MustCompile(`(?i)\s+cubed\b`), `^3`}, {words.MustCompile(`(?i)\s*\bto the power of\b|\*\*`), `^`},
		{words.MustCompile(`(?i)加上?|\bplus\b|＋`), `+`}, {words.MustCompile(`(?i)减去?|\bminus\b|[－−–]`), `-`},
		{words.MustCompile(`(?i)乘以?上?|\b(?:times|multiplied by)\b|[×＊]`), `*`},
		{words.MustCompile(`(\d)\s*[xX]\s*(\d)`), `$1*$2`}, {words.MustCompile(`(?i)除以|\bdivided by\b|[÷／]`), `/`},
	}
	sumToken = words.MustCompile(`^\s*(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|[零一二两三四五六七八九十百]+|[-+*/^()%√∛]|[千万亿])`)
	// mayBeNoSum: a date, a part of a number, a fraction that names something: 2026-11-22, 24/7.
	mayBeNoSum = words.MustCompile(`^[\d]+(?:[-/]\d+)+$`)
	// aDay is no sum, even where one is asked for: only the sign of equality makes it one.
	aDay = words.MustCompile(`^(?:19|20)\d\d([-/])(?:0?[1-9]|1[0-2])[-/](?:0?[1-9]|[12]\d|3[01])$`)
	isEq = words.MustCompile(`[=＝]|等于|减|minus`)
)

// maxSum bounds a sum: bytes of its text, digits of a number in it, the largest exponent, and bits of what comes out of a product or a power, which those
// of brackets would let grow without end.
const (
	maxSum      = 200
	maxDigits   = 30
	maxExponent = 1024
	maxBits     = 8192
)

// Sum is a request that asks for the value of an expression.
type Sum struct {
	Text  string   // the expression, as it was read
	Value *big.Rat // nil: it divides by zero
	Part  bool     // as a part of a whole: 0.25 is 25 %
	Day   bool     // it is a day, of which a sum was asked; only Text is given
	Rough bool     // there is a root in it, and the value is near to the true one, by far more places than are told
}

// ReadSum reads a request that is a sum and nothing else.
func ReadSum(request string) (Sum, bool) {
	text := strings.TrimSpace(request)
	if len(text) > maxSum || !strings.ContainsAny(text, "0123456789零一二两三四五六七八九十百") {
		return Sum{}, false
	}
	text = strings.NewReplacer("（", "(", "）", ")", "％", "%", "　", " ").Replace(text)
	bare := sumAsked.ReplaceAllString(text, "")
	bare = strings.TrimSpace(bare)
	if m := ofWhole.FindStringSubmatch(strings.TrimRight(bare, " ?？。.")); m != nil {
		var part, whole string
		switch {
		case m[1] != "":
			part, whole = m[1], m[2]
		case m[3] != "":
			part, whole = m[4], m[3]
		case m[5] != "":
			part, whole = m[5], m[6]
		default:
			part, whole = m[7], m[8]
		}
		s, ok := reckon("(" + part + ")/(" + whole + ")")
		if ok {
			s.Text, s.Part = operand(part)+" ÷ "+operand(whole), true
		}
		return s, ok
	}
	short := sumEnd.ReplaceAllString(bare, "")
	if mayBeNoSum.MatchString(short) && short == text {
		return Sum{}, false
	}
	if aDay.MatchString(short) && !isEq.MatchString(text) {
		return Sum{Text: short, Day: true}, true
	}
	for _, said := range []string{strings.TrimRight(bare, " ?？。."), short} { // the sign of a factorial is no mark
		if s, ok := readSeries(said); ok {
			return s, true
		}
	}
	s, ok := reckon(short)
	return s, ok
}

// operand is one side of a division as it was written, in brackets where it is a sum itself.
func operand(text string) string {
	text = strings.TrimSpace(text)
	if _, ok := reckon(text); ok {
		return "(" + text + ")"
	}
	return text
}

// reckon reads an expression to its end.
func reckon(text string) (Sum, bool) {
	for _, f := range sumForms {
		text = f.re.ReplaceAllString(text, f.to)
	}
	p := &sumReader{}
	for rest := text; strings.TrimSpace(rest) != ""; {
		m := sumToken.FindStringSubmatch(rest)
		if m == nil || len(p.tokens) > maxSum/2 {
			return Sum{}, false
		}
		p.tokens, rest = append(p.tokens, m[1]), rest[len(m[0]):]
	}
	v := p.sum()
	if p.bad || p.at < len(p.tokens) || p.operators == 0 {
		return Sum{}, false
	}
	return Sum{Text: p.written(), Value: v, Rough: p.rough}, true
}

// sumReader reads tokens from left to right, at most maxSum; a nil value is that of a division by zero.
type sumReader struct {
	tokens    []string
	at        int
	operators int
	bad       bool
	rough     bool
}

func (p *sumReader) next() string {
	if p.at < len(p.tokens) {
		return p.tokens[p.at]
	}
	return ""
}

func (p *sumReader) sum() *big.Rat {
	v := p.product()
	for op := p.next(); op == "+" || op == "-"; op = p.next() {
		p.at++
		p.operators++
		w := p.product()
		switch {
		case v == nil || w == nil:
			v = nil
		case op == "+":
			v = new(big.Rat).Add(v, w)
		default:
			v = new(big.Rat).Sub(v, w)
		}
	}
	return v
}

func (p *sumReader) product() *big.Rat {
	v := p.signed()
	for op := p.next(); op == "*" || op == "/"; op = p.next() {
		p.at++
		p.operators++
		w := p.signed()
		switch {
		case v == nil || w == nil || op == "/" && w.Sign() == 0:
			v = nil
		case op == "*":
			v = p.bounded(new(big.Rat).Mul(v, w))
		default:
			v = p.bounded(new(big.Rat).Quo(v, w))
		}
	}
	return v
}

// bounded is a value, or 0 and no sum where it is too long.
func (p *sumReader) bounded(v *big.Rat) *big.Rat {
	if v.Num().BitLen()+v.Denom().BitLen() > maxBits {
		p.bad = true
		return new(big.Rat)
	}
	return v
}

// signed reads a power with the signs before it: -2^2 is -4.
func (p *sumReader) signed() *big.Rat {
	if p.next() != "-" {
		return p.power()
	}
	p.at++
	v := p.signed()
	if v != nil {
		v = new(big.Rat).Neg(v)
	}
	return v
}

func (p *sumReader) power() *big.Rat {
	v := p.value()
	if p.next() != "^" {
		return v
	}
	p.at++
	p.operators++
	w := p.value()
	if v == nil || w == nil || !w.IsInt() || w.Sign() < 0 || w.Cmp(big.NewRat(maxExponent, 1)) > 0 || p.next() == "^" {
		p.bad = true
		return v
	}
	out := big.NewRat(1, 1)
	for range w.Num().Int64() {
		out = p.bounded(out.Mul(out, v))
	}
	return out
}

// value reads a number with what stands behind it, or what stands in brackets.
func (p *sumReader) value() *big.Rat {
	token := p.next()
	p.at++
	var v *big.Rat
	switch {
	case token == "√", token == "∛":
		p.operators++
		if v = p.value(); v != nil {
			v = p.root(v, words.Either(token == "√", 2, 3))
		}
		return v
	case token == "(":
		v = p.sum()
		if p.next() != ")" {
			p.bad = true
		}
		p.at++
	default:
		v = sumNumber(token)
		if v == nil {
			p.bad = true
			return new(big.Rat)
		}
	}
	for {
		unit := map[string]*big.Rat{"%": big.NewRat(1, 100), "千": big.NewRat(1000, 1), "万": big.NewRat(10_000, 1), "亿": big.NewRat(100_000_000, 1)}[p.next()]
		if unit == nil {
			return v
		}
		p.at++
		if v != nil {
			v = new(big.Rat).Mul(v, unit)
		}
	}
}

// sumNumber is a number in figures or Chinese signs; nil when it is none, or too long.
func sumNumber(token string) *big.Rat {
	token = strings.ReplaceAll(token, ",", "")
	if token == "" || len(token) > maxDigits {
		return nil
	}
	if token[0] >= '0' && token[0] <= '9' {
		v, _ := new(big.Rat).SetString(token)
		return v
	}
	if n, ok := words.Number(token); ok {
		return new(big.Rat).SetInt64(int64(n))
	}
	return nil
}

// written is the expression with spaces between its parts.
func (p *sumReader) written() string {
	var b strings.Builder
	for i, t := range p.tokens {
		binary := strings.Contains("+-*/", t) && i > 0 && !strings.Contains("+-*/^(√∛", p.tokens[i-1])
		switch {
		case binary:
			b.WriteString(" " + strings.NewReplacer("*", "×", "/", "÷").Replace(t) + " ")
		default:
			b.WriteString(t)
		}
	}
	return b.String()
}
