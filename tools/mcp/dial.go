package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/hmap-project/hmap/tools/mcp/oauth"
)

// dialWithin bounds the time until a server has begun and told its tools. The first start of one that is fetched from a registry takes
// long; nobody waits for it but itself.
const dialWithin = 60 * time.Second

// probeWithin is how long a server may take to say whether it speaks the protocol of 2026-07-28, before it is spoken to as an older one.
const probeWithin = 3 * time.Second

// conn is one connection to a server, from when it has begun until it is lost. Safe from many goroutines.
type conn struct {
	client  *client.Client
	process *process // nil over HTTP
	title   string   // what the server calls itself, with its version
	listens bool     // it tells when its tools change
	// tools, resources and prompts: what it says that it has.
	tools, resources, prompts bool
	ctx                       context.Context
	end                       context.CancelCauseFunc
	lost                      func() // tells the owner
	closing                   sync.Once
	why                       atomic.Value // string: how it was lost, as far as a call has found out
	barred                    atomic.Bool  // nothing is let in until somebody has signed in

	progress sync.Map // token → func(string)
	tokens   atomic.Int64
	asking   desk
	told     atomic.Bool // that its tools have changed, and they are not listed yet
}

// events is what a connection tells its owner; the functions must not block.
type events struct {
	changed func(*conn) // the list of tools is another one
	lost    func(*conn) // the process has ended, or the stream
}

// dial starts or reaches a server and shakes hands. After an error nothing is left.
func dial(ctx context.Context, s *Server, o *Options, e events) (*conn, error) {
	c, err := dialOnce(ctx, s, o, e, false)
	// An older server tells over HTTP that its tools have changed only on a stream that is opened for it.
	if err == nil && s.URL != "" && !s.SSE && c.listens && !mcp.IsModernProtocol(c.client.ProtocolVersion()) {
		c.close()
		c, err = dialOnce(ctx, s, o, e, true)
	}
	return c, err
}

func dialOnce(ctx context.Context, s *Server, o *Options, e events, listen bool) (*conn, error) {
	c := &conn{}
	c.ctx, c.end = context.WithCancelCause(context.Background()) // its life; close ends it
	c.lost = func() { e.lost(c) }
	way, err := c.way(s, o, listen)
	if err != nil {
		c.close()
		return nil, err
	}
	options := []client.ClientOption{
		client.WithDiscoverTimeout(probeWithin), client.WithElicitationHandler(&c.asking),
	}
	can := mcp.ClientCapabilities{Elicitation: &mcp.ElicitationCapability{Form: &struct{}{}, URL: &struct{}{}}}
	if len(s.Roots) > 0 {
		can.Roots = &struct { // the library would say that they change
			ListChanged bool `json:"listChanged,omitempty"`
		}{}
		options = append(options, client.WithRootsHandler(roots(s.Roots)))
	}
	options = append(options, client.WithClientCapabilities(can))
	if o.Sample != nil && s.Sampling {
		options = append(options, client.WithSamplingHandler(sampler{&c.asking, o.Sample}))
	}
	c.client = client.NewClient(way, options...)
	c.client.OnNotification(func(n mcp.JSONRPCNotification) { c.hear(n, e) })
	c.client.OnConnectionLost(func(error) { c.lost() })
	// A server that dies while it is being spoken to fails the handshake at once.
	within, cancel := context.WithTimeoutCause(ctx, dialWithin, errors.New("it did not begin in time"))
	defer cancel()
	if c.process != nil {
		go c.process.watch(c.ctx, func() { c.why.Store(c.process.why()); cancel(); c.lost() })
	}
	unhook := context.AfterFunc(within, func() { c.end(context.Cause(within)) }) // what the library waits for lives as long as c
	err = c.shake(within, o)
	if !unhook() && err == nil {
		err = context.Cause(within)
	}
	if err != nil {
		err = c.explain(within, err)
		c.close()
		return nil, err
	}
	return c, nil
}

