//go:build unix

package bus

import (
	"context"
	"fmt"
	"net"
	"net/url"
	"runtime"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// BenchmarkScaleFollowers: so many followers, each of a session of its own on one connection. One op is an append and its arrival. "one" reads
// on a single filter for records and inputs, as Follow does not.
func BenchmarkScaleFollowers(b *testing.B) {
	for _, n := range []int{1, 100, 500, 2000} {
		for _, one := range []bool{false, true} {
			followers(b, n, one)
		}
	}
}

func followers(b *testing.B, n int, one bool) {
	b.Run(fmt.Sprint(n, map[bool]string{true: "-one"}[one]), func(b *testing.B) {
		x := benchBus(b, false)
		heap, goroutines := heapNow(), runtime.NumGoroutine()
		ctx, cancel := context.WithCancel(b.Context())
		ready, came := make(chan struct{}, n), make(chan uint64, n)
		begin, begun := cpu(), time.Now()
		for i := range n {
			x.done.Go(func() {
				w := Where{Session: fmt.Sprint("s", i)}
				filters := w.filters("main")
				if one {
					filters = []string{w.filter("main")}
				}
				for e, err := range x.follow(ctx, filters, 0) {
					switch {
					case err != nil:
						panic(err)
					case e.CaughtUp:
						ready <- struct{}{}
					default:
						came <- e.Record.Seq
					}
				}
			})
		}
		for range n {
			<-ready
		}
		starting, startCPU := time.Since(begun), cpu()-begin
		each := func(v float64) float64 { return v / float64(n) }
		kept := each(float64(heapNow()-heap) / 1024)
		running, share := runtime.NumGoroutine()-goroutines, idle()
		last, next := make([]uint64, n), 0
		measure(b, func() {
			i := next % n
			next++
			rec := aRound()
			rec.Session = fmt.Sprint("s", i)
			if last[i] = must(x.Append(b.Context(), rec, last[i])); <-came != last[i] {
				b.Fatal("another record came")
			}
		})
		b.ReportMetric(each(float64(starting.Microseconds())), "start-µs/follower")
		b.ReportMetric(each(float64(startCPU.Microseconds())), "start-cpu-µs/follower")
		b.ReportMetric(kept, "KiB/follower")
		b.ReportMetric(each(float64(running)), "goroutines/follower")
		b.ReportMetric(each(share*1e6), "idle-cpu-µs/s/follower")
		cancel()
	})
}

// BenchmarkScaleNodes: so many nodes that hold leases, know each other's 30 services each, listen for inputs, and do nothing. The leases last
// longer than the default, since all nodes share two processors here; "join" is what the coming of the last one costs each of them.
func BenchmarkScaleNodes(b *testing.B) {
	const services = 30
	for _, n := range []int{2, 10, 25} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			s := must(StartServer(ServerOptions{Dir: b.TempDir(), NoSync: true}))
			defer s.Stop()
			heap := heapNow()
			join := func(i int) *Bus {
				x := must(Connect(b.Context(), Options{Server: s, Node: fmt.Sprint("n", i), LeaseTTL: time.Minute / 2}))
				must(x.Lease(b.Context()))
				must(x.HearInputs(b.Context(), func(string, string) {}))
				for j := range services {
					must(x.Serve(toolCard(fmt.Sprint("tool", j)), echo))
				}
				return x
			}
			var nodes []*Bus
			for i := range n - 1 {
				nodes = append(nodes, join(i))
				defer nodes[i].Close()
			}
			know := func() {
				for _, x := range nodes {
					d := must(x.Directory(b.Context()))
					for changed := d.Changed(); len(d.Entries()) < services*len(nodes); changed = d.Changed() {
						<-changed
					}
				}
			}
			know()
			begin := cpu()
			nodes = append(nodes, join(n-1))
			defer nodes[n-1].Close()
			know()
			b.ReportMetric(float64((cpu()-begin).Milliseconds())/float64(n), "join-cpu-ms/node")
			kept := float64(heapNow()-heap) / (1 << 20) / float64(n)
			before, begun := must(s.nats.Varz(nil)), time.Now()
			share := idle()
			after, took := must(s.nats.Varz(nil)), time.Since(begun).Seconds()
			b.ReportMetric(float64(after.InMsgs-before.InMsgs)/took, "in-msgs/s")
			b.ReportMetric(float64(after.OutMsgs-before.OutMsgs)/took, "out-msgs/s")
			b.ReportMetric(float64(after.OutBytes-before.OutBytes)/took/(1<<20), "out-MiB/s")
			b.ReportMetric(share*100, "cpu-%")
			b.ReportMetric(kept, "heap-MiB/node")
			b.ReportMetric(float64(after.Subscriptions), "subscriptions")
		})
	}
}

