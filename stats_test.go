package main

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/hmap-project/hmap/actors/learn"
	"github.com/hmap-project/hmap/bus"
)

// What a table of lessons looks like, in both languages.
func TestStatsTable(t *testing.T) {
	at := time.Date(2026, 11, 21, 9, 0, 0, 0, time.Local)
	var l learn.Lessons
	for i := range 3 {
		call := bus.ChildID("t", 1, i)
		code := &bus.Error{Code: bus.CodeTimeout}
		records := []bus.Record{
			{Kind: bus.KindRequest, Request: &bus.Request{JobDesc: "x"}},
			{Kind: bus.KindRound, Round: 1, ActionCode: []bus.Action{{ToolName: "search_orders"}, {ToolName: "search_orders"}, {ToolName: "search_orders"}}},
			{Kind: bus.KindResult, Round: 1, Child: call, ToolName: "search_orders", Status: bus.OK, Millis: int64(10 * (i + 1)), Observation: json.RawMessage(`{"orders":[{"order_id":"2810-6614"}]}`)},
			{Kind: bus.KindRound, Round: 2, ActionCode: []bus.Action{{ToolName: "track"}}},
			{Kind: bus.KindResult, Round: 2, Child: bus.ChildID("t", 2, 0), ToolName: "track", Status: bus.OK, Parameter: json.RawMessage(`{"number":"2810-6614"}`), Millis: 1234},
		}
		if i == 2 {
			records[4].Status, records[4].Error = bus.Failed, code
		}
		for i := range records {
			records[i].Session, records[i].Task, records[i].Call, records[i].Time = "s", "t", "t", at
		}
		l.Fold(records)
	}
	for name, c := range map[string]struct {
		zh   bool
		want string
	}{
		"english": {false, `
NAME           CALLS    OK  FAILED  P50 MS  P95 MS  MONEY  LAST
search_orders      3  100%      0%      20      30      0  2026-11-21 09:00:00
track              3   67%     33%    1234    1234      0  2026-11-21 09:00:00

FIELD                          PARAMETER     WORKED  FAILED
search_orders.orders.order_id  track.number       2       0

Since 2026-11-21 09:00:00; what is 7 days older counts half. Calls that were refused for their arguments, not allowed or cancelled say nothing of the tool, and are left out.
`}, "chinese": {true, `
名称           次数  成功  失败  中位毫秒  95% 毫秒  花费  最近
search_orders     3  100%    0%        20        30     0  2026-11-21 09:00:00
track             3   67%   33%      1234      1234     0  2026-11-21 09:00:00

字段                           参数          有效  失败
search_orders.orders.order_id  track.number     2     0

自 2026-11-21 09:00:00 起；每过 7 天，此前的次数减半。因参数不对、不允许、已取消等而没有执行的调用，不是工具的失败，不计入。
`}} {
		var b strings.Builder
		if err := printStats(&b, &l, c.zh, func(t time.Time) string { return t.Local().Format(time.DateTime) }); err != nil || b.String() != c.want[1:] {
			t.Errorf("%s: %v\n%s", name, err, b.String())
		}
	}
	for _, c := range []struct {
		env  map[string]string
		want bool
	}{{nil, false}, {map[string]string{"LANG": "zh_CN.UTF-8"}, true}, {map[string]string{"LANG": "zh_CN.UTF-8", "LC_ALL": "C"}, false}} {
		if got := chinese(func(name string) string { return c.env[name] }); got != c.want {
			t.Errorf("%v: Chinese %v", c.env, got)
		}
	}
}

// What is learned is shown and can be forgotten, on a running server and beside none; what was done looks the same before and after.
func TestStatsAndForget(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	s := serve(t, dir)
	if out, errs, code := hmap(t, dir, "ask", "我有多少订单是王萍萍买的?"); code != 0 {
		t.Fatalf("%d\n%s%s", code, out, errs)
	}
	sessions, _, err := s.bus.Sessions(t.Context(), 0, 1)
	if err != nil || len(sessions) != 1 {
		t.Fatalf("%+v %v", sessions, err)
	}
	records, err := s.bus.Read(t.Context(), bus.Where{Session: sessions[0].ID}, 0)
	if err != nil || len(records) == 0 {
		t.Fatal(err)
	}
	task := records[0].Task
	replay := func() string {
		t.Helper()
		shown, errs, code := hmap(t, dir, "replay", task)
		records, _, logged := hmap(t, dir, "log", task)
		if code != 0 || logged != 0 || records == "" {
			t.Fatalf("%d %d\n%s%s", code, logged, shown, errs)
		}
		return shown + records
	}
	calls := func() map[string]float64 {
		t.Helper()
		out, errs, code := raced(t, dir, "agents", "--stats", "--json")
		var got struct {
			Agents []struct {
				Name  string  `json:"tool_name"`
				Calls float64 `json:"calls"`
			} `json:"agents"`
		}
		if err := json.Unmarshal([]byte(out), &got); err != nil || code != 0 {
			t.Fatalf("%v, exit status %d\n%s%s", err, code, out, errs)
		}
		n := map[string]float64{}
		for _, a := range got.Agents {
			n[a.Name] = float64(int(a.Calls + 0.5))
		}
		return n
	}
	before := replay()
	if n := calls(); n["orders"] != 1 || n["search_order_code"] != 1 {
		t.Errorf("after one task: %v", n)
	}
	if after := replay(); after != before {
		t.Errorf("learning changed what the replay shows:\n%s\nwas\n%s", after, before)
	}
	if out, errs, code := hmap(t, dir, "agents", "--stats"); code != 0 || !strings.Contains(out, "search_order_code") || !strings.Contains(out, "100%") {
		t.Errorf("%d\n%s%s", code, out, errs)
	}
	if out, errs, code := hmap(t, dir, "agents", "--forget-stats"); code != 0 {
		t.Errorf("%d\n%s%s", code, out, errs)
	}
	if n := calls(); len(n) != 0 {
		t.Errorf("not forgotten: %v", n)
	}
	if after := replay(); after != before {
		t.Error("forgetting changed what the replay shows")
	}
	if _, _, code := hmap(t, dir, "agents", "--stats", "--forget-stats"); code != exitUsage {
		t.Errorf("two wishes at once: exit status %d", code)
	}
	if _, _, code := hmap(t, dir, "ask", "How many orders did Wang Pingping place?"); code != 0 {
		t.Fatal(code)
	}
	s.end()
	if n := calls(); n["orders"] != 1 || n["search_order_code"] != 1 {
		t.Errorf("what came behind the forgetting, without a server: %v", n)
	}
	if after := replay(); after != before {
		t.Error("a kill changed what the replay shows")
	}
}

