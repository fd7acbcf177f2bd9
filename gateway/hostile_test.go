//go:build unix

package gateway_test

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/gateway"
)

// The well-behaved get every record once and in order, whatever the others do, and soon. How soon on an idle machine says
// BenchmarkSiege; here it only must not be far off.
func TestHostileClientsHarmNobody(t *testing.T) {
	if testing.Short() {
		t.Skip("opens many connections")
	}
	good, bad, most := 300, 300, 5*time.Second
	if raceEnabled {
		good, bad, most = 50, 50, 15*time.Second
	}
	late := besiege(t, good, bad).late
	t.Logf("%d good and %d bad connections: p50 %v, p99 %v", good, bad, late[len(late)/2], late[len(late)*99/100])
	if p99 := late[len(late)*99/100]; p99 > most {
		t.Errorf("p99 is %v", p99)
	}
}

// How late records come to 1,000 connections while 1,000 others do their worst, all on one machine. stored-p99 is how much of that it
// took the log to store them. here-cores is the CPU of this process (log, gateway and the good clients), siege-cores that of the bad ones, while
// the records were written; together no more than the machine has, and when they are as many, it is the machine that is late.
func BenchmarkSiege(b *testing.B) {
	var s siege
	for b.Loop() {
		s = besiege(b, 1000, 1000)
	}
	ms := func(d time.Duration) float64 { return float64(d) / 1e6 }
	b.ReportMetric(ms(s.late[len(s.late)/2]), "p50-ms")
	b.ReportMetric(ms(s.late[len(s.late)*99/100]), "p99-ms")
	b.ReportMetric(ms(s.stored[len(s.stored)*99/100]), "stored-p99-ms")
	b.ReportMetric(s.here.Seconds()/s.took.Seconds(), "here-cores")
	b.ReportMetric(s.there.Seconds()/s.took.Seconds(), "siege-cores")
}

// siege is what came of one.
type siege struct {
	late, stored      []time.Duration // from writing a record to its arrival, and to the answer of the log; sorted
	took, here, there time.Duration   // while they were written: time, CPU of this process and of the bad clients
}

// besiege has good and bad clients on one gateway while the sessions that the good follow grow, and gives how late the records
// were. A third of the good lose their connection at the same moment, and resume.
func besiege(t testing.TB, good, bad int) siege {
	const sessions, records = 4, 100
	h := open(t, gateway.Options{MaxConnections: 2 * (good + bad), MaxSessions: 2000, PingEvery: 2 * time.Second})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- h.gate.Serve(ctx, l) }()
	defer func() {
		stop()
		if err := <-served; err != nil {
			t.Error(err)
		}
	}()
	address := l.Addr().String()
	big := &call{house: h, session: "big", task: "t", call: "t"}
	for range 100 { // 3 MB of history, for those who do not read it
		big.append(bus.Record{Thought: strings.Repeat("x", 30<<10)})
	}

	lift, spent := startSiege(t, address, bad)
	defer lift()
	var readers sync.WaitGroup
	clients := make([]*patron, good)
	cut := make(chan struct{})
	for i := range clients {
		p := &patron{session: fmt.Sprint("s", i%sessions), want: records, ready: make(chan struct{})}
		if i%3 == 0 {
			p.cut = cut
		}
		clients[i] = p
		readers.Go(func() { p.err = p.attend(address) })
	}
	for _, p := range clients {
		<-p.ready
	}

	stored := make([][]time.Duration, sessions)
	start, here, there := time.Now(), cpuTime(), spent()
	var writers sync.WaitGroup
	for s := range sessions {
		writers.Go(func() {
			w := &call{house: h, session: fmt.Sprint("s", s), task: fmt.Sprint("t", s), call: fmt.Sprint("t", s)}
			tick := time.NewTicker(20 * time.Millisecond)
			defer tick.Stop()
			for n := range records {
				if s == 0 && n == records/2 {
					close(cut)
				}
				now := time.Now()
				w.append(bus.Record{Thought: fmt.Sprintf("@%019d %s", now.UnixNano(), strings.Repeat("x", 200))})
				stored[s] = append(stored[s], time.Since(now))
				<-tick.C
			}
		})
	}
	writers.Wait()
	readers.Wait()
	got := siege{stored: slices.Sorted(slices.Values(slices.Concat(stored...))), took: time.Since(start), here: cpuTime() - here, there: spent() - there}
	want := map[string][]uint64{}
	for s := range sessions {
		want[fmt.Sprint("s", s)] = h.seqs(fmt.Sprint("s", s), 0)
	}
	for i, p := range clients {
		if p.err != nil {
			t.Fatalf("good client %d, after %d records: %v", i, len(p.got), p.err)
		}
		if d := cmp.Diff(want[p.session], p.got); d != "" {
			t.Fatalf("good client %d: %s", i, d)
		}
		got.late = append(got.late, p.late...)
	}
	slices.Sort(got.late)
	return got
}

