package plan

import (
	"math/big"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/figures"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// sumOf works out a request that is a sum and nothing else, exactly or to ten places; "" when it is none.
func sumOf(lang, request string) string {
	s, ok := wishes.ReadSum(request)
	switch {
	case !ok:
		return ""
	case s.Day:
		apart := strings.Join(strings.FieldsFunc(s.Text, func(r rune) bool { return r == '-' || r == '/' }), " - ")
		return words.Say(lang, "%s 是一个日期，不是算式。如果要相减，请写成：%s =", "%s is a day and no sum. If a subtraction is meant, type: %s =", s.Text, apart)
	case s.Value == nil:
		return words.Say(lang, "%s 没有结果：不能除以 0。", "%s has no value: nothing can be divided by 0.", s.Text)
	}
	const places, exact = 10, 512 // bits
	value, unit := s.Value, ""
	if s.Part {
		value, unit = new(big.Rat).Mul(value, big.NewRat(100, 1)), "%"
	}
	written := value.FloatString(places)
	rounded, _ := new(big.Rat).SetString(written)
	whole, rest, _ := strings.Cut(written, ".")
	text := figures.Thousands(whole)
	if rest = strings.TrimRight(rest, "0"); rest != "" {
		text += "." + rest
	}
	if rounded.Sign() == 0 && value.Sign() != 0 {
		text = new(big.Float).SetPrec(exact).SetRat(value).Text('g', places)
		rounded, _ = new(big.Rat).SetString(text)
	}
	return s.Text + words.Either(rounded.Cmp(value) == 0 && !s.Rough, " = ", " ≈ ") + text + unit
}
