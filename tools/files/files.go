// Package files is the file tool (JoyAgent's file_tool: its command upload is save_file here, get is read_file), as tools that do one thing each: list_files, read_file, count_in_file, save_file, edit_file and append_to_file. (To a planner of plain words, to write is
// to write to somebody; hence save.) They see the files of their session and nothing else: there is no disk behind them, only the artifacts that the session's log names.
//
// Nothing is ever overwritten: who writes a name that is there makes a newer file of that name, and the log still has the older one. A
// file is the session's once the result that names it is in the log; so a call that is run again because its answer got lost
// leaves nothing double, and an edit that is run again finds the text as it was.
package files

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/tools"
)

// Bounds.
const (
	maxText  = 8 << 20 // bytes of a file that is edited; one that is read or added to may be as large as a file can be
	maxWrite = 512 << 10
	maxShown = 24 << 10 // bytes of text in one answer
	maxList  = 200      // files in one list, the newest
)

// Tools are all of them.
func Tools() []tools.Tool {
	return []tools.Tool{lists(), reads(), counts(), saves(), edits(), appends()}
}

const nameSchema = `{"type":"string","title":"文件名","x-title-en":"File name","minLength":1,"maxLength":200,"description":"%s","examples":["notes.md","说明.txt"]}`

// refusal says in both languages why something cannot be done with what was given.
type refusal struct{ zh, en string }

func (r refusal) Error() string { return r.en }

// refuse takes the same args for both formats.
func refuse(zh, en string, args ...any) error {
	return refusal{fmt.Sprintf(zh, args...), fmt.Sprintf(en, args...)}
}

// worded is a tool whose refusals are in the language of the person who asks.
func worded[P, R any](do func(context.Context, *tools.Call, P) (R, error)) func(context.Context, *tools.Call, P) (R, error) {
	return func(ctx context.Context, call *tools.Call, args P) (R, error) {
		out, err := do(ctx, call, args)
		if r := (refusal{}); errors.As(err, &r) {
			message := r.en
			if call.Request.Language == "zh" {
				message = r.zh
			}
			err = &bus.Error{Code: bus.CodeInvalidParameter, Message: message}
		}
		return out, err
	}
}

// listed is a file as the tools name it.
type listed struct {
	Name        string `json:"name"`
	Type        string `json:"type,omitempty"`
	Bytes       int64  `json:"bytes"`
	Description string `json:"description,omitempty"`
	Ref         string `json:"ref"`
}

func entry(f bus.File) listed {
	return listed{Name: f.Name, Type: f.Type, Bytes: f.Bytes, Description: f.Description, Ref: f.Ref}
}

const fileSchema = `{"type":"object","properties":{
	"name":{"type":"string","title":"文件名","x-title-en":"Name"},"type":{"type":"string","title":"类型","x-title-en":"Type"},
	"bytes":{"type":"integer","title":"字节","x-title-en":"Bytes"},"description":{"type":"string","title":"说明","x-title-en":"Description"},
	"ref":{"type":"string","title":"引用","x-title-en":"Reference"}},"required":["name","bytes","ref"]}`

// find is the newest file of a name.
func find(ctx context.Context, call *tools.Call, name string) (bus.File, error) {
	shelf, err := call.Shelf(ctx)
	if err != nil {
		return bus.File{}, err
	}
	if f, ok := tools.Find(shelf, strings.TrimSpace(name)); ok {
		return f, nil
	}
	if len(shelf) == 0 {
		return bus.File{}, refuse("没有文件 %.80q：本会话还没有文件", "there is no file %.80q: this session has no files yet", name)
	}
	var names []string
	for _, f := range shelf[max(0, len(shelf)-20):] {
		names = append(names, f.Name)
	}
	return bus.File{}, refuse("本会话里没有文件 %.80q；有这些：%s", "there is no file %.80q in this session; there are %s", name, strings.Join(names, ", "))
}

// types are those of the texts that can be written; other endings belong to formats that are none.
var types = map[string]string{
	"": "text/plain; charset=utf-8", ".txt": "text/plain; charset=utf-8", ".log": "text/plain; charset=utf-8", ".md": "text/markdown", ".csv": "text/csv", ".tsv": "text/tab-separated-values",
	".json": "application/json", ".jsonl": "application/jsonl", ".xml": "application/xml", ".yaml": "application/yaml", ".yml": "application/yaml", ".toml": "application/toml",
	".html": "text/html; charset=utf-8", ".css": "text/css", ".js": "text/javascript", ".py": "text/x-python", ".sql": "application/sql", ".svg": "image/svg+xml",
	".go": "text/plain; charset=utf-8", ".sh": "text/plain; charset=utf-8", ".ini": "text/plain; charset=utf-8", ".tex": "text/plain; charset=utf-8",
}

// keep makes what a reader gives a file of the session.
func keep(ctx context.Context, call *tools.Call, name, description string, content io.Reader) (bus.File, error) {
	if !tools.PlainName(name) {
		return bus.File{}, refuse("%.80q 不能做文件名：要 1 到 %d 字节，不带文件夹，不以点开头，没有看不见的字符", "%.80q cannot be the name of a file: want 1 to %d bytes, no folder, no dot in front, no invisible signs", name, tools.MaxFileName)
	}
	kind, ok := types[strings.ToLower(path.Ext(name))]
	if !ok {
		return bus.File{}, refuse("%s：这里只能写文本，%s 不是；可以用 .txt、.md、.csv、.json 或 .html", "%s: only texts can be written here, and %s is not known as one; take .txt, .md, .csv, .json or .html", name, path.Ext(name))
	}
	f, err := call.Files.Put(ctx, name, kind, description, content)
	if errors.Is(err, bus.ErrTooLarge) {
		return bus.File{}, refuse("%s 会超过 %d 字节", "%s would have more than %d bytes", name, bus.MaxFile)
	}
	if err != nil {
		return bus.File{}, err
	}
	call.Attach(f)
	return f, nil
}
