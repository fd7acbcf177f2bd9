package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/client/transport"
)

// OAuth is how a program without a person before it gets the token for a server: as itself, by client credentials, or from a refresh
// token that a person got for it elsewhere.
type OAuth struct {
	// TokenURL is where tokens are given out; "": what the server says (RFC 9728 and 8414).
	TokenURL               string
	ClientID, ClientSecret string
	// RefreshToken, when set, is exchanged for tokens. One that the server gives in its place is kept until the process ends.
	RefreshToken string
	Scopes       []string
}

const (
	tokenWithin = 20 * time.Second
	// tokenEarly is how long before its end a token is replaced; tokenFor is how long one lives that does not say.
	tokenEarly = 30 * time.Second
	tokenFor   = 5 * time.Minute
	maxToken   = 1 << 20 // bytes of an answer with a token
)

func (o *OAuth) check(s *Server) error {
	switch {
	case s.URL == "":
		return errors.New("it is for a url, and this server is a command")
	case o.ClientID == "":
		return errors.New("client_id is missing")
	case o.ClientSecret == "" && o.RefreshToken == "":
		return errors.New("set client_secret, or refresh_token")
	}
	for name := range s.Header {
		if strings.EqualFold(name, "Authorization") {
			return errors.New("headers has Authorization already; keep one of the two")
		}
	}
	if o.TokenURL != "" {
		return secure(o.TokenURL)
	}
	return nil
}

// secure refuses to send a secret where anybody could read it: over plain HTTP only to this machine.
func secure(address string) error {
	u, err := url.Parse(address)
	switch {
	case err != nil || u.Host == "" || u.User != nil || u.Scheme != "https" && u.Scheme != "http":
		return fmt.Errorf("token_url is %.200q: want https:// and a host", address)
	case u.Scheme == "http" && u.Hostname() != "localhost" && u.Hostname() != "127.0.0.1" && u.Hostname() != "::1":
		return fmt.Errorf("token_url is %.200q: want https://, for a secret goes there", address)
	}
	return nil
}

// grant holds the token of a server, through all its connections. Safe from many goroutines.
type grant struct {
	o      *OAuth
	server string
	turn   chan struct{} // has room for the one who asks for a token

	// Below: only who has the turn.
	token   string
	until   time.Time
	refresh string
	at      string // where tokens are given out
}

func newGrant(o *OAuth, server string) *grant {
	return &grant{o: o, server: server, turn: make(chan struct{}, 1), refresh: o.RefreshToken, at: o.TokenURL}
}

// get gives a token that is good for a while; not the one that was just refused.
func (g *grant) get(ctx context.Context, web *http.Client, refused string) (string, error) {
	select {
	case g.turn <- struct{}{}:
		defer func() { <-g.turn }()
	case <-ctx.Done():
		return "", ctx.Err()
	}
	if g.token != "" && g.token != refused && time.Until(g.until) > 0 {
		return g.token, nil
	}
	ctx, cancel := context.WithTimeout(ctx, tokenWithin)
	defer cancel()
	if err := g.find(ctx, web); err != nil {
		return "", err
	}
	form := url.Values{"grant_type": {"client_credentials"}}
	if g.refresh != "" {
		form = url.Values{"grant_type": {"refresh_token"}, "refresh_token": {g.refresh}}
	}
	if len(g.o.Scopes) > 0 {
		form.Set("scope", strings.Join(g.o.Scopes, " "))
	}
	form.Set("resource", g.server) // RFC 8707: a token for this server and no other
	if g.o.ClientSecret == "" {
		form.Set("client_id", g.o.ClientID)
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, g.at, strings.NewReader(form.Encode()))
	if err != nil {
		return "", err
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Accept", "application/json")
	if g.o.ClientSecret != "" {
		r.SetBasicAuth(url.QueryEscape(g.o.ClientID), url.QueryEscape(g.o.ClientSecret)) // RFC 6749 2.3.1
	}
	resp, err := web.Do(r)
	if err != nil {
		return "", fmt.Errorf("no token: %w", err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxToken))
	if err != nil {
		return "", fmt.Errorf("no token: %w", err)
	}
	return g.take(resp.StatusCode, body)
}

// find learns where tokens are given out.
func (g *grant) find(ctx context.Context, web *http.Client) error {
	if g.at != "" {
		return nil
	}
	h := transport.NewOAuthHandler(transport.OAuthConfig{ClientID: g.o.ClientID, HTTPClient: web})
	h.SetBaseURL(g.server)
	told, err := h.GetServerMetadata(ctx)
	if err != nil {
		return fmt.Errorf("the server does not say where it gives out tokens; set oauth.token_url: %w", err)
	}
	if err := secure(told.TokenEndpoint); err != nil {
		return fmt.Errorf("the server gives out tokens where they are not safe: %w", err)
	}
	g.at = told.TokenEndpoint
	return nil
}

// take reads an answer.
func (g *grant) take(status int, body []byte) (string, error) {
	var a struct {
		Token       string  `json:"access_token"`
		Type        string  `json:"token_type"`
		Refresh     string  `json:"refresh_token"`
		Expires     float64 `json:"expires_in"`
		Error       string  `json:"error"`
		Description string  `json:"error_description"`
	}
	err := json.Unmarshal(body, &a)
	switch {
	case status != http.StatusOK || a.Error != "":
		return "", fmt.Errorf("no token: %s answers %d %s", hostOf(g.at), status, line(a.Error+" "+a.Description, 300))
	case err != nil || a.Token == "" || strings.ContainsFunc(a.Token, func(r rune) bool { return r <= ' ' || r > '~' }):
		return "", fmt.Errorf("no token: the answer of %s has none", hostOf(g.at))
	case a.Type != "" && !strings.EqualFold(a.Type, "bearer"):
		return "", fmt.Errorf("no token: one of type %.40q cannot be used", a.Type)
	}
	lives := tokenFor
	if a.Expires > 0 && a.Expires < 1e9 {
		lives = time.Duration(a.Expires * float64(time.Second))
	}
	g.token, g.until = a.Token, time.Now().Add(lives-min(tokenEarly, lives/2))
	if a.Refresh != "" && g.refresh != "" {
		g.refresh = a.Refresh
	}
	return g.token, nil
}

func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return "the server"
	}
	return u.Host
}

// bearer puts the token on each request, and gets another one when it is refused, once.
type bearer struct {
	http.RoundTripper
	grant *grant
}

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	web := &http.Client{Transport: b.RoundTripper, CheckRedirect: func(*http.Request, []*http.Request) error {
		return errors.New("where tokens are given out nobody is sent on")
	}}
	refused := ""
	for {
		token, err := b.grant.get(r.Context(), web, refused)
		if err != nil {
			if r.Body != nil {
				_ = r.Body.Close() // as http.RoundTripper must
			}
			return nil, err
		}
		own := r.Clone(r.Context())
		own.Header.Set("Authorization", "Bearer "+token)
		resp, err := b.RoundTripper.RoundTrip(own)
		if err != nil || resp.StatusCode != http.StatusUnauthorized || refused != "" || r.Body != nil && r.GetBody == nil {
			return resp, err
		}
		if r.GetBody != nil {
			body, err := r.GetBody()
			if err != nil {
				return resp, nil
			}
			r = r.Clone(r.Context())
			r.Body = body
		}
		_ = resp.Body.Close() // what it says of the refusal the next one will say again
		refused = token
	}
}
