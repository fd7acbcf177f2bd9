package main

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

// Each command shows by an example how it is called, and what is shown is a command line that is taken.
func TestExamplesInHelp(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"my.yaml", "sales.csv", "cards.json", "requests.jsonl", "mine.jsonl", "plans.jsonl", "request.json", "tool.json"} {
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	model := kong.Must(new(flags), kong.Name("hmap")).Model
	examples := strings.Split(about, "\n")
	for _, c := range model.Leaves(true) {
		if c.Name == "nats" { // whose help is its own, see natsUsage
			continue
		}
		example := "\n  " + c.FullPath()
		if c.Parent.DefaultCmd == c {
			example = "\n  " + c.Parent.FullPath()
		}
		if !strings.Contains("\n"+c.Detail, example) {
			t.Errorf("the help of %s has no example", c.FullPath())
		}
		examples = append(examples, strings.Split(c.Detail, "\n")...)
	}
	taken := 0
	for _, line := range examples {
		m := example.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		var words []string
		for _, w := range word.FindAllStringSubmatch(m[1], -1) {
			words = append(words, w[1]+w[2])
		}
		if _, err := kong.Must(new(flags), kong.Name("hmap")).Parse(words); err != nil {
			t.Errorf("%s: %v", line, err)
		}
		taken++
	}
	if taken < 50 {
		t.Errorf("only %d examples were found", taken)
	}
}

var (
	example = regexp.MustCompile(`^  (?:[A-Z_]+=\S+ )*hmap((?: [^ >|]+| '[^']*')*)`) // up to where a shell takes over, or words go on behind several blanks
	word    = regexp.MustCompile(`'([^']*)'|([^ ']+)`)
)
