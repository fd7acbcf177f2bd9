package bus

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/micro"
)

func names(d *Directory) []string {
	var s []string
	for _, c := range d.Cards() {
		s = append(s, c.Name)
	}
	return s
}

// await waits until the directory is as wanted.
func await(t *testing.T, d *Directory, what string, want func() bool) {
	t.Helper()
	ctx := within(t)
	for {
		changed := d.Changed()
		if want() {
			return
		}
		select {
		case <-changed:
		case <-ctx.Done():
			t.Fatalf("never %s; cards %v, rejected %+v", what, names(d), d.Rejected())
		}
	}
}

// Where no service of any program is, NATS says so; a stranger's, or one that comes, takes that back.
func TestDirectoryOfNobody(t *testing.T) {
	b := newBus(t)
	d := must(b.Directory(within(t)))
	if !d.Nobody() {
		t.Error("nobody is there, and may be slow to answer")
	}
	stranger := must(micro.AddService(beside(t, b).Conn(), micro.Config{Name: "stranger", Version: "1.0.0"}))
	await(t, d, "somebody", func() bool { return !d.Nobody() })
	if err := stranger.Stop(); err != nil {
		t.Fatal(err)
	}
	await(t, d, "nobody again", d.Nobody)
	serve(t, b, toolCard("a"), echo)
	await(t, d, "one", func() bool { return len(d.Cards()) == 1 && !d.Nobody() })
}

// Who says at each sweep what it said before is not read again, and is still heard: what it says anew is, and its going, and its coming back.
func TestSweeperReadsEachAnswerOnce(t *testing.T) {
	s := newSweeper(newBus(t))
	s.dir.now.Store(&snapshot{changed: make(chan struct{})})
	answer := func(event Event, description string) *nats.Msg {
		card := toolCard("a")
		card.Description = description
		meta := must(card.metadata())
		meta["since"] = "2026-11-22T00:00:00Z"
		return &nats.Msg{Data: must(json.Marshal(Announcement{Event: event, ServiceIdentity: micro.ServiceIdentity{Name: "a", ID: "id1", Version: "1.0.0", Metadata: meta}}))}
	}
	one, other := answer("", "one"), answer("", "other")
	for i, step := range []struct {
		m       *nats.Msg
		changed bool
	}{{one, true}, {one, false}, {other, true}, {one, true}, {one, false}, {answer(Gone, "one"), true}, {one, false}, {answer(Here, "one"), true}, {one, false}} {
		before := s.seen["id1"]
		if before != nil {
			before.missed = 2
		}
		if got := s.hear(step.m); got != step.changed {
			t.Errorf("step %d: changed %v", i, got)
		}
		if in := s.seen["id1"]; !in.gone && in.missed != 0 {
			t.Errorf("step %d: %d sweeps are missed", i, in.missed)
		}
	}
	if n := testing.AllocsPerRun(100, func() { s.hear(one) }); n != 0 {
		t.Errorf("%v allocations to hear what was heard before", n)
	}
}

func TestDirectoryComeAndGo(t *testing.T) {
	b := newBus(t)
	other := beside(t, b)
	card := toolCard("b")
	card.Timeout, card.Cost, card.Tags, card.Approval = 90*time.Second, 0.5, []string{"订单", "x,y"}, "ask"
	serve(t, other, card, echo)
	d, err := b.Directory(within(t))
	if err != nil {
		t.Fatal(err)
	}
	await(t, d, "there", func() bool { return slices.Equal(names(d), []string{"b"}) })
	got, ok := d.Get("b")
	card.Version = "1.0.0"
	if !ok || !reflect.DeepEqual(got, card) {
		t.Errorf("card %+v, want %+v", got, card)
	}
	version := d.Version()
	took := time.Hour
	for n := 0; n < 10 && took > 2*sweepEvery; n++ { // by the sweeps alone it takes three, each time; a slow machine may be so slow once
		begin := time.Now()
		a := serve(t, other, toolCard("a"), echo)
		await(t, d, "two", func() bool { return slices.Equal(names(d), []string{"a", "b"}) })
		a.Stop()
		await(t, d, "one again", func() bool { return slices.Equal(names(d), []string{"b"}) })
		took = time.Since(begin)
	}
	if took > 2*sweepEvery {
		t.Errorf("coming and going was seen after %v", took)
	}
	if d.Version() <= version {
		t.Error("the version did not grow")
	}
	if e := d.Entries(); len(e) != 1 || e[0].Node != other.Node() || e[0].Since.IsZero() {
		t.Errorf("entries %+v", e)
	}
	if again := must(b.Directory(within(t))); again != d {
		t.Error("a second directory")
	}
}

