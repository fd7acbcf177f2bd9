package main

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/hmap-project/hmap/"

// mayImport is the architecture: which of our packages each room may import. A room stands for all packages below it, unless one
// of them is named itself. Changing this table is an architectural decision.
var mayImport = map[string][]string{
	"":            {"actors", "actors/eval", "actors/learn", "actors/mask", "actors/model", "actors/model/scripted", "actors/plan", "actors/staff", "bus", "bus/gloss", "configs", "drill", "gateway", "gateway/mcp", "gateway/terminal", "prompts", "tools", "tools/document", "tools/files", "tools/interpreter", "tools/interpreter/sandbox", "tools/knowledge", "tools/mcp", "tools/planning", "tools/saved", "tools/search", "tools/shop", "tools/table", "tools/web"},
	"bus":         {},
	"bus/mailbox": {},
	"bus/schema":  {"bus"},
	"bus/bustest": {"bus"},
	"bus/consent": {"bus"}, // one reader of a yes for the house, its tools and the terminal
	"bus/gloss":   {"bus"}, // what strangers' tools are called in the other language, whichever way they came
	"configs":     {},
	"prompts":     {},

	"actors":         {"actors/learn", "actors/memory", "actors/model", "actors/plan", "actors/round", "actors/staff", "actors/vectors", "bus", "bus/consent", "bus/gloss", "bus/mailbox", "configs", "prompts"},
	"actors/eval":    {"actors/plan", "bus", "bus/mailbox"},
	"actors/learn":   {"actors/plan", "bus"},
	"actors/vectors": {"actors/model", "bus"},
	"actors/memory":  {"actors/round", "bus", "bus/consent"},
	"actors/mask":    {},
	"actors/model":   {"actors/mask", "bus"},
	"actors/plan":    {"bus", "bus/consent"},
	"actors/round":   {"bus", "bus/consent"},
	"actors/staff":   {"bus"},

	"actors/plan/vectors/make": {"actors/plan/vectors"},
	// the planner stands on these, the lowest first
	"actors/plan/words":   {"actors/plan/vectors"},
	"actors/plan/facts":   {"actors/plan/words"},
	"actors/plan/wishes":  {"actors/plan/facts", "actors/plan/words"},
	"actors/plan/filing":  {"actors/plan/words"},
	"actors/plan/fields":  {"actors/plan/facts", "actors/plan/wishes", "actors/plan/words", "bus"},
	"actors/plan/render":  {"actors/plan/fields", "actors/plan/words"},
	"actors/plan/cards":   {"actors/plan/facts", "actors/plan/fields", "actors/plan/wishes", "actors/plan/words", "bus"},
	"actors/plan/figures": {"actors/plan/cards", "actors/plan/facts", "actors/plan/fields", "actors/plan/render", "actors/plan/wishes", "actors/plan/words"},
	"actors/plan/solver":  {"actors/plan/cards", "actors/plan/fields"},

	"tools":           {"bus", "bus/mailbox", "configs"},
	"tools/knowledge": {"bus", "tools"},
	"tools/document":  {"bus", "tools", "tools/document/chart", "tools/document/html", "tools/document/outline", "tools/document/script", "tools/workbook"},
	"tools/mcp":       {"bus", "bus/gloss", "bus/mailbox", "tools"},
	"tools/mcp/oauth": {"bus", "tools/web"},

	"tools/files":               {"bus", "tools"},
	"tools/interpreter":         {"bus", "tools"},
	"tools/interpreter/sandbox": {},
	"tools/search":              {"bus", "bus/mailbox", "tools", "tools/knowledge", "tools/web", "tools/web/read"},
	"tools/planning":            {"bus", "tools"},
	"tools/saved":               {"bus", "bus/consent", "tools"},
	"tools/shop":                {"bus", "tools"},
	"tools/table":               {"bus", "tools", "tools/document/chart", "tools/document/outline", "tools/workbook"},
	"tools/web":                 {"bus", "bus/mailbox", "tools"},
	"tools/web/read":            {},
	"tools/workbook":            {},

	"gateway": {"bus", "bus/consent", "configs", "prompts"},

	"drill": {"bus"}, // it judges from outside

	"bench": {"actors", "actors/model", "actors/model/scripted", "bus", "configs", "prompts", "tools"}, // a module of its own, that wires the rooms as main.go does
}

// inTests may be imported by tests besides.
var inTests = []string{"actors/mask", "actors/model/scripted", "bus", "bus/bustest", "bus/bustest/crash", "bus/bustest/leaks", "bus/gloss", "bus/mailbox", "bus/schema", "configs", "prompts", "tools", "tools/mcp/oauth/oauthtest"}

func eachFile(t *testing.T, mode parser.Mode, visit func(dir string, name string, f *ast.File)) {
	t.Helper()
	files := token.NewFileSet()
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "node_modules" || d.Name() == "testdata") {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, ".go") {
			return nil
		}
		f, err := parser.ParseFile(files, path, nil, mode)
		if err != nil {
			return err
		}
		dir := filepath.ToSlash(filepath.Dir(path))
		if dir == "." {
			dir = ""
		}
		visit(dir, path, f)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestRulesImports keeps the rooms apart: bus imports nothing of ours; actors, tools and gateway meet on the bus and nowhere else.
