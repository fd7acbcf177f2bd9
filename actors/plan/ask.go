package plan

import (
	"strings"

	"github.com/hmap-project/hmap/bus"
)

// question asks the user for the missing facts, naming each by its description. The first is the one the answer is taken
// for; the others are read from the answer when it holds them.
func (r *round) question(missing []need) *bus.Ask {
	first := missing[0]
	ask := &bus.Ask{Kind: bus.Question, Parameter: first.field.Name, ToolName: first.taker.Name}
	ask.Options = first.field.Enum
	var names []string
	seen := map[string]bool{}
	for _, n := range missing {
		if n.taker == first.taker && !seen[n.field.Name] {
			seen[n.field.Name] = true
			names = append(names, wanted(r.g.lang, n.field))
		}
	}
	if t := r.target(first.taker); t != nil {
		known := map[string]any{}
		for k, b := range t.bound {
			known[k] = b.value
		}
		if len(known) > 0 {
			ask.Arguments = arguments(known)
		}
	}
	ask.Question = say(r.g.lang, "为了%s，还需要您告诉我：%s。", "To go on with “%s” I need from you: %s.", purpose(r.g.lang, first.taker), strings.Join(names, say(r.g.lang, "；", "; ")))
	return ask
}

// purpose words what the tool is for; a description that speaks about its caller makes no good purpose.
func purpose(lang string, e *entry) string {
	if t := e.called(lang); len([]rune(t)) <= 30 && !strings.Contains(t, "用户") {
		return t
	}
	return say(lang, "处理这个请求", "this request")
}

// wanted names a parameter with its allowed or known values.
func wanted(lang string, f *field) string {
	s := f.label(lang)
	switch {
	case len(f.Enum) > 0:
		s += say(lang, "（可选：%s）", " (one of: %s)", strings.Join(f.Enum[:min(len(f.Enum), 10)], say(lang, "、", ", ")))
	case len(f.Examples) > 0:
		s += say(lang, "（例如：%s）", " (for example: %s)", strings.Join(f.Examples[:min(len(f.Examples), 4)], say(lang, "、", ", ")))
	case len(f.Lengths) == 1:
		s += say(lang, "（%d位）", " (%d digits)", f.Lengths[0])
	}
	return s
}
