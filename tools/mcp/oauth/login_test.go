package oauth

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/tools/mcp/oauth/oauthtest"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m)
}

// welcome is what is guarded.
var welcome = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("good day")) })

// person signs in at an office with a browser that does with the address what act says.
func person(t *testing.T, k *Kept, o Login, act func(address string)) error {
	t.Helper()
	var browser sync.WaitGroup
	defer browser.Wait()
	o.Show = func(address string) { browser.Go(func() { act(address) }) }
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	return k.Login(ctx, o)
}

// opens follows the address, as a browser does.
func opens(t *testing.T, wants int) func(string) {
	return func(address string) {
		status, text, err := oauthtest.Browse(address)
		if err != nil || status != wants {
			t.Errorf("the browser ended at %d %s %v, want %d", status, text, err, wants)
		}
	}
}

func signedIn(t *testing.T) (*oauthtest.Office, *Kept) {
	t.Helper()
	o := oauthtest.New(t, welcome)
	k := NewKept(filepath.Join(t.TempDir(), "keys"), "office", o.Resource)
	if err := person(t, k, Login{}, opens(t, http.StatusOK)); err != nil {
		t.Fatal(err)
	}
	return o, k
}

// A person signs in: the client registers itself, asks with PKCE for what the server wants, and keeps the tokens where only their owner
// can read them; a token at its end, or one that is refused, is replaced by what the refresh token brings, each of them used once.
func TestLogin(t *testing.T) {
	t.Parallel()
	o, k := signedIn(t)
	asked, err := url.ParseQuery(o.Requests("/authorize")[0])
	if err != nil || asked.Get("scope") != "read write" || asked.Get("resource") != o.Resource || len(asked.Get("state")) < 40 || len(asked.Get("code_challenge")) != 43 {
		t.Errorf("asked for %v", asked)
	}
	info, err := os.Stat(k.path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info.Mode(), err)
	}
	if info, err = os.Stat(filepath.Dir(k.path)); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("%v %v", info.Mode(), err)
	}
	first, err := k.Token(t.Context(), "")
	if err != nil || first == "" {
		t.Fatal(first, err)
	}
	if again, err := k.Token(t.Context(), ""); err != nil || again != first {
		t.Error(again, err)
	}
	got := make([]string, 20) // each in the place of a process of its own
	var all sync.WaitGroup
	for i := range got {
		all.Go(func() {
			var err error
			if got[i], err = NewKept(filepath.Dir(k.path), "office", o.Resource).Token(t.Context(), first); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	for _, g := range got {
		if g != got[0] || g == first {
			t.Errorf("%q, and others %q", g, got[0])
		}
	}
	if n := len(o.Requests("/token")); n != 2 {
		t.Errorf("%d requests for tokens, want 2", n)
	}
	if other, err := NewKept(filepath.Dir(k.path), "office", "https://elsewhere.example/mcp").Token(t.Context(), ""); other != "" || err != nil {
		t.Errorf("the token was given for another address: %q %v", other, err)
	}
	there, err := k.Forget(t.Context())
	if !there || err != nil || len(o.Revoked()) != 1 || k.Mark() != "" {
		t.Error(there, err, o.Revoked())
	}
	if token, err := k.Token(t.Context(), ""); token != "" || err != nil {
		t.Error(token, err)
	}
	if there, err := k.Forget(t.Context()); there || err != nil {
		t.Error(there, err)
	}
}

// A token that lives shortly is got anew before it ends; what fails for a moment costs nothing, and what is refused for good wants the
// person again.
func TestRefresh(t *testing.T) {
	t.Parallel()
	o := oauthtest.New(t, welcome)
	o.Set(func(r *oauthtest.Rules) { r.Lives = 1 })
	k := NewKept(t.TempDir(), "office", o.Resource)
	if err := person(t, k, Login{}, opens(t, http.StatusOK)); err != nil {
		t.Fatal(err)
	}
	o.Set(func(r *oauthtest.Rules) { r.Broken = true })
	last, err := k.Token(t.Context(), "")
	for err == nil { // until it is at its end
		last, err = k.Token(t.Context(), "")
	}
	if errors.Is(err, ErrLogin) || !strings.Contains(err.Error(), "503") || k.Mark() == "" {
		t.Errorf("a server that is down: %v", err)
	}
	o.Set(func(r *oauthtest.Rules) { r.Broken, r.Lives = false, 0 })
	if token, err := k.Token(t.Context(), ""); err != nil || token == last || token == "" {
		t.Error(token, err)
	}
	o.TakeBack(true)
	token, err := k.Token(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err = k.Token(t.Context(), token); !errors.Is(err, ErrLogin) || !strings.Contains(err.Error(), "invalid_grant") || strings.ContainsRune(err.Error(), 0x1b) || k.Mark() != "" {
		t.Errorf("refused for good: %v", err)
	}

	o.Set(func(r *oauthtest.Rules) { r.NoRefresh = true })
	if err := person(t, k, Login{}, opens(t, http.StatusOK)); err != nil {
		t.Fatal(err)
	}
	if token, err = k.Token(t.Context(), ""); err != nil {
		t.Fatal(err)
	}
	if _, err = k.Token(t.Context(), token); !errors.Is(err, ErrLogin) {
		t.Errorf("without a refresh token: %v", err)
	}
}

// What a browser brings back is believed only when it is the answer to what was asked, of whom it was asked.
func TestLoginRefused(t *testing.T) {
	t.Parallel()
	for want, c := range map[string]struct {
		rules func(*oauthtest.Rules)
		page  int
	}{
		"says no: access_denied they said [31mno": {func(r *oauthtest.Rules) { r.Deny = true }, 400},
		"invalid_grant":                       {func(r *oauthtest.Rules) { r.Stale = true }, 400},
		"answers 503":                         {func(r *oauthtest.Rules) { r.Broken = true }, 400},
		"comes from \"https://liar.example\"": {func(r *oauthtest.Rules) { r.Back = func(q url.Values) { q.Set("iss", "https://liar.example") } }, 400},
		"comes from \"\"":                     {func(r *oauthtest.Rules) { r.Back = func(q url.Values) { q.Del("iss") } }, 400},
		"sent no code":                        {func(r *oauthtest.Rules) { r.Back = func(q url.Values) { q.Del("code") } }, 400},
	} {
		t.Run(want, func(t *testing.T) {
			t.Parallel()
			o := oauthtest.New(t, welcome)
			o.Set(c.rules)
			k := NewKept(t.TempDir(), "office", o.Resource)
			err := person(t, k, Login{}, opens(t, c.page))
			if err == nil || !strings.Contains(err.Error(), want) || strings.ContainsRune(err.Error(), 0x1b) || k.Mark() != "" {
				t.Error(err)
			}
		})
	}
}

// Somebody else's return does not end a sign-in and is not believed; nor does any other request to the port.
func TestLoginDisturbed(t *testing.T) {
	t.Parallel()
	o := oauthtest.New(t, welcome)
	k := NewKept(t.TempDir(), "office", o.Resource)
	err := person(t, k, Login{}, func(address string) {
		u, err := url.Parse(address)
		if err != nil {
			t.Error(err)
			return
		}
		back := u.Query().Get("redirect_uri")
		for at, want := range map[string]int{back + "?code=mine&state=guess": 400, back + "?code=mine": 400, back: 400, back + "?error=access_denied": 400, back + "/x": 404} {
			opens(t, want)(at)
		}
		opens(t, http.StatusOK)(address)
	})
	if err != nil || len(o.Requests("/token")) != 1 {
		t.Error(err, o.Requests("/token"))
	}
}

// The browser may be on another machine: the address it ends at is brought by hand. A code that was used is worth nothing.
func TestLoginByHand(t *testing.T) {
	t.Parallel()
	o := oauthtest.New(t, welcome)
	k := NewKept(t.TempDir(), "office", o.Resource)
	pasted, ended := make(chan string), ""
	err := person(t, k, Login{Pasted: pasted}, func(address string) {
		elsewhere := http.Client{Transport: &http.Transport{DisableKeepAlives: true}, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
		resp, err := elsewhere.Get(address)
		if err != nil {
			t.Error(err)
			return
		}
		_ = resp.Body.Close()
		ended = resp.Header.Get("Location")
		pasted <- "hello"
		pasted <- "  " + ended + "\n"
	})
	if token, got := k.Token(t.Context(), ""); err != nil || got != nil || token == "" {
		t.Fatal(err, got)
	}
	again := make(chan string, 1)
	again <- ended
	if err := k.Login(t.Context(), Login{Pasted: again, Show: func(string) {}}); err == nil || !strings.Contains(err.Error(), "state") {
		t.Errorf("an old address: %v", err)
	}
}

// Nobody comes back: it ends, with what to do.
func TestLoginNobody(t *testing.T) {
	t.Parallel()
	o := oauthtest.New(t, welcome)
	k := NewKept(t.TempDir(), "office", o.Resource)
	shown := make(chan string, 1)
	closed := make(chan string)
	close(closed)
	if err := k.Login(t.Context(), Login{Within: 300 * time.Millisecond, Pasted: closed, Show: func(a string) { shown <- a }}); err == nil || !strings.Contains(err.Error(), "nobody came back") {
		t.Error(err)
	}
	u, err := url.Parse(<-shown)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := oauthtest.Browse(u.Query().Get("redirect_uri")); err == nil {
		t.Error("the port is still open")
	}
}

// Who is registered by hand needs no registration, and one that is not wanted without it is told what to do.
func TestLoginRegistered(t *testing.T) {
	t.Parallel()
	o := oauthtest.New(t, welcome)
	without := func(r *oauthtest.Rules) {
		r.Bend = func(path string, doc map[string]any) {
			if strings.HasSuffix(path, "authorization-server") {
				delete(doc, "registration_endpoint")
			}
		}
	}
	k := NewKept(t.TempDir(), "office", o.Resource)
	o.Set(without)
	if err := k.Login(t.Context(), Login{}); err == nil || !strings.Contains(err.Error(), "oauth.client_id") {
		t.Error(err)
	}
	busy := httptest.NewServer(welcome)
	defer busy.Close()
	u, err := url.Parse(busy.URL)
	if err != nil {
		t.Fatal(err)
	}
	port := 0
	for _, c := range u.Port() {
		port = port*10 + int(c-'0')
	}
	if err := k.Login(t.Context(), Login{Port: port}); err == nil || !strings.Contains(err.Error(), "--port") {
		t.Error(err)
	}
	asked := ""
	err = k.Login(t.Context(), Login{Client: Client{ID: "by hand", Secret: "s"}, Scopes: []string{"all"}, Within: 300 * time.Millisecond, Show: func(a string) { asked = a }})
	if err == nil || !strings.Contains(asked, "client_id=by+hand") || !strings.Contains(asked, "scope=all") || len(o.Requests("/register")) != 0 {
		t.Error(err, asked)
	}
}

// A file that was damaged, or a lock whose holder is gone, ends nothing for good.
func TestKeptDamaged(t *testing.T) {
	t.Parallel()
	o, k := signedIn(t)
	token, err := k.Token(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	other, err := bus.LockFile(k.path+".lock", false)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := k.Token(ctx, token); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("somebody else is at it: %v", err)
	}
	if there, err := k.Forget(ctx); !there || !errors.Is(err, context.DeadlineExceeded) || k.Mark() == "" { // who has the lock would bring the tokens back
		t.Errorf("signed out while somebody gets a new token: %v %v", there, err)
	}
	if err := other.Close(); err != nil {
		t.Fatal(err)
	}
	// The file of a lock is left there, as by a process that died; it locks nobody out.
	if again, err := k.Token(t.Context(), token); err != nil || again == token {
		t.Errorf("%q %v", again, err)
	}
	if err := os.WriteFile(k.path, []byte(`{"server":`), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := k.Token(t.Context(), ""); !errors.Is(err, ErrLogin) {
		t.Error(err)
	}
	if err := person(t, k, Login{}, opens(t, http.StatusOK)); err != nil || len(o.Requests("/token")) != 3 {
		t.Error(err, o.Requests("/token"))
	}
}
