package bus

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestValidReply(t *testing.T) {
	for subject, want := range map[string]bool{
		"_INBOX.abc.1": true, "my.results": true, "hmapx.y": true,
		"": false, "$JS.API.STREAM.DELETE.HMAP_LOG": false, "$SYS.x": false, "hmap": false, "hmap.main.task.master": false,
		"a.*": false, "a.>": false, ">": false, "a..b": false, ".a": false, "a.": false, "a b": false, "a\r\nPUB x": false, strings.Repeat("x", 256): false,
	} {
		if ValidReply(subject) != want {
			t.Errorf("%q: want %v", subject, want)
		}
	}
}

func TestVersions(t *testing.T) {
	for v, ok := range map[string]bool{"": true, "1": true, "1.7": true, "2": false, "0": false, "11": false, "one": false} {
		if (versionOK(v) == nil) != ok {
			t.Errorf("%q: want %v", v, ok)
		}
	}
}

// again checks that what was accepted is accepted again after a trip over the wire, and means the same.
func again[T any](t *testing.T, v T, parse func([]byte) (T, error)) {
	t.Helper()
	body, err := json.Marshal(v)
	if err != nil {
		t.Fatalf("%+v cannot be sent: %v", v, err)
	}
	back, err := parse(body)
	if err != nil {
		t.Fatalf("%s was accepted before: %v", body, err)
	}
	if body2, err := json.Marshal(back); err != nil || !bytes.Equal(body, body2) {
		t.Fatalf("%s became %s, %v", body, body2, err)
	}
}

// What is read is what encoding/json reads, to which other programs hold their bodies.
func FuzzObject(f *testing.F) {
	for _, s := range []string{`{}`, `{"Kind":"round","ROUND":1,"round":2}`, `{"kind":null,"time":"2026-01-01T00:00:00+08:00","observation":null}`,
		`{"observation": {"a":[1, 2.50, "\u003c\ud83d\ude00"]} ,"request":{"deadline":"","x":1}}`, `{"score":{"a":1e2},"files":[{"bytes":1.0}]}`,
		`{"usage":{"money":-0}}`, `{"round":1}x`, `{"ms":9223372036854775808}`, `{"thought":"\ud800"}`, `{"parameter":[[]],"action_code":{}}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		var ours, theirs Record
		err := object(body, &ours)
		if trimmed := bytes.TrimSpace(body); len(trimmed) == 0 || trimmed[0] != '{' || !utf8.Valid(body) {
			if err == nil {
				t.Fatalf("%q is no object", body)
			}
			return
		}
		if want := json.Unmarshal(body, &theirs); (err == nil) != (want == nil) {
			t.Fatalf("%q: %v, encoding/json says %v", body, err, want)
		} else if err == nil && !reflect.DeepEqual(ours, theirs) {
			t.Fatalf("%q: %+v, encoding/json reads %+v", body, ours, theirs)
		}
	})
}

func FuzzSubmission(f *testing.F) {
	for _, s := range []string{"", "text", "{", `{"query":"q"}`, `{"query":"q","session":"*"}`, `{"query":"q","budget":{"seconds":1e300}}`, "\ufeff{}", `{"query":"q","files":[{"ref":"obj:x"}]}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		s, err := ParseSubmission(body)
		if err != nil {
			return
		}
		if (s.Session != "" && !ValidToken(s.Session)) || (s.Task != "" && !ValidToken(s.Task)) || (s.ReplyTo != "" && !ValidReply(s.ReplyTo)) {
			t.Fatalf("accepted %+v", s)
		}
		again(t, s, ParseSubmission)
	})
}

func FuzzRequest(f *testing.F) {
	for _, s := range []string{"{}", `{"session":"s","task":"t","call":"c"}`, `{"session":"s","task":"t","call":"c","parameter":[1,{"a":null}]}`, `{"session":"s","task":"t","call":"c","path":[".."]}`} {
		f.Add([]byte(s))
	}
	parse := func(body []byte) (Request, error) { return parseRequest(body, "tool") }
	f.Fuzz(func(t *testing.T, body []byte) {
		r, err := parse(body)
		if err != nil {
			return
		}
		for _, token := range append([]string{r.Session, r.Task, r.Call, r.ToolName}, r.Path...) {
			if !ValidToken(token) {
				t.Fatalf("accepted %+v", r)
			}
		}
		again(t, r, parse)
	})
}

