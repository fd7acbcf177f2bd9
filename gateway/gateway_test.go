package gateway_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"go.uber.org/goleak"

	"github.com/hmap-project/hmap/bus/bustest/leaks"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/gateway"
)

func TestMain(m *testing.M) {
	for name, play := range map[string]func(string) error{crowdEnv: joinCrowd, siegeEnv: joinSiege} {
		order := os.Getenv(name)
		if order == "" {
			continue
		}
		if err := play(order); err != nil {
			fmt.Fprintln(os.Stderr, name, err)
			os.Exit(1)
		}
		return
	}
	goleak.VerifyTestMain(m, leaks.OfLibraries()...)
}

// house is a real bus with a gateway on it, behind real HTTP.
type house struct {
	testing.TB
	bus     *bus.Bus
	gate    *gateway.Gateway
	http    *httptest.Server
	dir     string // of the NATS server, when it is started again
	stopBus func() // stops the NATS server; a second time does nothing
	mendBus func() // starts it again, with what it had
}

func open(t testing.TB, o gateway.Options) *house {
	t.Helper()
	h := &house{TB: t, dir: t.TempDir()}
	listen := "127.0.0.1:0"
	var s *bus.Server
	h.mendBus = func() {
		var err error
		if s, err = bus.StartServer(bus.ServerOptions{Dir: h.dir, NoSync: true, Listen: listen}); err != nil {
			t.Fatal(err)
		}
	}
	h.stopBus = func() { s.Stop() }
	h.mendBus()
	u, err := url.Parse(s.URL())
	if err != nil {
		t.Fatal(err)
	}
	listen = u.Host
	t.Cleanup(func() { s.Stop() })
	if h.bus, err = bus.Connect(t.Context(), bus.Options{URL: s.URL(), Replicas: 1}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(h.bus.Close)
	o.Log = slog.New(slog.NewTextHandler(io.Discard, nil))
	h.gate = gateway.New(h.bus, o)
	h.http = httptest.NewUnstartedServer(h.gate.Handler())
	h.http.Config.ConnState = func(c net.Conn, s http.ConnState) {
		if tcp, ok := c.(*net.TCPConn); ok && s == http.StateNew {
			tcp.SetWriteBuffer(64 << 10) // so that a reader is soon seen to be slow
		}
	}
	h.http.Start()
	t.Cleanup(func() {
		h.gate.Close()
		h.http.Close()
	})
	return h
}

// call appends records to one call of one session and task.
type call struct {
	*house
	session, task, call string
	last                uint64
}

func (c *call) append(r bus.Record) uint64 {
	c.Helper()
	r.HMAP, r.Session, r.Task, r.Call, r.Node, r.Time = bus.Version, c.session, c.task, c.call, "n1", time.Now()
	if r.Kind == "" {
		r.Kind = bus.KindRound
	}
	seq, err := c.bus.Append(context.Background(), &r, c.last)
	if err != nil {
		c.Error(err)
	}
	c.last = seq
	return seq
}

// frame is what the gateway sends.
type frame struct {
	Type, ID, Session, Task, Code, Message, Text, Bus, Why, Waits string
	Seq                                                           uint64
	From                                                          *uint64
	Record                                                        json.RawMessage
	Answered                                                      *bus.Input
}

// client is a WebSocket with a clock: no read takes longer than it is given.
type client struct {
	testing.TB
	*websocket.Conn
}

func (h *house) dial(header ...string) *client {
	h.Helper()
	c, err := h.tryDial(header...)
	if err != nil {
		h.Fatal(err)
	}
	return c
}

func (h *house) tryDial(header ...string) (*client, error) {
	head := http.Header{}
	for i := 0; i < len(header); i += 2 {
		head.Set(header[i], header[i+1])
	}
	dialer := websocket.Dialer{NetDialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
		c, err := new(net.Dialer).DialContext(ctx, network, address)
		if err == nil {
			err = c.(*net.TCPConn).SetReadBuffer(64 << 10)
		}
		return c, err
	}}
	ws, res, err := dialer.Dial(strings.Replace(h.http.URL, "http", "ws", 1)+"/v1/ws", head)
	if res != nil {
		res.Body.Close()
	}
	if err != nil {
		return nil, err
	}
	h.Cleanup(func() { ws.Close() })
	return &client{h.TB, ws}, nil
}

func (c *client) send(text string) {
	c.Helper()
	if err := c.WriteMessage(websocket.TextMessage, []byte(text)); err != nil {
		c.Fatal(err)
	}
}

func (c *client) next() (frame, error) {
	c.SetReadDeadline(time.Now().Add(20 * time.Second))
	var f frame
	_, data, err := c.ReadMessage()
	if err == nil {
		err = json.Unmarshal(data, &f)
	}
	return f, err
}

// want reads up to the next frame of a type.
func (c *client) want(kind string) frame {
	c.Helper()
	for {
		f, err := c.next()
		if err != nil {
			c.Fatalf("waiting for %s: %v", kind, err)
		}
		if f.Type == kind {
			return f
		}
	}
}

// closed reads to the end and gives the close code; 0 when there was none.
func (c *client) closed() int {
	for {
		if _, err := c.next(); err != nil {
			if e, ok := err.(*websocket.CloseError); ok {
				return e.Code
			}
			return 0
		}
	}
}

func (h *house) do(method, path, body string, header ...string) (*http.Response, string) {
	h.Helper()
	req, err := http.NewRequestWithContext(h.Context(), method, h.http.URL+path, strings.NewReader(body))
	if err != nil {
		h.Fatal(err)
	}
	for i := 0; i < len(header); i += 2 {
		if header[i] == "Host" {
			req.Host = header[i+1]
		}
		req.Header.Set(header[i], header[i+1])
	}
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	res, err := client.Do(req)
	if err != nil {
		h.Fatal(err)
	}
	defer res.Body.Close()
	got, err := io.ReadAll(res.Body)
	if err != nil {
		h.Fatal(err)
	}
	return res, string(got)
}

func (h *house) seqs(session string, after uint64) []uint64 {
	h.Helper()
	recs, err := h.bus.Read(h.Context(), bus.Where{Session: session}, after)
	if err != nil {
		h.Fatal(err)
	}
	var out []uint64
	for _, r := range recs {
		out = append(out, r.Seq)
	}
	return out
}

// waiting is how many tasks are in the queue.
func (h *house) waiting() uint64 {
	h.Helper()
	js, err := jetstreamOf(h.bus)
	if err != nil {
		h.Fatal(err)
	}
	s, err := js.Stream(h.Context(), bus.TaskStream)
	if err != nil {
		h.Fatal(err)
	}
	return s.CachedInfo().State.Msgs
}

func origin(h *house) string {
	u, _ := url.Parse(h.http.URL)
	return "http://" + u.Host
}
