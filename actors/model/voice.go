package model

import (
	"sync"
	"time"

	"github.com/hmap-project/hmap/actors/mask"
)

// pace is the shortest time between two texts that a watcher is told: 25 a second read smoothly, and each is a message on the
// bus, where a model writes up to some hundred pieces a second.
const pace = 40 * time.Millisecond

// voice tells a watcher what is being written, on the right channels, and takes it back when a try fails. The first text of a
// channel is told at once, what follows at most a pace later.
type voice struct {
	to      func(channel, text string) // nil: nobody watches
	channel string                     // where plain text belongs; "": nowhere
	form    bool                       // text is the H-MAP form: tell its thought and answer
	scan    scanner
	veil    *mask.Veil // nil: nothing is masked

	mu    sync.Mutex // held while the watcher is told: two are never told him at once
	lines []*line
	last  time.Time   // when something was told
	timer *time.Timer // tells what waits; nil: there was none yet
	set   bool        // the timer will go off
}

// line is what is said on one channel in this try.
type line struct {
	channel string
	held    []byte // waits to be told
	begun   bool   // something was told
}

// begin starts a try: what the one before said is void.
func (v *voice) begin() {
	if v.to == nil {
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, l := range v.lines {
		if l.begun {
			v.to(l.channel, "")
		}
	}
	v.lines, v.scan = nil, scanner{}
}

// end tells what still waits. Nothing is told after it until the next begin.
func (v *voice) end() {
	if v.to == nil {
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.timer != nil {
		v.timer.Stop()
	}
	v.set = false
	v.tell()
	for _, l := range v.lines { // no placeholder after all
		if len(l.held) > 0 {
			v.to(l.channel, string(l.held))
			l.held = nil
		}
	}
}

func (v *voice) say(channel, text string) {
	if v.to == nil || text == "" || channel == "" {
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	l := v.on(channel)
	l.held = append(l.held, text...)
	wait := pace - time.Since(v.last)
	switch {
	case !l.begun || wait <= 0:
		v.tell()
	case v.set:
	case v.timer == nil:
		v.timer, v.set = time.AfterFunc(wait, v.ring), true
	default:
		v.timer.Reset(wait)
		v.set = true
	}
}

// on gives the line of a channel.
func (v *voice) on(channel string) *line {
	for _, l := range v.lines {
		if l.channel == channel {
			return l
		}
	}
	l := &line{channel: channel}
	v.lines = append(v.lines, l)
	return l
}

// tell tells all that waits, but for what may be the beginning of a placeholder. v.mu must be held.
func (v *voice) tell() {
	for _, l := range v.lines {
		text, rest := string(l.held), ""
		if v.veil != nil {
			text, rest = v.veil.Open(text)
		}
		if l.held = append(l.held[:0], rest...); text != "" {
			v.to(l.channel, text)
			l.begun, v.last = true, time.Now()
		}
	}
}

func (v *voice) ring() {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.set { // else the try is over
		v.set = false
		v.tell()
	}
}

// text tells a piece of content.
func (v *voice) text(s string) {
	switch {
	case v.to == nil:
	case v.form:
		v.scan.feed(s, v.say)
	default:
		v.say(v.channel, s)
	}
}
