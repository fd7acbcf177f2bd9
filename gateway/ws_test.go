package gateway_test

import (
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/gateway"
)

const someID = "0b9e3a6c-6d0e-4a53-9f52-3c1f2a"

func TestTaskSentTwiceIsOneTask(t *testing.T) {
	h := open(t, gateway.Options{})
	c, other := h.dial(), h.dial()
	c.send(`{"type":"task","id":"` + someID + `","query":"我有多少订单是王萍萍买的?","reply_to":"$JS.API.STREAM.DELETE.HMAP_LOG"}`)
	first := c.want("accepted")
	if first.ID != someID || first.Session == "" || first.Task == "" {
		t.Fatalf("%+v", first)
	}
	other.send(`{"type":"task","id":"` + someID + `","query":"我有多少订单是王萍萍买的?"}`)
	if again := other.want("accepted"); again.Session != first.Session || again.Task != first.Task {
		t.Fatalf("the repeat got %+v, not %+v", again, first)
	}
	if n := h.waiting(); n != 1 {
		t.Fatalf("%d tasks in the queue", n)
	}
	other.send(`{"type":"task","id":"` + someID + `","query":"something else"}`)
	if third := other.want("accepted"); third.Task == first.Task {
		t.Fatal("another task under the same id was taken for a repeat")
	}
	js, err := jetstreamOf(h.bus)
	if err != nil {
		t.Fatal(err)
	}
	s, err := js.Stream(t.Context(), bus.TaskStream)
	if err != nil {
		t.Fatal(err)
	}
	m, err := s.GetLastMsgForSubject(t.Context(), bus.TaskSubject(h.bus.Tenant(), "master"))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(m.Data), "reply_to") {
		t.Fatalf("a browser chose a subject: %s", m.Data)
	}
}

// What is typed under an ask and is a request of its own becomes a task, where the client says that it may be; the ask stays open.
func TestWordsApartFromAnAsk(t *testing.T) {
	h := open(t, gateway.Options{Apart: func(text string, a bus.Ask) bool { return a.Question == "agree?" && strings.HasPrefix(text, "查") }})
	c := h.dial()
	for i, said := range []struct {
		text, more string
		apart      bool
	}{
		{"查一下订单", "", false}, {"好", `,"apart":true`, false}, {"查一下订单", `,"apart":true`, true}, {"查一下订单", `,"apart":true,"ask":"other"`, false},
	} {
		task := fmt.Sprintf("t%d", i)
		log := call{house: h, session: "s1", task: task, call: task}
		log.append(bus.Record{Kind: bus.KindAsk, Ask: &bus.Ask{ID: task + "-1-0", Kind: bus.Approval, Question: "agree?"}})
		c.send(`{"type":"input","session":"s1","task":"` + task + `","kind":"answer","ask":"` + task + `-1-0","text":"` + said.text + `"` + said.more + `}`)
		got := c.want("accepted")
		if got.Session != "s1" || said.apart != (got.Task != task) || said.apart != (got.Waits == task) || said.apart != (got.Seq == 0) {
			t.Errorf("%s%s: %+v", said.text, said.more, got)
		}
	}
}

// Of those who answer one ask at the same time, over their sockets or from a service on the bus, one is heard, and each other is told what was.
func TestWhoAnswersLaterIsToldOfTheAnswer(t *testing.T) {
	h := open(t, gateway.Options{})
	for i, x := range []struct{ first, later, kind, text string }{
		{`"kind":"answer","text":"洋酒"`, `"kind":"answer","text":"啤酒"`, "answer", "洋酒"},
		{`"kind":"approve"`, `"kind":"refuse"`, "approve", ""},
		{`"kind":"refuse"`, `"kind":"approve"`, "refuse", ""},
		{`"kind":"approve"`, `"kind":"answer","text":"算了"`, "approve", ""},
		{"", `"kind":"approve"`, "refuse", "too dear"},
	} {
		task := fmt.Sprintf("t%d", i)
		log := call{house: h, session: "s1", task: task, call: task}
		log.append(bus.Record{Kind: bus.KindAsk, Ask: &bus.Ask{ID: task + "-1-0", Kind: bus.Approval, Question: "agree?"}})
		log.append(bus.Record{Kind: bus.KindAsk, Ask: &bus.Ask{ID: task + "-1-1", Kind: bus.Question, Question: "which?"}})
		one, other := h.dial(), h.dial()
		say := func(c *client, id, ask, what string) {
			c.send(fmt.Sprintf(`{"type":"input","id":"%s-%s","session":"s1","task":"%s","ask":"%s%s",%s}`, id, someID, task, task, ask, what))
		}
		if x.first == "" {
			in := bus.Input{HMAP: bus.Version, Kind: bus.Refuse, Ask: task + "-1-0", Text: x.text, By: "seller-17"}
			if _, err := h.bus.Tell(t.Context(), "s1", task, in, ""); err != nil {
				t.Fatal(err)
			}
		} else {
			say(one, "one"+task, "-1-0", x.first)
			one.want("accepted")
			say(one, "one"+task, "-1-0", x.first) // the reply was not heard
			one.want("accepted")
		}
		say(other, "two"+task, "-1-0", x.later)
		if got := other.want("error"); got.Code != bus.CodeInvalidRequest || got.Answered == nil || string(got.Answered.Kind) != x.kind || got.Answered.Text != x.text || got.Answered.Ask != task+"-1-0" || !strings.Contains(got.Message, "answered already") || !strings.Contains(got.Message, x.text) || got.Seq == 0 {
			t.Errorf("%s after %s: %+v", x.later, x.first, got)
		}
		log.append(bus.Record{Kind: bus.KindResponse, Status: bus.OK})
		say(other, "end"+task, "-1-0", x.later)
		if got := other.want("error"); got.Answered == nil || string(got.Answered.Kind) != x.kind {
			t.Errorf("after the end of the task: %+v", got)
		}
	}
}

