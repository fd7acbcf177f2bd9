package files

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/tools"
)

// kept is what save_file and edit_file return.
type kept struct {
	Summary   string `json:"summary"`
	SummaryEn string `json:"summary_en"`
	listed
}

const keptSchema = `{"type":"object","properties":{"summary":{"type":"string","title":"结论"},"summary_en":{"type":"string","title":"英文结论"},
	"name":{"type":"string","title":"文件名","x-title-en":"Name"},"type":{"type":"string","title":"类型","x-title-en":"Type"},"bytes":{"type":"integer","title":"字节","x-title-en":"Bytes"},
	"description":{"type":"string","title":"说明","x-title-en":"Description"},"ref":{"type":"string","title":"引用","x-title-en":"Reference"}},"required":["summary","summary_en","name","bytes","ref"]}`

type toSave struct {
	Name        string `json:"name"`
	Text        string `json:"text"`
	Description string `json:"description"`
}

func saves() tools.Tool {
	return tools.New(bus.Card{
		Name: "save_file",
		Description: "保存文件：把一段文本存成本会话的一个文件（.txt、.md、.csv、.json、.html 等）；同名文件会有一个更新的版本。" +
			" Saves a text as a file of this session (.txt, .md, .csv, .json, .html and the like); a file of that name gets a newer version.",
		Parameters: []byte(fmt.Sprintf(`{"type":"object","properties":{
			"name":`+fmt.Sprintf(nameSchema, "文件名，带扩展名，不带文件夹。 The file's name with its ending, without a folder.")+`,
			"text":{"type":"string","title":"文本","x-title-en":"Text","maxLength":%d,"description":"要保存的全部文本。 All of the text."},
			"description":{"type":"string","title":"说明","x-title-en":"Description","maxLength":200,"description":"可选：内容是什么，一句话。 Optional: what it is about, in a sentence."}
			},"required":["name","text"],"additionalProperties":false}`, maxWrite)),
		Returns: []byte(keptSchema), Effect: bus.Idempotent, Timeout: 30 * time.Second,
		Tags: []string{"analyst", "写入文件", "保存文件", "存成文件", "save file"},
	}, worded(func(ctx context.Context, call *tools.Call, w toSave) (kept, error) {
		name := strings.TrimSpace(w.Name)
		if len(w.Text) > maxWrite {
			return kept{}, refuse("%s 的文本有 %d 字节；一次最多写 %d 字节，其余的用 append_to_file 追加", "the text of %s has %d bytes; at most %d can be written at once, and append_to_file adds the rest", name, len(w.Text), maxWrite)
		}
		shelf, err := call.Shelf(ctx)
		if err != nil {
			return kept{}, err
		}
		before := slices.ContainsFunc(shelf, func(f bus.File) bool { return f.Name == name })
		f, err := keep(ctx, call, name, w.Description, strings.NewReader(w.Text))
		if err != nil {
			return kept{}, err
		}
		zh, en := fmt.Sprintf("已保存文件 %s（%d 字节）。", f.Name, f.Bytes), fmt.Sprintf("%s is saved (%s).", f.Name, count(f.Bytes, "byte"))
		if before {
			zh, en = zh+"它是同名文件的新版本，之前的版本还在。", en+" It is a newer version of the file of that name; the one before is kept."
		}
		return kept{zh, en, entry(f)}, nil
	}))
}

type toEdit struct {
	Name string `json:"name"`
	Old  string `json:"old"`
	New  string `json:"new"`
	All  bool   `json:"all"`
}

