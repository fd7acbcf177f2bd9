package learn

import (
	"cmp"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/hmap-project/hmap/actors/plan"
	"github.com/hmap-project/hmap/bus"
)

// HalfLife is after how long of the log's time something counts half. A week: tools change by the release, and a shop is asked the same things each week.
const HalfLife = 7 * 24 * time.Hour

const (
	format   = 1
	maxTools = 500 // names kept; beyond, the one that counts least goes
	maxEdges = 1500
	sample   = 32             // the newest latencies of a tool that are kept
	longest  = 24 * time.Hour // of a latency; what says more is no latency
)

// Lessons is what the log has taught up to a place in it. The zero value knows nothing. It is not safe for concurrent use.
type Lessons struct {
	Format int `json:"format"`
	// Seq: every call that ended up to here is in it.
	Seq uint64 `json:"seq"`
	// Forgot is the end of the log when all was forgotten last: results up to it do not count, even of calls that end later. 0: never.
	Forgot uint64 `json:"forgot,omitempty"`
	// Since and At are the times of the oldest and the newest result in it, and Since that of the forgetting when there was one; all counts
	// are as of At.
	Since time.Time `json:"since,omitzero"`
	At    time.Time `json:"at,omitzero"`

	Tools []*Tool `json:"tools,omitempty"`
	Edges []*Edge `json:"edges,omitempty"`

	tools map[string]*Tool
	edges map[edgeName]*Edge
}

// Tool is what is known of an agent or a tool. Calls and Failed are counts as of At; older calls count less.
type Tool struct {
	Name   string  `json:"tool_name"`
	Calls  float64 `json:"calls"`
	Failed float64 `json:"failed,omitempty"` // of Calls; not those that were refused for their arguments, or that nobody wanted any more
	Money  float64 `json:"money,omitempty"`  // of all Calls
	// Millis are the newest latencies as the callers measured them, oldest first, at most 32.
	Millis []int64   `json:"ms,omitempty"`
	At     time.Time `json:"last"` // of the last call
}

// Edge says how often a field of what From returned was good as Parameter of To. Field is a path with dots, through lists without numbers.
type Edge struct {
	edgeName
	Worked float64   `json:"worked,omitempty"`
	Failed float64   `json:"failed,omitempty"`
	At     time.Time `json:"last"`
}

type edgeName struct {
	From      string `json:"from"`
	Field     string `json:"field"`
	To        string `json:"to"`
	Parameter string `json:"parameter"`
}

// Parse reads lessons as [Lessons.Encode] wrote them. Anything else, and of another format, gives nil: they are to be made again from the log.
func Parse(body []byte) *Lessons {
	l := &Lessons{}
	if json.Unmarshal(body, l) != nil || l.Format != format || len(l.Tools) > maxTools || len(l.Edges) > maxEdges {
		return nil
	}
	l.tools, l.edges = map[string]*Tool{}, map[edgeName]*Edge{}
	for _, t := range l.Tools {
		if t == nil || !bus.ValidToken(t.Name) || !counts(t.Calls, t.Failed, t.Money) || t.Failed > t.Calls || len(t.Millis) > sample || t.At.After(l.At) {
			return nil
		}
		l.tools[t.Name] = t
	}
	for _, e := range l.Edges {
		if e == nil || !e.named() || !counts(e.Worked, e.Failed) || e.At.After(l.At) {
			return nil
		}
		l.edges[e.edgeName] = e
	}
	return l
}

// counts reports whether values can be counts.
func counts(values ...float64) bool {
	for _, v := range values {
		if math.IsNaN(v) || math.IsInf(v, 0) || v < 0 {
			return false
		}
	}
	return true
}

// Encode gives the lessons as JSON, the same bytes for the same lessons.
func (l *Lessons) Encode() ([]byte, error) {
	l.Format = format
	l.Tools = slices.SortedFunc(maps.Values(l.tools), func(a, b *Tool) int { return cmp.Compare(a.Name, b.Name) })
	l.Edges = slices.SortedFunc(maps.Values(l.edges), compareEdges)
	return json.Marshal(l)
}

func compareEdges(a, b *Edge) int {
	return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To), cmp.Compare(a.Parameter, b.Parameter), cmp.Compare(a.Field, b.Field))
}

// Evidence is what the lessons say to the planner.
func (l *Lessons) Evidence() *plan.Evidence {
	v := &plan.Evidence{Tools: map[string]plan.Record{}, Edges: map[plan.Edge]plan.Tries{}}
	for _, t := range l.AllTools() {
		if n := round(t.Calls); n > 0 {
			v.Tools[t.Name] = plan.Record{Calls: n, Failed: round(t.Failed), Seconds: t.seconds() * t.Calls, Cost: t.Money}
		}
	}
	for _, e := range l.AllEdges() {
		if tries := (plan.Tries{Worked: round(e.Worked), Failed: round(e.Failed)}); tries != (plan.Tries{}) {
			v.Edges[plan.Edge{Provider: e.From, Field: e.Field, Taker: e.To, Parameter: e.Parameter}] = tries
		}
	}
	return v
}

