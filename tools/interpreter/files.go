package interpreter

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"mime"
	"os"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/tools"
	"github.com/hmap-project/hmap/tools/interpreter/sandbox"
)

// running is a run of code: what it was given, and what came of it.
type running struct {
	said    said
	result  sandbox.Result
	brought []sandbox.File
	keep    int            // files that it may hand back
	room    int64          // and their bytes together: a hole in a file, or a second name of it, takes none of the sandbox's
	made    []sandbox.File // what it left behind, by name
	note    notes
}

// notes are remarks in Chinese and English.
type notes []struct{ zh, en string }

func (n *notes) add(zh, en string) { *n = append(*n, struct{ zh, en string }{zh, en}) }

func (n notes) words() (zh, en string) {
	for i, one := range n {
		if i > 0 {
			zh, en = zh+"；", en+"; "
		}
		zh, en = zh+one.zh, en+one.en
	}
	return zh, en
}

// bring fetches the files that the code may read: those that are named, or all of the session that fit into half of the room.
func (i *Interpreter) bring(ctx context.Context, call *tools.Call, names []string) (brought []sandbox.File, note notes, err error) {
	shelf, err := call.Shelf(ctx)
	if err != nil {
		return nil, nil, err
	}
	wanted := shelf
	if names != nil {
		wanted = nil
		for _, name := range names {
			f, ok := tools.Find(shelf, name)
			if !ok {
				return nil, nil, &bus.Error{Code: bus.CodeInvalidParameter, Message: fmt.Sprintf("this session has no file %.80q; it has %s", name, listed(shelf))}
			}
			if !slices.ContainsFunc(wanted, func(w bus.File) bool { return w.Ref == f.Ref }) {
				wanted = append(wanted, f)
			}
		}
	}
	room, count := i.options.Limits.Disk/2, i.options.Limits.Files/2
	var left []string
	for _, f := range slices.Backward(wanted) { // the newest first
		plain := tools.PlainName(f.Name)
		if !plain || f.Bytes > room || len(brought) >= count {
			left = append(left, f.Name)
			switch {
			case names != nil && !plain:
				return nil, nil, &bus.Error{Code: bus.CodeInvalidParameter, Message: fmt.Sprintf("%q is not put in: no file has such a name there; save it under another one", f.Name)}
			case names != nil:
				return nil, nil, &bus.Error{Code: bus.CodeInvalidParameter, Message: fmt.Sprintf("%s (%d bytes) does not fit: %d files at most, of %d bytes together", f.Name, f.Bytes, count, i.options.Limits.Disk/2)}
			}
			continue
		}
		data, err := fetch(ctx, call.Files, f)
		if errors.Is(err, bus.ErrNotFound) { // removed, and the log still tells of it
			left = append(left, f.Name)
			continue
		}
		if err != nil {
			return nil, nil, err
		}
		room -= int64(len(data))
		brought = append(brought, sandbox.File{Name: f.Name, Data: data})
	}
	if len(left) > 0 {
		some := strings.Join(left[:min(len(left), 5)], ", ")
		note.add(fmt.Sprintf("%d 个文件没有放进沙箱：%s", len(left), some), fmt.Sprintf("%d files were not brought: %s", len(left), some))
	}
	return brought, note, nil
}

func fetch(ctx context.Context, files *bus.Files, f bus.File) ([]byte, error) {
	r, _, err := files.Get(ctx, f.Ref)
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(r)
	return data, errors.Join(err, r.Close())
}

func listed(shelf []bus.File) string {
	if len(shelf) == 0 {
		return "none"
	}
	var names []string
	for _, f := range shelf[max(0, len(shelf)-20):] {
		names = append(names, f.Name)
	}
	return strings.Join(names, ", ")
}

// collect takes what a run left in its folder: regular files at the top, that are new or were written. Nothing else can be a file of a session.
func (r *running) collect(work *os.Root) error {
	before := map[string][]byte{}
	for _, f := range r.brought {
		before[f.Name] = f.Data
	}
	dir, err := work.Open(".")
	if err != nil {
		return err
	}
	defer dir.Close()
	entries, err := dir.ReadDir(-1) // the sandbox bounds their number
	if err != nil {
		return err
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	passed := 0
	for _, e := range entries {
		info, err := e.Info()
		switch name := e.Name(); {
		case err != nil:
			return err
		case strings.HasPrefix(name, "."):
		case !info.Mode().IsRegular() || !tools.PlainName(name) || info.Size() > max(min(r.room, bus.MaxFile), int64(len(before[name]))):
			passed++
		default:
			data, err := work.ReadFile(name)
			old, was := before[name]
			switch {
			case errors.Is(err, fs.ErrPermission):
				passed++
			case err != nil:
				return err
			case was && bytes.Equal(old, data) && info.ModTime().Equal(sandbox.Placed):
			case len(r.made) >= r.keep || int64(len(data)) > r.room:
				passed++
			default:
				r.made = append(r.made, sandbox.File{Name: name, Data: data})
				r.room -= int64(len(data))
			}
		}
	}
	if passed > 0 {
		r.note.add(fmt.Sprintf("有 %d 项没有保留：文件夹、链接、特殊名称，或超过 %d 个文件、总量过大", passed, r.keep),
			fmt.Sprintf("%d things were not kept: folders, links, odd names, beyond %d files, or too large together", passed, r.keep))
	}
	return nil
}

// handBack keeps what was made as files of the session. When one cannot be kept, none is.
func (r *running) handBack(ctx context.Context, call *tools.Call, out *Outcome) error {
	for _, f := range r.made {
		kind := mediaType(f)
		kept, err := call.Files.Put(ctx, f.Name, kind, "made by code_interpreter", bytes.NewReader(f.Data))
		if err != nil {
			for _, m := range out.Made {
				err = errors.Join(err, call.Files.Delete(context.WithoutCancel(ctx), m.Ref))
			}
			return err
		}
		out.Made = append(out.Made, Made{Name: kept.Name, Type: kind, Bytes: kept.Bytes, Ref: kept.Ref})
	}
	for _, m := range out.Made {
		call.Attach(bus.File{Ref: m.Ref, Name: m.Name, Type: m.Type, Bytes: m.Bytes, Description: "made by code_interpreter"})
	}
	return nil
}

// mediaTypes are those of the usual endings: what the machine's own list says differs from machine to machine.
var mediaTypes = map[string]string{
	".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".gif": "image/gif", ".svg": "image/svg+xml", ".pdf": "application/pdf",
	".csv": "text/csv", ".md": "text/markdown", ".txt": "text/plain; charset=utf-8", ".json": "application/json", ".html": "text/html; charset=utf-8",
	".py": "text/x-python", ".js": "text/javascript", ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", ".zip": "application/zip",
}

func mediaType(f sandbox.File) string {
	end := strings.ToLower(path.Ext(f.Name))
	if t := mediaTypes[end]; t != "" {
		return t
	}
	if t := mime.TypeByExtension(end); t != "" {
		return t
	}
	if utf8.Valid(f.Data) && !bytes.ContainsRune(f.Data, 0) {
		return "text/plain; charset=utf-8"
	}
	return "application/octet-stream"
}
