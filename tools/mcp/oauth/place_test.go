package oauth

import (
	"crypto/tls"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/hmap-project/hmap/tools/mcp/oauth/oauthtest"
)

const (
	ofResource = "/.well-known/oauth-protected-resource/mcp"
	ofIssuer   = "/.well-known/oauth-authorization-server"
)

// What a server says of where to sign in is believed only as far as it concerns itself, and nobody is led into the dark by it: not to plain
// HTTP, not under another name, not to who does not protect the code.
func TestLiesOfPlaces(t *testing.T) {
	t.Parallel()
	for want, bend := range map[string]func(path string, doc map[string]any){
		"a token that is somebody else's": func(p string, d map[string]any) { set(p, ofResource, d, "resource", "https://bank.example/mcp") },
		"says that it is \"https://bank":  func(p string, d map[string]any) { set(p, ofIssuer, d, "issuer", "https://bank.example") },
		"says that it is \"\"":            func(p string, d map[string]any) { set(p, ofIssuer, d, "issuer", "") },
		"for a secret goes there":         func(p string, d map[string]any) { set(p, ofIssuer, d, "token_endpoint", "http://shop.example/token") },
		"authorization_endpoint of":       func(p string, d map[string]any) { set(p, ofIssuer, d, "authorization_endpoint", "javascript:alert(1)") },
		"registration_endpoint of":        func(p string, d map[string]any) { set(p, ofIssuer, d, "registration_endpoint", "file:///etc/passwd") },
		"revocation_endpoint of":          func(p string, d map[string]any) { set(p, ofIssuer, d, "revocation_endpoint", "https://a:b@x.example/") },
		"token_endpoint of":               func(p string, d map[string]any) { set(p, ofIssuer, d, "token_endpoint", "") },
		"has no page for it":              func(p string, d map[string]any) { set(p, ofIssuer, d, "authorization_endpoint", "") },
		"PKCE": func(p string, d map[string]any) {
			set(p, ofIssuer, d, "code_challenge_methods_supported", []string{"plain"})
		},
		"the authorization server is \"ftp": func(p string, d map[string]any) {
			set(p, ofResource, d, "authorization_servers", []string{"ftp://x", "gopher://y", "http://169.254.169.254", "https://never.example"})
		},
		"cannot be read": func(p string, d map[string]any) { set(p, ofIssuer, d, "issuer", 7) },
		"is longer than": func(p string, d map[string]any) { set(p, ofIssuer, d, "x", strings.Repeat("x", 2*maxAnswer)) },
	} {
		t.Run(want, func(t *testing.T) {
			t.Parallel()
			o := oauthtest.New(t, welcome)
			o.Set(func(r *oauthtest.Rules) { r.Bend = bend })
			k := NewKept(t.TempDir(), "office", o.Resource)
			if err := k.Login(t.Context(), Login{}); err == nil || !strings.Contains(err.Error(), want) {
				t.Error(err)
			}
			if len(o.Requests("/register"))+len(o.Requests("/token")) > 0 {
				t.Error("it went on")
			}
		})
	}
}

func set(path, at string, doc map[string]any, name string, value any) {
	if path == at {
		doc[name] = value
	}
}

// A public server that names a place in our own network, or sends us on to one, gets nobody there.
func TestNoWayInside(t *testing.T) {
	t.Parallel()
	reached := make(chan string, 100)
	inside := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		reached <- r.URL.Path
		_, _ = w.Write([]byte(`{"issuer":"x"}`))
	}))
	defer inside.Close()
	outside := road(t.Context(), "http://outside.example/mcp") // as it is for a server that is not in a private network
	if _, err := introduce(t.Context(), outside, inside.URL); err == nil || !strings.Contains(err.Error(), "has no business there") {
		t.Error(err)
	}
	away := httptest.NewServer(http.RedirectHandler(inside.URL+"/moved", http.StatusFound))
	defer away.Close()
	if _, err := introduce(t.Context(), road(t.Context(), away.URL), away.URL); err == nil || !strings.Contains(err.Error(), "nobody is sent on") {
		t.Error(err)
	}
	for _, at := range []string{"http://169.254.169.254/x", "http://[fe80::1]/x", "http://0.0.0.0/x"} { // nobody's authorization server
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, at, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := ask(road(t.Context(), inside.URL), r, new(any)); err == nil || !strings.Contains(err.Error(), "has no business there") {
			t.Errorf("%s: %v", at, err)
		}
	}
	select {
	case path := <-reached:
		t.Errorf("%s was reached", path)
	default:
	}
}

