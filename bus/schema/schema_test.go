package schema

import (
	"slices"
	"strings"
	"testing"
)

func TestValidate(t *testing.T) {
	for _, c := range []struct{ name, schema, body, want string }{
		{"plain", "submission", `{"query":"hi"}`, ""},
		{"unknown field", "submission", `{"query":"hi","later":1}`, ""},
		{"only files", "submission", `{"query":"","files":[{"ref":"obj:1","name":"a"}]}`, ""},
		{"nothing wanted", "submission", `{"query":" "}`, "query"},
		{"wrong type", "submission", `{"query":7}`, "/query"},
		{"hostile session", "submission", `{"query":"hi","session":"a.>"}`, "/session"},
		{"negative budget", "submission", `{"query":"hi","budget":{"tokens":-1}}`, "/budget/tokens"},
		{"other major", "submission", `{"query":"hi","hmap":"2"}`, "/hmap"},
		{"minor", "submission", `{"query":"hi","hmap":"1.4"}`, ""},
		{"not an object", "submission", `"hi"`, "object"},
		{"cut off", "submission", `{"query":`, "submission"},
		{"two values", "submission", `{"query":"a"}{}`, "submission"},
		{"not a time", "request", `{"hmap":"1","session":"s","task":"t","call":"t","caller":"user","tool_name":"a","deadline":"soon"}`, "/deadline"},
		{"error without error", "response", `{"hmap":"1","call":"c","status":"error"}`, "error"},
		{"pause without ask", "response", `{"hmap":"1","call":"c","status":"input_required"}`, "ask"},
		{"ask without pause", "response", `{"hmap":"1","call":"c","status":"ok","ask":{"id":"c","kind":"question","question":"?"}}`, "/status"},
		{"a schema in a card", "card", `{"hmap":"1","kind":"tool","name":"n","description":"d","parameters":"{\"type\":\"object\"}"}`, ""},
		{"broken schema in a card", "card", `{"hmap":"1","kind":"tool","name":"n","description":"d","parameters":"{"}`, "/parameters"},
		{"no such body", "nothing", `{}`, "submission"},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := Validate(c.schema, []byte(c.body))
			if c.want == "" && err != nil {
				t.Errorf("refused: %v", err)
			}
			if c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("got %v, want an error that names %q", err, c.want)
			}
		})
	}
}

func TestStrictForbidsSlipsOfThePen(t *testing.T) {
	for name, body := range map[string]string{
		"submission":   `{"query":"hi","sesion":"s"}`,
		"request":      `{"hmap":"1","session":"s","task":"t","call":"t","caller":"user","tool_name":"a","budget":{"token":1}}`,
		"response":     `{"hmap":"1","call":"c","status":"ok","observations":1}`,
		"input":        `{"kind":"answer","txt":"x"}`,
		"live":         `{"task":"t","call":"t","channel":"answer","offset":0,"text":"x","ofset":1}`,
		"card":         `{"hmap":"1","kind":"tool","name":"n","description":"d","efect":"read"}`,
		"record":       `{"hmap":"1","kind":"round","session":"s","task":"t","call":"t","time":"2026-11-21T08:00:00Z","round":1,"action_code":[{"tool_name":"a","trustmode":1}]}`,
		"client-frame": `{"type":"follow","session":"s","aftr":1}`,
		"server-frame": `{"type":"caught_up","session":"s","sequence":1}`,
	} {
		if err := Validate(name, []byte(body)); err != nil {
			t.Errorf("%s: a reader must ignore unknown fields: %v", name, err)
		}
		if err := Strict(name, []byte(body)); err == nil {
			t.Errorf("%s: %s passed", name, body)
		}
	}
	free := `{"hmap":"1","session":"s","task":"t","call":"t","caller":"user","tool_name":"a","parameter":{"whatever":{"a":1}}}`
	if err := Strict("request", []byte(free)); err != nil {
		t.Errorf("arguments are the tool's own business: %v", err)
	}
}

func TestNames(t *testing.T) {
	want := []string{"announcement", "cancellation", "card", "client-frame", "input", "lease", "live", "open-task", "receipt", "record",
		"request", "response", "saved-tool", "server-frame", "snapshot", "submission"}
	if got := Names(); !slices.Equal(got, want) {
		t.Errorf("names %v, want %v", got, want)
	}
}

// Whatever a stranger sends, checking it ends with an answer, and a body that is strictly right is right.
func FuzzValidate(f *testing.F) {
	for _, e := range examples(f) {
		if e.schema != "action" {
			f.Add(e.schema, []byte(e.body))
		}
	}
	f.Fuzz(func(t *testing.T, name string, body []byte) {
		if Strict(name, body) == nil && Validate(name, body) != nil {
			t.Errorf("%s %q is strictly right and yet wrong", name, body)
		}
	})
}
