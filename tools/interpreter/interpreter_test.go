package interpreter

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/anthdm/hollywood/actor"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/bus/bustest"
	"github.com/hmap-project/hmap/tools"
	"github.com/hmap-project/hmap/tools/interpreter/sandbox"
)

func TestMain(m *testing.M) {
	Enter()
	os.Exit(m.Run())
}

// able skips a test, with the reason, on a machine where Python would not be safe.
func able(t *testing.T) {
	t.Helper()
	if _, err := (&python{}).find(t.Context(), slog.New(slog.DiscardHandler)); errors.Is(err, sandbox.ErrUnsafe) {
		t.Skip(err)
	} else if err != nil {
		t.Fatal(err)
	}
}

// room is the tool on a bus of its own, and a session.
type room struct {
	t     *testing.T
	bus   *bus.Bus
	calls int
	last  uint64
}

func newRoom(t *testing.T, o Options) *room {
	t.Helper()
	b := bustest.New(t)
	engine, err := actor.NewEngine(actor.NewEngineConfig())
	if err != nil {
		t.Fatal(err)
	}
	o.Log = slog.New(slog.DiscardHandler)
	host := tools.NewHost(b, engine, tools.Options{Log: o.Log})
	t.Cleanup(func() {
		if err := host.Stop(); err != nil {
			t.Error(err)
		}
	})
	if err := host.Add(New(o).Tool()); err != nil {
		t.Fatal(err)
	}
	return &room{t: t, bus: b}
}

// ask runs code and records the result, as an agent does.
func (r *room) ask(a Arguments, progress func(bus.Response)) bus.Response {
	r.t.Helper()
	answer, err := r.call(r.t.Context(), a, progress)
	if err != nil {
		r.t.Fatal(err)
	}
	return answer
}

func (r *room) call(ctx context.Context, a Arguments, progress func(bus.Response)) (bus.Response, error) {
	r.t.Helper()
	r.calls++
	parameter, err := json.Marshal(a)
	if err != nil {
		r.t.Fatal(err)
	}
	var given map[string]any
	if err := json.Unmarshal(parameter, &given); err != nil {
		r.t.Fatal(err)
	}
	for name, v := range given { // what is not given is left out
		if v == nil || v == "" {
			delete(given, name)
		}
	}
	if parameter, err = json.Marshal(given); err != nil {
		r.t.Fatal(err)
	}
	id := fmt.Sprintf("t1-%d-0", r.calls)
	answer, err := r.bus.Call(ctx, bus.Request{Session: "s1", Task: "t1", Call: id, Caller: "tester", ToolName: "code_interpreter", Parameter: parameter}, progress)
	if err == nil {
		r.record(bus.Record{Kind: bus.KindResult, Round: r.calls, Child: id, ToolName: "code_interpreter", Status: answer.Status, Files: answer.Files})
	}
	return answer, err
}

func (r *room) record(rec bus.Record) {
	r.t.Helper()
	rec.Session, rec.Task, rec.Call = "s1", "t1", "t1"
	seq, err := r.bus.Append(r.t.Context(), &rec, r.last)
	if err != nil {
		r.t.Fatal(err)
	}
	r.last = seq
}

// give puts a file into the session.
func (r *room) give(name, text string) bus.File {
	r.t.Helper()
	f, err := r.bus.Files().Put(r.t.Context(), name, "text/plain", "", strings.NewReader(text))
	if err != nil {
		r.t.Fatal(err)
	}
	r.record(bus.Record{Kind: bus.KindFile, File: &f})
	return f
}

func (r *room) read(f bus.File) []byte {
	r.t.Helper()
	in, _, err := r.bus.Files().Get(r.t.Context(), f.Ref)
	if err != nil {
		r.t.Fatal(err)
	}
	defer in.Close()
	text, err := io.ReadAll(in)
	if err != nil {
		r.t.Fatal(err)
	}
	return text
}

// outcome is what a run that went well brought.
func (r *room) outcome(a Arguments) (Outcome, []bus.File) {
	r.t.Helper()
	answer := r.ask(a, nil)
	var o Outcome
	if answer.Status != bus.OK {
		r.t.Fatalf("%s %v", answer.Status, answer.Error)
	}
	if err := json.Unmarshal(answer.Observation, &o); err != nil {
		r.t.Fatal(err)
	}
	return o, answer.Files
}

