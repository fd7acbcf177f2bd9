package drill

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"time"

	"github.com/gorilla/websocket"
	"github.com/nats-io/nats.go"

	"github.com/hmap-project/hmap/bus"
)

// hostileBody makes up a body that no honest client sends. None is a script, nor a right call of a tool.
func hostileBody(r *rand.Rand) []byte {
	switch r.IntN(14) {
	case 0:
		return bytes.Repeat([]byte("x"), 1<<20-8<<10)
	case 1:
		return bytes.Repeat([]byte("{\"a\":"), 100_000)
	case 2:
		return bytes.Repeat([]byte("["), 200_000)
	case 3:
		b := make([]byte, r.IntN(5000))
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		return b
	case 4:
		return nil
	case 5:
		return []byte(`{"query":17,"session":[],"task":{},"budget":"much","hmap":1,"kind":null,"parameter":"x","call":false}`)
	case 6:
		return []byte(`{"query":"x","session":"a.b>","task":"*","call":"a b","ask":"...","kind":"answer"}`)
	case 7:
		return []byte(`{"hmap":"99.1","query":"x","session":"s","task":"t","call":"c"}`)
	case 8:
		return []byte(`{"query":"\ud800 \u0000 ` + strings.Repeat(`\u202e`, 50) + `","mode":"wild","output":"exe","reply_to":"$SYS.>"}`)
	case 9:
		return []byte(`{"query":"x","reply_to":"hmap.main.log.s.t.c","budget":{"tokens":-5,"seconds":1e308,"rounds":-1}}`)
	case 10:
		return []byte(`{"hmap":"1","session":"h","task":"h","call":"h-1-0","parent":"h","caller":"master","path":["master"],"tool_name":"drill_fire","parameter":{"label":{"a":1}}}`)
	case 11:
		return []byte(`{"hmap":"1","session":"h","task":"h","call":"` + strings.Repeat("c", 300) + `","tool_name":"nobody","deadline":"yesterday"}`)
	case 12:
		return []byte(`{"type":"follow","session":"` + strings.Repeat("s", 70) + `","after":-1}`)
	default:
		return []byte("{\"query\":\"" + strings.Repeat("深", 60_000) + "\"")
	}
}

// hostile sends a few such bodies by every way into the house.
func (t *trouble) hostile(ctx context.Context, seed uint64) {
	r := rand.New(rand.NewPCG(seed, 2))
	nc, tenant := t.eyes.Conn(), t.eyes.Tenant()
	for range 4 {
		body := hostileBody(r)
		var err error
		switch r.IntN(8) {
		case 0:
			t.book.mu.Lock()
			t.book.hostile = append(t.book.hostile, body)
			t.book.mu.Unlock()
			err = nc.Publish(bus.TaskSubject(tenant, master), body)
		case 1:
			err = nc.PublishRequest([]string{bus.SubmitSubject(tenant), bus.AskSubject(tenant)}[r.IntN(2)], nats.NewInbox(), body)
		case 2:
			err = nc.PublishRequest(bus.CallSubject(tenant, []string{toolLook, toolPut, toolFire, left, right, master}[r.IntN(6)]), nats.NewInbox(), body)
		case 3:
			err = nc.Publish(bus.InputSubject(tenant, "h", fmt.Sprint("h", r.IntN(5))), body)
		case 4:
			err = nc.Publish([]string{bus.CancelSubject(tenant, "h"), bus.AnnounceSubject(tenant), bus.LiveSubject(tenant, "h", "h"), "$SRV.INFO." + left}[r.IntN(4)], body)
		case 5:
			err = hostileWindow(ctx, t.c.gateways[r.IntN(2)].addr(), body, r.IntN(2) == 0)
		default:
			err = hostileHTTP(ctx, t.c.gateways[r.IntN(2)].addr(), body, r)
		}
		t.book.count("hostile bodies", 1)
		if err != nil {
			t.book.count("hostile bodies that did not arrive", 1)
		}
	}
}

func hostileWindow(ctx context.Context, addr string, body []byte, binary bool) error {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	link, answer, err := websocket.DefaultDialer.DialContext(ctx, "ws://"+addr+"/v1/ws", nil)
	if err != nil {
		return err
	}
	defer link.Close()
	if answer.Body != nil {
		_ = answer.Body.Close()
	}
	kind := websocket.TextMessage
	if binary {
		kind = websocket.BinaryMessage
	}
	for range 12 { // more than are borne
		if err := link.SetWriteDeadline(time.Now().Add(time.Second)); err != nil {
			return err
		}
		if err := link.WriteMessage(kind, body); err != nil {
			return nil // it was shown the door
		}
	}
	return nil
}

func hostileHTTP(ctx context.Context, addr string, body []byte, r *rand.Rand) error {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	paths := []string{"/v1/tasks", "/v1/sessions/" + strings.Repeat("s", 100) + "/records", "/v1/sessions/h/records?after=-1", "/v1/files/obj:..%2f..%2fetc", "/v1/ws", "/v1/nothing", "/../../etc/passwd"}
	method := []string{http.MethodPost, http.MethodPost, http.MethodGet, http.MethodPut, "WILD"}[r.IntN(5)]
	q, err := http.NewRequestWithContext(ctx, method, "http://"+addr+paths[r.IntN(len(paths))], bytes.NewReader(body))
	if err != nil {
		return err
	}
	q.Header.Set("Content-Type", []string{"application/json", "text/plain", "application/json; charset=x"}[r.IntN(3)])
	q.Header.Set("Idempotency-Key", strings.Repeat("k", r.IntN(100)))
	answer, err := hostileClient.Do(q)
	if err != nil {
		return err
	}
	_, _ = io.Copy(io.Discard, io.LimitReader(answer.Body, 1<<20))
	return answer.Body.Close()
}

// hostileClient keeps no connections, so that none is counted as left over.
var hostileClient = &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
