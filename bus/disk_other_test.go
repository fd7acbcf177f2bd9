//go:build !linux

package bus

import "testing"

func smallDisk(t *testing.T, _ string) string {
	t.Helper()
	t.Skip("how to mount a disk of its own is known for Linux only")
	return ""
}

func readOnlyDisk(t *testing.T) string { return smallDisk(t, "") }