func edits() tools.Tool {
	return tools.New(bus.Card{
		Name: "edit_file",
		Description: "修改本会话中的一个文本文件：把其中一段原文换成新的文本。" +
			" Edits a text file of this session: replaces a passage of it, given word for word, by another.",
		Parameters: []byte(fmt.Sprintf(`{"type":"object","properties":{
			"name":`+fmt.Sprintf(nameSchema, "本会话中的文件名。 The name of a file of this session.")+`,
			"old":{"type":"string","title":"原文","x-title-en":"Old text","minLength":1,"maxLength":%[1]d,"description":"要被替换的原文，逐字一致，且只出现一次（all 为真时可多次）。 The passage to be replaced, word for word; it must stand there once, unless all is true."},
			"new":{"type":"string","title":"新文本","x-title-en":"New text","maxLength":%[1]d,"description":"换成的文本。 What takes its place."},
			"all":{"type":"boolean","title":"全部替换","x-title-en":"All","default":false,"description":"可选：替换所有出现处。 Optional: replace every occurrence."}
			},"required":["name","old","new"],"additionalProperties":false}`, maxWrite)),
		Returns: []byte(keptSchema), Effect: bus.Idempotent, Timeout: 30 * time.Second,
		Tags: []string{"analyst", "修改文件", "编辑文件", "edit file", "change file"},
	}, worded(func(ctx context.Context, call *tools.Call, w toEdit) (kept, error) {
		f, err := find(ctx, call, w.Name)
		if err != nil {
			return kept{}, err
		}
		whole, err := text(ctx, call, f)
		if err != nil {
			return kept{}, err
		}
		places := strings.Count(whole, w.Old)
		switch {
		case places == 0:
			return kept{}, refuse("%s 里没有这段原文「%.80s」；要逐字一致，先看看它的内容（read_file）", "%s does not hold the passage “%.80s”; show the file to see what it holds (read_file), and give it to the letter", f.Name, w.Old)
		case places > 1 && !w.All:
			return kept{}, refuse("%s 里这段原文出现了 %d 次；请多给一些前后文字，或者说全部替换（all 为真）", "%s holds that passage %d times; give more of what stands around it, or say that all are meant (all: true)", f.Name, places)
		case len(whole)+places*(len(w.New)-len(w.Old)) > maxText:
			return kept{}, refuse("%s 会超过 %d 字节", "%s would have more than %d bytes", f.Name, maxText)
		}
		f, err = keep(ctx, call, f.Name, f.Description, strings.NewReader(replaced(whole, w.Old, w.New)))
		if err != nil {
			return kept{}, err
		}
		return kept{fmt.Sprintf("已修改文件 %s（%d 处，%d 字节）。", f.Name, places, f.Bytes), fmt.Sprintf("%s is edited (%s, %s now).", f.Name, count(int64(places), "place"), count(f.Bytes, "byte")), entry(f)}, nil
	}))
}

// replaced is a text with a passage replaced everywhere. A line that is all taken out leaves no empty one.
func replaced(whole, old, new string) string {
	if new != "" {
		return strings.ReplaceAll(whole, old, new)
	}
	var out strings.Builder
	for line := range strings.Lines(whole) {
		if strings.TrimRight(line, "\r\n") != old {
			out.WriteString(line)
		}
	}
	return strings.ReplaceAll(out.String(), old, "")
}

type toAppend struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

func appends() tools.Tool {
	return tools.New(bus.Card{
		Name: "append_to_file",
		Description: "追加到文件：在本会话中一个文本文件的末尾加上文本，例如给 CSV 加一行。" +
			" Appends to a text file of this session: adds text at its end, such as a row to a CSV file.",
		Parameters: []byte(fmt.Sprintf(`{"type":"object","properties":{
			"name":`+fmt.Sprintf(nameSchema, "本会话中的文件名。 The name of a file of this session.")+`,
			"text":{"type":"string","title":"追加的文本","x-title-en":"Text to add","minLength":1,"maxLength":%d,"description":"加在末尾的一行或多行。 The line or lines to add."}
			},"required":["name","text"],"additionalProperties":false}`, maxWrite)),
		Returns: []byte(keptSchema), Effect: bus.Idempotent, Timeout: time.Minute,
		Tags: []string{"analyst", "追加到文件", "一行", "加一行", "添加一行", "追加一行", "append to file", "add a line", "add a row"},
	}, worded(func(ctx context.Context, call *tools.Call, w toAppend) (kept, error) {
		f, err := find(ctx, call, w.Name)
		if err != nil {
			return kept{}, err
		}
		r, err := read(ctx, call, f)
		if err != nil {
			return kept{}, err
		}
		more := &addition{before: r, text: strings.NewReader(ended(w.Text))}
		f, err = keep(ctx, call, f.Name, f.Description, more)
		if err = errors.Join(err, r.Close()); err != nil {
			return kept{}, noText(f, err)
		}
		n := strings.Count(ended(w.Text), "\n")
		return kept{fmt.Sprintf("已在 %s 末尾追加 %d 行（共 %d 字节）。", f.Name, n, f.Bytes), fmt.Sprintf("Added %s to the end of %s (%s now).", count(int64(n), "line"), f.Name, count(f.Bytes, "byte")), entry(f)}, nil
	}))
}

// count is a number of things in English.
func count(n int64, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// ended is a text with an end of line at its end.
func ended(text string) string { return strings.TrimSuffix(text, "\n") + "\n" }

// addition reads a file and then a text that begins on a line of its own.
type addition struct {
	before io.Reader // nil: it is read
	last   byte      // of before; 0: it is empty
	text   *strings.Reader
}

func (a *addition) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	if a.before == nil {
		return a.text.Read(p)
	}
	n, err := a.before.Read(p)
	if n > 0 {
		a.last = p[n-1]
	}
	if err != io.EOF {
		return n, err
	}
	a.before = nil
	if a.last != 0 && a.last != '\n' {
		rest, _ := io.ReadAll(a.text) // of memory
		a.text = strings.NewReader("\n" + string(rest))
	}
	return n, nil
}
