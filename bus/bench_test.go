//go:build unix

package bus

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Each verb stands beside a bare one that does the least a NATS client can do to the same end, in the same process and run, so that the
// ratio says what the verb itself costs on any machine. cpu-µs/op is user and system time of the whole process: client, server, garbage.
//
//	go test -run xxx -bench . -benchmem ./bus

// benchBus is a bus on a server of its own in this process, and measure runs one way of doing a thing on it.
func benchBus(b *testing.B, sync bool) *Bus {
	b.Helper()
	s, err := StartServer(ServerOptions{Dir: b.TempDir(), NoSync: !sync})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(s.Stop)
	x, err := Connect(context.Background(), Options{Server: s})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(x.Close)
	return x
}

func measure(b *testing.B, op func()) {
	b.Helper()
	op() // the first makes subscriptions and buffers
	b.ReportAllocs()
	b.ResetTimer()
	begin := cpu()
	n := 0
	for b.Loop() {
		op()
		n++
	}
	b.ReportMetric(float64(cpu()-begin)/float64(n)/1e3, "cpu-µs/op")
}

// cpu is the time that this process has had processors for.
func cpu() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// both runs a benchmark without and with a sync to disk of every write.
func both(b *testing.B, run func(b *testing.B, x *Bus)) {
	for _, sync := range []bool{false, true} {
		b.Run(map[bool]string{false: "nosync", true: "sync"}[sync], func(b *testing.B) { run(b, benchBus(b, sync)) })
	}
}

// aRound is a record as a model's round writes it.
func aRound() *Record {
	r := record("s", "t", "t", KindRound)
	r.Round, r.Thought, r.Model = 2, "目标：查清这位客户有多少订单。交给 search_order_code，期待得到订单的列表和总数。", "a-model-of-size"
	r.ActionCode = []Action{{ToolName: "search_order_code", Parameter: json.RawMessage(`{"consumer_name":"王萍萍","search_keys":"订单"}`)}}
	r.Usage, r.Millis, r.Seen = &Usage{InputTokens: 1200, OutputTokens: 80, Rounds: 1}, 812, 17
	return r
}

// fill appends n rounds to the call t and gives the sequence of the last.
func fill(b *testing.B, x *Bus, n int) (last uint64) {
	b.Helper()
	for range n {
		last = must(x.Append(b.Context(), aRound(), last))
	}
	return last
}

func BenchmarkAppend(b *testing.B) {
	both(b, func(b *testing.B, x *Bus) {
		b.Run("bare", func(b *testing.B) {
			body := must(encode(aRound()))
			measure(b, func() { must(x.nc.Request(LogSubject("main", "s", "t", "bare"), body, patience)) })
		})
		b.Run("bus", func(b *testing.B) {
			var last uint64
			measure(b, func() { last = must(x.Append(b.Context(), aRound(), last)) })
		})
	})
}

// BenchmarkRead reads a short call, and one that has nothing new, as a node does before and during its work.
func BenchmarkRead(b *testing.B) {
	for _, n := range []int{0, 1, 8, 100} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			x := benchBus(b, false)
			last := fill(b, x, max(n, 1))
			after := uint64(0)
			if n == 0 {
				after = last
			}
			b.Run("bare", func(b *testing.B) {
				got := make(chan *nats.Msg, 128)
				inbox := x.nc.NewInbox()
				sub := must(x.nc.ChanSubscribe(inbox, got))
				defer func() { _ = sub.Unsubscribe() }()
				ask := fmt.Appendf(nil, `{"seq":%d,"batch":100,"next_by_subj":%q}`, after+1, LogSubject("main", "s", "t", "t"))
				measure(b, func() {
					if err := x.nc.PublishRequest("$JS.API.DIRECT.GET."+LogStream, inbox, ask); err != nil {
						b.Fatal(err)
					}
					for m := range got {
						if len(m.Data) == 0 {
							break
						}
					}
				})
			})
			b.Run("bus", func(b *testing.B) {
				measure(b, func() {
					if recs := must(x.Read(b.Context(), Where{"s", "t", "t"}, after)); len(recs) != n {
						b.Fatalf("%d records", len(recs))
					}
				})
			})
			b.Run("bus-task", func(b *testing.B) {
				measure(b, func() {
					if recs := must(x.Read(b.Context(), Where{Session: "s", Task: "t"}, after)); len(recs) != n {
						b.Fatalf("%d records", len(recs))
					}
				})
			})
		})
	}
}

