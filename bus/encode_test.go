package bus

import (
	"bytes"
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"
)

// stdEncode is [encode] as encoding/json would do it.
func stdEncode(body any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(body)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

func sampleRecord() *Record {
	return &Record{
		HMAP: Version, Kind: KindResult, Session: "s1", Task: "t1", Call: "t1", Agent: "master", Node: "n1",
		Time: time.Date(2026, 5, 3, 10, 0, 0, 123456789, time.UTC), Round: 1, Child: "t1-1-0", ToolName: "look",
		Parameter: json.RawMessage(`{"keys":["a","b"],"limit":5}`), Status: OK, Usage: &Usage{InputTokens: 7, Money: 0.25},
		Observation: json.RawMessage(`{"text":"` + strings.Repeat("word ", 40) + `"}`), Millis: 3,
	}
}

// What goes over the wire says what encoding/json would have said, and nothing else is refused.
func TestEncode(t *testing.T) {
	bodies := []any{sampleRecord(), &Record{}, Request{}, Response{}, Submission{Query: "q", MCPServers: []string{}, Budget: &Budget{Seconds: 1.5}},
		&Record{Score: map[string]float64{"b": 1e21, "a": 1e-7, "c": math.Copysign(0, -1)}}, &Record{Score: map[string]float64{"a": math.NaN()}},
		&Record{Request: &Request{Path: []string{}}, Plan: &PlanBody{}, Files: []File{{}}}, OpenTask{}, Input{}}
	for _, text := range []string{"", "<&>", "中 é", "\u2028\u2029", "\x00\x1f\x7f\b\f\n\r\t\"\\/", "\xff", "\xed\xa0\x80"} {
		bodies = append(bodies, &Record{Thought: text}, Live{Text: text}, &Record{Score: map[string]float64{text: 1}})
	}
	raws := []string{"", `"<&> \u003c \ud800 \/ \u2028"`, "\"\u2028\"", "\"\xff\"", `{"a":1,"a":2}`, ` [ 1 , 2.50, 1e999, -0, 1E5 ] `, `null`, `{`, `nul`, `{} {}`,
		strings.Repeat("[", 9990) + strings.Repeat("]", 9990), strings.Repeat("[", 10001) + strings.Repeat("]", 10001)}
	for _, raw := range raws {
		bodies = append(bodies, &Record{Observation: json.RawMessage(raw)}, Response{Observation: json.RawMessage(raw)},
			&Record{ActionCode: []Action{{ToolName: "x", Parameter: json.RawMessage(raw)}}})
	}
	for _, body := range bodies {
		got, err := encode(body)
		std, stdErr := stdEncode(body)
		if (err == nil) != (stdErr == nil) {
			t.Errorf("%.80v: %v, and encoding/json says %v", body, err, stdErr)
		}
		if err != nil || stdErr != nil || bytes.Equal(got, std) {
			continue
		}
		var a, b any // other escapes, same meaning
		if json.Unmarshal(got, &a) != nil || json.Unmarshal(std, &b) != nil || !reflect.DeepEqual(a, b) {
			t.Errorf("%.200s\nand encoding/json says\n%.200s", got, std)
		}
	}
	for _, raw := range []string{`"<&> \u003c \/ \u2028"`, "\"\u2028 \u2029 中\"", `{"b":1.50,"a":12345678901234567890,"a":[]}`} {
		got, err := encode(&Record{Observation: json.RawMessage(raw)})
		if err != nil || !bytes.Contains(got, []byte(`"observation":`+raw+`}`)) {
			t.Errorf("%s is not in the log as it came: %s, %v", raw, got, err)
		}
	}
}

// An observation goes through the log and through a call as it came, to the byte.
func TestObservationIsVerbatim(t *testing.T) {
	const whole = `"<a href=\"https://x/y?a=1&b=2\">谁 & 谁</a>"`
	for _, body := range []any{&Record{Kind: KindResult, Observation: json.RawMessage(whole)}, Response{Status: OK, Observation: json.RawMessage(whole)}} {
		raw, err := encode(body)
		if err != nil {
			t.Fatal(err)
		}
		var back struct{ Observation json.RawMessage }
		if err := json.Unmarshal(raw, &back); err != nil || string(back.Observation) != whole {
			t.Errorf("%s, want %s (%v)", back.Observation, whole, err)
		}
	}
}
