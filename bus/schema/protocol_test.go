package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"go/ast"
	"go/token"
	"io"
	"maps"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// protocol is the text of PROTOCOL.md.
func protocol(t testing.TB) string {
	t.Helper()
	raw, err := os.ReadFile("../PROTOCOL.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// section is the text below a heading, up to the next one of any level.
func section(t testing.TB, heading string) string {
	t.Helper()
	_, text, ok := strings.Cut(protocol(t), "\n"+heading+"\n")
	if !ok {
		t.Fatalf("PROTOCOL.md has no %q", heading)
	}
	if end := regexp.MustCompile(`(?m)^#+ `).FindStringIndex(text); end != nil {
		text = text[:end[0]]
	}
	return text
}

var fence = regexp.MustCompile("(?ms)^```([^\n]*)\n(.*?)^```$")

// block is the text of the only fenced block in a language.
func block(t testing.TB, language string) string {
	t.Helper()
	var found []string
	for _, m := range fence.FindAllStringSubmatch(protocol(t), -1) {
		if m[1] == language {
			found = append(found, m[2])
		}
	}
	if len(found) != 1 {
		t.Fatalf("PROTOCOL.md has %d blocks of %s, want one", len(found), language)
	}
	return found[0]
}

type example struct{ schema, body string }

// examples are the JSON values of all blocks ```json <schema>, one after another.
func examples(t testing.TB) []example {
	t.Helper()
	var all []example
	for _, m := range fence.FindAllStringSubmatch(protocol(t), -1) {
		name, ok := strings.CutPrefix(m[1], "json")
		if !ok {
			continue
		}
		if name = strings.TrimSpace(name); name == "" {
			t.Errorf("a JSON block does not say which schema it holds:\n%s", m[2])
		}
		d := json.NewDecoder(strings.NewReader(m[2]))
		for {
			var raw json.RawMessage
			if err := d.Decode(&raw); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatalf("%s: %v in\n%s", m[1], err, m[2])
			}
			all = append(all, example{name, string(raw)})
		}
	}
	return all
}

func TestExamplesHold(t *testing.T) {
	shown := map[string]bool{}
	for _, e := range examples(t) {
		shown[e.schema] = true
		err := error(nil)
		if e.schema == "action" {
			err = checkAction(e.body)
		} else {
			err = Strict(e.schema, []byte(e.body))
		}
		if err != nil {
			t.Errorf("%s\n%v", e.body, err)
		}
	}
	for _, name := range Names() {
		if !shown[name] {
			t.Errorf("PROTOCOL.md shows no %s", name)
		}
	}
}

// checkAction is Strict for an action, which is a part of bodies and never one by itself.
func checkAction(body string) error {
	c := jsonschema.NewCompiler()
	raw, err := Files.ReadFile("parts.json")
	if err != nil {
		return err
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return err
	}
	closed(document)
	if err := c.AddResource("mem:///parts.json", document); err != nil {
		return err
	}
	s, err := c.Compile("mem:///parts.json#/$defs/action")
	if err != nil {
		return err
	}
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(body))
	if err != nil {
		return err
	}
	return s.Validate(v)
}

func TestEveryKindHasAnExample(t *testing.T) {
	shown := map[string]bool{}
	for _, e := range examples(t) {
		if e.schema == "record" {
			var r struct{ Kind string }
			if err := json.Unmarshal([]byte(e.body), &r); err != nil {
				t.Fatal(err)
			}
			shown[r.Kind] = true
		}
	}
	_, byType := constants(t)
	for _, kind := range byType["Kind"] {
		if !shown[kind] {
			t.Errorf("PROTOCOL.md shows no %s record", kind)
		}
	}
}

// A record carries its kind's fields and no other kind's.
func TestRecordsCarryExactlyTheirBlock(t *testing.T) {
	own := map[string]map[string]any{} // of each kind, from the examples
	for _, e := range examples(t) {
		var r map[string]any
		if e.schema != "record" {
			continue
		}
		if err := json.Unmarshal([]byte(e.body), &r); err != nil {
			t.Fatal(err)
		}
		own[r["kind"].(string)] = r
	}
	rec := documents(t)["record.json"]
	for kind, r := range own {
		for field, kinds := range allowed(t, rec) {
			donor := kinds[0]
			if slices.Contains(kinds, kind) || own[donor][field] == nil {
				continue
			}
			foreign := maps.Clone(r)
			foreign[field] = own[donor][field]
			body, err := json.Marshal(foreign)
			if err != nil {
				t.Fatal(err)
			}
			if Validate("record", body) == nil {
				t.Errorf("a %s record may carry %s, which is for %v", kind, field, kinds)
			}
		}
		for _, field := range needed(rec, kind) {
			less := maps.Clone(r)
			delete(less, field)
			body, err := json.Marshal(less)
			if err != nil {
				t.Fatal(err)
			}
			if Validate("record", body) == nil {
				t.Errorf("a %s record may lack %s", kind, field)
			}
		}
	}
}

// allowed gives for each field that is not in every record the kinds that may carry it, from the schema.
func allowed(t *testing.T, record object) map[string][]string {
	fields := map[string][]string{}
	dependent := record["dependentSchemas"].(object)
	for name := range record["properties"].(object) {
		kind, ok := point(dependent, name+"/properties/kind").(object)
		if !ok {
			if !slices.Contains([]string{"hmap", "kind", "session", "task", "call", "parent", "agent", "node", "time"}, name) {
				t.Errorf("record.json does not say which kinds may carry %s", name)
			}
			continue
		}
		if one, ok := kind["const"].(string); ok {
			fields[name] = []string{one}
			continue
		}
		for _, k := range kind["enum"].([]any) {
			fields[name] = append(fields[name], k.(string))
		}
	}
	return fields
}

