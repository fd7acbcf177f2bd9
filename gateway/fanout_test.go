//go:build unix

package gateway_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/gateway"
)

// One session followed by 2,000 in another process, from Append to the last follower. "full" goes as fast as it goes, at most a
// queue's half ahead of the crowd; "paced" appends 100 records a second and tells how late they come. cpu/frame is this process (log,
// bus and gateway), clients/frame the crowd's.
func BenchmarkFanOut(b *testing.B) {
	const followers = 2000
	for _, x := range []struct {
		name  string
		bytes int
		every time.Duration
	}{{"full/300B", 100, 0}, {"full/2kB", 1800, 0}, {"paced/300B", 100, 10 * time.Millisecond}} {
		b.Run(x.name, func(b *testing.B) {
			h := open(b, gateway.Options{MaxConnections: followers})
			c := startCrowd(b, strings.TrimPrefix(h.http.URL, "http://"), "s1", followers)
			type end struct {
				crowdReport
				error
			}
			ended := make(chan end, 1)
			go func() {
				r, err := c.listen()
				ended <- end{r, err}
			}()
			w := &call{house: h, session: "s1", task: "t1", call: "t1"}
			rest := strings.Repeat("x", x.bytes)
			sent, start, before := 0, time.Now(), cpuTime()
			for b.Loop() {
				if x.every > 0 {
					time.Sleep(time.Until(start.Add(time.Duration(sent) * x.every)))
				} else {
					c.wait(sent - 400)
				}
				w.append(bus.Record{Thought: fmt.Sprintf("@%019d %s", time.Now().UnixNano(), rest)})
				sent++
			}
			for sent%crowdStep != 0 { // the crowd speaks in steps
				w.append(bus.Record{Thought: rest})
				sent++
			}
			c.wait(sent)
			took, cpu := time.Since(start), cpuTime()-before
			c.in.Close()
			r := <-ended
			if r.error != nil || r.Least != sent || r.Most != sent {
				b.Fatalf("of %d records the followers got %d to %d: %v", sent, r.Least, r.Most, r.error)
			}
			frames := float64(sent * followers)
			b.ReportMetric(frames/took.Seconds(), "frames/s")
			b.ReportMetric(float64(cpu)/frames, "cpu-ns/frame")
			b.ReportMetric(float64(r.CPU)/frames, "clients-ns/frame")
			if x.every > 0 {
				b.ReportMetric(float64(r.P50)/1e6, "p50-ms")
				b.ReportMetric(float64(r.P99)/1e6, "p99-ms")
			}
		})
	}
}

// What a connection costs that follows a session and where nothing happens: heap and stacks in use after a collection, by 2,000 of them.
func BenchmarkIdle(b *testing.B) {
	const followers = 2000
	used := func() float64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.GC() // twice: pools let go with the second
		runtime.ReadMemStats(&m)
		return float64(m.HeapAlloc + m.StackInuse)
	}
	h := open(b, gateway.Options{MaxConnections: followers})
	startCrowd(b, strings.TrimPrefix(h.http.URL, "http://"), "s1", 1)
	before, goroutines := used(), runtime.NumGoroutine()
	startCrowd(b, strings.TrimPrefix(h.http.URL, "http://"), "s1", followers-1)
	for b.Loop() {
		runtime.Gosched()
	}
	b.ReportMetric((used()-before)/1024/(followers-1), "KiB/connection")
	b.ReportMetric(float64(runtime.NumGoroutine()-goroutines)/(followers-1), "goroutines/connection")
}
