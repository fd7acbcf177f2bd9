package schema

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"github.com/hmap-project/hmap/bus"
)

// The two agents of PROTOCOL.md do what the page says, with no more than the permissions that it gives them.
func TestAgentsOfThePage(t *testing.T) {
	t.Run("go", func(t *testing.T) {
		dir := t.TempDir()
		file, bin := filepath.Join(dir, "main.go"), filepath.Join(dir, "agent")
		write(t, file, block(t, "go"))
		build := exec.Command("go", "build", "-o", bin, file)
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		tryAgent(t, exec.Command(bin))
	})
	t.Run("python", func(t *testing.T) {
		python, err := exec.LookPath("python3")
		if err != nil {
			t.Skip("no python3")
		}
		file := filepath.Join(t.TempDir(), "agent.py")
		write(t, file, block(t, "python"))
		if out, err := exec.Command(python, "-c", "import ast, sys; ast.parse(open(sys.argv[1]).read())", file).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		if exec.Command(python, "-c", "import nats.micro").Run() != nil {
			t.Skip("nats-py is not installed: only its syntax was checked")
		}
		tryAgent(t, exec.Command(python, file))
	})
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// tryAgent runs an agent against a server where it has the permissions of the page, and asks it as hmap would.
func tryAgent(t *testing.T, agent *exec.Cmd) {
	_, rules, _ := strings.Cut(protocol(t), "## Permissions of an external agent\n")
	rules = fence.FindStringSubmatch(rules)[2]
	conf := filepath.Join(t.TempDir(), "nats.conf")
	write(t, conf, "listen: 127.0.0.1:-1\nauthorization { users: [\n{user: hmap, password: h}\n{user: counter, password: c, permissions: {\n"+rules+"}}\n]}\n")
	opts, err := server.ProcessConfigFile(conf)
	if err != nil {
		t.Fatalf("the permissions of the page: %v", err)
	}
	s, err := server.NewServer(opts)
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	if !s.ReadyForConnections(10 * time.Second) {
		t.Fatal("the server does not start")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()

	var said bytes.Buffer
	agent.Env = append(os.Environ(), "NATS_URL=nats://counter:c@"+s.Addr().String())
	agent.Stdout, agent.Stderr = &said, &said
	if err := agent.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = agent.Process.Kill()
		_ = agent.Wait() // killed
		if t.Failed() {
			t.Logf("the agent said: %s", said.String())
		}
	})
	nc, err := nats.Connect("nats://hmap:h@" + s.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)

	// Its card, as a directory finds it.
	var service struct{ Metadata json.RawMessage }
	if err := json.Unmarshal(request(ctx, t, nc, "$SRV.PING.counter", ""), &service); err != nil {
		t.Fatal(err)
	}
	if err := Strict("card", service.Metadata); err != nil {
		t.Errorf("%s: %v", service.Metadata, err)
	}

	// Its answers.
	for _, c := range []struct{ body, status, observation string }{
		{`{"hmap":"1","session":"s1","task":"t1","call":"c1","caller":"user","tool_name":"counter","job_desc":"王萍萍","later":{}}`, "ok", `{"characters":3}`},
		{`{"hmap":"2","session":"s1","task":"t1","call":"c1","caller":"user","tool_name":"counter","job_desc":"x"}`, "error", ""},
	} {
		reply := request(ctx, t, nc, bus.CallSubject("main", "counter"), c.body)
		if err := Strict("response", reply); err != nil {
			t.Errorf("%s: %v", reply, err)
		}
		var r struct {
			Call, Status string
			Observation  json.RawMessage
		}
		if err := json.Unmarshal(reply, &r); err != nil {
			t.Fatal(err)
		}
		if r.Call != "c1" || r.Status != c.status || strings.ReplaceAll(string(r.Observation), " ", "") != c.observation {
			t.Errorf("%s was answered with %s", c.body, reply)
		}
	}

	// What it may not do.
	bad, err := nats.Connect("nats://counter:c@" + s.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer bad.Close()
	refused := make(chan string, 8)
	bad.SetErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { refused <- err.Error() })
	for _, subject := range []string{"hmap.main.log.s1.t1.t1", "hmap.main.call.orders", "hmap.main.task.master", "$JS.API.STREAM.DELETE.HMAP_LOG"} {
		if err := bad.Publish(subject, nil); err != nil {
			t.Fatal(err)
		}
		select {
		case err := <-refused:
			if !strings.Contains(strings.ToLower(err), "permissions violation for publish to \""+strings.ToLower(subject)) {
				t.Errorf("publish to %s: %s", subject, err)
			}
		case <-ctx.Done():
			t.Fatalf("the agent may publish to %s", subject)
		}
	}
}

// request asks until somebody listens.
func request(ctx context.Context, t *testing.T, nc *nats.Conn, subject, body string) []byte {
	t.Helper()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		m, err := nc.RequestWithContext(ctx, subject, []byte(body))
		if err == nil {
			return m.Data
		}
		if !errors.Is(err, nats.ErrNoResponders) {
			t.Fatalf("%s: %v", subject, err)
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			t.Fatalf("nobody came to listen on %s", subject)
		}
	}
}
