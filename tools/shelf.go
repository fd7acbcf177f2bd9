package tools

import (
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hmap-project/hmap/bus"
)

// Shelf are the files of the call's session, oldest first: what people gave and what calls made. Of several with one name only the
// newest is there, so a name says which. What this call attaches is there for the next ones, once its result is in the log.
func (c *Call) Shelf(ctx context.Context) ([]bus.File, error) {
	all, err := c.Files.Of(ctx, c.Request.Session)
	if err != nil {
		return nil, err
	}
	newest := map[string]string{} // name to reference
	for _, f := range all {
		newest[f.Name] = f.Ref
	}
	return slices.DeleteFunc(all, func(f bus.File) bool { return newest[f.Name] != f.Ref }), nil
}

// known are those of some files that the session already has, of which a call that failed may still have told what they hold; what it made goes with it.
func (c *Call) known(ctx context.Context, files []bus.File) (out []bus.File) {
	if len(files) == 0 {
		return nil
	}
	shelf, err := c.Files.Of(ctx, c.Request.Session)
	if err != nil {
		return nil // its failure is what there is to tell
	}
	return slices.DeleteFunc(files, func(f bus.File) bool {
		return !slices.ContainsFunc(shelf, func(g bus.File) bool { return g.Ref == f.Ref })
	})
}

// Find is the file of a shelf by its name, by its reference, or else by its name as it is spoken ([bus.File.Spoken]), if that is of one alone.
func Find(shelf []bus.File, name string) (bus.File, bool) {
	i := slices.IndexFunc(shelf, func(f bus.File) bool { return f.Name == name || f.Ref == name })
	if i < 0 {
		spoken := func(f bus.File) bool { return name != "" && f.Spoken() == name }
		if i = slices.IndexFunc(shelf, spoken); i >= 0 && slices.ContainsFunc(shelf[i+1:], spoken) {
			i = -1
		}
	}
	if i < 0 {
		return bus.File{}, false
	}
	return shelf[i], true
}

// MaxFileName is the longest name of a file, in bytes.
const MaxFileName = 200

// PlainName reports whether a name can stand in a list, on any disk and in front of any person as what it is: 1 to [MaxFileName] bytes, no folder, no
// dot in front, no space at its ends, no sign that is not seen or that turns the direction of others.
func PlainName(name string) bool {
	return name != "" && len(name) <= MaxFileName && utf8.ValidString(name) && name[0] != '.' && strings.TrimSpace(name) == name &&
		!strings.ContainsFunc(name, func(r rune) bool {
			return r == '/' || r == '\\' || r == utf8.RuneError || unicode.IsControl(r) || unicode.In(r, unicode.Bidi_Control, unicode.Zl, unicode.Zp, unicode.Cf)
		})
}
