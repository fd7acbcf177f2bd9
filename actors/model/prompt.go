package model

import (
	"embed"
	"encoding/json"
	"errors"
	"strings"

	"github.com/hmap-project/hmap/bus"
)

// Prompt is what a model is asked.
type Prompt struct {
	System   string
	Messages []Message
	// Tools are what may be called. Agents are offered with job_desc as their only parameter. The reserved ask_user and finish
	// come on top: always in struct parse, with at least one tool in function call.
	Tools []bus.Card
	// Language of what this package adds to the prompt: "zh", or anything else for English.
	Language string
	// OnDelta is told the text as it is written, in pieces of at most 25 a second; nil: nobody watches. It is never called twice at
	// once, nor after Ask has returned, and the answer is not read on while it runs. The channels are thought, answer and
	// reasoning; while functions are offered, text counts as thought, for nobody knows yet whether a call follows. An empty text
	// means: what came on this channel is void, the model begins anew.
	OnDelta func(channel, text string)
	// Schema, if given, asks for a JSON object of this JSON Schema instead of actions; Tools are not offered then.
	Schema json.RawMessage
}

// Message is one message of the conversation.
type Message struct {
	Role   string   // system, user, assistant, tool
	Text   string   // of a tool message: the observation
	Images []string // of a user message: data: or https: URLs
	// Actions are what an assistant message called. A call whose observation does not follow is left out of the request, and an
	// observation without its call is sent as the user's words: servers refuse both.
	Actions []Called
	CallID  string // of a tool message: the ID of the call that it answers
	Name    string // of a tool message: the tool
}

// Called is a call that an assistant message made.
type Called struct {
	ID       string
	ToolName string
	// Arguments is a JSON object; of an agent {"job_desc":"…"}. nil: none.
	Arguments json.RawMessage
}

// Reply is what the model wants: actions, or an answer, or the object asked for.
type Reply struct {
	Thought  string
	Critique string
	// Actions to be dispatched; names and arguments are not checked. A question to the user is the action ask_user. Several
	// function calls in one answer get the ids t1, t2, …, since nothing stands between them.
	Actions []bus.Action
	Plan    *bus.PlanBody // struct parse only, and only if the model gave one
	Answer  string        // only without actions
	JSON    json.RawMessage
	// Reasoning is what reasoning models tell of their thinking; not to be sent back.
	Reasoning string
	// Model is who answered, in the server's words.
	Model string
	// Usage has the tokens and money of all tries, also of a failed Ask. Where the server gave no count of tokens it is
	// estimated with [CountTokens].
	Usage    bus.Usage
	Millis   int64 // of all tries and the waiting between them
	Attempts int   // requests sent
}

// The reserved names.
const (
	AskUser = "ask_user"
	Finish  = "finish"
)

//go:embed text/*.md
var textFiles embed.FS

// texts are the files, by name and language; there is a file of each name in both, which a test holds true.
var texts = func() map[[2]string]string {
	all := map[[2]string]string{}
	files, err := textFiles.ReadDir("text")
	for _, f := range files {
		name, rest, _ := strings.Cut(f.Name(), ".")
		b, e := textFiles.ReadFile("text/" + f.Name())
		all[[2]string{name, strings.TrimSuffix(rest, ".md")}] = strings.TrimSpace(string(b))
		err = errors.Join(err, e)
	}
	if err != nil {
		panic(err) // embedded: what can be built can be read
	}
	return all
}()

// text gives words in the language asked for.
func text(name, language string) string {
	if language != "zh" {
		language = "en"
	}
	t, ok := texts[[2]string{name, language}]
	if !ok {
		panic("no text " + name) // a misspelt name fails in the first test
	}
	return t
}

// reserved are the cards of ask_user and finish.
func reserved(language string) []bus.Card {
	return []bus.Card{
		{Name: AskUser, Kind: "tool", Description: text(AskUser, language), Parameters: json.RawMessage(`{"type":"object","properties":{` +
			`"question":{"type":"string"},"options":{"type":"array","items":{"type":"string"}},"parameter":{"type":"string"}},"required":["question"]}`)},
		{Name: Finish, Kind: "tool", Description: text(Finish, language), Parameters: json.RawMessage(
			`{"type":"object","properties":{"answer":{"type":"string"}},"required":["answer"]}`)},
	}
}

// parameters is the schema that a model sees of a card: for an agent its job_desc, for a tool its own without what is for the planner
// alone, see [plain].
func parameters(card bus.Card, language string) json.RawMessage {
	if card.IsAgent() {
		return encode(map[string]any{"type": "object", "required": []string{"job_desc"},
			"properties": map[string]any{"job_desc": map[string]string{"type": "string", "description": text("job_desc", language)}}})
	}
	if s := shown(card.Parameters); s != nil {
		return s
	}
	return json.RawMessage(`{"type":"object","properties":{}}`)
}

// shown is a schema as models see it; nil when it is no object.
func shown(raw json.RawMessage) json.RawMessage {
	var schema map[string]any
	if json.Unmarshal(raw, &schema) != nil || schema == nil {
		return nil
	}
	plain(schema)
	return encode(schema)
}

// shownExamples is how many examples of a value a model is shown.
const shownExamples = 6

// plain takes out of a schema what is for the planner: the x- keywords, which some vendors refuse, and all but a few examples. A planner
// looks words up in them, so they are many; with all of them the twelve tools of the shop's orders took 37 kB of each prompt, and told
// whoever runs the model the names of the customers.
func plain(v any) {
	switch v := v.(type) {
	case map[string]any:
		for key, sub := range v {
			some, listed := sub.([]any)
			props, named := sub.(map[string]any)
			switch {
			case strings.HasPrefix(key, "x-"):
				delete(v, key)
			case key == "examples" && listed:
				v[key] = spread(some, shownExamples)
			case key == "enum", key == "const", key == "default": // values, whatever their fields are called
			case key == "properties" && named: // whose keys are names, not keywords
				for _, p := range props {
					plain(p)
				}
			default:
				plain(sub)
			}
		}
	case []any:
		for _, sub := range v {
			plain(sub)
		}
	}
}

// spread picks at most n elements of a list, at equal distances and beginning with the first: the sorts of a dictionary stand one after
// the other in it.
func spread(list []any, n int) []any {
	if len(list) <= n {
		return list
	}
	out := make([]any, n)
	for i := range out {
		out[i] = list[i*len(list)/n]
	}
	return out
}

// settle makes a model's actions ready: names as the cards have them, an agent's job_desc where it belongs, arguments of the card's
// types. An agent that was given something else than a job keeps that as its parameter, and has no job. finish is taken out: its answer
// counts only if no action is left, for otherwise something is still to be done. known tells how many actions name something that is there.
func settle(actions []bus.Action, offers []*offer) (out []bus.Action, answer string, known int) {
	for _, a := range actions {
		o := find(offers, a.ToolName)
		if o != nil {
			a.ToolName = o.name
			known++
		}
		switch {
		case a.ToolName == Finish:
			o := fields(a.Parameter)
			answer = textOf(first(o, "answer", "text", "result"))
			continue
		case o == nil:
		case o.agent:
			if a.JobDesc == "" {
				a.JobDesc = textOf(first(fields(a.Parameter), jobKeys...))
			}
			if strings.TrimSpace(a.JobDesc) != "" {
				a.Parameter = nil
			}
		default:
			a.Parameter = o.wants.coerce(a.Parameter)
		}
		out = append(out, a)
	}
	return out, answer, known
}
