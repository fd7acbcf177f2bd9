package model

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	openai "github.com/sashabaranov/go-openai"

	"github.com/hmap-project/hmap/actors/mask"
	"github.com/hmap-project/hmap/bus"
)

// talk is a prompt as one strategy puts it to a model: what is sent, how what comes back is read, and who hears it.
type talk struct {
	// messages makes the conversation anew for each request: while the answer is waited for, nothing of it is kept.
	messages func() []openai.ChatCompletionMessage
	more     []openai.ChatCompletionMessage // the corrective round
	tools    []*offer
	// read makes a reply of an answer. last: there is no further corrective round, so take what can be taken.
	read     func(g *gather, last bool) (Reply, *failure)
	voice    *voice
	language string
	veil     *mask.Veil // nil: nothing is masked
}

// conversation is all messages of the next request, as they are sent.
func (t *talk) conversation() []openai.ChatCompletionMessage {
	return t.masked(append(t.messages(), t.more...))
}

// functionCall puts a prompt as OpenAI functions.
func functionCall(p Prompt) talk {
	t := talk{language: p.Language, voice: &voice{to: p.OnDelta, channel: "answer"}}
	if len(p.Tools) > 0 {
		t.tools = p.offered()
		t.voice.channel = "thought"
	}
	offers := t.tools
	t.messages = func() []openai.ChatCompletionMessage {
		system := p.System
		if len(offers) > 0 {
			system += "\n\n" + text("calls", p.Language)
		}
		return functionMessages(system, p)
	}
	t.read = func(g *gather, _ bool) (Reply, *failure) { return readFunctions(g, offers) }
	return t
}

func readFunctions(g *gather, offers []*offer) (Reply, *failure) {
	r, written := opened(g)
	if len(g.Calls) == 0 {
		if written == "" {
			return r, empty()
		}
		if f := garbled(written); f != nil {
			return r, f
		}
		if p, ok := writtenForm(written, offers); ok {
			r.Thought, r.Critique, r.Actions = p.Thought, p.Critique, p.Actions
			return r, nil
		}
		r.Answer = written
		return r, nil
	}
	var actions []bus.Action
	for i, call := range g.Calls {
		a := bus.Action{ToolName: strings.TrimSpace(call.name)}
		if a.ToolName == "" {
			return r, &failure{kind: spoilt, message: "the model made a call without a name"}
		}
		raw := strings.TrimSpace(call.arguments.String())
		if _, closed := balanced(raw, false); strings.HasPrefix(raw, "{") && !closed && endsInside(raw) {
			return r, &failure{kind: spoilt, message: "the arguments of " + a.ToolName + " are cut off"}
		}
		var err error
		if raw != "" {
			var mended json.RawMessage
			if mended, err = repair(raw); err == nil {
				a.Parameter, err = arguments(mended)
			}
		}
		if err != nil {
			return r, &failure{kind: spoilt, message: fmt.Sprintf("the arguments of %s: %v", a.ToolName, err)}
		}
		if len(g.Calls) > 1 {
			a.ID = fmt.Sprintf("t%d", i+1)
		}
		actions = append(actions, a)
	}
	r.Thought = written
	var answer string
	if r.Actions, answer, _ = settle(actions, offers); len(r.Actions) == 0 {
		if r.Answer = answer; answer == "" {
			r.Answer, r.Thought = written, ""
		}
		if r.Answer == "" {
			return r, empty()
		}
	}
	return r, nil
}

// marks are those between the turns of a conversation, which a wrong template lets through.
var marks = regexp.MustCompile(`<\|(?:im_start|im_end|endoftext|eot_id|end_of_turn|start_header_id)\|>`)

// garbled reports whether a text cannot be what was meant: control characters and marks are what no model means to say.
func garbled(text string) *failure {
	control := func(r rune) bool { return r < ' ' && r != '\t' && r != '\n' && r != '\r' }
	if !strings.ContainsFunc(text, control) && (!strings.Contains(text, "<|") || !marks.MatchString(text)) {
		return nil
	}
	return &failure{kind: spoilt, message: "the answer is garbled: it has control characters or the marks of a chat template in it"}
}

func empty() *failure { return &failure{kind: spoilt, message: "the answer is empty"} }

