package words

import (
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/vectors"
)

// Spoken are the informative words that a thing is called by: those of its name; of one whose name says nothing (tool_17, p3, qwzx), the first that
// are told of it. A name says something by a word of English, or by one that is told of the thing as well or begins one (temp_1), whatever the
// language; one with a digit in it by the latter alone, for its words may only count things (field_2). silent: it says nothing, and something is
// told.
func Spoken(name, told string) (called []string, silent bool) {
	about := Content(Head(told))
	if len(about) == 0 {
		return Content(name), false
	}
	numbered := strings.ContainsAny(name, "0123456789")
	says := false
	eachPiece(name, func(p Piece) {
		low := strings.TrimRight(strings.ToLower(p.Text), "0123456789") // speaker2
		says = says || p.Han || slices.ContainsFunc(about, func(w string) bool { return w == Stem(low) || len(low) > 2 && strings.HasPrefix(w, low) })
		if !says && !numbered && len(low) > 1 {
			_, says = vectors.English().Find(Stem(low))
		}
	})
	if says {
		return Content(name), false
	}
	return about[:min(len(about), maxCalled)], true
}

// maxCalled is how many words of a description stand for a name: names have three or four.
const maxCalled = 4

// Parted is a name with its words parted by _, as they are written: user_Id of userId and of user-Id. A name without parts is given back.
func Parted(name string) string {
	var b strings.Builder
	eachPiece(name, func(p Piece) {
		if b.Len() > 0 {
			b.WriteByte('_')
		}
		b.WriteString(p.Text)
	})
	return b.String()
}
