// Package filing reads what a person wants done with a text file of a conversation: make it, add to it, change a passage, read some lines, and what no
// tool does: delete, rename, copy. A wish is read to its last word or not at all, for what stands in it may be the text of the file, which is no wish.
package filing

// Do is what is wanted of a file.
type Do int

// The kinds of wishes.
const (
	Read   Do = iota // show it, or some lines of it
	List             // which files there are
	Make             // a file of that name, whose text is given
	Put              // a text into it: at its end where it is there already, else a new one
	Add              // a text at its end
	Change           // one passage by another
	Count            // its lines, words and characters, or where a passage stands in it
	Run              // the code in it
	Remove           // the file itself
	Rename           // or move
	Copy
	Front // a text at its beginning, or before a line of it
	Line  // one of its lines, named by its place, by another text
	Fetch // to the person's own disk
	Other // send, translate, merge, sort it
	Gist  // what it says in short
	There // make it without a text, where it is there already
)

// Undoable reports whether there is no tool for it: the wish can only be answered.
func (d Do) Undoable() bool { return d >= Remove }

// Act is one wish.
type Act struct {
	Do   Do
	Name string // of the file; "": a new one whose name was not said
	// Text is what is made, put or added; HasText tells an empty one from none.
	Text    string
	HasText bool
	// Loose: nothing marks the text as such, so that it may as well name something that is to be looked up.
	Loose bool
	// Output: Text is no text but what was said last; Code: it is the code that was run last.
	Output, Code bool
	Old, New     string // of Change; Old also of Count: the passage that is looked for, "": none
	All          bool   // change every place
	Whole        bool   // of Make: all that is in a file that is there gives way to the text
	// From and Lines are what is read: from line From on, from 1, or from the end where it is negative; 0: all of it. Lines 0: to the end.
	From, Lines int
	// Implied: no file is named, or only by a pronoun; it is the one last spoken of.
	Note       bool // no file is named, for a note goes where notes are
	Implied    bool
	Rows       bool // of Read, Gist and Count: it is a table, and is asked for its rows
	Elsewhere  bool // it is no file of the conversation, but one that a server has
	Start, End int  // bytes in the text that was read

	said   string // the wish in its own words, with the file by its name
	turned bool   // which are not those that were typed
	was    Do     // before it was resolved
}

// Known is what is known of the files of the conversation.
type Known struct {
	Names []string // each once, as a person would write them
	Last  string   // the one last spoken of; "": none
	Fresh bool     // in the turn before, so that a wish that names nothing is about it
	Paths bool     // a path names a file as well
	// Word reports whether a word means something else to the house, so that it names no file by itself.
	Word func(string) bool
}
