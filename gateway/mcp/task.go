package mcp

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
	"github.com/nats-io/nuid"

	"github.com/hmap-project/hmap/bus"
)

const (
	maxFile  = 1 << 20 // bytes of an artifact that is handed over inside an answer
	maxFiles = 8
	// cancelWithin is how long a cancel may take to reach the log.
	cancelWithin = 5 * time.Second
)

// watched is a task that a client waits for.
type watched struct {
	where bus.Where
	after uint64 // the last record that was seen
	open  bus.Asks
	ask   *bus.Ask             // the oldest of them
	roles map[[2]string]string // of tools, by call and tool
	waits string               // what an earlier task of the session still asks
}

// asked keeps the tasks whose question a client has been asked, until it answers. Its key is the state that the client sends back.
type asked struct {
	mu    sync.Mutex
	tasks map[string]*watched
	order []string
}

// maxAsked bounds them; of more, the oldest is forgotten, and its client told to go on with the session.
const maxAsked = 1000

func (a *asked) put(w *watched) (state string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.tasks == nil {
		a.tasks = map[string]*watched{}
	}
	state = nuid.Next()
	a.tasks[state] = w
	a.order = append(a.order, state)
	if len(a.order) > maxAsked {
		delete(a.tasks, a.order[0])
		a.order = a.order[1:]
	}
	return state
}

func (a *asked) take(state string) *watched {
	a.mu.Lock()
	defer a.mu.Unlock()
	w := a.tasks[state]
	delete(a.tasks, state)
	if i := slices.Index(a.order, state); i >= 0 {
		a.order = slices.Delete(a.order, i, i+1)
	}
	return w
}

// answerID names the one question of an elicitation.
const answerID = "answer"

// handler works on a call of an agent's tool. It may be called again for the same task, with what the client's user said.
func (s *Server) handler(agent string) server.ToolHandlerFunc {
	return func(ctx context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		w, err := s.begin(ctx, agent, r)
		if err != nil {
			return mcp.NewToolResultError(err.Error()), nil
		}
		return s.follow(ctx, w, r)
	}
}

// begin submits a task, or takes up the one that waits for this client.
func (s *Server) begin(ctx context.Context, agent string, r mcp.CallToolRequest) (*watched, error) {
	if state := r.Params.RequestState; state != "" {
		w := s.asked.take(state)
		if w == nil {
			return nil, fmt.Errorf("nobody waits for this answer any more; go on with the session")
		}
		in := said(w.ask, server.ElicitationResponse(r.Params.InputResponses, answerID))
		_, err := s.bus.Tell(ctx, w.where.Session, w.where.Task, in, "")
		return w, err
	}
	session, query, waits := r.GetString("session", ""), r.GetString("request", ""), ""
	if session != "" {
		w, err := s.waiting(ctx, session)
		if err != nil {
			return nil, err
		}
		if w != nil && s.o.Apart != nil && s.o.Apart(query, *w.ask) {
			waits, w = w.ask.Question, nil
		}
		if w != nil {
			in := bus.Input{Kind: bus.Answer, Ask: w.ask.ID, Text: query, By: "mcp"}
			_, err := s.bus.Tell(ctx, w.where.Session, w.where.Task, in, "")
			return w, err
		}
	}
	receipt, err := s.bus.Submit(ctx, agent, bus.Submission{Query: query, Session: session, Output: r.GetString("output", "")}, "")
	if err != nil {
		return nil, err
	}
	return &watched{where: bus.Where{Session: receipt.Session, Task: receipt.Task}, waits: waits}, nil
}

// waiting is the open question of a session's newest task; nil: it has none.
func (s *Server) waiting(ctx context.Context, session string) (*watched, error) {
	records, err := s.bus.Read(ctx, bus.Where{Session: session}, 0)
	if err != nil {
		return nil, err
	}
	w := &watched{}
	for _, r := range records {
		if r.Kind == bus.KindRequest && r.Call == r.Task {
			w = &watched{where: bus.Where{Session: session, Task: r.Task}}
		}
		if r.Task == w.where.Task {
			w.fold(r)
		}
	}
	if w.ask == nil {
		return nil, nil
	}
	return w, nil
}

// fold takes a record of the task into account. Of several questions the oldest stands.
func (w *watched) fold(r bus.Record) {
	w.after = max(w.after, r.Seq)
	for tool, role := range r.Employees {
		if w.roles == nil {
			w.roles = map[[2]string]string{}
		}
		w.roles[[2]string{r.Call, tool}] = role
	}
	w.open.Fold(r)
	w.ask = w.open.Find("")
}

