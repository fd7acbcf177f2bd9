package learn

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/hmap-project/hmap/actors/plan"
	"github.com/hmap-project/hmap/bus"
)

var day = time.Date(2026, 11, 1, 9, 0, 0, 0, time.UTC)

// call is a script of one call: what it was asked, and then rounds and results.
type call struct {
	records []bus.Record
	at      time.Time
	round   int
}

func asked(at time.Time, job string) *call {
	c := &call{at: at}
	return c.add(bus.Record{Kind: bus.KindRequest, Request: &bus.Request{JobDesc: job}})
}

func (c *call) add(r bus.Record) *call {
	r.Session, r.Task, r.Call, r.Time = "s", "t", "t", c.at
	c.records = append(c.records, r)
	return c
}

func (c *call) thinks(actions ...bus.Action) *call {
	c.round++
	return c.add(bus.Record{Kind: bus.KindRound, Round: c.round, ActionCode: actions})
}

// gets is the result of the nth action of the last round.
func (c *call) gets(n int, tool, parameter, observation string, code ...string) *call {
	r := bus.Record{Kind: bus.KindResult, Round: c.round, Child: bus.ChildID("t", c.round, n), ToolName: tool, Status: bus.OK, Millis: 10}
	if parameter != "" {
		r.Parameter = json.RawMessage(parameter)
	}
	if observation != "" {
		r.Observation = json.RawMessage(observation)
	}
	if len(code) > 0 {
		r.Status, r.Error = bus.Failed, &bus.Error{Code: code[0]}
	}
	return c.add(r)
}

func act(id, tool, parameter string) bus.Action {
	return bus.Action{ID: id, ToolName: tool, Parameter: json.RawMessage(parameter)}
}

const orders = `{"orders":[{"order_id":"2810-6614","sku":"S-77"},{"order_id":"2810-6999","sku":"S-78"}],"count":2}`

