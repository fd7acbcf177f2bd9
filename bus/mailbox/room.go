package mailbox

// roomFor is what a thought and a step of a task take of a stack, all in all, in bytes; with it a stack becomes one of 16 KiB.
const roomFor = 12 << 10

// Room makes the stack of its goroutine large enough for our work at once, while next to nothing is on it. Left to itself a stack begins
// with 2 KiB and doubles whenever it is full, and each time all that is on it is copied and its pointers are mended: for goroutines that
// live as shortly as those of an actor that was a tenth of what a task cost. Where there is room already it costs a comparison. What turns
// out to be too much the garbage collector takes back.
func Room() { room(0) }

// room asks for the space of its frame when it is entered, like any function, and is called with 0, so that nothing is ever in it.
//
//go:noinline
func room(n int) byte {
	if n == 0 {
		return 0
	}
	var frame [roomFor]byte
	frame[n] = 1
	return frame[n/2]
}
