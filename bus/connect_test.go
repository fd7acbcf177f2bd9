package bus

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"testing"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

func TestRedact(t *testing.T) {
	for url, want := range map[string]string{
		"":                          "",
		"nats://a:1":                "nats://a:1",
		"nats://SECRET@a:1":         "nats://a:1",
		"nats://user:SECRET@a:1":    "nats://a:1",
		"nats://S@CRET@a:1":         "nats://a:1",
		"SECRET@a:1":                "a:1",
		"user:SECRET@a":             "a",
		"nats://user:SEC/RET#?@a:1": "nats://a:1",
		"nats://SECRET1@a:1, tls://SECRET2@b:1,SECRET3@c,d": "nats://a:1,tls://b:1,c,d",
		"nats://SECRET@": "nats://",
	} {
		if got := Redact(url); got != want {
			t.Errorf("%q is shown as %q, want %q", url, got, want)
		}
	}
}

func FuzzRedact(f *testing.F) {
	f.Add("nats://a@b", "tok:en")
	f.Fuzz(func(t *testing.T, url, secret string) {
		_ = Redact(url)
		if strings.ContainsAny(secret, ",@") || strings.Contains(secret, "://") || strings.HasPrefix(secret, "//") || strings.TrimSpace(secret) != secret {
			t.Skip("these end a secret in a list of URLs, so it is another one")
		}
		if got := Redact("nats://" + secret + "@h:1,x:" + secret + "@i"); got != "nats://h:1,i" {
			t.Errorf("%q", got)
		}
	})
}

// No error of Connect repeats a secret, not even of a URL that cannot be read; and each names the server.
func TestConnectKeepsSecrets(t *testing.T) {
	for _, url := range []string{
		"nats://SECRET@127.0.0.1:1", "nats://SECRET@127.0.0.1:1,nats://SECRET@127.0.0.1:2", "nats://user:SECRET@127.0.0.1:1", "SECRET@127.0.0.1:1",
		"nats://SECRET@127.0.0.1:port", "nats://SECRET%zz@127.0.0.1:1", "nats://user:SECRET#x@127.0.0.1:1", "nats://SECRET/x@127.0.0.1:1",
		"nats://SECRET?x@127.0.0.1:1", "nats://SECRET\x01@127.0.0.1:1", "nats://SECRET@[127.0.0.1:1", "nats://127.0.0.1:1,nats://SEC RET@127.0.0.1:1",
		"ws://SECRET@127.0.0.1:1,nats://SECRET@127.0.0.1:1",
	} {
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		b, err := Connect(ctx, Options{URL: url, Replicas: 1})
		cancel()
		if err == nil {
			b.Close()
			t.Errorf("%q: connected", url)
			continue
		}
		if s := err.Error(); strings.Contains(s, "SEC") || strings.Contains(s, "user") || !strings.Contains(s, "127.0.0.1") {
			t.Errorf("%q: %s", url, s)
		}
	}
}

// What the server forbade before, about something else, is no reason to give up while JetStream does not answer.
func TestAnOldRefusalIsForgotten(t *testing.T) {
	s := must(server.NewServer(&server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, NoSigs: true, Users: []*server.User{{
		Username: "node", Password: "s3cret", Permissions: &server.Permissions{Publish: &server.SubjectPermission{Deny: []string{"forbidden"}}},
	}}}))
	s.Start()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	if !s.ReadyForConnections(patience) {
		t.Fatal("the server does not start")
	}
	ctx, cancel := context.WithCancel(within(t))
	defer cancel()
	waited := false
	b := &Bus{o: Options{URL: "nats://node:s3cret@" + s.Addr().String(), Inbox: "_INBOX_n", Waits: func(error) { waited = true; cancel() }}}
	b.nc = must(nats.Connect(b.o.URL))
	t.Cleanup(b.nc.Close)
	b.js = must(jetstream.New(b.nc))
	must(0, b.nc.Publish("forbidden", nil))
	must(0, b.nc.Flush())
	if !errors.Is(b.nc.LastError(), nats.ErrPermissionViolation) {
		t.Fatal("it was allowed: ", b.nc.LastError())
	}
	if err := b.settleIn(ctx); !waited || err == nil || strings.Contains(err.Error(), "permissions") {
		t.Errorf("waited %v: %v", waited, err)
	}
}

// Who starts while a server ends, which hangs up in the middle of their greeting, waits for the next one as if nobody listened.
func TestWaitsForWhoHangsUp(t *testing.T) {
	for name, linger := range map[string]int{"end of file": -1, "reset": 0, "silence": 1} {
		t.Run(name, func(t *testing.T) {
			l := must(net.Listen("tcp", "127.0.0.1:0"))
			defer l.Close()
			go func() {
				for {
					c, err := l.Accept()
					if err != nil {
						return
					}
					if _, err := c.Write([]byte("INFO {}\r\n")); err == nil {
						_, _ = c.Read(make([]byte, 4096)) // the client is connected, and has more to say
					}
					if name == "silence" { // until the client hangs up
						_, _ = io.Copy(io.Discard, c)
					}
					_ = c.(*net.TCPConn).SetLinger(linger)
					_ = c.Close()
				}
			}()
			ctx, cancel := context.WithCancel(within(t))
			defer cancel()
			waited := ""
			b, err := Connect(ctx, Options{URL: "nats://" + l.Addr().String(), Node: "n", Waits: func(why error) { waited = why.Error(); cancel() }})
			if err == nil {
				b.Close()
				t.Fatal("connected")
			}
			if waited == "" {
				t.Errorf("it gave up at once: %v", err)
			}
		})
	}
}