func FuzzResponse(f *testing.F) {
	for _, s := range []string{"{}", `{"call":"c","status":"ok","observation":"x"}`, `{"call":"c","status":"error"}`, `{"call":"c","status":"input_required","ask":{}}`} {
		f.Add([]byte(s))
	}
	parse := func(body []byte) (Response, error) { return parseResponse(body, "c") }
	f.Fuzz(func(t *testing.T, body []byte) {
		r, err := parse(body)
		if err != nil {
			return
		}
		if r.Call != "c" || r.Status == "" || (r.Status == Failed && r.Error == nil) || (r.Status == InputRequired && r.Ask == nil) {
			t.Fatalf("accepted %+v", r)
		}
		again(t, r, parse)
	})
}

func FuzzLog(f *testing.F) {
	for _, s := range []string{"{}", `{"kind":"round","action_code":[{"tool_name":"x"}]}`, `{"kind":"input","input":{"kind":"answer"}}`, `{"kind":"cancel"}`, `{"kind":"answer","ask":"a"}`} {
		f.Add([]byte(s), true)
		f.Add([]byte(s), false)
	}
	f.Fuzz(func(t *testing.T, body []byte, input bool) {
		subject := LogSubject("main", "s", "t", "c")
		if input {
			in, err := parseInput(body)
			if err == nil {
				again(t, in, parseInput)
			}
			subject = InputSubject("main", "s", "t")
		}
		r, err := parseLog(subject, body)
		if err != nil {
			return
		}
		if r.Session != "s" || r.Task != "t" || r.Kind == "" || (input && (r.Kind != KindInput || r.Input == nil)) {
			t.Fatalf("accepted %+v", r)
		}
		again(t, r, func(b []byte) (Record, error) { return parseLog(LogSubject("main", r.Session, r.Task, r.Call), b) })
	})
}

func FuzzCard(f *testing.F) {
	f.Add("1", "tool", "d", `{"type":"object"}`, "read", "60", `["a"]`)
	f.Add("1", "tool", "d", `{"type":"object"}`, "read", "60", `[]`)
	f.Add("", "agent", "", `{"$ref":"#"}`, "", "1e9", `x`)
	f.Fuzz(func(t *testing.T, hmap, kind, description, schema, effect, timeout, tags string) {
		c, err := parseCard("tool", "1.0.0", map[string]string{"hmap": hmap, "kind": kind, "description": description, "parameters": schema,
			"effect": effect, "timeout": timeout, "tags": tags})
		if err != nil {
			return
		}
		meta, err := c.metadata()
		if err != nil {
			t.Fatal(err)
		}
		back, err := parseCard("tool", "1.0.0", meta)
		if err != nil || !reflect.DeepEqual(back.Tags, c.Tags) || back.Kind != c.Kind || back.Effect != c.Effect {
			t.Fatalf("%+v became %+v, %v", c, back, err)
		}
	})
}

// Who sends what cannot be read is told where it stands and what is wanted, and no name of a type of ours.
func TestWhatCannotBeRead(t *testing.T) {
	for body, want := range map[string]string{
		`{"query":5}`: `"query" is a JSON number: want a text`, `{"query":"a","files":"x"}`: `"files" is a JSON string: want a list`,
		`{"query":"a","budget":{"seconds":"x"}}`: `"budget.seconds" is a JSON string: want a number`, `{"query":"a","budget":[]}`: `"budget" is a JSON array: want an object`,
		`{"query":"a",}`: "invalid character '}'",
	} {
		if _, err := ParseSubmission([]byte(body)); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "Go ") {
			t.Errorf("%s: %v, want %s", body, err, want)
		}
	}
}