// Where the parameters of a call came from: what a person could find out from the log.
func TestEdges(t *testing.T) {
	search := act("a", "search", `{"name":"王萍萍"}`)
	for name, c := range map[string]struct {
		call *call
		want string
	}{
		"a reference": {asked(day, "x").thinks(search, act("b", "track", `{"order_id":"$a.orders[0].order_id","lang":"en"}`)).
			gets(0, "search", `{"name":"王萍萍"}`, orders).gets(1, "track", `{"order_id":"2810-6614","lang":"en"}`, `{}`),
			"search.orders.order_id > track.order_id 1/0"},
		"a reference that did not do": {asked(day, "x").thinks(search, act("b", "track", `{"order_id":"$a.orders.0.sku"}`)).
			gets(0, "search", `{}`, orders).gets(1, "track", `{"order_id":"S-77"}`, "", bus.CodeInvalidParameter),
			"search.orders.sku > track.order_id 0/0.25"},
		"a reference to no field": {asked(day, "x").thinks(search, act("b", "track", `{"order_id":"$a.number"}`)).
			gets(0, "search", `{}`, orders).gets(1, "track", "", "", bus.CodeInvalidParameter),
			"search.number > track.order_id 0/1"},
		"a reference in a list": {asked(day, "x").thinks(search, act("b", "cancel", `{"ids":["$a.orders.0.order_id","$a.orders.1.order_id"]}`)).
			gets(0, "search", `{}`, orders).gets(1, "cancel", `{"ids":["2810-6614","2810-6999"]}`, `{}`),
			"search.orders.order_id > cancel.ids 1/0"},
		"a reference to what failed": {asked(day, "x").thinks(search, act("b", "track", `{"order_id":"$a.orders.0.order_id"}`)).
			gets(0, "search", `{}`, "", bus.CodeInternal).gets(1, "track", "", "", bus.CodeInvalidParameter), ""},
		"a value of a round before": {asked(day, "x").thinks(search).gets(0, "search", `{}`, orders).
			thinks(act("", "track", `{"order_id":"2810-6999"}`)).gets(0, "track", `{"order_id":"2810-6999"}`, `{}`),
			"search.orders.order_id > track.order_id 1/0"},
		"a number": {asked(day, "x").thinks(search).gets(0, "search", `{}`, `{"rows":[{"id":281066140001}]}`).
			thinks(act("", "track", `{"id":281066140001}`)).gets(0, "track", `{"id":281066140001}`, `{}`),
			"search.rows.id > track.id 1/0"},
		"the newest observation that has it": {asked(day, "x").thinks(search).gets(0, "search", `{}`, `{"id":"2810-6614"}`).
			thinks(act("", "other", `{}`)).gets(0, "other", `{}`, `{"number":"2810-6614"}`).
			thinks(act("", "track", `{"no":"2810-6614"}`)).gets(0, "track", `{"no":"2810-6614"}`, `{}`),
			"other.number > track.no 1/0"},
		"what the user said": {asked(day, "where is 2810-6614?").thinks(search).gets(0, "search", `{}`, orders).
			thinks(act("", "track", `{"order_id":"2810-6614"}`)).gets(0, "track", `{"order_id":"2810-6614"}`, `{}`), ""},
		"a value too short to say anything": {asked(day, "x").thinks(search).gets(0, "search", `{}`, `{"count":2,"kind":"new"}`).
			thinks(act("", "list", `{"limit":2,"kind":"new"}`)).gets(0, "list", `{"limit":2,"kind":"new"}`, `{}`), ""},
		"a failure that is not the value's": {asked(day, "x").thinks(search).gets(0, "search", `{}`, orders).
			thinks(act("", "track", `{"order_id":"2810-6999"}`)).gets(0, "track", `{"order_id":"2810-6999"}`, "", bus.CodeUnavailable), ""},
		"an object by ids": {asked(day, "x").thinks(search).gets(0, "search", `{}`, `{"2810-6999":{"customer":"C-77-1"}}`).
			thinks(act("", "greet", `{"customer":"C-77-1"}`)).gets(0, "greet", `{"customer":"C-77-1"}`, `{}`), ""},
		"the first field that has it": {asked(day, "x").thinks(search).gets(0, "search", `{}`, `{"list":[[{"no":"2810-6999","z":{}}],7],"id":"2810-6999"}`).
			thinks(act("", "track", `{"no":"2810-6999"}`)).gets(0, "track", `{"no":"2810-6999"}`, `{}`), "search.list.no > track.no 1/0"},
		"a field behind an object": {asked(day, "x").thinks(search).gets(0, "search", `{}`, `{"a":{"b":[{"c":null}]},"id":"2810-6999"}`).
			thinks(act("", "track", `{"no":"2810-6999"}`)).gets(0, "track", `{"no":"2810-6999"}`, `{}`), "search.id > track.no 1/0"},
		"a reference of another round": {asked(day, "x").thinks(search).gets(0, "search", `{}`, orders).
			thinks(search, act("b", "track", `{"order_id":"$a.orders.0.order_id"}`)).gets(0, "search", `{}`, "", bus.CodeInternal).
			gets(1, "track", "", "", bus.CodeInvalidParameter), ""},
		"a part of a text": {asked(day, "x").thinks(search).gets(0, "search", `{}`, `{"note":"see 2810-6999"}`).
			thinks(act("", "track", `{"order_id":"2810-6999"}`)).gets(0, "track", `{"order_id":"2810-6999"}`, `{}`), ""},
	} {
		var l Lessons
		l.Fold(c.call.records)
		var got []string
		for _, e := range l.AllEdges() {
			got = append(got, fmt.Sprintf("%s.%s > %s.%s %v/%v", e.From, e.Field, e.To, e.Parameter, e.Worked, e.Failed))
		}
		if s := strings.Join(got, "; "); s != c.want {
			t.Errorf("%s: %q, want %q", name, s, c.want)
		}
	}
}

