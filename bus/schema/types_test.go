package schema

import (
	"encoding/json"
	"go/ast"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hmap-project/hmap/bus"
)

// The Go types and the schemas say the same: each field is there on both sides, with the same type, and is required on both or
// on none.
func TestTypesAndSchemasAgree(t *testing.T) {
	c := &comparison{T: t, docs: documents(t), seen: map[reflect.Type]bool{}, enums: map[string]map[string]bool{}}
	_, c.consts = constants(t)
	for file, v := range map[string]any{
		"submission.json": bus.Submission{}, "request.json": bus.Request{}, "response.json": bus.Response{},
		"record.json": bus.Record{}, "input.json": bus.Input{}, "live.json": bus.Live{}, "open-task.json": bus.OpenTask{}, "snapshot.json": bus.Snapshot{},
		"saved-tool.json": bus.SavedTool{}, "announcement.json": bus.Announcement{}, "cancellation.json": bus.Cancellation{},
	} {
		c.compare(reflect.TypeOf(v).Name(), reflect.TypeOf(v), file, c.docs[file])
	}
	c.enum("Card.effect", "Effect", c.docs["parts.json"]["$defs"].(object)["effect"].(object))
	own := []string{"Card", "Penalty"} // strings in metadata; in the cache, which is nobody's business but hmap's
	for _, name := range wireTypes(t) {
		if !slices.ContainsFunc(slices.Collect(maps.Keys(c.seen)), func(r reflect.Type) bool { return r.Name() == name }) && !slices.Contains(own, name) {
			t.Errorf("type %s goes over the wire, and no schema reaches it", name)
		}
	}
	for name, used := range c.enums {
		for _, v := range c.consts[name] {
			if !used[v] {
				t.Errorf("bus.%s %q is in no enum of the schemas", name, v)
			}
		}
	}
}

type comparison struct {
	*testing.T
	docs   map[string]object
	consts map[string][]string
	seen   map[reflect.Type]bool
	enums  map[string]map[string]bool // values of each named string type that some schema allows
}

var (
	rawType  = reflect.TypeFor[json.RawMessage]()
	timeType = reflect.TypeFor[time.Time]()
)

func (c *comparison) compare(at string, g reflect.Type, file string, s object) {
	s, file = resolve(c, c.docs, file, s)
	for g.Kind() == reflect.Pointer {
		g = g.Elem()
	}
	want := ""
	switch {
	case g == rawType:
		if typ := s["type"]; typ != nil && typ != "object" {
			c.Errorf("%s is any JSON in Go and %v in %s", at, typ, file)
		}
		return
	case g == timeType:
		want = "string"
		if s["format"] != "date-time" {
			c.Errorf("%s is a time in Go and has format %v in %s", at, s["format"], file)
		}
	case g.Kind() == reflect.String:
		want = "string"
	case g.Kind() == reflect.Bool:
		want = "boolean"
	case g.Kind() == reflect.Float64:
		want = "number"
	case g.Kind() >= reflect.Int && g.Kind() <= reflect.Uint64:
		want = "integer"
	case g.Kind() == reflect.Slice:
		want = "array"
	case g.Kind() == reflect.Struct, g.Kind() == reflect.Map:
		want = "object"
	}
	if s["type"] != want {
		c.Errorf("%s is %v in Go, so %q, and %v in %s", at, g, want, s["type"], file)
		return
	}
	switch {
	case g.Kind() == reflect.String && g.PkgPath() != "":
		c.enum(at, g.Name(), s)
	case g.Kind() == reflect.Slice:
		c.inner(at+"[]", g.Elem(), file, s["items"])
	case g.Kind() == reflect.Map:
		c.inner(at+"{}", g.Elem(), file, s["additionalProperties"])
	case g.Kind() == reflect.Struct && g != timeType && !c.seen[g]:
		c.seen[g] = true
		c.fields(at, g, file, s)
	}
}

func (c *comparison) inner(at string, g reflect.Type, file string, s any) {
	if o, ok := s.(object); ok {
		c.compare(at, g, file, o)
		return
	}
	c.Errorf("%s: %s does not say what is inside", at, file)
}

