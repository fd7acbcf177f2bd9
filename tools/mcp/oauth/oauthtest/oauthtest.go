// Package oauthtest is an authorization server for tests, over real HTTP: it registers clients, checks PKCE, gives codes that can be used
// once and tokens that can be refreshed once, and guards a server on the same address. What it says and does can be bent, to see what
// those that believe it do then.
package oauthtest

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
)

// Office is the server. The fields of Rules may be changed while nobody asks, or with [Office.Set].
type Office struct {
	*httptest.Server
	Resource string // the address of what it guards

	mu       sync.Mutex
	rules    Rules
	next     int
	clients  map[string]string     // id → redirect address
	codes    map[string]url.Values // what was asked for with each that was given and not used yet
	access   map[string]bool       // tokens that are taken now
	refresh  map[string]bool
	revoked  []string
	requests []string // "/path form" of each, without secrets made here
}

// Rules are how it behaves; the zero value is as the books say.
type Rules struct {
	Deny      bool                                  // the person says no
	Stale     bool                                  // codes have expired when they come
	NoRefresh bool                                  // gives no refresh token
	Lives     int                                   // seconds that a token lives; 0: 3600
	Broken    bool                                  // the token endpoint answers 503
	Bend      func(path string, doc map[string]any) // changes what it says before it is sent; nil: does not
	Back      func(url.Values)                      // changes what it sends the browser back with; nil: does not
	Refuse    func()                                // is waited for before somebody is told that they are not let in; nil: nothing is
}

// New makes one that guards what is served at /mcp.
func New(t testing.TB, guarded http.Handler) *Office {
	o := &Office{clients: map[string]string{}, codes: map[string]url.Values{}, access: map[string]bool{}, refresh: map[string]bool{}}
	mux := http.NewServeMux()
	mux.HandleFunc("/mcp", func(w http.ResponseWriter, r *http.Request) {
		if !o.admits(strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")) {
			if wait := o.now().Refuse; wait != nil {
				wait()
			}
			w.Header().Set("WWW-Authenticate", `Bearer realm="x, y", resource_metadata="`+o.URL+`/.well-known/oauth-protected-resource/mcp"`)
			http.Error(w, "who are you", http.StatusUnauthorized)
			return
		}
		guarded.ServeHTTP(w, r)
	})
	mux.HandleFunc("/.well-known/oauth-protected-resource/mcp", func(w http.ResponseWriter, r *http.Request) {
		o.say(w, r, http.StatusOK, map[string]any{"resource": o.Resource, "authorization_servers": []string{o.URL}, "scopes_supported": []string{"read", "write"}})
	})
	mux.HandleFunc("/.well-known/oauth-authorization-server", func(w http.ResponseWriter, r *http.Request) {
		o.say(w, r, http.StatusOK, map[string]any{
			"issuer": o.URL, "authorization_endpoint": o.URL + "/authorize?tenant=a", "token_endpoint": o.URL + "/token", "registration_endpoint": o.URL + "/register",
			"revocation_endpoint": o.URL + "/revoke", "code_challenge_methods_supported": []string{"S256"}, "authorization_response_iss_parameter_supported": true,
			"token_endpoint_auth_methods_supported": []string{"none", "client_secret_basic"},
		})
	})
	mux.HandleFunc("/register", o.register)
	mux.HandleFunc("/authorize", o.authorize)
	mux.HandleFunc("/token", o.token)
	mux.HandleFunc("/revoke", o.revoke)
	o.Server = httptest.NewServer(mux)
	o.Resource = o.URL + "/mcp"
	t.Cleanup(o.Close)
	return o
}

// Set changes the rules.
func (o *Office) Set(change func(*Rules)) {
	o.mu.Lock()
	defer o.mu.Unlock()
	change(&o.rules)
}

func (o *Office) now() Rules {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.rules
}

// TakeBack makes all tokens that were given worth nothing, and the refresh tokens, too, when all is set.
func (o *Office) TakeBack(all bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	clear(o.access)
	if all {
		clear(o.refresh)
	}
}

// Requests are what was asked for at a path, as forms, oldest first.
func (o *Office) Requests(path string) []string {
	o.mu.Lock()
	defer o.mu.Unlock()
	var out []string
	for _, r := range o.requests {
		if form, ok := strings.CutPrefix(r, path+" "); ok {
			out = append(out, form)
		}
	}
	return out
}

// Revoked are the tokens that were revoked.
func (o *Office) Revoked() []string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return append([]string{}, o.revoked...)
}

