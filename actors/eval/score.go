package eval

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hmap-project/hmap/actors/plan"
)

// Tally counts things that are right, said and wanted, pooled over all rows of a set.
type Tally struct{ Right, Said, Wanted int }

// MarshalJSON writes the counts, and what follows from them.
func (t Tally) MarshalJSON() ([]byte, error) {
	return fmt.Appendf(nil, `{"right":%d,"said":%d,"wanted":%d,"f1":%.1f,"recall":%.1f}`, t.Right, t.Said, t.Wanted, t.F1(), t.Recall()), nil
}

// F1 is the harmonic mean of precision and recall, 0–100; 0 when nothing is right.
func (t Tally) F1() float64 {
	if t.Right == 0 {
		return 0
	}
	return 200 * float64(t.Right) / float64(t.Said+t.Wanted)
}

// Recall is the share of what was wanted that is right, 0–100; 0 when nothing was wanted.
func (t Tally) Recall() float64 { return 100 * float64(t.Right) / float64(max(t.Wanted, 1)) }

// Add counts two multisets: a thing that is wanted twice must be said twice.
func (t *Tally) Add(said, wanted []string) {
	t.Said += len(said)
	t.Wanted += len(wanted)
	left := map[string]int{}
	for _, w := range wanted {
		left[w]++
	}
	for _, s := range said {
		if left[s] > 0 {
			left[s]--
			t.Right++
		}
	}
}

// Parts is what a plan is compared by. Two plans are equal, but for literals, when their sorted Tools and References are.
type Parts struct {
	// Tools are the names of the tools, one a call.
	Tools []string `json:"tools"`
	// References are "tool.parameter=tool.field", by the names of the tools and not by their places, so that the order of calls
	// that do not need each other does not matter. A reference to a call that is not there stands with no tool, and is like no other.
	References []string `json:"references,omitempty"`
	// Literals are "tool.parameter=value", the value trimmed and in small letters; what is no text is JSON.
	Literals []string `json:"literals,omitempty"`
}

// Take reads the parts of a plan, each sorted.
func Take(calls []plan.Call) Parts {
	var p Parts
	for _, c := range calls {
		p.Tools = append(p.Tools, c.ToolName)
		for name, v := range c.Parameter {
			key := c.ToolName + "." + name + "="
			if i, field, ok := reference(v); !ok {
				p.Literals = append(p.Literals, key+literal(v))
			} else if i < len(calls) {
				p.References = append(p.References, key+calls[i].ToolName+"."+field)
			} else {
				p.References = append(p.References, key+"."+field)
			}
		}
	}
	slices.Sort(p.Tools)
	slices.Sort(p.References)
	slices.Sort(p.Literals)
	return p
}

// reference reads "$i.field".
func reference(v any) (i int, field string, ok bool) {
	s, _ := v.(string)
	s, ok = strings.CutPrefix(s, "$")
	if !ok {
		return 0, "", false
	}
	number, field, ok := strings.Cut(s, ".")
	i, err := strconv.Atoi(number)
	return i, field, ok && err == nil && i >= 0
}

func literal(v any) string {
	s, ok := v.(string)
	if !ok {
		if b, err := json.Marshal(v); err == nil {
			s = string(b)
		} else {
			s = fmt.Sprint(v)
		}
	}
	return strings.ToLower(strings.TrimSpace(s))
}

// Score is how well the planner did on a set.
type Score struct {
	Set  string `json:"set"`
	Rows int    `json:"rows"`
	// Tools, Nested and Literals are multisets of the names of tools, of the parameters whose wanted value is a reference, and of the
	// other parameters. A set whose wanted plans are names of tools alone has the first of them.
	Tools    Tally `json:"tools"`
	Nested   Tally `json:"nested,omitzero"`
	Literals Tally `json:"literals,omitzero"`
	// Exact counts the rows with the same tools and all references right.
	Exact int `json:"exact"`
	// Misses are the first of the other rows, as many as were asked for.
	Misses []Miss `json:"misses,omitempty"`
	// Recall counts how many of the wanted tools were among the ten found first for the request.
	Recall Tally `json:"recall_at_10,omitzero"`
	// Cards is the size of the catalogue, Rejected how many more were left out; both 0 when each row has cards of its own.
	Cards    int `json:"cards,omitempty"`
	Rejected int `json:"rejected,omitempty"`
	// Index is the time to read the catalogue once.
	Index Time `json:"index,omitzero"`
	// P50 and P99 are of the times to plan one request, one at a time.
	P50 Time `json:"plan_p50"`
	P99 Time `json:"plan_p99"`
}

// Time is how long something took, in milliseconds: on the wall, and of processors, which what else runs on the machine does not change.
type Time struct {
	Wall      float64 `json:"wall_ms"`
	Processor float64 `json:"processor_ms"`
}

// watch measures from now on; what it returns ends that.
func watch() func() Time {
	begun, worked := time.Now(), processor()
	return func() Time { return Time{ms(time.Since(begun)), ms(processor() - worked)} }
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// quantile of times: the wall's and the processor's each by itself.
func quantile(times []Time, q float64) Time {
	if len(times) == 0 {
		return Time{}
	}
	var t Time
	at := int(q * float64(len(times)))
	slices.SortFunc(times, func(a, b Time) int { return cmp.Compare(a.Wall, b.Wall) })
	t.Wall = times[at].Wall
	slices.SortFunc(times, func(a, b Time) int { return cmp.Compare(a.Processor, b.Processor) })
	t.Processor = times[at].Processor
	return t
}

// Miss is a row of which the plan is not the wanted one.
type Miss struct {
	ID       string   `json:"id"`
	Requests []string `json:"requests"`
	Said     Parts    `json:"said"`
	Wanted   Parts    `json:"wanted"`
}

// add compares one plan with the wanted one, and reports whether it is exact.
func (s *Score) add(said, wanted Parts) bool {
	s.Rows++
	s.Tools.Add(said.Tools, wanted.Tools)
	s.Nested.Add(said.References, wanted.References)
	s.Literals.Add(said.Literals, wanted.Literals)
	if !slices.Equal(said.Tools, wanted.Tools) || !slices.Equal(said.References, wanted.References) {
		return false
	}
	s.Exact++
	return true
}
