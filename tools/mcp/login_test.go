package mcp

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/tools/mcp/oauth"
	"github.com/hmap-project/hmap/tools/mcp/oauth/oauthtest"
)

// guarded is an MCP server that lets in only who signed in, and the office that says who did.
func guarded(t *testing.T) (*oauthtest.Office, Server) {
	t.Helper()
	s := mcpserver.NewMCPServer("guarded", "1", mcpserver.WithToolCapabilities(false))
	s.AddTool(mcp.NewTool("greet", mcp.WithDescription("says good day")), func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return mcp.NewToolResultText("good day"), nil
	})
	o := oauthtest.New(t, mcpserver.NewStreamableHTTPServer(s))
	return o, Server{Name: "guarded", URL: o.Resource, Approval: "never"}
}

// signIn is what a person does with a browser.
func signIn(t *testing.T, s Server, logins string) {
	t.Helper()
	var browser sync.WaitGroup
	err := s.Login(t.Context(), logins, SignIn{Show: func(address string) {
		browser.Go(func() {
			if status, text, err := oauthtest.Browse(address); err != nil || status != http.StatusOK {
				t.Error(status, text, err)
			}
		})
	}})
	browser.Wait()
	if err != nil {
		t.Fatal(err)
	}
}

// A server that wants somebody to sign in says so, with the command; its tools come when somebody has, and go when they sign out or are
// put out, with no restart. Nothing that was not let in is in doubt, or has a penalty.
func TestLogin(t *testing.T) {
	t.Parallel()
	o, s := guarded(t)
	logins := t.TempDir()
	w := newWorld(t, Options{Logins: logins}, s)
	shut := func(s State) bool { return s.State == "login" && s.Tools == 0 }
	if got := w.until("guarded", shut); got.Trouble != "somebody has to sign in: hmap mcp login guarded" {
		t.Errorf("%+v", got)
	}
	if got := w.failing(bus.CodeUnavailable, ControlName("guarded"), `{"action":"refresh"}`); !strings.Contains(got, "hmap mcp login guarded") {
		t.Error(got)
	}
	open := func(s State) bool { return s.State == "up" && s.Tools == 1 }
	for range 2 {
		signIn(t, s, logins)
		w.until("guarded", open) // without a word
		if got := w.ok("guarded__greet", `{}`); got != `"good day"` {
			t.Error(got)
		}
		o.TakeBack(false) // refreshed
		if got := w.ok("guarded__greet", `{}`); got != `"good day"` {
			t.Error(got)
		}
		o.TakeBack(true) // put out
		if got := w.failing(bus.CodeForbidden, "guarded__greet", `{}`); !strings.Contains(got, "did nothing: somebody has to sign in: hmap mcp login guarded") {
			t.Error(got)
		}
		w.until("guarded", shut)
	}
	if penalties, err := w.bus.Penalties(t.Context(), "s1"); err != nil || len(penalties) > 0 {
		t.Errorf("%v %v", penalties, err)
	}
	signIn(t, s, logins)
	if got := w.ok(ControlName("guarded"), `{"action":"refresh"}`); !strings.Contains(got, `"state":"up"`) {
		t.Error(got)
	}
	if there, err := s.Logout(t.Context(), logins); !there || err != nil || len(o.Revoked()) != 1 {
		t.Error(there, err, o.Revoked())
	}
	if got := w.failing(bus.CodeUnavailable, ControlName("guarded"), `{"action":"refresh"}`); !strings.Contains(got, "hmap mcp login guarded") {
		t.Error(got)
	}
	w.until("guarded", shut)
}

// Who has signed in while a refusal was on its way is not told to sign in once more.
func TestSignedInMeanwhile(t *testing.T) {
	t.Parallel()
	o, s := guarded(t)
	asks, refuse := make(chan struct{}), make(chan struct{})
	var refused atomic.Int32
	o.Set(func(r *oauthtest.Rules) {
		r.Refuse = func() {
			if refused.Add(1) == 1 { // signing in asks, too
				close(asks)
				<-refuse
			}
		}
	})
	logins := t.TempDir()
	w := newWorld(t, Options{Logins: logins})
	if err := w.Add(s); err != nil {
		t.Fatal(err)
	}
	<-asks
	signIn(t, s, logins)
	done := make(chan error, 1)
	up := w.all["guarded"]
	up.engine.Send(up.self, refresh{done})
	up.engine.Send(up.self, &begun{err: oauth.ErrLogin}) // what was on its way when somebody signed in
	close(refuse)
	if err := <-done; err != nil {
		t.Error(err)
	}
	if got := w.ok("guarded__greet", `{}`); got != `"good day"` {
		t.Error(got)
	}
}

// Where there is nothing to sign in to, that is said.
func TestNothingToSignInTo(t *testing.T) {
	t.Parallel()
	for want, s := range map[string]Server{
		"is a command": {Name: "a", Command: "x"},
		"is let in by": {Name: "a", URL: "https://x.example/", Header: map[string]string{"authorization": "x"}},
		"(headers":     {Name: "a", URL: "https://x.example/", OAuth: &OAuth{ClientID: "a", ClientSecret: "b"}},
		"want https":   {Name: "a", URL: "http://x.example/", OAuth: &OAuth{Login: true}},
		"a name is":    {Name: "../a", URL: "https://x.example/"},
	} {
		if err := s.Login(t.Context(), t.TempDir(), SignIn{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}

// The token goes to the server's own address, whatever place the server names to post to.
func TestTokenStaysAtHome(t *testing.T) {
	t.Parallel()
	o, s := guarded(t)
	logins := t.TempDir()
	signIn(t, s, logins)
	s.tokens = s.source(logins)
	var sent []string
	road := bearer{roundTrip(func(r *http.Request) (*http.Response, error) {
		sent = append(sent, r.Header.Get("Authorization"))
		return &http.Response{StatusCode: http.StatusOK, Body: http.NoBody}, nil
	}), &s, &conn{}}
	for _, at := range []string{s.URL, "https://elsewhere.example/mcp", strings.Replace(s.URL, "http:", "https:", 1), o.URL + "/messages"} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, at, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := road.RoundTrip(r); err != nil {
			t.Error(err)
		}
	}
	if len(sent) != 4 || sent[0] == "" || sent[1] != "" || sent[2] != "" || sent[3] != sent[0] {
		t.Errorf("%q", sent)
	}
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }
