package tools

import (
	"encoding/json"
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/hmap-project/hmap/bus"
)

func TestMemoryIsBounded(t *testing.T) {
	var m memory
	now := time.Unix(0, 0)
	answer := func(i int) bus.Response { return bus.Response{Observation: json.RawMessage(fmt.Sprint(i))} }
	for i := range keptAnswers + 10 {
		m.keep(fmt.Sprint(i), bus.Request{}, answer(i), now)
	}
	if len(m.answers) != keptAnswers || len(m.order) != keptAnswers {
		t.Errorf("%d answers, %d in order, want %d", len(m.answers), len(m.order), keptAnswers)
	}
	if _, ok := m.recall("9", bus.Request{}, now); ok {
		t.Error("the oldest is still there")
	}
	if got, ok := m.recall("10", bus.Request{}, now); !ok || string(got.Observation) != "10" {
		t.Errorf("got %s, %v", got.Observation, ok)
	}
	m.keep("10", bus.Request{}, answer(99), now)
	if got, _ := m.recall("10", bus.Request{}, now); string(got.Observation) != "10" {
		t.Errorf("the first answer was overwritten by %s", got.Observation)
	}
	if got, ok := m.recall("10", bus.Request{Parameter: json.RawMessage(`{"a":1}`)}, now); !ok || got.Error == nil || got.Error.Code != bus.CodeInvalidRequest {
		t.Errorf("other arguments get %+v", got)
	}
	if _, ok := m.recall("10", bus.Request{}, now.Add(keptFor+time.Second)); ok || len(m.answers) != 0 || len(m.order) != 0 {
		t.Errorf("%d answers after their time", len(m.answers))
	}
}

// What is kept of a call is its answer, and not what it was asked with, which may be larger than all answers.
func TestMemoryKeepsNoArguments(t *testing.T) {
	var m memory
	for i := range keptAnswers {
		m.keep(fmt.Sprint(i), bus.Request{Parameter: make(json.RawMessage, 1<<20)}, bus.Response{}, time.Unix(0, 0))
	}
	var after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&after)
	if after.HeapAlloc > 48<<20 {
		t.Errorf("%d MiB are held", after.HeapAlloc>>20)
	}
	runtime.KeepAlive(&m)
}

func TestSameArguments(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{`{"a":1}`, `{"a":1}`, true}, {`{"a":1,"b":2}`, `{ "b": 2, "a": 1 }`, true}, {`{"a":1}`, `{"a":2}`, false}, {`{`, `{`, true}, {`{`, `}`, false}, {``, `{ }`, true},
	} {
		if got := sameArguments(bus.Request{Parameter: json.RawMessage(c.a)}, bus.Request{Parameter: json.RawMessage(c.b)}); got != c.want {
			t.Errorf("%s and %s: %v", c.a, c.b, got)
		}
	}
}
