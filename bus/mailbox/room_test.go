package mailbox

import (
	"runtime/debug"
	"testing"
	"unsafe"
)

// A stack that had to grow lies somewhere else afterwards.
func TestRoomLetsTheStackStay(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // a collection may move a stack as well
	moved := make(chan bool)
	go func() {
		Room()
		var here byte
		before := uintptr(unsafe.Pointer(&here))
		use(9 << 10)
		moved <- uintptr(unsafe.Pointer(&here)) != before
	}()
	if <-moved {
		t.Error("the stack was copied although there was room")
	}
}

// use takes some bytes of the stack, and a bit more.
//
//go:noinline
func use(bytes int) byte {
	var frame [512]byte
	if frame[bytes%512] = 1; bytes > 512 {
		return use(bytes-512) + frame[0]
	}
	return frame[1]
}

// What goroutines cost that live for one piece of work of 9 KiB, with room and without.
func BenchmarkRoom(b *testing.B) {
	for name, first := range map[string]func(){"with": Room, "without": func() {}} {
		b.Run(name, func(b *testing.B) {
			done := make(chan struct{})
			for b.Loop() {
				go func() {
					first()
					use(9 << 10)
					done <- struct{}{}
				}()
				<-done
			}
		})
	}
}
