package actors

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/hmap-project/hmap/actors/model/scripted"
)

// who tells which agent a request to the model is for.
func who(r scripted.Request) string {
	for _, a := range testAgents {
		if strings.Contains(r.Messages[0].Text, "("+a.Name+")") || strings.Contains(r.Messages[0].Text, "（"+a.Name+"）") {
			return a.Name
		}
	}
	return ""
}

// observed is the number of observations a request to the model shows.
func observed(r scripted.Request) int {
	n := 0
	for _, m := range r.Messages {
		if m.Role == "tool" {
			n++
		}
	}
	return n
}

// play is a model in which each agent follows its own steps, by how many observations it has seen.
func play(steps map[string][]scripted.Step) scripted.Step {
	return scripted.React(func(r scripted.Request) scripted.Step {
		mine, n := steps[who(r)], observed(r)
		if n >= len(mine) {
			return scripted.Refuse(400, fmt.Sprintf("no step for %s after %d observations", who(r), n))
		}
		return mine[n]
	})
}

func handOver(agent, desc string) scripted.Call {
	return scripted.Call{Name: agent, Arguments: `{"job_desc":` + string(mustJSON(desc)) + `}`}
}

func mustJSON(v any) []byte {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return raw
}
