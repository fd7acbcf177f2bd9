package bus

import (
	"encoding/json"
	"path"
	"strings"
	"time"
	"unicode"
)

// Version is the major version of H-MAP spoken here: the field "hmap" of every body and the header Hmap-Version.
const Version = "1"

// Status is how a call stands. The empty status is not valid on the wire.
type Status string

// Working is only in progress messages; the others end a call, but for InputRequired, which only pauses it: the caller
// gets the question to the user and asks again with the same call id and the input.
const (
	Working       Status = "working"
	OK            Status = "ok"
	Failed        Status = "error"
	InputRequired Status = "input_required"
	Cancelled     Status = "cancelled"
)

// Mode is how an agent goes about a request.
type Mode string

// Auto lets the agent choose between the other two by the kind of request.
const (
	Auto  Mode = "auto"
	React Mode = "react"
	Plan  Mode = "plan"
)

// Submission is what users and services publish on a [TaskSubject]: this JSON object, or just text (which is the Query).
// Ids that are missing are given out; unknown fields are ignored.
type Submission struct {
	HMAP         string   `json:"hmap,omitempty"`
	Query        string   `json:"query"`
	Session      string   `json:"session,omitempty"`
	Task         string   `json:"task,omitempty"`
	Mode         Mode     `json:"mode,omitempty"`
	Output       string   `json:"output,omitempty"` // text (default), html, ppt, table, docs
	Files        []File   `json:"files,omitempty"`
	DisableTools bool     `json:"disable_tools,omitempty"`
	MCPServers   []string `json:"mcp_servers,omitempty"` // nil: all that are configured
	Budget       *Budget  `json:"budget,omitempty"`
	// StreamMode says how text that tools write is told while it is written; nil: as their hosts are configured.
	StreamMode *StreamMode `json:"stream_mode,omitempty"`
	ReplyTo    string      `json:"reply_to,omitempty"` // subject that gets the final Response
}

// Budget bounds a whole tree of calls. Zero fields mean the agent's own default.
type Budget struct {
	Tokens  int     `json:"tokens,omitempty"`  // input and output together
	Seconds float64 `json:"seconds,omitempty"` // wall time since the root request
	Rounds  int     `json:"rounds,omitempty"`  // rounds of all agents together
	Money   float64 `json:"money,omitempty"`   // in the currency of the configured prices
	Depth   int     `json:"depth,omitempty"`   // how many agents deep a call may go
}

// Action is one element of an action_code: one tool or agent to be called. (The H-MAP article calls it a task; here a
// task is what the user asked for.)
type Action struct {
	// ID names the action inside its action_code, so that others can refer to it. Optional.
	ID string `json:"id,omitempty"`
	// After lists the IDs of actions that must end before this one starts.
	After []string `json:"after,omitempty"`
	// ToolName is the registered name of an agent or a tool.
	ToolName string `json:"tool_name"`
	// Parameter is the JSON object of arguments; strings of the form "$id.field" stand for a field of the observation of
	// the action with that ID. nil: no arguments.
	Parameter json.RawMessage `json:"parameter,omitempty"`
	// JobDesc says what is wanted, in plain language. Agents only.
	JobDesc string `json:"job_desc,omitempty"`
	// TrustMode 1: do not reason on the observation, go on with the next action, and after the last one hand its
	// observation to the caller unchanged. 0: reason again.
	TrustMode int `json:"trust_mode"`
	// Step is the ID of the plan's step that this action carries out, if any.
	Step string `json:"step,omitempty"`
	// Note is told to who is asked for leave to carry the action out: what of the things found is not among those that it is for.
	Note string `json:"note,omitempty"`
}

// Request asks an agent or a tool: the body on a [CallSubject], and the first record of every call.
type Request struct {
	HMAP    string `json:"hmap"`
	Session string `json:"session"`
	Task    string `json:"task"`
	Call    string `json:"call"`
	// Caller is the agent that asks, or "user". Informative: identity is the subject's business, not the body's.
	Caller   string `json:"caller"`
	ToolName string `json:"tool_name"`
	// JobDesc is what an agent shall do; for the root call the user's own words.
	JobDesc   string          `json:"job_desc,omitempty"`
	Parameter json.RawMessage `json:"parameter,omitempty"`
	TrustMode int             `json:"trust_mode"`
	// Context is what the callee must know of the conversation so far.
	Context string `json:"context,omitempty"`
	// Language is that of the person who asks, "zh" or "en", for what a tool says to them, above all in errors; "": not known.
	Language string    `json:"language,omitempty"`
	Deadline time.Time `json:"deadline,omitzero"`
	Budget   *Budget   `json:"budget,omitempty"`
	Files    []File    `json:"files,omitempty"`
	// Path lists the agents above this call, root first. It bounds depth and shows cycles.
	Path []string `json:"path,omitempty"`
	// Parent is the call that asks; empty for the root call.
	Parent string `json:"parent,omitempty"`
	// Intent is the sequence of the record in the log of Parent that says that this is about to be asked; 0: there is none. See [Bus.CheckIntent].
	Intent uint64 `json:"intent,omitempty"`
	// Present is what whoever agreed to this call was shown that it would replace: the values of then, as text, by name of the argument that replaces them. A tool
	// that finds another one now, which is not the new one either, does nothing and says [CodeChanged].
	Present map[string]string `json:"present,omitempty"`
	// Input answers the question that ended an earlier attempt of the same call with InputRequired.
	Input *Input `json:"input,omitempty"`

	Mode         Mode     `json:"mode,omitempty"`
	Output       string   `json:"output,omitempty"`
	DisableTools bool     `json:"disable_tools,omitempty"`
	MCPServers   []string `json:"mcp_servers,omitempty"`
	ReplyTo      string   `json:"reply_to,omitempty"`
	// StreamMode is that of the submission.
	StreamMode *StreamMode `json:"stream_mode,omitempty"`
}

