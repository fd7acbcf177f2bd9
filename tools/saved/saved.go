// Package saved makes tools of what solved a task: [Make] reads a session's log for the calls of its newest task and turns them into a
// [bus.SavedTool], [Try] runs one to see whether it still does what it did, and save_tool ([Tool]) does both when somebody asks for it, and keeps the
// tool once a person has agreed. Agents serve what is kept; nothing here runs a saved tool for a task.
package saved

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/bus/consent"
	"github.com/hmap-project/hmap/tools"
)

// ToolName is the tool that saves tools.
const ToolName = "save_tool"

// Arguments of save_tool.
type Arguments struct {
	Name        string `json:"name"`
	Description string `json:"description"`
}

// Outcome is what save_tool returns once the tool is kept.
type Outcome struct {
	Summary    string   `json:"summary"`
	SummaryEn  string   `json:"summary_en"`
	Name       string   `json:"name"`
	Version    int      `json:"version"`
	Parameters []string `json:"parameters"`
	Steps      []string `json:"steps"`
}

// Tool is save_tool. It makes the tool, tries it, shows it to the person behind the task, and keeps it when they agree: exactly what was shown, for
// the ask carries its sum, and what is made anew after the answer must have the same. Said again for a tool that is kept, it changes nothing.
func Tool(b *bus.Bus) tools.Tool {
	return tools.New(bus.Card{
		Name: ToolName,
		Description: "把刚才解决问题的步骤或代码存成一个新工具，以后可以直接用；先试运行，再请用户同意。" +
			" Saves the steps or the code that just solved a task as a new tool for later; it is tried first, and the user is asked to agree.",
		Parameters: json.RawMessage(`{"type":"object","properties":{
			"name":{"type":"string","title":"工具名","x-title-en":"Tool name","pattern":"^[a-z][a-z0-9]*(_[a-z0-9]+)+$","maxLength":48,"description":"可选：新工具的英文名，小写字母、数字、下划线。 Optional: a name in lower case with underscores."},
			"description":{"type":"string","title":"工具说明","x-title-en":"What it is for","maxLength":1000,"description":"可选：一句话说明它能做什么，给以后选用它的人或模型看。 Optional: what it does, for whoever chooses it later."}
			},"additionalProperties":false}`),
		Returns: json.RawMessage(`{"type":"object","properties":{
			"summary":{"type":"string","title":"结论"},"summary_en":{"type":"string","title":"英文结论"},
			"name":{"type":"string","title":"工具名","x-title-en":"Tool"},"version":{"type":"integer","title":"版本","x-title-en":"Version"},
			"parameters":{"type":"array","items":{"type":"string"},"title":"参数","x-title-en":"Parameters"},
			"steps":{"type":"array","items":{"type":"string"},"title":"步骤","x-title-en":"Steps"}
			},"required":["summary","summary_en","name","version"]}`),
		Effect: bus.Idempotent, Approval: "never", Timeout: 10 * time.Minute,
		Tags: []string{"analyst", "存成工具", "保存为工具", "存为工具", "做成工具", "新工具", "工具", "save as a tool", "save tool", "make it a tool", "new tool"},
	}, saver{b}.run)
}

const (
	// maxUnclear is how often it is asked again because what was said is neither yes nor no; after that it is a no.
	maxUnclear = 3
	// again ends the name of an ask once for each time that the same was asked before; the name has room for three.
	again = "-u"
)

type saver struct{ bus *bus.Bus }

func (s saver) run(ctx context.Context, call *tools.Call, a Arguments) (Outcome, error) {
	r := call.Request
	d, err := s.bus.Directory(ctx)
	if err != nil {
		return Outcome{}, err
	}
	records, err := s.bus.Read(ctx, bus.Where{Session: r.Session}, 0)
	if err != nil {
		return Outcome{}, fmt.Errorf("the session's log: %w", err)
	}
	kept, err := s.bus.SavedTools(ctx)
	if err != nil {
		return Outcome{}, err
	}
	made := map[string]string{} // the task that each saved tool was made of
	for _, t := range kept {
		made[t.Name] = t.From
	}
	cards := d.Cards()
	tool, err := Make(records, r.Task, cards, Wish{Name: a.Name, Description: a.Description, Language: r.Language, Taken: func(name, task string) bool {
		if from, saved := made[name]; saved {
			return from != task
		}
		_, there := d.Get(name)
		return there
	}})
	if err != nil {
		return Outcome{}, told(err)
	}
	if tool.Title != "" && slices.ContainsFunc(kept, func(t bus.SavedTool) bool { return t.Title == tool.Title && t.From != tool.From }) {
		return Outcome{}, told(fmt.Errorf(say(r.Language, "名字「%s」已经有了，请换一个", "the name “%s” is taken; give another one"), tool.Title))
	}
	if i := slices.IndexFunc(kept, func(t bus.SavedTool) bool { return t.Name == tool.Name }); i >= 0 {
		return s.again(r, kept[i], tool)
	}
	id := bus.ShortID(r.Call, 24) + "-save-" + sum(tool)
	said, unclear, same := consent.No, "", false
	if in := r.Input; in != nil {
		said = consent.To(bus.Ask{ToolName: ToolName}, *in)
		rest, ours := strings.CutPrefix(in.Ask, id)
		same = ours && strings.ReplaceAll(rest, again, "") == ""
		if said == consent.Unclear && ours && strings.Count(rest, again) < maxUnclear { // it is asked again, by another name
			id, unclear = in.Ask+again, say(r.Language, "我没听明白是同意还是不同意，所以还没有存。请回复“同意”或者“不同意”。\n", "I could not tell whether that is a yes or a no, so nothing is saved yet. Please answer yes or no.\n")
		}
	}
	switch in := r.Input; {
	case in == nil, unclear != "", in.Ask != "" && !same: // "" is of an ask whose id was too long to be kept
		call.Progress(say(r.Language, "正在试运行新工具……", "trying the new tool …"))
		tried := Try(ctx, s.bus, d, tool, r)
		if tried.Why != "" {
			return Outcome{}, told(fmt.Errorf(say(r.Language, "新工具没有通过试运行，所以没有存：%s", "the new tool failed its test, so it is not saved: %s"), tried.Why))
		}
		arguments, err := json.Marshal(tool)
		if err != nil {
			return Outcome{}, err
		}
		return Outcome{}, &tools.Ask{Ask: bus.Ask{ID: id, Kind: bus.Approval, Question: unclear + question(r.Language, tool, tried, leftOut(records, tool, cards)), ToolName: ToolName, Arguments: arguments}}
	case said != consent.Yes:
		return Outcome{}, &bus.Error{Code: bus.CodeForbidden, Message: say(r.Language, "没有存成工具：没有得到同意。", "not saved as a tool: it was not agreed to.")}
	}
	out, err := s.bus.KeepTool(ctx, tool, 0)
	if errors.Is(err, bus.ErrFenced) { // somebody else was faster, or another try of this call
		if old, failed := s.bus.SavedTool(ctx, tool.Name); failed == nil {
			return s.again(r, old, tool)
		}
	}
	if err != nil {
		return Outcome{}, told(err)
	}
	return outcome(out), nil
}

