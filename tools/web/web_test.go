package web

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/tools/web/read"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// loopback are the networks that the tests' own servers are in.
var loopback = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128")}

func fetcher(t *testing.T, o Options) *Fetcher {
	t.Helper()
	f := New(o)
	t.Cleanup(f.Close)
	return f
}

func serve(t *testing.T, h http.HandlerFunc) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s
}

func TestFetch(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/old":
			http.Redirect(w, r, "/page#part", http.StatusMovedPermanently)
		case "/page":
			w.Header().Set("Content-Type", "text/html")
			_, _ = io.WriteString(w, `<html><head><meta charset="gbk"><title>`+"\xb1\xea\xcc\xe2"+`</title></head><body><p>`+"\xd5\xfd\xce\xc4"+` <a href="/b">b</a></p></body></html>`)
		default:
			http.NotFound(w, r)
		}
		if r.Header.Get("Cookie") != "" || r.Header.Get("Referer") != "" {
			t.Errorf("headers: %v", r.Header)
		}
	})
	f := fetcher(t, Options{Allow: loopback})
	p, err := f.Fetch(t.Context(), s.URL+"/old", true)
	if err != nil || p.Title != "标题" || p.Markdown != "正文 [b]("+s.URL+"/b)" || p.URL != s.URL+"/page" {
		t.Errorf("%+v %v", p, err)
	}
	if _, err := f.Fetch(t.Context(), s.URL+"/none", false); !errors.Is(err, ErrStatus) {
		t.Error(err)
	}
}

// None of these is connected to, by whatever name or redirect it is reached.
func TestGuard(t *testing.T) {
	var reached atomic.Int32
	s := serve(t, func(http.ResponseWriter, *http.Request) { reached.Add(1) })
	port := s.Listener.Addr().(*net.TCPAddr).Port
	f := fetcher(t, Options{NoRobots: true, Time: 5 * time.Second})
	for _, address := range []string{
		s.URL, "http://localhost:" + strconv.Itoa(port), "http://[::1]:" + strconv.Itoa(port), "http://[::ffff:127.0.0.1]:" + strconv.Itoa(port), "http://2130706433:" + strconv.Itoa(port), "http://0x7f000001:" + strconv.Itoa(port),
		"http://0:" + strconv.Itoa(port), "http://0.0.0.0:" + strconv.Itoa(port), "http://127.1:" + strconv.Itoa(port),
		"http://169.254.169.254/latest/meta-data/", "http://[fe80::1]/", "http://[fd00:ec2::254]/", "http://[64:ff9b::7f00:1]/", "http://10.0.0.1/", "http://192.168.0.1/", "http://172.16.0.1/", "http://100.64.0.1/",
		"http://224.0.0.1/", "http://255.255.255.255/", "http://[2002:7f00:1::]/", "http://[2001:0:7f00:1::]/", "http://[ff02::1]/", "http://198.18.0.1/",
		"http://8.8.8.8:22/", "http://8.8.8.8:25/",
		"file:///etc/passwd", "gopher://127.0.0.1/", "http://user:password@8.8.8.8/", "http:///x", "javascript:alert(1)", "http:8.8.8.8", "ftp://8.8.8.8/",
	} {
		_, err := f.Fetch(t.Context(), address, false)
		var lookup *net.DNSError // names that only look like an address are looked up, and are none
		if !errors.Is(err, ErrForbidden) && !errors.As(err, &lookup) {
			t.Errorf("%s: %v", address, err)
		}
	}
	if _, err := fetcher(t, Options{}).Fetch(t.Context(), s.URL, false); !errors.Is(err, ErrForbidden) {
		t.Errorf("with robots.txt: %v", err)
	}
	if reached.Load() != 0 {
		t.Error("the server on loopback was reached")
	}
}

