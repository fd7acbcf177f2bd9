package memory

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/hmap-project/hmap/actors/round"
	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/bus/bustest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// write appends a record of a task's root call and folds it.
func write(t testing.TB, b *bus.Bus, s *round.State, r bus.Record) {
	t.Helper()
	seq, err := b.Append(t.Context(), &r, s.Last)
	if err != nil {
		t.Fatal(err)
	}
	r.Seq = seq
	s.Fold(&r)
}

// begin writes a task's request, and end its response.
func begin(t testing.TB, b *bus.Bus, session, task string) *round.State {
	t.Helper()
	s := &round.State{}
	r := bus.Record{Kind: bus.KindRequest, Session: session, Task: task, Call: task, Agent: "master"}
	r.Request = &bus.Request{Session: session, Task: task, Call: task, ToolName: "master", JobDesc: "about " + task}
	write(t, b, s, r)
	return s
}

func end(t testing.TB, b *bus.Bus, s *round.State) {
	t.Helper()
	write(t, b, s, bus.Record{Kind: bus.KindResponse, Session: s.Session, Task: s.Task, Call: s.Call, Status: bus.OK, Observation: []byte(`"answer"`)})
}

// run is a task from its beginning to its end, and gives the turns that were before it.
func run(t testing.TB, b *bus.Bus, s *Sessions, session, task string, fresh bool) []string {
	t.Helper()
	st := begin(t, b, session, task)
	turns, err := s.Begin(t.Context(), st, fresh)
	if err != nil {
		t.Fatal(err)
	}
	end(t, b, st)
	if err := s.End(t.Context(), s.Leave(session, task), session, TurnOf(st)); err != nil {
		t.Fatal(err)
	}
	return tasks(turns)
}

// tasks names the turns, with "…" for those that have not ended.
func tasks(turns []Turn) (names []string) {
	for _, turn := range turns {
		name := turn.Task
		if !turn.Ended() {
			name += "…"
		}
		names = append(names, name)
	}
	return names
}

