// Package mcp brings the tools of MCP servers (modelcontextprotocol.io) onto the bus. Each server has an actor of its own that keeps it
// connected, over stdio, streamable HTTP or the older server-sent events; each of its tools gets a card, so that planner, approval,
// effect ledger and limits hold for it as for any other. What a server says is a stranger's word: it is bounded, checked and never
// believed where it matters.
package mcp

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"regexp"
	"slices"
	"time"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/tools/mcp/oauth"
)

// Server is one MCP server, as configured. Name, and either Command or URL, must be set.
type Server struct {
	// Name begins the names of its tools: 1 to 24 of a-z 0-9 -, no - at the ends.
	Name string
	// Command and Args start a server that speaks over its standard input and output. Env is NAME=value; besides it the server gets
	// only the variables that any program needs (see childEnv), never our keys.
	Command string
	Args    []string
	Env     []string
	// URL is where a server listens: streamable HTTP, or with SSE the older way of server-sent events. Header is sent with each request.
	URL    string
	SSE    bool
	Header map[string]string
	// Agents may use the tools; their names become tags of the cards.
	Agents []string
	// Tags are words for the planner, on each card besides.
	Tags []string
	// Timeout bounds a call; default 10 s, 1 s to 120 s.
	Timeout time.Duration
	// AtOnce bounds the calls that the server works on at a time; default 8. With 1 a question of the server surely belongs to the call
	// that is under way; with more, one that does not tell whose it is gets no answer while several are.
	AtOnce int
	// Approval overrides what the tools' annotations lead to: bus approval "ask" or "never" for all of them; "": by their effect.
	Approval string
	// Effects overrides the effect of single tools, by their names at the server.
	Effects map[string]bus.Effect
	// Only are the tools that are offered, by their names at the server; none: all, except those in Except.
	Only, Except []string
	// Sampling lets the server ask our model (see [Options.Sample]), at our cost; bounded for each call.
	Sampling bool
	// Roots are the folders that the server is told it may work in, as absolute paths. It is told no more than that: what it can reach
	// is what its process can.
	Roots []string
	// OAuth says how the token for URL is got; nil: by a person who signs in, when the server wants that and Header has no Authorization.
	OAuth *OAuth
	// Single lets one node of those that have the server configured run it, and another one when that ends: for a server that keeps
	// a state of its own.
	Single bool
	// OnRequest servers are used only by requests that name them.
	OnRequest bool

	stranger bool         // its address came with a request
	tokens   oauth.Source // nil: Header is all there is
}

// Options of [Open]; the zero value works.
type Options struct {
	// Refresh is how old a list of tools may become; default 5 minutes.
	Refresh time.Duration
	// Penalty is how long a server is left out in a session where it failed; default 5 minutes.
	Penalty time.Duration
	// MaxTools bounds the tools of one server that are offered; default 256.
	MaxTools int
	// Sample asks a model for a server that wants one, on behalf of the call that is under way; nil: servers are told that there is none.
	Sample func(ctx context.Context, call bus.Request, p Prompt) (Sample, error)
	// Open are the beginnings of addresses at which requests may have servers opened, see [Servers.Open]; none: they may not.
	Open []string
	// Logins is the folder with the tokens of people who signed in (see [Server.Login]); "": nobody can.
	Logins string
	// OpenFor are the agents that may use the tools of such servers.
	OpenFor []string
	// Version of hmap, told to servers.
	Version string
	Log     *slog.Logger // nil: slog.Default()
}

// Prompt is what a server wants a model to answer.
type Prompt struct {
	System   string
	Messages []Message
}

// Message is one turn of a [Prompt]; Role is "user" or "assistant".
type Message struct{ Role, Text string }

// Sample is a model's answer to a [Prompt].
type Sample struct {
	Text, Model string
	Usage       bus.Usage
}

const (
	minTimeout     = time.Second
	maxTimeout     = 120 * time.Second
	defaultTimeout = 10 * time.Second
)

func (o Options) filled() Options {
	o.Refresh = cmp.Or(o.Refresh, 5*time.Minute)
	o.Penalty = cmp.Or(o.Penalty, 5*time.Minute)
	o.MaxTools = cmp.Or(o.MaxTools, 256)
	o.Version = cmp.Or(o.Version, "0")
	if o.Log == nil {
		o.Log = slog.Default()
	}
	return o
}

var serverName = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]{0,22}[a-z0-9])?$`)

// check fills in defaults and says what is wrong.
func (s *Server) check() error {
	s.Timeout = cmp.Or(s.Timeout, defaultTimeout)
	s.AtOnce = cmp.Or(s.AtOnce, 8)
	switch {
	case !serverName.MatchString(s.Name):
		return fmt.Errorf("MCP server %.80q: a name is 1 to 24 of a-z 0-9 -, with no - at its ends", s.Name)
	case (s.Command == "") == (s.URL == ""):
		return fmt.Errorf("MCP server %s: set either command, to start it, or url, where it listens", s.Name)
	case s.Timeout < minTimeout || s.Timeout > maxTimeout:
		return fmt.Errorf("MCP server %s: timeout is %v: want %v to %v", s.Name, s.Timeout, minTimeout, maxTimeout)
	case s.AtOnce < 1:
		return fmt.Errorf("MCP server %s: at_once is %d: want 1 or more", s.Name, s.AtOnce)
	case s.Approval != "" && s.Approval != "ask" && s.Approval != "never":
		return fmt.Errorf("MCP server %s: approval is %.80q: want ask or never, or leave it out", s.Name, s.Approval)
	case s.URL != "":
		if u, err := url.Parse(s.URL); err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
			return fmt.Errorf("MCP server %s: url is %.200q: want http:// or https:// and a host", s.Name, s.URL)
		}
	}
	if err := roots(s.Roots).check(); err != nil {
		return fmt.Errorf("MCP server %s: %w", s.Name, err)
	}
	if s.OAuth != nil {
		if err := s.OAuth.check(s); err != nil {
			return fmt.Errorf("MCP server %s: oauth: %w", s.Name, err)
		}
	}
	for tool, effect := range s.Effects {
		if effect != bus.Read && effect != bus.Idempotent && effect != bus.Unsafe {
			return fmt.Errorf("MCP server %s: the effect of %.80q is %.80q: want read, idempotent or unsafe", s.Name, tool, effect)
		}
	}
	for _, tag := range append(append([]string{}, s.Agents...), s.Tags...) {
		if tag == "" || json.Valid([]byte(tag)) && tag[0] == '"' {
			return errors.New("MCP server " + s.Name + ": an agent or tag is empty")
		}
	}
	return nil
}

// tags are those of each of its cards: who may use it, words, and whose it is.
func (s *Server) tags() []string {
	out := append(append(slices.Clone(s.Agents), s.Tags...), bus.ServerTag(s.Name))
	if s.OnRequest {
		out = append(out, bus.OnRequestTag)
	}
	return out
}

// kind is how the server is reached, for people.
func (s *Server) kind() string {
	switch {
	case s.Command != "":
		return "stdio"
	case s.SSE:
		return "sse"
	}
	return "http"
}
