package table

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// maxSpill is what a query may put aside on disk, in bytes, to sort and to join. SQLite has no bound of its own for that.
const maxSpill = 512 << 20

// spillGuard ends a query that puts too much aside. SQLite removes such files as soon as it has opened them, so they are
// found among the open files of the process.
func spillGuard(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
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
				if spilled() > maxSpill {
					cancel(refusef("查询需要的临时空间超过 %d MiB，已停止；请加上筛选条件或减少表的连接", "the query wanted more than %d MiB of room and was stopped; filter more, or join less", maxSpill>>20))
					return
				}
			}
		}
	}()
	return ctx, func() {
		cancel(nil)
		<-done
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
