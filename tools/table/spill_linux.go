package table

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"
)

// maxSpill is what a query may put aside on disk, in bytes, to sort and to join. SQLite has no bound of its own for that.
const maxSpill = 512 << 20

// guards is how many are at work now. Which of them a file is of nobody can tell.
var guards atomic.Int32

// spillGuard ends a query, or the reading of a database, that puts too much aside. SQLite removes such files as soon as it has opened them, so they are
// found among the open files of the process.
func spillGuard(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	guards.Add(1)
	done := make(chan struct{})
	go func() {
		defer close(done)
		t := time.NewTicker(50 * time.Millisecond)
		defer t.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-t.C:
				if spilled() > maxSpill && guards.Load() > 1 {
					cancel(refusef("同时进行的查询一共需要的临时空间超过 %d MiB，都已停止；请再试一次", "the queries under way at the same time wanted more than %d MiB of room together, and were stopped; try again", maxSpill>>20))
					return
				}
				if spilled() > maxSpill {
					cancel(refusef("需要的临时空间超过 %d MiB，已停止；请加上筛选条件或减少表的连接", "it wanted more than %d MiB of room and was stopped; filter more, or join less", maxSpill>>20))
					return
				}
			}
		}
	}()
	return ctx, func() {
		cancel(nil)
		<-done
		guards.Add(-1)
	}
}

// spilled are the bytes of all such files of this process.
func spilled() (total int64) {
	open, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return 0
	}
	for _, e := range open {
		name := filepath.Join("/proc/self/fd", e.Name())
		if target, err := os.Readlink(name); err == nil && strings.Contains(target, "etilqs_") {
			if info, err := os.Stat(name); err == nil {
				total += info.Size()
			}
		}
	}
	return total
}
