package drill

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hmap-project/hmap/bus"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// second is the nth second of the evidence.
func second(n int) time.Time { return noon.Add(time.Duration(n) * time.Second) }

// sound is evidence in which every promise was kept: one task that fired, put and asked, was taken over in the middle, a second one that
// was refused leave, one that was poison, and two sessions more, of which one was removed and one was not let go.
func sound() *Evidence {
	e := &Evidence{
		Approved: map[string]time.Time{"t1-1-0-1-1": second(5), "t1-1-0-1-2-again-9": second(7)}, Refused: map[string]time.Time{"t2-1-0": second(17)},
		Counts: map[string]int{killed: 3, "floods": 1, "busy told": 1, "freezes: node": 2}, Planned: map[string]int{"floods": 1, "freezes: node": 4}, Wanted: Options{Kills: 3, Tasks: 2},
		Hostile: [][]byte{[]byte("not a task"), bytes.Repeat([]byte("long"), 2000), nil}, Deaths: []Death{{"node1-1", noon.Add(3 * time.Second)}},
		Dead: []bus.Dead{
			{Seq: 1, Cause: "invalid_request: no", Body: []byte("not a task")}, {Seq: 2, Cause: "invalid_request: no", Body: bytes.Repeat([]byte("long"), 1024)}, {Seq: 3, Cause: "invalid_request: no"},
			{Seq: 4, Cause: "poison: claimed 5 times", Body: []byte(`{"query":"x","session":"s"}`)}, {Seq: 5, Cause: "poison: taken 10 times", Tries: 11, Body: []byte(`{"query":"x","session":"s","task":"t5"}`)},
		},
		Files: []Kept{{Ref: "obj:1", Bytes: 10, Came: 10}},
		// Of t4, which was begun meanwhile, there was room for one more; t6 was refused.
		Floods: []Flood{{Begun: second(15), Ended: second(20), Accepted: queueBound + 1, Busy: []Refusal{
			{Session: "s", Task: "t6", Asked: second(17), Told: second(17).Add(time.Millisecond), Held: queueBound, Looked: second(18)}}}},
		Stored: map[uint64]time.Time{},
		Before: Residue{Durable: []string{"HMAP_LOG inputs=main"}, Entries: map[string]int{bus.NodesBucket: 2}, Consumers: map[string]int{"HMAP_LOG": 2}, Connections: map[string]int{"nodes": 2},
			Subscriptions: map[string]int{"nodes": 20}, Goroutines: map[string]int{"node1": 40}},
	}
	e.After = e.Before
	e.After.Cache = map[string]int{"lessons": 1}
	session := "s"
	add := func(r bus.Record) {
		r.HMAP, r.Session, r.Seq = bus.Version, session, uint64(len(e.Log)+1)
		r.Time = second(int(r.Seq))
		e.Stored[r.Seq] = r.Time
		e.Log = append(e.Log, r)
	}
	done := json.RawMessage(`"{\"done\":[\"a\",\"b\",\"c\"],\"answer\":\"red\"}"`)
	agent := "t1-1-0"
	add(bus.Record{Kind: bus.KindRequest, Task: "t1", Call: "t1", Node: "node1-1", Attempt: 1})
	add(bus.Record{Kind: bus.KindRequest, Task: "t1", Call: agent, Node: "node1-1", Attempt: 1})
	add(bus.Record{Kind: bus.KindIntent, Task: "t1", Call: agent, Node: "node1-1", Child: agent + "-1-0", ToolName: toolPut, Effect: bus.Idempotent})
	add(bus.Record{Kind: bus.KindIntent, Task: "t1", Call: agent, Node: "node1-1", Child: agent + "-1-1", ToolName: toolSign, Effect: bus.Unsafe})
	add(bus.Record{Kind: bus.KindIntent, Task: "t1", Call: agent, Node: "node1-1", Child: agent + "-1-2", ToolName: toolFire, Effect: bus.Unsafe})
	add(bus.Record{Kind: bus.KindClaim, Task: "t1", Call: agent, Node: "node2-1", Attempt: 2})
	add(bus.Record{Kind: bus.KindIntent, Task: "t1", Call: agent, Node: "node2-1", Child: agent + "-1-2", ToolName: toolFire, Effect: bus.Unsafe})
	for i, tool := range []string{toolPut, toolSign, toolFire} {
		add(bus.Record{Kind: bus.KindResult, Task: "t1", Call: agent, Node: "node2-1", Child: agent + "-1-" + string(rune('0'+i)), ToolName: tool, Status: bus.OK})
	}
	add(bus.Record{Kind: bus.KindResult, Task: "t1", Call: agent, Node: "node2-1", Child: agent + "-1-3", ToolName: toolFire, Status: bus.Failed,
		Error: &bus.Error{Code: bus.CodeUnavailable, Retryable: true}})
	add(bus.Record{Kind: bus.KindResponse, Task: "t1", Call: agent, Node: "node2-1", Status: bus.OK, Observation: done})
	add(bus.Record{Kind: bus.KindClaim, Task: "t1", Call: "t1", Node: "node2-1", Attempt: 2})
	add(bus.Record{Kind: bus.KindResponse, Task: "t1", Call: "t1", Node: "node2-1", Status: bus.OK, Observation: done})
	add(bus.Record{Kind: bus.KindInput, Task: "t1", Call: "t1", Input: &bus.Input{Kind: bus.Cancel}})
	add(bus.Record{Kind: bus.KindRequest, Task: "t2", Call: "t2", Node: "node2-1", Attempt: 1})
	add(bus.Record{Kind: bus.KindResult, Task: "t2", Call: "t2", Node: "node2-1", Child: "t2-1-0", ToolName: toolSign, Status: bus.Failed, Error: &bus.Error{Code: bus.CodeForbidden}})
	add(bus.Record{Kind: bus.KindResponse, Task: "t2", Call: "t2", Node: "node2-1", Status: bus.OK, Observation: json.RawMessage(`"no"`)})
	add(bus.Record{Kind: bus.KindRequest, Task: "t4", Call: "t4", Node: "node2-1", Attempt: 1, Request: &bus.Request{JobDesc: "x"}})
	add(bus.Record{Kind: bus.KindResponse, Task: "t4", Call: "t4", Node: "node2-2", Status: bus.Failed, Error: &bus.Error{Code: bus.CodePoison}})
	for _, session = range []string{"gone", "kept"} {
		from := len(e.Log)
		add(bus.Record{Kind: bus.KindRequest, Task: "t1", Call: "t1", Node: "node2-2", Attempt: 1})
		add(bus.Record{Kind: bus.KindResult, Task: "t1", Call: "t1", Node: "node2-2", Child: "t1-1-0", ToolName: "other", Status: bus.OK, Files: []bus.File{{Ref: "obj:" + session}}})
		add(bus.Record{Kind: bus.KindResponse, Task: "t1", Call: "t1", Node: "node2-2", Status: bus.OK, Observation: json.RawMessage(`"so"`)})
		e.Removals = append(e.Removals, Removal{Session: session, Whole: slices.Clone(e.Log[from:]), Said: session == "gone", Refused: session == "kept"})
	}
	e.Removed = map[uint64]bool{}
	for _, r := range e.Removals[0].Whole {
		e.Removed[r.Seq] = true
	}
	e.Missing, e.Sessions = []string{"obj:gone"}, []string{"s", "kept"}
	effect := func(call, tool string, kind bus.Effect, label string, after int) {
		e.Ledger = append(e.Ledger, Effect{Session: "s", Task: "t1", Call: call, Tool: tool, Effect: kind, Label: label, Time: second(after).Add(time.Nanosecond)})
	}
	effect(agent+"-1-0", toolPut, bus.Idempotent, "a", 3)
	effect(agent+"-1-0", toolPut, bus.Idempotent, "a", 4) // which is its right
	effect(agent+"-1-1", toolSign, bus.Unsafe, "b", 5)
	effect(agent+"-1-2", toolFire, bus.Unsafe, "c", 5)
	effect(agent+"-1-2", toolFire, bus.Unsafe, "c", 7) // with leave
	e.Tasks = []Told{
		{Client: byAsk, Session: "s", Task: "t1", Accepted: noon, Ended: noon.Add(time.Minute), Replied: "red",
			Answer: &bus.Response{Status: bus.OK, Observation: json.RawMessage(" " + strings.Replace(string(done), "red", `\u0072ed`, 1))}},
		{Client: byWindow, Session: "s", Task: "t2", Accepted: noon, Ended: noon.Add(time.Minute)},
		{Client: byPlain, Session: "s", Task: "t3"}, // nothing was promised
		{Client: byPub, Session: "gone", Task: "t1", Accepted: second(20), Ended: second(40)},
		{Client: flooding, Session: "s", Task: "t4", Accepted: second(18)}, // nobody looks
		{Client: flooding, Session: "s", Task: "t5", Accepted: second(18)}, // a dead letter
	}
	watched(e)
	return e
}

