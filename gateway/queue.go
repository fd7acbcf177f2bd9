package gateway

import "sync"

// queue holds the encoded frames that wait for one connection. It is bounded in frames and bytes, and nobody who puts a
// record in ever waits.
type queue struct {
	maxFrames, maxBytes int

	mu     sync.Mutex
	frames [][]byte
	bytes  int
	wake   chan struct{} // holds one token when there is something to take
	room   chan struct{} // closed and renewed when the queue was emptied
}

func newQueue(maxFrames, maxBytes int) *queue {
	return &queue{maxFrames: maxFrames, maxBytes: maxBytes, wake: make(chan struct{}, 1), room: make(chan struct{})}
}

// put adds a frame; false when the queue is full, which ends the connection. An empty queue takes a frame of any size.
func (q *queue) put(frame []byte) bool { return q.add(frame, 1) }

// offer adds a frame that may be left out, as long as the queue is at most half full.
func (q *queue) offer(frame []byte) bool { return q.add(frame, 2) }

// add adds a frame if the queue is then at most 1/part full.
func (q *queue) add(frame []byte, part int) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.frames) > 0 && ((len(q.frames)+1)*part > q.maxFrames || (q.bytes+len(frame))*part > q.maxBytes) {
		return false
	}
	q.frames = append(q.frames, frame)
	q.bytes += len(frame)
	select {
	case q.wake <- struct{}{}:
	default:
	}
	return true
}

// wait adds a frame as soon as the queue is at most half full; false when done closes before. History comes in this way: it
// can be read as slowly as the client likes.
func (q *queue) wait(frame []byte, done <-chan struct{}) bool {
	for {
		q.mu.Lock()
		room := q.room
		q.mu.Unlock()
		if q.offer(frame) {
			return true
		}
		select {
		case <-room:
		case <-done:
			return false
		}
	}
}

// take empties the queue, in order. The caller owns what it gets, but not the bytes of the frames, which others share.
func (q *queue) take() [][]byte {
	q.mu.Lock()
	defer q.mu.Unlock()
	frames := q.frames
	q.frames, q.bytes = nil, 0
	close(q.room)
	q.room = make(chan struct{})
	return frames
}
