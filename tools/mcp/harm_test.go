package mcp

import (
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/hmap-project/hmap/bus"
)

// What a server lists may be anything; what can be offered is, and the rest is told.
func TestListsOfStrangers(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Options{MaxTools: 40}, hostileServer("ten-thousand"), hostileServer("endless-pages"), hostileServer("circle"),
		hostileServer("odd-names"), hostileServer("bombs"), hostileServer("garbage"), hostileServer("changes"))
	state := func(name string) State {
		t.Helper()
		return w.until(name, func(s State) bool { return s.State == "up" && !s.Listed.IsZero() })
	}
	for _, name := range []string{"ten-thousand", "endless-pages"} {
		if s := state(name); s.Tools != 40 || !s.More {
			t.Errorf("%+v", s)
		}
	}
	if s := state("circle"); s.Tools != 1 || !s.More {
		t.Errorf("%+v", s)
	}
	if s := state("odd-names"); s.Tools != 9 || len(s.Refused) != 2 {
		t.Errorf("%+v", s)
	}
	if s := state("bombs"); s.Tools < 1 || len(s.Refused) < 6 {
		t.Errorf("%d tools, refused: %s", s.Tools, strings.Join(s.Refused, "\n"))
	} else if !strings.Contains(strings.Join(s.Refused, "\n"), "so often") {
		t.Errorf("refused: %s", strings.Join(s.Refused, "\n"))
	}
	for _, name := range []string{"garbage", "changes"} {
		if s := state(name); s.Tools != 2 || strings.ContainsRune(s.Is, 0x1b) || len(s.Is) > 110 {
			t.Errorf("%+v", s)
		}
		if got := w.ok(Name(name, "run"), `{}`); got != `"done"` {
			t.Errorf("%s: %s", name, got)
		}
	}
	d, err := w.bus.Directory(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range []string{"a.b", "a b", "a*b", ">", "a_b", strings.Repeat("long", 40), strings.Repeat("long", 40) + "!", "ask_user", "查询"} {
		if name := Name("odd-names", tool); !bus.ValidToken(name) || d.Await(t.Context(), name) != nil {
			t.Errorf("%q is not there as %s", tool, name)
		}
		if got := w.ok(Name("odd-names", tool), `{}`); got != `"done"` {
			t.Errorf("%q: %s", tool, got)
		}
	}
	if len(d.Rejected()) > 0 {
		t.Errorf("rejected: %v", d.Rejected())
	}
}

