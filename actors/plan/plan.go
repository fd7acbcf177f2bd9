package plan

import (
	"encoding/json"
	"time"

	"github.com/hmap-project/hmap/bus"
)

// Turn is one earlier request of the session with its answer.
type Turn struct {
	Request string
	Answer  string
	// Ask is the question that was still open when the turn ended; nil if none was.
	Ask *bus.Ask
	// Refused: the user did not agree to something that it would have done.
	Refused bool
}

// Done is one call that this task has already made.
type Done struct {
	Action      bus.Action
	Call        string
	Status      bus.Status
	Observation json.RawMessage
	Error       *bus.Error
	Files       []bus.File
}

// Answer is what the user said to a question of this task.
type Answer struct {
	Ask  bus.Ask
	Text string
}

// Input is all that a thought may depend on.
type Input struct {
	// Request is the user's words, or the job_desc of the calling agent. Of one longer than [words.MaxText] only the beginning is read; the answer says so,
	// and nothing is changed for it.
	Request string
	// Job: another agent handed the request on, with all that it means, so that it goes on with no earlier turn.
	Job bool
	// Context is what the caller told beside the request; facts are read from it when the request has none of their kind.
	Context string
	// History holds the session's earlier turns, oldest first.
	History []Turn
	// Files are the names of the session's files, the oldest first, each once.
	Files []string
	// Done holds the calls made so far, in the order in which they were dispatched.
	Done []Done
	// Running holds the calls that were dispatched and have not ended, in any order. They are waited for, not made again.
	Running []bus.Action
	// Answers and Steering are what the user said since the task began, oldest first.
	Answers  []Answer
	Steering []string
	// Now resolves "yesterday": when the request was made, in the zone whose days are meant.
	Now time.Time
	// Language of thoughts and answers, "zh" or "en"; "" takes that of the request.
	Language string
	// Mode plan shows a plan also when it has one step. What is independent runs at once in every mode.
	Mode bus.Mode
	// Parallel is how many calls run at the same time, Running included; 0: [MaxActions]. More are dispatched, since who serves them keeps a
	// line, and of these the ones come first in it that most has to wait for.
	Parallel int
	// Output "table" puts also the single values of an observation into a table; other values change nothing here.
	Output string

	moved []Done // what [Index.anew] took out of Done
}

// Outcome is one round. Exactly one of Actions, Ask and Answer is set; none of them while there is nothing to do but to wait
// for [Input.Running].
type Outcome struct {
	// Thought says the goal, why these tools and what is expected of them.
	Thought string
	// Critique judges the observations of the round before; "" in the first round.
	Critique string
	// Actions are ready to run at once, but for those that name others in After.
	Actions []bus.Action
	// Answer is the final answer.
	Answer string
	// Ask is the one question for a fact that nobody but the user has. Its ID is left to the caller.
	Ask *bus.Ask
	// Plan is the plan as it stands now; nil when there is only one step and mode is not plan.
	Plan *bus.PlanBody
	// Explain says how the outcome came about; never nil.
	Explain *Explain
}

// Options of [NewIndex]. The zero value is the full planner without embeddings.
type Options struct {
	// Embed turns texts into vectors of one length, one a text; nil vectors are allowed and mean "unknown". It is asked once
	// for all cards in NewIndex and once for each clause of a request, must be deterministic, and may answer from a cache.
	// Its vectors are believed as far as they bring together cards that say the same, and put none before a card that a request names.
	Embed func(texts []string) [][]float32
	// Without switches off one of the four models, to measure what it is worth.
	Without Without
	// Bound is how many states the optimiser may expand for one plan; 0: 4,000. At the bound the best plan so far is taken
	// and Explain says so.
	Bound int
	// Evidence of earlier calls makes tools and edges dearer or cheaper; nil: none. It must not be written after NewIndex.
	Evidence *Evidence
	// Tools are the cards of what stands behind the agents on offer: a tool belongs to the agents that its tags name. An agent is then
	// chosen by what its tools can do.
	Tools []bus.Card
	// AnyName takes cards with names that no bus would carry, such as "get PM2.5" or 查询订单, for catalogues that are planned with and not called.
	AnyName bool
	// Phrases spell out what people say in passing; nil: none are known.
	Phrases *Phrasebook
	// Reader reads the cards; nil: each index reads its own anew. Indexes are the same either way.
	Reader *Reader
}

// Without names the models that are switched off.
type Without struct {
	// Embedding: terminal tools by shared words alone, without vectors.
	Embedding bool
	// DAG: no tool is called only to fill a parameter of another.
	DAG bool
	// Optimiser: the first provider found, instead of the cheapest plan.
	Optimiser bool
	// Model: no rules in the language model's place: facts only by declared enum, pattern and examples, one clause.
	Model bool
}

// Reject is a card that cannot be offered, with a reason for its owner.
type Reject struct {
	Name   string
	Reason string
}
