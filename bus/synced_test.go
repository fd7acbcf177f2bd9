//go:build unix

package bus

import (
	"fmt"
	"runtime"
	"strconv"
	"sync/atomic"
	"testing"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nuid"
)

// BenchmarkSyncedStreams writes 512 bytes at a time with every write synced, from 32 publishers, to so many streams of one server: what a
// partition of the log would bring. "atomic" writes in batches of 8 that are stored together or not at all, "stored8" eight of a stream
// one after the other.
//
//	go test -run xxx -bench SyncedStreams ./bus
func BenchmarkSyncedStreams(b *testing.B) {
	body := make([]byte, 512)
	for _, streams := range []int{1, 2, 4, 8} {
		b.Run(strconv.Itoa(streams), func(b *testing.B) {
			x := benchBus(b, true)
			for i := range streams {
				must(x.js.CreateStream(b.Context(), jetstream.StreamConfig{Name: fmt.Sprint("P", i), Subjects: []string{fmt.Sprintf("p.%d.*", i)}}))
			}
			var n atomic.Int64
			perSecond(b, 1, func() {
				i := n.Add(1)
				must(x.store(b.Context(), message(fmt.Sprintf("p.%d.%d", int(i)%streams, i%1000), "", body), 0))
			})
		})
	}
	const batch = 8
	b.Run("atomic8", func(b *testing.B) {
		x := benchBus(b, true)
		must(x.js.CreateStream(b.Context(), jetstream.StreamConfig{Name: "P", Subjects: []string{"p.*"}, AllowAtomicPublish: true}))
		perSecond(b, batch, func() {
			id := nuid.Next()
			for i := 1; i <= batch; i++ {
				m := &nats.Msg{Subject: "p." + id, Data: body, Header: nats.Header{"Nats-Batch-Id": {id}, "Nats-Batch-Sequence": {strconv.Itoa(i)}}}
				if i < batch {
					if err := x.nc.PublishMsg(m); err != nil {
						b.Fatal(err)
					}
					continue
				}
				m.Header["Nats-Batch-Commit"] = []string{"1"}
				must(x.store(b.Context(), m, 0))
			}
		})
	})
	b.Run("stored8", func(b *testing.B) {
		x := benchBus(b, true)
		must(x.js.CreateStream(b.Context(), jetstream.StreamConfig{Name: "P", Subjects: []string{"p.*"}}))
		perSecond(b, batch, func() {
			id := nuid.Next()
			for range batch {
				must(x.store(b.Context(), message("p."+id, "", body), 0))
			}
		})
	})
}

// perSecond runs op, which writes so many messages, from 32 goroutines.
func perSecond(b *testing.B, messages int, op func()) {
	b.Helper()
	begin := cpu()
	b.SetParallelism(max(1, 32/runtime.GOMAXPROCS(0)))
	b.RunParallel(func(p *testing.PB) {
		for p.Next() {
			op()
		}
	})
	n := float64(b.N * messages)
	b.ReportMetric(n/b.Elapsed().Seconds(), "writes/s")
	b.ReportMetric(float64(cpu()-begin)/n/1e3, "cpu-µs/write")
	b.ReportMetric(0, "ns/op")
}
