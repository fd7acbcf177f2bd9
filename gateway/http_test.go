package gateway_test

import (
	"context"
	"encoding/json"
	"mime"
	"net/http"
	"strings"
	"testing"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/gateway"
)

func contextOf(t *testing.T) (context.Context, context.CancelFunc) {
	return context.WithCancel(t.Context())
}

func TestPostTask(t *testing.T) {
	h := open(t, gateway.Options{})
	ask := func(body string, header ...string) (*http.Response, map[string]string) {
		t.Helper()
		res, text := h.do("POST", "/v1/tasks", body, append([]string{"Content-Type", "application/json; charset=utf-8"}, header...)...)
		var got map[string]any
		if err := json.Unmarshal([]byte(text), &got); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		out := map[string]string{}
		for k, v := range got {
			out[k], _ = v.(string)
		}
		return res, out
	}
	res, first := ask(`{"query":"运费谁承担"}`, "Idempotency-Key", someID)
	if res.StatusCode != http.StatusAccepted || first["session"] == "" || first["task"] == "" {
		t.Fatalf("%s %v", res.Status, first)
	}
	if _, again := ask(`{"query":"运费谁承担"}`, "Idempotency-Key", someID); again["task"] != first["task"] {
		t.Fatalf("the repeat got %v, not %v", again, first)
	}
	if n := h.waiting(); n != 1 {
		t.Fatalf("%d tasks in the queue", n)
	}
	for body, status := range map[string]int{
		`{"query":""}`: 400, `nonsense`: 400, `{"query":"x","session":"a b"}`: 400,
		`{"query":"` + strings.Repeat("x", 70<<10) + `"}`: 413,
	} {
		if res, got := ask(body); res.StatusCode != status || got["message"] == "" {
			t.Errorf("%.40s: %s %v", body, res.Status, got)
		}
	}
	if res, _ := ask(`{"query":"x"}`, "Idempotency-Key", "short"); res.StatusCode != 400 {
		t.Errorf("short key: %s", res.Status)
	}
	if res, _ := ask(`{"query":"x"}`, "Content-Type", "text/plain"); res.StatusCode != http.StatusUnsupportedMediaType {
		t.Errorf("plain text: %s", res.Status)
	}
}

func TestFullQueueIsToldAsBusy(t *testing.T) {
	h := open(t, gateway.Options{})
	js, err := jetstreamOf(h.bus)
	if err != nil {
		t.Fatal(err)
	}
	s, err := js.Stream(t.Context(), bus.TaskStream)
	if err != nil {
		t.Fatal(err)
	}
	full := s.CachedInfo().Config
	full.MaxMsgs = 1
	if _, err := js.UpdateStream(t.Context(), full); err != nil {
		t.Fatal(err)
	}
	h.do("POST", "/v1/tasks", `{"query":"first"}`, "Content-Type", "application/json")
	res, body := h.do("POST", "/v1/tasks", `{"query":"second"}`, "Content-Type", "application/json")
	if res.StatusCode != http.StatusServiceUnavailable || res.Header.Get("Retry-After") == "" || !strings.Contains(body, `"busy"`) {
		t.Fatalf("%s %s", res.Status, body)
	}
	c := h.dial()
	c.send(`{"type":"task","id":"` + someID + `","query":"third"}`)
	if f := c.want("error"); f.Code != bus.CodeBusy || f.ID != someID {
		t.Fatalf("%+v", f)
	}
}

func TestRecordsAsLines(t *testing.T) {
	h := open(t, gateway.Options{})
	w := &call{house: h, session: "s1", task: "t1", call: "t1"}
	first := w.append(bus.Record{Thought: "one"})
	w.append(bus.Record{Thought: "two"})
	res, body := h.do("GET", "/v1/sessions/s1/records", "")
	if lines := strings.Split(strings.TrimSpace(body), "\n"); len(lines) != 2 || !strings.Contains(lines[0], `"thought":"one"`) ||
		res.Header.Get("Content-Type") != "application/x-ndjson" {
		t.Fatalf("%s", body)
	}
	if _, body := h.do("GET", "/v1/sessions/s1/records?after="+jsonOf(first), ""); strings.Contains(body, "one") || !strings.Contains(body, "two") {
		t.Fatalf("after %d: %s", first, body)
	}
	if res, body := h.do("GET", "/v1/sessions/nobody/records", ""); res.StatusCode != 200 || body != "" {
		t.Fatalf("%s %s", res.Status, body)
	}
	for _, path := range []string{"/v1/sessions/a%20b/records", "/v1/sessions/s1/records?after=x", "/v1/sessions/%3E/records"} {
		if res, body := h.do("GET", path, ""); res.StatusCode != 400 || !strings.Contains(body, "invalid_request") {
			t.Errorf("%s: %s %s", path, res.Status, body)
		}
	}
}