// Of two that answer in the same moment exactly one is taken.
func TestTwoAnswersAtOnce(t *testing.T) {
	h := open(t, gateway.Options{})
	log := call{house: h, session: "s1", task: "t1", call: "t1"}
	log.append(bus.Record{Kind: bus.KindAsk, Ask: &bus.Ask{ID: "t1-1-0", Kind: bus.Question, Question: "which?"}})
	all := make([]*client, 6)
	for i := range all {
		all[i] = h.dial()
	}
	for i, c := range all {
		c.send(fmt.Sprintf(`{"type":"input","session":"s1","task":"t1","kind":"answer","ask":"t1-1-0","text":"answer %d"}`, i))
	}
	var taken []string
	told := map[string]int{}
	for i, c := range all {
		got, err := c.next()
		switch {
		case err != nil:
			t.Fatal(err)
		case got.Type == "accepted":
			taken = append(taken, fmt.Sprintf("answer %d", i))
		case got.Answered != nil:
			told[got.Answered.Text]++
		}
	}
	if len(taken) != 1 || told[taken[0]] != len(all)-1 {
		t.Fatalf("taken: %v; told: %v", taken, told)
	}
}

func TestInputsReachTheLog(t *testing.T) {
	h := open(t, gateway.Options{})
	c := h.dial()
	c.send(`{"type":"input","id":"` + someID + `","session":"s1","task":"t1","kind":"answer","ask":"t1-1-0","text":"洋酒"}`)
	seq := c.want("accepted").Seq
	c.send(`{"type":"input","id":"` + someID + `","session":"s1","task":"t1","kind":"answer","ask":"t1-1-0","text":"洋酒"}`)
	if again := c.want("accepted").Seq; again != seq {
		t.Fatalf("the repeat is record %d, not %d", again, seq)
	}
	c.send(`{"type":"cancel","session":"s1","task":"t1"}`)
	c.want("accepted")
	recs, err := h.bus.Read(t.Context(), bus.Where{Session: "s1"}, 0)
	if err != nil || len(recs) != 2 {
		t.Fatalf("%d records, %v", len(recs), err)
	}
	if in := recs[0].Input; in.Kind != bus.Answer || in.Ask != "t1-1-0" || in.Text != "洋酒" {
		t.Fatalf("%+v", in)
	}
	if in := recs[1].Input; in.Kind != bus.Cancel {
		t.Fatalf("%+v", in)
	}
}