// Whose name resolves into our network is not inside for that: it has to be connected to there, and to be who it says. The certificate is for
// 127.0.0.1, and localhost is a name that leads to it.
func TestNamesThatLeadInside(t *testing.T) {
	t.Parallel()
	s := httptest.NewTLSServer(welcome)
	defer s.Close()
	trusting := &tls.Dialer{Config: s.Client().Transport.(*http.Transport).TLSClientConfig}
	at := strings.TrimPrefix(s.URL, "https://127.0.0.1")
	for _, c := range []struct {
		server string
		by     *tls.Dialer
		inside bool
	}{
		{s.URL + "/mcp", trusting, true}, {"https://localhost" + at, trusting, false}, {s.URL, &tls.Dialer{}, false}, {"http://localhost:1/mcp", trusting, true},
		{"http://[::1]:1/mcp", trusting, true}, {"http://intranet:1/mcp", trusting, false}, {"https://127.0.0.1:1/", trusting, false}, {"https://%zz", trusting, false}, {"", trusting, false},
	} {
		if err := isInside(t.Context(), c.server, c.by); (err == nil) != c.inside {
			t.Errorf("%s: %v, want inside to be %v", c.server, err, c.inside)
		}
	}
	reached := make(chan string, 10)
	inside := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { reached <- r.URL.Path }))
	defer inside.Close()
	if _, err := introduce(t.Context(), road(t.Context(), "https://localhost"+at), inside.URL); err == nil || !strings.Contains(err.Error(), "has no business there") {
		t.Error(err)
	}
	if len(reached) > 0 {
		t.Errorf("%s was reached", <-reached)
	}
}

// An issuer that never comes to an end of its answer, or never begins, is given up; so is one that listens and says nothing.
func TestSlowPlaces(t *testing.T) {
	t.Parallel()
	done := make(chan struct{})
	slow := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.(http.Flusher).Flush()
		<-done
	}))
	defer slow.Close()
	defer close(done)
	k := NewKept(t.TempDir(), "slow", slow.URL)
	if err := k.Login(t.Context(), Login{Within: 200 * time.Millisecond}); err == nil || !strings.Contains(err.Error(), "within") {
		t.Error(err)
	}
}

// The documents are looked for where the specifications put them, in their order.
func TestWhereDocumentsLie(t *testing.T) {
	t.Parallel()
	var asked []string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.URL.Path)
		http.NotFound(w, r)
	}))
	defer s.Close()
	if _, err := discover(t.Context(), road(t.Context(), s.URL), s.URL+"/a/mcp", ""); err == nil || !strings.Contains(err.Error(), "does not say") {
		t.Error(err)
	}
	if _, err := introduce(t.Context(), road(t.Context(), s.URL), s.URL+"/tenant/1"); err == nil {
		t.Error("nothing was there")
	}
	if got, want := strings.Join(asked, " "), "/.well-known/oauth-protected-resource/a/mcp /.well-known/oauth-protected-resource "+
		"/.well-known/oauth-authorization-server /.well-known/openid-configuration "+
		"/.well-known/oauth-authorization-server/tenant/1 /.well-known/openid-configuration/tenant/1 /tenant/1/.well-known/openid-configuration"; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}

func TestCovers(t *testing.T) {
	t.Parallel()
	at, err := url.Parse("https://x.example/a/mcp?k=1")
	if err != nil {
		t.Fatal(err)
	}
	for resource, want := range map[string]bool{
		"https://x.example/a/mcp": true, "https://x.example/a/mcp/": true, "https://x.example/a": true, "https://x.example": true, "https://X.example/": true, "https://x.example/a/mcp?k=1": true,
		"https://x.example/a/mc": false, "https://x.example/b": false, "http://x.example/a/mcp": false, "https://x.example:8443/a/mcp": false, "https://y.example/a/mcp": false,
		"https://x.example/a/mcp?k=2": false, "https://x.example/a/mcp#f": false, "https://u@x.example/a/mcp": false, "": false, "\x00": false,
	} {
		if got := covers(resource, at); got != want {
			t.Errorf("%q: %v", resource, got)
		}
	}
}

func TestParameter(t *testing.T) {
	t.Parallel()
	const header = `Bearer realm="a, resource_metadata=\"no\"", error="invalid_token", resource_metadata="https://x.example/\"y", scope=one`
	if got := parameter(header, "resource_metadata"); got != `https://x.example/"y` {
		t.Error(got)
	}
	if got := parameter(header, "Scope"); got != "one" {
		t.Error(got)
	}
	if got := parameter(header, "none"); got != "" {
		t.Error(got)
	}
}

func FuzzParameter(f *testing.F) {
	f.Add(`Bearer realm="a\"b", scope="c d"`, "scope")
	f.Fuzz(func(t *testing.T, header, name string) {
		if got := parameter(header, name); len(got) > len(header) {
			t.Errorf("%q of %q", got, header)
		}
	})
}