func TestPython(t *testing.T) {
	able(t)
	t.Parallel()
	r := newRoom(t, Options{})
	for code, want := range map[string]string{
		"print(1+1)":                            "2",
		"1+1":                                   "2",
		"x = 'abc'\nx.upper()":                  "ABC",
		"[i*i for i in range(4)]":               "[0, 1, 4, 9]",
		"None":                                  "代码运行完毕，没有输出。",
		"print(1)\nprint(2)":                    "```\n1\n2\n```",
		"print('中文', '😀')":                      "中文 😀",
		"if __name__ == '__main__': print('m')": "m",
		"import os; sorted(os.listdir('.'))":    "[]",
		"import sys; print('e', file=sys.stderr); sys.exit(0)": "e",
		"print('\\x1b[31mred\\x00')":                           "[31mred",
	} {
		if o, files := r.outcome(Arguments{Code: code}); o.Answer != want || len(files) > 0 {
			t.Errorf("%q gives %q %v", code, o.Answer, files)
		}
	}
}

func TestJavaScript(t *testing.T) {
	t.Parallel()
	r := newRoom(t, Options{Python: "off"})
	for code, want := range map[string]string{
		"console.log(1+1)":                         "2",
		"1+1":                                      "2",
		"let a = [3,1,2]; a.sort(); a":             "[1,2,3]",
		"print({b: 1n}, undefined, null)":          "{\"b\":\"1\"} undefined null",
		"(async () => { await null; return 5 })()": "5",
		"typeof require + typeof process + typeof fetch + typeof std + typeof os + typeof __write": strings.Repeat("undefined", 6),
		"listFiles()": "[]",
	} {
		if o, _ := r.outcome(Arguments{Code: code, Language: "javascript"}); o.Answer != want {
			t.Errorf("%q gives %q", code, o.Answer)
		}
	}
	for code, want := range map[string]string{
		"throw new Error('no')":    "Error: no",
		"let = ":                   "SyntaxError",
		"readFile('/etc/passwd')":  "without a folder",
		"readFile('../x')":         "without a folder",
		"readFile('none')":         "there is no file none",
		"(function f() { f() })()": "stack overflow",
		"let a = []; while (true) a.push(new ArrayBuffer(16 << 20))": "out of memory",
		"import('os').then(m => print('ESCAPED'), e => { throw e })": "",
	} {
		answer := r.ask(Arguments{Code: code, Language: "javascript"}, nil)
		if want != "" && (answer.Error == nil || !strings.Contains(answer.Error.Message, want)) || strings.Contains(string(answer.Observation), "ESCAPED") {
			t.Errorf("%q: %s %s %v", code, answer.Status, answer.Observation, answer.Error)
		}
	}
	answer := r.ask(Arguments{Code: "print(1)"}, nil)
	if answer.Error == nil || answer.Error.Code != bus.CodeUnsupported || !strings.Contains(answer.Error.Message, "javascript") {
		t.Errorf("Python that is off: %+v", answer)
	}
}

// Where there is no sandbox JavaScript runs in a process of its own, within the same bounds.
func TestAlone(t *testing.T) {
	t.Parallel()
	run := func(code string, within time.Duration) *running {
		t.Helper()
		i := New(Options{Limits: sandbox.Limits{Time: within, Memory: 64 << 20, Disk: 1000, Output: 1000}})
		r := &running{said: said{tell: func(string) {}}, keep: 4, room: 1000, brought: []sandbox.File{{Name: "a.txt", Data: []byte("one")}}}
		if err := i.alone(t.Context(), r, append(r.brought, sandbox.File{Name: codeFile, Data: []byte(code)})); err != nil {
			t.Fatal(err)
		}
		return r
	}
	r := run("writeFile('b.txt', readFile('a.txt') + ' two'); listFiles().sort()", time.Minute)
	if r.result.Exit != 0 || r.said.text() != "[\"a.txt\",\"b.txt\"]\n" || len(r.made) != 1 || string(r.made[0].Data) != "one two" {
		t.Errorf("%+v %s", r.result, r.said.text())
	}
	if r := run("while (true) {}", time.Second); r.result.Bound != sandbox.Time {
		t.Errorf("%+v", r.result)
	}
	if r := run("while (true) print('flood')", time.Minute); r.result.Bound != sandbox.Output || len(r.said.all) > 1000 {
		t.Errorf("%+v", r.result)
	}
	if r := run("writeFile('big', 'x'.repeat(2000))", time.Minute); r.result.Exit != 1 || !strings.Contains(r.said.text(), "no room") {
		t.Errorf("%+v %s", r.result, r.said.text())
	}
	if r := run("let a = []; while (true) a.push(new ArrayBuffer(16 << 20))", time.Minute); r.result.Exit != 1 || !strings.Contains(r.said.text(), "out of memory") {
		t.Errorf("%+v %s", r.result, r.said.text())
	}
}

