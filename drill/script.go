package drill

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
)

// The agents of the drill. The first takes the tasks, and hands jobs to the others.
const (
	master = "master"
	left   = "drill_left"
	right  = "drill_right"
)

// Deed is one call of one of the drill's tools.
type Deed struct {
	Tool string `json:"tool"`
	// Label is what the deed does, unique in the whole drill: the ledger and the answer name it.
	Label string `json:"label"`
	// Before and After are how long the tool waits before and after its effect, in milliseconds, so that a kill falls between.
	Before int `json:"before,omitempty"`
	After  int `json:"after,omitempty"`
	// Hang lets the tool wait for ever after its effect, until its deadline.
	Hang bool `json:"hang,omitempty"`
	// Odd is one more way to come back: error, panic, large.
	Odd string `json:"odd,omitempty"`
	// Wait makes the deed need the observation of the first one of its stage.
	Wait bool `json:"wait,omitempty"`
}

// Job is what one domain agent does: stages one after the other, the deeds of a stage side by side.
type Job struct {
	Agent string   `json:"agent"`
	Do    [][]Deed `json:"do"`
}

// Script is what a task of the drill does. It travels as the words of the request, and the drill's model plays it.
type Script struct {
	// Ask, if not empty, is a question that the person is asked first; the answer stands in the task's answer.
	Ask string `json:"ask,omitempty"`
	// Jobs are handed out stage by stage, those of a stage side by side.
	Jobs [][]Job `json:"jobs,omitempty"`
}

// mark begins every request that is a script, and every job in it.
const mark = "Drill "

func words(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return mark // our own structs always encode
	}
	return mark + string(b)
}

// Query is the script as the words of a submission.
func (s Script) Query() string { return words(s) }

// compose makes up a script; name is the beginning of its labels.
func compose(r *rand.Rand, name string) Script {
	var s Script
	if r.IntN(6) == 0 {
		s.Ask = "which one for " + name + "?"
	}
	n := 0
	deed := func(first bool) Deed {
		n++
		d := Deed{Label: fmt.Sprintf("%s-%d", name, n), Before: r.IntN(60), After: r.IntN(60), Wait: !first && r.IntN(3) == 0}
		switch r.IntN(20) {
		case 0, 1, 2, 3, 4:
			d.Tool = toolLook
		case 5, 6, 7, 8, 9:
			d.Tool = toolPut
		case 10:
			d.Tool = toolSign
		case 11:
			d.Tool, d.Odd = toolLook, []string{"error", "panic", "large"}[r.IntN(3)]
		default:
			d.Tool = toolFire
			switch r.IntN(12) {
			case 0: // the kill is to fall into it
				d.Before, d.After = 100+r.IntN(900), 0
			case 1:
				d.Before, d.After = 0, 100+r.IntN(900)
			case 2:
				d.Hang = r.IntN(3) == 0
			}
		}
		return d
	}
	job := func(agent string) Job {
		j := Job{Agent: agent}
		for range 1 + r.IntN(2) {
			var stage []Deed
			for i := range 1 + r.IntN(3) {
				stage = append(stage, deed(i == 0))
			}
			j.Do = append(j.Do, stage)
		}
		return j
	}
	switch r.IntN(4) {
	case 0:
		s.Jobs = [][]Job{{job(left)}}
	case 1:
		s.Jobs = [][]Job{{job(left), job(right)}}
	case 2:
		s.Jobs = [][]Job{{job(left)}, {job(right)}}
	default:
		s.Jobs = [][]Job{{job(right), job(left)}, {job(left)}}
	}
	return s
}

// Done is what the drill's agents say at the end: the labels of the deeds whose observation they saw, those that failed with the
// code, and what the person answered.
type Done struct {
	Done   []string          `json:"done"`
	Failed map[string]string `json:"failed,omitempty"`
	Answer string            `json:"answer,omitempty"`
}

// parseDone finds a Done in an observation: the JSON object, or a string that holds one. ok: it is one.
func parseDone(raw []byte) (d Done, ok bool) {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		raw = []byte(text)
	}
	if !strings.HasPrefix(strings.TrimSpace(string(raw)), `{"done":`) {
		return d, false
	}
	return d, json.Unmarshal(raw, &d) == nil
}
