package tools

import (
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/hmap-project/hmap/bus"
)

const (
	// streamPause is the least time between two segments, whatever the mode: each is a message on the bus.
	streamPause = 50 * time.Millisecond
	// maxHeld is how many bytes of text wait at most for a segment to be full; more are told at once.
	maxHeld = 64 << 10
)

// Stream tells the person who waits the text that a tool writes, while it is written, in segments: by tokens, by time, or in one at the end, as
// the request (stream_mode), else the configuration (message_interval) says. Get it with [Call.Stream]. Text that is told may be lost on
// its way, so what the tool returns holds all of it. Safe from many goroutines; nothing blocks.
type Stream struct {
	mode bus.StreamMode
	tell func(segment string) // nil: nobody listens

	mu     sync.Mutex // held while a segment is told: two are never told at once
	held   strings.Builder
	tokens int       // in held
	begun  time.Time // when the first text of held came
	told   time.Time // when the last segment was told; zero: none was
	timer  *time.Timer
	over   bool
}

func newStream(mode bus.StreamMode, tell func(string)) *Stream {
	if mode.Mode == "" {
		mode.Mode = bus.StreamGeneral
	}
	return &Stream{mode: mode, tell: tell}
}

// Write adds a piece of text, of any length and cut anywhere between two characters. A piece of a model's answer counts as a token at least.
func (s *Stream) Write(piece string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.over || s.tell == nil || piece == "" {
		return
	}
	now := time.Now()
	if s.held.Len() == 0 {
		s.begun = now
	}
	s.held.WriteString(piece)
	s.tokens += tokensIn(piece)
	wait, due := s.due(now)
	switch {
	case !due:
	case wait <= 0:
		s.flush(now)
	case s.timer == nil:
		s.timer = time.AfterFunc(wait, s.ring)
	}
}

// due tells how long what is held has yet to wait; due: it need not wait for more text.
func (s *Stream) due(now time.Time) (wait time.Duration, due bool) {
	pause := streamPause - now.Sub(s.told)
	first := s.told.IsZero() && s.mode.First > 0
	switch {
	case s.held.Len() >= maxHeld:
		return 0, true
	case s.mode.Mode == bus.StreamGeneral:
		return 0, false
	case first && s.tokens >= s.mode.First:
		return 0, true
	case s.mode.Mode == bus.StreamTime: // since the last segment, so that a tool that writes slowly is not slowed down more
		since := s.told
		if since.IsZero() {
			since = s.begun
		}
		return max(s.mode.Every()-now.Sub(since), pause), true
	}
	return pause, !first && s.tokens >= s.mode.Tokens()
}

// ring tells what has waited long enough.
func (s *Stream) ring() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.timer = nil
	if !s.over {
		s.flush(time.Now())
	}
}

// flush tells what is held. s.mu must be held.
func (s *Stream) flush(now time.Time) {
	if s.timer != nil {
		s.timer.Stop()
		s.timer = nil
	}
	if s.held.Len() == 0 {
		return
	}
	text := s.held.String()
	s.held.Reset()
	s.tokens, s.told = 0, now
	s.tell(text)
}

// Close tells the rest; what is written afterwards is not told. It may be called more than once, and is called when the tool returns.
func (s *Stream) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.over && s.tell != nil {
		s.flush(time.Now())
	}
	s.over = true
}

// tokensIn estimates how many tokens of a language model a piece is: a sign of Chinese one, four of other characters one, and 1 at least.
func tokensIn(piece string) int {
	if len(piece) <= 4 {
		return 1
	}
	wide, narrow := 0, 0
	for _, r := range piece {
		if r >= utf8.RuneSelf && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul) {
			wide++
		} else {
			narrow++
		}
	}
	return max(wide+(narrow+3)/4, 1)
}
