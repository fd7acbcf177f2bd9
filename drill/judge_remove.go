package drill

import (
	"slices"
	"strings"

	"github.com/hmap-project/hmap/bus"
)

// restore puts what the log had of removed sessions before beside what it has now, so that every other check judges them like all
// sessions. Missing are only records that were written down before somebody was sent to remove them.
func (e *Evidence) restore(now []logged) {
	have := map[uint64]bool{}
	for _, r := range now {
		e.Log, e.Stored[r.Seq], have[r.Seq] = append(e.Log, r.Record), r.stored, true
	}
	for _, r := range e.Removals {
		for _, rec := range r.Whole {
			if !have[rec.Seq] {
				e.Log, e.Stored[rec.Seq], e.Removed[rec.Seq] = append(e.Log, rec), r.stored[rec.Seq], true
			}
		}
	}
	slices.SortFunc(e.Log, func(a, b bus.Record) int { return int(a.Seq) - int(b.Seq) })
}

func removedWhole(e *Evidence) (bad []string) {
	removed := map[string]bool{}
	for _, r := range e.Removals {
		left := 0
		for _, rec := range r.Whole {
			if !e.Removed[rec.Seq] {
				left++
			}
		}
		gone := left == 0
		removed[r.Session] = gone
		half := func(format string, args ...any) {
			bad = append(bad, say("session %s (%s): ", r.Session, r.how())+say(format, args...))
		}
		switch {
		case left > 0 && left < len(r.Whole):
			half("%d of its %d records are left", left, len(r.Whole))
		case gone && r.Refused:
			half("it is gone")
		case !gone && r.Said:
			half("all of it is there")
		}
		for _, ref := range r.made() {
			if missing := slices.Contains(e.Missing, ref); missing != gone {
				half("record: gone %v, its file %s: gone %v", gone, ref, missing)
			}
		}
		for _, key := range e.Sessions {
			if name, mark := strings.CutSuffix(key, ".removal"); name == r.Session && (gone || mark) {
				half("%s is left of it in the list of sessions", key)
			}
		}
	}
	there := map[string]bool{}
	for _, r := range e.Log {
		there[r.Session] = there[r.Session] || !e.Removed[r.Seq]
	}
	for _, key := range e.Sessions {
		if _, known := removed[key]; !there[key] && !known && !strings.HasSuffix(key, ".removal") {
			bad = append(bad, say("%s is in the list of sessions, and the log has nothing of it", key))
		}
	}
	for _, r := range e.Log {
		if r.Kind == bus.KindRequest && r.Call == r.Task && !e.Removed[r.Seq] && !slices.Contains(e.Sessions, r.Session) {
			bad = append(bad, say("session %s has task %s, and is not in the list of sessions", r.Session, r.Task))
		}
	}
	return bad
}

func (r Removal) how() string {
	switch {
	case r.Said:
		return "said to be gone"
	case r.Refused:
		return "said to stay"
	}
	return "cut off while it was removed"
}

// made are the files that its calls made, and that go with it.
func (r Removal) made() []string {
	var all []string
	for _, rec := range r.Whole {
		if rec.Kind == bus.KindResult {
			for _, f := range rec.Files {
				all = append(all, f.Ref)
			}
		}
	}
	return all
}
