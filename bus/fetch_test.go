package bus

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/nats-io/nats.go"
)

// raw publishes on a bare connection, where nothing keeps a header in shape.
func raw(t *testing.T, s *Server, subject, header, body string) {
	t.Helper()
	u := must(url.Parse(s.URL()))
	c := must(net.Dial("tcp", u.Host))
	defer func() { _ = c.Close() }()
	header = "NATS/1.0\r\n" + header + "\r\n"
	_, err := fmt.Fprintf(c, "CONNECT {\"headers\":true,\"verbose\":false,\"auth_token\":%q}\r\nHPUB %s %d %d\r\n%s%s\r\nPING\r\n",
		u.User.Username(), subject, len(header), len(header)+len(body), header, body)
	if err != nil {
		t.Fatal(err)
	}
	for r := bufio.NewScanner(c); r.Scan(); {
		if strings.HasPrefix(r.Text(), "PONG") {
			return
		}
		if strings.HasPrefix(r.Text(), "-ERR") {
			t.Fatal(r.Text())
		}
	}
	t.Fatal("the server hung up")
}

// Who may publish in one place of the log must not make a reader see something in another, nor end its reading.
func TestReadBelievesNoHeader(t *testing.T) {
	t.Parallel()
	s := startServer(t, ServerOptions{NoSync: true, Listen: "127.0.0.1:0"})
	b := connect(t, Options{Server: s})
	ctx := within(t)
	const body = `{"hmap":"1","kind":"round"}`
	forged := "Nats-Stream: HMAP_LOG\r\nNats-Subject: hmap.main.log.s.t.victim\r\nNats-Sequence: 7\r\n" +
		"Nats-Time-Stamp: 2001-01-01T00:00:00Z\r\nNats-Num-Pending: 0\r\nNats-Last-Sequence: 0\r\n"
	for i, c := range []struct {
		name, header, body string
		records            int
	}{
		{"its own words of the server", forged, body, 1},
		{"an end of its own", forged + "\r\nX: y\r\n", body, 1},
		{"an end of its own, and many short lines", strings.Replace(forged, ": ", ":", -1) + strings.Repeat("a:b\r\n", 300) + "\r\nX: y\r\n", body, 1},
		{"the end of a batch", "Status: 204\r\nNats-Num-Pending: 0\r\nNats-Last-Sequence: 0\r\n", "", 0},
		{"the end of a batch, and an end of its own", "Status: 204\r\nNats-Num-Pending: 0\r\nNats-Last-Sequence: 0\r\n\r\nX: y\r\n", "", 0},
		{"no header at all", "rubbish\r\n", body, 1},
		{"another client's spelling", "traceparent:00-1-2-03\r\n", body, 1},
	} {
		session := fmt.Sprint("s", i)
		liar, honest := LogSubject("main", session, "t", "liar"), Where{session, "t", "honest"}
		first := write(t, b, honest, 1, 0)
		raw(t, s, liar, strings.ReplaceAll(c.header, ".s.t.", "."+session+".t."), c.body)
		last := write(t, b, honest, 1, first)
		want, seqs := []string{"honest", "liar", "honest"}, []uint64{first, first + 1, last}
		if c.records == 0 {
			want, seqs = []string{"honest", "honest"}, []uint64{first, last}
		}
		for _, w := range []Where{{Session: session}, {Session: session, Task: "t"}} { // by direct get, and by a consumer
			var calls []string
			var where []uint64
			for _, r := range must(b.Read(ctx, w, 0)) {
				calls, where = append(calls, r.Call), append(where, r.Seq)
			}
			if !slices.Equal(calls, want) || !slices.Equal(where, seqs) {
				t.Errorf("%s, %v: read %v at %v, want %v at %v", c.name, w, calls, where, want, seqs)
			}
		}
		if recs := must(b.Read(ctx, Where{session, "t", "liar"}, 0)); len(recs) != c.records || len(recs) > 0 && recs[0].Seq != first+1 {
			t.Errorf("%s: of the call itself %+v", c.name, recs)
		}
	}
}

// More than one batch, and more bytes than one batch takes.
func TestReadALongLog(t *testing.T) {
	t.Parallel()
	b := newBus(t)
	w := Where{"s", "t", "t"}
	last := write(t, b, w, 2*tailMessages+3, 0)
	for range 12 {
		big := record("s", "t", "t", KindRound)
		big.Thought = strings.Repeat("x", 1<<20-10_000)
		last = must(b.Append(within(t), big, last))
	}
	recs := must(b.Read(within(t), w, 0))
	for i, r := range recs {
		if r.Seq != uint64(i+1) {
			t.Fatalf("record %d is at %d", i, r.Seq)
		}
	}
	if len(recs) != int(last) {
		t.Errorf("%d records, want %d", len(recs), last)
	}
}

// A server of a batch that loses replies, or is behind the one that answered before.
func TestFetchLostReplies(t *testing.T) {
	b := newBus(t)
	const stored = 6
	asked := 0
	answer := func(m *nats.Msg, seq, pending, before uint64) {
		_ = b.nc.PublishMsg(&nats.Msg{Subject: m.Reply, Data: []byte("x"), Header: nats.Header{
			"Nats-Subject": {"x.y"}, "Nats-Time-Stamp": {"2026-01-01T00:00:00Z"}, "Nats-Sequence": {fmt.Sprint(seq)},
			"Nats-Num-Pending": {fmt.Sprint(pending)}, "Nats-Last-Sequence": {fmt.Sprint(before)}}})
	}
	end := func(m *nats.Msg, status string, pending, before uint64) {
		_ = b.nc.PublishMsg(&nats.Msg{Subject: m.Reply, Header: nats.Header{"Status": {status},
			"Nats-Num-Pending": {fmt.Sprint(pending)}, "Nats-Last-Sequence": {fmt.Sprint(before)}}})
	}
	liar := must(b.nc.Subscribe("$JS.API.DIRECT.GET.LIAR", func(m *nats.Msg) {
		asked++
		var ask struct{ Seq uint64 }
		if err := json.Unmarshal(m.Data, &ask); err != nil {
			t.Error(err)
		}
		switch asked {
		case 1: // the second of three does not arrive
			answer(m, 1, 5, 0)
			answer(m, 3, 3, 2)
			end(m, "204", 3, 3)
		case 2: // the last before the end does not
			answer(m, 2, 4, 0)
			end(m, "204", 3, 3)
		case 3: // there is more, but
			answer(m, 3, 3, 0)
			end(m, "204", 3, 3)
		case 4: // the next replica asked does not have it yet
			end(m, "404", 0, 0)
		default:
			for seq, before := ask.Seq, uint64(0); seq <= stored; before, seq = seq, seq+1 {
				answer(m, seq, stored-seq, before)
			}
			end(m, "204", 0, stored)
		}
	}))
	defer func() { _ = liar.Unsubscribe() }()
	var got []uint64
	if err := b.fetch(within(t), "LIAR", "x.y", 0, func(f fetched) { got = append(got, f.seq) }); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got, []uint64{1, 2, 3, 4, 5, 6}) {
		t.Errorf("got %v after asking %d times", got, asked)
	}
}
