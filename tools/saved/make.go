package saved

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/tools"
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
	m := &maker{said: plainly(strings.Join(said, "\n")), by: by, lang: w.Language}
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
	if w.Name == "" {
		var said string
		if w.Name, said = wished(records, before); said != w.Name {
			t.Title = clip(said, maxTitle)
		}
	}
	if t.Name, err = name(w, task); err != nil {
		return t, err
	}
	if err := t.Check(); err != nil {
		return t, fmt.Errorf(say(w.Language, "这些步骤存不成工具：%w", "these steps make no tool: %w"), err)
	}
	return t, nil
}

// maxTitle is how many characters what people call a tool may have, with the sign that it was cut.
const maxTitle = 39

// maxSteps is how many calls a saved tool may have: more is no tool, but a report of a day's work.
const maxSteps = 31

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
		title, err := bus.EncodePlain(map[string]string{"title": clip(head, 40), "x-title-en": strings.ReplaceAll(card.Name, "_", " ")})
		if err != nil {
			return nil, err
		}
		rest := bytes.TrimSpace(card.Returns)
		if len(rest) < 3 || rest[0] != '{' {
			rest = []byte(`{"description":""}`)
		}
		properties[t.ResultName(i)] = slices.Concat(title[:len(title)-1], []byte(","), rest[1:]) // in the order of its fields, which is that of columns
	}
	whole, err := bus.EncodePlain(map[string]any{"type": "object", "properties": properties})
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
		return nil, errors.New(say(m.lang, "这些步骤的结果合不到一起，存不成工具；请只做其中一步再存", "what the steps brought cannot be put together; do one of them alone, and save that"))
	}
	out, err := &bus.SavedTest{}, error(nil)
	if out.Parameter, err = bus.EncodePlain(arguments); err != nil {
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

// describe is the request with its values named instead of told, in the language of the request, and the steps. Of a request that says no more than to run its
// code it is what the code is.
func (m *maker) describe(task solved) string {
	text := strings.Join(strings.Fields(fences.ReplaceAllString(task.request, " ")), " ")
	if plain := intoFile.ReplaceAllString(text, ""); utf8.RuneCountInString(plain) > 2 { // that is no step
		text = plain
	}
	if plain := wishing.ReplaceAllString(text, ""); plain != "" {
		text = plain
	}
	values := slices.Clone(m.fields)
	slices.SortStableFunc(values, func(a, b field) int { return len(textOf(b.value)) - len(textOf(a.value)) })
	values = slices.DeleteFunc(values, func(f field) bool { return f.schema["enum"] != nil || utf8.RuneCountInString(textOf(f.value)) < 2 })
	bare := text
	for _, f := range values {
		bare = strings.ReplaceAll(bare, textOf(f.value), " ")
	}
	lang := tools.Language(bare)
	for _, f := range values {
		title, _ := f.schema["title"].(string)
		if en, ok := f.schema["x-title-en"].(string); ok && lang == "en" {
			title = en
		}
		if title == "" || lang == "en" && strings.ContainsFunc(title, han) {
			title = f.name
		}
		if lang == "en" {
			text = strings.ReplaceAll(text, textOf(f.value), "<"+strings.ToLower(title)+">")
		} else {
			text = strings.ReplaceAll(text, textOf(f.value), "「"+title+"」")
		}
	}
	var steps []string
	for _, c := range task.calls {
		steps = append(steps, c.ToolName)
	}
	text = clip(strings.TrimRight(text, "。.?？:：!！ "), 600)
	if about := codeOf(task.calls); about != "" && runsIt.MatchString(text) {
		text += fmt.Sprintf(say(lang, "（%s）", " (%s)"), about)
	}
	if lang == "zh" {
		return text + "。 保存的步骤：" + clip(strings.Join(steps, "、"), 300) + "。"
	}
	return text + ". Saved steps: " + clip(strings.Join(steps, ", "), 300) + "."
}

// Purpose is what a tool is for: its description without the steps, which [Make] puts behind it.
func Purpose(t bus.SavedTool) string {
	return strings.TrimRight(stepsBehind.ReplaceAllString(t.Description, ""), " ")
}

// intoFile is the wish for a file behind another wish: 然后做成Excel, and make a PDF of it.
var intoFile = regexp.MustCompile(`(?i)[，,。；;？?\s]*(?:然后|并且?|再|最后|同时)*(?:把(?:结果|它们?|这些))?(?:做成|制成|整理[成为到]|生成|导出[成为到]?|输出[成为到]?|汇总[成为到]|写成|转成|变成|放[到进])[^，,。；！？]{0,16}?(?:报告|报表|表格|幻灯片|演示文稿|文档|网页|ppt|excel|word|pdf|csv|markdown|html)[^，,。；！？]{0,6}$|` +
	`[,.;?]?\s+(?:and |then )+(?:please )?(?:export|turn|put|make|convert|write|save) .{0,40}\b(?:reports?|slides?|decks?|presentations?|spreadsheets?|workbooks?|documents?|pages?|files?|ppt|excel|word|pdf|csv|markdown|html)\b.{0,20}$`)

var stepsBehind = regexp.MustCompile(`(?s)(?:保存的步骤：|Saved steps: ).*$`)

// wishing are the words by which somebody asks for something, before what it is.
var wishing = regexp.MustCompile(`(?i)^(?:(?:please|kindly|hi|hello|hey|(?:can|could|would|will) you|help me(?: to)?|I(?: would|['’]d) like(?: you)?(?: to)?|I (?:want|need)(?: you)?(?: to)?(?: know)?|let me know|tell me)\b[\s,]*)+|^(?:请问?|麻烦|劳驾|你好|您好|帮我|帮忙|给我|替我|我想(?:要|知道|看|问)?(?:一下)?|我要|我需要|(?:你|您)?(?:能不能|能否|可不可以|可以)(?:帮我|给我)?|告诉我|[，,\s])+`)

// codeOf is what the code of a task is, in one line: the comment it begins with, else the line it ends with. "" when it called other tools, too.
func codeOf(calls []bus.Record) string {
	about := ""
	for _, c := range calls {
		var a struct {
			Code string `json:"code"`
		}
		if c.ToolName != interpreter || json.Unmarshal(c.Parameter, &a) != nil {
			return ""
		}
		lines := strings.Split(strings.TrimSpace(a.Code), "\n")
		about = strings.TrimSpace(lines[len(lines)-1])
		if comment := strings.Trim(lines[0], "#/\"' \t"); strings.HasPrefix(lines[0], "#") || strings.HasPrefix(lines[0], "//") || strings.HasPrefix(lines[0], `"""`) {
			about = comment
		}
	}
	return clip(about, 80)
}

var (
	// runsIt is a request that says of code no more than to run it.
	runsIt = regexp.MustCompile(`(?i)^(?:please |can you |could you )*(?:run|execute|eval|evaluate|try)\b[\w\s:,]{0,40}$|^(?:请|帮我|给我|麻烦)*(?:用 ?\w+ ?)?(?:运行|执行|跑|试)[^，。；]{0,16}$`)
)

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
	return "", errors.New(say(w.Language, "没有空着的名字了，请起一个", "no name is free; give one"))
}