// again is for a tool of a name that is kept already: the same one, and nothing is left to do, or another.
func (s saver) again(r bus.Request, old, tool bus.SavedTool) (Outcome, error) {
	if sum(old) == sum(tool) {
		return outcome(old), nil
	}
	return Outcome{}, told(fmt.Errorf(say(r.Language, "名字 %s 已经有了，请换一个", "the name %s is taken; give another one"), tool.Name))
}

// sum tells what is saved apart, whatever its version.
func sum(t bus.SavedTool) string {
	t.Version, t.Saved = 0, time.Time{}
	body, err := json.Marshal(t)
	if err != nil {
		return ""
	}
	is := sha256.Sum256(body)
	return hex.EncodeToString(is[:6])
}

// told is a failure for whoever asked.
func told(err error) error {
	return &bus.Error{Code: bus.CodeInvalidParameter, Message: err.Error()}
}

func outcome(t bus.SavedTool) Outcome {
	out := Outcome{Name: t.Name, Version: t.Version, Parameters: Names(t), Steps: []string{}}
	for _, s := range t.Steps {
		out.Steps = append(out.Steps, s.ToolName)
	}
	out.Summary = fmt.Sprintf("已存成工具%s：%d 步，%d 个参数，以后可以直接用：「用 %s …」；查看：hmap tools show %s。", called("zh", t), len(t.Steps), len(out.Parameters), cmp.Or(t.Title, t.Name), t.Name)
	out.SummaryEn = fmt.Sprintf("Saved as the tool %s (steps: %d, parameters: %d): “use %s …”; see it with: hmap tools show %s.", called("en", t), len(t.Steps), len(out.Parameters), cmp.Or(t.Title, t.Name), t.Name)
	return out
}

// called is a tool by what people call it, with the name that it has among tools.
func called(lang string, t bus.SavedTool) string {
	if t.Title == "" {
		return say(lang, " "+t.Name+" ", t.Name)
	}
	return fmt.Sprintf(say(lang, "「%s」（%s）", "“%s” (%s)"), t.Title, t.Name)
}

// question shows the person what would be kept.
func question(lang string, t bus.SavedTool, tried Tried, file bool) string {
	var b strings.Builder
	fmt.Fprintf(&b, say(lang, "把这些步骤存成工具%s吗？\n说明：%s\n", "Save these steps as the tool %s?\nWhat it is for: %s\n"), called(lang, t), t.Description)
	for _, p := range parameters(t) {
		fmt.Fprintf(&b, say(lang, "参数 %s：%s，例如 %s\n", "Parameter %s: %s, for example %s\n"), p.name, p.kind, p.example)
	}
	for _, s := range t.Steps {
		fmt.Fprintf(&b, "%s  %s %s\n", s.ID, s.ToolName, clip(string(s.Parameter), 300))
	}
	if file {
		b.WriteString(say(lang, "做成文件的一步不存：用这个工具之后，再说一句「做成Excel」即可。\n", "Making a file is no step of it: use the tool, and then say “make it an Excel file”.\n"))
	}
	fmt.Fprintf(&b, say(lang, "影响：%s；试运行：%s", "Effect: %s; test: %s"), effects(lang, t.Effect), tried.Words(lang))
	return b.String()
}

func effects(lang string, e bus.Effect) string {
	if e == bus.Read {
		return say(lang, "只读", "reads only")
	}
	return say(lang, "会修改数据（其中要批准的步骤每次仍会先问）", "changes things (steps that need leave still ask each time)")
}

func say(lang, zh, en string) string {
	if lang == "zh" {
		return zh
	}
	return en
}

func clip(s string, runes int) string {
	if r := []rune(s); len(r) > runes {
		return string(r[:runes]) + "…"
	}
	return s
}