func TestFilesInAndOut(t *testing.T) {
	t.Parallel()
	for _, language := range []string{"python", "javascript"} {
		t.Run(language, func(t *testing.T) {
			if language == "python" {
				able(t)
			}
			r := newRoom(t, Options{})
			r.give("销售.csv", "a,b\n1,2\n")
			r.give("销售.csv", "a,b\n3,4\n") // the newer one
			other := r.give("other.txt", "x")
			code := "text = open('销售.csv').read()\nopen('out.csv', 'w').write(text.upper())\nprint(text)"
			if language == "javascript" {
				code = "const text = readFile('销售.csv'); writeFile('out.csv', text.toUpperCase()); print(text)"
			}
			o, files := r.outcome(Arguments{Code: code, Language: language})
			if o.Answer != "```\na,b\n3,4\n```" || len(files) != 1 || files[0].Name != "out.csv" || files[0].Type != "text/csv" || len(o.Made) != 1 || o.Made[0].Ref != files[0].Ref {
				t.Fatalf("%+v %+v", o, files)
			}
			if got := r.read(files[0]); string(got) != "A,B\n3,4\n" {
				t.Errorf("%q", got)
			}
			list := "import os; print(sorted(os.listdir('.')))"
			if language == "javascript" {
				list = "print(listFiles().sort())"
			}
			if o, _ := r.outcome(Arguments{Code: list, Language: language}); !strings.Contains(o.Answer, "out.csv") {
				t.Errorf("what one run made is not there in the next: %s", o.Answer)
			}
			if o, _ := r.outcome(Arguments{Code: list, Language: language, Files: []string{other.Ref}}); strings.Contains(o.Answer, "csv") || !strings.Contains(o.Answer, "other.txt") {
				t.Errorf("not only what was named: %s", o.Answer)
			}
			answer := r.ask(Arguments{Code: list, Language: language, Files: []string{"none.txt"}}, nil)
			if answer.Error == nil || !strings.Contains(answer.Error.Message, "other.txt") {
				t.Errorf("%+v", answer)
			}
		})
	}
}

func TestOnlyFilesAreKept(t *testing.T) {
	able(t)
	t.Parallel()
	r := newRoom(t, Options{Keep: 3})
	r.give("same.txt", "same")
	o, files := r.outcome(Arguments{Code: `
import os
os.symlink("/etc/passwd", "link"); os.symlink("/proc/self/environ", "link.txt"); os.mkfifo("pipe"); os.mkdir("folder"); open("folder/in", "w")
open("a\nb", "w"); open("a\u202eb", "w"); open(".hidden", "w"); open("x" * 250, "w"); open("-rf", "w").write("x")
os.link("same.txt", "z-linked.txt")
open("p.png", "wb").write(bytes([137, 80, 78, 71]))
None`})
	var names []string
	for _, f := range files {
		names = append(names, f.Name+" "+f.Type)
	}
	if got := strings.Join(names, ", "); got != "-rf text/plain; charset=utf-8, p.png image/png, z-linked.txt text/plain; charset=utf-8" {
		t.Error(got)
	}
	if !strings.Contains(o.NoteEn, "7 things were not kept") {
		t.Error(o.NoteEn)
	}
	// Holes and second names take no room inside.
	o, files = r.outcome(Arguments{Code: "import os\nwith open('a', 'w') as f: f.truncate(40 << 20)\nos.link('a', 'b')\nNone"})
	if len(files) != 1 || files[0].Bytes != 40<<20 || !strings.Contains(o.NoteEn, "too large together") {
		t.Errorf("%+v %s", files, o.NoteEn)
	}
	o, files = r.outcome(Arguments{Code: "for i in range(9): open('f%d' % i, 'w').write('x')"})
	if len(files) != 3 || !strings.Contains(o.NoteEn, "were not kept") {
		t.Errorf("%d files %s", len(files), o.NoteEn)
	}
}

