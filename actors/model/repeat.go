package model

import "strings"

// repeatWindow is how much text at the end of an answer must be one short text again and again before it counts as endless
// repetition, and repeatUnit how long that text may be, in bytes. So it stands there at least 16 times. Rulers and tables
// of zeros in real answers stay far below.
const (
	repeatWindow = 4096
	repeatUnit   = 256
)

// repeats reports whether text ends in endless repetition. Loops that change a little each time (numbered lists) are not
// seen; they end at the size of an answer.
func repeats(text string) bool {
	if len(text) < repeatWindow {
		return false
	}
	w := text[len(text)-repeatWindow:]
	// What repeats has its last characters once more within the length of a unit: most texts end here, at a hundredth of the cost.
	const tail = 16
	if n := len(w); !strings.Contains(w[n-tail-repeatUnit:n-1], w[n-tail:]) {
		return false
	}
	// The border table of Knuth, Morris and Pratt: what remains beside the longest border is the smallest period.
	border := make([]int16, len(w))
	k := int16(0)
	for i := 1; i < len(w); i++ {
		for k > 0 && w[i] != w[k] {
			k = border[k-1]
		}
		if w[i] == w[k] {
			k++
		}
		border[i] = k
	}
	return len(w)-int(k) <= repeatUnit
}
