package mcp

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/hmap-project/hmap/bus"
)

func TestFilesystem(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "hello.txt"), []byte("good day"), 0o600); err != nil {
		t.Fatal(err)
	}
	w := newWorld(t, Options{}, Server{Name: "files", Command: npm(t, "filesystem"), Args: []string{dir}, Agents: []string{"toolbox"}})
	if s := w.until("files", func(State) bool { return true }); s.State != "up" || s.Tools < 10 || len(s.Refused) > 0 || !strings.Contains(s.Is, "filesystem") {
		t.Fatalf("%+v", s)
	}
	if got := w.ok("files__list_directory", `{"path":"`+dir+`"}`); !strings.Contains(got, "hello.txt") {
		t.Error(got)
	}
	if got := w.ok("files__read_text_file", `{"path":"`+dir+`/hello.txt"}`); !strings.Contains(got, "good day") {
		t.Error(got)
	}
	if got := w.failing(bus.CodeFailed, "files__read_text_file", `{"path":"/etc/passwd"}`); !strings.Contains(got, "ccess denied") {
		t.Error(got)
	}
	if got := w.failing(bus.CodeInvalidParameter, "files__read_text_file", `{}`); !strings.Contains(got, "path: missing") {
		t.Error(got)
	}
	d, err := w.bus.Directory(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Await(t.Context(), "files__write_file", "files__read_text_file", "mcp_files"); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"files__write_file": "idempotent ask", "files__read_text_file": "read never", "files__move_file": "unsafe ask"} {
		c, _ := d.Get(name)
		if got := string(c.Effect) + " " + c.Approval; got != want || c.Server() != "files" || c.Tags[0] != "toolbox" {
			t.Errorf("%s: %s %v; want %s", name, got, c.Tags, want)
		}
	}
}

// A server that is killed is there again, and what may be done twice and was under way then is done again.
func TestKilledInMidCall(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Options{}, Server{Name: "every", Command: npm(t, "everything"), Args: []string{"stdio"},
		Effects: map[string]bus.Effect{"trigger-long-running-operation": bus.Read}})
	pid := func() int { return w.all["every"].face.Load().conn.process.cmd.Process.Pid }
	first := pid()
	var once sync.Once
	r := request("every__trigger-long-running-operation", `{"duration":1,"steps":4}`)
	answer := w.heard(r, func(p bus.Response) {
		if p.Progress != "" {
			once.Do(func() {
				one, err := os.FindProcess(first)
				if err == nil {
					err = one.Kill()
				}
				if err != nil {
					t.Error(err)
				}
			})
		}
	})
	if answer.Status != bus.OK || !strings.Contains(string(answer.Observation), "completed") {
		t.Fatalf("%s %s %v", answer.Status, answer.Observation, answer.Error)
	}
	if s := w.until("every", func(s State) bool { return s.State == "up" }); s.Restarts != 1 || pid() == first {
		t.Errorf("%+v", s)
	}
}

// What a server keeps in its own file is there after it was killed; its environment is what was configured and no key of ours.
func TestMemory(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "ours")
	w := newWorld(t, Options{}, Server{Name: "memory", Command: npm(t, "memory"), Env: []string{"MEMORY_FILE_PATH=" + filepath.Join(t.TempDir(), "memory.jsonl")}, Approval: "never"},
		Server{Name: "every", Command: npm(t, "everything"), Args: []string{"stdio"}})
	w.ok("memory__create_entities", `{"entities":[{"name":"Ada","entityType":"person","observations":["likes tea"]}]}`)
	p := w.all["memory"].face.Load().conn.process
	kill(p.cmd)
	<-p.exited
	if got := w.ok("memory__read_graph", `{}`); !strings.Contains(got, "likes tea") {
		t.Error(got)
	}
	if got := w.ok("every__get-env", `{}`); strings.Contains(got, "OPENAI") || !strings.Contains(got, "PATH") {
		t.Error("the environment of the server is not what it should be") // and nobody's log is the place for it
	}
	if got := w.ok("every__get-tiny-image", `{}`); !strings.Contains(got, "[image/png, ") {
		t.Error(got)
	}
	if got := w.ok(ControlName("memory"), `{"action":"refresh"}`); !strings.Contains(got, `"state":"up"`) {
		t.Error(got)
	}
}