// The first sweep waits for a service that is slow to answer, though nobody else has answered for longer than that.
func TestDirectoryWaitsForTheSlow(t *testing.T) {
	t.Parallel()
	s := startServer(t, ServerOptions{NoSync: true, Listen: "127.0.0.1:0"})
	url, way := relayed(t, s, "PONG")
	serve(t, connect(t, Options{URL: url}), toolCard("slow"), echo)
	asker := connect(t, Options{Server: s})
	way.held.Lock()
	time.AfterFunc(3*firstQuiet, way.held.Unlock)
	if d := must(asker.Directory(within(t))); !slices.Equal(names(d), []string{"slow"}) {
		t.Errorf("there are %v", names(d))
	}
}

// Killed means: it answers no more, and said nothing.
func TestDirectoryKilled(t *testing.T) {
	t.Parallel()
	b := newBus(t)
	other := beside(t, b)
	serve(t, other, toolCard("a"), echo)
	d := must(b.Directory(within(t)))
	await(t, d, "there", func() bool { return len(d.Cards()) == 1 })
	other.nc.Close()
	await(t, d, "gone", func() bool { return len(d.Cards()) == 0 })
}

// A call that finds nobody tells the directory; but who serves it himself, came since, or has a node that is alive is not forgotten for it.
func TestDirectoryHearsOfVacancies(t *testing.T) {
	b := newBus(t)
	other, third := beside(t, b), beside(t, b)
	serve(t, other, toolCard("killed"), echo)
	serve(t, other, toolCard("kept"), echo)
	d := must(b.Directory(within(t)))
	await(t, d, "there", func() bool { return len(d.Cards()) == 2 })
	other.nc.Close()
	for ctx := within(t); ctx.Err() == nil; { // until the server has noticed
		if _, err := b.nc.Request(CallSubject(b.o.Tenant, "killed"), nil, 20*time.Millisecond); errors.Is(err, nats.ErrNoResponders) {
			break
		}
	}
	began := time.Now()
	r := must(b.Call(within(t), Request{Session: "s1", Task: "t1", Call: "t1-1-0", ToolName: "killed"}, nil))
	if r.Error == nil || r.Error.Code != CodeUnavailable || !r.Error.Retryable {
		t.Fatalf("%+v", r)
	}
	await(t, d, "without it", func() bool { _, there := d.Get("killed"); return !there })
	if _, there := d.Get("kept"); !there && time.Since(began) < sweepEvery {
		t.Error("another one is gone, too")
	}
	lease := must(third.Lease(within(t)))
	defer lease.Close()
	for b.goneNode(third.Node()) == nil {
		runtime.Gosched() // until the lease is seen
	}
	asked := time.Now()
	s := &sweeper{bus: b, seen: map[string]*instance{
		"old": {card: Card{Name: "x"}}, "new": {card: Card{Name: "x"}, heard: asked.Add(time.Millisecond)},
		"leased": {card: Card{Name: "x"}, node: third.Node()}, "other": {card: Card{Name: "y"}},
	}}
	if !s.vacate(vacancy{"x", asked}) || len(s.seen) != 3 || s.seen["old"] != nil {
		t.Errorf("left: %v", slices.Sorted(maps.Keys(s.seen)))
	}
}

// Who withdraws may have been asked just before: his answer, which comes behind that, does not bring him back. His own word does.
func TestDirectoryGoneIsGone(t *testing.T) {
	b := newBus(t)
	d := must(b.Directory(within(t)))
	card := toolCard("x").filled()
	meta := must(card.metadata())
	meta["tenant"] = "main"
	s := newSweeper(b)
	s.dir.now.Store(d.now.Load())
	hear := func(event Event) bool {
		s.hear(&nats.Msg{Data: must(json.Marshal(Announcement{Version, event, micro.ServiceIdentity{Name: "x", ID: "id", Version: card.Version, Metadata: meta}}))})
		s.publish()
		_, there := s.dir.Get("x")
		return there
	}
	const answer = Event("")
	for i, step := range []struct {
		event Event
		there bool
	}{{answer, true}, {Gone, false}, {answer, false}, {Gone, false}, {answer, false}, {Here, true}, {answer, true}, {Gone, false}} {
		if hear(step.event) != step.there {
			t.Errorf("step %d, %q: want %v", i, step.event, step.there)
		}
	}
	for range missedMost {
		s.forget()
	}
	if len(s.seen) != 0 {
		t.Error("it is kept for ever")
	}
}

