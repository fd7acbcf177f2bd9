// Package schema holds the JSON Schemas (2020-12) of every body of H-MAP/1, as files for anybody and as checks for Go. The
// files are tolerant, as a reader must be: fields they do not know are allowed. PROTOCOL.md says what the fields mean.
package schema

import (
	"bytes"
	"embed"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Files are the schemas, one <name>.json for each of [Names], and parts.json, to which they refer.
//
//go:embed *.json
var Files embed.FS

// parts is the file of what bodies share; nothing on the wire is all of it.
const parts = "parts"

// Names lists the bodies there are schemas for, sorted: announcement, cancellation, card, client-frame, input, lease, live,
// open-task, receipt, record, request, response, saved-tool, server-frame, snapshot, submission. The caller owns the list.
func Names() []string {
	tolerant, _ := compiled()
	return slices.Sorted(maps.Keys(tolerant))
}

// Validate says what is wrong with a body that was received, with the place of each fault as a JSON pointer; nil: nothing.
// Fields the schema does not know are allowed. A name that is not one of [Names] is an error. Safe from many goroutines; the
// first use compiles all schemas.
func Validate(name string, body []byte) error {
	tolerant, _ := compiled()
	return check(tolerant, name, body)
}

// Strict is [Validate] for a body that we are about to send: a field the schema does not know is a fault too, since it can only
// be a slip of the pen.
func Strict(name string, body []byte) error {
	_, strict := compiled()
	return check(strict, name, body)
}

func check(in map[string]*jsonschema.Schema, name string, body []byte) error {
	s := in[name]
	if s == nil {
		return fmt.Errorf("no schema %.80q; there are: %s", name, strings.Join(Names(), ", "))
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if err := s.Validate(v); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

var compiled = sync.OnceValues(func() (tolerant, strict map[string]*jsonschema.Schema) {
	return compile(func(any) {}), compile(closed)
})

// compile gives the schema of each body, after change has been at the documents. What is embedded does not depend on any input,
// so a fault in it is a fault of the build, and panics.
func compile(change func(document any)) map[string]*jsonschema.Schema {
	c := jsonschema.NewCompiler()
	c.UseLoader(jsonschema.SchemeURLLoader{}) // nothing is fetched, from nowhere
	c.AssertFormat()
	c.AssertContent()
	files, err := Files.ReadDir(".")
	if err != nil {
		panic(err)
	}
	for _, f := range files {
		raw, err := Files.ReadFile(f.Name())
		if err != nil {
			panic(err)
		}
		document, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
		if err != nil {
			panic(fmt.Sprintf("%s: %v", f.Name(), err))
		}
		change(document)
		if err := c.AddResource(base+f.Name(), document); err != nil {
			panic(err)
		}
	}
	schemas := map[string]*jsonschema.Schema{}
	for _, f := range files {
		if name := strings.TrimSuffix(f.Name(), path.Ext(f.Name())); name != parts {
			schemas[name] = c.MustCompile(base + f.Name())
		}
	}
	return schemas
}

// base is where the documents are for the compiler: nowhere outside it.
const base = "mem:///"

// closed makes every object that lists its fields allow no others. Conditions (if, then, dependentSchemas) list fields too, but
// have no type.
func closed(document any) {
	switch v := document.(type) {
	case map[string]any:
		_, lists := v["properties"]
		if lists && v["type"] == "object" {
			v["unevaluatedProperties"] = false
		}
		for _, inner := range v {
			closed(inner)
		}
	case []any:
		for _, inner := range v {
			closed(inner)
		}
	}
}
