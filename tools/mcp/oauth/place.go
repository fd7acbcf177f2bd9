package oauth

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// place is where a server's tokens are given out, as it and its authorization server say.
type place struct {
	resource string   // what tokens are asked for (RFC 8707)
	wants    []string // scopes, that the server says it wants
	issuer   issuer
}

// issuer is what an authorization server says of itself (RFC 8414, and OpenID Connect Discovery).
type issuer struct {
	Issuer    string   `json:"issuer"`
	Authorize string   `json:"authorization_endpoint"`
	Token     string   `json:"token_endpoint"`
	Register  string   `json:"registration_endpoint"`
	Revoke    string   `json:"revocation_endpoint"`
	Methods   []string `json:"token_endpoint_auth_methods_supported"`
	PKCE      []string `json:"code_challenge_methods_supported"`
	Scopes    []string `json:"scopes_supported"`
	Names     bool     `json:"authorization_response_iss_parameter_supported"` // itself in what comes back to us (RFC 9207)
}

// maxIssuers bounds the authorization servers of one server that are looked at.
const maxIssuers = 3

// discover learns where the tokens of a server are given out. hint is what the server said when it refused us (WWW-Authenticate), or "".
func discover(ctx context.Context, web *http.Client, server, hint string) (place, error) {
	at, err := url.Parse(server)
	if err != nil || at.Host == "" {
		return place{}, fmt.Errorf("%.200q is no address", server)
	}
	origin := at.Scheme + "://" + at.Host
	p := place{resource: server, wants: strings.Fields(parameter(hint, "scope"))}
	var told struct {
		Resource string   `json:"resource"`
		Issuers  []string `json:"authorization_servers"`
		Scopes   []string `json:"scopes_supported"`
	}
	candidates := []string{origin + "/.well-known/oauth-protected-resource" + strings.TrimSuffix(at.EscapedPath(), "/"), origin + "/.well-known/oauth-protected-resource"}
	if named := parameter(hint, "resource_metadata"); named != "" {
		candidates = []string{named} // the server is sure of it
	}
	found, err := first(ctx, web, candidates, &told)
	switch {
	case err != nil:
		return place{}, err
	case found && told.Resource != "" && !covers(told.Resource, at):
		return place{}, fmt.Errorf("%s says that it is %.200q, and would get a token that is somebody else's", at.Host, told.Resource)
	case found && told.Resource != "":
		p.resource = told.Resource
	}
	if len(p.wants) == 0 {
		p.wants = told.Scopes
	}
	if len(told.Issuers) == 0 { // as it was before there was RFC 9728: the server gives them out itself
		told.Issuers = []string{origin}
	}
	var errs []error
	for _, name := range told.Issuers[:min(len(told.Issuers), maxIssuers)] {
		if p.issuer, err = introduce(ctx, web, name); err == nil {
			return p, nil
		}
		errs = append(errs, err)
	}
	return place{}, errors.Join(errs...)
}

// introduce asks an authorization server for what it says of itself, and believes it only about itself.
func introduce(ctx context.Context, web *http.Client, name string) (issuer, error) {
	if err := Secure(name); err != nil {
		return issuer{}, fmt.Errorf("the authorization server is %w", err)
	}
	at, err := url.Parse(name)
	if err != nil {
		return issuer{}, err
	}
	root, path := at.Scheme+"://"+at.Host, strings.Trim(at.EscapedPath(), "/")
	candidates := []string{root + "/.well-known/oauth-authorization-server", root + "/.well-known/openid-configuration"}
	if path != "" {
		candidates = []string{candidates[0] + "/" + path, candidates[1] + "/" + path, root + "/" + path + "/.well-known/openid-configuration"}
	}
	var i issuer
	found, err := first(ctx, web, candidates, &i)
	switch {
	case err != nil:
		return i, err
	case !found:
		return i, fmt.Errorf("%s does not say where it gives out tokens", at.Host)
	case strings.TrimSuffix(i.Issuer, "/") != strings.TrimSuffix(name, "/"): // RFC 8414, 3.3
		return i, fmt.Errorf("%s says that it is %.200q, not %.200q: one of them is not who it seems", at.Host, i.Issuer, name)
	}
	for what, where := range map[string]string{"token_endpoint": i.Token, "authorization_endpoint": i.Authorize, "registration_endpoint": i.Register, "revocation_endpoint": i.Revoke} {
		if err := Secure(where); err != nil && (where != "" || what == "token_endpoint") {
			return i, fmt.Errorf("the %s of %s is %w", what, at.Host, err)
		}
	}
	return i, nil
}

// first reads the first of some documents that is there. One that is there and cannot be read is an error, for what comes after it may be
// somebody else's.
func first(ctx context.Context, web *http.Client, addresses []string, into any) (bool, error) {
	for _, address := range slices.Compact(addresses) {
		if err := Secure(address); err != nil {
			return false, fmt.Errorf("what tells where tokens are given out is at %w", err)
		}
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
		if err != nil {
			return false, err
		}
		status, _, err := ask(web, r, into)
		if err != nil {
			return false, err
		}
		if status == http.StatusOK {
			return true, nil
		}
	}
	return false, nil
}

// covers reports whether what a server calls itself is the server's address, or a part of the same site that the address lies in.
func covers(resource string, at *url.URL) bool {
	r, err := url.Parse(resource)
	if err != nil || !strings.EqualFold(r.Scheme, at.Scheme) || !strings.EqualFold(r.Host, at.Host) || r.User != nil || r.Fragment != "" || r.RawQuery != "" && r.RawQuery != at.RawQuery {
		return false
	}
	outer, inner := strings.TrimSuffix(r.EscapedPath(), "/"), strings.TrimSuffix(at.EscapedPath(), "/")
	return outer == inner || strings.HasPrefix(inner, outer+"/")
}

var parameters = regexp.MustCompile(`([A-Za-z_]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))`)

// parameter is one of a WWW-Authenticate header (RFC 9110, 11.6.1); "": it has none of that name.
func parameter(header, name string) string {
	for _, m := range parameters.FindAllStringSubmatch(header, 100) {
		if strings.EqualFold(m[1], name) {
			return cmp.Or(strings.ReplaceAll(m[2], `\`, ""), m[3])
		}
	}
	return ""
}
