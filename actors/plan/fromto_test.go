package plan

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/hmap-project/hmap/bus"
)

// TestPassages: which of two passages is the old one is told by the words, in any order, and never by the names of the parameters; where the
// words do not tell, it is asked.
func TestPassages(t *testing.T) {
	t.Parallel()
	edit := bus.Card{
		Name: "edit_file", Description: "修改一个文本文件：把其中一段原文换成新的文本。 Edits a text file: replaces a passage of it by another.",
		Parameters: json.RawMessage(`{"type":"object","required":["name","old","new"],"properties":{
			"name":{"type":"string","title":"文件名","description":"本会话中的文件名。 The name of a file of this session."},
			"old":{"type":"string","title":"原文","description":"要被替换的原文。 The passage to be replaced."},
			"new":{"type":"string","title":"新文本","description":"换成的文本。 What takes its place."}}}`),
		Effect: bus.Idempotent, Tags: []string{"修改文件", "编辑文件", "edit file", "change file", "replace"},
	}
	x := NewIndex([]bus.Card{edit}, Options{})
	for _, text := range []string{
		`把 a.md 里的 "甲" 改成 "乙"`, `将文件 a.md 中的「甲」替换为「乙」`, `修改文件 a.md：用“乙”代替“甲”`, `修改文件 a.md，"甲" → "乙"`, `编辑文件 a.md：应该是"乙"，而不是"甲"`,
		`修改 a.md，"甲" 应为 "乙"`, `在 a.md 里把"甲"全部替换成"乙"`, `修改文件 a.md：把"甲"换成"乙"`,
		`replace "甲" with "乙" in a.md`, `change "甲" in a.md to "乙"`, `edit a.md: use "乙" instead of "甲"`, `change a.md from "甲" to "乙"`, `edit a.md so that it says "乙" rather than "甲"`,
		`In a.md, change the line "甲" to read "乙"`, `edit a.md: "甲" should be "乙"`, `please edit file a.md, "甲" -> "乙"`,
	} {
		out := x.Think(Input{Request: text, Now: time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC)})
		if len(out.Actions) != 1 || string(out.Actions[0].Parameter) != `{"name":"a.md","new":"乙","old":"甲"}` {
			t.Errorf("%s: %s", text, told(out))
		}
	}
	for _, text := range []string{`修改文件 a.md："甲" "乙"`, `edit file a.md: "甲", "乙"`, `修改文件 a.md，加上“乙”`} {
		if out := x.Think(Input{Request: text, Now: time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC)}); len(out.Actions) > 0 {
			t.Errorf("%s: guessed %s", text, told(out))
		}
	}
	// What is missing is asked for in the order of the card, or, where its properties were sorted on the way here, in that of what it requires.
	sorted := edit
	sorted.Parameters = json.RawMessage(`{"type":"object","properties":{
		"name":{"type":"string","title":"文件名"},"new":{"type":"string","title":"新文本","description":"换成的文本。"},"old":{"type":"string","title":"原文","description":"要被替换的原文。"}},"required":["name","old","new"]}`)
	for _, c := range []bus.Card{edit, sorted} {
		out := NewIndex([]bus.Card{c}, Options{}).Think(Input{Request: "修改文件 a.md", Now: time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC)})
		if out.Ask == nil || out.Ask.Parameter != "old" || !strings.Contains(out.Ask.Question, "原文；新文本") {
			t.Errorf("%s", told(out))
		}
	}
	open := bus.Ask{Kind: bus.Question, Parameter: "new", ToolName: "edit_file"}
	for _, said := range []string{`把"甲"改成"乙"`, `“乙”代替“甲”`, `"乙" instead of "甲"`, `from "甲" to "乙"`} {
		out := x.Think(Input{Request: "修改文件 a.md", Answers: []Answer{{Ask: open, Text: said}}, Now: time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC)})
		if len(out.Actions) != 1 || string(out.Actions[0].Parameter) != `{"name":"a.md","new":"乙","old":"甲"}` {
			t.Errorf("told %s when asked: %s", said, told(out))
		}
	}
}

// TestFileIsAddedTo: adding to a file and saving one are wishes in the words of both languages, also right behind one another, and what may be
// left out is not read from the words that say so.
func TestFileIsAddedTo(t *testing.T) {
	t.Parallel()
	card := func(name, desc, more string, tags ...string) bus.Card {
		return bus.Card{Name: name, Description: desc, Effect: bus.Idempotent, Tags: tags, Parameters: json.RawMessage(`{"type":"object","required":["name","text"],"properties":{
			"name":{"type":"string","title":"文件名","description":"本会话中的文件名。 The name of a file of this session."},
			"text":{"type":"string","title":"文本","description":"一行或多行。 The line or lines."}` + more + `}}`)}
	}
	x := NewIndex([]bus.Card{
		card("append_to_file", "追加到文件：在一个文本文件的末尾加上文本。 Appends to a text file: adds text at its end.", "", "追加到文件", "append to file", "add a line"),
		card("save_file", "保存文件：把一段文本存成一个文件。 Saves a text as a file.", `,"description":{"type":"string","title":"说明","description":"可选：内容是什么，一句话。"}`, "写入文件", "保存文件", "save file"),
	}, Options{})
	for text, want := range map[string]string{
		`在文件 b.md 末尾追加 "丙"`: "append_to_file", `追加 "丙" 到 b.md`: "append_to_file", `给 b.md 追加一行 "丙"`: "append_to_file", `append "丙" to b.md`: "append_to_file",
		`保存文件 b.md，内容是 "丙"`: "save_file", `写文件 b.md 内容为 "丙"`: "save_file", `save "丙" as b.md`: "save_file",
	} {
		out := x.Think(Input{Request: text, Now: time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC), History: []Turn{{Request: `append "甲" to a.md`, Answer: "没能完成：there is no file."}}})
		if len(out.Actions) != 1 || out.Actions[0].ToolName != want || string(out.Actions[0].Parameter) != `{"name":"b.md","text":"丙"}` {
			t.Errorf("%s: %s", text, told(out))
		}
	}
}
