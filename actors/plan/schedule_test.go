package plan

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/hmap-project/hmap/actors/plan/cards"
	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/solver"
	"github.com/hmap-project/hmap/bus"
)

// With room for all, a schedule takes as long as its longest chain. With less room nothing starts before what it waits for has
// ended, never more run than there are slots, and the whole takes no longer than list scheduling can (Graham's bound against
// what no schedule can beat).
func TestSchedule(t *testing.T) {
	for seed := range uint64(500) {
		r := rand.New(rand.NewPCG(seed, 7))
		all := make([]errand, 1+r.IntN(12))
		sum := 0.0
		for i := range all {
			all[i].seconds = float64(r.IntN(9))
			sum += all[i].seconds
			for j := range i {
				if r.IntN(4) == 0 {
					all[i].after = append(all[i].after, j)
				}
			}
		}
		longest := slices.Max(chains(all))
		if _, end := schedule(all, len(all)); end != longest {
			t.Fatalf("seed %d: with room for all it takes %v, the longest chain is %v", seed, end, longest)
		}
		for slots := 1; slots < 4; slots++ {
			start, end := schedule(all, slots)
			least := max(longest, sum/float64(slots))
			if m := float64(slots); end > least*(2-1/m)+1e-9 || end < least-1e-9 {
				t.Fatalf("seed %d, %d slots: it takes %v, at least %v are needed", seed, slots, end, least)
			}
			for i, e := range all {
				at := 0
				for j, o := range all {
					if start[j] <= start[i] && start[i] < start[j]+o.seconds {
						at++
					}
				}
				if e.seconds > 0 && at > slots {
					t.Fatalf("seed %d: %d run at once in %d slots", seed, at, slots)
				}
				for _, j := range e.after {
					if start[i] < start[j]+all[j].seconds {
						t.Fatalf("seed %d: %d starts before %d has ended", seed, i, j)
					}
				}
			}
		}
	}
	if start, _ := schedule([]errand{{seconds: 1}, {seconds: 2}, {seconds: 2, after: []int{0}}}, 1); start[0] != 0 {
		t.Errorf("the longest chain goes first: %v", start)
	}
}

// When not all may run at once, those go first that most has to wait for, by what the log has taught or else by their number.
func TestStarted(t *testing.T) {
	tool := map[string]*cards.Entry{}
	var s solver.Solution
	for _, name := range []string{"news", "track", "find", "weather", "tell"} {
		e := &cards.Entry{}
		e.Name = name
		tool[name] = e
		s.Tools = append(s.Tools, e)
	}
	from := func(taker, provider string) {
		s.Choices = append(s.Choices, solver.Choice{Need: solver.Need{Taker: tool[taker], Field: &fields.Field{}}, Option: solver.Option{Provider: tool[provider]}})
	}
	from("track", "find") // find → track → tell, which news and weather have no part in
	s.After = map[*cards.Entry][]*cards.Entry{tool["tell"]: {tool["track"]}}
	slow := &Evidence{Tools: map[string]Record{"news": {Calls: 4, Seconds: 400}, "find": {Calls: 4, Seconds: 4}}}
	for _, c := range []struct {
		parallel, running int
		evidence          *Evidence
		want              []string
	}{
		{0, 0, nil, []string{"news", "find", "weather"}},
		{3, 0, nil, []string{"news", "find", "weather"}},
		{3, 1, nil, []string{"find", "news", "weather"}},
		{2, 0, nil, []string{"find", "news", "weather"}},
		{1, 2, nil, []string{"find", "news", "weather"}},
		{1, 0, &Evidence{Tools: map[string]Record{"news": {Calls: 1, Seconds: 1.5}, "find": {Calls: 1, Seconds: 0.1}, "tell": {Calls: 1, Seconds: 0.2}, "track": {Calls: 1, Seconds: 0.2}}}, []string{"news", "find", "weather"}},
		{1, 0, slow, []string{"find", "news", "weather"}}, // what was never called takes as long as the others do on average
	} {
		r := &round{x: &Index{options: Options{Evidence: c.evidence}}, best: s, in: Input{Parallel: c.parallel}, running: map[string]bus.Action{}}
		for i := range c.running {
			r.running[fmt.Sprint(i)] = bus.Action{ToolName: "other"}
		}
		state := map[*cards.Entry]bus.StepStatus{tool["news"]: bus.InProgress, tool["find"]: bus.InProgress, tool["weather"]: bus.InProgress, tool["track"]: bus.NotStarted, tool["tell"]: bus.NotStarted}
		var got []string
		for _, a := range r.started([]bus.Action{{ToolName: "news"}, {ToolName: "find"}, {ToolName: "weather"}}, state) {
			got = append(got, a.ToolName)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%d at once, %d running, %+v: started %v, want %v", c.parallel, c.running, c.evidence, got, c.want)
		}
		for e, status := range state {
			if want := map[bool]bus.StepStatus{true: bus.InProgress, false: bus.NotStarted}[slices.Contains(c.want, e.Name)]; status != want {
				t.Errorf("%d at once: %s is %s, want %s", c.parallel, e.Name, status, want)
			}
		}
	}
}

// No more go than an action code may hold, those with nothing behind them last; the others wait, and their steps say so.
func TestStartedIsBounded(t *testing.T) {
	first, last, many := &cards.Entry{}, &cards.Entry{}, &cards.Entry{}
	first.Name, last.Name, many.Name = "find", "track", "news"
	s := solver.Solution{Tools: []*cards.Entry{first, last, many}, Choices: []solver.Choice{{Need: solver.Need{Taker: last, Field: &fields.Field{}}, Option: solver.Option{Provider: first}}}}
	actions := []bus.Action{}
	for i := range MaxActions {
		actions = append(actions, bus.Action{ToolName: "news", Parameter: fmt.Appendf(nil, `{"n":%d}`, i)})
	}
	actions = append(actions, bus.Action{ToolName: "weather"}, bus.Action{ToolName: "find"})
	weather := &cards.Entry{}
	weather.Name = "weather"
	s.Tools = append(s.Tools, weather)
	state := map[*cards.Entry]bus.StepStatus{first: bus.InProgress, many: bus.InProgress, weather: bus.InProgress}
	r := &round{x: &Index{}, best: s, running: map[string]bus.Action{}}
	got := r.started(actions, state)
	if len(got) != MaxActions || got[0].ToolName != "find" || slices.ContainsFunc(got, func(a bus.Action) bool { return a.ToolName == "weather" }) {
		t.Errorf("%d go, first %s", len(got), got[0].ToolName)
	}
	if state[weather] != bus.NotStarted || state[many] != bus.InProgress || state[first] != bus.InProgress {
		t.Errorf("%v", state)
	}
}

// However few run at once, nothing is lost.
func TestParallel(t *testing.T) {
	x := index(t, "shop.json")
	in := ask("查询订单 316123105676 的详情，再看看空气炸锅的库存")
	for in.Parallel = range 3 {
		if out := x.Think(in); len(out.Actions) != 2 || len(out.Plan.Steps) != 2 {
			t.Errorf("%d at once: %s", in.Parallel, told(out))
		}
	}
}
