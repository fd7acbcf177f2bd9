// Package mcp makes hmap an MCP server (modelcontextprotocol.io): each agent that takes tasks from users is a tool for other programs.
// Like the rest of the gateway it holds no model and decides nothing: it submits, follows the log and passes on what people say.
package mcp

import (
	"bytes"
	"context"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
	"golang.org/x/net/netutil"

	"github.com/hmap-project/hmap/bus"
)

// Agent is one that takes tasks from users.
type Agent struct {
	Name        string // on the bus; also the tool's
	Description string
}

// Options of [New].
type Options struct {
	Agents  []Agent
	Version string       // of hmap
	Token   string       // over HTTP, who asks must bring it as a bearer; "": nobody needs to, and it must be this machine that asks
	Log     *slog.Logger // nil: slog.Default()
	// Apart reports whether words said while an ask is open are a request of their own, so that they become a task and the ask stays open;
	// nil: they never are.
	Apart func(text string, ask bus.Ask) bool
}

// Server is hmap as an MCP server. Safe from many goroutines.
type Server struct {
	bus   *bus.Bus
	dir   *bus.Directory
	o     Options
	mcp   *server.MCPServer
	asked asked

	bodyWait    time.Duration // for a request's body, from its head on
	connections int           // at a time over HTTP; whoever comes then waits until one goes
}

// New makes a server on the bus; what its tools say of themselves follows the directory while ctx lasts.
func New(ctx context.Context, b *bus.Bus, o Options) (*Server, error) {
	if len(o.Agents) == 0 {
		return nil, errors.New("no agent takes tasks from users (entry: true in its file)")
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	d, err := b.Directory(ctx)
	if err != nil {
		return nil, err
	}
	s := &Server{bus: b, dir: d, o: o, bodyWait: 30 * time.Second, connections: 1024}
	s.mcp = server.NewMCPServer("hmap", o.Version, server.WithToolCapabilities(true), server.WithInputSchemaValidation(), server.WithRecovery(),
		server.WithElicitation(), server.WithLogger(slog.New(slog.DiscardHandler)),
		server.WithInstructions("Each tool is an agent that works on a request in plain language (Chinese or English), with agents and tools of its own. "+
			"Pass the session of an answer to go on with that conversation, or to answer a question that the task waits for."))
	s.offer()
	return s, nil
}

// keep offers the tools anew when agents come or go, until ctx ends.
func (s *Server) keep(ctx context.Context) {
	for {
		changed := s.dir.Changed()
		s.offer()
		select {
		case <-changed:
		case <-ctx.Done():
			return
		}
		select { // many come at the same moment
		case <-time.After(time.Second):
		case <-ctx.Done():
			return
		}
	}
}

// offer makes the tools say what the domain agents that are there can do. When nothing has changed nobody is told.
func (s *Server) offer() {
	var domains []string
	for _, c := range s.dir.Cards() {
		if c.IsAgent() && !slices.ContainsFunc(s.o.Agents, func(a Agent) bool { return a.Name == c.Name }) {
			domains = append(domains, "- "+c.Name+": "+strings.Join(strings.Fields(c.Description), " "))
		}
	}
	var tools []server.ServerTool
	changed := false
	for _, a := range s.o.Agents {
		text := strings.TrimSpace(a.Description)
		if len(domains) > 0 {
			text += "\nIts domains:\n" + strings.Join(domains, "\n")
		}
		if old := s.mcp.GetTool(a.Name); old == nil || old.Tool.Description != text {
			changed = true
		}
		tools = append(tools, server.ServerTool{Handler: s.handler(a.Name), Tool: mcp.NewTool(a.Name, mcp.WithDescription(text),
			mcp.WithString("request", mcp.Required(), mcp.MinLength(1), mcp.Description("What is wanted, in plain language.")),
			mcp.WithString("session", mcp.Pattern("^[A-Za-z0-9_-]{1,64}$"), mcp.Description("The session of an earlier answer, to go on with it. Leave it out for a new conversation.")),
			mcp.WithString("output", mcp.Enum("text", "html", "ppt", "table", "docs"), mcp.Description("What is wanted at the end; default text.")),
			mcp.WithDestructiveHintAnnotation(true), mcp.WithReadOnlyHintAnnotation(false), mcp.WithIdempotentHintAnnotation(false), mcp.WithOpenWorldHintAnnotation(true),
			mcp.WithRawOutputSchema(json.RawMessage(`{"type":"object","required":["status","session","task"],"properties":{
				"status":{"type":"string","enum":["ok","error","cancelled","input_required"]},"answer":{},"session":{"type":"string"},"task":{"type":"string"},
				"question":{"type":"string","description":"what the task waits for; call again with the session and the answer as request"},
				"options":{"type":"array","items":{"type":"string"}},"error":{"type":"object"}}}`)))})
	}
	if changed {
		s.mcp.SetTools(tools...)
	}
}

// errStopping is why calls end when this server does: nobody cancelled them, and their tasks go on.
var errStopping = errors.New("this server stops; the task goes on, and its session has the answer")

// serving is a context that ends with ctx, for errStopping.
func serving(ctx context.Context) (context.Context, context.CancelCauseFunc) {
	own, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() { cancel(errStopping) })
	return own, func(cause error) { stop(); cancel(cause) }
}