// watched lets somebody who came late see of each session what is there, and the client what there was until its tasks had ended.
func watched(e *Evidence) {
	e.Views = nil
	for _, session := range []string{"s", "gone", "kept"} {
		whole, part := View{Client: "late", Session: session, Whole: true}, View{Client: "websocket", Session: session}
		for i, r := range e.Log {
			if r.Session != session {
				continue
			}
			if !e.Removed[r.Seq] {
				whole.Seen = append(whole.Seen, glimpse(r))
			}
			if r.Kind == bus.KindResponse && r.Call == r.Task && r.Task != "t4" {
				part.Seen = nil
				for _, r := range e.Log[:i+1] {
					if r.Session == session {
						part.Seen = append(part.Seen, glimpse(r))
					}
				}
			}
		}
		e.Views = append(e.Views, whole, part)
	}
}

// Each check sees what it guards, and only that: the evidence is sound but for one thing.
func TestEachCheckSeesItsBreach(t *testing.T) {
	remove := func(e *Evidence, i int) { // a record that never was
		e.Log = slices.Delete(e.Log, i, i+1)
		e.Views = nil
	}
	find := func(e *Evidence, kind bus.Kind, call string) int {
		return slices.IndexFunc(e.Log, func(r bus.Record) bool { return r.Kind == kind && r.Call == call })
	}
	for _, c := range []struct {
		check, why string
		break_     func(*Evidence)
	}{
		{"", "", func(*Evidence) {}},
		{"accepted-kept", "lost", func(e *Evidence) { e.Tasks = append(e.Tasks, Told{Session: "s", Task: "t9", Accepted: noon}) }},
		{"one-end", "no end", func(e *Evidence) { remove(e, find(e, bus.KindResponse, "t2")) }},
		{"one-end", "two ends", func(e *Evidence) {
			r := e.Log[find(e, bus.KindResponse, "t2")]
			r.Seq = 99
			e.Log, e.Views = append(e.Log, r), nil
		}},
		{"one-end", "a record of a child call after its end", func(e *Evidence) {
			e.Log = append(e.Log, bus.Record{Kind: bus.KindRound, Session: "s", Task: "t1", Call: "t1-1-0", Node: "node2-1", Seq: 99})
			e.Views = nil
		}},
		{"one-writer", "a zombie's record", func(e *Evidence) { e.Log[9].Node, e.Views = "node1-1", nil }},
		{"one-writer", "a zombie's end", func(e *Evidence) { e.Log[find(e, bus.KindResponse, "t1")].Node, e.Views = "node1-1", nil }},
		{"one-writer", "begun twice", func(e *Evidence) { e.Log[find(e, bus.KindClaim, "t1")].Kind, e.Views = bus.KindRequest, nil }},
		{"one-writer", "a claim of a number that was", func(e *Evidence) { e.Log[find(e, bus.KindClaim, "t1")].Attempt, e.Views = 3, nil }},
		{"one-writer", "no request", func(e *Evidence) { remove(e, 1) }},
		{"intent-first", "no intent", func(e *Evidence) { remove(e, 2) }},
		{"intent-first", "an intent an hour too late", func(e *Evidence) { e.Ledger[0].Time = e.Ledger[0].Time.Add(-time.Hour) }},
		{"intent-first", "an intent of the same moment", func(e *Evidence) { e.Ledger[0].Time = second(3) }},
		{"intent-first", "an unsafe effect before its intent", func(e *Evidence) { e.Ledger[3].Time = second(2) }},
		{"unsafe-once", "twice before the second intent", func(e *Evidence) { e.Ledger[4].Time = second(6); e.Approved["t1-1-0-1-2-again-9"] = second(5) }},
		{"unsafe-once", "twice before the leave to repeat it", func(e *Evidence) { e.Approved["t1-1-0-1-2-again-9"] = second(8) }},
		{"unsafe-once", "twice without leave", func(e *Evidence) { delete(e.Approved, "t1-1-0-1-2-again-9") }},
		{"unsafe-once", "twice within one intent", func(e *Evidence) { remove(e, 6) }},
		{"unsafe-once", "three times with one leave", func(e *Evidence) { e.Ledger = append(e.Ledger, e.Ledger[4]) }},
		{"leave-first", "without leave", func(e *Evidence) { delete(e.Approved, "t1-1-0-1-1") }},
		{"leave-first", "leave came later", func(e *Evidence) { e.Approved["t1-1-0-1-1"] = second(6) }},
		{"ok-is-done", "nothing done", func(e *Evidence) { e.Ledger = slices.Delete(e.Ledger, 3, 5); e.Ledger[0].Label = "c" }},
		{"no-is-no", "done although never begun", func(e *Evidence) {
			e.Log[10].Child, e.Views = "t1-1-0-1-2", nil
		}},
		{"answer-true", "done is not done", func(e *Evidence) { e.Ledger[3].Label, e.Ledger[4].Label = "x", "x" }},
		{"answer-true", "another answer", func(e *Evidence) { e.Tasks[0].Answer.Observation = json.RawMessage(`"something else"`) }},
		{"answer-true", "another status", func(e *Evidence) { e.Tasks[0].Answer.Status = bus.Cancelled }},
		{"answer-true", "another's words", func(e *Evidence) { e.Tasks[0].Replied = "blue" }},
		{"view-exact", "missing", func(e *Evidence) { e.Views[0].Seen = slices.Delete(e.Views[0].Seen, 3, 4) }},
		{"view-exact", "missing at the end", func(e *Evidence) { e.Views[0].Seen = e.Views[0].Seen[:10] }},
		{"view-exact", "twice", func(e *Evidence) { e.Views[1].Seen = slices.Insert(e.Views[1].Seen, 4, e.Views[1].Seen[3]) }},
		{"view-exact", "out of order", func(e *Evidence) { s := e.Views[1].Seen; s[3], s[4] = s[4], s[3] }},
		{"view-exact", "changed", func(e *Evidence) { e.Views[1].Seen[2].Sum++ }},
		{"view-exact", "invented", func(e *Evidence) { e.Views[1].Seen = append(e.Views[1].Seen, Glimpse{Seq: 1000}) }},
		{"view-exact", "nothing was ever seen", func(e *Evidence) {
			for i := range e.Tasks {
				e.Tasks[i].Ended, e.Tasks[i].Answer = time.Time{}, nil
			}
			e.Views[1].Seen = nil
		}},
		{"view-exact", "an end that its client never saw", func(e *Evidence) { e.Tasks[1].Ended = time.Time{} }},
		{"view-exact", "an end that was none", func(e *Evidence) { e.Views[1].Seen = e.Views[1].Seen[:17] }},
		{"view-exact", "gone, and shown", func(e *Evidence) { e.Views[2].Seen = e.Views[3].Seen }},
		{"removed-whole", "a record is left", func(e *Evidence) { delete(e.Removed, 22); e.Views = nil }},
		{"removed-whole", "said to be gone, and there", func(e *Evidence) {
			clear(e.Removed)
			e.Missing, e.Sessions, e.Views = nil, append(e.Sessions, "gone"), nil
		}},
		{"removed-whole", "said to stay, and gone", func(e *Evidence) { e.Removals[0].Said, e.Removals[0].Refused = false, true }},
		{"removed-whole", "its file is left", func(e *Evidence) { e.Missing = nil }},
		{"removed-whole", "its snapshot is left", func(e *Evidence) { e.Sessions = append(e.Sessions, "gone") }},
		{"removed-whole", "its mark is left", func(e *Evidence) { e.Sessions = append(e.Sessions, "gone.removal") }},
		{"removed-whole", "the mark of one that stays", func(e *Evidence) { e.Sessions = append(e.Sessions, "kept.removal") }},
		{"removed-whole", "a file of one that stays", func(e *Evidence) { e.Missing = append(e.Missing, "obj:kept") }},
		{"removed-whole", "one is listed that never was", func(e *Evidence) { e.Sessions = append(e.Sessions, "other") }},
		{"removed-whole", "one that stays is not listed", func(e *Evidence) { e.Sessions = []string{"s"} }},
		{"removed-whole", "one that nobody removed is not listed", func(e *Evidence) { e.Sessions = []string{"kept"} }},
		{"files-whole", "cut", func(e *Evidence) { e.Files = []Kept{{Ref: "obj:1", Bytes: 10, Came: 9}} }},
		{"files-whole", "gone", func(e *Evidence) { e.Files = []Kept{{Ref: "obj:1", Bytes: 10, Came: 10, Err: "not found"}} }},
		{"busy-told", "never", func(e *Evidence) { e.Floods[0].Busy = nil }},
		{"busy-told", "by a queue that was half empty", func(e *Evidence) { e.Floods[0].Busy[0].Held = unseen - 2 }},
		{"busy-told", "by a queue that held too much", func(e *Evidence) { e.Floods[0].Busy[0].Held = queueBound + 1 }},
		{"busy-told", "and begun", func(e *Evidence) { e.Floods[0].Busy[0].Task = "t4" }},
		{"busy-told", "and a dead letter", func(e *Evidence) { e.Floods[0].Busy[0].Task = "t5" }},
		{"busy-told", "too late", func(e *Evidence) { e.Floods[0].Accepted = queueBound + unseen + 3 }},
		{"dead-explained", "an honest task", func(e *Evidence) { e.Dead[0].Body = []byte(`{"query":"honest"}`) }},
		{"dead-explained", "an empty one that nobody sent", func(e *Evidence) { e.Hostile = e.Hostile[:2] }},
		{"dead-explained", "two of one body", func(e *Evidence) { e.Dead = append(e.Dead, e.Dead[0]) }},
		{"dead-explained", "the beginning of a body", func(e *Evidence) { e.Dead[0].Body = []byte("not") }},
		{"dead-explained", "poison that nobody took", func(e *Evidence) { e.Dead = append(e.Dead, e.Dead[3]) }},
		{"dead-explained", "poison of another task", func(e *Evidence) { e.Dead[3].Body = []byte(`{"query":"y","session":"s"}`) }},
		{"dead-explained", "one that was tried too seldom", func(e *Evidence) { e.Dead[4].Tries = bus.MaxTries - 1 }},
		{"dead-explained", "poison that was begun", func(e *Evidence) {
			e.Dead = append(e.Dead, bus.Dead{Cause: "poison: taken 10 times", Tries: 11, Body: []byte(`{"query":"x","session":"s","task":"t2"}`)})
		}},
		{"nothing-left", "an open task", func(e *Evidence) { e.After.Open = []string{"s.t1"} }},
		{"nothing-left", "a submission", func(e *Evidence) { e.After.Queued = 1 }},
		{"nothing-left", "an input", func(e *Evidence) { e.After.Pending = 1 }},
		{"nothing-left", "a durable consumer", func(e *Evidence) { e.After.Durable = append(slices.Clone(e.After.Durable), "HMAP_LOG mine") }},
		{"nothing-left", "a mark in the index of open tasks", func(e *Evidence) { e.After.Entries = map[string]int{bus.OpenBucket: 1} }},
		{"nothing-left", "a dead node's lease", func(e *Evidence) { e.After.Entries = map[string]int{bus.NodesBucket: 3} }},
		{"nothing-left", "a saved tool", func(e *Evidence) { e.After.Entries = map[string]int{bus.ToolsBucket: 1} }},
		{"nothing-left", "what is cached of each session", func(e *Evidence) { e.After.Cache = map[string]int{"penalty": 2} }},
		{"nothing-left", "a consumer", func(e *Evidence) { e.After.Consumers = map[string]int{"HMAP_LOG": 3} }},
		{"nothing-left", "a connection", func(e *Evidence) { e.After.Connections = map[string]int{"nodes": 3} }},
		{"nothing-left", "a subscription", func(e *Evidence) { e.After.Subscriptions = map[string]int{"nodes": 99} }},
		{"nothing-left", "goroutines", func(e *Evidence) { e.After.Goroutines = map[string]int{"node1": 60} }},
		{"nothing-left", "a file", func(e *Evidence) { e.After.Files = []string{"x"} }},
		{"no-crash", "a crash", func(e *Evidence) { e.Crashes = []string{"node1 ended by itself"} }},
		{"trouble-made", "too few kills", func(e *Evidence) { e.Counts[killed] = 2 }},
		{"trouble-made", "too few tasks", func(e *Evidence) { e.Wanted.Tasks = 5 }},
		{"trouble-made", "too few freezes", func(e *Evidence) { e.Counts["freezes: node"] = 1 }},
		{"trouble-made", "none of one", func(e *Evidence) { e.Planned["quorum lost"] = 1 }},
		{"trouble-made", "no connection that met anybody", func(e *Evidence) { e.Planned["connections: deaf"] = 2 }},
		{"ok-is-done", "done after it was said", func(e *Evidence) { e.Ledger[2].Time = second(9).Add(time.Nanosecond) }},
		{"trouble-made", "no removals", func(e *Evidence) {
			e.Removals, e.Log, e.Tasks = nil, e.Log[:20], append(e.Tasks[:3], e.Tasks[4])
			e.Wanted.Tasks, e.Views, e.Sessions = 3, nil, []string{"s"}
		}},
	} {
		t.Run(strings.TrimSpace(c.check+" "+c.why), func(t *testing.T) {
			e := sound()
			c.break_(e)
			if e.Views == nil { // the log itself is broken, and they saw it
				watched(e)
			}
			findings := Audit(e)
			for _, f := range findings {
				if seen := len(f.Breaches) > 0; seen != (f.Name == c.check) {
					t.Errorf("%s: %q", f.Name, f.Breaches)
				}
				if c.check == "" && f.word() != "OK" {
					t.Errorf("%s: %s", f.Name, f.word())
				}
			}
			for i, f := range Audit(keptAndRead(t, e, findings)) {
				if len(f.Breaches) != len(findings[i].Breaches) || f.Judged != findings[i].Judged {
					t.Errorf("%s, from the evidence that was kept: %q of %d, not %q of %d", f.Name, f.Breaches, f.Judged, findings[i].Breaches, findings[i].Judged)
				}
			}
		})
	}
}