func TestRulesImports(t *testing.T) {
	seen := 0
	eachFile(t, parser.ImportsOnly, func(dir, path string, f *ast.File) {
		allowed, ok := mayImport[dir]
		for room := dir; !ok && room != ""; {
			if room = filepath.ToSlash(filepath.Dir(room)); room == "." {
				room = ""
			}
			allowed, ok = mayImport[room]
		}
		test := strings.HasSuffix(path, "_test.go")
		for _, spec := range f.Imports {
			target, ours := strings.CutPrefix(strings.Trim(spec.Path.Value, `"`), module)
			if !ours || target == dir || strings.HasPrefix(dir, target+"/") && test {
				continue
			}
			seen++
			within := strings.HasPrefix(target, dir+"/") && dir != "" && dir != "bus" // a room may use its own corners
			if !slices.Contains(allowed, target) && !within && !(test && slices.Contains(inTests, target)) {
				t.Errorf("%s imports %s%s: the rooms meet on the bus; see the table in rules_test.go", path, module, target)
			}
		}
	})
	if seen < 20 {
		t.Errorf("only %d imports of ours were looked at: the test sees nothing", seen)
	}
}

// TestRulesDocs: every package says what it is, every exported name of the rooms has a comment.
func TestRulesDocs(t *testing.T) {
	documented := map[string]bool{}
	eachFile(t, parser.ParseComments, func(dir, path string, f *ast.File) {
		if strings.HasSuffix(path, "_test.go") {
			return
		}
		documented[dir] = documented[dir] || f.Doc != nil
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Name.IsExported() && d.Doc == nil && exportedReceiver(d) {
					t.Errorf("%s: %s has no comment", path, d.Name.Name)
				}
			case *ast.GenDecl:
				if d.Tok != token.TYPE {
					continue
				}
				for _, s := range d.Specs {
					if s, ok := s.(*ast.TypeSpec); ok && s.Name.IsExported() && d.Doc == nil && s.Doc == nil {
						t.Errorf("%s: type %s has no comment", path, s.Name.Name)
					}
				}
			}
		}
	})
	for dir, ok := range documented {
		if !ok {
			t.Errorf("package %q has no package comment", dir)
		}
	}
}

func exportedReceiver(d *ast.FuncDecl) bool {
	if d.Recv == nil {
		return true
	}
	x := d.Recv.List[0].Type
	for {
		switch y := x.(type) {
		case *ast.StarExpr:
			x = y.X
		case *ast.IndexExpr:
			x = y.X
		case *ast.Ident:
			return y.IsExported()
		default:
			return false
		}
	}
}

// TestRulesRecover: panics are caught in one place, so that it can be trusted.
func TestRulesRecover(t *testing.T) {
	eachFile(t, 0, func(dir, path string, f *ast.File) {
		ast.Inspect(f, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				if name, ok := call.Fun.(*ast.Ident); ok && name.Name == "recover" && dir != "bus/mailbox" && !strings.HasSuffix(path, "_test.go") {
					t.Errorf("%s: recover belongs into bus/mailbox: use mailbox.Catch", path)
				}
			}
			return true
		})
	})
}

// forbidden are names for things that have no job yet (Manager), and second names for what the glossary of README names already.
var forbidden = map[string]string{
	"Manager": "say what it does", "Helper": "say what it does", "Util": "say what it does", "Utils": "say what it does", "Impl": "the type itself",
	"SubAgent": "agent", "Subtask": "action or step", "Workflow": "plan", "Toolkit": "tools", "Conversation ID": "session",
	"SessionID": "Session", "TaskID": "Task", "ToolCall": "Action, or call", "Invocation": "call", "Capability": "card", "Manifest": "card",
}

// TestRulesNames: one name for each idea, in code as in the glossary.
func TestRulesNames(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(readme), "## Glossary")
	if !ok {
		t.Fatal("README.md has no glossary")
	}
	glossary, _, _ := strings.Cut(rest, "\n## ")
	words := regexp.MustCompile(`(?m)^\| \*\*([^*]+)\*\*`).FindAllStringSubmatch(glossary, -1)
	if len(words) < 10 || len(words) > 20 {
		t.Errorf("the glossary has %d words; want 10 to 20", len(words))
	}
	eachFile(t, 0, func(dir, path string, f *ast.File) {
		if strings.HasSuffix(path, "_test.go") {
			return
		}
		ast.Inspect(f, func(n ast.Node) bool {
			s, ok := n.(*ast.TypeSpec)
			if !ok {
				return true
			}
			for bad, good := range forbidden {
				if strings.Contains(s.Name.Name, bad) {
					t.Errorf("%s: type %s: the word is %q", path, s.Name.Name, good)
				}
			}
			return true
		})
	})
}

// TestRulesPaths: nothing of the machine it was written on is in the tree.
func TestRulesPaths(t *testing.T) {
	hosts := []string{"proxy.golang." + "org", "registry.npmjs." + "org", "deb.debian." + "org"}
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && slices.Contains([]string{".git", ".cluster", "node_modules", "bin"}, d.Name()) {
			return filepath.SkipDir
		}
		if d.IsDir() || strings.HasSuffix(path, ".sum") || strings.HasSuffix(path, ".test") {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, host := range hosts {
			if bytes.Contains(text, []byte(host)) {
				t.Errorf("%s names the host of a package registry: %s", path, host)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
