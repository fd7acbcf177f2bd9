package configs

import (
	"errors"
	"fmt"
	"maps"
	"net/url"
	"os"
	"regexp"
	"slices"
	"time"
)

// MCP are the MCP servers whose tools agents may use, and when they are offered.
type MCP struct {
	// Refresh is how old a list of tools may become; Penalty how long a server that failed in a session is left out there; Wait how long
	// a start waits for servers to come up.
	Refresh time.Duration        `yaml:"refresh"`
	Penalty time.Duration        `yaml:"penalty"`
	Wait    time.Duration        `yaml:"wait"`
	Servers map[string]MCPServer `yaml:"servers"`
	// Open are the beginnings of addresses that requests may name in mcp_servers; none: requests name configured servers only.
	Open []string `yaml:"open"`
	// Scenes bound which tools are offered for what: a server that a scene names is offered only in its scenes.
	Scenes map[string]Scene `yaml:"scenes"`
}

// MCPServer is one of them: started by Command, or reached at URL.
type MCPServer struct {
	Command   string            `yaml:"command"`
	Args      []string          `yaml:"args"`
	Env       map[string]string `yaml:"env"`
	URL       string            `yaml:"url"`
	Transport string            `yaml:"transport"` // of url: http (default) or sse
	Headers   map[string]string `yaml:"headers"`
	Agents    []string          `yaml:"agents"` // default: toolbox
	Tags      []string          `yaml:"tags"`
	Timeout   time.Duration     `yaml:"timeout"` // of a call; 0: 10 s
	AtOnce    int               `yaml:"at_once"` // calls; 0: 8
	Approval  string            `yaml:"approval"`
	Effects   map[string]string `yaml:"effects"`
	Only      []string          `yaml:"only"`
	Except    []string          `yaml:"except"`
	Sampling  bool              `yaml:"sampling"`
	Roots     []string          `yaml:"roots"`  // folders
	Single    bool              `yaml:"single"` // one node of all runs it
	OAuth     *MCPOAuth         `yaml:"oauth"`  // of url
	OnRequest bool              `yaml:"on_request"`
}

// MCPOAuth is how a token is got for a server: by client credentials, from a refresh token, or by a person who signs in.
type MCPOAuth struct {
	Login        bool     `yaml:"login"`     // hmap mcp login; the rest but client and scopes is for the others
	TokenURL     string   `yaml:"token_url"` // "": what the server says
	ClientID     string   `yaml:"client_id"`
	ClientSecret string   `yaml:"client_secret"`
	RefreshToken string   `yaml:"refresh_token"`
	Scopes       []string `yaml:"scopes"`
}

// Scene is a kind of request, and the servers whose tools belong to it.
type Scene struct {
	Servers []string `yaml:"servers"`
	Words   []string `yaml:"words"`   // any of these in the request
	Outputs []string `yaml:"outputs"` // or one of these wanted at the end: text, html, ppt, table, docs
}

var variable = regexp.MustCompile(`\$\{([A-Za-z_][A-Za-z0-9_]*)\}`)

// check fills in what the environment holds, for keys are not written into files, and says what is wrong.
func (m *MCP) check() error {
	var errs []error
	bad := func(format string, a ...any) { errs = append(errs, fmt.Errorf(format, a...)) }
	if m.Refresh < time.Second || m.Penalty < time.Second || m.Wait < 0 {
		bad("mcp.refresh and mcp.penalty must be 1s or more, mcp.wait 0s or more")
	}
	for _, name := range slices.Sorted(maps.Keys(m.Servers)) {
		s := m.Servers[name]
		fill := func(key, text string) string {
			return variable.ReplaceAllStringFunc(text, func(ref string) string {
				v, ok := os.LookupEnv(ref[2 : len(ref)-1])
				if !ok {
					bad("mcp.servers.%s.%s wants the environment variable %s, which is not set", name, key, ref[2:len(ref)-1])
				}
				return v
			})
		}
		s.Command, s.URL = fill("command", s.Command), fill("url", s.URL)
		s.Args = slices.Clone(s.Args)
		for i := range s.Args {
			s.Args[i] = fill("args", s.Args[i])
		}
		s.Env, s.Headers = maps.Clone(s.Env), maps.Clone(s.Headers)
		for k, v := range s.Env {
			s.Env[k] = fill("env", v)
		}
		for k, v := range s.Headers {
			s.Headers[k] = fill("headers", v)
		}
		if s.OAuth != nil {
			o := *s.OAuth
			o.TokenURL, o.ClientID = fill("oauth.token_url", o.TokenURL), fill("oauth.client_id", o.ClientID)
			o.ClientSecret, o.RefreshToken = fill("oauth.client_secret", o.ClientSecret), fill("oauth.refresh_token", o.RefreshToken)
			s.OAuth = &o
		}
		if len(s.Agents) == 0 {
			s.Agents = []string{"toolbox"}
		}
		if s.Transport != "" && s.Transport != "http" && s.Transport != "sse" {
			bad("mcp.servers.%s.transport is %q: want http or sse", name, s.Transport)
		}
		m.Servers[name] = s
	}
	for _, address := range m.Open {
		if u, err := url.Parse(address); err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
			bad("mcp.open has %q: want http:// or https://, a host, and a path if not all of it is meant", address)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(m.Scenes)) {
		scene := m.Scenes[name]
		if len(scene.Servers) == 0 || len(scene.Words)+len(scene.Outputs) == 0 {
			bad("mcp.scenes.%s: want servers, and words or outputs", name)
		}
		for _, server := range scene.Servers {
			if _, ok := m.Servers[server]; !ok {
				bad("mcp.scenes.%s names the server %q, which is not among mcp.servers", name, server)
			}
		}
		for _, o := range scene.Outputs {
			if !slices.Contains([]string{"text", "html", "ppt", "table", "docs"}, o) {
				bad("mcp.scenes.%s.outputs has %q: want text, html, ppt, table or docs", name, o)
			}
		}
	}
	return errors.Join(errs...)
}