// round is a count as a whole number; half of one is none any more.
func round(f float64) int { return int(min(math.Ceil(f-0.5), 1e9)) }

// seconds is the mean of the latencies kept as a plan shall see it: to a power of two, and nothing below a quarter of a second, so that plans do not
// change with the noise of a machine.
func (t Tool) seconds() float64 {
	sum := int64(0)
	for _, ms := range t.Millis {
		sum += ms
	}
	mean := float64(sum) / 1000 / float64(max(len(t.Millis), 1))
	if mean < 0.25 {
		return 0
	}
	return math.Exp2(math.Round(math.Log2(mean)))
}

// tool is the entry of a name, aged to the time at.
func (l *Lessons) tool(name string, at time.Time) (t *Tool, weight float64) {
	if l.tools == nil {
		l.tools = map[string]*Tool{}
	}
	if t = l.tools[name]; t == nil {
		if len(l.tools) >= maxTools {
			drop(l.tools, func(t *Tool) (float64, string) { return t.Calls * l.fade(t.At), t.Name })
		}
		t = &Tool{Name: name, At: at}
		l.tools[name] = t
	}
	f, weight := age(&t.At, at)
	t.Calls, t.Failed, t.Money = t.Calls*f, t.Failed*f, t.Money*f
	return t, weight
}

// edge is the entry of an edge, aged to the time at.
func (l *Lessons) edge(n edgeName, at time.Time) (e *Edge, weight float64) {
	if l.edges == nil {
		l.edges = map[edgeName]*Edge{}
	}
	if e = l.edges[n]; e == nil {
		if len(l.edges) >= maxEdges {
			drop(l.edges, func(e *Edge) (float64, string) {
				return (e.Worked + e.Failed) * l.fade(e.At), e.From + "." + e.Field + ">" + e.To + "." + e.Parameter
			})
		}
		e = &Edge{edgeName: n, At: at}
		l.edges[n] = e
	}
	f, weight := age(&e.At, at)
	e.Worked, e.Failed = e.Worked*f, e.Failed*f
	return e, weight
}

// age moves the time of counts on to at, and gives by how much they fade and what something at at counts: less than 1 when newer things are known.
func age(of *time.Time, at time.Time) (fade, weight float64) {
	if d := at.Sub(*of); d >= 0 {
		*of = at
		return half(d), 1
	}
	return 1, half(of.Sub(at))
}

func half(d time.Duration) float64 { return math.Exp2(-float64(d) / float64(HalfLife)) }

// fade is what counts of the time at are worth as of now, which is the newest time that is known.
func (l *Lessons) fade(at time.Time) float64 { return half(max(l.At.Sub(at), 0)) }

// drop takes the entry out that weighs least; of equal ones that with the first name.
func drop[K comparable, V any](from map[K]V, weigh func(V) (float64, string)) {
	var least K
	var weight float64
	var name string
	first := true
	for k, v := range from {
		w, n := weigh(v)
		if first || w < weight || w == weight && n < name {
			least, weight, name, first = k, w, n, false
		}
	}
	delete(from, least)
}

// Clone is a copy that shares nothing.
func (l *Lessons) Clone() *Lessons {
	c := &Lessons{Format: l.Format, Seq: l.Seq, Forgot: l.Forgot, Since: l.Since, At: l.At, tools: map[string]*Tool{}, edges: map[edgeName]*Edge{}}
	for name, t := range l.tools {
		own := *t
		own.Millis = slices.Clone(t.Millis)
		c.tools[name] = &own
	}
	for name, e := range l.edges {
		own := *e
		c.edges[name] = &own
	}
	return c
}

// AllTools gives the tools by name, their counts as of At. The caller owns them.
func (l *Lessons) AllTools() []Tool {
	all := make([]Tool, 0, len(l.tools))
	for _, t := range l.tools {
		own := *t
		f := l.fade(t.At)
		own.Calls, own.Failed, own.Money, own.Millis = t.Calls*f, t.Failed*f, t.Money*f, slices.Clone(t.Millis)
		all = append(all, own)
	}
	slices.SortFunc(all, func(a, b Tool) int { return cmp.Compare(a.Name, b.Name) })
	return all
}

// AllEdges gives the edges in the order of their names, their counts as of At. The caller owns them.
func (l *Lessons) AllEdges() []Edge {
	all := make([]Edge, 0, len(l.edges))
	for _, e := range l.edges {
		own := *e
		f := l.fade(e.At)
		own.Worked, own.Failed = e.Worked*f, e.Failed*f
		all = append(all, own)
	}
	slices.SortFunc(all, func(a, b Edge) int { return compareEdges(&a, &b) })
	return all
}

// Quantile is the latency in milliseconds below which a share q (0–1) of the kept ones lie, by the nearest rank; 0 when none is kept.
func (t Tool) Quantile(q float64) int64 {
	if len(t.Millis) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(t.Millis))
	n := int(math.Ceil(q*float64(len(sorted)))) - 1
	return sorted[min(max(n, 0), len(sorted)-1)]
}
