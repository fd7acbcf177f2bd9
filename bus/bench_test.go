package bus

import (
	"context"
	"testing"
)

func benchBus(b *testing.B) *Bus {
	b.Helper()
	s, err := StartServer(ServerOptions{Dir: b.TempDir()})
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

func BenchmarkAppend(b *testing.B) {
	x := benchBus(b)
	var last uint64
	for b.Loop() {
		last = must(x.Append(b.Context(), record("s", "t", "t", KindRound), last))
	}
}

func BenchmarkRead100(b *testing.B) {
	x := benchBus(b)
	var last uint64
	for range 100 {
		last = must(x.Append(b.Context(), record("s", "t", "t", KindRound), last))
	}
	for b.Loop() {
		must(x.Read(b.Context(), Where{Session: "s"}, 0))
	}
}

func BenchmarkCall(b *testing.B) {
	x := benchBus(b)
	must(x.Serve(toolCard("echo"), echo))
	for b.Loop() {
		must(x.Call(b.Context(), request("echo"), nil))
	}
}

func BenchmarkSubmitAndWork(b *testing.B) {
	x := benchBus(b)
	slots := make(chan struct{}, 1)
	jobs := make(chan *Job)
	go func() {
		for job := range x.Work(b.Context(), "master", slots) {
			jobs <- job
		}
	}()
	for b.Loop() {
		must(x.Submit(b.Context(), "master", Submission{Query: "q"}, ""))
		if err := (<-jobs).Accept(b.Context()); err != nil {
			b.Fatal(err)
		}
		<-slots
	}
}
