package plan

import (
	"cmp"
	"slices"

	"github.com/hmap-project/hmap/actors/plan/cards"
	"github.com/hmap-project/hmap/actors/plan/solver"
	"github.com/hmap-project/hmap/bus"
)

// errand is something to do that takes its time.
type errand struct {
	seconds float64 // not below 0
	after   []int   // places of the errands that must end before it; they hold no cycle
}

// chains gives for each errand how long the longest chain that begins with it takes, its own time included.
func chains(all []errand) []float64 {
	next := make([][]int, len(all))
	for i, e := range all {
		for _, j := range e.after {
			next[j] = append(next[j], i)
		}
	}
	out := make([]float64, len(all))
	known := make([]bool, len(all))
	var longest func(i int) float64
	longest = func(i int) float64 {
		if !known[i] {
			most := 0.0
			for _, j := range next[i] {
				most = max(most, longest(j))
			}
			out[i], known[i] = all[i].seconds+most, true
		}
		return out[i]
	}
	for i := range all {
		longest(i)
	}
	return out
}

// schedule starts each errand as soon as what it waits for has ended and one of the slots is free; when more are ready than there
// are slots, the one with the longest chain behind it goes first (list scheduling by critical path: never longer than 2−1/slots
// times the best, Graham 1969), of equal ones the earlier. It returns when each starts and when all have ended, in seconds.
func schedule(all []errand, slots int) (start []float64, end float64) {
	chain := chains(all)
	start = make([]float64, len(all))
	ends := make([]float64, len(all))
	const waiting, running, ended = 0, 1, 2
	status := make([]int, len(all))
	now, free := 0.0, max(slots, 1)
	for left := len(all); left > 0; {
		best := -1
		for i := range all {
			ready := status[i] == waiting && !slices.ContainsFunc(all[i].after, func(j int) bool { return status[j] != ended })
			if ready && (best < 0 || chain[i] > chain[best]) {
				best = i
			}
		}
		if best >= 0 && free > 0 {
			start[best], ends[best], status[best] = now, now+all[best].seconds, running
			free--
			continue
		}
		first := -1 // to end
		for i := range all {
			if status[i] == running && (first < 0 || ends[i] < ends[first]) {
				first = i
			}
		}
		if first < 0 { // only a cycle is left
			return start, now
		}
		now, status[first] = ends[first], ended
		free++
		left--
	}
	return start, now
}

// errands are the tools of a plan in the order in which they run, as things to do: how long a call takes is learned from the
// log; what was never called takes as long as the others do on average, or all the same.
func (r *round) errands(s solver.Solution) (tools []*cards.Entry, all []errand) {
	tools = s.Ordered()
	place := map[*cards.Entry]int{}
	for i, e := range tools {
		place[e] = i
	}
	sum, known := 0.0, 0.0
	for _, e := range tools {
		if v := r.x.seconds(e); v > 0 {
			sum, known = sum+v, known+1
		}
	}
	usual := 1.0
	if known > 0 {
		usual = sum / known
	}
	for _, e := range tools {
		one := errand{seconds: usual}
		if v := r.x.seconds(e); v > 0 {
			one.seconds = v
		}
		for _, p := range s.Waits(e) {
			one.after = append(one.after, place[p])
		}
		all = append(all, one)
	}
	return tools, all
}

// slots is how many calls run at the same time.
func (r *round) slots() int {
	if r.in.Parallel > 0 {
		return min(r.in.Parallel, MaxActions)
	}
	return MaxActions
}

// started are the actions to dispatch, in the order in which they shall come to run: when not all of them can at once, those with the longest chain
// behind them first, so that the whole ends soonest. Beyond [MaxActions] they wait, and a tool none of whose calls has started waits on.
func (r *round) started(actions []bus.Action, state map[*cards.Entry]bus.StepStatus) []bus.Action {
	if len(actions)+len(r.running) <= r.slots() {
		return actions
	}
	tools, all := r.errands(r.best)
	chain, busy := map[string]float64{}, map[string]bool{}
	for i, v := range chains(all) {
		chain[tools[i].Name] = max(v, chain[tools[i].Name])
	}
	out := slices.SortedStableFunc(slices.Values(actions), func(a, b bus.Action) int { return cmp.Compare(chain[b.ToolName], chain[a.ToolName]) })
	out = out[:min(len(out), MaxActions)]
	for _, a := range out {
		busy[a.ToolName] = true
	}
	for _, a := range r.running {
		busy[a.ToolName] = true
	}
	for _, e := range tools {
		if state[e] == bus.InProgress && !busy[e.Name] {
			state[e] = bus.NotStarted
		}
	}
	return out
}

// seconds a call of the tool takes on average; 0: not known.
func (x *Index) seconds(e *cards.Entry) float64 {
	if v := x.options.Evidence; v != nil && v.Tools[e.Name].Calls > 0 {
		return max(v.Tools[e.Name].Seconds, 0) / float64(v.Tools[e.Name].Calls)
	}
	return 0
}
