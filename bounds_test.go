package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/hmap-project/hmap/bus"
)

// The bounds of the configuration are heeded: of the gateway, of tools, of the lease.
func TestBounds(t *testing.T) {
	t.Parallel()
	s := serve(t, dataDir(t), "gateway: {connections: 1}", "limits: {tool_calls: 1, tool_waiting: 0, lease: 7s}")
	var statuses []int
	for range 2 {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.page+"/v1/ws", nil)
		if err != nil {
			t.Fatal(err)
		}
		for k, v := range map[string]string{"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": "MDEyMzQ1Njc4OTAxMjM0NQ=="} {
			r.Header.Set(k, v)
		}
		answer, err := http.DefaultTransport.RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close() // of the first, the connection
		statuses = append(statuses, answer.StatusCode)
	}
	if !slices.Equal(statuses, []int{http.StatusSwitchingProtocols, http.StatusServiceUnavailable}) {
		t.Errorf("two WebSockets where one may be open: %v", statuses)
	}

	answers := make(chan bus.Response, 50)
	for i := range cap(answers) { // each takes milliseconds
		go func() {
			call := fmt.Sprintf("t1-1-%d", i)
			r, err := s.bus.Call(t.Context(), bus.Request{Session: "s1", Task: "t1", Call: call, Caller: "orders", ToolName: "search_order_code",
				Parameter: json.RawMessage(`{"consumer_name":"王萍萍","search_keys":"订单"}`)}, nil)
			if err != nil {
				t.Error(err)
			}
			answers <- r
		}()
	}
	said := map[string]int{}
	for range cap(answers) {
		r := <-answers
		if r.Error != nil {
			said[r.Error.Code]++
		} else {
			said[string(r.Status)]++
		}
	}
	if said["ok"] == 0 || said[bus.CodeBusy] == 0 || said["ok"]+said[bus.CodeBusy] != cap(answers) {
		t.Errorf("50 calls of a tool that takes one, and lets none wait: %v", said)
	}

	js, err := jetstream.New(s.bus.Conn())
	if err != nil {
		t.Fatal(err)
	}
	nodes, err := js.KeyValue(t.Context(), bus.NodesBucket)
	if err != nil {
		t.Fatal(err)
	}
	keys, err := nodes.Keys(t.Context())
	if err != nil || len(keys) != 1 {
		t.Fatal(keys, err)
	}
	if lease, err := nodes.Get(t.Context(), keys[0]); err != nil || !strings.Contains(string(lease.Value()), `"ttl_ms":7000`) {
		t.Errorf("the lease: %s, %v", lease.Value(), err)
	}
}
