// Package prompts holds every prompt as a file, <language>/<name>.md, in Chinese and English. They are Go templates; a folder of
// the user's may replace any of them without a build.
package prompts

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"
	"text/template"
)

//go:embed zh/*.md en/*.md
var builtIn embed.FS

// Languages lists the languages prompts are written in; the first is for requests in none of them.
var Languages = []string{"en", "zh"}

// Vars is what a prompt can say of its agent and of now.
type Vars struct {
	Name, Title, Description string
	Date                     string // like "2026-05-03 Sunday"
	Task                     string // what the user, or the calling agent, asked
	Context                  string // what is known of the conversation; may be empty
	Files                    string // names and descriptions of files at hand, a line each; may be empty
	Mode                     string // react or plan
	ThoughtLimit             int    // characters a thought may have
	Text                     string // what a prompt about a text is about, such as a history to shorten
}

// Set is all prompts, parsed. Safe for concurrent use.
type Set struct {
	byName map[string]*template.Template
	made   memo
}

// Load parses the built-in prompts and those in dir ("" for none), which replace built-in ones of the same path. Every mistake in a
// template is found here and not at the first request.
func Load(dir string) (*Set, error) {
	s := &Set{byName: map[string]*template.Template{}}
	if err := s.add(builtIn); err != nil {
		return nil, err
	}
	if dir != "" {
		if err := s.add(os.DirFS(dir)); err != nil {
			return nil, fmt.Errorf("prompts in %s: %w", dir, err)
		}
	}
	return s, nil
}

func (s *Set) add(f fs.FS) error {
	names, err := fs.Glob(f, "*/*.md")
	if err != nil {
		return err
	}
	var errs []error
	for _, n := range names {
		text, err := fs.ReadFile(f, n)
		if err != nil {
			return err
		}
		t, err := template.New(n).Option("missingkey=error").Parse(string(text))
		if err == nil {
			err = t.Execute(new(strings.Builder), Vars{})
		}
		if err != nil {
			errs = append(errs, err)
			continue
		}
		s.byName[strings.TrimSuffix(n, path.Ext(n))] = t
	}
	return errors.Join(errs...)
}

// Has reports whether there is a prompt of that name in every language.
func (s *Set) Has(name string) bool {
	for _, l := range Languages {
		if s.byName[l+"/"+name] == nil {
			return false
		}
	}
	return true
}

// Text is the prompt of that name, filled in, in the language wanted or else the first of [Languages].
func (s *Set) Text(language, name string, v Vars) (string, error) {
	t := s.byName[language+"/"+name]
	if t == nil {
		t = s.byName[Languages[0]+"/"+name]
	}
	if t == nil {
		return "", fmt.Errorf("no prompt %s/%s.md", Languages[0], name)
	}
	text, ok := s.made.get(t, v)
	if ok {
		return text, nil
	}
	var b strings.Builder
	if err := t.Execute(&b, v); err != nil {
		return "", err
	}
	text = strings.TrimSpace(b.String())
	s.made.keep(t, v, text)
	return text, nil
}
