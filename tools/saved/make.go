package saved

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hmap-project/hmap/bus"
)

// Wish is what a new tool shall be called, and for what it is; what is empty is made of the task.
type Wish struct {
	Name, Description string
	Language          string // of errors, zh or en
	// Taken reports whether a name is somebody's already who was not made of that task; nil: none is.
	Taken func(name, task string) bool
}

// Make makes a tool of the newest task before another one that ended well: the calls of tools below it, in their order. What the user said and what
// flowed into an argument becomes a parameter, typed as the argument is, with what was said as its example; what an earlier call brought becomes a
// reference to it; all else stays as it was. cards are those on offer now. The error is worded for whoever asked.
func Make(records []bus.Record, before string, cards []bus.Card, w Wish) (bus.SavedTool, error) {
	by := map[string]bus.Card{}
	for _, c := range cards {
		by[c.Name] = c
	}
	task, said, err := read(records, before, w.Language, by)
	if err != nil {
		return bus.SavedTool{}, err
	}
	if len(task.calls) > maxSteps {
		return bus.SavedTool{}, fmt.Errorf(say(w.Language, "%d 次调用太多了，一个工具最多 %d 步", "%d calls are too many for a tool, at most %d"), len(task.calls), maxSteps)
	}
	m := &maker{said: plainly(strings.Join(said, "\n")), by: by}
	t := bus.SavedTool{Agent: task.agent, Effect: bus.Read, From: task.task}
	effectful := ""
	for i, c := range task.calls {
		card, there := by[c.ToolName]
		if !there || card.IsAgent() {
			return t, fmt.Errorf(say(w.Language, "任务用过的工具 %.64q 现在不在", "the tool %.64q, which the task called, is not there now"), c.ToolName)
		}
		step := bus.SavedStep{ID: "s" + strconv.Itoa(i+1), ToolName: c.ToolName, Card: card.Print()}
		if step.Parameter, err = m.parameter(card, c.Parameter); err != nil {
			return t, fmt.Errorf("%s: %w", c.ToolName, err)
		}
		// What changes something keeps its place among the others.
		if card.Effect != bus.Read {
			for _, s := range t.Steps {
				step.After = append(step.After, s.ID)
			}
			effectful = step.ID
		} else if effectful != "" {
			step.After = []string{effectful}
		}
		if bus.Stronger(card.Effect, t.Effect) {
			t.Effect = card.Effect
		}
		t.Steps = append(t.Steps, step)
		m.observe(step.ID, c.Observation)
	}
	if t.Parameters, err = m.schema(); err != nil {
		return t, err
	}
	if t.Returns, err = m.returns(t); err != nil {
		return t, err
	}
	if t.Test, err = m.test(t, task.calls); err != nil {
		return t, err
	}
	t.Description = w.Description
	if strings.TrimSpace(t.Description) == "" {
		t.Description = m.describe(task)
	}
	if t.Name, err = name(w, task); err != nil {
		return t, err
	}
	return t, t.Check()
}

// maxSteps is how many calls a saved tool may have: more is no tool, but a report of a day's work.
const maxSteps = 31

// maker turns the arguments of calls into parameters, references and what stays.
type maker struct {
	said     string
	by       map[string]bus.Card
	fields   []field
	observed []observed
}

// field is a parameter of the new tool.
type field struct {
	name     string
	schema   map[string]any
	value    any
	required bool
}

// observed is a scalar that a step brought, and where.
type observed struct {
	text, reference string
}

// parameter is a step's parameter with references in it.
func (m *maker) parameter(card bus.Card, raw json.RawMessage) (json.RawMessage, error) {
	if len(bytes.TrimSpace(raw)) == 0 {
		return nil, nil
	}
	var given map[string]any
	if err := decode(raw, &given); err != nil {
		return nil, fmt.Errorf("its arguments cannot be read: %w", err)
	}
	var schema map[string]any
	_ = json.Unmarshal(card.Parameters, &schema) // without one the values tell the types
	if code, ok := given["code"].(string); ok && card.Name == interpreter {
		m.code(given, code)
		return encode(given)
	}
	out := map[string]any{}
	needs := names(schema["required"])
	for _, k := range slices.Sorted(maps.Keys(given)) {
		out[k] = m.value(k, given[k], property(schema, k), slices.Contains(needs, k), 0)
	}
	return encode(out)
}

// value is what stands in a step for an argument.
func (m *maker) value(name string, v any, schema map[string]any, needed bool, depth int) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		needs := names(schema["required"])
		for _, k := range slices.Sorted(maps.Keys(v)) {
			out[k] = m.value(k, v[k], property(schema, k), slices.Contains(needs, k), depth+1)
		}
		return out
	case []any:
		if len(v) > 0 && !slices.ContainsFunc(v, func(e any) bool { return !scalar(e) }) && slices.ContainsFunc(v, m.isSaid) {
			return m.field(name, v, schema, true) // a list that was said is one parameter
		}
		items, _ := schema["items"].(map[string]any)
		out := make([]any, 0, len(v))
		for _, e := range v {
			out = append(out, m.value(name, e, items, false, depth+1))
		}
		return out
	}
	switch choice := schema["enum"] != nil || is[bool](v); {
	case is[bool](v):
		return v
	case m.isSaid(v) && choice:
		return m.field(name, v, schema, false)
	case m.isSaid(v):
		return m.field(name, v, schema, true)
	}
	if ref := m.reference(v); ref != "" {
		return ref
	}
	if text, ok := v.(string); ok && (date.MatchString(text) || strings.HasPrefix(text, "obj:")) { // counted from what was said: "last month"
		return m.field(name, v, schema, needed)
	}
	if text, ok := v.(string); ok && strings.HasPrefix(text, "$") {
		return "$" + text
	}
	return v
}

