// Package files is the file tool, as four tools that do one thing each: list_files, read_file, save_file and edit_file. (To a planner of plain words, to write is to write to somebody; hence save.) They see the files of their
// session and nothing else: there is no disk behind them, only the artifacts that the session's log names.
//
// Nothing is ever overwritten: who writes a name that is there makes a newer file of that name, and the log still has the older one. A
// file is the session's once the result that names it is in the log; so a call that is run again because its answer got lost
// leaves nothing double, and an edit that is run again finds the text as it was.
package files

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/tools"
)

// Bounds.
const (
	maxText  = 8 << 20 // bytes of a file that is read or edited
	maxWrite = 512 << 10
	maxShown = 24 << 10 // bytes of text in one answer
	maxList  = 200      // files in one list, the newest
)

// Tools are the four.
func Tools() []tools.Tool { return []tools.Tool{lists(), reads(), saves(), edits()} }

const nameSchema = `{"type":"string","title":"文件名","x-title-en":"File name","minLength":1,"maxLength":200,"description":"%s","examples":["notes.md","销售.csv"]}`

func refuse(format string, args ...any) error {
	return &bus.Error{Code: bus.CodeInvalidParameter, Message: fmt.Sprintf(format, args...)}
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
		return bus.File{}, refuse("there is no file %.80q: this session has no files yet", name)
	}
	var names []string
	for _, f := range shelf[max(0, len(shelf)-20):] {
		names = append(names, f.Name)
	}
	return bus.File{}, refuse("there is no file %.80q in this session; there are %s", name, strings.Join(names, ", "))
}

// text is what a text file holds.
func text(ctx context.Context, call *tools.Call, f bus.File) (string, error) {
	if f.Bytes > maxText {
		return "", refuse("%s has %d bytes; only texts up to %d can be read here. Code can read it: code_interpreter", f.Name, f.Bytes, maxText)
	}
	r, _, err := call.Files.Get(ctx, f.Ref)
	if errors.Is(err, bus.ErrNotFound) {
		return "", refuse("%s was removed", f.Name)
	}
	if err != nil {
		return "", err
	}
	data, err := io.ReadAll(io.LimitReader(r, maxText+1)) // what a log says of a size may be anything
	switch err = errors.Join(err, r.Close()); {
	case err != nil && len(data) <= maxText:
		return "", err
	case len(data) > maxText:
		return "", refuse("%s has more than %d bytes and cannot be read here", f.Name, maxText)
	}
	data = bytes.TrimPrefix(data, []byte("\xEF\xBB\xBF"))
	if !utf8.Valid(data) || bytes.IndexByte(data, 0) >= 0 {
		return "", refuse("%s is no text in UTF-8 (%s), so it cannot be read or edited as one. Code can read it: code_interpreter", f.Name, f.Type)
	}
	return string(data), nil
}

// types are those of the texts that can be written; other endings belong to formats that are none.
var types = map[string]string{
	"": "text/plain; charset=utf-8", ".txt": "text/plain; charset=utf-8", ".log": "text/plain; charset=utf-8", ".md": "text/markdown", ".csv": "text/csv", ".tsv": "text/tab-separated-values",
	".json": "application/json", ".jsonl": "application/jsonl", ".xml": "application/xml", ".yaml": "application/yaml", ".yml": "application/yaml", ".toml": "application/toml",
	".html": "text/html; charset=utf-8", ".css": "text/css", ".js": "text/javascript", ".py": "text/x-python", ".sql": "application/sql", ".svg": "image/svg+xml",
	".go": "text/plain; charset=utf-8", ".sh": "text/plain; charset=utf-8", ".ini": "text/plain; charset=utf-8", ".tex": "text/plain; charset=utf-8",
}

// keep makes a text a file of the session.
func keep(ctx context.Context, call *tools.Call, name, description, text string) (bus.File, error) {
	if !tools.PlainName(name) {
		return bus.File{}, refuse("%.80q cannot be the name of a file: want 1 to %d bytes, no folder, no dot in front, no invisible signs", name, tools.MaxFileName)
	}
	kind, ok := types[strings.ToLower(path.Ext(name))]
	if !ok {
		return bus.File{}, refuse("%s: only texts can be written here, and %s is not known as one; take .txt, .md, .csv, .json or .html", name, path.Ext(name))
	}
	if len(text) > maxWrite {
		return bus.File{}, refuse("the text of %s has %d bytes; at most %d can be written at once", name, len(text), maxWrite)
	}
	f, err := call.Files.Put(ctx, name, kind, description, strings.NewReader(text))
	if err != nil {
		return bus.File{}, err
	}
	call.Attach(f)
	return f, nil
}
