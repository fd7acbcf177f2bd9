package oauth

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
)

// Config is how a program without a person before it gets the token for a server: as itself, by client credentials, or from a refresh
// token that a person got for it elsewhere.
type Config struct {
	Client Client
	// TokenURL is where tokens are given out; "": what the server says.
	TokenURL string
	// Refresh, when set, is exchanged for tokens. One that is given in its place is kept until the process ends.
	Refresh string
	Scopes  []string
}

// program is the [Source] of a [Config].
type program struct {
	c      Config
	server string
	turn   chan struct{} // has room for the one who asks for a token

	// Below: only who has the turn.
	now      tokens
	at       string // where tokens are given out
	resource string
}

// Program gets the tokens of a server as c says.
func Program(server string, c Config) Source {
	return &program{c: c, server: server, turn: make(chan struct{}, 1), now: tokens{Refresh: c.Refresh}, at: c.TokenURL, resource: server}
}

// Token asks one at a time, when there is no good one.
func (p *program) Token(ctx context.Context, refused string) (string, error) {
	select {
	case p.turn <- struct{}{}:
		defer func() { <-p.turn }()
	case <-ctx.Done():
		return "", ctx.Err()
	}
	if p.now.good(refused) {
		return p.now.Access, nil
	}
	ctx, cancel := context.WithTimeoutCause(ctx, askWithin, errors.New("no token came in time"))
	defer cancel()
	web := own()
	if p.c.TokenURL == "" {
		web = road(ctx, p.server)
	}
	if p.at == "" {
		found, err := discover(ctx, web, p.server, "")
		if err != nil {
			return "", fmt.Errorf("the server does not say where it gives out tokens; set oauth.token_url: %w", err)
		}
		p.at, p.resource = found.issuer.Token, found.resource
	}
	form := url.Values{"grant_type": {"client_credentials"}}
	if p.now.Refresh != "" {
		form = url.Values{"grant_type": {"refresh_token"}, "refresh_token": {p.now.Refresh}}
	}
	if len(p.c.Scopes) > 0 {
		form.Set("scope", strings.Join(p.c.Scopes, " "))
	}
	form.Set("resource", p.resource) // RFC 8707: a token for this server and no other
	got, err := exchange(ctx, web, p.at, p.c.Client, form)
	if err != nil {
		return "", err
	}
	if got.Refresh == "" || p.now.Refresh == "" { // a program as itself needs none
		got.Refresh = p.now.Refresh
	}
	p.now = got
	return got.Access, nil
}
