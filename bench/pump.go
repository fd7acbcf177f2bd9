package main

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

// pump carries out n tasks, at of them at a time, and gives the time that each took. A task that fails or comes to another answer
// than the script's ends it with an error: a contender that does less work has no figure.
func pump(ctx context.Context, n, at int, task func(context.Context) (string, error)) ([]time.Duration, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	took := make([]time.Duration, n)
	var begun atomic.Int64
	var all sync.WaitGroup
	for range min(at, n) {
		all.Go(func() {
			for i := begun.Add(1) - 1; i < int64(n) && ctx.Err() == nil; i = begun.Add(1) - 1 {
				start := time.Now()
				text, err := task(ctx)
				if err == nil && text != answer {
					err = fmt.Errorf("it came to %.200q", text)
				}
				if err != nil {
					cancel(fmt.Errorf("task %d: %w", i, err))
					return
				}
				took[i] = time.Since(start)
			}
		})
	}
	all.Wait()
	return took, context.Cause(ctx)
}