// quiet is the library's log: what fails is told by whoever made the call.
var quiet = slog.New(slog.DiscardHandler)

// way makes the transport.
func (c *conn) way(s *Server, o *Options, listen bool) (transport.Interface, error) {
	if s.Command != "" {
		var err error
		if c.process, err = start(s); err != nil {
			return nil, err
		}
		way := transport.NewIO(c.process.reading(), c.process, nil)
		transport.WithCommandLogger(quiet)(way)
		return pipes{way, c}, nil
	}
	base, ok := http.DefaultTransport.(*http.Transport)
	if !ok {
		return nil, errors.New("the program has replaced the transport of HTTP")
	}
	own := base.Clone()
	context.AfterFunc(c.ctx, own.CloseIdleConnections)
	var road http.RoundTripper = boundedTransport{own}
	if s.tokens != nil {
		road = bearer{road, s, c}
	}
	web := &http.Client{Transport: road, CheckRedirect: sameHost}
	if s.SSE {
		return newStream(c.ctx, s, web, c.flooded, transport.WithSSELogger(quiet), transport.WithEndpointTimeout(dialWithin), transport.WithResponseTimeout(maxTimeout))
	}
	options := []transport.StreamableHTTPCOption{transport.WithHTTPBasicClient(web), transport.WithHTTPHeaders(s.Header), transport.WithHTTPLogger(quiet)}
	if listen {
		options = append(options, transport.WithContinuousListening()) //nolint:staticcheck // deprecated for the newest protocol, which this is not for
	}
	h, err := transport.NewStreamableHTTP(s.URL, options...)
	return requests{h, c}, err
}

// shake starts the connection and learns who is there.
func (c *conn) shake(ctx context.Context, o *Options) error {
	if err := c.client.Start(c.ctx); err != nil { // the stream lives as long as the connection
		return err
	}
	var hello mcp.InitializeRequest
	hello.Params.ClientInfo = mcp.Implementation{Name: "hmap", Version: o.Version}
	r, err := c.client.Initialize(ctx, hello)
	if err != nil {
		return err
	}
	c.title = clip(plain(r.ServerInfo.Name+" "+r.ServerInfo.Version), 100)
	has := r.Capabilities
	c.tools, c.resources, c.prompts = has.Tools != nil, has.Resources != nil, has.Prompts != nil
	if !c.tools && !c.resources && !c.prompts {
		return errors.New("it has no tools, resources or prompts")
	}
	c.listens = c.tools && has.Tools.ListChanged
	if c.listens && mcp.IsModernProtocol(c.client.ProtocolVersion()) {
		_, err = c.client.ListenAsync(c.ctx, mcp.SubscriptionFilter{ToolsListChanged: true}, nil)
	}
	return err
}

// explain says more of an error than the library knows.
func (c *conn) explain(ctx context.Context, err error) error {
	if c.barred.Load() {
		return oauth.ErrLogin
	}
	if c.process != nil && (errors.Is(err, transport.ErrTransportClosed) || errors.Is(err, context.Canceled)) {
		return errors.New(c.process.why())
	}
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	return err
}

// close ends the connection and the process, and returns when that is done: within some seconds.
func (c *conn) close() {
	c.closing.Do(func() {
		c.end(errLost)
		if c.client != nil {
			_ = c.client.Close() // nobody is there to hear what failed
		}
		if c.process != nil {
			c.process.stop()
		}
	})
}

// gone says why a connection is lost.
func gone(c *conn) error {
	if c.barred.Load() {
		return oauth.ErrLogin
	}
	if why, ok := c.why.Load().(string); ok {
		return errors.New(why)
	}
	return errors.New("the connection was lost")
}

// dead is closed when the server's process has ended; nil over HTTP, where only a call finds out.
func (c *conn) dead() <-chan struct{} {
	if c.process == nil {
		return nil
	}
	return c.process.exited
}