func TestTools(t *testing.T) {
	var l Lessons
	c := asked(day, "x").thinks(act("", "search", `{}`))
	for _, code := range []string{bus.CodeUnavailable, bus.CodeTimeout, "a code of its own"} {
		c.gets(0, "search", `{}`, "", code)
	}
	for _, code := range []string{bus.CodeInvalidParameter, bus.CodeUnknownTool, bus.CodeForbidden, bus.CodeCancelled} { // not the tool's fault
		c.gets(0, "search", `{}`, "", code)
	}
	for i := range 5 {
		c.gets(0, "search", `{}`, `{}`)
		c.records[len(c.records)-1].Millis = int64(10 * (i + 1))
	}
	c.gets(0, "ask_user", `{}`, `"yes"`)
	l.Fold(c.records)
	tools := l.AllTools()
	if len(tools) != 1 {
		t.Fatalf("%+v", tools)
	}
	if s := tools[0]; s.Name != "search" || s.Calls != 8 || s.Failed != 3 || s.Quantile(0.5) != 30 || s.Quantile(0.95) != 50 || !s.At.Equal(day) {
		t.Errorf("%+v p50 %d p95 %d", s, s.Quantile(0.5), s.Quantile(0.95))
	}
	v := l.Evidence()
	if r := v.Tools["search"]; r.Calls != 8 || r.Failed != 3 || r.Seconds != 0 {
		t.Errorf("to the planner: %+v", r)
	}
	for ms, want := range map[int64]float64{0: 0, 249: 0, 260: 0.25, 900: 1, 1100: 1, 5000: 4, 7000: 8} {
		if got := (Tool{Millis: []int64{ms}}).seconds(); got != want {
			t.Errorf("%d ms are %v s to the planner, want %v", ms, got, want)
		}
	}
}

// A week halves what was before, whatever the clock says now; what comes late counts as it would have.
func TestOldDaysCountLess(t *testing.T) {
	one := func(at time.Time) []bus.Record {
		return asked(at, "x").thinks(act("", "search", `{}`)).gets(0, "search", `{}`, `{"id":"2810-6614"}`).
			thinks(act("", "track", `{"order_id":"2810-6614"}`)).gets(0, "track", `{"order_id":"2810-6614"}`, `{}`).records
	}
	var forwards, backwards Lessons
	for range 4 {
		forwards.Fold(one(day))
	}
	forwards.Fold(one(day.Add(HalfLife)))
	backwards.Fold(one(day.Add(HalfLife)))
	for range 4 {
		backwards.Fold(one(day))
	}
	for name, l := range map[string]*Lessons{"in order": &forwards, "out of order": &backwards} {
		if c := l.AllTools()[0].Calls; math.Abs(c-3) > 1e-9 {
			t.Errorf("%s: four calls a week ago and one now count %v", name, c)
		}
		if w := l.AllEdges()[0].Worked; math.Abs(w-3) > 1e-9 {
			t.Errorf("%s: the edge counts %v", name, w)
		}
		if n := l.Evidence().Edges[plan.Edge{Provider: "search", Field: "id", Taker: "track", Parameter: "order_id"}]; n.Worked != 3 {
			t.Errorf("%s: to the planner %+v", name, n)
		}
	}
	forwards.Fold(asked(day.Add(20*HalfLife), "x").thinks(act("", "other", `{}`)).gets(0, "other", `{}`, `{}`).records)
	if v := forwards.Evidence(); v.Tools["search"].Calls != 0 || len(v.Edges) != 0 {
		t.Errorf("of what happened 20 weeks ago there is still %+v", v)
	}
}

