package model

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

func TestAlarm(t *testing.T) {
	for name, x := range map[string]struct {
		act   func(*alarm)
		after time.Duration // 0: it does not ring
		cause error
	}{
		"silence":       {func(*alarm) {}, 10 * time.Second, errIdle},
		"signs of life": {func(a *alarm) { beat(a, 5) }, 45*time.Second + 10*time.Second, errIdle},
		"too slow":      {func(a *alarm) { beat(a, 6) }, time.Minute, errSlow},
		"hurry": {func(a *alarm) {
			beat(a, 1)
			a.hurry(3 * time.Second)
			a.hurry(20 * time.Second)
		}, 12 * time.Second, errIdle},
		"stopped": {func(a *alarm) { a.stop() }, 0, context.Canceled},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, give := context.WithCancelCause(t.Context())
				defer give(nil)
				begun := time.Now()
				var a alarm
				a.start(give, time.Minute, 10*time.Second)
				x.act(&a)
				<-ctx.Done()
				if got := time.Since(begun); got != x.after || !errors.Is(context.Cause(ctx), x.cause) {
					t.Errorf("after %v: %v", got, context.Cause(ctx))
				}
				if name != "stopped" {
					a.stop()
				}
			})
		})
	}
}

// beat gives n signs of life, one each 9 seconds.
func beat(a *alarm, n int) {
	for range n {
		time.Sleep(9 * time.Second)
		a.heard()
	}
}

// Vendors speak HTTP/2, where the transport treats bodies in its own way.
func TestHTTP2(t *testing.T) {
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n, err := io.Copy(io.Discard, r.Body)
		if err != nil || n != r.ContentLength || r.ProtoMajor != 2 {
			t.Errorf("%s, %d of %d bytes, %v", r.Proto, n, r.ContentLength, err)
		}
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, "data: {\"choices\":[{\"delta\":{\"content\":\"ok\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")
	}))
	s.EnableHTTP2 = true
	s.StartTLS()
	t.Cleanup(s.Close)
	usual := transport
	transport = usual.Clone()
	transport.TLSClientConfig = s.Client().Transport.(*http.Transport).TLSClientConfig
	t.Cleanup(func() { transport = usual })
	c, err := New(Options{BaseURL: s.URL, Model: "m"})
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			p := prompt(orders)
			p.System = strings.Repeat("long ", 20_000) // several frames
			if r, err := c.Ask(t.Context(), p); err != nil || r.Answer != "ok" {
				t.Errorf("%+v %v", r, err)
			}
		})
	}
	wg.Wait()
}