func TestBadFramesAreAnswered(t *testing.T) {
	h := open(t, gateway.Options{})
	long := strings.Repeat("长", 17<<10)
	for _, x := range []struct{ frame, code, says string }{
		{`no JSON`, bus.CodeInvalidRequest, "JSON object"},
		{`[1,2]`, bus.CodeInvalidRequest, "JSON object"},
		{`{}`, bus.CodeInvalidRequest, "no type"},
		{`{"type":"dance"}`, bus.CodeInvalidRequest, "none of"},
		{`{"type":"task","query":" "}`, bus.CodeInvalidRequest, "query is empty"},
		{`{"type":"task","query":"` + long + `"}`, bus.CodeInvalidRequest, "more than 49152"},
		{`{"type":"task","query":"x","session":"a.b"}`, bus.CodeInvalidRequest, `session "a.b"`},
		{`{"type":"task","query":"x","session":">"}`, bus.CodeInvalidRequest, `session ">"`},
		{`{"type":"task","query":"x","session":"s","task":"*"}`, bus.CodeInvalidRequest, `task "*"`},
		{`{"type":"task","query":"x","task":"t"}`, bus.CodeInvalidRequest, "without its session"},
		{`{"type":"task","query":"x","mode":"dream"}`, bus.CodeInvalidRequest, "mode"},
		{`{"type":"task","query":"x","output":"song"}`, bus.CodeInvalidRequest, "output"},
		{`{"type":"task","query":"x","hmap":"2"}`, bus.CodeUnsupported, "version"},
		{`{"type":"task","query":"x","id":"1"}`, bus.CodeInvalidRequest, "16 to 64"},
		{`{"type":"task","query":7}`, bus.CodeInvalidRequest, "query"},
		{`{"type":"follow"}`, bus.CodeInvalidRequest, "session"},
		{`{"type":"follow","session":"s","after":-1}`, bus.CodeInvalidRequest, "after"},
		{`{"type":"follow","session":"` + strings.Repeat("s", 10_000) + `"}`, bus.CodeInvalidRequest, "session"},
		{`{"type":"input","session":"s","task":"t","kind":"expire"}`, bus.CodeInvalidRequest, "none of"},
		{`{"type":"input","session":"s","kind":"answer"}`, bus.CodeInvalidRequest, "no task"},
		{`{"type":"input","session":"s","task":"t","kind":"answer","ask":"a b"}`, bus.CodeInvalidRequest, "ask"},
		{`{"type":"cancel","session":"..","task":"t"}`, bus.CodeInvalidRequest, "session"},
	} {
		c := h.dial()
		c.send(x.frame)
		if f := c.want("error"); f.Code != x.code || !strings.Contains(f.Message, x.says) || len(f.Message) > 400 {
			t.Errorf("%.80s: %s %s", x.frame, f.Code, f.Message)
		}
		c.send(`{"type":"follow","session":"s1"}`)
		c.want("caught_up") // the connection lives on
		c.Close()
	}
	if n := h.waiting(); n != 0 {
		t.Fatalf("%d bad tasks were queued", n)
	}
}

func TestTooManyBadFramesCloseTheConnection(t *testing.T) {
	h := open(t, gateway.Options{})
	c := h.dial()
	for range 20 {
		if c.WriteMessage(websocket.BinaryMessage, []byte{0, 1, 2}) != nil {
			break
		}
	}
	if code := c.closed(); code != gateway.CloseBad {
		t.Fatalf("closed with %d", code)
	}
}

func TestTooLargeFrameClosesTheConnection(t *testing.T) {
	h := open(t, gateway.Options{})
	c := h.dial()
	c.send(`{"type":"task","query":"` + strings.Repeat("x", 64<<10) + `"}`)
	if code := c.closed(); code != websocket.CloseMessageTooBig {
		t.Fatalf("closed with %d", code)
	}
}

func TestConnectionsAreCounted(t *testing.T) {
	h := open(t, gateway.Options{MaxConnections: 1})
	c := h.dial()
	if _, err := h.tryDial(); err == nil {
		t.Fatal("a second connection was let in")
	}
	if res, body := h.do("GET", "/v1/ws", ""); res.StatusCode != http.StatusServiceUnavailable || res.Header.Get("Retry-After") == "" {
		t.Fatalf("%s %s", res.Status, body)
	}
	c.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(websocket.CloseNormalClosure, ""), time.Now().Add(time.Second))
	c.closed()
	for deadline := time.Now().Add(10 * time.Second); ; { // the place is free a moment after the close
		if _, err := h.tryDial(); err == nil {
			break
		} else if time.Now().After(deadline) {
			t.Fatal("the place was not freed")
		}
	}
}

// A peer that answers no ping is dropped; one that does, stays.
func TestSilentPeerIsDropped(t *testing.T) {
	h := open(t, gateway.Options{PingEvery: 400 * time.Millisecond})
	silent, alive := h.dial(), h.dial()
	silent.SetPingHandler(func(string) error { return nil })
	answered := make(chan struct{}, 100)
	alive.SetPingHandler(func(s string) error {
		answered <- struct{}{}
		return alive.WriteControl(websocket.PongMessage, []byte(s), time.Now().Add(time.Second))
	})
	gone := make(chan int, 1)
	go func() { gone <- silent.closed() }()
	alive.send(`{"type":"follow","session":"s1"}`)
	alive.want("caught_up")
	w := &call{house: h, session: "s1", task: "t1", call: "t1"}
	done := make(chan struct{})
	go func() {
		defer close(done)
		<-gone
		for range 3 {
			<-answered
		}
		w.append(bus.Record{})
	}()
	alive.want("record")
	<-done
}