func TestLearningOff(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	s := serve(t, dir, "learning: off")
	if _, _, code := hmap(t, dir, "ask", "我有多少订单是王萍萍买的?"); code != 0 {
		t.Fatal(code)
	}
	if _, errs, code := hmap(t, dir, "--config", dir+"/test.yaml", "agents", "--stats"); code != exitFailed || !strings.Contains(errs, "learning: off") {
		t.Errorf("%d %s", code, errs)
	}
	if _, _, err := s.bus.Cached(t.Context(), "lessons"); !errors.Is(err, bus.ErrNotFound) {
		t.Errorf("lessons are kept: %v", err)
	}
}

// An embedding model from the configuration is asked for the cards once, also over a start, and questions are answered whether it is there or not.
func TestEmbeddingModel(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	asked, key := map[string]int{}, ""
	e := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var q struct {
			Input      []string
			Model      string
			Dimensions int
		}
		if err := json.NewDecoder(r.Body).Decode(&q); err != nil || r.URL.Path != "/v1/embeddings" || q.Model != "small" || q.Dimensions != 2 {
			t.Errorf("%s %+v %v", r.URL.Path, q, err)
		}
		mu.Lock()
		defer mu.Unlock()
		key = r.Header.Get("Authorization")
		var data []map[string]any
		for i, text := range q.Input {
			asked[text]++
			data = append(data, map[string]any{"index": i, "embedding": []float32{float32(len(text)), 1}})
		}
		if err := json.NewEncoder(w).Encode(map[string]any{"data": data}); err != nil {
			t.Log(err)
		}
	}))
	defer e.Close()
	card := regexp.MustCompile(`^[a-z_]+: `)
	cards := func() (texts, times int) {
		mu.Lock()
		defer mu.Unlock()
		for text, n := range asked {
			if card.MatchString(text) {
				texts, times = texts+1, times+n
			}
		}
		return texts, times
	}
	dir := dataDir(t)
	config := "models: {embedding: {base_url: '" + e.URL + "/v1', name: small, extra: {dimensions: 2}}}"
	s := serve(t, dir, config)
	// kept waits until the vectors of all cards of the house are in the cache.
	kept := func() {
		t.Helper()
		js, err := jetstream.New(s.bus.Conn())
		if err != nil {
			t.Fatal(err)
		}
		look := time.NewTicker(5 * time.Millisecond)
		defer look.Stop()
		for end := time.Now().Add(30 * time.Second); ; <-look.C {
			there := 0
			cache, err := js.Stream(t.Context(), "KV_"+bus.CacheBucket)
			if err != nil {
				t.Fatal(err)
			}
			info, err := cache.Info(t.Context(), jetstream.WithSubjectFilter("$KV."+bus.CacheBucket+".main.vector.>"))
			if err != nil {
				t.Fatal(err)
			}
			there = len(info.State.Subjects)
			if texts, _ := cards(); texts >= 30 && there == texts {
				return
			}
			if time.Now().After(end) {
				t.Fatalf("%d vectors are kept of %v", there, asked)
			}
		}
	}
	kept()
	ask := func() {
		t.Helper()
		if out, errs, code := hmap(t, dir, "ask", "我有多少订单是王萍萍买的?"); code != 0 || !strings.Contains(out, "search_order_code") {
			t.Errorf("%d\n%s%s", code, out, errs)
		}
	}
	ask()
	s.end()
	s = serve(t, dir, config)
	ask()
	if texts, times := cards(); times != texts {
		t.Errorf("the texts of %d cards were asked for %d times in two lives", texts, times)
	}
	e.Close()
	ask()
	if os.Getenv("OPENAI_API_KEY") == "" && key != "" {
		t.Errorf("a key from nowhere: %s", key)
	}
}
