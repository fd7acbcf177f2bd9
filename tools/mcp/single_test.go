package mcp

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/bus/bustest"
)

// Of two nodes that have a single server configured one runs it, and both find its tools and its state; when that node stops, or only
// forgets to renew its lease, the other one runs it.
func TestSingle(t *testing.T) {
	t.Parallel()
	s := bustest.Server(t)
	file := filepath.Join(t.TempDir(), "memory.jsonl")
	var nodes []world
	for _, node := range []string{"node-a", "node-b"} {
		b, err := bus.Connect(t.Context(), bus.Options{Server: s, Node: node})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(b.Close)
		nodes = append(nodes, newWorldOn(t, b, Options{}, Server{Name: "memory", Command: npm(t, "memory"), Env: []string{"MEMORY_FILE_PATH=" + file}, Approval: "never", Single: true}))
	}
	up := func(s State) bool { return s.State == "up" && s.Tools > 0 }
	a, b := nodes[0], nodes[1]
	a.until("memory", up)
	if s := b.until("memory", func(s State) bool { return s.State == "elsewhere" }); s.Trouble != "node node-a runs it" || s.Tools != 0 {
		t.Fatalf("%+v", s)
	}
	b.ok("memory__create_entities", `{"entities":[{"name":"Ada","entityType":"person","observations":["likes tea"]}]}`)
	if got := b.ok("mcp_memory", `{}`); !strings.Contains(got, `"state":"up"`) {
		t.Error(got)
	}
	if err := b.all["memory"].refreshed(t.Context()); err == nil || !strings.Contains(err.Error(), "node-a") {
		t.Error(err)
	}
	if err := a.Stop(); err != nil {
		t.Fatal(err)
	}
	b.until("memory", up)
	if got := b.ok("memory__read_graph", `{}`); !strings.Contains(got, "likes tea") {
		t.Error(got)
	}
}

// A lease that its holder does not renew is another's after its time, and the holder is told when it looks again.
func TestLeaseThatLapses(t *testing.T) {
	t.Parallel()
	one := bustest.New(t)
	a, b := newTenure(one, "x"), newTenure(one, "x")
	a.lose, b.lose = 100e6, 100e6
	look := func(who *tenure, held, want bool) {
		t.Helper()
		if ours, err := who.look(t.Context(), held); err != nil || ours != want {
			t.Fatalf("ours %v, %v; want %v", ours, err, want)
		}
	}
	look(a, false, true)
	look(b, false, false)
	look(a, true, true)
	for ours := false; !ours; { // a is silent
		var err error
		if ours, err = b.look(t.Context(), false); err != nil {
			t.Fatal(err)
		}
	}
	look(a, true, false)
	b.giveUp()
	look(a, false, true)
	for _, body := range []string{"nonsense", ""} { // what is no lease is nobody's, and what somebody deleted neither
		if _, err := one.Cache(t.Context(), a.key, []byte(body)); err != nil {
			t.Fatal(err)
		}
		look(a, true, true)
	}
}
