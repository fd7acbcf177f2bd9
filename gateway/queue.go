package gateway

import "sync"

// queue holds the frames that wait for one connection. It is bounded in frames and bytes, and nobody who puts a record in ever
// waits. The frames are shared with other connections, so a queue costs memory only for what nobody else holds.
type queue struct {
	maxFrames, maxBytes int
	// write is called when there is something to take and nobody takes; it starts a writer and must not block. The writer calls take
	// until that says there is nothing.
	write func()
	// turn has room for one: whose history is being read into the queue. The other sessions of the connection wait.
	turn chan struct{}

	mu      sync.Mutex
	frames  [][]byte
	bytes   int
	writing bool
	shut    bool
	room    chan struct{} // closed when the queue was emptied; nil while nobody waits for that
}

func newQueue(maxFrames, maxBytes int, write func()) *queue {
	return &queue{maxFrames: maxFrames, maxBytes: maxBytes, write: write, turn: make(chan struct{}, 1)}
}

// put adds frames, all or none; false when they find no room or the queue is shut, which ends the connection. An empty queue takes
// a frame of any size.
func (q *queue) put(frames ...[]byte) bool { return q.add(1, frames) }

// offer adds a frame that may be left out, as long as the queue is at most half full.
func (q *queue) offer(frame []byte) bool { return q.add(2, [][]byte{frame}) }

// add adds frames if the queue is then at most 1/part full.
func (q *queue) add(part int, frames [][]byte) bool {
	size := 0
	for _, f := range frames {
		size += len(f)
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	full := (len(q.frames)+len(frames))*part > q.maxFrames || (q.bytes+size)*part > q.maxBytes
	if q.shut || full && len(q.frames)+len(frames) > 1 {
		return false
	}
	q.push(frames, size)
	return true
}

func (q *queue) push(frames [][]byte, size int) {
	q.frames = append(q.frames, frames...)
	q.bytes += size
	if !q.writing {
		q.writing = true
		q.write()
	}
}

// wait adds a frame as soon as the queue is at most half full; false when done closes before, or the queue is shut. History comes in
// this way: it can be read as slowly as the client likes.
func (q *queue) wait(frame []byte, done <-chan struct{}) bool {
	for {
		q.mu.Lock()
		if q.shut {
			q.mu.Unlock()
			return false
		}
		if q.room == nil {
			q.room = make(chan struct{})
		}
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

// shutWith adds the last frames, which always find room; from now on nothing else does. Only the first call counts.
func (q *queue) shutWith(frames ...[]byte) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.shut {
		return
	}
	q.shut = true
	if len(frames) > 0 {
		q.push(frames, 0)
	}
}

// take empties the queue, in order. Nothing: the writer is done, and at the end of a queue that is shut last is true. The caller owns
// the slice until it hands it back as used, but not the bytes of the frames, which others share.
func (q *queue) take(used [][]byte) (frames [][]byte, last bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if cap(used) > keptFrames {
		used = nil
	}
	frames = q.frames
	q.frames, q.bytes = used[:0], 0
	if len(frames) == 0 {
		q.writing = false
		return nil, q.shut
	}
	if q.room != nil {
		close(q.room)
		q.room = nil
	}
	return frames, false
}

// keptFrames is for how many frames a queue keeps room when it is empty, for the next ones.
const keptFrames = 16
