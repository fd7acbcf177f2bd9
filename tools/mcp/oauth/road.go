package oauth

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"syscall"
	"time"
	"unicode"

	"github.com/hmap-project/hmap/tools/web"
)

const (
	// askWithin bounds one question to whoever gives out tokens, or says where.
	askWithin  = 20 * time.Second
	dialWithin = 10 * time.Second // of these, to connect
	maxAnswer  = 1 << 20          // bytes
)

// road is the way to those who give out tokens for a server. Where they are a stranger says, so no address of a private network is
// connected to unless the server itself has shown to be in one, and nobody is sent on. It is good as long as ctx is.
func road(ctx context.Context, server string) *http.Client {
	inside := sync.OnceValue(func() error { return isInside(ctx, server, &tls.Dialer{}) })
	return client(func(_ context.Context, _, address string, _ syscall.RawConn) error {
		to, err := netip.ParseAddrPort(address)
		if err != nil {
			return err
		}
		a := to.Addr().Unmap()
		if web.Public(a) {
			return nil
		}
		why := errors.New("nobody's tokens are there")
		if private(a) {
			why = inside()
		}
		if why != nil {
			return fmt.Errorf("%v is in a private network, and %s has no business there: %w", a, hostOf(server), why)
		}
		return nil
	})
}

// own is the way to an address that our own configuration names.
func own() *http.Client { return client(nil) }

// client asks check before it connects to an address; nil: to any.
func client(check func(context.Context, string, string, syscall.RawConn) error) *http.Client {
	d := net.Dialer{Timeout: dialWithin, ControlContext: check}
	return &http.Client{
		Transport: &http.Transport{DialContext: d.DialContext, DisableKeepAlives: true, MaxResponseHeaderBytes: 64 << 10},
		CheckRedirect: func(*http.Request, []*http.Request) error {
			return errors.New("where tokens are given out nobody is sent on")
		},
	}
}

// isInside is an error unless a server is on this machine or in a private network. What a name resolves to is no proof, for whoever owns the
// name says it, and another thing the next time: the server must be connected to there, and show a certificate for its name. Without TLS it is
// inside when its address says itself that it is this machine's; no other plain HTTP is gone on with, see [Secure].
func isInside(ctx context.Context, server string, d *tls.Dialer) error {
	u, err := url.Parse(server)
	if err != nil {
		return err
	}
	if u.Scheme != "https" {
		return Secure(server)
	}
	ctx, cancel := context.WithTimeout(ctx, dialWithin)
	defer cancel()
	c, err := d.DialContext(ctx, "tcp", net.JoinHostPort(u.Hostname(), cmp.Or(u.Port(), "443")))
	if err != nil {
		return fmt.Errorf("that it is inside is not shown: %w", err)
	}
	defer c.Close()
	at, err := netip.ParseAddrPort(c.RemoteAddr().String())
	if err == nil && !private(at.Addr().Unmap()) {
		err = errors.New("it is outside")
	}
	return err
}

// private reports whether an address is of this machine or of a network of an office or a home. Link-local ones are not: clouds tell
// secrets there.
func private(a netip.Addr) bool { return a.IsLoopback() || a.IsPrivate() }

// ask sends a request and reads the answer whole, which must be an object of JSON when the status is a good one.
func ask(web *http.Client, r *http.Request, into any) (status int, body []byte, err error) {
	ctx, cancel := context.WithTimeoutCause(r.Context(), askWithin, fmt.Errorf("%s did not answer within %v", r.URL.Host, askWithin))
	defer cancel()
	r = r.WithContext(ctx)
	r.Header.Set("Accept", "application/json")
	resp, err := web.Do(r)
	if err == nil {
		defer resp.Body.Close()
		body, err = io.ReadAll(io.LimitReader(resp.Body, maxAnswer+1))
	}
	switch {
	case err != nil && ctx.Err() != nil:
		return 0, nil, context.Cause(ctx)
	case err != nil:
		return 0, nil, err
	case len(body) > maxAnswer:
		return 0, nil, fmt.Errorf("the answer of %s is longer than %d bytes", r.URL.Host, maxAnswer)
	case resp.StatusCode/100 == 2:
		if err := json.Unmarshal(body, into); err != nil {
			return 0, nil, fmt.Errorf("the answer of %s cannot be read: %w", r.URL.Host, err)
		}
	}
	return resp.StatusCode, body, nil
}

// newJSON is a request with a body of JSON.
func newJSON(ctx context.Context, at string, body any) (*http.Request, error) {
	text, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, at, bytes.NewReader(text))
	if err == nil {
		r.Header.Set("Content-Type", "application/json")
	}
	return r, err
}

// line is a stranger's text as one line of at most n bytes, without signs that a terminal would obey.
func line(text string, n int) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, "�"))
	text = strings.Join(strings.Fields(text), " ")
	if len(text) > n {
		text = strings.ToValidUTF8(text[:n], "") + "…"
	}
	return text
}
