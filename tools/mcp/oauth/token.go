package oauth

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

const (
	// tokenEarly is how long before its end a token is replaced; tokenFor is how long one lives that does not say.
	tokenEarly = 30 * time.Second
	tokenFor   = 5 * time.Minute
)

// tokens are what one request for a token brought.
type tokens struct {
	Access  string    `json:"access"`
	Until   time.Time `json:"until"` // a little before its end
	Refresh string    `json:"refresh,omitempty"`
}

// good reports whether the token can be used, and is not the one that was refused.
func (t tokens) good(refused string) bool {
	return t.Access != "" && t.Access != refused && time.Until(t.Until) > 0
}

// refusal is what an authorization server answers instead of a token (RFC 6749, 5.2).
type refusal struct {
	host, code, text string
	status           int
}

func (r *refusal) Error() string {
	return fmt.Sprintf("no token: %s answers %d %s", r.host, r.status, line(r.code+" "+r.text, 300))
}

// final reports whether the same request would be refused again and again.
func (r *refusal) final() bool {
	return slices.Contains([]string{"invalid_grant", "invalid_client", "unauthorized_client"}, r.code)
}

// exchange asks for tokens; a *[refusal] as error when whoever gives them out says no.
func exchange(ctx context.Context, web *http.Client, at string, c Client, form url.Values) (tokens, error) {
	authorization := c.sign(form)
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, at, strings.NewReader(form.Encode()))
	if err != nil {
		return tokens{}, err
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if authorization != "" {
		r.Header.Set("Authorization", authorization)
	}
	var raw json.RawMessage
	status, body, err := ask(web, r, &raw)
	if err != nil {
		return tokens{}, fmt.Errorf("no token: %w", err)
	}
	return readTokens(hostOf(at), status, body)
}

// readTokens reads an answer.
func readTokens(host string, status int, body []byte) (tokens, error) {
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
	case status/100 != 2 || a.Error != "":
		return tokens{}, &refusal{host, a.Error, a.Description, status}
	case err != nil || !sendable(a.Token):
		return tokens{}, fmt.Errorf("no token: the answer of %s has none", host)
	case a.Type != "" && !strings.EqualFold(a.Type, "bearer"):
		return tokens{}, fmt.Errorf("no token: one of type %.40q cannot be used", a.Type)
	}
	lives := tokenFor
	if a.Expires > 0 && a.Expires < 1e9 {
		lives = time.Duration(a.Expires * float64(time.Second))
	}
	return tokens{Access: a.Token, Until: time.Now().Add(lives - min(tokenEarly, lives/2)).UTC(), Refresh: a.Refresh}, nil
}

// sendable reports whether a text can be sent as a token.
func sendable(token string) bool {
	return token != "" && !strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' })
}
