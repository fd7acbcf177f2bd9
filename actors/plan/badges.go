package plan

// badges finds the words that nearly all names of a catalogue wear and nothing that is told has, as svc of svc_get_weather: they tell none from
// another. The zero value is ready.
type badges struct {
	n     int
	names map[string]int
	told  map[string]bool
}

// add takes the words of one more name, and those that are told beside it.
func (b *badges) add(name, told []string) {
	if b.names == nil {
		b.names, b.told = map[string]int{}, map[string]bool{}
	}
	b.n++
	seen := ""
	for _, w := range name {
		if w != seen {
			b.names[w]++
		}
		seen = w
	}
	for _, w := range told {
		b.told[w] = true
	}
}

// found are they; of few names none is.
func (b *badges) found() map[string]bool {
	const few, most = 5, 0.9
	out := map[string]bool{}
	for w, n := range b.names {
		if b.n >= few && float64(n) >= most*float64(b.n) && !b.told[w] {
			out[w] = true
		}
	}
	return out
}
