package model

import (
	"context"
	"errors"
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
