package interpreter

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"modernc.org/quickjs"

	"github.com/hmap-project/hmap/tools"
	"github.com/hmap-project/hmap/tools/interpreter/sandbox"
)

//go:embed prelude.js
var prelude string

// Enter must be the first call of a program that serves the tool: it is started again, by another name, for each run of code.
func Enter() {
	sandbox.Enter()
	if len(os.Args) == 6 && os.Args[0] == sandbox.Self && os.Args[1] == "javascript" {
		os.Exit(javascript(os.Args[2:]))
	}
}

// runJavaScript runs code in the sandbox, or where there is none in a process of its own: the engine has no way out.
func (i *Interpreter) runJavaScript(ctx context.Context, r *running, code string) error {
	files := append(slices.Clone(r.brought), sandbox.File{Name: codeFile, Data: []byte(code)})
	var err error
	r.result, err = sandbox.Run(ctx, sandbox.Job{
		Args: arguments(sandbox.Dir, i.options.Limits), Files: files, Limits: i.options.Limits, Output: r.said.write, Collect: r.collect,
	})
	if errors.Is(err, sandbox.ErrUnsafe) {
		err = i.alone(ctx, r, files)
	}
	return err
}

func arguments(dir string, l sandbox.Limits) []string {
	return []string{sandbox.Self, "javascript", dir, strconv.FormatInt(l.Memory*3/4, 10), strconv.FormatInt(l.Disk, 10), strconv.Itoa(l.Files)}
}

// alone runs JavaScript in a process of its own, with a folder that goes with it.
func (i *Interpreter) alone(ctx context.Context, r *running, files []sandbox.File) error {
	dir, err := tools.Scratch("code")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	work, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer work.Close()
	for _, f := range files {
		if err := errors.Join(work.WriteFile(f.Name, f.Data, 0o600), work.Chtimes(f.Name, sandbox.Placed, sandbox.Placed)); err != nil {
			return err
		}
	}
	path, err := os.Executable()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	late, flooded := errors.New("late"), errors.New("flooded")
	timer := time.AfterFunc(i.options.Limits.Time, func() { cancel(late) })
	defer timer.Stop()
	cmd := exec.CommandContext(ctx, path)
	cmd.Args, cmd.Env, cmd.Dir = arguments(dir, i.options.Limits), []string{}, dir
	out := &bounded{left: i.options.Limits.Output, tell: r.said.write, full: func() { cancel(flooded) }}
	cmd.Stdout, cmd.Stderr = out, out
	if _, err := cmd.StdinPipe(); err != nil { // nothing is said there; its end is ours
		return err
	}
	begun := time.Now()
	err = cmd.Run()
	r.result = sandbox.Result{Exit: cmd.ProcessState.ExitCode(), Took: time.Since(begun)}
	switch cause := context.Cause(ctx); {
	case cmd.ProcessState == nil:
		return err
	case errors.Is(cause, late):
		r.result.Bound = sandbox.Time
	case errors.Is(cause, flooded):
		r.result.Bound = sandbox.Output
	case cause != nil:
		return cause
	}
	return r.collect(work)
}

// bounded takes so many bytes and drops the rest.
type bounded struct {
	mu   sync.Mutex
	left int64
	tell func([]byte)
	full func()
}

func (b *bounded) Write(text []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if fits := min(int64(len(text)), b.left); fits > 0 {
		b.tell(text[:fits])
	}
	if b.left -= int64(len(text)); b.left < 0 {
		b.left = 0
		b.full()
	}
	return len(text), nil
}

// javascript is the process that runs the code; it gives the exit status.
func javascript(args []string) int {
	if args[0] != sandbox.Dir {
		go endWithParent()
	}
	if err := evaluate(args, os.Stdout); err != nil {
		fmt.Println(err)
		return 1
	}
	return 0
}

// endWithParent ends the process when the one that started it has ended, which nothing else sees to outside the sandbox.
func endWithParent() {
	_, _ = io.Copy(io.Discard, os.Stdin)
	os.Exit(1)
}

