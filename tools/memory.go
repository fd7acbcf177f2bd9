package tools

import (
	"crypto/sha256"
	"time"

	"github.com/hmap-project/hmap/bus"
)

// How many answers a tool keeps, and for how long. A caller asks again with the same call id when it has heard nothing for
// 30 s, or when its node died and another took over within seconds; two minutes cover both. 64 answers of at most 32 KiB
// are 2 MiB in the worst case.
const (
	keptAnswers = 64
	keptFor     = 2 * time.Minute
)

// memory keeps the last answers of a tool, so that a call that was repeated because its answer got lost is not run twice.
// It is lost with the process: what must never happen twice needs a ledger of the tool's own, keyed by the call id.
// The zero value is ready.
type memory struct {
	answers map[string]kept
	order   []string // oldest first
}

type kept struct {
	arguments [sha256.Size]byte // the sum of them
	answer    bus.Response
	until     time.Time
}

// keep remembers an answer, and forgets the oldest beyond the bounds.
func (m *memory) keep(key string, request bus.Request, answer bus.Response, now time.Time) {
	if m.answers == nil {
		m.answers = map[string]kept{}
	}
	if _, ok := m.answers[key]; ok {
		return // still the first answer
	}
	m.answers[key] = kept{sum(request), answer, now.Add(keptFor)}
	m.order = append(m.order, key)
	m.forget(now)
}

// recall returns the answer of a call: a refusal when the arguments are others.
func (m *memory) recall(key string, request bus.Request, now time.Time) (bus.Response, bool) {
	m.forget(now)
	k, ok := m.answers[key]
	if ok && k.arguments != sum(request) {
		return failed(otherArguments(request)), true
	}
	return k.answer, ok
}

func sum(r bus.Request) [sha256.Size]byte { return sha256.Sum256([]byte(plain(r.Parameter))) }

func (m *memory) forget(now time.Time) {
	for len(m.order) > 0 && (len(m.order) > keptAnswers || now.After(m.answers[m.order[0]].until)) {
		delete(m.answers, m.order[0])
		m.order = m.order[1:]
	}
}

// sameArguments reports whether two requests mean the same call: equal arguments, however they are spaced or ordered.
func sameArguments(a, b bus.Request) bool {
	if string(a.Parameter) == string(b.Parameter) {
		return true
	}
	return plain(a.Parameter) == plain(b.Parameter)
}

func plain(text []byte) string {
	if len(text) == 0 {
		return "{}"
	}
	value, err := parse(text)
	if err != nil {
		return string(text)
	}
	same, err := encode(value)
	if err != nil {
		return string(text)
	}
	return string(same)
}
