package main

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
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

	"github.com/nats-io/nats.go"
	_ "modernc.org/sqlite"

	"go.uber.org/goleak"

	"github.com/hmap-project/hmap/bus"
)

// The tests run the program itself: this test binary, which becomes hmap when the variable is set.
const becomeMain = "HMAP_TEST_MAIN"

func TestMain(m *testing.M) {
	if os.Getenv(becomeMain) != "" {
		main()
		return
	}
	goleak.VerifyTestMain(m, goleak.IgnoreCurrent(), goleak.Cleanup(func(status int) { // bleve starts its analysers at import
		if filledDir != "" {
			_ = os.RemoveAll(filledDir)
		}
		os.Exit(status)
	}))
}

// filled is a filled shop, made once in filledDir and copied for each test.
var (
	filled = sync.OnceValues(func() (string, error) {
		var err error
		if filledDir, err = os.MkdirTemp("", "hmap-test-"); err != nil {
			return "", err
		}
		out, err := command(context.Background(), filledDir, "agents").CombinedOutput()
		if err != nil {
			return "", fmt.Errorf("%w: %s", err, out)
		}
		return filepath.Join(filledDir, "shop.db"), nil
	})
	filledDir string // removed when all tests have ended
)

func dataDir(t *testing.T) string {
	t.Helper()
	from, err := filled()
	if err != nil {
		t.Fatal(err)
	}
	shop, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "shop.db"), shop, 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

func command(ctx context.Context, dir string, args ...string) *exec.Cmd {
	c := exec.CommandContext(ctx, os.Args[0], append([]string{"--data", dir}, args...)...)
	// By default a program with the race detector waits 1 s before it ends; there are hundreds of them.
	c.Env = append(os.Environ(), becomeMain+"=1", "OPENAI_API_KEY=", "OPENAI_BASE_URL=", "NO_COLOR=1", "GORACE=atexit_sleep_ms=20")
	return c
}

// hmap runs a command to its end.
func hmap(t *testing.T, dir string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 60*time.Second)
	defer cancel()
	var out, errs bytes.Buffer
	c := command(ctx, dir, args...)
	c.Stdout, c.Stderr = &out, &errs
	err := c.Run()
	exit := new(exec.ExitError)
	if err != nil && !errors.As(err, &exit) {
		t.Fatalf("hmap %v: %v", args, err)
	}
	return out.String(), errs.String(), c.ProcessState.ExitCode()
}

// served is an hmap that serves, as a child process.
type served struct {
	cmd  *exec.Cmd
	dir  string
	page string
	bus  *bus.Bus
	out  *buffer
}

// buffer may be written and read at the same time.
type buffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

