// Package memory reads a session's log as memory: the conversation so far, its files, and what of it fits into a model's
// window. Everything in it is a fold over records; nothing is kept that the log does not hold. So that a long session need not be
// read whole for each task, the fold is kept in the bus as a snapshot, which is a cache and nothing more.
package memory

import (
	"fmt"
	"slices"
	"strings"
)

// Fit splits turns into the newest that together have at most limit tokens, and the older ones before them. An answer is shortened
// to a quarter of the limit before a turn is given up. count gives the tokens of a text.
func Fit(turns []Turn, limit int, count func(string) int) (older, recent []Turn) {
	left := limit
	for i := len(turns) - 1; i >= 0; i-- {
		t := turns[i]
		cost := count(t.Request) + count(t.Answer)
		if cost > limit/4 {
			t.Answer = Shorten(t.Answer, limit/4)
			cost = count(t.Request) + count(t.Answer)
		}
		if cost > left {
			return turns[:i+1], recent
		}
		left -= cost
		recent = slices.Insert(recent, 0, t)
	}
	return nil, recent
}

// Files is the index of a session's artifacts, newest last, each once: a line each with name and description.
func Files(turns []Turn) string {
	var lines, refs []string
	for _, t := range turns {
		for _, f := range t.Files {
			if !slices.Contains(refs, f.Ref) {
				refs = append(refs, f.Ref)
				lines = append(lines, fmt.Sprintf("- %s (%s, %d B, %s) %s", f.Name, f.Type, f.Bytes, f.Ref, f.Description))
			}
		}
	}
	return strings.Join(lines, "\n")
}

// Digest is the conversation in a few lines, for an agent that is handed a part of it: at most max characters, newest kept.
func Digest(turns []Turn, max int) string {
	var parts []string
	for i := len(turns) - 1; i >= 0 && max > 0; i-- {
		part := "- " + Shorten(turns[i].Request, 200)
		if turns[i].Answer != "" {
			part += " → " + Shorten(turns[i].Answer, 200)
		}
		if max -= len([]rune(part)); max < 0 {
			break
		}
		parts = append(parts, part)
	}
	slices.Reverse(parts)
	return strings.Join(parts, "\n")
}

// Shorten cuts a text to at most max characters and says so with "…". The cut is in the middle of the last third, since the end
// of a text often holds its sum.
func Shorten(text string, max int) string {
	if len(text) <= max || max < 1 { // as nearly always, and told without taking it apart
		return text
	}
	r := []rune(text)
	if len(r) <= max {
		return text
	}
	if max < 12 {
		return string(r[:max-1]) + "…"
	}
	tail := max / 4
	return string(r[:max-tail-1]) + "…" + string(r[len(r)-tail:])
}
