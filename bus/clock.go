package bus

import (
	"strconv"
	"time"

	"github.com/nats-io/nats.go"
)

// HeaderLeft is how many milliseconds a request's deadline is away when it is sent. The clocks of two machines need not agree, so it
// counts instead of the deadline in the body.
const HeaderLeft = "Hmap-Left"

// steady gives a moment of the wall clock as one that is measured from here on by the clock that nobody sets: compared with [time.Now] it
// comes when it was to come, whatever becomes of the wall clock meanwhile.
func steady(t time.Time) time.Time { return time.Now().Add(time.Until(t)) }

// leftHeader is the header for a deadline.
func leftHeader(deadline time.Time) []string {
	return []string{strconv.FormatInt(max(time.Until(deadline), 0).Milliseconds(), 10)}
}

// deadlineOf is the deadline of a request by our own clock; zero: it has none.
func deadlineOf(body time.Time, header nats.Header) time.Time {
	if ms, err := strconv.ParseInt(header.Get(HeaderLeft), 10, 64); err == nil && ms >= 0 && ms < int64(maxLeft/time.Millisecond) {
		return time.Now().Add(time.Duration(ms) * time.Millisecond)
	}
	if body.IsZero() {
		return body
	}
	return steady(body)
}

// maxLeft bounds what is believed of [HeaderLeft]: a year.
const maxLeft = 365 * 24 * time.Hour
