//go:build unix

package bus

import (
	"context"
	"fmt"
	"hash/fnv"
	"runtime"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go/jetstream"
)

// What SCALE.md says, measured; -benchtime is that of one step, setting up takes longer:
//
//	go test -run xxx -bench Scale -benchtime 1000x -timeout 30m ./bus

// partitioned lays the map of an account over the log: what is published on the subjects of today is stored in one of p streams, that of its session.
func partitioned(b testing.TB, x *Bus, p int) {
	b.Helper()
	for i := range p {
		must(x.js.CreateStream(b.Context(), jetstream.StreamConfig{Name: fmt.Sprint(LogStream, "_", i), Subjects: []string{fmt.Sprintf("log.*.%d.>", i)}, AllowDirect: true}))
	}
	to := fmt.Sprintf("log.{{wildcard(1)}}.{{partition(%d,2)}}.{{wildcard(2)}}.{{wildcard(3)}}.{{wildcard(4)}}", p)
	if err := x.o.Server.nats.GlobalAccount().AddMapping("hmap.*.log.*.*.*", to); err != nil {
		b.Fatal(err)
	}
}

// TestScalePartition: a partition that a client computes is the one into which the map of an account puts a session, and the fence holds there.
func TestScalePartition(t *testing.T) {
	const p = 4
	x := newBus(t)
	partitioned(t, x, p)
	used := map[int]int{}
	for i := range 200 {
		session := fmt.Sprint("s", i)
		seq := must(x.Append(within(t), record(session, "t", "t", KindRequest), 0))
		h := fnv.New32a()
		_, _ = h.Write([]byte(session))
		part := int(h.Sum32() % p)
		used[part]++
		subject := fmt.Sprintf("log.main.%d.%s.t.t", part, session)
		if m, err := x.lastOf(within(t), fmt.Sprint(LogStream, "_", part), subject); err != nil || m.Sequence != seq {
			t.Fatalf("%s is not record %d of partition %d: %v", session, seq, part, err)
		}
		if _, err := x.store(within(t), must(x.logged(record(session, "t", "t", KindClaim), 0)), 0); code(err) != jetstream.JSErrCodeStreamWrongLastSequence {
			t.Fatalf("a second first record: %v", err)
		}
	}
	if len(used) != p {
		t.Errorf("partitions in use: %v", used)
	}
}

// TestScaleReaders: a log made by an earlier version, which the server would let 1,000 read, takes more; a limit that an operator set stays.
func TestScaleReaders(t *testing.T) {
	s := startServer(t, ServerOptions{NoSync: true})
	x := connect(t, Options{Server: s})
	readers := func() int { return must(x.js.Stream(within(t), LogStream)).CachedInfo().Config.MaxConsumers }
	if n := readers(); n != logReaders {
		t.Errorf("a new log takes %d readers", n)
	}
	for set, want := range map[int]int{-1: logReaders, 7: 7} {
		log := must(x.js.Stream(within(t), LogStream)).CachedInfo().Config
		log.MaxConsumers = set
		must(x.js.UpdateStream(within(t), log))
		connect(t, Options{Server: s})
		if n := readers(); n != want {
			t.Errorf("a log set to %d takes %d readers, want %d", set, n, want)
		}
	}
}

// BenchmarkScaleSubjects: a log with so many calls of one record each, and beside them one session of 8 records.
func BenchmarkScaleSubjects(b *testing.B) {
	for _, n := range []int{1_000, 100_000, 500_000} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			x := benchBus(b, false)
			heap := heapNow()
			body := must(encode(aRound()))
			for i := range n {
				must(x.js.PublishMsgAsync(message(LogSubject("main", fmt.Sprint("s", i/10), "t", fmt.Sprint("c", i%10)), "", body)))
				if i%1000 == 999 {
					<-x.js.PublishAsyncComplete()
				}
			}
			<-x.js.PublishAsyncComplete()
			grown := float64(heapNow()-heap) / float64(n)
			last := fill(b, x, 8)
			b.Run("append", func(b *testing.B) {
				measure(b, func() { last = must(x.Append(b.Context(), aRound(), last)) })
				b.ReportMetric(grown, "heap-B/subject")
			})
			calls := 0
			b.Run("append-new", func(b *testing.B) {
				measure(b, func() {
					calls++
					must(x.Append(b.Context(), record("new", "t", fmt.Sprint("c", calls), KindRequest), 0))
				})
			})
			b.Run("last", func(b *testing.B) {
				measure(b, func() { must(x.Last(b.Context(), Where{"s7", "t", "c3"})) })
			})
			b.Run("read-call", func(b *testing.B) {
				measure(b, func() { must(x.Read(b.Context(), Where{"s7", "t", "c3"}, 0)) })
			})
			b.Run("read-session", func(b *testing.B) {
				measure(b, func() {
					if recs := must(x.Read(b.Context(), Where{Session: "s7"}, 0)); len(recs) != 10 {
						b.Fatal(len(recs), "records")
					}
				})
			})
			for name, after := range map[string]uint64{"follow-all": 0, "follow-on": last} {
				b.Run(name, func(b *testing.B) {
					measure(b, func() {
						for e, err := range x.Follow(b.Context(), Where{Session: "s7"}, after) {
							if err != nil {
								b.Fatal(err)
							}
							if e.CaughtUp {
								break
							}
						}
					})
				})
			}
		})
	}
}