// Browse opens an address as a browser does, going where it is sent on to, and gives the status and text of the page it ends at.
func Browse(address string) (int, string, error) {
	resp, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Get(address)
	if err != nil {
		return 0, "", err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	return resp.StatusCode, string(text), err
}

func (o *Office) admits(token string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.access[token]
}

func (o *Office) say(w http.ResponseWriter, r *http.Request, status int, doc map[string]any) {
	o.mu.Lock()
	bend := o.rules.Bend
	o.mu.Unlock()
	doc = maps.Clone(doc)
	if bend != nil {
		bend(r.URL.Path, doc)
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(doc) // who hung up does not want it
}

// note keeps a request, and gives a number that no other has.
func (o *Office) note(path, form string) int {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.requests = append(o.requests, path+" "+form)
	o.next++
	return o.next
}

func (o *Office) register(w http.ResponseWriter, r *http.Request) {
	text, err := io.ReadAll(r.Body)
	var asked struct {
		Redirect []string `json:"redirect_uris"`
		Method   string   `json:"token_endpoint_auth_method"`
	}
	id := fmt.Sprint("client-", o.note(r.URL.Path, string(text)))
	if err != nil || json.Unmarshal(text, &asked) != nil || len(asked.Redirect) != 1 {
		o.say(w, r, http.StatusBadRequest, map[string]any{"error": "invalid_client_metadata"})
		return
	}
	o.mu.Lock()
	o.clients[id] = asked.Redirect[0]
	o.mu.Unlock()
	o.say(w, r, http.StatusCreated, map[string]any{"client_id": id, "token_endpoint_auth_method": asked.Method})
}

func (o *Office) authorize(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	code := fmt.Sprint("code-", o.note(r.URL.Path, q.Encode()))
	o.mu.Lock()
	defer o.mu.Unlock()
	back, err := url.Parse(q.Get("redirect_uri"))
	if err != nil || o.clients[q.Get("client_id")] != back.String() || q.Get("tenant") != "a" || q.Get("code_challenge_method") != "S256" || q.Get("response_type") != "code" {
		http.Error(w, "this is no request of a client", http.StatusBadRequest)
		return
	}
	answer := url.Values{"state": {q.Get("state")}, "iss": {o.URL}}
	if o.rules.Deny {
		answer.Set("error", "access_denied")
		answer.Set("error_description", "they said \x1b[31mno")
	} else {
		o.codes[code] = q
		answer.Set("code", code)
	}
	if o.rules.Back != nil {
		o.rules.Back(answer)
	}
	back.RawQuery = answer.Encode()
	http.Redirect(w, r, back.String(), http.StatusFound)
}

func (o *Office) token(w http.ResponseWriter, r *http.Request) {
	_ = r.ParseForm() // what cannot be read is not there
	n := o.note(r.URL.Path, r.PostForm.Encode())
	doc, status := o.give(r.PostForm, n)
	o.say(w, r, status, doc)
}

// give answers a request for a token.
func (o *Office) give(f url.Values, n int) (map[string]any, int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	no := func(code string) (map[string]any, int) {
		return map[string]any{"error": code, "error_description": "not\x1b[31m this one"}, http.StatusBadRequest
	}
	if o.rules.Broken {
		return map[string]any{}, http.StatusServiceUnavailable
	}
	switch f.Get("grant_type") {
	case "authorization_code":
		asked, ok := o.codes[f.Get("code")]
		delete(o.codes, f.Get("code"))
		sum := sha256.Sum256([]byte(f.Get("code_verifier")))
		if !ok || o.rules.Stale || asked.Get("code_challenge") != base64.RawURLEncoding.EncodeToString(sum[:]) ||
			asked.Get("redirect_uri") != f.Get("redirect_uri") || asked.Get("client_id") != f.Get("client_id") || f.Get("resource") != o.Resource {
			return no("invalid_grant")
		}
	case "refresh_token":
		if !o.refresh[f.Get("refresh_token")] || o.clients[f.Get("client_id")] == "" {
			return no("invalid_grant")
		}
		delete(o.refresh, f.Get("refresh_token"))
	default:
		return no("unsupported_grant_type")
	}
	token, again := fmt.Sprint("token-", n), fmt.Sprint("refresh-", n)
	o.access[token] = true
	lives := 3600
	if o.rules.Lives > 0 {
		lives = o.rules.Lives
	}
	doc := map[string]any{"access_token": token, "token_type": "Bearer", "expires_in": lives}
	if !o.rules.NoRefresh {
		o.refresh[again] = true
		doc["refresh_token"] = again
	}
	return doc, http.StatusOK
}

func (o *Office) revoke(_ http.ResponseWriter, r *http.Request) {
	_ = r.ParseForm()
	o.note(r.URL.Path, r.PostForm.Encode())
	o.mu.Lock()
	defer o.mu.Unlock()
	o.revoked = append(o.revoked, r.PostForm.Get("token"))
	delete(o.refresh, r.PostForm.Get("token"))
	clear(o.access)
}
