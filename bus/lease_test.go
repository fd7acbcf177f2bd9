package bus

import (
	"context"
	"log/slog"
	"strings"
	"testing"
	"time"
)

// nodes are three buses on one server with a short lease.
func leased(t *testing.T, n int, ttl time.Duration) ([]*Bus, []*Lease) {
	t.Helper()
	s := startServer(t, ServerOptions{NoSync: true})
	var buses []*Bus
	var leases []*Lease
	for range n {
		b := connect(t, Options{Server: s, LeaseTTL: ttl})
		l, err := b.Lease(within(t))
		if err != nil {
			t.Fatal(err)
		}
		buses, leases = append(buses, b), append(leases, l)
	}
	for _, b := range buses {
		for _, x := range buses {
			for b.goneNode(x.Node()) == nil {
				if !pause(within(t), 0) {
					t.Fatal("a lease is not seen")
				}
			}
		}
	}
	return buses, leases
}

func lapse(t *testing.T, l *Lease) string {
	t.Helper()
	select {
	case node := <-l.Lapsed():
		return node
	case <-within(t).Done():
		t.Fatal("nobody lapsed")
		return ""
	}
}

func TestLeaseCloseIsSeenAtOnce(t *testing.T) {
	buses, leases := leased(t, 3, patience) // longer than anybody waits: it is told, or the test fails
	if !buses[0].Alive(buses[2].Node()) || buses[0].Alive("nobody") || buses[0].Alive("*") {
		t.Error("alive is wrong")
	}
	leases[2].Close()
	for i := range 2 {
		if node := lapse(t, leases[i]); node != buses[2].Node() {
			t.Errorf("lapsed %s", node)
		}
		if !buses[i].LeftInOrder(within(t), buses[2].Node()) {
			t.Error("it left in good order")
		}
		if buses[i].Alive(buses[2].Node()) {
			t.Error("still alive after it lapsed")
		}
	}
}

// A node that dies without a word.
func TestLeaseLapses(t *testing.T) {
	t.Parallel()
	const ttl = 3 * time.Second // that a busy machine stands still for, it may lose
	buses, leases := leased(t, 3, ttl)
	buses[2].nc.Close()
	for i := range 2 {
		if node := lapse(t, leases[i]); node != buses[2].Node() {
			t.Errorf("lapsed %s", node)
		}
	}
	select {
	case node := <-leases[0].Lapsed():
		t.Errorf("%s lapsed too", node)
	case <-leases[0].Lost():
		t.Error("a healthy lease was lost")
	case <-time.After(ttl + ttl/3): // the healthy ones renew
	}
}

// Somebody took the lease away, as others do when they have not heard of a node for too long: it is told, drops everything, and
// comes back under its name; then it hears its own name too, for what nobody took.
func TestLeaseLost(t *testing.T) {
	buses, leases := leased(t, 2, 3*time.Second)
	kv := must(buses[0].js.KeyValue(within(t), NodesBucket))
	if err := kv.Delete(within(t), buses[1].Node()); err != nil {
		t.Fatal(err)
	}
	select {
	case <-leases[1].Lost():
	case <-within(t).Done():
		t.Fatal("not told")
	}
	if node := lapse(t, leases[1]); node != buses[1].Node() {
		t.Errorf("lapsed %s", node)
	}
	if node := lapse(t, leases[0]); node != buses[1].Node() {
		t.Errorf("lapsed %s", node)
	}
	for !buses[0].Alive(buses[1].Node()) {
		if !pause(within(t), 0) {
			t.Fatal("it does not come back")
		}
	}
	for _, node := range []string{buses[0].Node(), buses[1].Node(), "nobody", "*"} {
		if buses[0].LeftInOrder(within(t), node) {
			t.Errorf("%s did not leave in good order", node)
		}
	}
}