func heapNow() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc + m.StackInuse)
}

// idle is the processor time of this process while nobody asks it for anything, as a share of one processor.
func idle() float64 {
	const long = 4 * time.Second
	begin := cpu()
	time.Sleep(long) // nothing is waited for: this is what is measured
	return float64(cpu()-begin) / float64(long)
}

// BenchmarkScaleTasks: all that a task of three rounds and two tools stores (10 messages, 6 of them in the log), by the verbs of the bus, 64
// tasks at a time, onto so many partitions of the log; "today" is without a map.
func BenchmarkScaleTasks(b *testing.B) {
	for _, p := range []int{0, 1, 2, 4} {
		both(b, func(b *testing.B, x *Bus) {
			b.Run(map[bool]string{true: "today", false: fmt.Sprint("partitions", p)}[p == 0], func(b *testing.B) {
				if p > 0 {
					partitioned(b, x, p)
				}
				slots, inHand := make(chan struct{}, 64), make(chan struct{}, 64)
				go func() {
					for job := range x.Work(b.Context(), "busy", slots) {
						go func() {
							if err := aTask(b.Context(), x, job); err != nil && b.Context().Err() == nil {
								b.Error(err)
							}
							<-slots
							<-inHand
						}()
					}
				}()
				begin := cpu()
				b.SetParallelism(32)
				b.RunParallel(func(pb *testing.PB) {
					for pb.Next() {
						inHand <- struct{}{}
						must(x.Submit(b.Context(), "busy", Submission{Query: "q"}, ""))
					}
				})
				for range cap(inHand) {
					inHand <- struct{}{}
				}
				b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "tasks/s")
				b.ReportMetric(float64(cpu()-begin)/float64(b.N)/1e3, "cpu-µs/task")
				b.ReportMetric(0, "ns/op")
			})
		})
	}
}

// aTask stores what a task stores between its submission and its end.
func aTask(ctx context.Context, x *Bus, job *Job) error {
	session, task := job.Submission.Session, job.Submission.Task
	var last uint64
	for i, kind := range []Kind{KindRequest, KindRound, KindResult, KindRound, KindResult, KindResponse} {
		rec := aRound()
		rec.Session, rec.Task, rec.Call, rec.Kind = session, task, task, kind
		var err error
		if last, err = x.Append(ctx, rec, last); err != nil {
			return err
		}
		if i > 0 {
			continue
		}
		if err := x.MarkOpen(ctx, OpenTask{Session: session, Task: task, Agent: job.Agent}); err != nil {
			return err
		}
		if err := job.Accept(); err != nil {
			return err
		}
	}
	if err := x.KeepSnapshot(ctx, &Snapshot{Session: Session{ID: session, Tasks: 1}, Seq: last}); err != nil {
		return err
	}
	return x.Unmark(ctx, session, task)
}

// BenchmarkScaleStream: what one stream takes from 32 publishers, kept by three servers of one process, and what idle ones cost there.
func BenchmarkScaleStream(b *testing.B) {
	for _, sync := range []bool{false, true} {
		name := map[bool]string{false: "r3-nosync", true: "r3-sync"}[sync]
		x := must(Connect(b.Context(), Options{URL: cluster(b, func(o *server.Options) { o.SyncAlways = sync })}))
		for _, streams := range []int{1, 2, 4} {
			b.Run(fmt.Sprint(name, "/", streams), func(b *testing.B) {
				for i := range streams {
					stream := jetstream.StreamConfig{Name: fmt.Sprintf("P%d-%d", streams, i), Subjects: []string{fmt.Sprintf("p%d.%d.*", streams, i)}, Replicas: 3}
					must(x.js.CreateOrUpdateStream(b.Context(), stream))
				}
				body := make([]byte, 512)
				var n atomic.Int64
				perSecond(b, 1, func() {
					i := n.Add(1)
					must(x.publish(b.Context(), message(fmt.Sprintf("p%d.%d.%d", streams, int(i)%streams, i%1000), "", body), nil))
				})
			})
		}
		x.Close()
	}
	x := must(Connect(b.Context(), Options{URL: cluster(b)}))
	defer x.Close()
	for made := 0; made <= 32; {
		b.Run(fmt.Sprint("idle/", made), func(b *testing.B) {
			b.ReportMetric(idle()*1e3, "cpu-ms/s")
			b.ReportMetric(float64(heapNow())/(1<<20), "heap-MiB")
			b.ReportMetric(float64(runtime.NumGoroutine()), "goroutines")
		})
		for to := max(8, 2*made); made < to; made++ {
			must(x.js.CreateStream(b.Context(), jetstream.StreamConfig{Name: fmt.Sprint("I", made), Subjects: []string{fmt.Sprintf("i.%d.>", made)}, Replicas: 3}))
		}
	}
}
