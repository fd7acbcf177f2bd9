package bus

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/nats-io/nats.go/micro"
)

func TestDirectoryRejects(t *testing.T) {
	t.Parallel()
	b := newBus(t)
	d := must(b.Directory(within(t)))
	add := func(name string, meta map[string]string) string {
		m := map[string]string{"hmap": "1", "kind": "tool", "description": "d"}
		for k, v := range meta {
			m[k] = v
		}
		s := must(micro.AddService(b.nc, micro.Config{Name: name, Version: "1.0.0", Metadata: m}))
		t.Cleanup(func() { _ = s.Stop() })
		return s.Info().ID
	}
	bad := map[string]string{}
	for i, c := range []struct{ key, value, reason string }{
		{"parameters", `{"type":"object","properties":7}`, "parameters"},
		{"parameters", `{`, "parameters"},
		{"parameters", `{"type":"array"}`, "object"},
		{"parameters", `{"type":"object","properties":{"a":{"$ref":"file:///etc/passwd"}}}`, "whole in itself"},
		{"parameters", `{"type":"object","properties":{"a":{"$ref":"https://example.com/x.json"}}}`, "whole in itself"},
		{"returns", `{"type":"nothing"}`, "returns"},
		{"kind", "toy", "kind"},
		{"description", "", "description"},
		{"effect", "maybe", "effect"},
		{"approval", "perhaps", "approval"},
		{"timeout", "-1", "timeout"},
		{"timeout", "NaN", "timeout"},
		{"cost", "Inf", "cost"},
		{"tags", "a,b", "tags"},
		{"name", "another", "another"},
		{"hmap", "2", "unsupported"},
		{"description", strings.Repeat("x", maxCard), "bytes"},
	} {
		bad[add(fmt.Sprint("bad", i), map[string]string{c.key: c.value})] = c.reason
	}
	add("foreign", map[string]string{"hmap": ""})
	add("elsewhere", map[string]string{"tenant": "elsewhere"})
	add("good", nil)
	await(t, d, "swept", func() bool { return len(d.Cards()) == 1 && len(d.Rejected()) == len(bad) })
	if _, ok := d.Get("good"); !ok {
		t.Errorf("offered: %v", names(d))
	}
	for _, r := range d.Rejected() {
		if !strings.Contains(r.Reason, bad[r.ID]) {
			t.Errorf("%s rejected for %q, want something of %q", r.Card.Name, r.Reason, bad[r.ID])
		}
	}
}

func TestDirectoryNameTaken(t *testing.T) {
	b := newBus(t)
	d := must(b.Directory(within(t)))
	first := serve(t, b, toolCard("tool"), echo)
	await(t, d, "there", func() bool { return len(d.Cards()) == 1 })
	serve(t, beside(t, b), toolCard("tool"), echo) // the same card: one more instance
	await(t, d, "two", func() bool { return len(d.Entries()) == 2 })
	other := toolCard("tool")
	other.Description = "something else"
	third := beside(t, b)
	// It claims to be the oldest; that must not help it.
	body := must(json.Marshal(Announcement{Version, Here, micro.ServiceIdentity{Name: "tool", ID: "impostor", Version: "1.0.0",
		Metadata: map[string]string{"hmap": "1", "kind": "tool", "description": "mine now", "since": "1970-01-01T00:00:00Z"}}}))
	if err := third.nc.Publish(AnnounceSubject("main"), body); err != nil {
		t.Fatal(err)
	}
	serve(t, third, other, echo)
	if err := third.Listed(within(t)); err != nil {
		t.Errorf("what is rejected will not be on offer, and is not waited for: %v", err)
	}
	rejected := func(id string) bool {
		return slices.ContainsFunc(d.Rejected(), func(r Rejected) bool { return r.ID == id && strings.Contains(r.Reason, "taken") })
	}
	await(t, d, "rejected", func() bool { return len(d.Rejected()) == 2 })
	if !rejected("impostor") {
		t.Errorf("rejected %+v", d.Rejected())
	}
	if c, _ := d.Get("tool"); c.Description != toolCard("tool").Description || len(d.Cards()) != 1 {
		t.Errorf("offered %+v", c)
	}
	first.Stop()
	await(t, d, "one less", func() bool { return len(d.Entries()) == 1 })
}

// What strangers announce must not hurt.
func TestDirectoryHostileAnnouncements(t *testing.T) {
	b := newBus(t)
	d := must(b.Directory(within(t)))
	for _, body := range []string{"", "x", "{}", "[]", `{"id":7}`, `{"event":"gone","id":"x"}`, `{"id":"` + strings.Repeat("x", 1000) + `","metadata":{"hmap":"1"}}`} {
		if err := b.nc.Publish(AnnounceSubject("main"), []byte(body)); err != nil {
			t.Fatal(err)
		}
	}
	serve(t, b, toolCard("good"), echo)
	await(t, d, "there", func() bool { return len(d.Cards()) == 1 })
	if len(d.Rejected()) != 0 {
		t.Errorf("rejected %+v", d.Rejected())
	}
}