var (
	notName  = regexp.MustCompile(`[^a-z0-9]+`)
	calledSo = regexp.MustCompile(`(?i)(?:名字|名称|取名|起名|命名|[，,]\s*就?叫)[叫为是做：:]*\s*["“「'‘]?([^\s"“”「」'’，,。.!！?？]{1,40})|\b(?:called|named|name it|call it|with the name)\s+["“'‘]?([\w][\w -]{0,39})`)
)

// wished is the name that the request of a task gives the tool, as a name that tools may have; "" when it gives none, or, with its words, none that can be made one.
func wished(records []bus.Record, task string) (name, said string) {
	for _, r := range records {
		if r.Kind != bus.KindRequest || r.Task != task || r.Call != task || r.Request == nil {
			continue
		}
		m := calledSo.FindStringSubmatch(r.Request.JobDesc)
		if m == nil {
			return "", ""
		}
		said = strings.TrimSpace(m[1] + m[2])
		if strings.ContainsFunc(said, func(r rune) bool { return r > unicode.MaxASCII }) {
			return "", said
		}
		name = strings.Trim(notName.ReplaceAllString(strings.ToLower(said), "_"), "_")
		if name == "" || name[0] < 'a' || !strings.Contains(name, "_") {
			name = strings.TrimSuffix("my_"+name, "_")
		}
		return strings.Trim(name[:min(len(name), 48)], "_"), said
	}
	return "", ""
}