func TestHealthAndReadiness(t *testing.T) {
	h := open(t, gateway.Options{Version: "1.2.3"})
	if res, body := h.do("GET", "/healthz", ""); res.StatusCode != 200 || !strings.Contains(body, "1.2.3") {
		t.Fatalf("%s %s", res.Status, body)
	}
	if res, body := h.do("GET", "/readyz", ""); res.StatusCode != 200 {
		t.Fatalf("%s %s", res.Status, body)
	}
	js, err := jetstreamOf(h.bus)
	if err != nil {
		t.Fatal(err)
	}
	if err := js.DeleteStream(t.Context(), bus.TaskStream); err != nil {
		t.Fatal(err)
	}
	if res, body := h.do("GET", "/readyz", ""); res.StatusCode != 503 || !strings.Contains(body, "stream not found") {
		t.Fatalf("without its queue: %s %s", res.Status, body)
	}
}

func TestPageAndItsHeaders(t *testing.T) {
	h := open(t, gateway.Options{})
	res, body := h.do("GET", "/?s=s1", "")
	if res.StatusCode != 200 || !strings.Contains(body, `src="/app.js"`) || !strings.HasPrefix(res.Header.Get("Content-Type"), "text/html") {
		t.Fatalf("%s %s", res.Status, body)
	}
	if strings.Contains(body, "<style") || strings.Contains(body, " style=") || strings.Contains(body, " on") && strings.Contains(body, "onclick") {
		t.Error("the page has inline style or script, which its own policy forbids")
	}
	for name, want := range map[string]string{
		"Content-Security-Policy": "default-src 'self'", "X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY", "Referrer-Policy": "no-referrer",
	} {
		if got := res.Header.Get(name); !strings.Contains(got, want) {
			t.Errorf("%s: %q", name, got)
		}
	}
	if res, _ := h.do("GET", "/app.js", "", "If-None-Match", etagOf(h, "/app.js")); res.StatusCode != http.StatusNotModified {
		t.Errorf("known page: %s", res.Status)
	}
	for path, status := range map[string]int{"/nothing": 404, "/web/e2e/package.json": 404, "/../gateway.go": 404, "/v1/nothing": 404, "/style.css": 200} {
		if res, _ := h.do("GET", path, ""); res.StatusCode != status {
			t.Errorf("%s: %s", path, res.Status)
		}
	}
}

func etagOf(h *house, path string) string {
	res, _ := h.do("GET", path, "")
	return res.Header.Get("ETag")
}

func jsonOf(v any) string {
	b, _ := json.Marshal(v)
	return string(b)
}

// say publishes live text, as an executor does.
func (h *house) say(session string, l bus.Live) { h.bus.Speak(session, l) }

func TestFileIsADownloadAndNeverAPage(t *testing.T) {
	h := open(t, gateway.Options{})
	const evil = "<script>alert(1)</script>"
	f, err := h.bus.Files().Put(t.Context(), `报告";x=.html`, "text/html", "", strings.NewReader(evil))
	if err != nil {
		t.Fatal(err)
	}
	res, body := h.do("GET", "/v1/files/"+f.Ref, "")
	if res.StatusCode != 200 || body != evil || res.Header.Get("Content-Length") != jsonOf(len(evil)) {
		t.Fatalf("%s %q", res.Status, body)
	}
	kind, params, err := mime.ParseMediaType(res.Header.Get("Content-Disposition"))
	if err != nil || kind != "attachment" || params["filename"] != f.Name {
		t.Fatalf("%q: %s %v %v", res.Header.Get("Content-Disposition"), kind, params, err)
	}
	if csp := res.Header.Get("Content-Security-Policy"); !strings.Contains(csp, "sandbox") || res.Header.Get("X-Content-Type-Options") != "nosniff" {
		t.Fatalf("policy %q", csp)
	}
	strange, err := h.bus.Files().Put(t.Context(), "x", "text/html\r\nSet-Cookie: a=b", "", strings.NewReader("x"))
	if err != nil {
		t.Fatal(err)
	}
	if res, _ := h.do("GET", "/v1/files/"+strange.Ref, ""); res.Header.Get("Content-Type") != "application/octet-stream" || res.Header.Get("Set-Cookie") != "" {
		t.Fatalf("%v", res.Header)
	}
	for _, ref := range []string{"obj:nobody", "obj:..", "%2e%2e%2f%2e%2e", "x"} {
		if res, body := h.do("GET", "/v1/files/"+ref, ""); res.StatusCode != 404 || !strings.Contains(body, "no file") {
			t.Errorf("%s: %s %s", ref, res.Status, body)
		}
	}
}

