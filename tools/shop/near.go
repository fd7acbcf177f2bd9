package shop

import (
	"slices"
	"strings"
)

// nearest gives up to n of the words that share most with said: by common characters over all characters of both (Dice), at
// least .4, the same order for the same input.
func nearest(said string, words []string, n int) []string {
	type scored struct {
		word  string
		score float64
	}
	var all []scored
	for _, w := range words {
		if score := alike(strings.ToLower(said), strings.ToLower(w)); score >= .4 {
			all = append(all, scored{w, score})
		}
	}
	slices.SortStableFunc(all, func(a, b scored) int {
		switch {
		case a.score > b.score:
			return -1
		case a.score < b.score:
			return 1
		}
		return strings.Compare(a.word, b.word)
	})
	var near []string
	for _, s := range all[:min(n, len(all))] {
		near = append(near, s.word)
	}
	return near
}

// alike is twice the characters in common over the characters of both, 0–1. Spaces do not count.
func alike(a, b string) float64 {
	counts, total, common := map[rune]int{}, 0, 0
	for _, r := range a {
		if r != ' ' {
			counts[r]++
			total++
		}
	}
	for _, r := range b {
		if r == ' ' {
			continue
		}
		total++
		if counts[r] > 0 {
			counts[r]--
			common++
		}
	}
	if total == 0 {
		return 0
	}
	return 2 * float64(common) / float64(total)
}
