package bus_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"strings"
	"time"

	"github.com/hmap-project/hmap/bus"
)

// open starts a server with nothing in it and connects to it. In a program the directory stays, and one server serves all.
func open() (b *bus.Bus, end func()) {
	dir, err := os.MkdirTemp("", "bus")
	if err != nil {
		log.Fatal(err)
	}
	s, err := bus.StartServer(bus.ServerOptions{Dir: dir})
	if err != nil {
		log.Fatal(err)
	}
	b, err = bus.Connect(context.Background(), bus.Options{Server: s})
	if err != nil {
		log.Fatal(err)
	}
	return b, func() {
		b.Close()
		s.Stop()
		_ = os.RemoveAll(dir)
	}
}

// Two writers that saw the same log: the second is refused, not merged.
func ExampleBus_Append() {
	b, end := open()
	defer end()
	ctx := context.Background()
	first, err := b.Append(ctx, &bus.Record{Kind: bus.KindRequest, Session: "s1", Task: "t1", Call: "t1"}, 0)
	if err != nil {
		log.Fatal(err)
	}
	_, err = b.Append(ctx, &bus.Record{Kind: bus.KindClaim, Session: "s1", Task: "t1", Call: "t1"}, first)
	fmt.Println(err)
	_, err = b.Append(ctx, &bus.Record{Kind: bus.KindClaim, Session: "s1", Task: "t1", Call: "t1"}, first)
	fmt.Println(errors.Is(err, bus.ErrFenced))
	// Output:
	// <nil>
	// true
}

// History, the marker, and then what comes.
func ExampleBus_Follow() {
	b, end := open()
	defer end()
	ctx := context.Background()
	rec := &bus.Record{Kind: bus.KindRequest, Session: "s1", Task: "t1", Call: "t1"}
	last, err := b.Append(ctx, rec, 0)
	if err != nil {
		log.Fatal(err)
	}
	for e, err := range b.Follow(ctx, bus.Where{Session: "s1"}, 0) {
		switch {
		case err != nil:
			log.Fatal(err)
		case e.CaughtUp:
			fmt.Println("caught up at", e.Record.Seq)
			end := &bus.Record{Kind: bus.KindResponse, Session: "s1", Task: "t1", Call: "t1", Status: bus.OK}
			if _, err := b.Append(ctx, end, last); err != nil {
				log.Fatal(err)
			}
			continue
		}
		fmt.Println(e.Record.Seq, e.Record.Kind)
		if e.Record.Kind == bus.KindResponse {
			break
		}
	}
	// Output:
	// 1 request
	// caught up at 1
	// 2 response
}

// A worker with one slot.
func ExampleBus_Work() {
	b, end := open()
	defer end()
	ctx := context.Background()
	r, err := b.Submit(ctx, "master", bus.Submission{Query: "我有多少订单是王萍萍买的?"}, "")
	if err != nil {
		log.Fatal(err)
	}
	slots := make(chan struct{}, 1)
	for job, err := range b.Work(ctx, "master", slots) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(job.Submission.Query, job.Submission.Task == r.Task)
		if err := job.Accept(); err != nil { // from here the log owns the task
			log.Fatal(err)
		}
		<-slots // when the task has ended
		break
	}
	// Output: 我有多少订单是王萍萍买的? true
}

// A tool, and somebody who asks it.
func ExampleBus_Call() {
	b, end := open()
	defer end()
	card := bus.Card{Name: "shout", Kind: "tool", Description: "Says it louder.", Effect: bus.Read,
		Parameters: json.RawMessage(`{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]}`)}
	s, err := b.Serve(card, func(in *bus.Incoming) {
		go func() { // work never holds up the next request
			var p struct{ Text string }
			if err := json.Unmarshal(in.Request.Parameter, &p); err != nil {
				_ = in.Respond(bus.Response{Status: bus.Failed, Error: &bus.Error{Code: bus.CodeInvalidParameter, Message: err.Error()}})
				return
			}
			in.Progress("breathing in")
			loud, _ := json.Marshal(strings.ToUpper(p.Text))
			_ = in.Respond(bus.Response{Status: bus.OK, Observation: loud})
		}()
	})
	if err != nil {
		log.Fatal(err)
	}
	defer s.Stop()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	r, err := b.Call(ctx, bus.Request{Session: "s1", Task: "t1", Call: "t1-1-0", ToolName: "shout", Parameter: json.RawMessage(`{"text":"hello"}`)},
		func(p bus.Response) { fmt.Println(p.Progress) })
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(r.Status, string(r.Observation))
	// Output:
	// breathing in
	// ok "HELLO"
}

// Who is there, and waiting for a change.
func ExampleBus_Directory() {
	b, end := open()
	defer end()
	d, err := b.Directory(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	changed := d.Changed() // asked for before looking
	fmt.Println(len(d.Cards()), "cards")
	if _, err := b.Serve(bus.Card{Name: "clock", Kind: "tool", Description: "Tells the time.", Effect: bus.Read}, func(*bus.Incoming) {}); err != nil {
		log.Fatal(err)
	}
	<-changed
	c, ok := d.Get("clock")
	fmt.Println(c.Description, ok)
	// Output:
	// 0 cards
	// Tells the time. true
}

func ExampleFiles() {
	b, end := open()
	defer end()
	ctx := context.Background()
	f, err := b.Files().Put(ctx, "report.md", "text/markdown", "orders of June", strings.NewReader("# June\n"))
	if err != nil {
		log.Fatal(err)
	}
	r, info, err := b.Files().Get(ctx, f.Ref)
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = r.Close() }()
	content, err := io.ReadAll(r)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s, %d bytes: %q\n", info.Name, info.Bytes, content)
	// Output: report.md, 7 bytes: "# June\n"
}

// An answer to a question, heard by whoever looks after waiting tasks.
func ExampleBus_Inputs() {
	b, end := open()
	defer end()
	ctx := context.Background()
	if _, err := b.Tell(ctx, "s1", "t1", bus.Input{Kind: bus.Answer, Text: "我这个是京东小店的"}, ""); err != nil {
		log.Fatal(err)
	}
	for in, err := range b.Inputs(ctx) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(in.Task, in.Input.Kind, in.Input.Text)
		if err := in.Done(); err != nil {
			log.Fatal(err)
		}
		break
	}
	// Output: t1 answer 我这个是京东小店的
}

// A node that leaves hands its tasks over at once.
func ExampleBus_Lease() {
	b, end := open()
	defer end()
	ctx := context.Background()
	lease, err := b.Lease(ctx)
	if err != nil {
		log.Fatal(err)
	}
	if err := b.MarkOpen(ctx, bus.OpenTask{Session: "s1", Task: "t1", Agent: "master"}); err != nil {
		log.Fatal(err)
	}
	fmt.Println(b.Alive(b.Node()))
	lease.Close()
	open, err := b.OpenTasks(ctx)
	if err != nil {
		log.Fatal(err)
	}
	for _, t := range open {
		fmt.Println(t.Task, "belongs to a node that is there:", b.Alive(t.Node))
	}
	// Output:
	// true
	// t1 belongs to a node that is there: false
}