// Slow is not gone: nobody forgets what he serves himself, nor soon what a node serves whose lease holds.
func TestDirectoryForgetsNobodyWhoIsSlow(t *testing.T) {
	b := newBus(t)
	other := beside(t, b)
	serve(t, b, toolCard("own"), echo)
	lease := must(other.Lease(within(t)))
	defer lease.Close()
	for b.goneNode(other.Node()) == nil {
		runtime.Gosched() // until the lease is seen
	}
	s := &sweeper{bus: b, seen: map[string]*instance{"foreign": {}, "leased": {node: other.Node()}}}
	for id := range b.serves() {
		s.seen[id] = &instance{node: b.Node()}
	}
	for n, want := range []int{1: 3, missedMost - 1: 3, missedMost: 2, missedAlive - 1: 2, missedAlive: 1, 10 * missedAlive: 1} {
		if n > 0 {
			s.forget()
		}
		if want > 0 && len(s.seen) != want {
			t.Errorf("after %d sweeps that nobody answered %d are left, want %d: %v", n, len(s.seen), want, slices.Collect(maps.Keys(s.seen)))
		}
	}
}

func TestDirectoryAwait(t *testing.T) {
	b := newBus(t)
	other := beside(t, b)
	d := must(b.Directory(within(t)))
	ctx, cancel := context.WithTimeout(within(t), 10*time.Millisecond)
	defer cancel()
	if err := d.Await(ctx, "a", "b"); err == nil || !strings.Contains(err.Error(), "a is not on offer") {
		t.Errorf("nobody is there: %v", err)
	}
	serve(t, other, toolCard("a"), echo)
	serve(t, other, toolCard("b"), echo)
	if err := d.Await(within(t), "a", "b"); err != nil || len(names(d)) != 2 {
		t.Errorf("%v, %v", names(d), err)
	}
	if err := d.Await(ctx); err != nil {
		t.Errorf("for nobody: %v", err)
	}
	if err := b.Listed(ctx); err != nil {
		t.Errorf("of what it serves, nothing: %v", err)
	}
	if err := other.Listed(within(t)); err != nil || len(names(must(other.Directory(within(t))))) != 2 {
		t.Errorf("listed %v, %v", names(must(other.Directory(within(t)))), err)
	}
	d = must(other.Directory(ctx))
	d.now.Store(&snapshot{changed: make(chan struct{})}) // as on a machine too busy to have heard of them
	if err := other.Listed(ctx); err == nil || !strings.Contains(err.Error(), "a and 1 more") {
		t.Errorf("nothing is heard of: %v", err)
	}
}

// Of cards that are too large nothing is kept but that they are: a stranger may announce thousands, of a megabyte each.
func TestDirectoryKeepsNoLargeCards(t *testing.T) {
	s := newSweeper(newBus(t))
	s.dir.now.Store(&snapshot{changed: make(chan struct{})})
	const services = 20
	large, before := strings.Repeat("x", 300<<10), heapNow()
	for n := range services {
		for range 2 { // the second time it is the same service
			body := must(json.Marshal(micro.Ping{ServiceIdentity: micro.ServiceIdentity{Name: "n" + large, ID: fmt.Sprint(n), Version: large,
				Metadata: map[string]string{"hmap": "1", "kind": "tool", "node": large}}}))
			s.hear(&nats.Msg{Data: body})
		}
	}
	s.publish()
	rejected := s.dir.Rejected()
	if grown := heapNow() - before; grown > 2<<20 || len(rejected) != services {
		t.Errorf("%d KiB for %d rejected cards", grown>>10, len(rejected))
	}
	if r := rejected[0]; !strings.Contains(r.Reason, "bytes, at most") || len(r.Reason) > 1000 {
		t.Errorf("rejected for %.1000q", r.Reason)
	}
	runtime.KeepAlive(s)
}

// A service that says something else of itself at each sweep costs no memory for what it once said.
func TestDirectoryForgetsWhatWasSaid(t *testing.T) {
	b := newBus(t)
	s := newSweeper(b)
	before := heapNow()
	for n := range 2000 {
		body := must(json.Marshal(micro.Ping{ServiceIdentity: micro.ServiceIdentity{Name: "tool", ID: "x", Version: "1.0.0",
			Metadata: map[string]string{"hmap": "1", "kind": "tool", "since": fmt.Sprint(n), "description": strings.Repeat("long ", 3000)}}}))
		for range 2 { // the second time it need not be read
			s.hear(&nats.Msg{Data: body})
		}
	}
	if grown := heapNow() - before; grown > 8<<20 || len(s.seen) != 1 {
		t.Errorf("%d KiB for %d service", grown>>10, len(s.seen))
	}
	runtime.KeepAlive(s)
}
