package oauth

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// Login is how a person signs in with a browser.
type Login struct {
	// Client is what the authorization server knows us as; without an ID we register there (RFC 7591).
	Client Client
	Scopes []string // to ask for; none: what the server says it wants
	// Port of 127.0.0.1 that the browser is sent back to; 0: any that is free, which only some authorization servers let a client do that
	// was registered by hand.
	Port int
	// Show is given the address to open, once.
	Show func(address string)
	// Pasted are addresses that the browser was sent back to on another machine than this; nil: there will be none.
	Pasted <-chan string
	// Within is how long the person has; 0: 5 minutes.
	Within time.Duration
}

// Login signs a person in and keeps the tokens, in the place of older ones. It returns when that is done, the person or the authorization
// server said no, or nobody came back in time. What comes back with another state than ours is told so, and does not end it.
func (k *Kept) Login(ctx context.Context, o Login) error {
	within := cmp.Or(o.Within, 5*time.Minute)
	ctx, cancel := context.WithTimeoutCause(ctx, within, fmt.Errorf("nobody came back from the browser within %v; try again", within))
	defer cancel()
	if err := Secure(k.server); err != nil { // each request would carry the token there
		return fmt.Errorf("the server is at %w", err)
	}
	web := road(ctx, k.server)
	hint, err := k.knock(ctx, web)
	if err != nil {
		return err
	}
	p, err := discover(ctx, web, k.server, hint)
	switch {
	case err != nil:
		return fmt.Errorf("nobody can sign in there: %w", err)
	case p.issuer.Authorize == "":
		return fmt.Errorf("nobody can sign in there: %s has no page for it", p.issuer.Issuer)
	case !slices.Contains(p.issuer.PKCE, "S256"): // the MCP specification: then a client must not go on
		return fmt.Errorf("%s does not say that it protects a sign-in by PKCE with S256, so what comes back could be used by others", p.issuer.Issuer)
	}
	if len(o.Scopes) == 0 {
		o.Scopes = p.wants
		if slices.Contains(p.issuer.Scopes, "offline_access") { // where this is asked for there is a refresh token only then
			o.Scopes = append(slices.Clone(o.Scopes), "offline_access")
		}
	}
	desk, err := listen(ctx, o.Port)
	if err != nil {
		return err
	}
	defer desk.close()
	if o.Client.ID == "" {
		if o.Client, err = register(ctx, web, p.issuer, desk.address, o.Scopes); err != nil {
			return err
		}
	}
	state, verifier := secret(), secret()
	address, err := authorization(p, o, desk.address, state, verifier)
	if err != nil {
		return err
	}
	o.Show(address)
	for {
		back, err := desk.next(ctx, o.Pasted)
		if err != nil {
			return err
		}
		code, final, err := read(back.query, state, p.issuer)
		if err == nil {
			err, final = k.finish(ctx, web, p, o.Client, code, desk.address, verifier), true
		}
		back.answer(err)
		if final || back.byHand {
			return err
		}
	}
}

