package actors

import (
	"context"
	"encoding/json"
	"strconv"
	"testing"

	"github.com/hmap-project/hmap/bus"
)

// changesItsMind is told a wish while it thinks for the first time, so that the wish comes while its round is on its way to the log.
type changesItsMind struct{ bus *bus.Bus }

func (m changesItsMind) Think(ctx context.Context, v *View) (Thought, error) {
	if len(v.Rounds) == 0 && len(v.Steering) == 0 {
		if _, err := m.bus.Tell(ctx, v.Request.Session, v.Request.Task, bus.Input{Kind: bus.Steer, Text: "rather B"}, ""); err != nil {
			return Thought{}, err
		}
	}
	if len(v.Rounds) > 1 {
		return Thought{Thought: "done", Answer: "done"}, nil
	}
	return Thought{Thought: "go", Actions: []bus.Action{{ToolName: "look", Parameter: json.RawMessage(`{"key":"` + strconv.Itoa(len(v.Steering)) + `"}`)}}}, nil
}

// No two rounds of a call have the same number, for the ids of what they call are made of it.
func TestWishWhileARoundIsOnItsWay(t *testing.T) {
	server, err := bus.StartServer(bus.ServerOptions{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Stop)
	l := testLimits
	l.Tasks, l.Calls = 64, 64
	h := open(t, setup{server: server, limits: l})
	user := connect(t, server, "user")
	h.team.desks["master"].mind = changesItsMind{user}
	h.team.desks["master"].agent.Tools = []string{"look"}
	h.team.desks["master"].roster.Store(nil)
	var tasks []bus.Receipt
	for range 48 {
		r, err := user.Submit(t.Context(), "master", bus.Submission{Query: "go"}, "")
		if err != nil {
			t.Fatal(err)
		}
		tasks = append(tasks, r)
	}
	for _, task := range tasks {
		rounds := map[int]int{}
		for e, err := range user.Follow(t.Context(), bus.Where{Session: task.Session, Task: task.Task}, 0) {
			if err != nil {
				t.Fatal(err)
			}
			if e.Record.Call == task.Task && e.Record.Kind == bus.KindRound {
				rounds[e.Record.Round]++
			}
			if e.Record.Call == task.Task && e.Record.Kind == bus.KindResponse {
				if e.Record.Status != bus.OK {
					t.Errorf("%s: %s %v", task.Task, e.Record.Status, e.Record.Error)
				}
				break
			}
		}
		for n, times := range rounds {
			if times > 1 {
				t.Errorf("%s: round %d %d times", task.Task, n, times)
			}
		}
	}
}
