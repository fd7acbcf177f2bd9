package gloss

import (
	"encoding/json"
	"strings"
	"testing"
)

// A parameter's values are also called by their Chinese words, whatever stands around them; nothing else of the schema changes.
func TestCalled(t *testing.T) {
	for schema, want := range map[string]string{
		`{"type":"object","properties":{"z":{"enum":["open","IN_PROGRESS","x"],"items":{}},"a":{"type":"string"}}}`: `"z":{"enum":["open","IN_PROGRESS","x"],"items":{},"x-means":{`,
		`{"type":"object","properties":{"z":{"enum":["open"],"x-means":{"open":["开"]}}}}`:                           "",
		`{"type":"object","properties":{"z":{"enum":[1,null,{}]},"y":true,"x":["open"]}}`:                           "",
		`{"type":"object","properties":[]}`: "", `{"type":"object"}`: "", `{}`: "",
	} {
		got := string(Values(json.RawMessage(schema)))
		if want == "" && got != schema || !strings.Contains(got, want) || !json.Valid([]byte(got)) {
			t.Errorf("%s: %s", schema, got)
		}
		if want == "" {
			continue
		}
		var back struct {
			Properties struct {
				Z struct {
					Means map[string][]string `json:"x-means"`
				}
			}
		}
		if err := json.Unmarshal([]byte(got), &back); err != nil || len(back.Properties.Z.Means) != 2 || back.Properties.Z.Means["IN_PROGRESS"][0] != "进行中" || strings.Index(got, `"z"`) > strings.Index(got, `"a"`) {
			t.Errorf("%s: %v: %s", schema, err, got)
		}
	}
}