var date = regexp.MustCompile(`^\d{4}-\d{2}(-\d{2})?([T ]\d{2}:\d{2}(:\d{2})?)?$`)

// isSaid reports whether a person named a value: as a whole word where it is Latin or a number.
func (m *maker) isSaid(v any) bool {
	text := plainly(textOf(v))
	if n := utf8.RuneCountInString(text); n == 0 || n < 2 && !unicode.IsDigit(rune(text[0])) {
		return false
	}
	for at := 0; ; {
		i := strings.Index(m.said[at:], text)
		if i < 0 {
			return false
		}
		begin, end := at+i, at+i+len(text)
		before, _ := utf8.DecodeLastRuneInString(m.said[:begin])
		after, _ := utf8.DecodeRuneInString(m.said[end:])
		first, _ := utf8.DecodeRuneInString(text)
		last, _ := utf8.DecodeLastRuneInString(text)
		if !(latin(before) && latin(first)) && !(latin(after) && latin(last)) {
			return true
		}
		at = end
	}
}

func latin(r rune) bool {
	return r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r)) && r != utf8.RuneError
}

// field is the reference to a parameter for a value: one of the same name and value, else a new one.
func (m *maker) field(name string, v any, schema map[string]any, required bool) string {
	name = token(name)
	text := textOf(v)
	for _, f := range m.fields {
		same := textOf(f.value) == text && fmt.Sprintf("%T", f.value) == fmt.Sprintf("%T", v)
		// One thing said may go to arguments of several names; two days that happen to be one stay two.
		if same && (f.name == name || strings.HasPrefix(f.name, name+"_") || required && utf8.RuneCountInString(text) > 2 && !date.MatchString(text)) {
			return "$args." + f.name
		}
	}
	base := name
	for n := 2; slices.ContainsFunc(m.fields, func(f field) bool { return f.name == name }); n++ {
		name = base + "_" + strconv.Itoa(n)
	}
	own := map[string]any{}
	for _, k := range []string{"type", "title", "x-title-en", "description", "enum", "pattern", "format", "minLength", "maxLength", "minimum", "maximum", "items", "x-needs", "x-means"} {
		if w, there := schema[k]; there {
			own[k] = w
		}
	}
	if own["type"] == nil {
		own["type"] = typeOf(v)
	}
	own["examples"] = examples(v, schema["examples"])
	if !required && (schema["enum"] != nil || schema["default"] != nil) {
		own["default"] = v
	}
	m.fields = append(m.fields, field{name, own, v, required})
	return "$args." + name
}

// examples are what was said first, and what the tool's own schema has, from which a planner reads values out of plain words.
func examples(v any, more any) []any {
	out := []any{v}
	list, _ := more.([]any)
	for _, e := range list[:min(len(list), maxExamples)] {
		if textOf(e) != textOf(v) {
			out = append(out, e)
		}
	}
	return out
}

const maxExamples = 100

// observe takes in what a step brought, for the arguments of later ones.
func (m *maker) observe(id string, raw json.RawMessage) {
	var v any
	if decode(raw, &v) != nil {
		return
	}
	var visit func(v any, at string)
	visit = func(v any, at string) {
		switch v := v.(type) {
		case map[string]any:
			for _, k := range slices.Sorted(maps.Keys(v)) {
				if !strings.ContainsAny(k, ".[]") && k != "" {
					visit(v[k], at+"."+k)
				}
			}
		case []any:
			for i, e := range v {
				visit(e, at+"."+strconv.Itoa(i))
			}
		default:
			if text := textOf(v); telling(v) && len(m.observed) < maxObserved {
				m.observed = append(m.observed, observed{text, "$" + id + at})
			}
		}
	}
	visit(v, "")
}

const maxObserved = 20_000

// telling reports whether a value is one that two places hardly share by chance.
func telling(v any) bool {
	switch v := v.(type) {
	case string:
		return utf8.RuneCountInString(v) >= 3 || utf8.RuneCountInString(v) == 2 && len(v) > 4
	case json.Number:
		return len(v) >= 4
	}
	return false
}

// reference is where an earlier step brought a value first; "": nowhere.
func (m *maker) reference(v any) string {
	if !telling(v) {
		return ""
	}
	text := textOf(v)
	for _, o := range m.observed {
		if o.text == text {
			return o.reference
		}
	}
	return ""
}

