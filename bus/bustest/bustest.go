// Package bustest gives tests of other packages a real bus.
package bustest

import (
	"testing"

	"github.com/hmap-project/hmap/bus"
)

// Server is a server in this process, on a folder of its own. It ends with the test.
func Server(t testing.TB) *bus.Server {
	t.Helper()
	s, err := bus.StartServer(bus.ServerOptions{Dir: t.TempDir(), NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Stop)
	return s
}

// New is a bus on a server of its own. Both end with the test, the bus first.
func New(t testing.TB) *bus.Bus {
	t.Helper()
	b, err := bus.Connect(t.Context(), bus.Options{Server: Server(t)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	return b
}