// A lease that cannot be renewed is lost in time, and comes back with the server.
func TestLeaseAcrossAnOutage(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := startServer(t, ServerOptions{Dir: dir, Listen: "127.0.0.1:0", NoSync: true})
	addr := s.nats.Addr().String()
	b := connect(t, Options{URL: s.URL(), LeaseTTL: 600 * time.Millisecond})
	l, err := b.Lease(within(t))
	if err != nil {
		t.Fatal(err)
	}
	s.Stop()
	select {
	case <-l.Lost():
	case <-within(t).Done():
		t.Fatal("not told")
	}
	begin := time.Now()
	if !b.Alive("somebody-unknown") {
		t.Error("declared dead on a guess")
	}
	if d := time.Since(begin); d > 4*time.Second { // a request would wait five
		t.Errorf("without a connection it thinks for %v", d)
	}
	startServer(t, ServerOptions{Dir: dir, Listen: addr, NoSync: true})
	if node := lapse(t, l); node != b.Node() {
		t.Errorf("lapsed %s", node)
	}
}

func TestLeaseOneHolder(t *testing.T) {
	t.Parallel()
	s := startServer(t, ServerOptions{NoSync: true})
	o := Options{Server: s, Node: "n1", LeaseTTL: 3 * time.Second}
	first, second := connect(t, o), connect(t, o)
	if _, err := first.Lease(within(t)); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(within(t), 4*time.Second)
	defer cancel()
	if _, err := second.Lease(ctx); err == nil {
		t.Fatal("two holders of one name")
	}
	first.nc.Close() // dies; its name is free after its lease
	if _, err := second.Lease(within(t)); err != nil {
		t.Fatal(err)
	}
}

// The watch and the reads of confirmation may bring news in any order; the older changes nothing.
func TestMembersBelieveTheNewest(t *testing.T) {
	b := newBus(t)
	m := b.nodes()
	m.see("n", 10, leaseBody{Holder: "h", TTL: 60_000}, true)
	gone := b.goneNode("n")
	m.see("n", 9, leaseBody{}, false)
	m.see("n", 10, leaseBody{}, false)
	select {
	case <-gone:
		t.Fatal("an older mark ended the lease")
	default:
	}
	m.see("n", 11, leaseBody{}, false)
	<-gone
	if b.goneNode("n") != nil {
		t.Error("still known")
	}
}

// Several nodes are suspected at once after a stall, and each suspicion waits for its turn. Who renews meanwhile is alive, and nobody may take
// his lease under the very sequence that says so.
func TestLeaseRenewedWhileSuspected(t *testing.T) {
	buses, _ := leased(t, 2, patience)
	m, node := buses[0].nodes(), buses[1].Node()
	for range 2 { // the second is taken when the first is done with
		m.suspects <- node
	}
	last := must(buses[0].lastOf(within(t), nodesStream, nodeSubject(node)))
	if _, alive := parseLease(last.Header.Get(kvOperation), last.Data); !alive {
		t.Error("a node that had just renewed was declared dead")
	}
}

// A node that comes while the servers do not answer, choosing a leader or starting again, waits for them.
func TestLeaseWaitsForTheServers(t *testing.T) {
	t.Parallel()
	url, way := relayed(t, startServer(t, ServerOptions{NoSync: true, Listen: "127.0.0.1:0"}), "nothing")
	waits := make(waiting, 1)
	b := connect(t, Options{URL: url, Log: slog.New(waits)})
	way.held.Lock()
	got := make(chan error, 1)
	go func() {
		l, err := b.Lease(within(t))
		if err == nil {
			l.Close()
		}
		got <- err
	}()
	select {
	case err := <-got:
		way.held.Unlock()
		t.Fatal(err)
	case <-waits:
	}
	way.held.Unlock()
	if err := <-got; err != nil {
		t.Error(err)
	}
}

// waiting hears that the bucket of the nodes does not answer.
type waiting chan struct{}

func (w waiting) Enabled(context.Context, slog.Level) bool { return true }
func (w waiting) WithAttrs([]slog.Attr) slog.Handler       { return w }
func (w waiting) WithGroup(string) slog.Handler            { return w }
func (w waiting) Handle(_ context.Context, r slog.Record) error {
	if strings.Contains(r.Message, "does not answer yet") {
		select {
		case w <- struct{}{}:
		default:
		}
	}
	return nil
}