// patron is a well-behaved client: it reads, answers pings, and when it is cut off it comes back and resumes.
type patron struct {
	session string
	want    int
	cut     <-chan struct{} // closed: loses its connection, once
	ready   chan struct{}   // closed when it has caught up for the first time
	got     []uint64
	late    []time.Duration // but for what was history when it came back
	err     error
}

func (p *patron) attend(address string) error {
	patience := time.Now().Add(3 * time.Minute)
	caughtUp := sync.OnceFunc(func() { close(p.ready) })
	defer caughtUp()
	for len(p.got) < p.want {
		f, err := handshake(address)
		if err != nil {
			return err
		}
		var after uint64
		if n := len(p.got); n > 0 {
			after = p.got[n-1]
		}
		f.conn.SetDeadline(patience)
		err = f.follow(p.session, after)
		ended := make(chan struct{})
		gone := make(chan bool, 1)
		go func() {
			select {
			case <-p.cut:
				f.conn.Close()
				gone <- true
			case <-ended:
				gone <- false
			}
		}()
		if err == nil {
			err = p.read(f, caughtUp)
		}
		close(ended)
		if <-gone {
			p.cut = nil
		} else if err != nil {
			f.conn.Close()
			return err // nobody else may end it
		}
		f.conn.Close()
	}
	return nil
}

func (p *patron) read(f *follower, caughtUp func()) error {
	live := false
	for len(p.got) < p.want {
		opcode, payload, err := f.next()
		switch {
		case err != nil:
			return err
		case opcode == 8:
			return fmt.Errorf("closed: %q", payload)
		case opcode == 9:
			f.conn.Write(masked(10, nil))
		case bytes.HasPrefix(payload, []byte(`{"type":"caught_up"`)):
			live = true
			caughtUp()
		case bytes.HasPrefix(payload, []byte(`{"type":"record"`)):
			_, rest, _ := bytes.Cut(payload, []byte(`"seq":`))
			number, _, _ := bytes.Cut(rest, []byte(","))
			seq, err := strconv.ParseUint(string(number), 10, 64)
			if err != nil {
				return err
			}
			p.got = append(p.got, seq)
			if at := bytes.IndexByte(payload, '@'); live && at >= 0 {
				if sent, err := strconv.ParseInt(string(payload[at+1:at+20]), 10, 64); err == nil {
					p.late = append(p.late, time.Duration(time.Now().UnixNano()-sent))
				}
			}
		case !bytes.HasPrefix(payload, []byte(`{"type":"status"`)): // a machine this busy may not answer itself in time
			return fmt.Errorf("unexpected: %.200q", payload)
		}
	}
	return nil
}

var (
	fragments = bytes.Repeat([]byte{0, 0x80, 0, 0, 0, 0}, 1000)
	zeros     = make([]byte, 32<<10)
)