// opened begins a reply with what both strategies share, and gives the text without its thinking.
func opened(g *gather) (r Reply, written string) {
	thinking, written := splitThink(g.Text.String())
	r = Reply{Model: g.Model, Reasoning: strings.TrimSpace(g.Reasoning.String())}
	if r.Reasoning == "" {
		r.Reasoning = thinking
	}
	return r, written
}

// writtenForm sees calls that a model wrote as text, because its server does not parse them. Only a text that is nothing
// but an action code of tools that are there counts, for an answer may speak of JSON; or what stands behind the mark of a call.
func writtenForm(text string, offers []*offer) (Parsed, bool) {
	thought, call, marked := strings.Cut(text, "<tool_call>")
	if marked {
		text = strings.TrimSpace(call)
	}
	if len(offers) == 0 || !strings.HasPrefix(text, "{") && !strings.HasPrefix(text, "```") {
		return Parsed{}, false
	}
	p, err := ParseActionCode(text)
	if err != nil || p.Cut || len(p.Actions) == 0 {
		return Parsed{}, false
	}
	n := len(p.Actions)
	actions, _, known := settle(p.Actions, offers)
	if p.Actions = actions; marked && p.Thought == "" {
		p.Thought = strings.TrimSpace(thought)
	}
	return p, known == n && len(actions) > 0
}

// functionMessages gives the conversation as OpenAI has it.
func functionMessages(system string, p Prompt) []openai.ChatCompletionMessage {
	out := make([]openai.ChatCompletionMessage, 0, len(p.Messages)+1)
	if system = strings.TrimSpace(system); system != "" {
		out = append(out, openai.ChatCompletionMessage{Role: "system", Content: system})
	}
	var waiting map[string]bool // calls sent whose observation is still to come
	for i, m := range p.Messages {
		switch {
		case m.Role == "tool" && waiting[m.CallID]:
			delete(waiting, m.CallID)
			out = append(out, openai.ChatCompletionMessage{Role: "tool", ToolCallID: m.CallID, Content: filled(m.Text)})
		case m.Role == "tool":
			out = append(out, openai.ChatCompletionMessage{Role: "user", Content: observation(m, p.Language)})
		case m.Role == "assistant":
			am := openai.ChatCompletionMessage{Role: "assistant", Content: m.Text}
			if waiting = nil; len(m.Actions) > 0 {
				waiting = make(map[string]bool, len(m.Actions))
			}
			for _, a := range m.Actions {
				if !answered(p.Messages[i+1:], a.ID) || waiting[a.ID] {
					continue
				}
				waiting[a.ID] = true
				am.ToolCalls = append(am.ToolCalls, openai.ToolCall{ID: a.ID, Type: openai.ToolTypeFunction,
					Function: openai.FunctionCall{Name: a.ToolName, Arguments: filledObject(a.Arguments)}})
			}
			if am.Content != "" || len(am.ToolCalls) > 0 {
				out = append(out, am)
			}
		default:
			if um, ok := said(m); ok {
				out = append(out, um)
			}
		}
	}
	return out
}

// answered reports whether the tool messages right after a call hold its observation.
func answered(after []Message, id string) bool {
	for _, m := range after {
		if m.Role != "tool" {
			return false
		}
		if m.CallID == id {
			return true
		}
	}
	return false
}

// said is a message of the user or the system; not ok if there is nothing in it.
func said(m Message) (openai.ChatCompletionMessage, bool) {
	out := openai.ChatCompletionMessage{Role: m.Role, Content: m.Text}
	if len(m.Images) == 0 {
		return out, m.Text != ""
	}
	out.Content = ""
	if m.Text != "" {
		out.MultiContent = append(out.MultiContent, openai.ChatMessagePart{Type: openai.ChatMessagePartTypeText, Text: m.Text})
	}
	for _, u := range m.Images {
		out.MultiContent = append(out.MultiContent, openai.ChatMessagePart{Type: openai.ChatMessagePartTypeImageURL, ImageURL: &openai.ChatMessageImageURL{URL: u}})
	}
	return out, true
}

// filled: an empty tool message loses its content on the way, and some servers refuse it then.
func filled(s string) string {
	if s == "" {
		return "(empty)"
	}
	return s
}

func filledObject(raw json.RawMessage) string {
	if len(raw) == 0 || string(raw) == "null" {
		return "{}"
	}
	return string(raw)
}

func observation(m Message, language string) string {
	return fmt.Sprintf(text("observation", language), m.Name, filled(m.Text))
}