func expect(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

func kept(t *testing.T, b *bus.Bus, session string) bus.Snapshot {
	t.Helper()
	s, err := b.Snapshot(t.Context(), session)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestSessionGoesOn(t *testing.T) {
	b := bustest.New(t)
	here, there := NewSessions(b, 4000), NewSessions(b, 4000)
	expect(t, "first", run(t, b, here, "s", "t1", true))
	expect(t, "second", run(t, b, here, "s", "t2", false), "t1")
	expect(t, "on another node", run(t, b, there, "s", "t3", false), "t1", "t2")
	expect(t, "of another session", run(t, b, there, "s2", "t1", false))
	s := kept(t, b, "s")
	if s.Title != "about t1" || s.Tasks != 3 || !s.First.Before(s.Last) {
		t.Errorf("%+v", s)
	}
	st := begin(t, b, "s", "t4")
	if _, err := here.Begin(t.Context(), st, false); err != nil {
		t.Fatal(err)
	}
	// A call below the task sees what the task saw, whatever ends meanwhile.
	run(t, b, there, "s", "t5", false)
	child := &round.State{Session: "s", Task: "t4", Call: "t4-1-0"}
	for what, node := range map[string]*Sessions{"here": here, "there": there} {
		turns, err := node.Begin(t.Context(), child, false)
		if err != nil {
			t.Fatal(err)
		}
		expect(t, "a call below, "+what, tasks(turns), "t1", "t2", "t3")
	}
	if here.Leave("s", "t4"); len(here.begun)+len(there.begun) != 0 {
		t.Error("what nobody works on any more is held in memory")
	}
}

// What a node that is killed at any moment leaves behind is read on from.
func TestSessionAfterAKill(t *testing.T) {
	b := bustest.New(t)
	ctx := t.Context()
	s := NewSessions(b, 4000)
	run(t, b, s, "s", "t1", true)
	before := kept(t, b, "s")

	killed := begin(t, b, "s", "t2") // its node dies between the response and the snapshot
	end(t, b, killed)
	if now := kept(t, b, "s"); now.Revision != before.Revision {
		t.Fatal("there is a snapshot of it already")
	}
	expect(t, "after it", run(t, b, s, "s", "t3", false), "t1", "t2")
	// Whoever finds it ended keeps a snapshot, as often as it likes.
	for range 2 {
		if err := s.End(ctx, nil, "s", TurnOf(killed)); err != nil {
			t.Fatal(err)
		}
		expect(t, "then", run(t, b, s, "s", fmt.Sprint("t", time.Now().UnixNano()), false)[:3], "t1", "t2", "t3")
	}

	first := begin(t, b, "never-kept", "t1")
	end(t, b, first)
	if err := s.End(ctx, nil, "never-kept", TurnOf(first)); err != nil {
		t.Fatal(err)
	}
	if got := kept(t, b, "never-kept"); got.Tasks != 1 || got.Title != "about t1" {
		t.Errorf("%+v", got)
	}
	expect(t, "without any snapshot", run(t, b, s, "never-kept", "t2", false), "t1")
}

// A damaged snapshot, one of another version, and one with the head alone: the log is folded, and the snapshot is whole again.
func TestSessionHeals(t *testing.T) {
	b := bustest.New(t)
	s := NewSessions(b, 4000)
	run(t, b, s, "s", "t1", true)
	n := 1
	for _, damage := range []bus.Snapshot{
		{Seq: 1, Memory: []byte(`{"not":"turns"}`)},
		{Session: bus.Session{Title: "about t1", Tasks: 1}},
	} {
		damage.ID, damage.Revision = "s", kept(t, b, "s").Revision
		if err := b.KeepSnapshot(t.Context(), &damage); err != nil {
			t.Fatal(err)
		}
		n++
		var want []string
		for i := 1; i < n; i++ {
			want = append(want, fmt.Sprint("t", i))
		}
		expect(t, "after damage", run(t, b, s, "s", fmt.Sprint("t", n), false), want...)
		if got := kept(t, b, "s"); got.Tasks != n || got.Seq == 0 {
			t.Errorf("not healed: %+v", got)
		}
	}
}

// Tasks of one session that run at the same time on several nodes are all in the snapshot, each once.
func TestSessionWithTasksSideBySide(t *testing.T) {
	b := bustest.New(t)
	nodes := []*Sessions{NewSessions(b, 4000), NewSessions(b, 4000)}
	run(t, b, nodes[0], "s", "first", true)
	const tasks = 8
	var all sync.WaitGroup
	for i := range tasks {
		all.Go(func() { run(t, b, nodes[i%2], "s", fmt.Sprintf("t%d", i), false) })
	}
	all.Wait()
	got := run(t, b, nodes[0], "s", "last", false)
	slices.Sort(got)
	expect(t, "afterwards", got, "first", "t0", "t1", "t2", "t3", "t4", "t5", "t6", "t7")
	if s := kept(t, b, "s"); s.Tasks != tasks+2 {
		t.Errorf("%d tasks counted, want %d", s.Tasks, tasks+2)
	}
}

// Many tasks of one session that end together on one node take turns: one keeps itself, the next one all the others, and these find that they are kept.
func TestSessionWithManyEndsAtOnce(t *testing.T) {
	t.Parallel()
	b := bustest.New(t)
	s := NewSessions(b, 4000)
	run(t, b, s, "s", "first", true)
	states := make([]*round.State, 80)
	for i := range states {
		states[i] = begin(t, b, "s", fmt.Sprintf("t%d", i))
		if _, err := s.Begin(t.Context(), states[i], false); err != nil {
			t.Fatal(err)
		}
	}
	for _, st := range states {
		end(t, b, st)
	}
	before := kept(t, b, "s").Revision
	var all sync.WaitGroup
	for _, st := range states {
		all.Go(func() {
			if err := s.End(t.Context(), s.Leave("s", st.Task), "s", TurnOf(st)); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	got := kept(t, b, "s")
	if written := got.Revision - before; written > 2 || got.Tasks != len(states)+1 {
		t.Errorf("%d snapshots were written for %d tasks; %d are counted", written, len(states), got.Tasks)
	}
	if len(s.ending) > 0 {
		t.Errorf("turns that nobody waits for are left over: %v", s.ending)
	}
	done, err := s.inTurn(t.Context(), "s")
	if err != nil {
		t.Fatal(err)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.End(cancelled, nil, "s", TurnOf(states[0])); !errors.Is(err, context.Canceled) {
		t.Errorf("an end that waits for its turn and is cancelled: %v", err)
	}
	if done(); len(s.ending) > 0 {
		t.Errorf("a cancelled one stays: %v", s.ending)
	}
}

// Two tasks are submitted to one new session, and the one that it was made for begins later, its job having come late: both are remembered,
// in the order in which they began. Whoever says so of a session that there is changes nothing for others either.
func TestSessionThatIsNotFresh(t *testing.T) {
	b := bustest.New(t)
	here, there := NewSessions(b, 4000), NewSessions(b, 4000)
	early := begin(t, b, "s", "early")
	if _, err := here.Begin(t.Context(), early, false); err != nil {
		t.Fatal(err)
	}
	expect(t, "the late one", run(t, b, there, "s", "late", true)) // begins and ends while the early one runs
	end(t, b, early)
	if err := here.End(t.Context(), here.Leave("s", "early"), "s", TurnOf(early)); err != nil {
		t.Fatal(err)
	}
	expect(t, "the third", run(t, b, here, "s", "third", false), "early", "late")
	expect(t, "one that claims to be the first", run(t, b, there, "s", "liar", true))
	expect(t, "the last", run(t, b, here, "s", "last", false), "early", "late", "third", "liar")
	if s := kept(t, b, "s"); s.Tasks != 5 || s.Title != "about early" {
		t.Errorf("%d tasks counted, want 5; its title is %q", s.Tasks, s.Title)
	}
}

// A session that was removed does not come back out of what a node remembers.
func TestSessionRemovedMeanwhile(t *testing.T) {
	b := bustest.New(t)
	ctx := t.Context()
	s := NewSessions(b, 4000)
	run(t, b, s, "s", "old", true)
	st := begin(t, b, "s", "new")
	turns, err := s.Begin(ctx, st, false)
	if err != nil {
		t.Fatal(err)
	}
	expect(t, "before", tasks(turns), "old")
	if err := b.Remove(ctx, "s"); err == nil {
		t.Fatal("removed with a task that runs")
	}
	end(t, b, st)
	// Between its response and its snapshot.
	if err := b.Remove(ctx, "s"); err != nil {
		t.Fatal(err)
	}
	if err := s.End(ctx, s.Leave("s", "new"), "s", TurnOf(st)); err != nil {
		t.Fatal(err)
	}
	if got := kept(t, b, "s"); got.Tasks != 0 || len(got.Memory) > 0 {
		t.Errorf("it is back: %+v", got)
	}
	expect(t, "in a new one of that name", run(t, b, s, "s", "newer", false))
}

// No consumer is made on the way of a new task, and nothing is read for a fresh session: it costs one write.
func TestSessionCost(t *testing.T) {
	b := bustest.New(t)
	s := NewSessions(b, 4000)
	asked, err := b.Conn().SubscribeSync("$JS.API.>")
	if err != nil {
		t.Fatal(err)
	}
	run(t, b, s, "s", "t1", true)
	if err := b.Conn().Flush(); err != nil {
		t.Fatal(err)
	}
	if n, _, err := asked.Pending(); err != nil || n != 0 {
		t.Errorf("%d requests for a fresh session, %v", n, err)
	}
}

func BenchmarkSessions(b *testing.B) {
	x := bustest.New(b)
	s := NewSessions(x, 4000)
	for _, fresh := range []bool{true, false} {
		b.Run(fmt.Sprintf("fresh=%v", fresh), func(b *testing.B) {
			session := "long"
			n := 0
			for b.Loop() {
				b.StopTimer()
				n++
				task := fmt.Sprintf("t%d-%d", n, time.Now().UnixNano())
				if fresh {
					session = "s" + task
				}
				st := begin(b, x, session, task)
				b.StartTimer()
				if _, err := s.Begin(context.Background(), st, fresh); err != nil {
					b.Fatal(err)
				}
				b.StopTimer()
				end(b, x, st)
				b.StartTimer()
				if err := s.End(context.Background(), s.Leave(session, task), session, TurnOf(st)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
