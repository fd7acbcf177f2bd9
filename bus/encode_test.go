package bus

import (
	"encoding/json"
	"testing"
)

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
