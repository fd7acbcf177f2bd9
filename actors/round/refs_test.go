package round

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/hmap-project/hmap/bus"
)

// FuzzFill: whatever stands in an action code and in an observation, filling it in gives JSON or a fault worded for the mind, gives
// the same twice, and changes neither the action nor the observation.
func FuzzFill(f *testing.F) {
	f.Add(`{"id":"$t1.orders[0].id"}`, `about $t1.who.`, `{"orders":[{"id":12345678901234567890}],"who":"<b>"}`)
	f.Add(`{"a":"$$t1","b":"$t1","c":["$t1[0]","$t1.0"]}`, `$$t1 $t1[1] $t1[999999]`, `[1,[2]]`)
	f.Add(`["$t1.订单号", {"$t1": "$t2"}]`, `$t1.订单号的`, `{"订单号":null}`)
	f.Add(`{"x":"$t1..a","y":"$t1.[0]","z":"$t1[-1]","w":"$t1.+0"}`, `$`, `"text"`)
	f.Add(`null`, `$t1.a[0].b.c.d`, `{"a":[{"b":{"c":{}}}]}`)
	f.Add(`{"n":1e400,"m":-0.0}`, "\x00\xff$t1", `1e400`)
	f.Fuzz(func(t *testing.T, parameter, job, observation string) {
		if !json.Valid([]byte(parameter)) || !json.Valid([]byte(observation)) {
			t.Skip("not JSON: a record cannot carry it")
		}
		n := &Round{N: 1, Acts: link("t1", 1, []bus.Action{
			{ID: "t1", ToolName: "get"}, {ToolName: "get", Parameter: json.RawMessage(parameter), JobDesc: job},
		})}
		n.Acts[0].Result = &bus.Record{Status: bus.OK, Observation: json.RawMessage(observation)}
		got, text, fault := n.fill(n.Acts[1])
		again, textAgain, faultAgain := n.fill(n.Acts[1])
		if !bytes.Equal(got, again) || text != textAgain || (fault == nil) != (faultAgain == nil) || fault != nil && *fault != *faultAgain {
			t.Fatalf("two different results: %s %q %v and %s %q %v", got, text, fault, again, textAgain, faultAgain)
		}
		if string(n.Acts[1].Parameter) != parameter || string(n.Acts[0].Result.Observation) != observation {
			t.Fatal("filling in changed what it read")
		}
		switch {
		case fault != nil:
			if fault.Code != bus.CodeInvalidParameter || !strings.Contains(fault.Message, "t1") {
				t.Fatalf("a fault that does not say what is wrong: %v", fault)
			}
		case !json.Valid(got):
			t.Fatalf("no JSON: %s", got)
		case !strings.Contains(parameter, "$") && string(got) != parameter:
			t.Fatalf("changed without a reference: %s", got)
		case !strings.Contains(job, "$") && text != job:
			t.Fatalf("changed without a reference: %s", text)
		}
	})
}

// FuzzCanonical: equal values are equal strings, and the string is the same value.
func FuzzCanonical(f *testing.F) {
	for _, seed := range []string{``, `{}`, `{"b":1,"a":[ 1.0 , {"d":"<&>","c":null}]}`, `12345678901234567890`, `"\u4e2d"`, `{"a":1,"a":2}`, `1e400`, `{`, `[1] x`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		c := canonical(json.RawMessage(raw))
		if again := canonical(json.RawMessage(c)); again != c {
			t.Fatalf("not settled: %s, then %s", c, again)
		}
		if !json.Valid([]byte(raw)) {
			return
		}
		var indented bytes.Buffer
		if err := json.Indent(&indented, []byte(raw), " ", "\t"); err != nil {
			t.Fatal(err)
		}
		if other := canonical(indented.Bytes()); other != c {
			t.Fatalf("spaces make another value: %s and %s", c, other)
		}
	})
}

func TestFillIsBounded(t *testing.T) {
	n := &Round{Acts: link("t1", 1, []bus.Action{
		{ID: "a", ToolName: "get"}, {ToolName: "orders", JobDesc: strings.Repeat("$a ", 1000)},
	})}
	n.Acts[0].Result = &bus.Record{Status: bus.OK, Observation: JSONText(strings.Repeat("x", 10_000))}
	if _, _, fault := n.fill(n.Acts[1]); fault == nil || fault.Code != bus.CodeInvalidParameter {
		t.Fatalf("ten megabytes came in by reference, fault %v", fault)
	}
}

// Arguments that mean the same have one form, others have another.
func TestCanonical(t *testing.T) {
	for _, same := range [][]string{
		{`{"a":"é","b":[1.0,{"c":null,"d":true}]}`, ` { "b" : [1.0, {"d":true,"c":null}],` + "\n" + `"a":"\u00e9" }`},
		{`{"a":"</>"}`, `{"a":"\u003c\/\u003e"}`},
		{`{}`, ``, ` { } `},
		{`{"n":12345678901234567890}`, `{"n": 12345678901234567890}`},
		{`{"n":12345678901234567891}`},
		{`{"n":1}`},
		{`{"n":1.0}`},
		{`{"n":[1,2]}`},
		{`{"n":[2,1]}`},
		{`{"n":`},
	} {
		for _, text := range same {
			if got := canonical(json.RawMessage(text)); got != same[0] {
				t.Errorf("%s: %s, wanted %s", text, got, same[0])
			}
		}
	}
	for _, text := range []string{`{"b":[{"d":1.50,"c":-0}],"a":"\n\t\u0001\u4e2d\ud83d\ude00\"\\"}`, `{"z":1,"a":{"y":[],"x":{}},"":null}`, ` [ 1e400 , "\u003c\/&" ] `,
		`{"é":1,"e":2,"z":3}`, `{"a":"\ud800"}`, "{\"a\":\"\xff\"}"} {
		var v any
		d := json.NewDecoder(strings.NewReader(text))
		d.UseNumber()
		if err := d.Decode(&v); err != nil {
			t.Fatal(err)
		}
		if got, want := canonical(json.RawMessage(text)), string(encode(v)); got != want { // the encoder sorts the keys of maps
			t.Errorf("%s: %s, wanted %s", text, got, want)
		}
	}
	for odd, want := range map[string]string{`{"b":0,"a":1,"a":2}`: `{"a":1,"a":2,"b":0}`, `nul`: `nul`, `{} {}`: `{} {}`} { // nothing is lost
		if got := canonical(json.RawMessage(odd)); got != want {
			t.Errorf("%s: %s, wanted %s", odd, got, want)
		}
	}
}
