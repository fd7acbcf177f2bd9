package gateway

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/hmap-project/hmap/bus"
)

// A topic keeps the frames it sent last, so that somebody who joins or comes back need not read the log. More than these and the
// joiner does.
const (
	recentFrames = 256
	recentBytes  = 1 << 20
)

// A topic with many members hands out in beats: after each it rests, and what comes meanwhile goes with the next one. A write to a
// socket costs 4 µs whether it carries one frame or ten. Few members notice nothing: below a millisecond there is no rest.
const (
	restPerMember = 15 * time.Microsecond // 30 ms for 2,000
	mostRest      = 40 * time.Millisecond
	leastRest     = time.Millisecond
	beatFrames    = 64 // so many are handed out at once, rest or not
	beatBytes     = 256 << 10
)

// topic is a session that is being followed: one reading of its log and one ear for its live text, for all its members.
type topic struct {
	session string
	ctx     context.Context // ends when nobody holds it
	stop    context.CancelFunc
	held    int    // under hub.mu
	marked  uint64 // under hub.mu; what pos was when the bus went away, the last time

	mu      sync.Mutex
	started bool
	broken  bool
	pos     uint64 // sequence of the last record read
	from    uint64 // recent holds every record after this one
	recent  []sent
	bytes   int // of recent
	members map[*follower]struct{}

	waiting []piece // what the next beat hands out, in order
	weight  int     // of waiting, in bytes
	resting bool
}

// sent is a record as a frame.
type sent struct {
	seq   uint64
	frame []byte
}

// piece is a record to be handed out, or live text.
type piece struct {
	sent
	live bus.Live // when frame is nil
}

// follower is one connection's place in one topic.
type follower struct {
	out   *queue
	topic *topic
	pos   uint64 // the last record it has; kept by the topic once it has joined
	known bool   // pos has been seen in the log
	// lost is called at most once, when a record found no room or the topic broke: the follower must resume after pos. It
	// must not block.
	lost func(pos uint64, why string)
}

// meet makes f a member and tells it that it has caught up, when nothing is missing. Otherwise lacks are the records that it must get
// first, or, when there are none, the topic does not remember so far back (or has not started) and f must read the log.
func (t *topic) meet(f *follower) (joined bool, lacks []sent, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case t.broken:
		return false, nil, errBroken
	case !t.started || f.pos < t.from:
		return false, nil, nil
	}
	i, here := slices.BinarySearchFunc(t.recent, f.pos, func(s sent, seq uint64) int {
		switch {
		case s.seq < seq:
			return -1
		case s.seq > seq:
			return 1
		}
		return 0
	})
	if here {
		i++
	} else if f.pos != t.from && !f.known {
		return false, nil, nil // perhaps of another log
	}
	if i < len(t.recent) {
		return false, slices.Clone(t.recent[i:]), nil
	}
	f.known = true
	if !f.out.put(encode(serverFrame{Type: "caught_up", Session: t.session, Seq: f.pos})) {
		f.lost(f.pos, tooSlow)
		return true, nil, nil
	}
	t.members[f] = struct{}{}
	return true, nil, nil
}

// start says what was read before the topic: everything after from is in records. False: it had started already.
func (t *topic) start(from uint64, records []sent) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.started {
		return false
	}
	t.started, t.from, t.pos = true, from, from
	for _, s := range records {
		t.remember(s)
	}
	return true
}

// remember makes s the newest of the recent frames, and forgets the oldest beyond the bound.
func (t *topic) remember(s sent) {
	t.pos = s.seq
	t.recent = append(t.recent, s)
	t.bytes += len(s.frame)
	for len(t.recent) > recentFrames || t.bytes > recentBytes {
		t.from = t.recent[0].seq
		t.bytes -= len(t.recent[0].frame)
		t.recent[0].frame = nil
		t.recent = t.recent[1:]
	}
}

// deliver hands a record to the members, with the next beat.
func (t *topic) deliver(r *bus.Record) {
	s := sent{r.Seq, recordFrame(r)}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.remember(s)
	t.add(piece{sent: s})
}

// speak hands live text to the members that have room for it. What goes on where the last piece of the same writer ended, and waits for
// the same beat, becomes one frame with it.
func (t *topic) speak(l bus.Live) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for i := len(t.waiting) - 1; i >= 0 && t.waiting[i].frame == nil; i-- {
		w := &t.waiting[i].live
		if w.Task != l.Task || w.Call != l.Call || w.Round != l.Round || w.Channel != l.Channel {
			continue
		}
		if w.Offset+utf8.RuneCountInString(w.Text) != l.Offset {
			break
		}
		w.Text += l.Text
		t.weight += len(l.Text)
		t.beatIfDue()
		return
	}
	t.add(piece{live: l})
}

func (t *topic) add(p piece) {
	t.waiting = append(t.waiting, p)
	t.weight += len(p.frame) + len(p.live.Text)
	t.beatIfDue()
}

func (t *topic) beatIfDue() {
	if !t.resting || len(t.waiting) >= beatFrames || t.weight >= beatBytes {
		t.beat()
	}
}

// beat hands out what waits, and rests.
func (t *topic) beat() {
	for rest := t.waiting; len(rest) > 0; {
		if rest[0].frame == nil {
			frame := encode(liveFrame{Type: "live", Session: t.session, Live: rest[0].live})
			for f := range t.members {
				f.out.offer(frame)
			}
			rest = rest[1:]
			continue
		}
		n := 1
		for n < len(rest) && rest[n].frame != nil {
			n++
		}
		t.give(rest[:n])
		rest = rest[n:]
	}
	clear(t.waiting)
	t.waiting, t.weight = t.waiting[:0], 0
	if rest := min(time.Duration(len(t.members))*restPerMember, mostRest); rest >= leastRest && !t.resting {
		t.resting = true
		time.AfterFunc(rest, t.rested)
	}
}

func (t *topic) rested() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.resting = false
	if len(t.waiting) > 0 {
		t.beat()
	}
}

// give puts records that follow one another into the queue of every member that has not got them.
func (t *topic) give(records []piece) {
	frames := make([][]byte, len(records))
	for i, r := range records {
		frames[i] = r.frame
	}
	for f := range t.members {
		i := 0
		for i < len(records) && records[i].seq <= f.pos { // it joined since, or is ahead: it read the log itself
			i++
		}
		if f.out.put(frames[i:]...) {
			f.pos = max(f.pos, records[len(records)-1].seq)
			continue
		}
		for ; i < len(records); i++ { // as many as find room
			if !f.out.put(frames[i]) {
				delete(t.members, f)
				f.lost(f.pos, tooSlow)
				break
			}
			f.pos = records[i].seq
		}
	}
}

// part takes f out; it may not be in.
func (t *topic) part(f *follower) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.members, f)
}

// mark needs hub.mu.
func (t *topic) mark() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.marked = t.pos
}

// breakUp sends all members to resume, from 0 when what they have is of another log.
func (t *topic) breakUp(why error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.broken = true
	for f := range t.members {
		pos := f.pos
		if errors.Is(why, errReplaced) {
			pos = 0
		}
		f.lost(pos, why.Error())
	}
	clear(t.members)
}
