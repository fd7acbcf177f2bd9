package bus

import (
	"context"
	"strings"
	"testing"
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
			t.Skip() // these end a secret in a list of URLs, so it is another one
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
