package model

import (
	"sync"
	"unicode/utf8"

	"github.com/tiktoken-go/tokenizer"
)

// The vocabulary takes about 16 ms and 20 MB to load, so it waits for the first who counts.
var o200k = sync.OnceValues(func() (tokenizer.Codec, error) { return tokenizer.Get(tokenizer.O200kBase) })

// CountTokens counts the tokens of a text by o200k_base. For models that are not OpenAI's this is an estimate; add a
// tenth where it matters. Safe from many goroutines.
func CountTokens(text string) int {
	codec, err := o200k()
	total := 0
	for len(text) > 0 {
		part := text
		if len(part) > countPart {
			n := countPart
			for n > countPart-utf8.UTFMax && !utf8.RuneStart(part[n]) {
				n--
			}
			part = part[:n]
		}
		text = text[len(part):]
		n, e := 0, err
		if e == nil {
			n, e = codec.Count(part)
		}
		if e != nil {
			n = utf8.RuneCountInString(part) // never too few
		}
		total += n
	}
	return total
}

// countPart is how many bytes are counted at once. A single long word costs the square of its length; a border adds at
// most a token or two.
const countPart = 4096
