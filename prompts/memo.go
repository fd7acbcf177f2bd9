package prompts

import (
	"sync"
	"text/template"
)

// memo keeps the texts made last: an agent wants the same one in each round of a task, and filling in a template takes 6 µs. The
// zero value is empty. Safe for concurrent use.
type memo struct {
	mu sync.Mutex
	// What is wanted again moves from old to young; when young is full it becomes old, and what is in old by then is forgotten.
	young, old map[filled]string
	size       int // of young, in bytes
}

// filled is a template and what it is filled in with, which is all that a text depends on.
type filled struct {
	template *template.Template
	vars     Vars
}

// maxYoung bounds one of the two generations, in bytes: the prompts of some 300 tasks.
const maxYoung = 1 << 20

func (m *memo) get(t *template.Template, v Vars) (string, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	f := filled{t, v}
	if text, ok := m.young[f]; ok {
		return text, true
	}
	text, ok := m.old[f]
	if ok {
		m.add(f, text)
	}
	return text, ok
}

func (m *memo) keep(t *template.Template, v Vars, text string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.add(filled{t, v}, text)
}

func (m *memo) add(f filled, text string) {
	size := len(text) + len(f.vars.Task) + len(f.vars.Context) + len(f.vars.Files) + len(f.vars.Text)
	if size > maxYoung/16 {
		return // it would drive out too many others
	}
	if m.young == nil || m.size+size > maxYoung {
		m.young, m.old, m.size = map[filled]string{}, m.young, 0
	}
	if _, there := m.young[f]; !there {
		m.young[f] = text
		m.size += size
	}
}
