package bus

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// StreamMode says in what segments text that a tool writes is told to the person who waits, while it is written. Empty: the tool's
// host decides.
type StreamMode struct {
	Mode string `json:"mode"` // [StreamGeneral], [StreamToken] or [StreamTime]
	// First is how many tokens make the first segment, which should be on the screen soon; 0: it is like the others.
	First int `json:"first,omitempty"`
	// Token is how many tokens a segment has, with StreamToken; 1 to 10,000, 0: 5.
	Token int `json:"token,omitempty"`
	// Time is how many seconds of text a segment has, with StreamTime; 0.05 to 600, 0: 5.
	Time float64 `json:"time,omitempty"`
}

// The modes. Their names, and 5 as what they do without a number, are those of JoyAgent's tools.
const (
	StreamGeneral = "general" // one segment, at the end
	StreamToken   = "token"   // a segment after so many tokens
	StreamTime    = "time"    // a segment after so much time
)

const (
	streamDefault  = 5
	maxStreamToken = 10_000
	minStreamTime  = 0.05
	maxStreamTime  = 600.0
)

// ParseStreamMode reads a mode as people write it: "general", "token", "token:20", "time", "time:2" (seconds), "time:500ms" or plainly "2s", and "5,20" for a
// first segment of 5 tokens and then one after every 20. "" is the empty mode.
func ParseStreamMode(text string) (StreamMode, error) {
	var m StreamMode
	text = strings.TrimSpace(text)
	if text == "" {
		return m, nil
	}
	wrong := fmt.Errorf("stream mode %.40q: want general, token:20, 2s, or 5,20 (tokens of the first segment, and of each that follows)", text)
	if first, rest, pair := strings.Cut(text, ","); pair {
		var err1, err2 error
		m.Mode = StreamToken
		m.First, err1 = strconv.Atoi(strings.TrimSpace(first))
		m.Token, err2 = strconv.Atoi(strings.TrimSpace(rest))
		if err1 != nil || err2 != nil || m.First < 1 || m.Token < 1 {
			return StreamMode{}, wrong
		}
		return m, m.check()
	}
	mode, number, given := strings.Cut(text, ":")
	if d, err := time.ParseDuration(text); err == nil && d > 0 {
		mode, number, given = StreamTime, text, true
	}
	m.Mode = mode
	var err error
	switch {
	case !given:
	case mode == StreamToken:
		if m.Token, err = strconv.Atoi(number); m.Token == 0 {
			err = wrong
		}
	case mode == StreamTime:
		m.Time, err = strconv.ParseFloat(number, 64)
		if err != nil {
			var d time.Duration
			d, err = time.ParseDuration(number)
			m.Time = d.Seconds()
		}
		if m.Time == 0 {
			err = wrong
		}
	default:
		err = wrong
	}
	if err != nil {
		return StreamMode{}, wrong
	}
	return m, m.check()
}

// String is the mode as [ParseStreamMode] reads it.
func (m StreamMode) String() string {
	switch {
	case m.Mode == StreamToken && m.First > 0:
		return fmt.Sprintf("%d,%d", m.First, m.Tokens())
	case m.Mode == StreamToken && m.Token > 0:
		return fmt.Sprintf("%s:%d", m.Mode, m.Token)
	case m.Mode == StreamTime && m.Time > 0:
		return m.Mode + ":" + strconv.FormatFloat(m.Time, 'f', -1, 64)
	}
	return m.Mode
}

// Tokens is how many tokens a segment has.
func (m StreamMode) Tokens() int {
	if m.Token == 0 {
		return streamDefault
	}
	return m.Token
}

// Every is how much time a segment has.
func (m StreamMode) Every() time.Duration {
	if m.Time == 0 {
		return streamDefault * time.Second
	}
	return time.Duration(m.Time * float64(time.Second))
}

// valid is check for one that may be missing.
func (m *StreamMode) valid() error {
	if m == nil {
		return nil
	}
	return m.check()
}

func (m StreamMode) check() error {
	switch m.Mode {
	case "", StreamGeneral, StreamToken, StreamTime:
	default:
		return fmt.Errorf("stream_mode %.40q: want general, token or time", m.Mode)
	}
	if m.First < 0 || m.First > maxStreamToken || m.Token < 0 || m.Token > maxStreamToken {
		return fmt.Errorf("stream_mode: first and token are 1 to %d", maxStreamToken)
	}
	if m.Time != 0 && !(m.Time >= minStreamTime && m.Time <= maxStreamTime) {
		return errors.New("stream_mode: time is 0.05 to 600 seconds")
	}
	return nil
}
