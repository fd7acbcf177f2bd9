package main

import (
	"regexp"
	"strings"

	"github.com/hmap-project/hmap/bus"
)

// called is how a command is begun that shall reach the same hmap as this one: the name of the program, with the flags that say which hmap is
// meant, as they were given, quoted for a shell. A password in an address is left out: what hints say ends in logs.
func (f *flags) called() string {
	b := strings.Builder{}
	b.WriteString("hmap")
	for _, flag := range []struct{ name, value string }{
		{"config", f.Config}, {"data", f.Data}, {"nats", bus.Redact(f.NATS)}, {"creds", f.Creds}, {"ca", f.CA}, {"cert", f.Cert}, {"key", f.Key},
	} {
		if flag.value != "" {
			b.WriteString(" --" + flag.name + " " + quoted(flag.value))
		}
	}
	return b.String()
}

// unquoted are words that a shell takes as they are.
var unquoted = regexp.MustCompile(`^[\p{L}\p{N}_./:@%+,=-]+$`)

// quoted is a text as one word of a shell.
func quoted(s string) string {
	if unquoted.MatchString(s) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
