package model

import (
	"slices"
	"strings"

	openai "github.com/sashabaranov/go-openai"

	"github.com/hmap-project/hmap/actors/mask"
)

// veiled has a talk go on behind a veil of these rules; nil: it does not.
func (t *talk) veiled(r *mask.Rules) {
	if r == nil {
		return
	}
	t.veil = r.Veil()
	t.voice.veil = t.veil
	for _, m := range t.messages() {
		each(&m, func(text string) string { t.veil.Reserve(text); return text })
		for _, c := range m.ToolCalls {
			t.veil.Reserve(c.Function.Arguments)
		}
	}
	for _, o := range t.tools {
		t.veil.Reserve(string(o.tool))
	}
}

// masked is a conversation with placeholders for what is not to leave, and a word on them at the end of the system prompt.
func (t *talk) masked(messages []openai.ChatCompletionMessage) []openai.ChatCompletionMessage {
	v := t.veil
	if v == nil {
		return messages
	}
	out := slices.Clone(messages)
	for i := range out {
		each(&out[i], v.Hide)
		for k := range out[i].ToolCalls {
			a := &out[i].ToolCalls[k].Function.Arguments
			*a = string(v.HideJSON([]byte(*a)))
		}
	}
	if !v.Hides() {
		return out
	}
	told := text("masked", t.language)
	if len(out) > 0 && out[0].Role == "system" {
		out[0].Content = strings.TrimSpace(out[0].Content + "\n\n" + told)
		return out
	}
	return slices.Insert(out, 0, openai.ChatCompletionMessage{Role: "system", Content: told})
}

// each changes every text of a message but for arguments. What lies behind it is copied, also the calls.
func each(m *openai.ChatCompletionMessage, with func(string) string) {
	m.Content = with(m.Content)
	m.MultiContent = slices.Clone(m.MultiContent)
	for i := range m.MultiContent {
		m.MultiContent[i].Text = with(m.MultiContent[i].Text)
	}
	m.ToolCalls = slices.Clone(m.ToolCalls)
}

// maskedTools are the tools as they are offered: their examples may be people's.
func (t *talk) maskedTools() []*offer {
	if t.veil == nil {
		return t.tools
	}
	out := slices.Clone(t.tools)
	for i, o := range out {
		if hidden := t.veil.HideJSON(o.tool); string(hidden) != string(o.tool) {
			out[i] = &offer{tool: hidden}
		}
	}
	return out
}

// unmask puts the values back into an answer.
func (g *gather) unmask(v *mask.Veil) {
	if v == nil || !v.Hides() {
		return
	}
	show := func(b *strings.Builder) {
		text := v.Show(b.String())
		b.Reset()
		b.WriteString(text)
	}
	show(&g.Text)
	show(&g.Reasoning)
	for _, c := range g.Calls {
		show(&c.arguments)
	}
}
