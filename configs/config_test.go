package configs

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"
)

func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestDefaults(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", "/state")
	t.Setenv("OPENAI_BASE_URL", "")
	t.Setenv("DEFAULT_MODEL", "")
	c, err := Load("")
	if err != nil {
		t.Fatal(err)
	}
	if c.Tenant != "main" || c.Data != "/state/hmap" || c.Limits.Lease != 2500*time.Millisecond || c.Models["default"].BaseURL != VendorURL {
		t.Errorf("%+v", c)
	}
	if temperature := c.Models["default"].Temperature; temperature == nil || *temperature != 0 {
		t.Errorf("temperature 0 must be told from none: %v", temperature)
	}
	if stream := c.Models["default"].Stream; stream == nil || !*stream {
		t.Errorf("answers are not streamed: %v", stream)
	}
}

// A file changes what it names and nothing else; the environment comes last.
func TestLayers(t *testing.T) {
	t.Setenv("OPENAI_BASE_URL", "http://127.0.0.1:1/v1")
	t.Setenv("DEFAULT_MODEL", "")
	path := write(t, "c.yaml", "limits: {lease: 5s}\nmodels:\n  default: {name: mine}\n  small: {base_url: 'http://x/v1', name: tiny}\n")
	c, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	if c.Limits.Lease != 5*time.Second || c.Limits.Queue != 10000 {
		t.Errorf("limits: %+v", c.Limits)
	}
	d := c.Models["default"]
	if d.Name != "mine" || d.BaseURL != "http://127.0.0.1:1/v1" || d.KeyEnv != "OPENAI_API_KEY" || d.MaxTokens != 16384 {
		t.Errorf("default model: %+v", d)
	}
	if c.Models["small"].Name != "tiny" {
		t.Errorf("models: %+v", c.Models)
	}
}

func TestBadFiles(t *testing.T) {
	for text, want := range map[string]string{
		"nosuch: 1":                         "nosuch",
		"limits: {lease: 10ms}":             "limits.lease",
		"limits: {lease: 5}":                "5s or 500ms",
		"limits: {tasks: 0}":                "limits.tasks",
		"limits: {tool_calls: 0}":           "limits.tool_calls",
		"limits: {tool_waiting: -1}":        "limits.tool_waiting",
		"limits: {embed_wait: 0s}":          "limits.embed_wait",
		"{shop: none, knowledge: /etc}":     "search.folders",
		"gateway: {connections: 0}":         "gateway.connections",
		"gateway: {per_address: -1}":        "gateway.per_address",
		"gateway: {sessions: 0}":            "gateway.sessions",
		"gateway: {upload: 0}":              "gateway.upload",
		"gateway: {upload: 67108865}":       "gateway.upload",
		"retention: {age: -1s}":             "retention.age",
		"retention: {bytes: -1}":            "retention.age",
		"nats: {sync: perhaps}":             "nats.sync",
		"learning: perhaps":                 "learning",
		"models: {default: {stratgey: x}}":  "stratgey",
		"models: {default: {strategy: x}}":  "strategy",
		"listen: [1":                        "",
		"limits: {queue: many}":             "",
		"limits: {observe: 1, history: -1}": "limits.observe",
		"mind: {planner: perhaps}":          "mind.planner",
		"mind: {steps: {shorten: nosuch}}":  "mind.steps.shorten",
		"mind: {steps: {goal: default}}":    "mind.planner",

		"mcp: {refresh: 1ms}":                                                  "mcp.refresh",
		"mcp: {servers: {a: {comand: x}}}":                                     "comand",
		"mcp: {servers: {a: {url: 'http://x', transport: tcp}}}":               "mcp.servers.a.transport",
		"mcp: {servers: {a: {env: {K: '${HMAP_TEST_NOT_SET}'}}}}":              "HMAP_TEST_NOT_SET",
		"mcp: {scenes: {a: {servers: [b], words: [c]}}}":                       "mcp.scenes.a",
		"mcp: {servers: {b: {}}, scenes: {a: {servers: [b]}}}":                 "mcp.scenes.a",
		"mcp: {servers: {b: {}}, scenes: {a: {servers: [b], outputs: [pdf]}}}": "outputs",
	} {
		if _, err := Load(write(t, "c.yaml", text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want an error about %q", text, err, want)
		}
	}
	if _, err := Load(filepath.Join(t.TempDir(), "none.yaml")); err == nil {
		t.Error("a file that is not there")
	}
}

func TestTeam(t *testing.T) {
	team, err := Team("")
	if err != nil {
		t.Fatal(err)
	}
	if len(team) < 7 || team[0].Name != "master" || !team[0].Entry {
		t.Errorf("%+v", team)
	}
	dir := t.TempDir()
	put := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put("orders.yaml", "")
	put("mine.yaml", "name: mine\ndescription: my own\nprompt: domain\ntools: ['*']\n")
	changed, err := Team(dir)
	if err != nil || len(changed) != len(team) {
		t.Fatalf("one out, one in: %d and %d agents, %v", len(team), len(changed), err)
	}
	for _, bad := range []string{"name: a.b\ndescription: x\nprompt: domain\n", "name: x\nprompt: domain\n", "name: x\ndescription: y\n", "name: x\ndescription: y\nprompt: p\nmode: odd\n", "name: master\ndescription: y\nprompt: p\n", "nmae: x\n"} {
		put("mine.yaml", bad)
		if _, err := Team(dir); err == nil || !strings.Contains(err.Error(), "agents") {
			t.Errorf("%q: %v", bad, err)
		}
	}
	if _, err := Team(t.TempDir()); err == nil {
		t.Error("an empty folder is most likely a mistake and was accepted")
	}
}

// Every field of the configuration is read by some line of code outside of this package.
func TestEveryFieldIsRead(t *testing.T) {
	var code strings.Builder
	for _, pattern := range []string{"../*.go", "../actors/*.go", "../gateway/*.go", "../tools/*.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			if strings.HasSuffix(f, "_test.go") {
				continue
			}
			text, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			code.Write(text)
		}
	}
	for _, v := range []any{Config{}, NATS{}, Limits{}, Gateway{}, Retention{}, Model{}, Mind{}, Steps{}, Agent{}, Budget{}, MCP{}, MCPServer{}, Scene{}} {
		for _, f := range reflect.VisibleFields(reflect.TypeOf(v)) {
			if !regexp.MustCompile(`\.` + f.Name + `\b`).MatchString(code.String()) {
				t.Errorf("%T.%s is read by no line of code", v, f.Name)
			}
		}
	}
}

func FuzzConfig(f *testing.F) {
	f.Add(string(Default()))
	f.Add("models: {default: {extra: {a: [1]}}}")
	f.Fuzz(func(t *testing.T, text string) {
		var c Config
		if decode([]byte(text), &c) == nil {
			_ = c.check()
		}
	})
}
