package main

import (
	"regexp"
	"slices"
	"strings"
)

// words of a person that begin with a dash: a list's "- call mum", "-5 %", "— no", "-- 不要". No flag has a space, a number or a sign that is not of the Latin alphabet
// in its name.
var dashedWords = regexp.MustCompile(`^--?(?:[^a-zA-Z-]|[^=]*[^a-zA-Z0-9=-])`)

// takesWords are the commands whose last argument is what a person says.
var takesWords = []string{"ask", "answer", "plan"}

// sayable is a command line in which the words of a person may begin with a dash, as flags do: they go behind "--", at the end, where the parser takes nothing for a
// flag.
func sayable(args []string) []string {
	at := slices.IndexFunc(args, func(a string) bool { return slices.Contains(takesWords, a) })
	if at < 0 || slices.Contains(args, "--") {
		return args
	}
	out, said := slices.Clone(args[:at+1]), []string(nil)
	for i, a := range args[at+1:] {
		behind := args[at+i] // a number may be the value of the flag before it, --seconds -5
		if dashedWords.MatchString(a) && (!strings.HasPrefix(behind, "--") || strings.Contains(behind, "=") || strings.ContainsAny(a, " \t\n")) {
			said = append(said, a)
			continue
		}
		out = append(out, a)
	}
	if said == nil {
		return args
	}
	return append(append(out, "--"), said...)
}
