package bus

import (
	"encoding/json"
	"time"
)

// Effect says what running a tool twice does.
type Effect string

// Read changes nothing. Idempotent: the same call id twice has the effect of once. Unsafe: twice is worse than once, so in
// doubt a person is asked.
const (
	Read       Effect = "read"
	Idempotent Effect = "idempotent"
	Unsafe     Effect = "unsafe"
)

// Card is what an agent or a tool says about itself. On the wire it is the metadata of a NATS micro service (see
// PROTOCOL.md, "Cards"): each field a string, schemas as JSON text.
type Card struct {
	Name        string `json:"name"` // a token; also the last token of its call subject
	Kind        string `json:"kind"` // "agent" or "tool"
	Description string `json:"description"`
	// Parameters is a JSON Schema of type object; nil: no arguments. Properties may carry x-provides / x-needs (names of
	// typed fields), "examples" and "enum", from which the planner reads facts out of plain language; and x-when, the state
	// that the named thing must be in: {"state": ["unpaid", "unshipped"]}, by properties of what looks it up; and x-present,
	// which tool shows what a change will replace, and as which property: "find_products.price"; or, where the thing is named, which shows it.
	// x-deed at its top says what a call does, for who is asked to agree (PROTOCOL.md).
	Parameters json.RawMessage `json:"parameters,omitempty"`
	// Returns is a JSON Schema of the observation; nil: unknown. x-lacks at its top says what is asked of it that it has nothing of (PROTOCOL.md).
	Returns json.RawMessage `json:"returns,omitempty"`
	Effect  Effect          `json:"effect,omitempty"` // tools; default unsafe, since silence promises nothing
	// Approval "ask": a person must agree before each call. Default "never".
	Approval string `json:"approval,omitempty"`
	// Timeout is how long one call may take before the caller gives up; 0: 60 s for tools, the budget for agents.
	Timeout time.Duration `json:"timeout,omitempty"`
	Cost    float64       `json:"cost,omitempty"` // money a call costs; 0: nothing
	// Tags are domain words in any language.
	Tags []string `json:"tags,omitempty"`
	// Role is what a tool is called among people, by language ("zh", "en"): at most 6 characters in Chinese, 24 in English. nil: a name is found.
	Role map[string]string `json:"role,omitempty"`
	// Skills are lines of what an agent can do; the planner reads them with the description. Agents only.
	Skills  []string `json:"skills,omitempty"`
	Version string   `json:"version,omitempty"` // semantic version; default 1.0.0
}

// ModelTag marks a tool that only a language model has a use for; the planner never chooses it.
const ModelTag = "for-models"

// NeedsApproval reports whether a person must agree before each call.
func (c Card) NeedsApproval() bool { return c.Approval == "ask" }

// IsAgent reports whether the card is an agent's.
func (c Card) IsAgent() bool { return c.Kind == "agent" }