// knock asks the server for something without a token and gives what it says of where to sign in; "" when it says nothing.
func (k *Kept) knock(ctx context.Context, web *http.Client) (string, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, k.server, strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"ping"}`))
	if err != nil {
		return "", err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	ctx, cancel := context.WithTimeout(ctx, askWithin)
	defer cancel()
	resp, err := web.Do(r.WithContext(ctx))
	if err != nil {
		return "", err
	}
	_ = resp.Body.Close() // an answer may be a stream without end
	return strings.Join(resp.Header.Values("WWW-Authenticate"), ", "), nil
}

// register makes us known to an authorization server (RFC 7591).
func register(ctx context.Context, web *http.Client, i issuer, redirect string, scopes []string) (Client, error) {
	if i.Register == "" {
		return Client{}, fmt.Errorf("%s does not let programs register themselves: register one there by hand, with the redirect address %s, and set oauth.client_id, and --port", i.Issuer, redirect)
	}
	method := "none"
	if len(i.Methods) > 0 && !slices.Contains(i.Methods, method) {
		method = i.Methods[0]
	}
	body := map[string]any{
		"client_name": "hmap", "redirect_uris": []string{redirect}, "grant_types": []string{"authorization_code", "refresh_token"},
		"response_types": []string{"code"}, "token_endpoint_auth_method": method,
	}
	if len(scopes) > 0 {
		body["scope"] = strings.Join(scopes, " ")
	}
	r, err := newJSON(ctx, i.Register, body)
	if err != nil {
		return Client{}, err
	}
	var a struct {
		ID     string `json:"client_id"`
		Secret string `json:"client_secret"`
		Method string `json:"token_endpoint_auth_method"`
	}
	status, said, err := ask(web, r, &a)
	switch {
	case err != nil:
		return Client{}, fmt.Errorf("hmap could not be registered: %w", err)
	case status/100 != 2:
		return Client{}, fmt.Errorf("hmap could not be registered: %s answers %d %s", hostOf(i.Register), status, line(string(said), 300))
	case a.ID == "":
		return Client{}, fmt.Errorf("hmap could not be registered: %s gives no client_id", hostOf(i.Register))
	}
	c := Client{ID: a.ID, Secret: a.Secret}
	switch cmp.Or(a.Method, method) {
	case "none":
		c.Secret = ""
	case "client_secret_post":
		c.Post = true
	case "client_secret_basic":
	default:
		return Client{}, fmt.Errorf("%s wants clients to prove themselves by %.60q, which hmap cannot", i.Issuer, cmp.Or(a.Method, method))
	}
	return c, nil
}

// authorization is the address that the person opens (RFC 6749, 4.1.1; RFC 7636, 4.3).
func authorization(p place, o Login, redirect, state, verifier string) (string, error) {
	at, err := url.Parse(p.issuer.Authorize)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256([]byte(verifier))
	q := at.Query()
	for name, value := range map[string]string{
		"response_type": "code", "client_id": o.Client.ID, "redirect_uri": redirect, "state": state, "resource": p.resource, "scope": strings.Join(o.Scopes, " "),
		"code_challenge": base64.RawURLEncoding.EncodeToString(sum[:]), "code_challenge_method": "S256",
	} {
		if q.Del(name); value != "" {
			q.Set(name, value)
		}
	}
	at.RawQuery = q.Encode()
	return at.String(), nil
}

// read looks at what came back: the code, or why there is none, and whether that is the last word.
func read(q url.Values, state string, i issuer) (code string, final bool, err error) {
	if subtle.ConstantTimeCompare([]byte(q.Get("state")), []byte(state)) != 1 {
		return "", false, errors.New("this is not what was asked for (another state): open the address that hmap printed last")
	}
	if from := q.Get("iss"); from != i.Issuer && (from != "" || i.Names) { // RFC 9207: somebody else's code may not be shown to this one
		return "", true, fmt.Errorf("the answer comes from %.200q, and was asked of %.200q: it is not used", from, i.Issuer)
	}
	if e := q.Get("error"); e != "" {
		return "", true, fmt.Errorf("%s says no: %s", hostOf(i.Issuer), line(e+" "+q.Get("error_description"), 300))
	}
	if code = q.Get("code"); code == "" {
		return "", true, fmt.Errorf("%s sent no code back", hostOf(i.Issuer))
	}
	return code, true, nil
}

// finish exchanges the code for tokens and keeps them.
func (k *Kept) finish(ctx context.Context, web *http.Client, p place, c Client, code, redirect, verifier string) error {
	got, err := exchange(ctx, web, p.issuer.Token, c, url.Values{
		"grant_type": {"authorization_code"}, "code": {code}, "redirect_uri": {redirect}, "code_verifier": {verifier}, "resource": {p.resource},
	})
	if err != nil {
		return err
	}
	unlock, err := k.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	return k.save(&login{Server: k.server, Resource: p.resource, Issuer: p.issuer.Issuer, TokenURL: p.issuer.Token, Revoke: p.issuer.Revoke, Client: c, Tokens: got})
}

// secret is 256 random bits as text.
func secret() string {
	b := make([]byte, 32)
	_, _ = rand.Read(b) // it ends the program rather than fail
	return base64.RawURLEncoding.EncodeToString(b)
}
