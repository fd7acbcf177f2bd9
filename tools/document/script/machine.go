package script

import (
	"encoding/base64"
	"errors"
	"fmt"
	"slices"

	"github.com/dop251/goja"
)

// machine is one run's: a VM with the few things of a browser that the libraries ask for. Its timers run in order as soon as nothing else does;
// nobody waits for them, since nothing outside can happen meanwhile.
type machine struct {
	vm     *goja.Runtime
	timers []timer // by when they are due, then by when they were set
	last   int64
}

type timer struct {
	id, due int64
	run     goja.Callable
	args    []goja.Value
}

// maxTimers is the most that may wait. The libraries use a handful.
const maxTimers = 10_000

func newMachine() *machine {
	m := &machine{vm: goja.New()}
	m.vm.SetMaxCallStackSize(2_000)
	seed := uint32(1)
	m.vm.SetRandSource(func() float64 { // the same input gives the same document
		seed = seed*1664525 + 1013904223
		return float64(seed) / (1 << 32)
	})
	global := m.vm.GlobalObject()
	for _, name := range []string{"window", "self", "global"} {
		m.set(global, name, global)
	}
	m.set(global, "setTimeout", m.later)
	m.set(global, "setImmediate", func(c goja.FunctionCall) goja.Value {
		return m.later(goja.FunctionCall{Arguments: slices.Insert(slices.Clone(c.Arguments), min(1, len(c.Arguments)), m.vm.ToValue(0))})
	})
	never := func(c goja.FunctionCall) goja.Value {
		id := c.Argument(0).ToInteger()
		m.timers = slices.DeleteFunc(m.timers, func(t timer) bool { return t.id == id })
		return goja.Undefined()
	}
	m.set(global, "clearTimeout", never)
	m.set(global, "clearImmediate", never)
	m.set(global, "btoa", func(s string) (string, error) {
		raw := make([]byte, 0, len(s))
		for _, r := range s {
			if r > 0xff {
				return "", errors.New("btoa: not a byte")
			}
			raw = append(raw, byte(r))
		}
		return base64.StdEncoding.EncodeToString(raw), nil
	})
	m.set(global, "atob", func(s string) (string, error) {
		raw, err := base64.StdEncoding.DecodeString(s)
		if err != nil {
			return "", errors.New("atob: not base64")
		}
		out := make([]rune, len(raw))
		for i, b := range raw {
			out[i] = rune(b)
		}
		return string(out), nil
	})
	m.set(global, "utf8", func(s string) goja.ArrayBuffer { return m.vm.NewArrayBuffer([]byte(s)) })
	if _, err := m.vm.RunString(`
		globalThis.TextEncoder = class { encode(s) { return new Uint8Array(utf8(String(s === undefined ? '' : s))); } };
		globalThis.console = {log() {}, warn() {}, error() {}, info() {}};`); err != nil {
		panic(err) // a constant
	}
	return m
}

func (m *machine) set(o *goja.Object, name string, v any) {
	if err := o.Set(name, v); err != nil {
		panic(err) // a new machine takes any name
	}
}

// later is setTimeout.
func (m *machine) later(c goja.FunctionCall) goja.Value {
	run, ok := goja.AssertFunction(c.Argument(0))
	if !ok {
		panic(m.vm.NewTypeError("no function"))
	}
	if len(m.timers) >= maxTimers {
		panic(m.vm.NewTypeError("too many timers"))
	}
	m.last++
	t := timer{id: m.last, due: max(0, c.Argument(1).ToInteger()), run: run}
	if len(c.Arguments) > 2 {
		t.args = c.Arguments[2:]
	}
	at := len(m.timers)
	for at > 0 && m.timers[at-1].due > t.due {
		at--
	}
	m.timers = slices.Insert(m.timers, at, t)
	return m.vm.ToValue(t.id)
}

// settle runs timers until a promise has its value.
func (m *machine) settle(p *goja.Promise) error {
	for p.State() == goja.PromiseStatePending {
		if len(m.timers) == 0 {
			return errors.New("the driver waits for something that never comes")
		}
		t := m.timers[0]
		m.timers = m.timers[1:]
		if _, err := t.run(goja.Undefined(), t.args...); err != nil {
			return err
		}
	}
	if p.State() == goja.PromiseStateRejected {
		return fmt.Errorf("%v", p.Result())
	}
	return nil
}