func BenchmarkLast(b *testing.B) {
	x := benchBus(b, false)
	fill(b, x, 8)
	b.Run("bare", func(b *testing.B) {
		subject := "$JS.API.DIRECT.GET." + LogStream + "." + LogSubject("main", "s", "t", "t")
		measure(b, func() { must(x.nc.Request(subject, nil, patience)) })
	})
	b.Run("bus", func(b *testing.B) {
		measure(b, func() { must(x.Last(b.Context(), Where{"s", "t", "t"})) })
	})
}

func BenchmarkOpenTask(b *testing.B) {
	x := benchBus(b, false)
	if err := x.MarkOpen(b.Context(), OpenTask{Session: "s", Task: "t", Agent: "master"}); err != nil {
		b.Fatal(err)
	}
	for name, task := range map[string]string{"there": "t", "not": "none"} {
		b.Run(name+"/bare", func(b *testing.B) {
			subject := "$JS.API.DIRECT.GET." + openStream + "." + openSubject(x.openKey("s", task))
			measure(b, func() { must(x.nc.Request(subject, nil, patience)) })
		})
		b.Run(name+"/bus", func(b *testing.B) {
			measure(b, func() {
				if _, ok, err := x.OpenTask(b.Context(), "s", task); err != nil || ok != (name == "there") {
					b.Fatal(ok, err)
				}
			})
		})
	}
}

// BenchmarkMark puts a task into the index of open tasks and takes it out again.
func BenchmarkMark(b *testing.B) {
	both(b, func(b *testing.B, x *Bus) {
		b.Run("bare", func(b *testing.B) {
			body := must(json.Marshal(OpenTask{Session: "s", Task: "t", Agent: "master", Node: x.Node(), Since: time.Now()}))
			gone := &nats.Msg{Subject: openSubject(x.openKey("s", "t")), Header: nats.Header{"Nats-TTL": {"1s"}}}
			measure(b, func() {
				must(x.nc.Request(gone.Subject, body, patience))
				must(x.nc.RequestMsg(gone, patience))
			})
		})
		b.Run("bus", func(b *testing.B) {
			measure(b, func() {
				if err := x.MarkOpen(b.Context(), OpenTask{Session: "s", Task: "t", Agent: "master"}); err != nil {
					b.Fatal(err)
				}
				if err := x.Unmark(b.Context(), "s", "t"); err != nil {
					b.Fatal(err)
				}
			})
		})
	})
}