// keptAndRead is the evidence as its files have it.
func keptAndRead(t *testing.T, e *Evidence, findings []Finding) *Evidence {
	t.Helper()
	dir, back := t.TempDir(), &Evidence{}
	if err := keep(dir, e, findings); err != nil {
		t.Fatal(err)
	}
	read := func(name string, into any) {
		text, err := os.ReadFile(filepath.Join(dir, name+".json"))
		if err = errors.Join(err, json.Unmarshal(text, into)); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	fields := reflect.ValueOf(back).Elem()
	for i := range fields.NumField() {
		read(strings.ToLower(fields.Type().Field(i).Name), fields.Field(i).Addr().Interface())
	}
	put := func(into []bus.Record, from []placed) {
		for i, p := range from {
			into[i].Seq = p.Seq
		}
	}
	var log []placed
	var removals []keptRemoval
	read("log", &log)
	read("removals", &removals)
	put(back.Log, log)
	for i, r := range removals {
		put(back.Removals[i].Whole, r.Whole)
	}
	return back
}

// Where nothing happened, no check says that its promise was kept.
func TestNothingIsNotKept(t *testing.T) {
	for _, f := range Audit(&Evidence{}) {
		if f.word() == "OK" {
			t.Errorf("%s is kept where nothing happened", f.Name)
		}
	}
}

// Each section of promises in bus/doc.go names checks that are there, and each check that is a promise of the bus is named.
func TestPromisesNameTheirChecks(t *testing.T) {
	doc, err := os.ReadFile("../bus/doc.go")
	if err != nil {
		t.Fatal(err)
	}
	known, named := map[string]bool{}, map[string]bool{}
	for _, c := range Checks {
		if known[c.Name] || c.Promise == "" {
			t.Errorf("%q stands twice, or promises nothing", c.Name)
		}
		known[c.Name] = true
	}
	sections := strings.Split(string(doc), "\n// # ")[1:]
	for _, s := range sections {
		title, _, _ := strings.Cut(s, "\n")
		if !strings.Contains(s, "\n// Guarded by ") {
			t.Errorf("%s: it does not say what guards it", title)
		}
		_, guards, _ := strings.Cut(s, "\n// Guarded by hmap drill: ")
		guards, _, _ = strings.Cut(guards, "\n")
		for _, name := range regexp.MustCompile(`[a-z]+(?:-[a-z]+)+`).FindAllString(guards, -1) {
			if named[name] = true; !known[name] {
				t.Errorf("%s: there is no check %s", title, name)
			}
		}
	}
	for name := range known {
		if !named[name] && name != "trouble-made" {
			t.Errorf("%s guards no promise of bus/doc.go", name)
		}
	}
}

func TestFigures(t *testing.T) {
	e := sound()
	e.Tasks = e.Tasks[:1]
	if got := e.Latencies(); len(got) != 0 {
		t.Errorf("a task that asked counts: %v", got)
	}
	e.Tasks[0].Replied = ""
	if got := e.Latencies(); len(got) != 1 || got.At(0.5) != time.Minute {
		t.Error(got)
	}
	if got := e.Takeovers(); len(got) != 1 || got[0] != 10*time.Second {
		t.Error(got)
	}
}

// What was written down of a session before it was sent to be removed is judged on; what is missing of any other is missing.
func TestRestore(t *testing.T) {
	log := []logged{{bus.Record{Session: "a", Seq: 1}, second(1)}, {bus.Record{Session: "b", Seq: 2}, second(2)}, {bus.Record{Session: "a", Seq: 3}, second(3)}}
	b := newBook()
	b.removal("a", []logged{log[0], log[2]})
	e := &Evidence{Stored: map[uint64]time.Time{}, Removed: map[uint64]bool{}, Removals: []Removal{*b.removals[0]}}
	e.restore(log[2:]) // the half of a is gone, and all of b
	if len(e.Log) != 2 || e.Log[0].Seq != 1 || !e.Removed[1] || e.Removed[3] || !e.Stored[1].Equal(second(1)) || !e.Stored[3].Equal(second(3)) {
		t.Errorf("%+v", e)
	}
	if bad := removedWhole(e); len(bad) != 1 || !strings.Contains(bad[0], "1 of its 2 records") {
		t.Errorf("%q", bad)
	}
}

// A session is removed only when every call in it has ended.
func TestSettled(t *testing.T) {
	request, response := logged{Record: bus.Record{Kind: bus.KindRequest, Call: "c"}}, logged{Record: bus.Record{Kind: bus.KindResponse, Call: "c"}}
	for _, c := range []struct {
		log  []logged
		want bool
	}{{nil, false}, {[]logged{request}, false}, {[]logged{request, response}, true}, {[]logged{request, response, {Record: bus.Record{Kind: bus.KindRequest, Call: "d"}}}, false}} {
		if settled(c.log) != c.want {
			t.Errorf("%+v: want %v", c.log, c.want)
		}
	}
}