// BenchmarkScaleLeaf: a hub that keeps everything, two leaf servers that keep nothing, and a far one behind a wire of 5 ms each way. At the far
// one ns/op over 10 ms is how often a verb goes there and back.
func BenchmarkScaleLeaf(b *testing.B) {
	start := func(o *server.Options) *server.Server {
		// Without this a leaf hands on hmap.> alone: the requests to JetStream, $KV.> and $OBJ.> are held back at both ends.
		o.JsAccDefaultDomain = map[string]string{server.DEFAULT_GLOBAL_ACCOUNT: ""}
		o.Host, o.Port, o.NoSigs, o.LeafNode.ReconnectInterval = "127.0.0.1", server.RANDOM_PORT, true, 100*time.Millisecond
		s := must(server.NewServer(o))
		s.Start()
		b.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
		if !s.ReadyForConnections(patience) {
			b.Fatal("not ready")
		}
		return s
	}
	hubOptions := &server.Options{ServerName: "hub", JetStream: true, StoreDir: b.TempDir()}
	hubOptions.LeafNode.Host, hubOptions.LeafNode.Port = "127.0.0.1", server.RANDOM_PORT
	hub := start(hubOptions)
	port := must(hub.Varz(nil)).LeafNode.Port
	leaf := func(name string, to int) *server.Server {
		o := &server.Options{ServerName: name}
		o.LeafNode.Remotes = []*server.RemoteLeafOpts{{URLs: []*url.URL{must(url.Parse(fmt.Sprint("nats://127.0.0.1:", to)))}}}
		return start(o)
	}
	servers := map[string]*server.Server{"hub": hub, "leaf": leaf("leaf", port), "other": leaf("other", port), "far": leaf("far", slow(b, port, 5*time.Millisecond))}
	buses := map[string]*Bus{}
	for _, at := range []string{"hub", "leaf", "other", "far"} {
		buses[at] = must(Connect(b.Context(), Options{URL: servers[at].ClientURL(), Node: at}))
		b.Cleanup(buses[at].Close)
		must(buses[at].Serve(toolCard("echo-"+at), echo))
	}
	var last uint64
	for range 100 {
		last = must(buses["hub"].Append(b.Context(), aRound(), last))
	}
	for _, at := range []string{"hub", "leaf", "far"} {
		x := buses[at]
		for _, to := range []string{at, "hub", "other"} {
			dir := must(x.Directory(b.Context()))
			for changed := dir.Changed(); ; changed = dir.Changed() {
				if _, ok := dir.Get("echo-" + to); ok {
					break
				}
				<-changed
			}
			b.Run(at+"/call-to-"+to, func(b *testing.B) {
				measure(b, func() {
					if r := must(x.Call(b.Context(), request("echo-"+to), nil)); r.Status != OK {
						b.Fatal(r.Error)
					}
				})
			})
		}
		b.Run(at+"/append", func(b *testing.B) {
			measure(b, func() { last = must(x.Append(b.Context(), aRound(), last)) })
		})
		b.Run(at+"/read-100", func(b *testing.B) {
			measure(b, func() {
				n := 0
				for range must(x.Read(b.Context(), Where{"s", "t", "t"}, last-100)) {
					n++
				}
				if n != 100 {
					b.Fatal(n, "records")
				}
			})
		})
		b.Run(at+"/follow-start", func(b *testing.B) {
			measure(b, func() {
				for e := range x.Follow(b.Context(), Where{Session: "s"}, last) {
					if e.CaughtUp {
						break
					}
				}
			})
		})
		b.Run(at+"/submit", func(b *testing.B) {
			measure(b, func() { must(x.Submit(b.Context(), "nobody", Submission{Query: "q"}, "")) })
		})
	}
}

// slow is a port that hands every byte on to another one so much later, both ways.
func slow(b *testing.B, to int, delay time.Duration) int {
	l := must(net.Listen("tcp", "127.0.0.1:0"))
	b.Cleanup(func() { _ = l.Close() })
	type piece struct {
		bytes []byte
		due   time.Time
	}
	carry := func(from, to net.Conn) {
		wire := make(chan piece, 4096)
		go func() {
			defer close(wire)
			for buf := make([]byte, 64<<10); ; {
				n, err := from.Read(buf)
				if n > 0 {
					wire <- piece{slices.Clone(buf[:n]), time.Now().Add(delay)}
				}
				if err != nil {
					return
				}
			}
		}()
		for p := range wire {
			time.Sleep(time.Until(p.due))
			if _, err := to.Write(p.bytes); err != nil {
				break
			}
		}
		_ = from.Close()
		_ = to.Close()
		for range wire { // whoever reads must not stand before a full wire
		}
	}
	go func() {
		for {
			near, err := l.Accept()
			if err != nil {
				return
			}
			far, err := net.Dial("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(to)))
			if err != nil {
				_ = near.Close()
				continue
			}
			go carry(near, far)
			go carry(far, near)
		}
	}()
	return l.Addr().(*net.TCPAddr).Port
}
