package terminal

import (
	"os"

	"golang.org/x/term"
)

// Lively says whether f is a terminal on which a line may be written again and coloured. One that calls itself dumb (TERM=dumb: Emacs shells, some
// consoles) would show the escapes instead; to it we speak as to a file.
func Lively(f *os.File) bool {
	return term.IsTerminal(int(f.Fd())) && os.Getenv("TERM") != "dumb"
}