func TestAgentsOnOffer(t *testing.T) {
	h := open(t, gateway.Options{})
	if res, body := h.do("GET", "/v1/agents", ""); res.StatusCode != 200 || !strings.HasPrefix(body, `{"cards":[],"instances":[],"rejected":[]}`) {
		t.Fatalf("nobody: %s %s", res.Status, body)
	}
	d, err := h.bus.Directory(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	changed := d.Changed()
	s, err := h.bus.Serve(bus.Card{Name: "orders", Kind: "agent", Description: "answers about orders"}, func(*bus.Incoming) {})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Stop)
	<-changed
	var got struct {
		Cards     []bus.Card
		Instances []struct{ Name, Node string }
	}
	_, body := h.do("GET", "/v1/agents", "")
	if err := json.Unmarshal([]byte(body), &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Cards) != 1 || got.Cards[0].Description != "answers about orders" || len(got.Instances) != 1 || got.Instances[0].Name != "orders" {
		t.Fatalf("%s", body)
	}
}

// What a foreign page embeds carries no Origin; the browser tells whose it is. A link that a person follows may come from anywhere.
func TestForeignPagesEmbedNothing(t *testing.T) {
	h := open(t, gateway.Options{})
	for _, c := range []struct {
		site, mode string
		want       int
	}{
		{"cross-site", "no-cors", http.StatusForbidden}, {"same-site", "no-cors", http.StatusForbidden}, {"cross-site", "", http.StatusForbidden},
		{"cross-site", "navigate", http.StatusOK}, {"same-origin", "cors", http.StatusOK}, {"none", "navigate", http.StatusOK}, {"", "", http.StatusOK},
	} {
		for _, path := range []string{"/v1/sessions", "/icon.svg"} {
			if res, text := h.do("GET", path, "", "Sec-Fetch-Site", c.site, "Sec-Fetch-Mode", c.mode); res.StatusCode != c.want || c.want == http.StatusForbidden && !strings.Contains(text, "another site") {
				t.Errorf("%s from %q by %q: %s %.80s", path, c.site, c.mode, res.Status, text)
			}
		}
	}
}

// Whatever name and type a tool gives a file, its download is one header of each kind, keeps the name, and is shown by nobody.
func TestHostileFileNames(t *testing.T) {
	h := open(t, gateway.Options{})
	for _, name := range []string{`a"; filename="b.html`, "a\r\nX-Evil: 1", "../../etc/passwd", "报表\u202egnp.exe", `<img src=x onerror=alert(1)>.svg`, "a\x00b", strings.Repeat("长", 80)} {
		f, err := h.bus.Files().Put(t.Context(), name, "text/html\r\nX-Evil: 1", "", strings.NewReader("<script>1</script>"))
		if err != nil {
			continue // the bus has refused it: it never gets here
		}
		res, _ := h.do("GET", "/v1/files/"+f.Ref, "")
		kind, params, err := mime.ParseMediaType(res.Header.Get("Content-Disposition"))
		if err != nil || kind != "attachment" || params["filename"] != f.Name || res.Header.Get("X-Evil") != "" {
			t.Errorf("%q: %v %v", name, err, res.Header)
		}
		if got := res.Header.Get("Content-Security-Policy"); !strings.HasPrefix(got, "sandbox") || strings.Contains(res.Header.Get("Content-Type"), "html") {
			t.Errorf("%q: %q %q", name, got, res.Header.Get("Content-Type"))
		}
	}
}
