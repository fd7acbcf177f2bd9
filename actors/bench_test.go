//go:build unix

package actors

import (
	"context"
	"encoding/json"
	"fmt"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/configs"
)

// clockwork is a mind that thinks nothing: it looks two things up and answers. What is left is what a task costs beside the mind.
type clockwork struct{}

func (clockwork) Think(_ context.Context, v *View) (Thought, error) {
	if len(v.Rounds) == 2 {
		return Thought{Answer: "done"}, nil
	}
	return Thought{Thought: "look", Actions: []bus.Action{{ToolName: "look", Parameter: json.RawMessage(fmt.Sprintf(`{"key":"k%d"}`, len(v.Rounds)))}}}, nil
}

// A task of three rounds and two tool calls, from the submission to the reply, 64 at a time and alone.
func BenchmarkTask(b *testing.B) {
	for _, sync := range []bool{false, true} {
		for _, at := range []int{64, 1} {
			b.Run(fmt.Sprintf("synced=%v/at=%d", sync, at), func(b *testing.B) { benchTask(b, sync, at) })
		}
	}
}

func benchTask(b *testing.B, sync bool, at int) {
	limits := testLimits
	limits.Tasks, limits.Calls, limits.Queue = at, at, 10000
	agents := []configs.Agent{{Name: "master", Title: testAgents[0].Title, Description: "looks up", Entry: true, Prompt: "master", Tools: []string{"look"}, Mode: "react"}}
	h := open(b, setup{agents: agents, limits: limits, sync: sync})
	h.team.desks["master"].mind = clockwork{}
	replies := make(chan *nats.Msg, at)
	inbox := h.bus.Conn().NewInbox()
	if _, err := h.bus.Conn().ChanSubscribe(inbox, replies); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	b.ResetTimer()
	begun := spent(b)
	slots := make(chan struct{}, at)
	go func() {
		for range b.N {
			slots <- struct{}{}
			go func() {
				if _, err := h.bus.Submit(b.Context(), "master", bus.Submission{Query: "look two things up", ReplyTo: inbox}, ""); err != nil {
					b.Error(err)
				}
			}()
		}
	}()
	for range b.N {
		m := <-replies
		var r bus.Response
		if err := json.Unmarshal(m.Data, &r); err != nil || r.Status != bus.OK {
			b.Fatalf("%s: %v", m.Data, err)
		}
		<-slots
	}
	b.ReportMetric(float64((spent(b)-begun).Microseconds())/float64(b.N), "cpu-µs/op")
}

// spent is the CPU time of this process: what a busy machine cannot change.
func spent(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