// What is written and read again is the same, and the same lessons give the same bytes.
func TestKeptAsTheyAre(t *testing.T) {
	var l Lessons
	l.Fold(asked(day, "x").thinks(act("a", "search", `{}`), act("b", "track", `{"order_id":"$a.orders.0.order_id"}`)).
		gets(0, "search", `{}`, orders).gets(1, "track", `{"order_id":"2810-6614"}`, `{}`).records)
	l.Seq = 7
	body, err := l.Encode()
	if err != nil {
		t.Fatal(err)
	}
	got := Parse(body)
	if got == nil {
		t.Fatalf("not read again: %s", body)
	}
	again, err := got.Clone().Encode()
	if err != nil || !bytes.Equal(body, again) {
		t.Errorf("%v\n%s\n%s", err, body, again)
	}
	if strings.Contains(string(body), "2810") || strings.Contains(string(body), "王") {
		t.Errorf("what was looked up is in the lessons: %s", body)
	}
	for _, bad := range []string{"", "x", `{}`, `{"format":2}`, `{"format":1,"tools":[null]}`, `{"format":1,"tools":[{"tool_name":"a b","calls":1}]}`,
		`{"format":1,"at":"2026-11-01T00:00:00Z","tools":[{"tool_name":"a","calls":-1,"last":"2026-11-01T00:00:00Z"}]}`,
		`{"format":1,"tools":[{"tool_name":"a","calls":1,"last":"9999-11-01T00:00:00Z"}]}`,
		`{"format":1,"edges":[{"from":"a","field":"","to":"b","parameter":"c"}]}`} {
		if Parse([]byte(bad)) != nil {
			t.Errorf("taken for lessons: %s", bad)
		}
	}
}

// Records can say anything: thousands of names, latencies that cannot be, huge bodies. What is kept stays small, and what counts most stays in it.
func TestHostileRecords(t *testing.T) {
	var l Lessons
	for range 3 {
		l.Fold(asked(day, "x").thinks(act("", "search", `{}`)).gets(0, "search", `{}`, orders).
			thinks(act("", "track", `{"order_id":"2810-6999"}`)).gets(0, "track", `{"order_id":"2810-6999"}`, `{}`).records)
	}
	for i := range 2000 {
		name, value := fmt.Sprintf("made-up-%d", i), fmt.Sprintf("value-%c%c%c", 'a'+i%26, 'a'+i/26%26, 'a'+i/676)
		l.Fold(asked(day, "x").thinks(act("", name, `{}`)).gets(0, name, `{}`, `{"f`+value+`":"`+value+`"}`).
			thinks(act("", "taker", `{}`)).gets(0, "taker", `{"p":"`+value+`"}`, `{}`).records)
	}
	odd := asked(day, "x").thinks(act("", "search", `{}`))
	for _, ms := range []int64{-5, math.MinInt64, math.MaxInt64, 1 << 40} {
		odd.gets(0, "search", `{`, `{`)
		odd.records[len(odd.records)-1].Millis = ms
		odd.records[len(odd.records)-1].Usage = &bus.Usage{Money: math.Inf(1)}
	}
	odd.gets(0, "search", `[1]`, strings.Repeat("[", 100_000)).gets(0, "track", `{"order_id":"`+strings.Repeat("9", 100_000)+`"}`, `{}`)
	odd.gets(0, "no token", `{}`, `{}`).gets(0, strings.Repeat("x", 1000), `{}`, `{}`)
	odd.add(bus.Record{Kind: bus.KindRequest}).add(bus.Record{Kind: bus.KindResult, ToolName: "search"})
	odd.records[len(odd.records)-1].Time = time.Time{}
	l.Fold(odd.records)
	if len(l.tools) > maxTools || len(l.edges) > maxEdges {
		t.Errorf("%d tools, %d edges", len(l.tools), len(l.edges))
	}
	if s := l.tools["search"]; s == nil || s.Calls < 3 || s.Quantile(1) != 10 || s.Money != 0 {
		t.Errorf("%+v", s)
	}
	if e := l.edges[edgeName{"search", "orders.order_id", "track", "order_id"}]; e == nil || e.Worked != 3 {
		t.Errorf("the edge that counts most: %+v", e)
	}
	body, err := l.Encode()
	if err != nil || len(body) > 512<<10 || Parse(body) == nil {
		t.Errorf("%d bytes, %v", len(body), err)
	}
}

