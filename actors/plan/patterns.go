package plan

import (
	"fmt"
	"regexp/syntax"
)

// maxPatterns bounds what the patterns of one schema match when their repetitions are written out, in signs. A hundred ids of
// forty signs stay below it; (?:[a-z]?){1000} a thousand times over, which fits into 19 kB, does not: each text would be held
// against a million signs.
const maxPatterns = 4000

// simple says what is wrong with the patterns of a decoded schema; nil when they are small enough. It compiles none of them.
func simple(schema any) error {
	if n := patterns(schema); n > maxPatterns {
		return fmt.Errorf("its patterns match %d signs with repetitions written out, over the limit of %d; bound lengths by maxLength and maxItems", n, maxPatterns)
	}
	return nil
}

// patterns is the size of all patterns in a schema.
func patterns(v any) int {
	sum := 0
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			sum += patterns(e)
		}
	case map[string]any:
		for k, e := range v {
			if s, ok := e.(string); ok && k == "pattern" {
				sum += patternSize(s)
			}
			if m, ok := e.(map[string]any); ok && k == "patternProperties" {
				for p := range m {
					sum += patternSize(p)
				}
			}
			sum += patterns(e)
		}
	}
	return sum
}

// patternSize counts the signs and marks of a pattern; 0 of one that is none, which the validator reports.
func patternSize(s string) int {
	re, err := syntax.Parse(s, syntax.Perl)
	if err != nil {
		return 0
	}
	return writtenOut(re)
}

func writtenOut(re *syntax.Regexp) int {
	n := max(1, len(re.Rune))
	if re.Op == syntax.OpCharClass { // one sign of many
		n = 1
	}
	for _, sub := range re.Sub {
		n += writtenOut(sub)
	}
	if re.Op == syntax.OpRepeat {
		n *= max(1, re.Min, re.Max)
	}
	return n
}
