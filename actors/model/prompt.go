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

// parameters is the schema that a model sees of a card: for an agent its job_desc, for a tool its own without the
// x- keywords, which are for the planner and which some vendors refuse.
func parameters(card bus.Card, language string) json.RawMessage {
	if card.IsAgent() {
		return encode(map[string]any{"type": "object", "required": []string{"job_desc"},
			"properties": map[string]any{"job_desc": map[string]string{"type": "string", "description": text("job_desc", language)}}})
	}
	var schema map[string]any
	if json.Unmarshal(card.Parameters, &schema) != nil || schema == nil {
		return json.RawMessage(`{"type":"object","properties":{}}`)
	}
	plain(schema)
	return encode(schema)
}

// plain takes the x- keywords out of a schema.
func plain(v any) {
	switch v := v.(type) {
	case map[string]any:
		for key, sub := range v {
			props, named := sub.(map[string]any)
			switch {
			case strings.HasPrefix(key, "x-"):
				delete(v, key)
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

// settle makes a model's actions ready: names without the prefix that some models add, an agent's job_desc where it
// belongs, arguments of the card's types. finish is taken out: its answer counts only if no action is left, for otherwise
// something is still to be done. known tells how many actions name something that is there.
func settle(actions []bus.Action, offers []*offer) (out []bus.Action, answer string, known int) {
	for _, a := range actions {
		o := find(offers, a.ToolName)
		if o == nil {
			if o = find(offers, strings.TrimPrefix(a.ToolName, "functions.")); o != nil {
				a.ToolName = o.name
			}
		}
		if o != nil {
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
				a.JobDesc = textOf(first(fields(a.Parameter), "jobdesc"))
				if a.JobDesc == "" {
					a.JobDesc = string(a.Parameter)
				}
			}
			a.Parameter = nil
		default:
			a.Parameter = o.wants.coerce(a.Parameter)
		}
		out = append(out, a)
	}
	return out, answer, known
}
