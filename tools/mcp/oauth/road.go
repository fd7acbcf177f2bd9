package oauth

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"syscall"
	"time"
	"unicode"

	"github.com/hmap-project/hmap/tools/web"
)

const (
	// askWithin bounds one question to whoever gives out tokens, or says where.
	askWithin = 20 * time.Second
	maxAnswer = 1 << 20 // bytes
)

// road is the way to those who give out tokens for a server. Where they are a stranger says, so no address of a private network is
// connected to unless the server itself is in one, and nobody is sent on.
func road(ctx context.Context, server string) *http.Client {
	inside := isInside(ctx, server)
	d := net.Dialer{Timeout: 10 * time.Second, ControlContext: func(_ context.Context, _, address string, _ syscall.RawConn) error {
		to, err := netip.ParseAddrPort(address)
		if a := to.Addr().Unmap(); err == nil && !web.Public(a) && !(inside && (a.IsLoopback() || a.IsPrivate())) {
			err = fmt.Errorf("%v is in a private network, and %s is not: it has no business there", a, hostOf(server))
		}
		return err
	}}
	return &http.Client{
		Transport: &http.Transport{DialContext: d.DialContext, DisableKeepAlives: true, MaxResponseHeaderBytes: 64 << 10},
		CheckRedirect: func(*http.Request, []*http.Request) error {
			return errors.New("where tokens are given out nobody is sent on")
		},
	}
}

// isInside reports whether a server is on this machine or in a private network, as far as its name tells now.
func isInside(ctx context.Context, server string) bool {
	u, err := url.Parse(server)
	if err != nil {
		return false
	}
	all, err := net.DefaultResolver.LookupNetIP(ctx, "ip", u.Hostname())
	for _, a := range all {
		if a = a.Unmap(); !a.IsLoopback() && !a.IsPrivate() {
			return false
		}
	}
	return err == nil && len(all) > 0
}

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
