package schema

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// object is a JSON object as decoded.
type object = map[string]any

// documents are the schema files as plain JSON, by file name.
func documents(t testing.TB) map[string]object {
	t.Helper()
	entries, err := Files.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	docs := map[string]object{}
	for _, e := range entries {
		raw, err := Files.ReadFile(e.Name())
		if err != nil {
			t.Fatal(err)
		}
		var doc object
		if err := json.Unmarshal(raw, &doc); err != nil {
			t.Fatalf("%s: %v", e.Name(), err)
		}
		docs[e.Name()] = doc
	}
	return docs
}

// point follows a JSON pointer ("" or "/a/b"); nil: nothing is there.
func point(doc any, pointer string) any {
	for key := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		if key == "" {
			continue
		}
		switch in := doc.(type) {
		case object:
			doc = in[strings.NewReplacer("~1", "/", "~0", "~").Replace(key)]
		case []any:
			i, err := strconv.Atoi(key)
			if err != nil || i < 0 || i >= len(in) {
				return nil
			}
			doc = in[i]
		default:
			return nil
		}
	}
	return doc
}

// resolve gives a schema with its $ref followed, what stands beside the $ref laid over it, and the file it is in.
func resolve(t testing.TB, docs map[string]object, file string, s object) (object, string) {
	t.Helper()
	ref, ok := s["$ref"].(string)
	if !ok {
		return s, file
	}
	to, pointer, _ := strings.Cut(ref, "#")
	if to != "" {
		file = path.Join(path.Dir(file), to)
	}
	found, ok := point(docs[file], pointer).(object)
	if docs[file] == nil || !ok {
		t.Fatalf("%s: $ref %q leads nowhere", file, ref)
	}
	target, file := resolve(t, docs, file, found)
	target = maps.Clone(target)
	for k, v := range s {
		if k != "$ref" {
			target[k] = v
		}
	}
	return target, file
}

// source is the syntax of the bus's own Go files.
func source(t testing.TB) []*ast.File {
	t.Helper()
	names, err := filepath.Glob("../*.go")
	if err != nil || len(names) == 0 {
		t.Fatalf("no Go files of the bus: %v", err)
	}
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	return files
}

// constants are the string constants of the bus: by name, and by the name of their type.
func constants(t testing.TB) (byName map[string]string, byType map[string][]string) {
	t.Helper()
	byName, byType = map[string]string{}, map[string][]string{}
	for _, f := range source(t) {
		for _, d := range f.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.CONST {
				continue
			}
			for _, spec := range g.Specs {
				v := spec.(*ast.ValueSpec)
				for i, name := range v.Names {
					if i >= len(v.Values) {
						continue
					}
					lit, ok := v.Values[i].(*ast.BasicLit)
					if !ok || lit.Kind != token.STRING {
						continue
					}
					s, err := strconv.Unquote(lit.Value)
					if err != nil {
						t.Fatal(err)
					}
					byName[name.Name] = s
					if id, ok := v.Type.(*ast.Ident); ok {
						byType[id.Name] = append(byType[id.Name], s)
					}
				}
			}
		}
	}
	return byName, byType
}
