package gateway_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/gateway"
)

// kept is how many messages the store of files has: of each file its pieces and its name.
func (h *house) kept() uint64 {
	h.Helper()
	js, err := jetstreamOf(h.bus)
	if err != nil {
		h.Fatal(err)
	}
	s, err := js.Stream(h.Context(), "OBJ_"+bus.FilesStore)
	if err != nil {
		h.Fatal(err)
	}
	return s.CachedInfo().State.Msgs
}

// upload sends a file and gives what came back, as far as it is a file or an error.
func (h *house) upload(name, body string, header ...string) (int, bus.File, bus.Error) {
	h.Helper()
	res, text := h.do("POST", "/v1/files?name="+url.QueryEscape(name), body, header...)
	var got struct {
		bus.File
		bus.Error
	}
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		h.Fatalf("%s: %v", text, err)
	}
	return res.StatusCode, got.File, got.Error
}

func TestFileIsBrought(t *testing.T) {
	h := open(t, gateway.Options{})
	const table = "地区,销售额\n华东,10\n"
	status, f, _ := h.upload("销售.csv", table, "Content-Type", "application/vnd.ms-excel") // as browsers beside Excel say
	if status != http.StatusCreated || f.Name != "销售.csv" || !strings.HasPrefix(f.Type, "text/csv") || f.Bytes != int64(len(table)) {
		t.Fatalf("%d %+v", status, f)
	}
	if res, body := h.do("GET", "/v1/files/"+f.Ref, ""); res.StatusCode != 200 || body != table {
		t.Fatalf("%s %q", res.Status, body)
	}
	for said, want := range map[string]string{"image/x-strange": "image/x-strange", "application/x-www-form-urlencoded": "application/octet-stream", "no type": "application/octet-stream"} {
		if _, f, _ := h.upload("x.unheardof", "x", "Content-Type", said); f.Type != want {
			t.Errorf("of %q the type is %q", said, f.Type)
		}
	}
	big := strings.Repeat("0123456789abcdef", 1<<16) // eight pieces
	_, f, _ = h.upload("big", big)
	if _, body := h.do("GET", "/v1/files/"+f.Ref, ""); body != big {
		t.Errorf("%d bytes came back of %d", len(body), len(big))
	}
}

// The name is what a file picker gives, or it is refused; a long one is shortened.
func TestUploadNames(t *testing.T) {
	h := open(t, gateway.Options{})
	for _, name := range []string{"", ".", "..", " ", "../../etc/passwd", "a/b.csv", `C:\x.csv`, "a\x00b", "a\r\nSet-Cookie: x", "a\x7f", "\xff\xfe", "photo\u202egpj.exe"} {
		if status, _, err := h.upload(name, "x"); status != http.StatusBadRequest || err.Code != bus.CodeInvalidRequest || !strings.Contains(err.Message, "name") {
			t.Errorf("%q: %d %+v", name, status, err)
		}
	}
	if n := h.kept(); n != 0 {
		t.Errorf("%d messages are in the store of files", n)
	}
	for _, name := range []string{strings.Repeat("长", 300) + ".csv", "<img src=x onerror=alert(1)>.csv", `a"b;c.csv`, "👩‍👧.png"} {
		status, f, err := h.upload(name, "x")
		if status != http.StatusCreated || len(f.Name) > 200 || !strings.HasSuffix(f.Name, name[len(name)-4:]) {
			t.Errorf("%.40q: %d %+v %+v", name, status, f, err)
		}
	}
}

func TestUploadIsRefused(t *testing.T) {
	h := open(t, gateway.Options{MaxFile: 1 << 20})
	over := strings.Repeat("x", 1<<20+1)
	if status, _, err := h.upload("x", strings.Repeat(over, 40)); status != http.StatusRequestEntityTooLarge || err.Code != bus.CodeInvalidRequest {
		t.Errorf("far too large: %d %+v", status, err)
	}
	if status, _, err := h.upload("x", over); status != http.StatusRequestEntityTooLarge || !strings.Contains(err.Message, "1 MiB") {
		t.Errorf("too large: %d %+v", status, err)
	}
	if _, body := h.do("GET", "/v1/files", ""); strings.TrimSpace(body) != `{"bytes":1048576}` {
		t.Errorf("the bound is told as %s", body)
	}
	if status, _, _ := h.upload("x", over[1:]); status != http.StatusCreated {
		t.Errorf("just as large: %d", status)
	}
	kept := h.kept()
	for want, header := range map[int][]string{
		http.StatusForbidden:            {"Origin", "https://evil.example"},
		http.StatusUnsupportedMediaType: {"Content-Type", "multipart/form-data; boundary=x"},
	} {
		if status, _, err := h.upload("x", "x", header...); status != want || err.Message == "" {
			t.Errorf("%v: %d %+v", header, status, err)
		}
	}
	if status, _, _ := h.upload("x", "x", "Origin", "null"); status != http.StatusForbidden {
		t.Errorf("a page without an origin: %d", status)
	}
	if status, _, _ := h.upload("x", "x", "Host", "evil.example"); status != http.StatusForbidden {
		t.Errorf("a name of somebody else's: %d", status)
	}
	if n := h.kept(); n != kept {
		t.Errorf("of what was refused %d messages are in the store", n-kept)
	}
}