func TestFailures(t *testing.T) {
	able(t)
	t.Parallel()
	slow := newRoom(t, Options{Limits: sandbox.Limits{Time: time.Second}})
	if answer := slow.ask(Arguments{Code: "import time\ntime.sleep(600)"}, nil); answer.Error == nil || !strings.Contains(answer.Error.Message, "it ran longer than 1s") {
		t.Errorf("%+v", answer)
	}
	r := newRoom(t, Options{Limits: sandbox.Limits{Memory: 200 << 20, Output: 5000}})
	for code, want := range map[string]string{
		"def f():\n  return 1/0\nprint('first')\nf()": "first\nTraceback (most recent call last):\n  File \"<code>\", line 4, in <module>\n    f()",
		"print('x": "SyntaxError",
		"import os, time\nfor i in range(4): os.fork()\nx = b'x' * (90 << 20)\ntime.sleep(600)": "it took more than 200 MiB of memory",
		"while True: print('x' * 99)":        "it printed more than 4 KiB",
		"import sys; sys.exit(3)":            "ended with status 3",
		"input()":                            "EOFError",
		"import ctypes; ctypes.string_at(0)": "segmentation fault",
	} {
		answer := r.ask(Arguments{Code: code}, nil)
		if answer.Error == nil || answer.Error.Code != bus.CodeInvalidParameter || !strings.Contains(answer.Error.Message, want) || answer.Error.Retryable {
			t.Errorf("%q: %s %s %v", code, answer.Status, answer.Observation, answer.Error)
		}
	}
	o, _ := newRoom(t, Options{}).outcome(Arguments{Code: "for i in range(7000): print('line', i)"})
	if !strings.Contains(o.Answer, "line 0\n") || !strings.Contains(o.Answer, "line 6999") || len(o.Answer) > maxSaid+60 {
		t.Errorf("%d %s", len(o.Answer), o.Answer)
	}
}

func TestProgress(t *testing.T) {
	able(t)
	t.Parallel()
	r := newRoom(t, Options{})
	var mu sync.Mutex
	var lines []string
	r.ask(Arguments{Code: "import time\nprint('step one')\ntime.sleep(0.3)\nprint('step two')"}, func(p bus.Response) {
		mu.Lock()
		defer mu.Unlock()
		lines = append(lines, p.Progress)
	})
	mu.Lock()
	defer mu.Unlock()
	if all := strings.Join(lines, "\n"); !strings.Contains(all, "step one") {
		t.Errorf("%q", all)
	}
}

// More than the slots wait for their turn; who gives up waiting gives up.
func TestSlots(t *testing.T) {
	t.Parallel()
	i := New(Options{AtOnce: 1, Log: slog.New(slog.DiscardHandler)})
	i.slots <- struct{}{}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := i.run(ctx, nil, Arguments{Code: "1"}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestCancelled(t *testing.T) {
	able(t)
	t.Parallel()
	r := newRoom(t, Options{})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	answer, err := r.call(ctx, Arguments{Code: "print('up')\nimport time\ntime.sleep(600)"}, func(p bus.Response) {
		if strings.Contains(p.Progress, "up") {
			cancel()
		}
	})
	if err == nil && answer.Status == bus.OK {
		t.Errorf("%+v", answer)
	}
}

func TestPlots(t *testing.T) {
	if err := exec.Command("/usr/bin/python3", "-I", "-c", "import matplotlib").Run(); err != nil {
		t.Skip("matplotlib is not installed (Debian: python3-matplotlib)")
	}
	able(t)
	r := newRoom(t, Options{Python: "/usr/bin/python3", Limits: sandbox.Limits{Memory: 1 << 30}})
	_, files := r.outcome(Arguments{Code: "import matplotlib.pyplot as plt\nplt.plot([1, 4, 9])\nplt.figure()\nplt.bar([1, 2], [3, 4])\nplt.show()"})
	if len(files) != 2 || files[0].Name != "figure-1.png" || files[0].Type != "image/png" || !bytes.HasPrefix(r.read(files[1]), []byte("\x89PNG")) {
		t.Errorf("%+v", files)
	}
	_, files = r.outcome(Arguments{Code: "import matplotlib.pyplot as plt\nplt.plot([1, 4, 9])\nplt.savefig('mine.svg')"})
	if len(files) != 1 || files[0].Name != "mine.svg" {
		t.Errorf("%+v", files)
	}
}

func TestFenced(t *testing.T) {
	if got := fenced("a\n```\nb"); got != "````\na\n```\nb\n````" {
		t.Error(got)
	}
}

func TestCut(t *testing.T) {
	s := said{all: []byte(strings.Repeat("中", 20_000)), tell: func(string) {}}
	text := s.text()
	if len(text) > maxSaid+50 || !strings.HasPrefix(text, "中") || !strings.HasSuffix(text, "中") || strings.ContainsRune(text, '\uFFFD') {
		t.Errorf("%d bytes", len(text))
	}
	if tail := s.tail(10); tail != "中中中" {
		t.Error(tail)
	}
}
