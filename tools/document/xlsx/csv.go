package xlsx

import (
	"context"
	"encoding/csv"
	"io"
	"strings"

	"github.com/hmap-project/hmap/tools/document/outline"
)

// CSV makes one CSV file of all tables, an empty line between them: UTF-8 with the mark that spreadsheets know it by. No cell of it is a formula, see
// [outline.NoFormula].
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
						line = append(line, outline.NoFormula(c.Text))
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
		out[i] = outline.NoFormula(t)
	}
	return out
}