func evaluate(args []string, out io.Writer) error {
	work, err := os.OpenRoot(args[0])
	if err != nil {
		return err
	}
	defer work.Close()
	var limits [3]int64 // memory, bytes and number of files
	for n, arg := range args[1:] {
		if limits[n], err = strconv.ParseInt(arg, 10, 64); err != nil {
			return err
		}
	}
	code, err := work.ReadFile(codeFile)
	if err := errors.Join(err, work.Remove(codeFile)); err != nil {
		return err
	}
	vm, err := quickjs.NewVM()
	if err != nil {
		return err
	}
	defer vm.Close()
	vm.SetMemoryLimit(uintptr(limits[0]))
	h := &desk{work: work, out: out, bytes: limits[1], files: limits[2]}
	for name, f := range map[string]quickjs.HostFunc{"__write": h.write, "readFile": h.readFile, "writeFile": h.writeFile, "listFiles": h.listFiles} {
		if err := vm.RegisterHostFunc(name, f); err != nil {
			return err
		}
	}
	if _, err := vm.Eval(prelude, quickjs.EvalGlobal); err != nil {
		return err
	}
	_, err = vm.Call("__run", string(code))
	if err == nil {
		_, err = vm.ExecutePendingJobs()
	}
	if err == nil {
		_, err = vm.Call("__end")
	}
	if thrown := (*quickjs.Error)(nil); errors.As(err, &thrown) {
		const most = 10 // of a recursion without end there are thousands, all alike
		frames := strings.SplitAfterN(thrown.Stack, "\n", most+1)
		return fmt.Errorf("%s\n%s", thrown.Error(), strings.Join(frames[:min(len(frames), most)], ""))
	}
	return err
}

// desk is all that JavaScript has of the world: text out, and the files of one folder.
type desk struct {
	work         *os.Root
	out          io.Writer
	bytes, files int64 // that may still be written
}

func (d *desk) write(args []any) (any, error) {
	if len(args) > 0 {
		if text, ok := args[0].(string); ok {
			_, err := io.WriteString(d.out, text)
			return nil, err
		}
	}
	return nil, nil
}

func (d *desk) name(args []any) (string, error) {
	if len(args) > 0 {
		if name, ok := args[0].(string); ok && tools.PlainName(name) {
			return name, nil
		}
	}
	return "", errors.New("the first argument must be the name of a file, without a folder")
}

func (d *desk) readFile(args []any) (any, error) {
	name, err := d.name(args)
	if err != nil {
		return nil, err
	}
	text, err := d.work.ReadFile(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("there is no file %s; listFiles() tells which there are", name)
	case err != nil:
		return nil, fmt.Errorf("%s cannot be read", name)
	case !utf8.Valid(text) || bytes.ContainsRune(text, 0):
		return nil, fmt.Errorf("%s is no text", name)
	}
	return string(text), nil
}

func (d *desk) writeFile(args []any) (any, error) {
	name, err := d.name(args)
	if err != nil {
		return nil, err
	}
	if len(args) < 2 {
		return nil, errors.New("the second argument must be the text")
	}
	text, ok := args[1].(string)
	if !ok {
		return nil, errors.New("the second argument must be a text; JSON.stringify makes one of anything else")
	}
	if d.bytes -= int64(len(text)); d.bytes < 0 {
		return nil, errors.New("there is no room for more")
	}
	if d.files--; d.files < 0 {
		return nil, errors.New("these are too many files")
	}
	return nil, d.work.WriteFile(name, []byte(text), 0o600)
}

func (d *desk) listFiles([]any) (any, error) {
	entries, err := fs.ReadDir(d.work.FS(), ".")
	if err != nil {
		return nil, err
	}
	names := []string{}
	for _, e := range entries {
		names = append(names, filepath.ToSlash(e.Name()))
	}
	return names, nil
}
