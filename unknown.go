package main

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// plainer is what the parser says of a value, as a person would: of what follows a flag it tells its kinds of tokens.
func plainer(text string) string {
	if m := noValue.FindStringSubmatch(text); m != nil {
		return m[1] + " wants a value behind it"
	}
	if m := negative.FindStringSubmatch(text); m != nil {
		return fmt.Sprintf("%s is %s: want a number above 0", m[1], m[2])
	}
	if m := wrongKind.FindStringSubmatch(text); m != nil {
		return fmt.Sprintf("%s is %s: want a number", m[1], m[2])
	}
	if m := minus.FindStringSubmatch(text); m != nil {
		return m[1] + " is no flag, and a number here cannot be negative"
	}
	return text
}

var (
	noValue   = regexp.MustCompile(`^(--\S+): expected \w+ value but got "EOL"`)
	negative  = regexp.MustCompile(`^(--\S+): expected \w+ value but got "(-[^"]*)" \(short flag\)`)
	minus     = regexp.MustCompile(`^unknown flag (-\d\S*?),? `)
	wrongKind = regexp.MustCompile(`^(\S+): expected a (?:valid \d+ bit )?(?:int|uint|float) but got ("[^"]*")`)
)

// unknown is the error of a command line, in better words where a word is no command: the parser takes it for an argument of the default command,
// and says that this has none.
func unknown(err error) error {
	var parsed *kong.ParseError
	if !errors.As(err, &parsed) || parsed.Context == nil {
		return err
	}
	if text := plainer(parsed.Error()); text != parsed.Error() {
		return errors.New(text)
	}
	if on := parsed.Context.Selected(); on != nil && slices.Contains(takesWords, on.Name) && strings.HasPrefix(parsed.Error(), "unknown flag ") {
		return fmt.Errorf("%s; words that begin with a dash go behind --, at the end", parsed.Error())
	}
	word, ok := strings.CutPrefix(parsed.Error(), "unexpected argument ")
	chosen := parsed.Context.Selected()
	if !ok || chosen == nil || chosen.Parent == nil || chosen.Parent.DefaultCmd != chosen || slices.Contains(parsed.Context.Args, chosen.Name) {
		return err
	}
	above := chosen.Parent.FullPath()
	var near []string
	for _, c := range chosen.Parent.Children {
		if !c.Hidden && alike(word, c.Name) {
			near = append(near, above+" "+c.Name)
		}
	}
	switch {
	case len(near) > 0:
		return fmt.Errorf("there is no command %q; did you mean %s?", word, strings.Join(near, " or "))
	case chosen.Parent.Parent == nil:
		return fmt.Errorf("there is no command %q; %s --help lists them, and a question goes as one word: %[2]s ask '…'", word, above)
	}
	return fmt.Errorf("there is no command %q; %s --help lists them", word, above)
}

// alike reports whether a word may have been meant for a name: it begins it, or a third of it at most is mistyped.
func alike(word, name string) bool {
	return len(word) > 1 && strings.HasPrefix(name, word) || mistakes(word, name) <= len(name)/3
}

// mistakes is how many letters are to be put in, left out or changed to make one word of another (Levenshtein), with two that are exchanged as one.
func mistakes(a, b string) int {
	s, t := []rune(a), []rune(b)
	if len(s) > 64 {
		return len(s)
	}
	d := make([][]int, len(s)+1)
	for i := range d {
		d[i] = make([]int, len(t)+1)
		for j := range d[i] {
			switch {
			case i == 0 || j == 0:
				d[i][j] = i + j
				continue
			case s[i-1] == t[j-1]:
				d[i][j] = d[i-1][j-1]
				continue
			}
			d[i][j] = 1 + min(d[i-1][j], d[i][j-1], d[i-1][j-1])
			if i > 1 && j > 1 && s[i-1] == t[j-2] && s[i-2] == t[j-1] {
				d[i][j] = min(d[i][j], 1+d[i-2][j-2])
			}
		}
	}
	return d[len(s)][len(t)]
}
