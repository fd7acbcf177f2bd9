package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/goccy/go-yaml"
	"github.com/nats-io/nats-server/v2/server"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/configs"
)

// child is a process of a cluster.
type child struct {
	cmd   *exec.Cmd
	said  *buffer
	ready chan string // the line that was waited for
	ended chan error
}

// spawn starts hmap and returns when it has printed a line that holds the text.
func spawn(t *testing.T, dir, until string, args ...string) *child {
	t.Helper()
	c := &child{cmd: command(context.Background(), dir, args...), said: &buffer{}, ready: make(chan string, 1), ended: make(chan error, 1)}
	r, w := io.Pipe()
	c.cmd.Stdout, c.cmd.Stderr = w, w
	if err := c.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		for in := bufio.NewScanner(r); in.Scan(); {
			fmt.Fprintln(c.said, in.Text())
			if strings.Contains(in.Text(), until) {
				select {
				case c.ready <- in.Text():
				default:
				}
			}
		}
	}()
	go func() {
		err := c.cmd.Wait()
		w.Close()
		c.ended <- err
	}()
	t.Cleanup(func() { _ = c.cmd.Process.Kill() }) // most have ended before
	return c
}

// is waits for the line and gives it.
func (c *child) is(t *testing.T) string {
	t.Helper()
	select {
	case line := <-c.ready:
		return line
	case err := <-c.ended:
		t.Fatalf("%v ended: %v\n%s", c.cmd.Args[1:], err, c.said)
	case <-time.After(40 * time.Second):
		t.Fatalf("%v is not ready:\n%s", c.cmd.Args[1:], c.said)
	}
	return ""
}

// end sends SIGTERM and waits for an end in good order.
func (c *child) end(t *testing.T) {
	t.Helper()
	if err := c.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-c.ended:
		if err != nil {
			t.Errorf("%v: %v\n%s", c.cmd.Args[1:], err, c.said)
		}
	case <-time.After(40 * time.Second):
		t.Fatalf("%v does not end:\n%s", c.cmd.Args[1:], c.said)
	}
}

// servers starts three NATS servers and gives their URLs.
func servers(t *testing.T) string {
	t.Helper()
	var routes, urls []string
	for range 3 {
		routes, urls = append(routes, "nats://"+freePort(t)), append(urls, "nats://"+freePort(t))
	}
	var all []*child
	for i := range 3 {
		_, port, _ := net.SplitHostPort(strings.TrimPrefix(urls[i], "nats://"))
		all = append(all, spawn(t, t.TempDir(), "Server is ready", "nats", "-n", fmt.Sprint("n", i), "-a", "127.0.0.1", "-p", port,
			"-js", "-sd", t.TempDir(), "--cluster_name", "test", "--cluster", routes[i], "--routes", strings.Join(routes, ",")))
	}
	for _, c := range all {
		c.is(t)
	}
	return strings.Join(urls, ",")
}

func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// Nodes are ended and started one after the other while tasks come in through a gateway and over NATS: every task has one good end, and
// none waits for a lease to lapse.
func TestRollingRestart(t *testing.T) {
	if testing.Short() {
		t.Skip("eight processes for half a minute")
	}
	t.Parallel()
	dir, url := dataDir(t), servers(t)
	// A lease so long that whoever depended on its lapse would be noticed.
	config := filepath.Join(dir, "test.yaml")
	if err := os.WriteFile(config, []byte("nats: {url: '"+url+"'}\nlimits: {lease: 30s}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	begin := func(name string) *child {
		return spawn(t, dir, ", ready in ", "--config", config, "node", "--name", name)
	}
	var nodes []*child
	for i := range 3 {
		nodes = append(nodes, begin(fmt.Sprint("node", i)))
	}
	gateway := spawn(t, dir, ", ready in ", "--config", config, "gateway", "--listen", "127.0.0.1:0")
	for i, n := range nodes {
		if line := n.is(t); !strings.Contains(line, fmt.Sprintf("hmap %s node node%d, ready in ", version, i)) {
			t.Errorf("a node's line: %s", line)
		}
	}
	page := regexp.MustCompile(`^hmap \S+ gateway, ready in \d+ ms  page (http://\S+)$`).FindStringSubmatch(gateway.is(t))
	if page == nil {
		t.Fatalf("the gateway's line: %s", gateway.said)
	}
	b, err := bus.Connect(t.Context(), bus.Options{URL: url})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)

	l := &load{t: t, bus: b, page: page[1]}
	l.run(8) // how long it takes when nothing happens
	usual := l.longest()
	done := make(chan struct{})
	go func() {
		defer close(done)
		for i := range nodes {
			nodes[i].end(t)
			nodes[i] = begin(fmt.Sprint("node", i))
			nodes[i].is(t)
		}
	}()
	for more := true; more; {
		l.run(4)
		select {
		case <-done:
			more = false
		default:
		}
	}
	l.audit()
	t.Logf("%d tasks; the longest %v, without restarts %v", len(l.took), l.longest(), usual)
	// A lease would be 30 s. A job that was on its way to a node which just then asked for no more comes again after 15 s: seen once.
	if extra := l.longest() - usual; extra > 20*time.Second {
		t.Errorf("a task waited %v for a restart", extra)
	}
	gateway.end(t)
	for _, n := range nodes {
		n.end(t)
	}
}