func (c *comparison) fields(at string, g reflect.Type, file string, s object) {
	properties, _ := s["properties"].(object)
	required, _ := s["required"].([]any)
	known := map[string]bool{}
	for _, f := range reflect.VisibleFields(g) {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous {
			c.seen[f.Type] = true // its fields are ours
		}
		if name == "-" || f.Anonymous {
			continue
		}
		known[name] = true
		p, ok := properties[name].(object)
		if !ok {
			c.Errorf("%s.%s is in Go and not in %s", at, name, file)
			continue
		}
		flat, _ := resolve(c, c.docs, file, p)
		always, must := options == "", slices.Contains(required, any(name))
		if _, has := flat["default"]; always != must && (!always || !has) {
			c.Errorf("%s.%s: always written by Go: %v; required by %s: %v", at, name, always, file, must)
		}
		if name != "metadata" { // a card: see TestCardFields
			c.compare(at+"."+name, f.Type, file, p)
		}
	}
	for name := range properties {
		if !known[name] {
			c.Errorf("%s.%s is in %s and not in Go", at, name, file)
		}
	}
}

func (c *comparison) enum(at, name string, s object) {
	values, _ := s["enum"].([]any)
	if len(values) == 0 {
		c.Errorf("%s is a bus.%s, and its schema lists no values", at, name)
	}
	if c.enums[name] == nil {
		c.enums[name] = map[string]bool{}
	}
	for _, v := range values {
		c.enums[name][v.(string)] = true
		if !slices.Contains(c.consts[name], v.(string)) {
			c.Errorf("%s: the schema allows %q, which is no constant of bus.%s", at, v, name)
		}
	}
}

// wireTypes are the exported structs of the bus that have fields with JSON names.
func wireTypes(t *testing.T) []string {
	var names []string
	for _, f := range source(t) {
		ast.Inspect(f, func(n ast.Node) bool {
			spec, ok := n.(*ast.TypeSpec)
			if !ok || !spec.Name.IsExported() {
				return true
			}
			if s, ok := spec.Type.(*ast.StructType); ok && slices.ContainsFunc(s.Fields.List, func(f *ast.Field) bool {
				return f.Tag != nil && strings.Contains(f.Tag.Value, "json:")
			}) {
				names = append(names, spec.Name.Name)
			}
			return true
		})
	}
	return names
}

// A card on the wire is a map of strings with the same names as in Go.
func TestCardFields(t *testing.T) {
	docs := documents(t)
	properties := docs["card.json"]["properties"].(object)
	want := []string{"hmap", "tenant", "node", "since"}
	for f := range fieldsOf[bus.Card]() {
		if f != "version" { // the service's own
			want = append(want, f)
		}
	}
	got := slices.Sorted(maps.Keys(properties))
	if slices.Sort(want); !slices.Equal(got, want) {
		t.Errorf("card.json has %v, want %v", got, want)
	}
	for name, p := range properties {
		if s, _ := resolve(t, docs, "card.json", p.(object)); s["type"] != "string" {
			t.Errorf("card.json: %s is %v, and metadata holds strings only", name, s["type"])
		}
	}
}

// The frames of the gateway carry a submission and live text flat, a receipt carries a response.
func TestFramesCarryWholeBodies(t *testing.T) {
	docs := documents(t)
	client := docs["client-frame.json"]["properties"].(object)
	for name := range fieldsOf[bus.Submission]() {
		if _, ok := client[name]; !ok && name != "reply_to" {
			t.Errorf("a task frame cannot carry %s of a submission", name)
		}
	}
	if _, ok := client["reply_to"]; ok {
		t.Error("a client of the gateway may not choose subjects")
	}
	receipt := docs["receipt.json"]["properties"].(object)
	for name := range fieldsOf[bus.Response]() {
		if _, ok := receipt[name]; !ok && name != "progress" && name != "text" {
			t.Errorf("a receipt cannot carry %s of a response", name)
		}
	}
	server := docs["server-frame.json"]["properties"].(object)
	for name := range fieldsOf[bus.Live]() {
		if _, ok := server[name]; !ok {
			t.Errorf("a live frame cannot carry %s", name)
		}
	}
}

// fieldsOf gives the JSON names of T's fields.
func fieldsOf[T any]() map[string]bool {
	g, names := reflect.TypeFor[T](), map[string]bool{}
	for i := range g.NumField() {
		if name, _, _ := strings.Cut(g.Field(i).Tag.Get("json"), ","); name != "-" {
			names[name] = true
		}
	}
	return names
}
