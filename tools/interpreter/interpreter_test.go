package interpreter

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/tools"
)

// More than the slots wait for their turn, and are told so; who gives up waiting gives up, and who would have no time left to run comes later.
func TestSlots(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		i := New(Options{AtOnce: 1, Log: slog.New(slog.DiscardHandler)})
		i.slots <- struct{}{}
		var lines []string
		call := &tools.Call{Progress: func(line string) { lines = append(lines, line) }}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := i.run(ctx, call, Arguments{Code: "1"}); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		ctx, cancel = context.WithTimeout(t.Context(), i.Tool().Card.Timeout)
		defer cancel()
		begun, busy := time.Now(), (*bus.Error)(nil)
		if _, err := i.run(ctx, call, Arguments{Code: "1"}); !errors.As(err, &busy) || busy.Code != bus.CodeBusy || !busy.Retryable || time.Since(begun) != 85*time.Second {
			t.Error(err, time.Since(begun))
		}
		if len(lines) != 10 || lines[9] != "waiting for a free place (at most 1 run at a time) · 80 s so far" {
			t.Errorf("%q", lines)
		}
	})
}

func TestCancelled(t *testing.T) {
	able(t)
	t.Parallel()
	r := newRoom(t, Options{})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	answer, err := r.call(ctx, Arguments{Code: "print('up')\nimport time\ntime.sleep(600)"}, func(p bus.Response) {
		if strings.Contains(p.Progress, "up") {
			cancel()
		}
	})
	if err == nil && answer.Status == bus.OK {
		t.Errorf("%+v", answer)
	}
}
