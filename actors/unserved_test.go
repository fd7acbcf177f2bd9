package actors

import (
	"context"
	"fmt"
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
	for n := range 2 * maxWarned { // a stranger's
		if _, err := h.bus.Submit(t.Context(), fmt.Sprint("made-up-", n), bus.Submission{Query: "hi"}, ""); err != nil {
			t.Fatal(err)
		}
	}
	eventually(t, "the node says it of many", func() bool { return strings.Contains(strings.Join(h.said.all(), ""), "agent=made-up-") })
	cancel()
	<-ended
	if n := strings.Count(strings.Join(h.said.all(), ""), "nobody serves"); n > maxWarned {
		t.Errorf("%d warnings", n)
	}
	if told("mater") != 1 || told("master") != 0 {
		t.Error(h.said.all())
	}
}