// sender is a connection on which a body is sent by hand.
type sender struct {
	net.Conn
	*house
}

func (h *house) sender(header string) *sender {
	h.Helper()
	c, err := net.Dial("tcp", strings.TrimPrefix(h.http.URL, "http://"))
	if err != nil {
		h.Fatal(err)
	}
	h.Cleanup(func() { c.Close() })
	s := &sender{c, h}
	s.say("POST /v1/files?name=x.csv HTTP/1.1\r\nHost: localhost\r\n" + header + "\r\n\r\n")
	return s
}

func (s *sender) say(text string) {
	if _, err := io.WriteString(s.Conn, text); err != nil {
		s.Error(err)
	}
}

func (s *sender) answer() (int, string) {
	s.Helper()
	res, err := http.ReadResponse(bufio.NewReader(s.Conn), nil)
	if err != nil {
		s.Fatal(err)
	}
	body, _ := io.ReadAll(res.Body)
	return res.StatusCode, string(body)
}

// A body of no told length ends at the bound, and nothing of it stays.
func TestEndlessUpload(t *testing.T) {
	h := open(t, gateway.Options{MaxFile: 1 << 20})
	s := h.sender("Transfer-Encoding: chunked")
	go func() {
		for piece := strings.Repeat("x", 1<<16); ; {
			if _, err := fmt.Fprintf(s.Conn, "%x\r\n%s\r\n", len(piece), piece); err != nil {
				return
			}
		}
	}()
	if status, body := s.answer(); status != http.StatusRequestEntityTooLarge || !strings.Contains(body, "larger than 1 MiB") {
		t.Fatalf("%d %s", status, body)
	}
	if n := h.kept(); n != 0 {
		t.Errorf("%d messages are in the store of files", n)
	}
}

// Who is cut off in the middle leaves nothing, with and without a told length.
func TestUploadThatIsCutOff(t *testing.T) {
	h := open(t, gateway.Options{})
	half := strings.Repeat("x", 300_000)
	for _, s := range []*sender{h.sender("Content-Length: 600000\r\n\r\n" + half), h.sender("Transfer-Encoding: chunked\r\n\r\n" + fmt.Sprintf("%x\r\n%s\r\n", len(half), half))} {
		// The body that was announced ends here, but the answer can still be read.
		if err := s.Conn.(*net.TCPConn).CloseWrite(); err != nil {
			t.Fatal(err)
		}
		if status, body := s.answer(); status != http.StatusBadRequest || !strings.Contains(body, "did not arrive whole") {
			t.Errorf("%d %s", status, body)
		}
	}
	if n := h.kept(); n != 0 {
		t.Errorf("%d messages are in the store of files", n)
	}
}

// Sixteen files are taken in at a time; the next is told to come again, and is taken when one has ended.
func TestUploadsAreBounded(t *testing.T) {
	h := open(t, gateway.Options{})
	var under []*sender
	for range 16 {
		// Whoever is asked to go on has a place.
		s := h.sender("Content-Length: 1\r\nExpect: 100-continue")
		line, err := bufio.NewReaderSize(s.Conn, 16).ReadString('\n')
		if err != nil || !strings.Contains(line, "100 Continue") {
			t.Fatalf("%q %v", line, err)
		}
		under = append(under, s)
	}
	if status, _, err := h.upload("x", "x"); status != http.StatusServiceUnavailable || err.Code != bus.CodeBusy || !err.Retryable {
		t.Fatalf("%d %+v", status, err)
	}
	under[0].say("x")
	if line, err := bufio.NewReader(under[0].Conn).ReadString('\n'); err != nil || !strings.Contains(line, "201") && line != "\r\n" {
		t.Fatalf("%q %v", line, err)
	}
	for status := 0; status != http.StatusCreated; { // the place is free a moment after the answer
		if status, _, _ = h.upload("x", "x"); status != http.StatusCreated && status != http.StatusServiceUnavailable {
			t.Fatal(status)
		}
	}
}

// A bus that does not answer is told as such, and the file is not said to be there.
func TestUploadWithoutTheBus(t *testing.T) {
	h := open(t, gateway.Options{})
	h.stopBus()
	if status, _, err := h.upload("x", "x"); status != http.StatusServiceUnavailable || err.Code != bus.CodeUnavailable || !err.Retryable {
		t.Fatalf("%d %+v", status, err)
	}
}

// A task names what was brought; a reference that leads nowhere is a matter of whoever opens it, not of the door.
func TestTaskNamesFiles(t *testing.T) {
	h := open(t, gateway.Options{})
	_, f, _ := h.upload("a.csv", "a,b\n1,2\n")
	for _, ref := range []string{f.Ref, "obj:nobody"} {
		f.Ref = ref
		res, body := h.do("POST", "/v1/tasks", `{"query":"看看","files":[`+jsonOf(f)+`]}`, "Content-Type", "application/json")
		if res.StatusCode != http.StatusAccepted {
			t.Errorf("%s: %s %s", ref, res.Status, body)
		}
	}
}
