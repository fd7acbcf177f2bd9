package words

import (
	"regexp"
	"testing"
)

// What a pattern says of a text is what its expression says, and it runs it on few.
func TestPattern(t *testing.T) {
	for _, c := range []struct {
		expr string
		may  []string // texts on which it must be run, as they match
		not  []string // ordinary texts on which it is not
	}{
		{`(?i)\b(?:compared (?:to|with)|than|versus|vs\.?)\s+(?:the )?(?:last|previous)\b`, []string{"better THAN the last", "vs. previous"}, []string{"Show me all orders of Li Lei.", "上个月的订单"}},
		{`[?？]|吗|多少|几[个单件]`, []string{"why?", "多少", "几单", "为什么？"}, []string{"Show me all orders.", "列出上个月的订单"}},
		{`(?i)task|skip`, []string{"TA\u017FK", "\u017F\u212AIP", "a Task"}, []string{"an order"}},
		{`(\d{1,2})\s*(?:位|digits?)`, []string{"12 digits", "3位"}, []string{"12 of them", "第 3 个"}},
		{`\d+`, []string{"7"}, []string{"no figure"}},
		{`(?i)^(?:please )?café`, []string{"Please CAFÉ", "café"}, nil},
		{`a*`, []string{"", "b"}, nil},
		{`(?:ab|)`, []string{"", "b"}, nil},
		{`[#@]{2,}y?`, []string{"a##a"}, []string{"abc"}},
		{`(?:上|本)(?:周|月)(?:[一二三四五六日天])?`, []string{"上周五", "本月"}, []string{"每天", "last week"}},
		{`[^a-z]`, []string{"A"}, nil},
		{"\uFFFDa", []string{"\xffa"}, nil},
	} {
		p := MustCompile(c.expr)
		for _, s := range c.may {
			if !p.Regexp.MatchString(s) || !p.MatchString(s) {
				t.Errorf("%s: %q: the expression %v, the pattern %v", c.expr, s, p.Regexp.MatchString(s), p.MatchString(s))
			}
		}
		for _, s := range c.not {
			if p.May(s) {
				t.Errorf("%s: %q may match", c.expr, s)
			}
		}
	}
}

// FuzzPattern holds a pattern to its expression, whatever that is.
func FuzzPattern(f *testing.F) {
	f.Add(`(?i)\b(?:not|never|no)\b|不要?`, "do NOT; 不")
	f.Add(`[^\d]k{1,3}[s-u]|(?:a|bc)+é`, "\u212As")
	f.Add(`(?:(?:x|y)?(?:ab|c)|d)$`, "ab\xff")
	f.Fuzz(func(t *testing.T, expr, s string) {
		if len(expr) > 200 {
			return
		}
		if _, err := regexp.Compile(expr); err != nil {
			return
		}
		p := MustCompile(expr)
		if p.Regexp.MatchString(s) && !p.May(s) {
			t.Fatalf("%q matches %q and may not", expr, s)
		}
	})
}