// A page that may be fetched leads to one that may not.
func TestRedirectInside(t *testing.T) {
	inner := []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}
	for _, to := range []string{"http://169.254.169.254/latest", "http://127.0.0.2:1/", "file:///etc/passwd", "http://a:b@127.0.0.1/"} {
		s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", to)
			w.WriteHeader(http.StatusFound)
		})
		if _, err := fetcher(t, Options{Allow: inner, NoRobots: true, Time: 5 * time.Second}).Fetch(t.Context(), s.URL, false); !errors.Is(err, ErrForbidden) {
			t.Errorf("%s: %v", to, err)
		}
	}
	var hops atomic.Int32
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		hops.Add(1)
		http.Redirect(w, r, "/again", http.StatusFound)
	})
	if _, err := fetcher(t, Options{Allow: inner, NoRobots: true}).Fetch(t.Context(), s.URL, false); !errors.Is(err, ErrStatus) || hops.Load() != maxRedirects+1 {
		t.Errorf("%v after %d hops", err, hops.Load())
	}
}

// A name that is a public address when somebody asks first, and ours when it is dialled.
func TestRebinding(t *testing.T) {
	var reached, asked atomic.Int32
	s := serve(t, func(http.ResponseWriter, *http.Request) { reached.Add(1) })
	resolver := names(t, func() netip.Addr {
		if asked.Add(1) == 1 {
			return netip.MustParseAddr("93.184.215.14")
		}
		return netip.MustParseAddr("127.0.0.1")
	})
	if got, err := resolver.LookupNetIP(t.Context(), "ip4", "rebind.example"); err != nil || !Public(got[0]) {
		t.Fatal(got, err)
	}
	f := fetcher(t, Options{Resolver: resolver, NoRobots: true, Time: 5 * time.Second})
	_, err := f.Fetch(t.Context(), "http://rebind.example:"+strconv.Itoa(s.Listener.Addr().(*net.TCPAddr).Port), false)
	if !errors.Is(err, ErrForbidden) || reached.Load() != 0 || asked.Load() < 2 {
		t.Errorf("%v; asked %d times, reached %d times", err, asked.Load(), reached.Load())
	}
}

// names is a resolver whose server gives any name the address that answer says.
func names(t *testing.T, answer func() netip.Addr) *net.Resolver {
	t.Helper()
	listen, err := net.ListenPacket("udp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var served sync.WaitGroup
	served.Go(func() {
		buffer := make([]byte, 512)
		for {
			n, from, err := listen.ReadFrom(buffer)
			if err != nil {
				return
			}
			query := buffer[:n]
			reply := append([]byte{}, query[:2]...)
			end := 12
			for query[end] != 0 {
				end += int(query[end]) + 1
			}
			question := query[12 : end+5]
			kind := binary.BigEndian.Uint16(question[len(question)-4:])
			reply = append(reply, 0x81, 0x80, 0, 1, 0, byte(kind%2), 0, 0, 0, 0) // one answer for A, none for AAAA
			reply = append(reply, question...)
			if kind == 1 {
				address := answer().As4()
				reply = append(reply, 0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4)
				reply = append(reply, address[:]...)
			}
			_, _ = listen.WriteTo(reply, from)
		}
	})
	t.Cleanup(func() {
		_ = listen.Close()
		served.Wait()
	})
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, "udp4", listen.LocalAddr().String())
	}}
}