func BenchmarkSubmitWorkAccept(b *testing.B) {
	both(b, func(b *testing.B, x *Bus) {
		b.Run("bare", func(b *testing.B) {
			c := must(x.js.CreateConsumer(b.Context(), TaskStream, jetstream.ConsumerConfig{Durable: "bare", FilterSubject: TaskSubject("main", "bare"), AckPolicy: jetstream.AckExplicitPolicy}))
			msgs := must(c.Messages(jetstream.PullMaxMessages(1)))
			defer msgs.Stop()
			body := must(encode(Submission{Query: "q", Session: "s", Task: "t"}))
			measure(b, func() {
				must(x.nc.Request(TaskSubject("main", "bare"), body, patience))
				if err := must(msgs.Next()).Ack(); err != nil {
					b.Fatal(err)
				}
			})
		})
		b.Run("bus", func(b *testing.B) {
			slots := make(chan struct{}, 1)
			jobs := make(chan *Job)
			go func() {
				for job := range x.Work(b.Context(), "master", slots) {
					jobs <- job
				}
			}()
			measure(b, func() {
				must(x.Submit(b.Context(), "master", Submission{Query: "q"}, ""))
				if err := (<-jobs).Accept(); err != nil {
					b.Fatal(err)
				}
				<-slots
			})
		})
		// Many in hand, as on a busy node.
		b.Run("bus64", func(b *testing.B) {
			slots, inHand := make(chan struct{}, 64), make(chan struct{}, 64)
			go func() {
				for job := range x.Work(b.Context(), "busy", slots) {
					go func() {
						if err := job.Accept(); err != nil && b.Context().Err() == nil {
							b.Error(err)
						}
						<-slots
						<-inHand
					}()
				}
			}()
			b.ReportAllocs()
			b.SetParallelism(32)
			begin := cpu()
			b.RunParallel(func(p *testing.PB) {
				for p.Next() {
					inHand <- struct{}{}
					must(x.Submit(b.Context(), "busy", Submission{Query: "q"}, ""))
				}
			})
			for range cap(inHand) {
				inHand <- struct{}{}
			}
			b.ReportMetric(float64(cpu()-begin)/float64(b.N)/1e3, "cpu-µs/op")
		})
	})
}

func BenchmarkCall(b *testing.B) {
	x := benchBus(b, false)
	req := request("echo")
	req.Parameter = json.RawMessage(`{"consumer_name":"王萍萍","search_keys":"订单"}`)
	b.Run("bare", func(b *testing.B) {
		body := must(encode(req))
		sub := must(x.nc.Subscribe("bare", func(m *nats.Msg) { _ = m.Respond(m.Data) }))
		defer func() { _ = sub.Unsubscribe() }()
		measure(b, func() { must(x.nc.Request("bare", body, patience)) })
	})
	must(x.Serve(toolCard("echo"), echo))
	b.Run("bus", func(b *testing.B) {
		measure(b, func() { must(x.Call(b.Context(), req, nil)) })
	})
	b.Run("bus-deadline", func(b *testing.B) {
		req := req
		req.Deadline = time.Now().Add(time.Hour)
		measure(b, func() { must(x.Call(b.Context(), req, nil)) })
	})
}

// BenchmarkSpeak flushes once in 64, for publishing alone only fills a buffer.
func BenchmarkSpeak(b *testing.B) {
	x := benchBus(b, false)
	l := Live{Task: "t", Call: "t", Agent: "master", Round: 1, Channel: "answer", Offset: 120, Text: "王萍萍共有"}
	run := func(name string, speak func()) {
		b.Run(name, func(b *testing.B) {
			n := 0
			measure(b, func() {
				speak()
				if n++; n%64 == 0 {
					if err := x.nc.Flush(); err != nil {
						b.Fatal(err)
					}
				}
			})
		})
	}
	body := must(encode(l))
	run("unheard/bare", func() { _ = x.nc.Publish(LiveSubject("main", "s", "t"), body) })
	run("unheard/bus", func() { x.Speak("s", l) })
	sub := must(x.nc.Subscribe(LiveSubject("main", "s", "*"), func(*nats.Msg) {}))
	defer func() { _ = sub.Unsubscribe() }()
	run("heard/bare", func() { _ = x.nc.Publish(LiveSubject("main", "s", "t"), body) })
	run("heard/bus", func() { x.Speak("s", l) })
}

func BenchmarkEncode(b *testing.B) {
	r := aRound()
	r.HMAP, r.Time, r.Node = Version, time.Now().UTC(), "node"
	body := must(encode(r))
	b.Run("encode", func(b *testing.B) { measure(b, func() { must(encode(r)) }) })
	b.Run("decode", func(b *testing.B) {
		subject := LogSubject("main", "s", "t", "t")
		measure(b, func() { must(parseLog(subject, body)) })
	})
}
