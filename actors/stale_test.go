package actors

import (
	"bytes"
	"net"
	"net/url"
	"sync"
	"testing"

	"github.com/hmap-project/hmap/bus"
)

// interposed gives a URL of s. The first time that a client there says the word, do runs before the server hears it.
func interposed(t *testing.T, s *bus.Server, word string, do func()) string {
	t.Helper()
	u, err := url.Parse(s.URL())
	if err != nil {
		t.Fatal(err)
	}
	target := u.Host
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	u.Host = l.Addr().String()
	once := sync.OnceFunc(do)
	pass := func(to, from net.Conn, see func([]byte)) {
		defer func() { _, _ = to.Close(), from.Close() }()
		b := make([]byte, 4096)
		for {
			n, err := from.Read(b)
			if err != nil {
				return
			}
			see(b[:n])
			if _, err := to.Write(b[:n]); err != nil {
				return
			}
		}
	}
	var done sync.WaitGroup
	done.Go(func() {
		near, err := l.Accept()
		if err != nil {
			return
		}
		far, err := net.Dial("tcp", target)
		if err != nil {
			t.Error(err)
			_ = near.Close()
			return
		}
		done.Go(func() { pass(near, far, func([]byte) {}) })
		var last []byte // the word may come in two pieces
		pass(far, near, func(b []byte) {
			last = append(last, b...)
			if bytes.Contains(last, []byte(word)) {
				once()
			}
			last = last[max(0, len(last)-len(word)):]
		})
	})
	t.Cleanup(func() { _ = l.Close(); done.Wait() })
	return u.String()
}

// Who takes a task up by a log that lacks its newest record, as a replica that lags may show it, is refused by the fence, and goes by what
// he reads then.
func TestStaleLogIsReadAgain(t *testing.T) {
	t.Parallel()
	s, err := bus.StartServer(bus.ServerOptions{Dir: t.TempDir(), NoSync: true, Listen: "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Stop)
	living := connect(t, s, "living")
	lease, err := living.Lease(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer lease.Close()
	for _, c := range []struct {
		task   string
		newest bus.Record
		want   standing
	}{
		{"ended", bus.Record{Kind: bus.KindResponse, Node: "gone", Status: bus.OK}, ended},
		{"claimed", bus.Record{Kind: bus.KindClaim, Node: "living", Attempt: 2}, elsewhere},
		{"gone-on", bus.Record{Kind: bus.KindRound, Node: "gone", Round: 1, Thought: "the newest"}, ours},
	} {
		t.Run(c.task, func(t *testing.T) {
			place := func(r bus.Record) *bus.Record {
				r.Session, r.Task, r.Call, r.Agent = "s", c.task, c.task, "master"
				return &r
			}
			first, err := living.Append(t.Context(), place(bus.Record{Kind: bus.KindRequest, Node: "gone", Attempt: 1,
				Request: &bus.Request{HMAP: bus.Version, Session: "s", Task: c.task, Call: c.task, Caller: "user", ToolName: "master", JobDesc: "x"}}), 0)
			if err != nil {
				t.Fatal(err)
			}
			var newest uint64
			// The index is asked behind the log.
			url := interposed(t, s, "STREAM.MSG.GET.KV_"+bus.OpenBucket, func() {
				if newest, err = living.Append(t.Context(), place(c.newest), first); err != nil {
					t.Error(err)
				}
			})
			b, err := bus.Connect(t.Context(), bus.Options{URL: url, Node: "taker"})
			if err != nil {
				t.Fatal(err)
			}
			defer b.Close()
			taker := &Team{bus: b}
			state, at, err := taker.own(t.Context(), callKey{"s", c.task, c.task}, nil, nil)
			if err != nil || at != c.want || newest == 0 {
				t.Fatalf("stands as %d, %v, want %d", at, err, c.want)
			}
			records, err := b.Read(t.Context(), bus.Where{Session: "s", Task: c.task, Call: c.task}, 0)
			if err != nil {
				t.Fatal(err)
			}
			want := 2
			if c.want == ours {
				want++ // the claim
			}
			if len(records) != want || records[1].Seq != newest || state.Last != records[want-1].Seq {
				t.Errorf("%d records, want %d; the state is of %d", len(records), want, state.Last)
			}
			if c.want == ours && (len(state.Rounds) != 1 || records[2].Kind != bus.KindClaim || records[2].Attempt != 2) {
				t.Errorf("%d rounds, and then %s", len(state.Rounds), brief(records[2]))
			}
		})
	}
}
