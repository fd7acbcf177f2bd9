package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"
)

// office is an MCP server that lets in who has a token, and the place where tokens are given out.
type office struct {
	*httptest.Server
	mu      sync.Mutex
	given   int
	good    string // the token that is taken now
	refresh string // the refresh token that is taken now
	forms   []string
	answer  string // instead of a token
}

func newOffice(t *testing.T, refresh string) *office {
	o := &office{refresh: refresh}
	s := mcpserver.NewMCPServer("office", "1", mcpserver.WithToolCapabilities(false))
	s.AddTool(mcp.NewTool("greet", mcp.WithDescription("says good day")), func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return mcp.NewToolResultText("good day"), nil
	})
	inside := mcpserver.NewStreamableHTTPServer(s)
	mux := http.NewServeMux()
	mux.HandleFunc("/mcp", func(w http.ResponseWriter, r *http.Request) {
		o.mu.Lock()
		ok := o.good != "" && r.Header.Get("Authorization") == "Bearer "+o.good
		o.mu.Unlock()
		if !ok {
			http.Error(w, "who are you", http.StatusUnauthorized)
			return
		}
		inside.ServeHTTP(w, r)
	})
	mux.HandleFunc("/.well-known/oauth-protected-resource/mcp", func(w http.ResponseWriter, _ *http.Request) {
		tell(w, map[string]any{"resource": o.URL + "/mcp", "authorization_servers": []string{o.URL}})
	})
	mux.HandleFunc("/.well-known/oauth-authorization-server", func(w http.ResponseWriter, _ *http.Request) {
		tell(w, map[string]any{"issuer": o.URL, "authorization_endpoint": o.URL + "/authorize", "token_endpoint": o.URL + "/token", "response_types_supported": []string{"code"}})
	})
	mux.HandleFunc("/token", o.token)
	o.Server = httptest.NewServer(mux)
	t.Cleanup(o.Close)
	return o
}

func tell(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v) // who hung up does not want it
}

func (o *office) token(w http.ResponseWriter, r *http.Request) {
	o.mu.Lock()
	defer o.mu.Unlock()
	_ = r.ParseForm()
	id, secret, _ := r.BasicAuth()
	o.forms = append(o.forms, r.Form.Encode())
	switch {
	case o.answer != "":
		fmt.Fprint(w, o.answer)
		return
	case id != "hmap" || secret != "s3 cret" && secret != "s3+cret",
		r.Form.Get("grant_type") == "refresh_token" && r.Form.Get("refresh_token") != o.refresh:
		w.WriteHeader(http.StatusBadRequest)
		tell(w, map[string]any{"error": "invalid_grant", "error_description": "not\x1b[31m you"})
		return
	}
	o.given++
	o.good = fmt.Sprintf("token-%d", o.given)
	out := map[string]any{"access_token": o.good, "token_type": "Bearer", "expires_in": 3600}
	if o.refresh != "" {
		o.refresh = fmt.Sprintf("refresh-%d", o.given)
		out["refresh_token"] = o.refresh
	}
	tell(w, out)
}

// A token is got as the program itself, or from a refresh token, where the server says or the configuration does; one that is taken
// back is replaced once, and so is the refresh token.
func TestOAuth(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, refresh string
		found         bool
	}{{"itself", "", false}, {"itself, found", "", true}, {"refresh", "refresh-0", true}} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			o := newOffice(t, c.refresh)
			config := Server{Name: "office", URL: o.URL + "/mcp", OAuth: &OAuth{ClientID: "hmap", ClientSecret: "s3 cret", RefreshToken: c.refresh, Scopes: []string{"read", "write"}}}
			if !c.found {
				config.OAuth.TokenURL = o.URL + "/token"
			}
			w := newWorld(t, Options{}, config)
			if got := w.ok("office__greet", `{}`); !strings.Contains(got, "good day") {
				t.Error(got)
			}
			for range 2 {
				o.mu.Lock()
				o.good = "" // taken back
				o.mu.Unlock()
				if got := w.ok("office__greet", `{}`); !strings.Contains(got, "good day") {
					t.Error(got)
				}
			}
			o.mu.Lock()
			defer o.mu.Unlock()
			if o.given != 3 {
				t.Errorf("%d tokens, want 3: %v", o.given, o.forms)
			}
			for _, form := range o.forms {
				if !strings.Contains(form, "scope=read+write") || !strings.Contains(form, "resource=") || strings.Contains(form, "cret") {
					t.Error(form)
				}
			}
		})
	}
}

// What goes wrong is told in words, without secrets, and nothing is sent where it could be read.
func TestNoToken(t *testing.T) {
	t.Parallel()
	o := newOffice(t, "")
	config := Server{Name: "office", URL: o.URL + "/mcp", OAuth: &OAuth{ClientID: "hmap", ClientSecret: "wrong", TokenURL: o.URL + "/token"}}
	w := newWorld(t, Options{}, config)
	s := w.until("office", func(s State) bool { return s.State == "down" })
	if !strings.Contains(s.Trouble, "invalid_grant not [31m you") || strings.Contains(s.Trouble, "wrong") {
		t.Error(s.Trouble)
	}
	for _, bad := range []Server{
		{Name: "a", Command: "x", OAuth: &OAuth{ClientID: "a", ClientSecret: "b"}},
		{Name: "a", URL: "https://x.example/", OAuth: &OAuth{ClientSecret: "b"}},
		{Name: "a", URL: "https://x.example/", OAuth: &OAuth{ClientID: "a"}},
		{Name: "a", URL: "https://x.example/", OAuth: &OAuth{Login: true, RefreshToken: "a"}},
		{Name: "a", URL: "https://x.example/", OAuth: &OAuth{ClientID: "a", ClientSecret: "b", TokenURL: "http://x.example/token"}},
		{Name: "a", URL: "https://x.example/", OAuth: &OAuth{ClientID: "a", ClientSecret: "b", TokenURL: "file:///token"}},
		{Name: "a", URL: "https://x.example/", OAuth: &OAuth{ClientID: "a", ClientSecret: "b"}, Header: map[string]string{"authorization": "x"}},
	} {
		if err := bad.check(); err == nil || !strings.Contains(err.Error(), "oauth") {
			t.Errorf("%+v: %v", bad.OAuth, err)
		}
	}
}