// Bodies that do harm: they end, within their bounds.
func TestHostilePages(t *testing.T) {
	zeros := func(w io.Writer, n int) {
		block := bytes.Repeat([]byte("0 "), 1<<15)
		for range n >> 16 {
			if _, err := w.Write(block); err != nil {
				return
			}
		}
	}
	wait := func(r *http.Request) { <-r.Context().Done() }
	for name, c := range map[string]struct {
		serve http.HandlerFunc
		want  error // nil: it is read, and cut
	}{
		"endless text": {func(w http.ResponseWriter, _ *http.Request) { zeros(w, 1<<30) }, nil},
		"gzip bomb": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/plain")
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			zeros(z, maxPage+1<<20)
			_ = z.Close()
		}, nil},
		"endless file": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/pdf")
			zeros(w, 1<<30)
		}, ErrLarge},
		"zip bomb": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/vnd.openxmlformats-officedocument.wordprocessingml.document")
			z := zip.NewWriter(w)
			part, err := z.Create("word/document.xml")
			if err == nil {
				_, _ = io.WriteString(part, "<w:document>")
				run := []byte("<w:p><w:r><w:t>" + strings.Repeat("0 ", 1<<15) + "</w:t></w:r></w:p>")
				for range 1 << 6 {
					_, _ = part.Write(run)
				}
				_ = z.Close()
			}
		}, nil},
		"no end of header": {func(w http.ResponseWriter, r *http.Request) { wait(r) }, context.DeadlineExceeded},
		"drop by drop": {func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			_, _ = io.WriteString(w, strings.Repeat("<p>x", 2000))
			w.(http.Flusher).Flush()
			wait(r)
		}, context.DeadlineExceeded},
		"picture": {func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Content-Type", "image/png") }, ErrType},
		"program": {func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("\x7fELF\x02\x01\x01\x00\x00")) }, ErrType},
		"false PDF": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/pdf")
			_, _ = io.WriteString(w, "no")
		}, read.ErrUnreadable},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			within := 500 * time.Millisecond
			if c.want != context.DeadlineExceeded {
				within = time.Minute
			}
			s := serve(t, c.serve)
			p, err := fetcher(t, Options{Allow: loopback, NoRobots: true, Time: within}).Fetch(t.Context(), s.URL+"/x", false)
			if c.want == nil && (err != nil || !p.Cut || len(p.Markdown) > maxPage) || c.want != nil && !errors.Is(err, c.want) {
				t.Errorf("%v, %d bytes, cut %v", err, len(p.Markdown), p.Cut)
			}
		})
	}
}

func TestCancel(t *testing.T) {
	reached := make(chan struct{})
	s := serve(t, func(_ http.ResponseWriter, r *http.Request) {
		close(reached)
		<-r.Context().Done()
	})
	ctx, cancel := context.WithCancelCause(t.Context())
	mine := errors.New("mine")
	go func() {
		<-reached
		cancel(mine)
	}()
	if _, err := fetcher(t, Options{Allow: loopback, NoRobots: true}).Fetch(ctx, s.URL, false); !errors.Is(err, mine) {
		t.Error(err)
	}
}

func TestObeysRobots(t *testing.T) {
	var robots, pages atomic.Int32
	status := atomic.Int32{}
	status.Store(http.StatusOK)
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			robots.Add(1)
			w.WriteHeader(int(status.Load()))
			_, _ = io.WriteString(w, "User-agent: *\nDisallow: /private\nAllow: /private/open\n")
			return
		}
		if r.URL.Path == "/away" {
			http.Redirect(w, r, "/private/x", http.StatusFound)
			return
		}
		pages.Add(1)
		_, _ = io.WriteString(w, "text")
	})
	f := fetcher(t, Options{Allow: loopback})
	for path, allowed := range map[string]bool{"/a": true, "/private/x": false, "/private/open": true, "/away": false} {
		if _, err := f.Fetch(t.Context(), s.URL+path, false); (err == nil) != allowed || !allowed && !errors.Is(err, ErrRobots) {
			t.Errorf("%s: %v", path, err)
		}
	}
	if robots.Load() != 1 || pages.Load() != 2 {
		t.Errorf("asked for robots.txt %d times, for pages %d times", robots.Load(), pages.Load())
	}
	for code, allowed := range map[int32]bool{http.StatusNotFound: true, http.StatusServiceUnavailable: false} {
		status.Store(code)
		if _, err := fetcher(t, Options{Allow: loopback}).Fetch(t.Context(), s.URL+"/private/x", false); (err == nil) != allowed {
			t.Errorf("robots.txt with status %d: %v", code, err)
		}
	}
	if _, err := fetcher(t, Options{Allow: loopback, NoRobots: true}).Fetch(t.Context(), s.URL+"/private/x", false); err != nil {
		t.Error(err)
	}
}

func TestParseRobots(t *testing.T) {
	for _, c := range []struct {
		text, path string
		forbidden  bool
	}{
		{"", "/x", false},
		{"User-agent: *\nDisallow: /", "/x", true},
		{"User-agent: *\nDisallow: /", "/robots.txt", false},
		{"User-agent: *\nDisallow:", "/x", false},
		{"User-agent: other\nDisallow: /", "/x", false},
		{"User-agent: other\nUser-agent: HMAP/2.0 # us\nDisallow: /x\n\nUser-agent: *\nDisallow: /", "/y", false},
		{"User-agent: other\nUser-agent: HMAP/2.0 # us\nDisallow: /x\n\nUser-agent: *\nDisallow: /", "/x1", true},
		{"User-agent: *\r\nDisallow: /*.pdf$", "/a/b.pdf", true},
		{"User-agent: *\nDisallow: /*.pdf$", "/a/b.pdf?x", false},
		{"User-agent: *\nDisallow: /a*c*e", "/abcde", true},
		{"User-agent: *\nDisallow: /a*c*e$", "/abcdef", false},
		{"User-agent: *\nDisallow: /a\nAllow: /a", "/a", false},
		{"\xef\xbb\xbfUser-agent: *\nDisallow: x?y=1", "/x?y=12", true},
		{"Disallow: /", "/x", false},
		{"User-agent: *\nDisallow: /" + strings.Repeat("*a", 900) + "$", "/" + strings.Repeat("b", 900), false},
	} {
		if got := parseRobots([]byte(c.text), "hmap").forbids(c.path); got != c.forbidden {
			t.Errorf("%.60q: %s: forbidden %v", c.text, c.path, got)
		}
	}
}

func FuzzRobots(f *testing.F) {
	f.Add([]byte("User-agent: *\nDisallow: /*a$\nAllow: /\n"), "/abc?d")
	f.Add([]byte("user-agent:hmap\rdisallow:*"), "")
	f.Fuzz(func(_ *testing.T, text []byte, path string) { parseRobots(text, "hmap").forbids(path) })
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"http://a.b/c?d#e", "example.com", "http://[::1%25eth0]/", "//x", "http://a@b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		u, err := Parse(s)
		if err == nil && (u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.User != nil) {
			t.Errorf("%q is taken: %v", s, u)
		}
	})
}

func TestFileName(t *testing.T) {
	for title, want := range map[string]string{
		"a/b\\c": "a b c.md", "": "page.md", "...": "page.md", " 空气炸锅 ": "空气炸锅.md", "x\x00y\u202e": "page.md",
		strings.Repeat("长", 300): strings.Repeat("长", 60) + ".md",
	} {
		if got := FileName(title, ".md"); got != want {
			t.Errorf("%q: %q", title, got)
		}
	}
	if got := Clip("ab\n长长长", 7); got != "ab\n长" {
		t.Errorf("%q", got)
	}
}

// Every failure says what can be done, in the language of who asks; a cancelled fetch stays one.
func TestFailuresAreTold(t *testing.T) {
	for is, code := range map[error]string{
		ErrForbidden: bus.CodeInvalidParameter, ErrRobots: bus.CodeForbidden, ErrType: bus.CodeInvalidParameter, ErrLarge: bus.CodeInvalidParameter, ErrStatus: bus.CodeUnavailable,
		read.ErrUnreadable: bus.CodeInvalidParameter, context.DeadlineExceeded: bus.CodeTimeout, errors.New("connection refused"): bus.CodeUnavailable,
	} {
		err := fmt.Errorf("example.com: %w", is)
		var zh, en *bus.Error
		if !errors.As(told(err, "zh"), &zh) || !errors.As(told(err, "en"), &en) || zh.Code != code || en.Code != code || zh.Retryable != (code == bus.CodeTimeout) {
			t.Errorf("%v: %v %v", is, zh, en)
			continue
		}
		if !strings.Contains(zh.Message, "请") || !strings.Contains(zh.Message, is.Error()) || !strings.Contains(en.Message, "address") || strings.ContainsFunc(en.Message, func(r rune) bool { return r > 0x2e80 }) {
			t.Errorf("%s\n%s", zh.Message, en.Message)
		}
	}
	if !errors.Is(told(context.Canceled, "zh"), context.Canceled) {
		t.Error("a cancelled fetch is told as a failure")
	}
}