// schema is the JSON Schema of the parameters; nil: there are none.
func (m *maker) schema() (json.RawMessage, error) {
	if len(m.fields) == 0 {
		return nil, nil
	}
	properties, required := map[string]any{}, []string{}
	for _, f := range m.fields {
		properties[f.name] = f.schema
		if f.required {
			required = append(required, f.name)
		}
	}
	return encode(map[string]any{"type": "object", "properties": properties, "required": required, "additionalProperties": false})
}

// returns is the schema of what the tool brings; nil: not known, or too long.
func (m *maker) returns(t bus.SavedTool) (json.RawMessage, error) {
	properties := map[string]json.RawMessage{}
	ends := t.Ends()
	for _, i := range ends {
		card := m.by[t.Steps[i].ToolName]
		if len(ends) == 1 {
			return short(card.Returns), nil
		}
		head, _, _ := strings.Cut(sentence.ReplaceAllString(card.Description, "\n"), "\n")
		title, err := encode(map[string]string{"title": clip(head, 40), "x-title-en": strings.ReplaceAll(card.Name, "_", " ")})
		if err != nil {
			return nil, err
		}
		rest := bytes.TrimSpace(card.Returns)
		if len(rest) < 3 || rest[0] != '{' {
			rest = []byte(`{"description":""}`)
		}
		properties[t.ResultName(i)] = slices.Concat(title[:len(title)-1], []byte(","), rest[1:]) // in the order of its fields, which is that of columns
	}
	whole, err := encode(map[string]any{"type": "object", "properties": properties})
	return short(whole), err
}

var sentence = regexp.MustCompile(`[，。：:；;（(\n]|[.,] `)

// short is a schema that a card has room for, or none.
func short(schema json.RawMessage) json.RawMessage {
	if len(schema) > maxReturns {
		return nil
	}
	return schema
}

const maxReturns = 20 << 10

// test is what the log says that the steps brought for the arguments of the task.
func (m *maker) test(t bus.SavedTool, calls []bus.Record) (*bus.SavedTest, error) {
	arguments, brought := map[string]any{}, map[string]json.RawMessage{}
	for _, f := range m.fields {
		arguments[f.name] = f.value
	}
	code := true
	for i, c := range calls {
		brought[t.Steps[i].ID] = c.Observation
		code = code && c.ToolName == interpreter && len(c.Files) == 0
	}
	result, ok := t.Result(brought)
	if !ok {
		return nil, errors.New("what the steps brought cannot be put together")
	}
	out, err := &bus.SavedTest{}, error(nil)
	if out.Parameter, err = encode(arguments); err != nil {
		return nil, err
	}
	if out.Shape, err = bus.Shape(result); err != nil {
		return nil, err
	}
	if code && len(result) <= 4<<10 {
		out.Value = result
	}
	return out, nil
}

// describe is the request with its values named instead of told, and the steps.
func (m *maker) describe(task solved) string {
	text := strings.Join(strings.Fields(fences.ReplaceAllString(task.request, " ")), " ")
	values := slices.Clone(m.fields)
	slices.SortStableFunc(values, func(a, b field) int { return len(textOf(b.value)) - len(textOf(a.value)) })
	for _, f := range values {
		if f.schema["enum"] != nil || utf8.RuneCountInString(textOf(f.value)) < 2 {
			continue
		}
		title, _ := f.schema["title"].(string)
		if en, ok := f.schema["x-title-en"].(string); ok && !strings.ContainsFunc(text, han) {
			title = en
		}
		if title == "" {
			title = f.name
		}
		text = strings.ReplaceAll(text, textOf(f.value), "「"+title+"」")
	}
	var steps []string
	for _, c := range task.calls {
		steps = append(steps, c.ToolName)
	}
	return clip(strings.TrimRight(text, "。.?？:：!！ "), 600) + "。 Saved steps: " + clip(strings.Join(steps, ", "), 300) + "."
}

var fences = regexp.MustCompile("(?s)```.*?```|`[^`]*`")

func han(r rune) bool { return unicode.Is(unicode.Han, r) }

// name is the wished name, which must be free, or one made of the last call's that is.
func name(w Wish, task solved) (string, error) {
	taken := func(name string) bool { return w.Taken != nil && w.Taken(name, task.task) }
	if w.Name != "" {
		if taken(w.Name) {
			return "", fmt.Errorf(say(w.Language, "名字 %.64q 已经有了，请换一个", "the name %.64q is taken; give another one"), w.Name)
		}
		return w.Name, nil
	}
	base := strings.Trim(notName.ReplaceAllString(strings.ToLower(task.calls[len(task.calls)-1].ToolName), "_"), "_")
	if base == "" || base[0] < 'a' {
		base = "tool_" + base
	}
	base = "my_" + strings.Trim(base[:min(len(base), 36)], "_")
	for n := 1; n <= bus.MaxSavedTools+1; n++ {
		one := base
		if n > 1 {
			one += "_" + strconv.Itoa(n)
		}
		if !taken(one) {
			return one, nil
		}
	}
	return "", errors.New("no name is free; give one")
}

var notName = regexp.MustCompile(`[^a-z0-9]+`)
