package model

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// maxBody bounds the bytes of one answer on the wire. With 16384 tokens, each its own event of 300 bytes, 5 MB are usual.
const maxBody = 32 << 20

// transport is Go's usual one, but for three things. As many connections stay open as were needed at once, since with its two a
// host, many tasks at a time would open a new one for each question. Compression is not asked for: it holds back small events.
// And a request of usual size goes out in one write: with two, a task took a fifth more CPU.
var transport = func() *http.Transport {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.MaxIdleConns, t.MaxIdleConnsPerHost = 0, 16<<10
	t.DisableCompression = true
	t.WriteBufferSize = 8 << 10
	return t
}()

// exchange is the HTTP of one try. It keeps the time, bounds the answer in size and in silence, and keeps Retry-After. A
// redirect counts as a failure, for it would turn the POST into a GET, or carry the key to somebody else.
type exchange struct {
	now   func() time.Time
	alarm alarm

	after   time.Duration // what Retry-After asked for, once there is an answer
	started bool          // the server has accepted the request
	from    io.ReadCloser // the answer's body
	left    int           // bytes that it may still have
}

// begin starts the time of a try, which ends when the context that it gives does. [exchange.stop] must follow.
func (c *Client) begin(ctx context.Context, within, idle time.Duration) (context.Context, *exchange) {
	ctx, give := context.WithCancelCause(ctx)
	x := &exchange{now: c.now, left: maxBody}
	x.alarm.start(give, within, idle)
	return ctx, x
}

// stop ends a try: nothing more is read, and the alarm is off.
func (x *exchange) stop() {
	if x.from != nil {
		_ = x.from.Close()
	}
	x.alarm.stop()
}

// Do sends the request. The body of the answer is read by the exchange.
func (x *exchange) Do(req *http.Request) (*http.Response, error) {
	res, err := transport.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	x.alarm.heard()
	x.from, res.Body = res.Body, x
	switch {
	case res.StatusCode >= 400:
		x.after = retryAfter(res.Header, x.now())
	case res.StatusCode >= 300:
		return nil, &refusal{Status: http.StatusNotFound, Message: fmt.Sprintf("it redirects (status %d) to %.200q", res.StatusCode, res.Header.Get("Location"))}
	default:
		x.started = true
	}
	return res, nil
}

// Read reads the answer's body.
func (x *exchange) Read(b []byte) (int, error) {
	if x.left <= 0 {
		return 0, &tooBig{fmt.Sprintf("the answer is longer than %d MiB on the wire", maxBody>>20)}
	}
	n, err := x.from.Read(b[:min(len(b), x.left)])
	x.left -= n
	if n > 0 {
		x.alarm.heard()
	}
	return n, err
}

// Close leaves the body to [exchange.stop].
func (x *exchange) Close() error { return nil }

// tooBig is the failure of an answer over a bound.
type tooBig struct{ what string }

func (e *tooBig) Error() string { return e.what }

// alarm ends a try whose answer takes too long, or from which nothing comes for too long. It has one timer, which is not set
// anew at each sign of life: when it goes off, it looks how long ago the last one was.
type alarm struct {
	give  context.CancelCauseFunc // ends the try
	begun time.Time
	last  atomic.Int64 // the last sign of life, since begun

	mu     sync.Mutex
	within time.Duration // for the whole answer, since begun
	idle   time.Duration
	timer  *time.Timer // nil: stopped
}

func (a *alarm) start(give context.CancelCauseFunc, within, idle time.Duration) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.give, a.begun, a.within, a.idle = give, time.Now(), within, idle
	a.timer = time.AfterFunc(min(within, idle), a.ring)
}

// heard notes a sign of life.
func (a *alarm) heard() { a.last.Store(int64(time.Since(a.begun))) }

// hurry shortens the patience with silence.
func (a *alarm) hurry(idle time.Duration) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if idle < a.idle && a.timer != nil {
		a.idle = idle
		a.timer.Reset(idle)
	}
}

func (a *alarm) ring() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.timer == nil {
		return
	}
	now := time.Since(a.begun)
	silent := now - time.Duration(a.last.Load())
	switch {
	case now >= a.within:
		a.give(errSlow)
	case silent >= a.idle:
		a.give(errIdle)
	default:
		a.timer.Reset(min(a.within-now, a.idle-silent))
	}
}

func (a *alarm) stop() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.timer.Stop()
	a.timer = nil
	a.give(nil)
}
