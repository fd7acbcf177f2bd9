package bus

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// relay stands between one client and a server. What the server says waits while the relay is held; coming is closed when the server has
// sent a message of a stream, held or not, and heard when the client has said the word.
type relay struct {
	net.Listener
	held          sync.Mutex
	word          []byte
	still         func() // called when the client has said the word, before the server hears it; nil: nothing is
	coming, heard chan struct{}
}

// relayed gives a URL of s that leads through a relay.
func relayed(t *testing.T, s *Server, word string) (string, *relay) {
	t.Helper()
	u := must(url.Parse(s.URL()))
	target := u.Host
	r := &relay{Listener: must(net.Listen("tcp", "127.0.0.1:0")), word: []byte(word), coming: make(chan struct{}), heard: make(chan struct{})}
	u.Host = r.Addr().String()
	var done sync.WaitGroup
	done.Go(func() {
		near, err := r.Accept()
		if err != nil {
			return
		}
		far := must(net.Dial("tcp", target))
		var came []byte
		coming := sync.OnceFunc(func() { close(r.coming) })
		done.Go(func() {
			r.pass(near, far, func(b []byte) {
				if came = append(came[max(0, len(came)-16):], b...); bytes.Contains(came, []byte(" $JS.ACK.")) {
					coming()
				}
				r.held.Lock()
			}, r.held.Unlock)
		})
		var said []byte
		still := sync.OnceFunc(func() {
			if r.still != nil {
				r.still()
			}
		})
		once := sync.OnceFunc(func() { close(r.heard) })
		r.pass(far, near, func(b []byte) {
			if said = append(said, b...); bytes.Contains(said, r.word) {
				still()
			}
		}, func() {
			if bytes.Contains(said, r.word) {
				once()
			}
		})
	})
	t.Cleanup(func() { _ = r.Close(); done.Wait() })
	return u.String(), r
}

// pass copies until either end hangs up; begin and end are called around each write.
func (r *relay) pass(to, from net.Conn, begin func([]byte), end func()) {
	defer func() { _, _ = to.Close(), from.Close() }()
	b := make([]byte, server.MAX_CONTROL_LINE_SIZE)
	for {
		n, err := from.Read(b)
		if err != nil {
			return
		}
		begin(b[:n])
		_, err = to.Write(b[:n])
		end()
		if err != nil {
			return
		}
	}
}

// A job that the server has sent to somebody who is just leaving goes to another at once, not when its time to decide is over.
func TestPullGivesBackWhatIsOnItsWay(t *testing.T) {
	s := startServer(t, ServerOptions{NoSync: true, Listen: "127.0.0.1:0"})
	ctx := within(t)
	url, way := relayed(t, s, "\r\nUNSUB ")
	leaving, other := connect(t, Options{URL: url}), connect(t, Options{Server: s})
	working, leave := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for job := range leaving.Work(working, "master", make(chan struct{}, 1)) {
			t.Errorf("it got %+v although it had left", job)
		}
	}()
	look := time.NewTicker(time.Millisecond)
	defer look.Stop()
	for waiting := 0; waiting == 0; <-look.C {
		if c, err := other.js.Consumer(ctx, TaskStream, "main=master"); err == nil {
			waiting = c.CachedInfo().NumWaiting
		}
	}
	returned := must(other.nc.SubscribeSync(server.JSAdvisoryConsumerMsgNakPre + ".>"))
	way.held.Lock()
	must(other.Submit(ctx, "master", Submission{Query: "x"}, ""))
	<-way.coming // that the consumer counts it as sent is not enough: it may still be in the server, which drops it when nobody listens
	leave()
	<-way.heard
	way.held.Unlock()
	must(returned.NextMsgWithContext(ctx))
	if job := takeOne(t, other, "master"); job.Tries != 2 {
		t.Errorf("it came at try %d", job.Tries)
	}
	<-ended
}

// A job whose taker was killed before the log knew of it is in nobody's index, where it would be taken over; the queue gives it to another one as soon as a lease
// would have run out.
func TestWorkOfADeadTaker(t *testing.T) {
	t.Parallel()
	b := newBus(t)
	must(b.Submit(within(t), "master", Submission{Query: "x"}, ""))
	dies := beside(t, b)
	takeOne(t, dies, "master")
	dies.Close()
	begun := time.Now()
	if job := takeOne(t, b, "master"); job.Tries != 2 || time.Since(begun) > 4*b.o.LeaseTTL {
		t.Errorf("it came after %v, at try %d", time.Since(begun), job.Tries)
	}
}

// Many jobs that wait are not asked for one by one, and no slot is held for a job that another node was faster to take.
func TestWorkTakesWhatWaitsAtOnce(t *testing.T) {
	b := newBus(t)
	ctx := within(t)
	const waiting = 3 * pullBurst
	for i := range waiting {
		must(b.Submit(ctx, "master", Submission{Query: fmt.Sprint(i)}, ""))
	}
	var asked atomic.Int64
	other := beside(t, b)
	ears := must(other.nc.Subscribe("$JS.API.CONSUMER.MSG.NEXT.HMAP_TASKS.*", func(*nats.Msg) { asked.Add(1) }))
	defer func() { _ = ears.Unsubscribe() }()
	if err := ears.SetPendingLimits(-1, -1); err != nil {
		t.Fatal(err)
	}
	jobs := make(chan *Job, waiting)
	working, leave := context.WithCancel(ctx)
	nodes := []chan struct{}{make(chan struct{}, pullBurst/2), make(chan struct{}, 2*waiting)}
	var ended sync.WaitGroup
	for _, slots := range nodes {
		ended.Go(func() {
			for job := range b.Work(working, "master", slots) {
				jobs <- job
			}
		})
	}
	seen := map[string]bool{}
	for range waiting {
		seen[(<-jobs).Submission.Query] = true
	}
	if len(seen) != waiting {
		t.Errorf("%d jobs, want %d, each once", len(seen), waiting)
	}
	leave()
	ended.Wait()
	if held := len(nodes[0]) + len(nodes[1]); held != waiting {
		t.Errorf("%d slots are held for %d jobs", held, waiting)
	}
	if err := other.nc.FlushWithContext(ctx); err != nil {
		t.Fatal(err)
	}
	if n := asked.Load(); n > waiting/4 {
		t.Errorf("asked %d times for %d jobs", n, waiting)
	}
}
