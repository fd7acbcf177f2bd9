package xlsx

import (
	"context"
	"encoding/csv"
	"io"
	"regexp"
	"strings"

	"github.com/hmap-project/hmap/tools/document/outline"
)

// CSV makes one CSV file of all tables, an empty line between them: UTF-8 with the mark that spreadsheets know it by. What a spreadsheet
// would take for a formula gets an apostrophe before it, as they write it themselves.
func CSV(ctx context.Context, o *outline.Outline) ([]byte, error) {
	var out strings.Builder
	out.WriteString("\ufeff")
	w := csv.NewWriter(&out)
	first := true
	for _, s := range o.Sections {
		tables := s.Tables
		for _, block := range outline.Blocks(s.Text, 0) {
			if block.Kind == outline.Grid {
				tables = append(tables[:len(tables):len(tables)], *block.Table)
			}
		}
		for _, t := range tables {
			if !first {
				w.Flush()
				if _, err := io.WriteString(&out, "\n"); err != nil {
					return nil, err
				}
			}
			first = false
			if err := w.Write(guarded(t.Columns)); err != nil {
				return nil, err
			}
			line := make([]string, 0, len(t.Columns))
			for i, row := range t.Rows {
				if i%1000 == 0 && ctx.Err() != nil {
					return nil, context.Cause(ctx)
				}
				line = line[:0]
				for _, c := range row {
					if c.Numeric {
						line = append(line, c.Text)
					} else {
						line = append(line, guard(c.Text))
					}
				}
				if err := w.Write(line); err != nil {
					return nil, err
				}
			}
		}
	}
	w.Flush()
	return []byte(out.String()), w.Error()
}

func guarded(texts []string) []string {
	out := make([]string, len(texts))
	for i, t := range texts {
		out[i] = guard(t)
	}
	return out
}

// inside is where another cell would begin with a formula, for who parts by semicolons or tabs, and takes no quotes in the middle of a line for any.
var inside = regexp.MustCompile(`([;\t\n] *)([=@＝＠]|[+＋－-]\S)`)

// guard keeps a text from being read as a formula. Excel looks behind leading spaces, too.
func guard(s string) string {
	if strings.ContainsAny(s, ";\t\n") {
		s = inside.ReplaceAllString(s, "$1'$2")
	}
	if t := strings.TrimLeft(s, " \t\n"); t != "" && strings.ContainsRune("=+-@|%＝＋－＠", []rune(t)[0]) || strings.HasPrefix(s, "\t") {
		return "'" + s
	}
	return s
}
