package script

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/dop251/goja"
)

// program is a driver without a library.
func program(driver string) *Program {
	return &Program{compile: func() ([]*goja.Program, error) { return compile("none", "", driver) }}
}

func try(ctx context.Context, driver string, input any) (string, error) {
	out, err := program(driver).Run(ctx, input)
	return string(out), err
}

func TestRun(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ driver, want string }{
		"text":    {`function run(i) { return i.a + '‖' }`, "<b>‖"},
		"bytes":   {`function run(i) { return new TextEncoder().encode(i.a) }`, "<b>"},
		"promise": {`function run(i) { return new Promise(r => setTimeout(() => setImmediate(() => r(btoa(i.a))), 50)) }`, "PGI+"},
		"order":   {`async function run() { const o = []; await new Promise(r => { setTimeout(() => { o.push(2); r() }, 9); setTimeout(() => o.push(1)); clearTimeout(setTimeout(() => o.push(0))) }); return o.join() }`, "1,2"},
		"alone":   {`function run() { return [typeof require, typeof process, typeof fetch, typeof XMLHttpRequest, typeof Deno].join() }`, "undefined,undefined,undefined,undefined,undefined"},
		"apart":   {`function run() { globalThis.n = (globalThis.n || 0) + 1; return '' + n }`, "1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := program(c.driver)
			for range 2 { // nothing of one run is left for the next
				if out, err := p.Run(t.Context(), map[string]string{"a": "<b>"}); err != nil || string(out) != c.want {
					t.Errorf("%q, %v; want %q", out, err, c.want)
				}
			}
		})
	}
}

func TestRunFails(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ driver, want string }{
		"throws":   {`function run() { throw new Error('so it is') }`, "so it is"},
		"rejects":  {`async function run() { throw new Error('so it is') }`, "so it is"},
		"forever":  {`function run() { return new Promise(() => {}) }`, "never comes"},
		"nothing":  {`function go() {}`, "no function run"},
		"number":   {`function run() { return 7 }`, "returned int64"},
		"deep":     {`function run() { return run() + 1 }`, "at run"},
		"timers":   {`function run() { for (;;) setTimeout(() => 0) }`, "too many timers"},
		"no clean": {`function run() {`, "SyntaxError"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if out, err := try(t.Context(), c.driver, nil); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%q, %v; want %q", out, err, c.want)
			}
		})
	}
}

func TestRunEndsWithItsContext(t *testing.T) {
	t.Parallel()
	gone := errors.New("gone")
	ctx, cancel := context.WithTimeoutCause(t.Context(), 50*time.Millisecond, gone)
	defer cancel()
	if _, err := try(ctx, `function run() { for (;;); }`, nil); !errors.Is(err, gone) {
		t.Errorf("%v", err)
	}
}
