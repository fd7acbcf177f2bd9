package gateway

import (
	"cmp"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/hmap-project/hmap/bus"
)

// pagePolicy lets the page load what we serve and talk to us, and nothing else; no inline script or style runs.
const pagePolicy = "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// filePolicy makes a browser that shows a file in spite of everything treat it as nobody's page that may do nothing.
const filePolicy = "sandbox; default-src 'none'"

const (
	// bodyWait is for how long a request's body may take to arrive, from its header on.
	bodyWait = 30 * time.Second
	// answerWait is after how long the answer must have been taken: a body, a handler's time, and what is left to read it in. Where an answer can
	// be long, it is for its beginning, see [patient].
	answerWait = bodyWait + thinkWait + 20*time.Second
	// thinkWait is the longest that a handler waits for the bus before it answers that this is unavailable.
	thinkWait = 10 * time.Second
)

// guard stands before every route: it sets the security headers, gives bodies and answers a time, and refuses browsers that were sent here by
// somebody else's page.
func (g *Gateway) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", pagePolicy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("X-Frame-Options", "DENY")
		h.Set("Referrer-Policy", "no-referrer") // the address of the page holds the session's id
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		until := http.NewResponseController(w)
		_ = until.SetWriteDeadline(time.Now().Add(answerWait)) // a WebSocket's ends with the handshake; conn sets its own
		if r.ContentLength != 0 {
			// Only for those that send a body: where nothing is read any more, the server takes a deadline for the end of the request.
			_ = until.SetReadDeadline(time.Now().Add(bodyWait))
		}
		switch {
		case !g.hostAllowed(r):
			fail(w, http.StatusForbidden, &bus.Error{Code: bus.CodeForbidden,
				Message: "this gateway is not known as " + clip(r.Host) + "; use localhost, or allow the origin in its configuration"})
		case !g.originAllowed(r):
			fail(w, http.StatusForbidden, &bus.Error{Code: bus.CodeForbidden,
				Message: "pages of " + clip(cmp.Or(r.Header.Get("Origin"), "another site")) + " may not talk to this gateway; allow the origin in its configuration"})
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// originAllowed lets in programs (which send no Origin), our own pages, and those of the allowed origins. What a foreign page embeds (a picture, a
// script) comes without Origin, too; the browser says so by Sec-Fetch-Site, and only a link that a person follows may come from elsewhere.
func (g *Gateway) originAllowed(r *http.Request) bool {
	origin := r.Header.Get("Origin")
	if origin == "" {
		site := r.Header.Get("Sec-Fetch-Site")
		return site != "cross-site" && site != "same-site" || r.Header.Get("Sec-Fetch-Mode") == "navigate"
	}
	u, err := url.Parse(origin)
	if err == nil && u.Host != "" && strings.EqualFold(u.Host, r.Host) {
		return true
	}
	for _, o := range g.opt.AllowedOrigins {
		if strings.EqualFold(strings.TrimSuffix(o, "/"), origin) {
			return true
		}
	}
	return false
}

// hostAllowed wants a loopback name as Host from those who come over loopback. Without it, a page of evil.example that
// points its own name at 127.0.0.1 (DNS rebinding) would have our origin.
func (g *Gateway) hostAllowed(r *http.Request) bool {
	local, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if !ok {
		return true // no network below, as in httptest.ResponseRecorder
	}
	tcp, ok := local.(*net.TCPAddr)
	if !ok || !tcp.IP.IsLoopback() {
		return true
	}
	name := hostname(r.Host)
	if ip := net.ParseIP(name); strings.EqualFold(name, "localhost") || ip != nil && ip.IsLoopback() {
		return true
	}
	for _, o := range g.opt.AllowedOrigins {
		if u, err := url.Parse(o); err == nil && strings.EqualFold(u.Hostname(), name) {
			return true
		}
	}
	return false
}

// hostname takes the port and the brackets of IPv6 away.
func hostname(hostport string) string {
	return (&url.URL{Host: hostport}).Hostname()
}

func clip(s string) string {
	if len(s) > 100 {
		s = s[:100]
	}
	return strings.ToValidUTF8(s, "?")
}
