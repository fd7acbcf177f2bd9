package actors

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/hmap-project/hmap/bus"
)

// Who published a task for an agent that is not there hears nothing; whoever looks at the node's log does, once.
func TestTasksThatNobodyTakes(t *testing.T) {
	t.Parallel()
	h := open(t, setup{})
	if _, err := h.bus.Submit(t.Context(), "mater", bus.Submission{Query: "hi"}, ""); err != nil {
		t.Fatal(err)
	}
	if _, err := h.bus.Submit(t.Context(), "master", bus.Submission{Query: "hi"}, ""); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { h.team.unserved(ctx, time.Millisecond); close(ended) }()
	told := func(agent string) int {
		return strings.Count(strings.Join(h.said.all(), "\n"), "agent="+agent+" tasks=1")
	}
	eventually(t, "the node says so", func() bool { return told("mater") > 0 })
	if _, err := h.bus.Submit(t.Context(), "another", bus.Submission{Query: "hi"}, ""); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the node says it of another", func() bool { return told("another") > 0 })
	cancel()
	<-ended
	if told("mater") != 1 || told("master") != 0 {
		t.Error(h.said.all())
	}
}
