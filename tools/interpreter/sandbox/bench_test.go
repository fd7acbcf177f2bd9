//go:build linux && (amd64 || arm64)

package sandbox

import "testing"

// BenchmarkRun makes the machine, starts Python in it, and ends it.
func BenchmarkRun(b *testing.B) {
	for b.Loop() {
		if r, err := Run(b.Context(), script("")); err != nil || r.Exit != 0 {
			b.Fatal(r, err)
		}
	}
}