// Response is every reply on a call: progress with status "working" (any number, at least one each 10 s while busy), then
// exactly one with another status.
type Response struct {
	HMAP   string `json:"hmap"`
	Call   string `json:"call"`
	Status Status `json:"status"`
	// Observation is any JSON value; plain text is a JSON string.
	Observation json.RawMessage `json:"observation,omitempty"`
	Files       []File          `json:"files,omitempty"`
	Error       *Error          `json:"error,omitempty"`
	Usage       *Usage          `json:"usage,omitempty"`
	// Ask is the question or approval that is waited for, with status InputRequired.
	Ask *Ask `json:"ask,omitempty"`
	// Node is who works on it; lets the caller notice a death by the node's lease instead of by silence.
	Node string `json:"node,omitempty"`
	// Progress is one line for the person who waits, with status Working.
	Progress string `json:"progress,omitempty"`
	// Text is a piece of what the callee writes, behind the pieces before it, with status Working.
	Text string `json:"text,omitempty"`
}

// MaxFiles is how many files a submission may name: each is looked after by itself when the submission is stored and when it is taken.
const MaxFiles = 64

// File is a reference to an artifact kept in [Files]; messages carry references, never contents.
type File struct {
	Ref         string `json:"ref"` // "obj:<id>"
	Name        string `json:"name"`
	Type        string `json:"type,omitempty"` // media type
	Bytes       int64  `json:"bytes,omitempty"`
	Description string `json:"description,omitempty"`
}

// Spoken is the name as one word, for who reads names out of sentences: sales (1).csv is sales_1.csv there. A name of letters, digits, spaces and the
// signs of plain names stays.
func (f File) Spoken() string {
	odd := func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("._@+-", r)
	}
	if !strings.ContainsFunc(f.Name, func(r rune) bool { return odd(r) && r != ' ' }) {
		return f.Name
	}
	ending := path.Ext(f.Name)
	return strings.Join(strings.FieldsFunc(strings.TrimSuffix(f.Name, ending), odd), "_") + ending
}

// Usage is what a call cost; sums over the calls below it when it stands in a response.
type Usage struct {
	InputTokens  int     `json:"input_tokens,omitempty"`
	OutputTokens int     `json:"output_tokens,omitempty"`
	Rounds       int     `json:"rounds,omitempty"`
	Calls        int     `json:"calls,omitempty"`
	Money        float64 `json:"money,omitempty"`
}

// Add sums two usages.
func (u Usage) Add(v Usage) Usage {
	return Usage{u.InputTokens + v.InputTokens, u.OutputTokens + v.OutputTokens, u.Rounds + v.Rounds, u.Calls + v.Calls, u.Money + v.Money}
}

// Ask is a question to the person behind the task: for a missing fact, or for leave to do something.
type Ask struct {
	// ID is the id of the call that waits; an input names it. Unique in a task as long as the ask is open.
	ID   string  `json:"id"`
	Kind AskKind `json:"kind"`
	// Question is in the language of the request.
	Question string `json:"question"`
	// Options are the allowed answers; empty: any text.
	Options []string `json:"options,omitempty"`
	// Parameter names the missing argument; ToolName and Arguments say what would be called.
	Parameter string          `json:"parameter,omitempty"`
	ToolName  string          `json:"tool_name,omitempty"`
	Arguments json.RawMessage `json:"arguments,omitempty"`
	// Present are the values that Arguments would replace, as they were seen, by name of the argument; see [Request].
	Present map[string]string `json:"present,omitempty"`
	// Others are further calls of ToolName that the same leave is for; of an approval only.
	Others  []AskedCall `json:"others,omitempty"`
	Expires time.Time   `json:"expires,omitzero"`
	// Own is the id that a callee gave its ask, where its caller had to give it another one: what is said goes down under this one.
	Own string `json:"own,omitempty"`
}

// AskedCall is a call that waits for the leave that an ask of another one wants.
type AskedCall struct {
	Call      string            `json:"call"` // its id
	Arguments json.RawMessage   `json:"arguments,omitempty"`
	Present   map[string]string `json:"present,omitempty"`
}

// AskKind tells a question from an approval.
type AskKind string

// The kinds of [Ask].
const (
	Question AskKind = "question"
	Approval AskKind = "approval"
)

// Input is what a person says to a running task: the body on an [InputSubject].
type Input struct {
	HMAP string    `json:"hmap,omitempty"`
	Kind InputKind `json:"kind"`
	// Ask is the ID of the ask it answers; empty: the oldest one open.
	Ask  string `json:"ask,omitempty"`
	Text string `json:"text,omitempty"`
	// By is who said it, as far as the sender knows. Informative.
	By string `json:"by,omitempty"`
}

// InputKind says what an [Input] means.
type InputKind string

// Answer, Approve and Refuse answer an ask; Steer adds a wish to the running task; Cancel ends it; Expire comes from the
// house when an ask was not answered in time.
const (
	Answer  InputKind = "answer"
	Approve InputKind = "approve"
	Refuse  InputKind = "refuse"
	Steer   InputKind = "steer"
	Cancel  InputKind = "cancel"
	Expire  InputKind = "expire"
)

// Live is text while it is being written: the body on a [LiveSubject].
type Live struct {
	Task    string `json:"task"`
	Call    string `json:"call"`
	Agent   string `json:"agent,omitempty"`
	Round   int    `json:"round,omitempty"`
	Channel string `json:"channel"` // thought, answer, reasoning, progress
	Offset  int    `json:"offset"`  // characters (runes) of this channel of this round before Text
	Text    string `json:"text"`
}
