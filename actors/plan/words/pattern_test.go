package words

import (
	"regexp"
	"strings"
	"sync"
	"testing"
)

// What a pattern says of a text is what its expression says, and its automaton knows it beforehand.
func TestPattern(t *testing.T) {
	for _, c := range []struct {
		expr string
		yes  []string
		no   []string
	}{
		{`(?i)\b(?:compared (?:to|with)|than|versus|vs\.?)\s+(?:the )?(?:last|previous)\b`, []string{"better THAN the last", "vs. previous"}, []string{"than the lastly", "Show me all orders of Li Lei.", "上个月的订单"}},
		{`[?？]|吗|多少|几[个单件]`, []string{"why?", "多少", "几单", "为什么？"}, []string{"Show me all orders.", "列出上个月的订单", "几"}},
		{`(?i)task|skip`, []string{"TA\u017FK", "\u017F\u212AIP", "a Task"}, []string{"an order"}},
		{`(\d{1,2})\s*(?:位|digits?)`, []string{"12 digits", "3位"}, []string{"12 of them", "第 3 个"}},
		{`(?i)^(?:please )?café`, []string{"Please CAFÉ", "café"}, []string{"a café", ""}},
		{`a*`, []string{"", "b"}, nil},
		{`(?:ab|)$`, []string{"", "b"}, nil},
		{`\bid$`, []string{"id", "an id", "的id"}, []string{"did", "ids", "id ", "_id"}},
		{`(?m)^b$`, []string{"a\nb\nc", "b"}, []string{"ab\nbc"}},
		{`\B-\B`, []string{"-", "的-的"}, []string{"a-b", "a-"}},
		{`[#@]{2,}y?`, []string{"a##a"}, []string{"abc"}},
		{`[^a-z]`, []string{"A"}, []string{"a"}},
		{"\uFFFDa", []string{"\xffa"}, []string{"\xff"}},
		{`[ab]*a[ab]{14}c`, []string{strings.Repeat("abb", 4000) + "c"}, []string{strings.Repeat("abaab", 4000)}}, // of 2^15 states: too many to keep
	} {
		p := MustCompile(c.expr)
		if p.automaton() == nil {
			t.Errorf("%s has no automaton", c.expr)
		}
		for _, s := range c.yes {
			if !p.Regexp.MatchString(s) || !p.MatchString(s) || p.FindStringIndex(s) == nil {
				t.Errorf("%s: %.40q: the expression %v, the pattern %v", c.expr, s, p.Regexp.MatchString(s), p.MatchString(s))
			}
		}
		for _, s := range c.no {
			if p.Regexp.MatchString(s) || p.MatchString(s) || p.FindStringIndex(s) != nil {
				t.Errorf("%s: %.40q: the expression %v, the pattern %v", c.expr, s, p.Regexp.MatchString(s), p.MatchString(s))
			}
		}
		if n := len(*p.automaton().table.Load()); n > maxTable {
			t.Errorf("%s: a table of %d", c.expr, n)
		}
	}
}

// Many at once make the states of one pattern.
func TestPatternShared(t *testing.T) {
	p := MustCompile(`(?i)\b(?:cancel|refund|return)s?\s+(?:the|all|\d+)\s+orders?\b|取消.{0,6}订单`)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for _, s := range []string{"please Cancel the orders", "refund 12 order", "取消昨天的订单", "return those orders", "取消", "cancels all ordering"} {
				if p.MatchString(s) != p.Regexp.MatchString(s) {
					t.Errorf("%q", s)
				}
			}
		})
	}
	all.Wait()
}

// FuzzPattern holds a pattern to its expression, whatever that is.
func FuzzPattern(f *testing.F) {
	f.Add(`(?i)\b(?:not|never|no)\b|不要?`, "do NOT; 不")
	f.Add(`[^\d]k{1,3}[s-u]|(?:a|bc)+é`, "\u212As")
	f.Add(`(?:(?:x|y)?(?:ab|c)|d)$`, "ab\xff")
	f.Add(`(?m)^\Ba|b\B$`, "\na\nb")
	f.Fuzz(func(t *testing.T, expr, s string) {
		if len(expr) > 200 {
			return
		}
		if _, err := regexp.Compile(expr); err != nil {
			return
		}
		p := MustCompile(expr)
		for range 2 { // the second time by states that are known
			if matches := p.Regexp.MatchString(s); p.MatchString(s) != matches || p.may(s) != matches && matches {
				t.Fatalf("%q matches %q: %v, and its automaton says otherwise", expr, s, matches)
			}
		}
	})
}
