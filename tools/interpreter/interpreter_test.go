package interpreter

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"github.com/hmap-project/hmap/bus"
)

// More than the slots wait for their turn; who gives up waiting gives up.
func TestSlots(t *testing.T) {
	t.Parallel()
	i := New(Options{AtOnce: 1, Log: slog.New(slog.DiscardHandler)})
	i.slots <- struct{}{}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := i.run(ctx, nil, Arguments{Code: "1"}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
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