// Stdio serves one client over a pair of streams until in ends or ctx does.
func (s *Server) Stdio(ctx context.Context, in io.Reader, out io.Writer) error {
	ctx, cancel := serving(ctx)
	var beside sync.WaitGroup
	beside.Go(func() { s.keep(ctx) })
	defer func() { cancel(nil); beside.Wait() }()
	stdio := server.NewStdioServer(s.mcp)
	stdio.SetErrorLogger(log.New(io.Discard, "", 0))
	err := stdio.Listen(ctx, in, out)
	if errors.Is(err, io.EOF) || errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

// HTTP serves streamable HTTP at /mcp of a listener until ctx ends.
func (s *Server) HTTP(ctx context.Context, l net.Listener) error {
	ctx, cancel := serving(ctx)
	var beside sync.WaitGroup
	beside.Go(func() { s.keep(ctx) })
	defer func() { cancel(nil); beside.Wait() }()
	streams := server.NewStreamableHTTPServer(s.mcp, server.WithStreamableHTTPLogger(slog.New(slog.DiscardHandler)), server.WithSessionIdleTTL(time.Hour))
	mux := http.NewServeMux()
	mux.Handle("/mcp", s.hurried(s.guarded(whole(streams))))
	web := &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute, BaseContext: func(net.Listener) context.Context { return ctx }}
	beside.Go(func() {
		<-ctx.Done()
		end, done := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
		defer done()
		_ = streams.Shutdown(end) // ends its sessions and its sweeper; the listener is ours
		_ = web.Close()           // what is left is a stream that listens
	})
	err := web.Serve(netutil.LimitListener(l, s.connections))
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// maxBody bounds what a client may send, in bytes.
const maxBody = 4 << 20

// hurried gives a request's body a time to arrive; where it does not, the connection ends. Also in front of those who are not let in: the server would wait
// for their bodies before it tells them so.
func (s *Server) hurried(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ContentLength != 0 {
			_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(s.bodyWait))
		}
		next.ServeHTTP(w, r)
	})
}

// whole hands a request on when all of it is here. The time for its body is over then, and the call may take its own.
func whole(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
		var large *http.MaxBytesError
		switch {
		case errors.As(err, &large):
			http.Error(w, fmt.Sprintf("the request has more than %d MiB; put long content in a file", maxBody>>20), http.StatusRequestEntityTooLarge)
			return
		case err != nil:
			http.Error(w, "the request did not arrive whole; send it again", http.StatusRequestTimeout)
			return
		}
		_ = http.NewResponseController(w).SetReadDeadline(time.Time{})
		r.Body = io.NopCloser(bytes.NewReader(body))
		next.ServeHTTP(w, r)
	})
}

// guarded asks for the token. Where there is none, only this machine can reach the listener, but any page in a browser on it could ask: one of another
// origin is refused, and so is one whose own name leads here.
func (s *Server) guarded(next http.Handler) http.Handler {
	if s.o.Token == "" {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			from, err := url.Parse(r.Header.Get("Origin"))
			if err != nil || !here(r.Host) || r.Header.Get("Origin") != "" && !here(from.Host) {
				http.Error(w, "pages of others and other names of this machine are not let in without a token", http.StatusForbidden)
				return
			}
			next.ServeHTTP(w, r)
		})
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		given, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		if !ok || subtle.ConstantTimeCompare([]byte(given), []byte(s.o.Token)) != 1 {
			w.Header().Set("WWW-Authenticate", "Bearer")
			http.Error(w, "bring the token of this server: Authorization: Bearer …", http.StatusUnauthorized)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// here reports whether a host, with or without a port, is this machine by its number or as localhost, and not by a name that anybody may give it.
func here(host string) bool {
	u := url.URL{Host: host}
	return u.Hostname() == "localhost" || net.ParseIP(u.Hostname()).IsLoopback()
}

// result is what a tool answers.
type result struct {
	Status   bus.Status      `json:"status"`
	Answer   json.RawMessage `json:"answer,omitempty"`
	Session  string          `json:"session"`
	Task     string          `json:"task"`
	Question string          `json:"question,omitempty"`
	Options  []string        `json:"options,omitempty"`
	Error    *bus.Error      `json:"error,omitempty"`
	// Waits is what an earlier task of the session still asks, which the request was no answer to.
	Waits string `json:"waits,omitempty"`
}

// tell words a result for whoever reads text only.
func (r result) tell(files []mcp.Content) *mcp.CallToolResult {
	var text string
	switch {
	case r.Error != nil:
		text = r.Error.Message
	case r.Question != "":
		text = r.Question
		if len(r.Options) > 0 {
			text += "\n(" + strings.Join(r.Options, " / ") + ")"
		}
		text += fmt.Sprintf("\n\nThe task waits for an answer: call again with session %s and the answer as request.", r.Session)
	default:
		if json.Unmarshal(r.Answer, &text) != nil {
			text = string(r.Answer)
		}
	}
	if r.Waits != "" {
		text += "\n\nAn earlier task of this session still waits, and nothing of it is done meanwhile: " + r.Waits
	}
	out := mcp.NewToolResultStructured(r, text)
	out.Content = append(out.Content, files...)
	out.IsError = r.Status == bus.Failed || r.Status == bus.Cancelled
	return out
}
