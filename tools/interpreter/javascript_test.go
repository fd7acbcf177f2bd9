package interpreter

import (
	"strings"
	"testing"
	"time"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/tools/interpreter/sandbox"
)

func TestJavaScript(t *testing.T) {
	t.Parallel()
	r := newRoom(t, Options{Python: "off"})
	for code, want := range map[string]string{
		"console.log(1+1)":                         "2",
		"1+1":                                      "2",
		"let a = [3,1,2]; a.sort(); a":             "[1,2,3]",
		"print({b: 1n}, undefined, null)":          "{\"b\":\"1\"} undefined null",
		"(async () => { await null; return 5 })()": "5",
		"(async () => { for (let i = 0; i < 9; i++) await null; return 6 })()":                     "6",
		"typeof require + typeof process + typeof fetch + typeof std + typeof os + typeof __write": strings.Repeat("undefined", 6),
		"listFiles()": "[]",
	} {
		if o, _ := r.outcome(Arguments{Code: code, Language: "javascript"}); o.Answer != want {
			t.Errorf("%q gives %q", code, o.Answer)
		}
	}
	for code, want := range map[string]string{
		"throw new Error('no')": "Error: no",
		"(async () => { await null; throw new TypeError('no') })()": "status 1: TypeError: no",
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