// load gives tasks to a cluster and remembers them.
type load struct {
	t    *testing.T
	bus  *bus.Bus
	page string

	given int

	mu   sync.Mutex
	took map[bus.Where]time.Duration
}

// run gives n tasks, one every 200 ms, and waits for all. Most are small talk: what is tried is the house, not the shop.
func (l *load) run(n int) {
	l.t.Helper()
	pace := time.NewTicker(200 * time.Millisecond)
	defer pace.Stop()
	var all sync.WaitGroup
	for i := range n {
		l.given++
		w := bus.Where{Session: fmt.Sprintf("s%d", l.given)}
		w.Task = "t" + w.Session
		begun := time.Now()
		l.submit(i, w)
		all.Go(func() {
			ctx, cancel := context.WithTimeout(l.t.Context(), 60*time.Second)
			defer cancel()
			took := time.Since(time.Time{})
			for e, err := range l.bus.Follow(ctx, w, 0) {
				if err != nil {
					break
				}
				if e.Record.Kind == bus.KindResponse && e.Record.Call == w.Task {
					took = e.Record.Time.Sub(begun)
					break
				}
			}
			l.mu.Lock()
			defer l.mu.Unlock()
			if l.took == nil {
				l.took = map[bus.Where]time.Duration{}
			}
			l.took[w] = took
		})
		<-pace.C
	}
	all.Wait()
}

func (l *load) submit(i int, w bus.Where) {
	l.t.Helper()
	s := bus.Submission{Query: "你好", Session: w.Session, Task: w.Task}
	if i%4 == 0 {
		s.Query = "我有多少订单是王萍萍买的?"
	}
	if i%2 == 0 {
		if _, err := l.bus.Submit(l.t.Context(), "master", s, ""); err != nil {
			l.t.Fatal(err)
		}
		return
	}
	body, err := json.Marshal(s)
	if err != nil {
		l.t.Fatal(err)
	}
	r, err := http.Post(l.page+"/v1/tasks", "application/json", bytes.NewReader(body))
	if err != nil {
		l.t.Fatal(err)
	}
	defer r.Body.Close()
	if r.StatusCode != http.StatusAccepted {
		text, _ := io.ReadAll(r.Body)
		l.t.Fatalf("%s: %s", r.Status, text)
	}
}

func (l *load) longest() time.Duration {
	var most time.Duration
	for _, d := range l.took {
		most = max(most, d)
	}
	return most
}

// audit reads each task's log: every call has ended once, and the task well.
func (l *load) audit() {
	l.t.Helper()
	for w := range l.took {
		records, err := l.bus.Read(l.t.Context(), w, 0)
		if err != nil {
			l.t.Fatal(err)
		}
		ends, good := map[string]int{}, false
		for _, r := range records {
			switch {
			case r.Kind == bus.KindRequest:
				ends[r.Call] += 0
			case r.Kind == bus.KindResponse:
				ends[r.Call]++
				good = good || r.Call == w.Task && r.Status == bus.OK
			case r.Kind == bus.KindResult && r.Status != bus.OK:
				l.t.Errorf("%s: a call failed: %v", w.Task, r.Error)
			}
		}
		for call, n := range ends {
			if n != 1 {
				l.t.Errorf("%s: call %s ended %d times", w.Task, call, n)
			}
		}
		if !good {
			l.t.Errorf("%s did not end well: %d records", w.Task, len(records))
		}
	}
}

