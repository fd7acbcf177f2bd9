package plan

import "testing"

// A value is told to ten places, and as near only where it is not the very one.
func TestSumOf(t *testing.T) {
	t.Parallel()
	for request, want := range map[string]string{
		"0.1^64": "0.1^64 = 1e-64", "1 / 3": "1 ÷ 3 ≈ 0.3333333333", "(1/3)^40": "(1 ÷ 3)^40 ≈ 8.22526334e-20", "根号2": "√2 ≈ 1.4142135624", "sqrt of 2": "√2 ≈ 1.4142135624", "2的平方根是多少": "√2 ≈ 1.4142135624",
		"根号16": "√16 = 4", "sqrt(2)^2": "√(2)^2 ≈ 2", "1到100的和": "1 + … + 100 = 5,050", "30是120的百分之几": "30 ÷ 120 = 25%", "计算 2026-11-22": "2026-11-22 是一个日期，不是算式。如果要相减，请写成：2026 - 11 - 22 =", "2026-11-22": "", "2026 - 11 - 22 =": "2026 - 11 - 22 = 1,993",
	} {
		if got := sumOf("zh", request); got != want {
			t.Errorf("%s: %q, want %q", request, got, want)
		}
	}
}
