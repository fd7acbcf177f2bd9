// Package oauth gets the tokens that a protected server wants: as the program itself (client credentials, or a refresh token that was got
// elsewhere), or for a person who signs in with a browser (authorization code with PKCE). It follows the authorization chapter of MCP:
// RFC 6749, 7591, 7636, 8252, 8414, 8707, 9207 and 9728. The client library has a part of this, which is not used: it makes up addresses
// where a server tells none, asks nobody whether PKCE is understood, does not look at the issuer of an answer, and connects to any address
// that a stranger names.
package oauth

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
)

// ErrLogin: the server takes no request of ours until a person has signed in.
var ErrLogin = errors.New("somebody has to sign in")

// Source gives the token of one server, through all its connections. Safe from many goroutines.
type Source interface {
	// Token is one that is good for a while, and not the one that was just refused ("": none was). "" with no error: there is none, and the
	// server may not want any. [ErrLogin] when only a person can help.
	Token(ctx context.Context, refused string) (string, error)
}

// Client is what we are to those who give out tokens.
type Client struct {
	ID     string `json:"id"`
	Secret string `json:"secret,omitempty"`
	// Post sends the secret in the form, for those who do not read it from the header.
	Post bool `json:"post,omitempty"`
}

// sign puts the client into a request for a token (RFC 6749, 2.3.1).
func (c Client) sign(form url.Values) (header string) {
	switch {
	case c.Secret != "" && !c.Post:
		r := http.Request{Header: http.Header{}}
		r.SetBasicAuth(url.QueryEscape(c.ID), url.QueryEscape(c.Secret))
		return r.Header.Get("Authorization")
	case c.Secret != "":
		form.Set("client_secret", c.Secret)
	}
	form.Set("client_id", c.ID)
	return ""
}

// Secure refuses an address where what is sent could be read by anybody: plain HTTP only to this machine.
func Secure(address string) error {
	u, err := url.Parse(address)
	switch {
	case err != nil || u.Host == "" || u.User != nil || u.Fragment != "" || u.Scheme != "https" && u.Scheme != "http":
		return fmt.Errorf("%.200q: want https:// and a host", address)
	case u.Scheme == "http" && u.Hostname() != "localhost" && u.Hostname() != "127.0.0.1" && u.Hostname() != "::1":
		return fmt.Errorf("%.200q: want https://, for a secret goes there", address)
	}
	return nil
}

func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return "the server"
	}
	return u.Host
}
