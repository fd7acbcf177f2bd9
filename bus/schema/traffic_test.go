package schema

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/hmap-project/hmap/bus"
)

// What the bus really puts on the wire holds the schemas, with no field that they do not know.
func TestTrafficHolds(t *testing.T) {
	s, err := bus.StartServer(bus.ServerOptions{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Stop)
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	b, err := bus.Connect(ctx, bus.Options{Server: s, Node: "shop-7f3a"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	wire := make(chan *nats.Msg, 1024)
	for _, subject := range []string{"hmap.>", "$KV.HMAP_NODES.*", "$KV.HMAP_OPEN.>", "$KV.HMAP_SESSIONS.*.*", "$KV.HMAP_TOOLS.*.*", "_INBOX_shop-7f3a.>"} {
		if _, err := b.Conn().ChanSubscribe(subject, wire); err != nil {
			t.Fatal(err)
		}
	}
	speak(ctx, t, b)

	missing := map[string]bool{}
	for _, name := range Names() {
		// Cards are in announcements; receipts and frames are not the bus's.
		missing[name] = name != "card" && name != "receipt" && !strings.HasSuffix(name, "-frame")
	}
	left := func() bool {
		for _, m := range missing {
			if m {
				return true
			}
		}
		return false
	}
	for left() {
		select {
		case m := <-wire:
			name := bodyOn(m.Subject)
			if name == "" || m.Header.Get("KV-Operation") != "" || strings.HasPrefix(string(m.Data), `{"type":"io.nats`) || strings.HasPrefix(string(m.Data), `{"stream"`) {
				continue
			}
			missing[name] = false
			if err := Strict(name, m.Data); err != nil {
				t.Errorf("%s: %s\n%v", m.Subject, m.Data, err)
			}
			if v := m.Header.Get(bus.HeaderVersion); name == "record" && (v != bus.Version || m.Header.Get(bus.HeaderKind) == "" || m.Header.Get(bus.HeaderID) == "") {
				t.Errorf("%s: headers %v", m.Subject, m.Header)
			}
		case <-ctx.Done():
			t.Fatalf("still to come: %v", missing)
		}
	}
}

// speak has the bus say something of every kind.
func speak(ctx context.Context, t *testing.T, b *bus.Bus) {
	t.Helper()
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	last := map[string]uint64{}
	for _, e := range examples(t) {
		if e.schema != "record" {
			continue
		}
		var r bus.Record
		check(json.Unmarshal([]byte(e.body), &r))
		seq, err := b.Append(ctx, &r, last[r.Call])
		check(err)
		last[r.Call] = seq
	}
	_, err := b.Submit(ctx, "master", bus.Submission{Query: "我有多少订单是王萍萍买的?", Budget: &bus.Budget{Tokens: 9}}, "")
	check(err)
	_, err = b.Tell(ctx, "s1", "t1", bus.Input{Kind: bus.Steer, Text: "只看十一月的"}, "")
	check(err)
	b.Speak("s1", bus.Live{Task: "t1", Call: "t1", Channel: "answer", Text: "一共"})
	check(b.MarkOpen(ctx, bus.OpenTask{Session: "s1", Task: "t1", Agent: "master"}))
	now := time.Now().UTC()
	check(b.KeepSnapshot(ctx, &bus.Snapshot{Session: bus.Session{ID: "s1", Title: "一共", First: now, Last: now, Tasks: 1}, Seq: 1, Memory: json.RawMessage(`[]`)}))
	for _, e := range examples(t) {
		if e.schema == "saved-tool" {
			tool, err := bus.ParseSavedTool([]byte(e.body))
			check(err)
			_, err = b.KeepTool(ctx, tool, 0)
			check(err)
		}
	}
	lease, err := b.Lease(ctx)
	check(err)
	t.Cleanup(lease.Close)

	taken := make(chan struct{})
	card := bus.Card{Name: "counter", Kind: "agent", Description: "Counts.", Tags: []string{"计数"}, Timeout: time.Second, Cost: 0.5,
		Parameters: json.RawMessage(`{"type":"object"}`)}
	service, err := b.Serve(card, func(in *bus.Incoming) {
		in.Progress("counting")
		if in.Request.JobDesc == "never" {
			close(taken)
			return
		}
		if err := in.Respond(bus.Response{Status: bus.OK, Observation: json.RawMessage(`{"characters":3}`), Usage: &bus.Usage{}}); err != nil {
			t.Error(err)
		}
	})
	check(err)
	t.Cleanup(service.Stop)
	ask := bus.Request{Session: "s1", Task: "t1", Call: "t1-1-0", Caller: "master", ToolName: "counter", JobDesc: "王萍萍"}
	_, err = b.Call(ctx, ask, nil)
	check(err)
	ask.JobDesc = "never"
	impatient, giveUp := context.WithCancel(ctx)
	waited := make(chan struct{})
	go func() {
		defer close(waited)
		select {
		case <-taken:
		case <-ctx.Done():
		}
		giveUp()
	}()
	_, err = b.Call(impatient, ask, nil)
	<-waited
	check(err)
}

// bodyOn gives the schema of what goes over a subject, by PROTOCOL.md; "" for the server's own replies.
func bodyOn(subject string) string {
	tokens := strings.Split(subject, ".")
	switch {
	case strings.HasPrefix(subject, "_INBOX"):
		return "response"
	case tokens[0] == "$KV" && tokens[1] == bus.NodesBucket:
		return "lease"
	case tokens[0] == "$KV" && tokens[1] == bus.SessionsBucket:
		return "snapshot"
	case tokens[0] == "$KV" && tokens[1] == bus.ToolsBucket:
		return "saved-tool"
	case tokens[0] == "$KV":
		return "open-task"
	}
	return map[string]string{"task": "submission", "call": "request", "log": "record", "input": "input", "live": "live",
		"announce": "announcement", "cancel": "cancellation"}[tokens[2]]
}
