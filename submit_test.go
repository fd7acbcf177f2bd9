package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/nats-io/nats.go"

	"github.com/hmap-project/hmap/bus"
)

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
	m, err := nc.Request("hmap.main.ask", []byte("我有多少订单是王萍萍买的?"), patience)
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
		m, err := answers.NextMsg(patience)
		if err != nil {
			t.Fatalf("%v; %v; %s", err, replies, s.out)
		}
		replies = append(replies, string(m.Data))
	}
	if all := strings.Join(replies, "\n"); !strings.Contains(all, `"status":"error"`) || !strings.Contains(all, "您好") {
		t.Errorf("replies: %v", replies)
	}
	out, errs, code := hmap(t, dir, "dead")
	if code != 0 || strings.Count(out, "master") < 9 || !strings.Contains(out, " 10023 ") { // bytes of the longest, which the list itself does not hold
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
