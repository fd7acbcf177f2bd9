package gateway_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/gateway"
)

func TestSessions(t *testing.T) {
	h := open(t, gateway.Options{})
	type page struct {
		Sessions []bus.Session `json:"sessions"`
		Next     uint64        `json:"next"`
	}
	get := func(query string) (p page) {
		t.Helper()
		res, text := h.do("GET", "/v1/sessions"+query, "")
		if err := json.Unmarshal([]byte(text), &p); err != nil || res.StatusCode != http.StatusOK {
			t.Fatalf("%s %s: %v", res.Status, text, err)
		}
		return p
	}
	if _, text := h.do("GET", "/v1/sessions", ""); strings.TrimSpace(text) != `{"sessions":[]}` {
		t.Errorf("of nothing: %s", text)
	}
	for i := range 5 {
		s := bus.Snapshot{Session: bus.Session{ID: fmt.Sprint("s", i), Title: "订单 <" + fmt.Sprint(i) + ">", Tasks: 1, First: time.Now(), Last: time.Now()}}
		if err := h.bus.KeepSnapshot(t.Context(), &s); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	for p := get("?limit=2"); ; p = get(fmt.Sprintf("?limit=2&before=%d", p.Next)) {
		for _, s := range p.Sessions {
			got = append(got, s.ID+s.Title)
		}
		if p.Next == 0 {
			break
		}
	}
	if want := "s4订单 <4> s3订单 <3> s2订单 <2> s1订单 <1> s0订单 <0>"; strings.Join(got, " ") != want {
		t.Errorf("in pages: %v", got)
	}
	for _, bad := range []string{"?limit=0", "?limit=1001", "?limit=-1", "?limit=x", "?before=x"} {
		if res, text := h.do("GET", "/v1/sessions"+bad, ""); res.StatusCode != http.StatusBadRequest || !strings.Contains(text, "invalid_request") {
			t.Errorf("%s: %s %s", bad, res.Status, text)
		}
	}
}
