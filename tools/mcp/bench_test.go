package mcp

import "testing"

// One call of a server's tool over the bus and stdio, and back.
func BenchmarkCall(b *testing.B) {
	w := newWorld(b, Options{}, hostileServer("plain"))
	for b.Loop() {
		w.ok("plain__run", `{}`)
	}
}