// needed gives the fields that a kind must carry, from the schema.
func needed(record object, kind string) []string {
	var fields []string
	for i := range record["allOf"].([]any) {
		at := "allOf/" + strconv.Itoa(i)
		if point(record, at+"/if/properties/kind/const") == kind {
			for _, f := range point(record, at+"/then/required").([]any) {
				fields = append(fields, f.(string))
			}
		}
	}
	return fields
}

// The table of kinds says which fields are whose, and in bold which are needed, as the schema does.
func TestTableOfKinds(t *testing.T) {
	record := documents(t)["record.json"]
	fields := allowed(t, record)
	rows := table(section(t, "### Record (article 4.4)"))
	_, byType := constants(t)
	for _, kind := range byType["Kind"] {
		row, ok := rows[kind]
		if !ok {
			t.Errorf("the table of kinds lacks %s", kind)
			continue
		}
		delete(rows, kind)
		var may, must []string
		for _, m := range regexp.MustCompile("(\\*\\*)?`([a-z_]+)`").FindAllStringSubmatch(row[1], -1) {
			may = append(may, m[2])
		}
		for _, m := range regexp.MustCompile("\\*\\*`([a-z_]+)`\\*\\*").FindAllStringSubmatch(strings.Join(row[1:], " "), -1) {
			must = append(must, m[1])
		}
		var want []string
		for name, kinds := range fields {
			if slices.Contains(kinds, kind) {
				want = append(want, name)
			}
		}
		same(t, kind+" may carry", may, want)
		same(t, kind+" must carry", must, needed(record, kind))
	}
	for kind := range rows {
		t.Errorf("the table of kinds has %s, which is none", kind)
	}
}

func TestTableOfErrors(t *testing.T) {
	byName, _ := constants(t)
	var want []string
	for name, code := range byName {
		if strings.HasPrefix(name, "Code") {
			want = append(want, code)
		}
	}
	rows := table(section(t, "## Errors"))
	same(t, "error codes", slices.Collect(maps.Keys(rows)), want)
	for code, row := range rows {
		if len(row) != 4 || slices.Contains(row, "") || !slices.Contains([]string{"yes", "no", "sometimes"}, row[3]) {
			t.Errorf("%s: want who raises it, what to do, and yes, no or sometimes: %q", code, row)
		}
	}
}

func TestTableOfHeaders(t *testing.T) {
	byName, _ := constants(t)
	text := section(t, "## Headers")
	for name, header := range byName {
		if strings.HasPrefix(name, "Header") && !strings.Contains(text, "`"+header+"`") {
			t.Errorf("the table of headers lacks %s", header)
		}
	}
}

func TestTableOfSubjects(t *testing.T) {
	var want []string
	for _, s := range subjects(t) {
		want = append(want, strings.NewReplacer("{", "<", "}", ">").Replace(s))
	}
	rows := table(section(t, "## Subjects"))
	delete(rows, "$SRV.>")
	same(t, "subjects", slices.Collect(maps.Keys(rows)), want)
}

// table gives the rows of a Markdown table by their first cell, without its backquotes.
func table(text string) map[string][]string {
	rows := map[string][]string{}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "| `") {
			continue
		}
		cells := strings.Split(strings.Trim(line, "|"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		rows[strings.Trim(cells[0], "`")] = cells
	}
	return rows
}

func same(t *testing.T, what string, got, want []string) {
	t.Helper()
	got, want = slices.Clone(got), slices.Clone(want)
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("%s: PROTOCOL.md says %v, the code %v", what, got, want)
	}
}

// subjects are what the exported functions of the bus that end in Subject return, with {parameter} for each parameter.
func subjects(t testing.TB) map[string]string {
	found := map[string]string{}
	for _, f := range source(t) {
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Recv != nil || !fn.Name.IsExported() || !strings.HasSuffix(fn.Name.Name, "Subject") || len(fn.Body.List) != 1 {
				continue
			}
			if ret, ok := fn.Body.List[0].(*ast.ReturnStmt); ok {
				found[fn.Name.Name] = joined(t, ret.Results[0])
			}
		}
	}
	if len(found) == 0 {
		t.Fatal("no subject functions found in the bus")
	}
	return found
}

func joined(t testing.TB, e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BinaryExpr:
		return joined(t, e.X) + joined(t, e.Y)
	case *ast.Ident:
		return "{" + e.Name + "}"
	case *ast.BasicLit:
		if s, err := strconv.Unquote(e.Value); err == nil && e.Kind == token.STRING {
			return s
		}
	}
	t.Fatalf("a subject is not a sum of strings and parameters: %T", e)
	return ""
}

// Links inside the page lead to headings that are there, links to files to files.
func TestLinks(t *testing.T) {
	text := protocol(t)
	anchors := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^#+ (.+)$`).FindAllStringSubmatch(text, -1) {
		slug := strings.ToLower(regexp.MustCompile(`[^\p{L}\p{N} _-]`).ReplaceAllString(m[1], ""))
		anchors["#"+strings.ReplaceAll(slug, " ", "-")] = true
	}
	for _, m := range regexp.MustCompile(`\]\(([^)]+)\)`).FindAllStringSubmatch(text, -1) {
		if strings.HasPrefix(m[1], "#") {
			if !anchors[m[1]] {
				t.Errorf("no heading %s", m[1])
			}
		} else if _, err := os.Stat("../" + m[1]); err != nil {
			t.Error(err)
		}
	}
}
