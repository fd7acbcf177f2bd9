package model

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	openai "github.com/sashabaranov/go-openai"

	"github.com/hmap-project/hmap/bus"
)

// structParse puts a prompt in the H-MAP form: tools and form in the system prompt, actions and observations as text.
func structParse(p Prompt) talk {
	offers := p.offered()
	return talk{
		language: p.Language,
		voice:    &voice{to: p.OnDelta, form: true},
		messages: func() []openai.ChatCompletionMessage {
			var system strings.Builder
			for _, s := range []string{p.System, text("form", p.Language), text("tools", p.Language)} {
				system.WriteString(s)
				system.WriteString("\n\n")
			}
			for _, o := range offers {
				system.Write(o.line)
				system.WriteByte('\n')
			}
			return formMessages(system.String(), p)
		},
		read: func(g *gather, last bool) (Reply, *failure) { return readForm(g, offers, last) },
	}
}

func readForm(g *gather, offers []*offer, last bool) (Reply, *failure) {
	r, written := opened(g)
	if written == "" {
		return r, empty()
	}
	parsed, err := ParseActionCode(written)
	switch {
	case err != nil && marks.MatchString(written):
		return r, garbled(written)
	case err != nil && last && !strings.Contains(written, "{"):
		r.Answer = written // twice plain prose: it means it
		return r, nil
	case err != nil:
		return r, unread(written, err.Error())
	case parsed.Cut:
		return r, unread(written, "it is cut off")
	}
	actions, answer, _ := settle(parsed.Actions, offers)
	r.Thought, r.Critique, r.Plan, r.Actions = parsed.Thought, parsed.Critique, parsed.Plan, actions
	if len(actions) == 0 {
		if r.Answer = answer; answer == "" {
			r.Answer = parsed.Answer
		}
		if r.Answer == "" && r.Plan == nil {
			return r, unread(written, "it has neither an action nor an answer")
		}
	}
	return r, nil
}

func unread(said, reason string) *failure {
	return &failure{kind: misread, said: said, message: reason}
}

// formMessages gives the conversation as text only, with the roles taking turns, as models without function call expect it.
func formMessages(system string, p Prompt) []openai.ChatCompletionMessage {
	out := []openai.ChatCompletionMessage{{Role: "system", Content: strings.TrimSpace(system)}}
	for _, m := range p.Messages {
		switch {
		case m.Role == "tool":
			m = Message{Role: "user", Text: observation(m, p.Language)}
		case m.Role == "assistant":
			m = Message{Role: "assistant", Text: formOf(m)}
		}
		next, ok := said(m)
		if !ok {
			continue
		}
		if before := &out[len(out)-1]; before.Role == next.Role && before.MultiContent == nil && next.MultiContent == nil {
			before.Content += "\n\n" + next.Content
			continue
		}
		out = append(out, next)
	}
	return out
}

// formOf writes an assistant message in the form that the model is asked for, so that its own history teaches it.
func formOf(m Message) string {
	if len(m.Actions) == 0 {
		return m.Text
	}
	type line struct {
		ToolName  string          `json:"tool_name"`
		Parameter json.RawMessage `json:"parameter,omitempty"`
		JobDesc   string          `json:"job_desc,omitempty"`
	}
	form := struct {
		Thought    string `json:"thought"`
		ActionCode []line `json:"action_code"`
	}{Thought: m.Text}
	for _, a := range m.Actions {
		l := line{ToolName: a.ToolName}
		if job := textOf(fields(a.Arguments)["jobdesc"]); job != "" {
			l.JobDesc = job
		} else if json.Valid(a.Arguments) {
			l.Parameter = a.Arguments
		}
		form.ActionCode = append(form.ActionCode, l)
	}
	return string(encode(form))
}

// wantObject puts a prompt that asks for one JSON object of a schema.
func wantObject(p Prompt) (talk, error) {
	schema, err := bus.CompileSchema(p.Schema, false)
	if err != nil {
		return talk{}, fmt.Errorf("the wanted schema: %w", err)
	}
	wanted := shown(p.Schema)
	if wanted == nil { // true or false is a schema, too
		wanted = p.Schema
	}
	t := talk{language: p.Language, voice: &voice{to: p.OnDelta}}
	t.messages = func() []openai.ChatCompletionMessage {
		return formMessages(p.System+"\n\n"+text("schema", p.Language)+"\n\n"+string(wanted), p)
	}
	t.read = func(g *gather, _ bool) (Reply, *failure) {
		r, written := opened(g)
		if written == "" {
			return r, empty()
		}
		raw, cut, err := firstObject(written)
		if err == nil && cut {
			err = errors.New("it is cut off")
		}
		if err == nil {
			raw = coerce(raw, p.Schema)
			err = holds(schema, raw)
		}
		if err != nil {
			return r, unread(written, short(err.Error()))
		}
		r.JSON = raw
		return r, nil
	}
	return t, nil
}

func holds(schema *bus.Schema, raw json.RawMessage) error {
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return err
	}
	err = schema.Validate(v)
	var invalid *jsonschema.ValidationError
	if !errors.As(err, &invalid) {
		return err
	}
	// The first line names only the schema.
	if _, rest, ok := strings.Cut(invalid.Error(), "\n"); ok {
		return errors.New(rest)
	}
	return invalid
}