// follow waits for the end of a task, or for its next question, and tells how it goes. When the client gives the call up, the task is
// cancelled.
func (s *Server) follow(ctx context.Context, w *watched, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	out := result{Session: w.where.Session, Task: w.where.Task, Waits: w.waits}
	steps, caughtUp := 0, false
	for e, err := range s.bus.Follow(ctx, w.where, w.after) {
		if err != nil {
			if ctx.Err() != nil {
				break
			}
			return mcp.NewToolResultError(err.Error()), nil
		}
		if caughtUp = caughtUp || e.CaughtUp; !e.CaughtUp {
			rec := e.Record
			w.fold(rec)
			steps++
			s.progress(ctx, r, steps, rec, w.roles[[2]string{rec.Call, rec.ToolName}])
			if rec.Kind == bus.KindResponse && rec.Call == rec.Task {
				out.Status, out.Answer, out.Error = rec.Status, rec.Observation, rec.Error
				return out.tell(s.files(ctx, rec.Files)), nil
			}
		}
		if caughtUp && w.ask != nil { // a question that history has answered already is none
			if elicits(ctx) {
				return server.NewInputRequestBuilder(s.asked.put(w)).Elicit(answerID, question(w.ask)).ToolResult(), nil
			}
			out.Status, out.Question, out.Options = bus.InputRequired, w.ask.Question, w.ask.Options
			if w.ask.Kind == bus.Approval && len(out.Options) == 0 {
				out.Options = []string{"yes", "no"}
			}
			return out.tell(nil), nil
		}
	}
	if ctx.Err() == nil {
		return mcp.NewToolResultError("the connection to the bus was closed before the task had ended"), nil
	}
	if errors.Is(context.Cause(ctx), errStopping) {
		return mcp.NewToolResultError(errStopping.Error()), nil
	}
	told, cancel := context.WithTimeout(context.WithoutCancel(ctx), cancelWithin)
	defer cancel()
	if _, err := s.bus.Tell(told, w.where.Session, w.where.Task, bus.Input{Kind: bus.Cancel, By: "mcp"}, ""); err != nil {
		s.o.Log.Warn("mcp: a cancel did not reach the task", "task", w.where.Task, "error", err)
	}
	return nil, context.Cause(ctx)
}

// progress tells a client that wants to know what the team does. role is that of the record's tool, if it has one.
func (s *Server) progress(ctx context.Context, r mcp.CallToolRequest, steps int, rec bus.Record, role string) {
	if r.Params.Meta == nil || r.Params.Meta.ProgressToken == nil {
		return
	}
	var text string
	switch {
	case rec.HasRound():
		text = rec.Thought
	case rec.Kind == bus.KindResult:
		text = cmp.Or(role, rec.ToolName) + ": " + string(rec.Status)
	default:
		return
	}
	if len([]rune(text)) > 300 {
		text = string([]rune(text)[:300]) + "…"
	}
	if rec.Agent != "" {
		text = rec.Agent + ": " + text
	}
	err := s.mcp.SendNotificationToClient(ctx, "notifications/progress", map[string]any{"progressToken": r.Params.Meta.ProgressToken, "progress": steps, "message": text})
	if err != nil {
		s.o.Log.Debug("mcp: progress is lost", "error", err)
	}
}

// files are the artifacts of an answer that are small enough to be handed over; the others are named.
func (s *Server) files(ctx context.Context, files []bus.File) []mcp.Content {
	var out []mcp.Content
	for i, f := range files {
		var body []byte
		if i < maxFiles {
			body = s.read(ctx, f)
		}
		if body == nil {
			out = append(out, mcp.NewTextContent(fmt.Sprintf("[%s, %s, %d bytes: %s]", f.Name, f.Type, f.Bytes, f.Ref)))
			continue
		}
		out = append(out, mcp.NewEmbeddedResource(mcp.BlobResourceContents{URI: "hmap:" + f.Ref, MIMEType: f.Type, Blob: base64.StdEncoding.EncodeToString(body)}))
	}
	return out
}

// read is an artifact; nil when it is large or cannot be got.
func (s *Server) read(ctx context.Context, f bus.File) []byte {
	if f.Bytes > maxFile {
		return nil
	}
	in, _, err := s.bus.Files().Get(ctx, f.Ref)
	if err != nil {
		return nil
	}
	defer in.Close()
	body, err := io.ReadAll(io.LimitReader(in, maxFile+1))
	if err != nil || len(body) > maxFile {
		return nil
	}
	return body
}

// elicits reports whether the client can ask its user.
func elicits(ctx context.Context) bool {
	if info := server.RequestProtocolInfoFromContext(ctx); info != nil && info.ClientCapabilities != nil {
		return info.ClientCapabilities.Elicitation != nil
	}
	session, ok := server.ClientSessionFromContext(ctx).(server.SessionWithClientInfo)
	return ok && session.GetClientCapabilities().Elicitation != nil
}

// question is an ask as a form of one field.
func question(a *bus.Ask) mcp.ElicitationParams {
	text := a.Question
	field := map[string]any{"type": "string", "title": "Answer"}
	switch {
	case a.Kind == bus.Approval:
		field = map[string]any{"type": "boolean", "title": "Agree"}
		if len(a.Arguments) > 0 {
			text += "\n" + a.ToolName + " " + string(a.Arguments)
			for _, o := range a.Others {
				text += "\n" + a.ToolName + " " + string(o.Arguments)
			}
		}
	case len(a.Options) > 0:
		field["enum"] = a.Options
	}
	return mcp.ElicitationParams{Message: text, RequestedSchema: map[string]any{"type": "object", "required": []string{answerID}, "properties": map[string]any{answerID: field}}}
}

// said is what the user answered. Whoever does not answer does not agree.
func said(a *bus.Ask, e *mcp.ElicitationResult) bus.Input {
	in := bus.Input{Kind: bus.Refuse, Ask: a.ID, By: "mcp"}
	if e == nil || e.Action != mcp.ElicitationResponseActionAccept {
		return in
	}
	content, _ := e.Content.(map[string]any)
	switch v := content[answerID].(type) {
	case bool:
		if a.Kind == bus.Approval && v {
			in.Kind = bus.Approve
		}
	case string:
		if v = strings.TrimSpace(v); v != "" && a.Kind == bus.Question {
			in.Kind, in.Text = bus.Answer, v
		}
	case nil:
	default:
		if text, err := json.Marshal(v); err == nil && a.Kind == bus.Question {
			in.Kind, in.Text = bus.Answer, string(text)
		}
	}
	return in
}
