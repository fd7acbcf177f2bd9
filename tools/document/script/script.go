// Package script runs the JavaScript libraries that make slides, texts and charts, in a machine of their own (goja): no files, no network, no
// clock but timers, and no program but those in this binary. What a model or a user wrote goes in as JSON, never as program.
package script

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/dop251/goja"
)

// The bundles are made by `make bundles`; bundles/made.json says of what, bundles/LICENSES.txt on what terms.
//
//go:embed bundles/*.js
var bundles embed.FS

// Program is a library with a driver of ours. It is compiled at its first run and may be used from many goroutines.
type Program struct {
	compile func() ([]*goja.Program, error)
}

// New makes a program of a bundle ("pptx", "docx" or "chart") and a driver, which defines a function run(input) that returns a text, a
// Uint8Array or a promise of one.
func New(bundle, driver string) *Program {
	return &Program{compile: sync.OnceValues(func() ([]*goja.Program, error) {
		library, err := bundles.ReadFile("bundles/" + bundle + ".js")
		if err != nil {
			return nil, err
		}
		return compile(bundle, string(library), driver)
	})}
}

func compile(name, library, driver string) ([]*goja.Program, error) {
	theirs, err := goja.Compile(name, library, false)
	if err != nil {
		return nil, err
	}
	ours, err := goja.Compile(name+" driver", driver, true)
	return []*goja.Program{theirs, ours}, err
}

// Run gives input, as JSON, to the driver in a new machine, and returns what it made. It ends with ctx; memory is bounded by nothing but
// the size of the input, which the caller bounds.
func (p *Program) Run(ctx context.Context, input any) ([]byte, error) {
	parts, err := p.compile()
	if err != nil {
		return nil, fmt.Errorf("script: %w", err)
	}
	body, err := json.Marshal(input)
	if err != nil {
		return nil, err
	}
	m := newMachine()
	defer context.AfterFunc(ctx, func() { m.vm.Interrupt(context.Cause(ctx)) })()
	out, err := m.run(parts, string(body))
	if cause := context.Cause(ctx); cause != nil {
		return nil, cause
	}
	if err != nil {
		return nil, fmt.Errorf("script: %.300s", err.Error()) // a script tells a value that it does not like whole
	}
	return out, nil
}

func (m *machine) run(parts []*goja.Program, input string) ([]byte, error) {
	for _, p := range parts {
		if _, err := m.vm.RunProgram(p); err != nil {
			return nil, err
		}
	}
	run, ok := goja.AssertFunction(m.vm.Get("run"))
	if !ok {
		return nil, errors.New("the driver has no function run")
	}
	parse, ok := goja.AssertFunction(m.vm.Get("JSON").ToObject(m.vm).Get("parse"))
	if !ok {
		return nil, errors.New("no JSON.parse")
	}
	value, err := parse(goja.Undefined(), m.vm.ToValue(input))
	if err != nil {
		return nil, err
	}
	made, err := run(goja.Undefined(), value)
	if err != nil {
		return nil, err
	}
	if promise, ok := made.Export().(*goja.Promise); ok {
		if err := m.settle(promise); err != nil {
			return nil, err
		}
		made = promise.Result()
	}
	switch v := made.Export().(type) {
	case string:
		return []byte(v), nil
	case []byte:
		return v, nil
	case goja.ArrayBuffer:
		return v.Bytes(), nil
	default:
		return nil, fmt.Errorf("the driver returned %T", v)
	}
}
