package mcp

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/hmap-project/hmap/tools/mcp/oauth"
)

// OAuth is how the token for a server is got: by the program itself, with a client secret or a refresh token, or by a person.
type OAuth struct {
	// Login leaves it to a person who signs in with a browser, see [Server.Login].
	Login bool
	// TokenURL is where the program gets its tokens; "": what the server says (RFC 9728 and 8414).
	TokenURL string
	// ClientID and ClientSecret are what the authorization server knows us as; with Login they may be left out where programs can
	// register themselves.
	ClientID, ClientSecret string
	// RefreshToken, when set, is exchanged for tokens. One that is given in its place is kept until the process ends.
	RefreshToken string
	Scopes       []string
}

func (o *OAuth) check(s *Server) error {
	switch {
	case s.URL == "":
		return errors.New("it is for a url, and this server is a command")
	case o.Login && (o.RefreshToken != "" || o.TokenURL != ""):
		return errors.New("login is for a person: leave out refresh_token and token_url")
	case !o.Login && o.ClientID == "":
		return errors.New("client_id is missing; or set login, for a person to sign in")
	case !o.Login && o.ClientSecret == "" && o.RefreshToken == "":
		return errors.New("set client_secret, or refresh_token, or login, for a person to sign in")
	case s.authorized():
		return errors.New("headers has Authorization already; keep one of the two")
	case o.TokenURL != "":
		if err := oauth.Secure(o.TokenURL); err != nil {
			return fmt.Errorf("token_url is %w", err)
		}
	}
	return nil
}

// authorized reports whether the configuration itself brings what lets us in.
func (s *Server) authorized() bool {
	for name := range s.Header {
		if strings.EqualFold(name, "Authorization") {
			return true
		}
	}
	return false
}

// source is where the tokens for a server come from; nil: it gets none. logins is the folder of those who signed in.
func (s *Server) source(logins string) oauth.Source {
	if o := s.OAuth; o != nil && !o.Login {
		return oauth.Program(s.URL, oauth.Config{Client: oauth.Client{ID: o.ClientID, Secret: o.ClientSecret}, TokenURL: o.TokenURL, Refresh: o.RefreshToken, Scopes: o.Scopes})
	}
	if kept := s.kept(logins); kept != nil {
		return kept
	}
	return nil
}

// kept is where the tokens of a person are; nil: nobody can sign in there.
func (s *Server) kept(logins string) *oauth.Kept {
	if s.URL == "" || s.authorized() || logins == "" || s.stranger || s.OAuth != nil && !s.OAuth.Login {
		return nil
	}
	return oauth.NewKept(logins, s.Name, s.URL)
}

// SignIn is how a person is reached, see [oauth.Login].
type SignIn struct {
	Port   int           // of this machine that the browser is sent back to; 0: any
	Show   func(string)  // is given the address to open
	Pasted <-chan string // addresses that the browser was sent back to on another machine
}

// Login signs a person in to the server and keeps the tokens in a folder, whose servers use them from then on. It returns when that is
// done, or with an error that says why it is not.
func (s Server) Login(ctx context.Context, logins string, how SignIn) error {
	kept, err := s.person(logins)
	if err != nil {
		return err
	}
	l := oauth.Login{Port: how.Port, Show: how.Show, Pasted: how.Pasted}
	if s.OAuth != nil {
		l.Client, l.Scopes = oauth.Client{ID: s.OAuth.ClientID, Secret: s.OAuth.ClientSecret}, s.OAuth.Scopes
	}
	return kept.Login(ctx, l)
}

// Logout revokes the tokens of who signed in, where that is offered, and removes them; false: nobody had signed in.
func (s Server) Logout(ctx context.Context, logins string) (bool, error) {
	kept, err := s.person(logins)
	if err != nil {
		return false, err
	}
	return kept.Forget(ctx)
}

func (s *Server) person(logins string) (*oauth.Kept, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	kept := s.kept(logins)
	switch {
	case kept != nil:
		return kept, nil
	case s.URL == "":
		return nil, fmt.Errorf("the MCP server %s is a command: there is nothing to sign in to", s.Name)
	}
	return nil, fmt.Errorf("the MCP server %s is let in by what the configuration says (headers, oauth): there is nothing to sign in to", s.Name)
}

// signIn are the words that tell a person what to do.
func (s *Server) signIn() string { return "somebody has to sign in: hmap mcp login " + s.Name }

// signed marks who is signed in at the server now; "": nobody, or nobody can be.
func (s *server) signed() string {
	if kept, ok := s.config.tokens.(*oauth.Kept); ok {
		return kept.Mark()
	}
	return ""
}

// barred reports whether to try again is of no use yet: somebody has to sign in, and has not. Once in a while the server is asked all the
// same, for it may have changed its mind.
func (s *server) barred() bool {
	return s.face.Load().State.State == "login" && s.signed() == s.mark && time.Since(s.tried) < restartMost
}

// bearer puts the token on each request to the server, and gets another one when it is refused, once.
type bearer struct {
	http.RoundTripper
	server *Server
	conn   *conn
}

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	if home, err := url.Parse(b.server.URL); err != nil || home.Host != r.URL.Host || home.Scheme != r.URL.Scheme { // a server may name another place to post to
		return b.RoundTripper.RoundTrip(r)
	}
	_, person := b.server.tokens.(*oauth.Kept)
	refused := ""
	for {
		token, err := b.server.tokens.Token(r.Context(), refused)
		if err != nil {
			if errors.Is(err, oauth.ErrLogin) {
				b.conn.barred.Store(true)
			}
			if r.Body != nil {
				_ = r.Body.Close() // as http.RoundTripper must
			}
			return nil, err
		}
		own := r.Clone(r.Context())
		if token != "" {
			own.Header.Set("Authorization", "Bearer "+token)
		}
		resp, err := b.RoundTripper.RoundTrip(own)
		if err != nil || resp.StatusCode != http.StatusUnauthorized {
			return resp, err
		}
		if token == "" || refused != "" { // no other one will be had
			if person {
				_ = resp.Body.Close()
				b.conn.barred.Store(true)
				return nil, oauth.ErrLogin
			}
			return resp, nil
		}
		if r.Body != nil && r.GetBody == nil {
			return resp, nil
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
