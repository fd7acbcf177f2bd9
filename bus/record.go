package bus

import (
	"encoding/json"
	"time"
)

// Kind is the kind of a [Record]. The list is closed: a new kind is a new version of the protocol.
type Kind string

// The kinds, in the order in which they come up in a call's life.
const (
	KindRequest  Kind = "request"  // the request as received; the first record of a call, and its first claim
	KindClaim    Kind = "claim"    // a node takes the call up again: after another went down, or when a person has spoken
	KindPlan     Kind = "plan"     // a plan made or changed
	KindRound    Kind = "round"    // thought and action_code, before anything of it is dispatched
	KindIntent   Kind = "intent"   // a tool with side effects is about to be asked
	KindResult   Kind = "result"   // an action has ended
	KindAsk      Kind = "ask"      // a question or approval is waited for
	KindInput    Kind = "input"    // what the person said
	KindFile     Kind = "file"     // an artifact came to be
	KindResponse Kind = "response" // the end; exactly once
	KindScore    Kind = "score"    // an evaluator's judgement, any time
)

// Record is the body of every message in the log. The first block is in all of them; below, each block belongs to the kind
// named. The JSON is one flat object, and fields of other kinds are absent.
type Record struct {
	HMAP    string    `json:"hmap"`
	Kind    Kind      `json:"kind"`
	Session string    `json:"session"`
	Task    string    `json:"task"`
	Call    string    `json:"call"`
	Parent  string    `json:"parent,omitempty"` // the calling call; empty for the root
	Agent   string    `json:"agent,omitempty"`  // who executes the call
	Node    string    `json:"node,omitempty"`
	Time    time.Time `json:"time"`

	// Seq is the record's place in the log stream, set by whoever read it; not part of the body.
	Seq uint64 `json:"-"`

	// request
	Request *Request `json:"request,omitempty"`

	// claim: 1 for the claim that the request record implies, and one more each time.
	Attempt int `json:"attempt,omitempty"`
	// Orderly, of a claim: the node of the claim before had left in good order, so that nobody went down with the call.
	Orderly bool `json:"orderly,omitempty"`

	// round (from 1); also says to which round a plan, intent or result belongs. A response that has it is the record of its last round,
	// too, with all of these but action_code, answer and employees; see [Record.HasRound].
	Round      int      `json:"round,omitempty"`
	Thought    string   `json:"thought,omitempty"`
	Critique   string   `json:"critique,omitempty"` // the judgement on the observations before this round
	ActionCode []Action `json:"action_code,omitempty"`
	Answer     string   `json:"answer,omitempty"` // the answer, when the round has no actions
	Model      string   `json:"model,omitempty"`  // the model that thought it; "" for the planner
	// Employees are the role names of tools that were given in this round, by tool: of all that the call may use in the first round that uses one.
	Employees map[string]string `json:"employees,omitempty"`
	// Seen is the sequence of the call's newest record that was known when the thought began, Heard that of the newest input from the
	// task's input subject; what stands behind them is for the next round.
	Seen  uint64 `json:"seen,omitempty"`
	Heard uint64 `json:"heard,omitempty"`

	// intent and result: one child call
	Child     string          `json:"child,omitempty"`
	ToolName  string          `json:"tool_name,omitempty"`
	Parameter json.RawMessage `json:"parameter,omitempty"` // with references filled in
	JobDesc   string          `json:"job_desc,omitempty"`
	Effect    Effect          `json:"effect,omitempty"`

	// result and response
	Status      Status          `json:"status,omitempty"`
	Observation json.RawMessage `json:"observation,omitempty"` // large ones shortened; the whole is in Files then
	Files       []File          `json:"files,omitempty"`
	Error       *Error          `json:"error,omitempty"`
	Usage       *Usage          `json:"usage,omitempty"` // of a round: the model's; of a result or response: the tree's

	// plan
	Plan *PlanBody `json:"plan,omitempty"`

	// ask and input
	Ask   *Ask   `json:"ask,omitempty"`
	Input *Input `json:"input,omitempty"`

	// file
	File *File `json:"file,omitempty"`

	// score
	Score  map[string]float64 `json:"score,omitempty"`
	Judge  string             `json:"judge,omitempty"`
	Target uint64             `json:"target,omitempty"` // sequence of the record judged

	// Millis is how long the thing recorded took, in milliseconds.
	Millis int64 `json:"ms,omitempty"`
}

// HasRound reports whether a round is in the record: it is one, or it is the response that the call's last round came to, in which case the
// round had no actions and its answer is the observation.
func (r *Record) HasRound() bool { return r.Kind == KindRound || r.Kind == KindResponse && r.Round > 0 }

// PlanBody is a plan as the log and the screen see it.
type PlanBody struct {
	Title string `json:"title"`
	Steps []Step `json:"steps"`
}

// Step is one step of a plan.
type Step struct {
	ID     string     `json:"id"`
	Title  string     `json:"title"`
	Status StepStatus `json:"status"`
	Note   string     `json:"note,omitempty"`
	After  []string   `json:"after,omitempty"`
}

// StepStatus is how a step stands. It follows from the results of its actions and is never taken from a model.
type StepStatus string

// The step statuses.
const (
	NotStarted    StepStatus = "not_started"
	InProgress    StepStatus = "in_progress"
	StepCompleted StepStatus = "completed"
	StepBlocked   StepStatus = "blocked"
	StepFailed    StepStatus = "failed"
)