// Servers that do not begin are told of, and harm nobody.
func TestServersThatDoNotBegin(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Options{})
	for _, name := range []string{"dies", "endless-line"} {
		if err := w.Add(hostileServer(name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Add(Server{Name: "nobody", Command: "/nonexistent/server"}); err != nil {
		t.Fatal(err)
	}
	if err := w.Add(Server{Name: "away", URL: "http://127.0.0.1:1/mcp"}); err != nil {
		t.Fatal(err)
	}
	if err := w.Add(hostileServer("mute")); err != nil {
		t.Fatal(err)
	}
	if s := w.until("dies", func(s State) bool { return s.State == "down" }); !strings.Contains(s.Trouble, "exit status 3") || !strings.Contains(s.Trouble, "licence") || strings.ContainsRune(s.Trouble, 0x1b) {
		t.Errorf("%+v", s)
	}
	for _, name := range []string{"endless-line", "nobody", "away"} {
		if s := w.until(name, func(s State) bool { return s.State == "down" }); s.Trouble == "" || s.Tools != 0 {
			t.Errorf("%+v", s)
		}
	}
	if got := w.failing(bus.CodeUnavailable, ControlName("dies"), `{"action":"refresh"}`); !strings.Contains(got, "licence") {
		t.Error(got)
	}
	if s := w.until("mute", func(State) bool { return true }); s.State != "starting" {
		t.Errorf("%+v", s)
	}
}

// Results may be anything too.
func TestResultsOfStrangers(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Options{}, hostileServer("lies"), hostileServer("huge"), hostileServer("floods"), hostileServer("nags"))
	album := w.ask(request("lies__album", `{}`))
	if js, err := jetstream.New(w.bus.Conn()); err != nil {
		t.Error(err)
	} else if store, err := js.ObjectStore(t.Context(), bus.FilesStore); err != nil {
		t.Error(err)
	} else if all, err := store.List(t.Context()); err != nil || len(all) != maxKept || len(album.Files) != maxKept || !strings.Contains(string(album.Observation), "left out") {
		t.Errorf("of 200 pictures %d are kept, %d told: %v %.200s", len(all), len(album.Files), err, album.Observation)
	}
	for tool, want := range map[string]string{"wrong": "schema", "none": "schema", "nonsense": "", "unknown": ""} {
		if got := w.failing(bus.CodeInternal, Name("lies", tool), `{}`); !strings.Contains(got, want) {
			t.Errorf("%s: %s", tool, got)
		}
	}
	if got := w.ok("lies__odd", `{}`); !strings.Contains(got, "cannot be decoded") {
		t.Error(got)
	}
	answer := w.ask(request("huge__run", `{}`))
	if answer.Status != bus.OK || len(answer.Observation) > 33<<10 || len(answer.Files) != 1 || answer.Files[0].Bytes != 1<<20 {
		t.Errorf("%s %d bytes %v %v", answer.Status, len(answer.Observation), answer.Files, answer.Error)
	}
	if got := w.failing(bus.CodeUnavailable, "floods__run", `{}`); !strings.Contains(got, "left out") {
		t.Error(got)
	}
	if got := w.failing(bus.CodeUnavailable, "nags__run", `{}`); !strings.Contains(got, "left out") {
		t.Error(got)
	}
	w.until("floods", func(s State) bool { return s.State == "up" && s.Restarts == 2 }) // once again for what may be done twice
}

// A server that does not answer pays for it in that session, and there only.
func TestPenaltyBox(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Options{}, hostileServer("hangs"), hostileServer("dies-in-call"), hostileServer("deaf"))
	if got := w.failing(bus.CodeTimeout, "deaf__run", `{"x":"`+strings.Repeat("more than a pipe holds ", 20000)+`"}`); !strings.Contains(got, "within 1s") {
		t.Error(got)
	}
	if got := w.failing(bus.CodeTimeout, "hangs__run", `{}`); !strings.Contains(got, "within 1s") {
		t.Error(got)
	}
	if got := w.failing(bus.CodeForbidden, "hangs__run", `{}`); !strings.Contains(got, "left out in this session until") {
		t.Error(got)
	}
	other := request("hangs__do", `{}`)
	other.Session = "s2"
	if answer := w.ask(other); answer.Error == nil || answer.Error.Code != bus.CodeInDoubt {
		t.Errorf("an unsafe one, in another session: %s %v", answer.Status, answer.Error)
	}
	if got := w.failing(bus.CodeInDoubt, "dies-in-call__do", `{}`); !strings.Contains(got, "not known") {
		t.Error(got)
	}
	penalties, err := w.bus.Penalties(t.Context(), "s1")
	if err != nil || len(penalties) != 3 || time.Until(penalties["hangs"].Until) < 4*time.Minute {
		t.Errorf("%v %v", penalties, err)
	}
	if got := w.ok(ControlName("hangs"), `{}`); !strings.Contains(got, `"left_out":{"s1":{`) || !strings.Contains(got, `"s2":{`) {
		t.Error(got)
	}
}

// A request that names servers, or wants no tools, is held to that by the tools as well.
func TestWhatTheRequestAllows(t *testing.T) {
	t.Parallel()
	plain, asked := hostileServer("plain"), hostileServer("asked")
	asked.OnRequest = true
	w := newWorld(t, Options{}, plain, asked)
	for _, c := range []struct {
		tool    string
		servers []string
		disable bool
		ok      bool
	}{
		{"plain__run", nil, false, true}, {"plain__run", []string{"plain"}, false, true}, {"plain__run", []string{"asked"}, false, false}, {"plain__run", nil, true, false},
		{"asked__run", nil, false, false}, {"asked__run", []string{"asked", "plain"}, false, true},
	} {
		r := request(c.tool, `{}`)
		r.MCPServers, r.DisableTools = c.servers, c.disable
		if answer := w.ask(r); (answer.Status == bus.OK) != c.ok || !c.ok && answer.Error.Code != bus.CodeForbidden {
			t.Errorf("%+v: %s %v", c, answer.Status, answer.Error)
		}
	}
}

// One that does not obey is ended all the same, with what it has started; the leak check of the package sees the rest.
func TestStopEndsTheStubborn(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Options{}, hostileServer("lives-on"))
	p := w.all["lives-on"].face.Load().conn.process
	if err := w.Stop(); err != nil {
		t.Error(err)
	}
	select {
	case <-p.exited:
	default:
		t.Error("it lives")
	}
}

func TestBadConfigurations(t *testing.T) {
	w := newWorld(t, Options{})
	for want, s := range map[string]Server{
		"a name is":    {Name: "a_b", Command: "x"},
		"set either":   {Name: "a"},
		"timeout":      {Name: "a", Command: "x", Timeout: time.Millisecond},
		"at_once":      {Name: "a", Command: "x", AtOnce: -1},
		"approval":     {Name: "a", Command: "x", Approval: "maybe"},
		"http":         {Name: "a", URL: "ftp://x"},
		"the effect":   {Name: "a", Command: "x", Effects: map[string]bus.Effect{"t": "odd"}},
		"tag is empty": {Name: "a", Command: "x", Tags: []string{""}},
	} {
		if err := w.Add(s); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v; want %q", s, err, want)
		}
	}
}