// The shop's tools are served from one copy: by all nodes of this machine that share the file, and by no other.
func TestOneCopyOfTheShop(t *testing.T) {
	t.Parallel()
	dir, other := dataDir(t), dataDir(t)
	s, err := bus.StartServer(bus.ServerOptions{Dir: t.TempDir(), NoSync: true, Listen: "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Stop)
	node := func(dir string, args ...string) *child {
		return spawn(t, dir, ", ready in ", append([]string{"--nats", s.URL(), "node"}, args...)...)
	}
	first := node(dir, "--agents", "none")
	if line := first.is(t); !strings.Contains(line, ": 0 agents, ") || strings.Contains(line, " 0 tools") || strings.Contains(line, "@") {
		t.Errorf("its line: %s", line)
	}
	if _, errs, code := hmap(t, other, "--nats", s.URL(), "node"); code != exitFailed || !strings.Contains(errs, "another copy of the shop") {
		t.Errorf("a second copy: %d %s", code, errs)
	}
	same := node(dir)
	same.is(t)
	agents := node(other, "--tools", "none", "--agents", "master,orders")
	if line := agents.is(t); !strings.Contains(line, ": 2 agents (planner alone), 0 tools") {
		t.Errorf("its line: %s", line)
	}
	// What is changed through one node is seen through the others: three out of four approvals are looked up elsewhere.
	order := pending(t, dir)
	if out, errs, code := hmap(t, other, "--nats", s.URL(), "ask", "取消订单 "+order); code != exitWaiting {
		t.Fatalf("%d\n%s%s", code, out, errs)
	} else if m := goOn.FindStringSubmatch(errs); m == nil {
		t.Fatal(errs)
	} else if out, errs, code := hmap(t, other, "--nats", s.URL(), "answer", m[2], "--approve"); code != 0 {
		t.Fatalf("%d\n%s%s", code, out, errs)
	}
	for range 4 {
		if out, errs, code := hmap(t, other, "--nats", s.URL(), "ask", "订单 "+order+" 的状态"); code != 0 || !strings.Contains(out, "已取消") {
			t.Errorf("%d\n%s%s", code, out, errs)
		}
	}
	for _, c := range []*child{agents, same, first} {
		c.end(t)
	}
}

// A node waits for NATS and says so, as a question does, ends when it is told to meanwhile, and answers those who watch over it.
func TestNodeWaitsForNATS(t *testing.T) {
	t.Parallel()
	dir, at, health := dataDir(t), freePort(t), freePort(t)
	early := spawn(t, dir, "waiting for NATS", "--nats", "nats://"+at, "node")
	early.is(t)
	if err := early.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	select {
	case <-early.ended:
	case <-time.After(10 * time.Second):
		t.Fatalf("a node that waits does not end:\n%s", early.said)
	}
	early = spawn(t, dir, ", ready in ", "--nats", "nats://"+at, "node", "--health", health)
	asked := start(t, t.TempDir(), "--nats", "nats://"+at, "ask", "你好") // a command waits as well, though not for ever
	asked.says(t, "waiting for NATS: no server of "+at+" listens")
	_, port, _ := net.SplitHostPort(at)
	nats := spawn(t, dir, "Server is ready", "nats", "-js", "-sd", t.TempDir(), "-a", "127.0.0.1", "-p", port)
	nats.is(t)
	early.is(t)
	if status := asked.status(t, 30*time.Second); status != 0 {
		t.Errorf("the question that came before NATS: exit status %d", status)
	}
	ask := func(path string, want int) {
		t.Helper()
		r, err := http.Get("http://" + health + path)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Body.Close()
		if r.StatusCode != want {
			t.Errorf("%s: %s", path, r.Status)
		}
	}
	ask("/healthz", http.StatusOK)
	ask("/readyz", http.StatusOK)
	nats.end(t)
	ask("/healthz", http.StatusOK)
	ask("/readyz", http.StatusServiceUnavailable)
	early.end(t) // also without NATS
}

// The files of configs/cluster are what their programs take, and leave a node the time that it is given to end.
func TestClusterFiles(t *testing.T) {
	t.Setenv("HMAP_PASSWORD", "s1")
	t.Setenv("HMAP_OPERATOR_PASSWORD", "s3")
	t.Setenv("HMAP_ROUTE_PASSWORD", "s2")
	t.Setenv("HMAP_ROUTES", "[nats://route:s2@127.0.0.1:16221, nats://route:s2@127.0.0.1:16222, nats://route:s2@127.0.0.1:16223]")
	c, err := configs.Load("")
	if err != nil {
		t.Fatal(err)
	}
	enough := 2*c.Limits.Drain + 5*time.Second
	dir := filepath.Join("configs", "cluster")
	ports := map[int]string{}
	for i := 1; i <= 3; i++ {
		name := filepath.Join(dir, fmt.Sprintf("n%d.conf", i))
		o, err := server.ProcessConfigFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !o.JetStream || o.StoreDir == "" || !o.SyncAlways || len(o.Routes) != 3 || o.Cluster.Username == "" || o.Routes[0].User == nil || len(o.Users) == 0 {
			t.Errorf("%s: JetStream %v in %q, synced %v, routes %v, cluster user %q, %d users", name, o.JetStream, o.StoreDir, o.SyncAlways, o.Routes, o.Cluster.Username, len(o.Users))
		}
		for _, port := range []int{o.Port, o.Cluster.Port} {
			if ports[port] != "" {
				t.Errorf("%s and %s share port %d", name, ports[port], port)
			}
			ports[port] = name
		}
	}
	manifests := 0
	for _, name := range []string{"nats-values.yaml", "hmap.yaml"} {
		text, err := os.ReadFile(filepath.Join(dir, "kubernetes", name))
		if err != nil {
			t.Fatal(err)
		}
		for d := yaml.NewDecoder(bytes.NewReader(text)); ; manifests++ {
			var m struct {
				Kind     string
				Metadata struct{ Name string }
				Spec     struct {
					Template struct {
						Spec struct {
							TerminationGracePeriodSeconds int `yaml:"terminationGracePeriodSeconds"`
							Containers                    []struct{ Args []string }
						}
					}
				}
			}
			if err := d.Decode(&m); err == io.EOF {
				break
			} else if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			pod := m.Spec.Template.Spec
			for _, c := range pod.Containers {
				if grace := time.Duration(pod.TerminationGracePeriodSeconds) * time.Second; strings.Contains(strings.Join(c.Args, " "), " node ") && grace < enough {
					t.Errorf("%s: %s has %v to end, a node needs %v", name, m.Metadata.Name, grace, enough)
				}
			}
		}
	}
	if manifests < 8 {
		t.Errorf("only %d documents of YAML were read", manifests)
	}
	units, err := filepath.Glob(filepath.Join(dir, "systemd", "*.service"))
	if err != nil || len(units) != 3 {
		t.Fatal(units, err)
	}
	verify := []string{"verify"}
	for _, name := range units {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		m := regexp.MustCompile(`(?m)^TimeoutStopSec=(\d+)$`).FindSubmatch(text)
		if m == nil {
			t.Fatalf("%s has no TimeoutStopSec", name)
		}
		if stop, err := time.ParseDuration(string(m[1]) + "s"); err != nil || strings.Contains(name, "node") && stop < enough {
			t.Errorf("%s has %v to end, a node needs %v", name, stop, enough)
		}
		// The program is not installed here, and a template is verified as one of its units.
		text = bytes.ReplaceAll(text, []byte("/usr/local/bin/hmap"), []byte(os.Args[0]))
		to := filepath.Join(t.TempDir(), strings.ReplaceAll(filepath.Base(name), "@.", "@1."))
		if err := os.WriteFile(to, text, 0o600); err != nil {
			t.Fatal(err)
		}
		verify = append(verify, to)
	}
	if _, err := exec.LookPath("systemd-analyze"); err != nil {
		t.Log("no systemd-analyze here: the units were only read")
		return
	}
	if out, err := exec.Command("systemd-analyze", verify...).CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("%v\n%s", err, out)
	}
}