// serve starts it, with these lines of configuration or, without any, a short lease.
func serve(t *testing.T, dir string, more ...string) *served {
	t.Helper()
	s := &served{dir: dir, out: &buffer{}}
	if more == nil {
		more = []string{"limits: {lease: 1s}"}
	}
	config := filepath.Join(dir, "test.yaml")
	if err := os.WriteFile(config, []byte(strings.Join(append([]string{"nats: {listen: '127.0.0.1:0'}"}, more...), "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	s.cmd = command(context.Background(), dir, "--config", config, "serve", "--listen", "127.0.0.1:0")
	r, w := io.Pipe()
	s.cmd.Stdout, s.cmd.Stderr = w, s.out
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.kill(); w.Close() })
	ready := make(chan string, 1)
	go func() {
		seen := ""
		buf := make([]byte, 4096)
		for {
			n, err := r.Read(buf)
			if seen += string(buf[:n]); strings.Contains(seen, "Ctrl-C") {
				ready <- seen
				io.Copy(io.Discard, r)
				return
			}
			if err != nil {
				ready <- seen
				return
			}
		}
	}()
	select {
	case banner := <-ready:
		m := regexp.MustCompile(`page +(http://\S+)`).FindStringSubmatch(banner)
		if m == nil {
			t.Fatalf("no banner: %s %s", banner, s.out)
		}
		s.page = m[1]
	case <-time.After(30 * time.Second):
		t.Fatalf("not ready: %s", s.out)
	}
	url, err := bus.ReadContext(dir)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	if s.bus, err = bus.Connect(ctx, bus.Options{URL: url, Replicas: 1}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.bus.Close)
	return s
}

// kill is kill -9.
func (s *served) kill() {
	if s.cmd.ProcessState == nil {
		s.cmd.Process.Kill()
		s.cmd.Wait()
	}
}

// end is kill, and nothing of it is left here.
func (s *served) end() {
	s.kill()
	s.bus.Close()
}

func (s *served) response(t *testing.T, w bus.Where) bus.Record {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	for e, err := range s.bus.Follow(ctx, w, 0) {
		if err != nil {
			break
		}
		if e.Record.Kind == bus.KindResponse && e.Record.Call == w.Task {
			return e.Record
		}
	}
	t.Fatalf("no response of %s; %s", w.Task, s.out)
	return bus.Record{}
}

// The questions, asked as a newcomer would, with no key: what is true comes from the shop's own database.
func TestQuestions(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	db, err := sql.Open("sqlite", filepath.Join(dir, "shop.db"))
	if err != nil {
		t.Fatal(err)
	}
	var orders int
	if err := db.QueryRow(`SELECT count(*) FROM orders o JOIN customers c ON c.customer_id = o.customer_id WHERE c.name = '王萍萍'`).Scan(&orders); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if orders < 2 {
		t.Fatalf("王萍萍 has %d orders", orders)
	}
	for _, c := range []struct {
		question string
		shows    []string // of the tree
		answers  []string // of the answer
		code     int
	}{
		{"我有多少订单是王萍萍买的?", []string{"orders", `"search_keys":"订单"`, `"consumer_name":"王萍萍"`}, []string{fmt.Sprint(orders)}, 0},
		{"How many orders did Wang Pingping place?", []string{"search_order_code"}, []string{fmt.Sprint(orders)}, 0},
		{"偏远地区发出了又不要了，运费谁承担", []string{"rules", "search_rules"}, []string{"谁过错，谁承担", "https://rule.jd.com/rule/ruleDetail.action?ruleId=3727"}, 0},
		{"开一家卖洋酒的旗舰店要什么资质", []string{"check_shop_qualifications", `"keyword":"洋酒"`, `"shop_type":"旗舰店"`}, []string{"进口酒类", "旗舰店"}, 0},
		{"开店要什么资质", []string{"ask_user"}, nil, exitWaiting},
		{"预测下个月空气炸锅的销量，并建议要不要降价", []string{"forecast_sales", "suggest_price"}, []string{"空气炸锅"}, 0},
		{"你好", nil, []string{"您好"}, 0},
	} {
		out, errs, code := hmap(t, dir, "ask", c.question)
		if code != c.code {
			t.Errorf("%s: exit status %d, want %d\n%s%s", c.question, code, c.code, out, errs)
			continue
		}
		tree, answer, _ := strings.Cut(out, "\n\n")
		for _, s := range c.shows {
			if !strings.Contains(tree, s) {
				t.Errorf("%s: the tree does not show %s:\n%s", c.question, s, tree)
			}
		}
		for _, agent := range []string{"forecast", "pricing"} { // planning again after one part must not call the other twice
			if n := strings.Count(tree, "→ "+agent+"  "); n > 1 {
				t.Errorf("%s: %s was called %d times:\n%s", c.question, agent, n, tree)
			}
		}
		for _, s := range c.answers {
			if !strings.Contains(answer, s) {
				t.Errorf("%s: the answer does not say %s:\n%s", c.question, s, answer)
			}
		}
	}
}

var goOn = regexp.MustCompile(`--session (\S+) .*replay (\S+)`)

// A second turn is understood from the first.
func TestSecondTurn(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	_, errs, code := hmap(t, dir, "ask", "什么类目的标题可以不带品牌的名字")
	m := goOn.FindStringSubmatch(errs)
	if code != 0 || m == nil {
		t.Fatal(code, errs)
	}
	out, errs, code := hmap(t, dir, "ask", "--session", m[1], "我这个是京东小店的")
	if code != 0 || !strings.Contains(out, "search_rules") || !strings.Contains(out, "标题") || !strings.Contains(out, "京东小店") {
		t.Fatalf("%d\n%s%s", code, out, errs)
	}
}

// A question back is answered, by command or by the next turn, and the task goes on to its end.
func TestAnswer(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	_, errs, code := hmap(t, dir, "ask", "开店要什么资质")
	m := goOn.FindStringSubmatch(errs)
	if code != exitWaiting || m == nil {
		t.Fatal(code, errs)
	}
	out, errs, code := hmap(t, dir, "answer", m[2], "洋酒")
	if code != 0 || !strings.Contains(out, `"keyword":"洋酒"`) {
		t.Fatalf("%d\n%s%s", code, out, errs)
	}
	if out, errs, code := hmap(t, dir, "answer", m[2], "玩具"); code != exitFailed || !strings.Contains(errs, "has ended") {
		t.Errorf("an answer to an ended task: %d\n%s%s", code, out, errs)
	}
	_, errs, _ = hmap(t, dir, "ask", "开店要什么资质")
	if m = goOn.FindStringSubmatch(errs); m == nil {
		t.Fatal(errs)
	}
	if out, errs, code := hmap(t, dir, "ask", "--session", m[1], "玩具"); code != 0 || !strings.Contains(out, `"keyword":"玩具"`) {
		t.Fatalf("%d\n%s%s", code, out, errs)
	}
}

// pending is an order of the shop that may be cancelled.
func pending(t *testing.T, dir string) string {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(dir, "shop.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var id string
	if err := db.QueryRow(`SELECT order_id FROM orders WHERE state IN ('待付款','待发货') ORDER BY order_id DESC LIMIT 1`).Scan(&id); err != nil {
		t.Fatal(err)
	}
	return id
}

func state(t *testing.T, dir, order string) string {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(dir, "shop.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var s string
	if err := db.QueryRow(`SELECT state FROM orders WHERE order_id = ?`, order).Scan(&s); err != nil {
		t.Fatal(err)
	}
	return s
}

// Cancelling an order asks first, and happens when a person agrees, and only then.
func TestApproval(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	order := pending(t, dir)
	before := state(t, dir, order)
	_, errs, code := hmap(t, dir, "ask", "取消订单 "+order)
	m := goOn.FindStringSubmatch(errs)
	if code != exitWaiting || m == nil || state(t, dir, order) != before {
		t.Fatal(code, errs, state(t, dir, order))
	}
	if out, errs, code := hmap(t, dir, "answer", m[2], "--refuse", "不用了"); code != 0 || state(t, dir, order) != before {
		t.Fatalf("%d\n%s%s", code, out, errs)
	}
	_, errs, _ = hmap(t, dir, "ask", "取消订单 "+order)
	if m = goOn.FindStringSubmatch(errs); m == nil {
		t.Fatal(errs)
	}
	if out, errs, code := hmap(t, dir, "answer", m[2], "--approve"); code != 0 || state(t, dir, order) != "已取消" {
		t.Fatalf("%d %s\n%s%s", code, state(t, dir, order), out, errs)
	}
}

// The process is killed at each record of a task that asks, changes and answers: after a restart it goes on, ends exactly once, and
// what it changed is changed once.
func TestKilledAtEachRecord(t *testing.T) {
	t.Parallel()
	s := serve(t, dataDir(t))
	w := s.cancelOrder(t)
	s.agree(t, w)
	records, err := s.bus.Read(t.Context(), w, 0)
	if err != nil {
		t.Fatal(err)
	}
	s.end()
	if len(records) < leastRecords {
		t.Fatalf("the task had only %d records", len(records))
	}
	for n := range records {
		t.Run(fmt.Sprint(n+1), func(t *testing.T) {
			t.Parallel()
			killedAt(t, n+1)
		})
	}
}

// leastRecords has any task that asks, changes and answers.
const leastRecords = 12

func killedAt(t *testing.T, n int) {
	dir := dataDir(t)
	order := pending(t, dir)
	s := serve(t, dir)
	w := s.cancelOrder(t)
	kind, killed := s.killAt(t, w, n)
	if !killed {
		if n <= leastRecords { // beyond, it depends on what comes first
			t.Fatalf("the task has ended before its record %d", n)
		}
		s.kill()
	}
	s.bus.Close()
	s = serve(t, dir)
	defer s.end()
	s.agree(t, w)
	r := s.response(t, w)
	if r.Status != bus.OK || state(t, dir, order) != "已取消" {
		t.Errorf("killed at a %s: %s %s", kind, r.Status, r.Observation)
	}
	records, err := s.bus.Read(t.Context(), w, 0)
	if err != nil {
		t.Fatal(err)
	}
	ends := map[string]int{}
	for _, r := range records {
		if r.Kind == bus.KindResponse {
			ends[r.Call]++
		}
	}
	for call, n := range ends {
		if n != 1 {
			t.Errorf("killed at a %s: call %s ended %d times", kind, call, n)
		}
	}
	db, err := sql.Open("sqlite", filepath.Join(dir, "shop.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var changes int
	if err := db.QueryRow(`SELECT count(*) FROM ledger`).Scan(&changes); err != nil {
		t.Fatal(err)
	}
	if changes != 1 {
		t.Errorf("killed at a %s: %d changes in the shop's ledger", kind, changes)
	}
}

// cancelOrder submits a task that asks, changes and answers.
func (s *served) cancelOrder(t *testing.T) bus.Where {
	t.Helper()
	w := bus.Where{Session: "s1", Task: "t1"}
	q := "取消订单 " + pending(t, s.dir)
	if _, err := s.bus.Submit(t.Context(), "master", bus.Submission{Query: q, Session: w.Session, Task: w.Task}, ""); err != nil {
		t.Fatal(err)
	}
	return w
}

// killAt kills the process when the nth record of the task is there, agreeing to asks on the way. It reports false when the task
// ended before.
func (s *served) killAt(t *testing.T, w bus.Where, n int) (bus.Kind, bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	seen := 0
	for e, err := range s.bus.Follow(ctx, w, 0) {
		if err != nil {
			t.Fatal(err)
		}
		r := e.Record
		if e.CaughtUp {
			continue
		}
		if seen++; seen == n {
			s.kill()
			return r.Kind, true
		}
		if r.Kind == bus.KindAsk && r.Call == r.Task {
			if _, err := s.bus.Tell(ctx, w.Session, w.Task, bus.Input{Kind: bus.Approve, Ask: r.Ask.ID}, ""); err != nil {
				t.Fatal(err)
			}
		}
		if r.Kind == bus.KindResponse && r.Call == r.Task {
			return "", false
		}
	}
	t.Fatalf("%d records after 30 s; %s", seen, s.out)
	return "", false
}

// agree approves whatever the task asks, until it has ended.
func (s *served) agree(t *testing.T, w bus.Where) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 90*time.Second)
	defer cancel()
	for e, err := range s.bus.Follow(ctx, w, 0) {
		if err != nil {
			t.Fatalf("%v; %s", err, s.out)
		}
		r := e.Record
		switch {
		case r.Kind == bus.KindAsk && r.Call == r.Task:
			if _, err := s.bus.Tell(ctx, w.Session, w.Task, bus.Input{Kind: bus.Approve, Ask: r.Ask.ID}, ""); err != nil {
				t.Fatal(err)
			}
		case r.Kind == bus.KindResponse && r.Call == r.Task:
			return
		}
	}
	t.Fatalf("the task did not end; %s", s.out)
}

// Anything that speaks NATS submits: text, JSON, request and reply; and bad bodies are refused with a reason.
func TestNATS(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	s := serve(t, dir)
	url, err := bus.ReadContext(dir)
	if err != nil {
		t.Fatal(err)
	}
	nc, err := nats.Connect(url)
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	m, err := nc.Request("hmap.main.ask", []byte("我有多少订单是王萍萍买的?"), 20*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Session, Task, Status string
		Observation           string
	}
	if err := json.Unmarshal(m.Data, &got); err != nil || got.Status != "ok" || !strings.Contains(got.Observation, "王萍萍") {
		t.Fatalf("%s %v", m.Data, err)
	}
	answers, err := nc.SubscribeSync("my.answers")
	if err != nil {
		t.Fatal(err)
	}
	for _, body := range []string{
		`{"query":`, `{"query":"x","session":"a b","reply_to":"my.answers"}`, `{"query":"x","task":"` + strings.Repeat("t", 10_000) + `"}`, `{"hmap":"2","query":"x"}`,
		`{"query":"x","session":">"}`, `{"query":"x","session":".."}`, `[]`, `{"query":["x"]}`, `{"query":"x","mode":"magic"}`, `{"query":""}`,
	} {
		if err := nc.Publish("hmap.main.task.master", []byte(body)); err != nil {
			t.Fatal(err)
		}
	}
	if err := nc.Publish("hmap.main.task.master", []byte(`{"query":"你好","reply_to":"my.answers"}`)); err != nil {
		t.Fatal(err)
	}
	var replies []string
	for len(replies) < 2 {
		m, err := answers.NextMsg(20 * time.Second)
		if err != nil {
			t.Fatalf("%v; %v; %s", err, replies, s.out)
		}
		replies = append(replies, string(m.Data))
	}
	if all := strings.Join(replies, "\n"); !strings.Contains(all, `"status":"error"`) || !strings.Contains(all, "您好") {
		t.Errorf("replies: %v", replies)
	}
	out, errs, code := hmap(t, dir, "dead")
	if code != 0 || strings.Count(out, "master") < 9 {
		t.Errorf("dead letters: %d\n%s%s", code, out, errs)
	}
	// One of them is mended and sent again.
	number := regexp.MustCompile(`(?m)^(\d+) .*magic`).FindStringSubmatch(out)
	if number == nil {
		t.Fatalf("no dead letter about the mode:\n%s", out)
	}
	mended := filepath.Join(dir, "mended.json")
	if err := os.WriteFile(mended, []byte(`{"query":"你好","session":"s9","task":"t9"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, errs, code := hmap(t, dir, "dead", "resend", number[1], "--body", mended); code != 0 {
		t.Fatalf("%s%s", out, errs)
	}
	if r := s.response(t, bus.Where{Session: "s9", Task: "t9"}); r.Status != bus.OK {
		t.Errorf("%s %s", r.Status, r.Observation)
	}
}

// The commands of the command line, against a server that runs.
func TestCommands(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	s := serve(t, dir)
	out, errs, code := hmap(t, dir, "agents")
	for _, name := range []string{"master", "orders", "rules", "search_order_code", "check_shop_qualifications", "search_rules"} {
		if !strings.Contains(out, name) {
			t.Errorf("agents does not list %s: %d\n%s%s", name, code, out, errs)
		}
	}
	out, errs, code = hmap(t, dir, "ask", "--json", "我有多少订单是王萍萍买的?")
	if code != 0 {
		t.Fatal(out, errs)
	}
	var task, last string
	for line := range strings.Lines(out) {
		var r struct {
			Seq        uint64
			Kind, Task string
		}
		if err := json.Unmarshal([]byte(line), &r); err != nil || r.Seq == 0 {
			t.Fatalf("%s: %v", line, err)
		}
		task, last = r.Task, r.Kind
	}
	if last != "response" {
		t.Errorf("the last record is a %s", last)
	}
	if logged, _, code := hmap(t, dir, "log", task); code != 0 || logged != out {
		t.Errorf("log differs from what was seen:\n%s\n%s", logged, out)
	}
	if replay, _, code := hmap(t, dir, "replay", task); code != 0 || !strings.Contains(replay, "search_order_code") {
		t.Errorf("%d\n%s", code, replay)
	}
	if _, errs, code := hmap(t, dir, "log", "nosuch"); code != exitFailed || !strings.Contains(errs, "no task") {
		t.Errorf("%d %s", code, errs)
	}
	if _, errs, code := hmap(t, dir, "log", "a.b>"); code != exitFailed || errs == "" {
		t.Errorf("%d %s", code, errs)
	}
	if _, errs, _ = hmap(t, dir, "ask", "开店要什么资质"); goOn.FindStringSubmatch(errs) == nil {
		t.Fatal(errs)
	}
	waiting := goOn.FindStringSubmatch(errs)[2]
	if out, errs, code := hmap(t, dir, "cancel", waiting, "不要了"); code != 0 || !strings.Contains(out, "cancelled") {
		t.Errorf("%d %s%s", code, out, errs)
	}
	if out, _, code := hmap(t, dir, "cancel", waiting); code != 0 || !strings.Contains(out, "ended already") {
		t.Errorf("%d %s", code, out)
	}
	if _, errs, code := hmap(t, dir, "serve", "--listen", "127.0.0.1:0"); code != exitFailed || !strings.Contains(errs, "already in use") {
		t.Errorf("a second server on the same folder: %d %s", code, errs)
	}
	for _, path := range []string{"/healthz", "/readyz", "/"} {
		resp, err := http.Get(s.page + path)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != http.StatusOK {
			t.Errorf("%s: %s", path, resp.Status)
		}
	}
	// A supervisor's signal ends it orderly.
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- s.cmd.Wait() }()
	select {
	case err := <-done:
		if err != nil {
			t.Errorf("after SIGTERM: %v; %s", err, s.out)
		}
	case <-time.After(15 * time.Second):
		t.Errorf("still there 15 s after SIGTERM; %s", s.out)
	}
}
