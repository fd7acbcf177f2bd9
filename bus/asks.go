package bus

import "slices"

// Asks are what a task waits for, oldest first. The zero value: nothing.
type Asks []Asking

// Asking is a question or an approval that a task waits for.
type Asking struct {
	Ask
	child string // the call that waits
}

// OpenAsks are the asks that a task waits for, by its records in the order of the log with what people said, see [Bus.Read].
func OpenAsks(records []Record) (open Asks) {
	for _, r := range records {
		open.Fold(r)
	}
	return open
}

// Fold takes the next record of the task into account. Only the root call asks people.
func (a *Asks) Fold(r Record) {
	if r.Call != r.Task {
		return
	}
	switch r.Kind {
	case KindAsk:
		if r.Ask != nil {
			a.drop(func(o Asking) bool { return o.ID == r.Ask.ID || r.Child != "" && o.child == r.Child })
			*a = append(*a, Asking{Ask: *r.Ask, child: r.Child})
		}
	case KindResult:
		a.drop(func(o Asking) bool { return r.Child != "" && o.child == r.Child })
	case KindInput:
		if r.Input != nil {
			a.hear(*r.Input)
		}
	case KindResponse:
		*a = nil
	}
}

// hear closes what an input answers: the ask it names, or the oldest.
func (a *Asks) hear(in Input) {
	switch {
	case in.Kind == Cancel:
		*a = nil
	case in.Kind == Steer || len(*a) == 0:
	case in.Ask == "":
		*a = (*a)[1:]
	default:
		a.drop(func(o Asking) bool { return o.ID == in.Ask })
	}
}

// drop keeps what was handed out as it is.
func (a *Asks) drop(which func(Asking) bool) { *a = slices.DeleteFunc(slices.Clone(*a), which) }

// Find is the open ask with that id, or the oldest for ""; nil: there is none.
func (a Asks) Find(id string) *Ask {
	for i := range a {
		if id == "" || a[i].ID == id {
			return &a[i].Ask
		}
	}
	return nil
}