// A call that says as much as it may costs no more than one that says enough: each observation is looked into once, and of all of them 2 MiB.
func TestBigCall(t *testing.T) {
	values := map[string]string{}
	for i := range maxParameters {
		values[fmt.Sprintf("p%c", 'A'+i)] = fmt.Sprintf("aaaaaaaaab%d", i)
	}
	parameter, err := json.Marshal(values)
	if err != nil {
		t.Fatal(err)
	}
	long := `{"x":"` + strings.Repeat("a", 60<<10) + `"}`
	deep := strings.Repeat(`{"abcd":`, 5000) + `"aaaa"` + strings.Repeat("}", 5000)
	many := "[" + strings.TrimSuffix(strings.Repeat(`{"k":"abcd"},`, 4000), ",") + "]"
	for name, observation := range map[string]string{"long": long, "deep": deep, "many": many} {
		spent := func(results int) time.Duration {
			c := asked(day, strings.Repeat("a", 60<<10))
			var actions []bus.Action
			for range results {
				actions = append(actions, act("a", "tool", string(parameter)))
			}
			c.thinks(actions...)
			for i := range results {
				c.gets(i, "tool", string(parameter), observation)
			}
			var l Lessons
			begun := time.Now()
			l.Fold(c.records)
			return time.Since(begun)
		}
		few, all := min(spent(25), spent(25)), spent(maxResults)
		tooLong := func() bool { return all > 12*max(few, 5*time.Millisecond) }
		for n := 0; n < 4 && tooLong(); n++ { // other work on the machine only adds
			all = min(all, spent(maxResults))
		}
		t.Logf("%s: %d results %v, %d results %v", name, 25, few, maxResults, all)
		if tooLong() {
			t.Errorf("%s: 25 results take %v, %d take %v", name, few, maxResults, all)
		}
	}
}

// What is beyond the bound teaches nothing, and nothing wrong: an older observation does not stand for a newer one that was not looked into.
func TestBeyondTheBound(t *testing.T) {
	track := func(c *call, id string) *call {
		p := `{"order_id":"` + id + `"}`
		return c.thinks(act("", "track", p)).gets(0, "track", p, `{}`)
	}
	edges := func(fillers int) int {
		c := asked(day, "x").thinks(act("", "search", `{}`)).gets(0, "search", `{}`, orders)
		for range fillers {
			c.thinks(act("", "filler", `{}`)).gets(0, "filler", `{}`, `{"x":"`+strings.Repeat("a", maxSeen-100)+`"}`)
		}
		var l Lessons
		l.Fold(track(c, "2810-6999").records)
		return len(l.AllEdges())
	}
	if in, out := edges(10), edges(maxRead/maxSeen+2); in != 1 || out != 0 {
		t.Errorf("%d edges within the bound, %d beyond", in, out)
	}
}

func FuzzFold(f *testing.F) {
	seed, err := json.Marshal(asked(day, "x").thinks(act("a", "search", `{}`), act("b", "track", `{"order_id":"$a.orders.0.order_id"}`)).
		gets(0, "search", `{}`, orders).gets(1, "track", `{"order_id":"2810-6614"}`, `{}`).records)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(seed)
	f.Fuzz(func(t *testing.T, body []byte) {
		var records []bus.Record
		if json.Unmarshal(body, &records) != nil {
			return
		}
		var l Lessons
		l.Fold(records)
		kept, err := l.Encode()
		if err != nil || Parse(kept) == nil {
			t.Fatalf("cannot be kept: %v %s", err, kept)
		}
	})
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"format":1,"seq":1,"at":"2026-11-01T00:00:00Z","tools":[{"tool_name":"a","calls":1,"last":"2026-11-01T00:00:00Z"}]}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		if l := Parse(body); l != nil {
			l.Evidence()
			if _, err := l.Encode(); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// A task of three rounds and two calls.
func BenchmarkFold(b *testing.B) {
	records := asked(day, "x").thinks(act("", "search", `{}`)).gets(0, "search", `{"name":"王萍萍"}`, orders).
		thinks(act("", "track", `{"order_id":"2810-6999"}`)).gets(0, "track", `{"order_id":"2810-6999"}`, `{}`).records
	var l Lessons
	b.ReportAllocs()
	for b.Loop() {
		l.Fold(records)
	}
}