// Whoever says much at once is read slowly, and is not taken for silent: its pongs lie behind what is not read yet.
func TestFloodIsNoSilence(t *testing.T) {
	h := open(t, gateway.Options{PingEvery: 400 * time.Millisecond})
	c := h.dial()
	for range 300 { // 256 at once, then 16 a second
		c.send(`{"type":"unfollow","session":"s1"}`)
	}
	c.send(`{"type":"follow","session":"s1"}`)
	c.want("caught_up")
}

func TestShutdownTellsClientsToComeBack(t *testing.T) {
	h := open(t, gateway.Options{})
	c := h.dial()
	c.send(`{"type":"follow","session":"s1"}`)
	c.want("caught_up")
	h.gate.Close()
	if code := c.closed(); code != gateway.CloseAway {
		t.Fatalf("closed with %d", code)
	}
	if _, err := h.tryDial(); err == nil {
		t.Fatal("a closed gateway let somebody in")
	}
}

// Whoever looks is told when the bus is away and when it is back, and misses nothing of what comes then.
func TestPeopleAreToldWhileTheBusIsAway(t *testing.T) {
	h := open(t, gateway.Options{})
	w := &call{house: h, session: "s1", task: "t1", call: "t1"}
	w.append(bus.Record{})
	c := h.dial()
	c.send(`{"type":"follow","session":"s1"}`)
	c.want("caught_up")
	h.stopBus()
	if f := c.want("status"); f.Bus != "away" || f.Why != "lost" {
		t.Fatalf("%+v", f)
	}
	late := h.dial()
	if f, err := late.next(); err != nil || f.Type != "status" || f.Bus != "away" {
		t.Fatalf("%+v, %v", f, err)
	}
	late.send(`{"type":"follow","session":"s1"}`)
	h.mendBus()
	for _, c := range []*client{c, late} {
		f := c.want("status")
		for f.Bus == "away" && f.Why == "silent" { // connected again, and the log not open yet
			f = c.want("status")
		}
		if f.Bus != "back" {
			t.Fatalf("%+v", f)
		}
	}
	seq := w.append(bus.Record{Thought: "after all"})
	for _, c := range []*client{c, late} {
		for c.want("record").Seq != seq {
		}
	}
}

func TestServeEndsWithItsContext(t *testing.T) {
	h := open(t, gateway.Options{})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := contextOf(t)
	served := make(chan error, 1)
	go func() { served <- h.gate.Serve(ctx, l) }()
	ws, _, err := websocket.DefaultDialer.Dial(fmt.Sprintf("ws://%s/v1/ws", l.Addr()), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer ws.Close()
	stop()
	c := &client{t, ws}
	if code := c.closed(); code != gateway.CloseAway {
		t.Fatalf("closed with %d", code)
	}
	if err := <-served; err != nil {
		t.Fatal(err)
	}
}

func TestForeignPagesAreRefused(t *testing.T) {
	h := open(t, gateway.Options{AllowedOrigins: []string{"https://shop.example.com"}})
	for _, x := range []struct {
		header []string
		ok     bool
	}{
		{nil, true},
		{[]string{"Origin", origin(h)}, true},
		{[]string{"Origin", "https://shop.example.com"}, true},
		{[]string{"Origin", "https://evil.example.com"}, false},
		{[]string{"Origin", "null"}, false},
		{[]string{"Origin", "http://" + strings.TrimPrefix(origin(h), "http://") + ".evil.example.com"}, false},
		{[]string{"Host", "evil.example.com", "Origin", "http://evil.example.com"}, false}, // DNS rebinding
		{[]string{"Host", "shop.example.com", "Origin", "https://shop.example.com"}, true},
		{[]string{"Host", "localhost:8080", "Origin", "http://localhost:8080"}, true},
		{[]string{"Host", "[::1]:8080"}, true},
	} {
		if c, err := h.tryDial(x.header...); (err == nil) != x.ok {
			t.Errorf("WebSocket with %q: %v", x.header, err)
		} else if err == nil {
			c.Close()
		}
		res, _ := h.do("POST", "/v1/tasks", `{"query":"x"}`, append(x.header, "Content-Type", "application/json")...)
		if (res.StatusCode == http.StatusAccepted) != x.ok {
			t.Errorf("POST with %q: %s", x.header, res.Status)
		}
	}
}