// hear runs on the library's reading goroutine: to call the server here would wait for ever.
func (c *conn) hear(n mcp.JSONRPCNotification, e events) {
	switch n.Method {
	case mcp.MethodNotificationToolsListChanged:
		e.changed(c)
	case "notifications/progress":
		token, _ := n.Params.AdditionalFields["progressToken"].(string)
		if say, ok := c.progress.Load(token); ok {
			if line := progressLine(n.Params.AdditionalFields); line != "" {
				say.(func(string))(line)
			}
		}
	}
}

// maxNags bounds what a server may ask of us in a second: pings, folders, questions, samples.
const maxNags = 256

// asked lets a server ask, and ends the connection of one that asks without end. The library has a goroutine for each of its requests, which holds what is to be
// answered until the server has read it.
func (c *conn) asked(h transport.RequestHandler) transport.RequestHandler {
	var mu sync.Mutex
	var since time.Time
	asked := 0
	return func(ctx context.Context, r transport.JSONRPCRequest) (*transport.JSONRPCResponse, error) {
		if c.ctx.Err() != nil {
			return nil, nil // nobody is there any more to be answered
		}
		mu.Lock()
		if time.Since(since) > time.Second {
			since, asked = time.Now(), 0
		}
		asked++
		over := asked > maxNags
		mu.Unlock()
		if over {
			c.flooded()
			return nil, nil
		}
		return h(ctx, r)
	}
}

// flooded ends the connection of a server that asks too much.
func (c *conn) flooded() {
	c.why.Store("it asked too much at once")
	c.end(errLost)
	c.lost()
}

// progressLine is a progress notification in words: "3/10 reading"; "" when it says nothing.
func progressLine(fields map[string]any) string {
	done, _ := fields["progress"].(float64)
	text, _ := fields["message"].(string)
	line := clip(plain(text), 300)
	if total, ok := fields["total"].(float64); ok && total > 0 {
		return fmt.Sprintf("%g/%g %s", done, total, line)
	}
	return line
}

// The transports, with a look at what is listed: the library's own type of a tool drops parts of its schemas, and one tool that it
// cannot read would cost all the others.
type (
	pipes struct {
		*transport.Stdio
		conn *conn
	}
	requests struct {
		*transport.StreamableHTTP
		conn *conn
	}
)

// SetRequestHandler makes the library's client the one that answers what the server asks, see [conn.asked].
func (t pipes) SetRequestHandler(h transport.RequestHandler) {
	t.Stdio.SetRequestHandler(t.conn.asked(h))
}

// SetRequestHandler is the same over HTTP.
func (t requests) SetRequestHandler(h transport.RequestHandler) {
	t.StreamableHTTP.SetRequestHandler(t.conn.asked(h))
}

// SendRequest keeps a copy of a listing for who asked, see [listed].
func (t pipes) SendRequest(ctx context.Context, r transport.JSONRPCRequest) (*transport.JSONRPCResponse, error) {
	return noted(ctx, t.Stdio.SendRequest, r)
}

// SendRequest keeps a copy of a listing for who asked, see [listed].
func (t requests) SendRequest(ctx context.Context, r transport.JSONRPCRequest) (*transport.JSONRPCResponse, error) {
	return noted(ctx, t.StreamableHTTP.SendRequest, r)
}

// listed is the key of a context under which a *json.RawMessage waits for the page that a server lists.
type listed struct{}

func noted(ctx context.Context, send func(context.Context, transport.JSONRPCRequest) (*transport.JSONRPCResponse, error), r transport.JSONRPCRequest) (*transport.JSONRPCResponse, error) {
	resp, err := send(ctx, r)
	if page, ok := ctx.Value(listed{}).(*json.RawMessage); ok && err == nil && resp.Error == nil && r.Method == string(mcp.MethodToolsList) {
		*page = resp.Result
	}
	return resp, err
}

var _ io.WriteCloser = (*process)(nil)
