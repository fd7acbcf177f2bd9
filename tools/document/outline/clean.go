package outline

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The bounds of a document. What is above them is refused by [Outline.Check], with a sentence that says which; rows and series are cut by
// [Outline.Clean], which says so in the table.
const (
	MaxSections   = 500
	MaxHeading    = 300     // characters of a title, heading, caption or column
	MaxText       = 64_000  // bytes of a section's text or notes; reading hostile Markdown takes time by the square of it
	MaxAllText    = 4 << 20 // bytes of all texts
	MaxTables     = 400     // in all
	MaxColumns    = 100
	MaxRows       = 200_000 // of a table
	MaxCells      = 2_000_000
	MaxCell       = 4_000 // bytes
	MaxCharts     = 100   // in all
	MaxCategories = 1_000
	MaxSeries     = 20
	MaxPictures   = 100
	MaxSources    = 1_000
)

// Check says what is above the bounds; nil when nothing is. Errors name the place.
func (o *Outline) Check() error {
	var errs []error
	refuse := func(ok bool, format string, args ...any) {
		if !ok && len(errs) < 10 {
			errs = append(errs, fmt.Errorf(format, args...))
		}
	}
	refuse(len(o.Sections) <= MaxSections, "%d sections: %d at most; make several documents, or merge sections", len(o.Sections), MaxSections)
	refuse(len(o.Sources) <= MaxSources, "%d sources: %d at most", len(o.Sources), MaxSources)
	refuse(o.Theme == "" || themes[o.Theme].Name != "", "theme %.40q: want one of %s", o.Theme, strings.Join(ThemeNames(), ", "))
	var text, tables, charts, pictures, cells int
	for i, s := range o.Sections {
		place := fmt.Sprintf("sections[%d]", i)
		refuse(len(s.Text) <= MaxText && len(s.Notes) <= MaxText, "%s: text of %d bytes: %d at most; part it into sections", place, max(len(s.Text), len(s.Notes)), MaxText)
		text += len(s.Text) + len(s.Notes)
		tables, charts, pictures = tables+len(s.Tables), charts+len(s.Charts), pictures+len(s.Pictures)
		for j, t := range s.Tables {
			refuse(len(t.Columns) <= MaxColumns, "%s.tables[%d]: %d columns: %d at most", place, j, len(t.Columns), MaxColumns)
			cells += min(len(t.Rows), MaxRows) * max(1, t.wide())
		}
		for j, c := range s.Charts {
			refuse(kinds[c.Kind], "%s.charts[%d]: kind %.40q: want column, bar, line, area or pie", place, j, c.Kind)
			refuse(len(c.Categories) <= MaxCategories, "%s.charts[%d]: %d categories: %d at most; group them", place, j, len(c.Categories), MaxCategories)
			refuse(len(c.Series) <= MaxSeries, "%s.charts[%d]: %d series: %d at most", place, j, len(c.Series), MaxSeries)
			refuse(len(c.Categories) > 0 && len(c.Series) > 0, "%s.charts[%d]: no categories or no series", place, j)
		}
	}
	refuse(text <= MaxAllText, "%d bytes of text: %d at most", text, MaxAllText)
	refuse(tables <= MaxTables, "%d tables: %d at most", tables, MaxTables)
	refuse(charts <= MaxCharts, "%d charts: %d at most", charts, MaxCharts)
	refuse(pictures <= MaxPictures, "%d pictures: %d at most", pictures, MaxPictures)
	refuse(cells <= MaxCells, "tables of %d cells: %d at most", cells, MaxCells)
	return errors.Join(errs...)
}

var kinds = map[string]bool{"column": true, "bar": true, "line": true, "area": true, "pie": true}

// Clean makes texts what every format can hold: valid UTF-8 without control, invisible and direction-changing characters; makes rows
// and series as long as their headings; and drops values that are no numbers. Afterwards no renderer need look for any of that.
// The slices are changed in place.
func (o *Outline) Clean() {
	o.Title, o.Subtitle, o.Author, o.Date = Line(o.Title), Line(o.Subtitle), Line(o.Author), Line(o.Date)
	for i := range o.Sources {
		o.Sources[i].Title, o.Sources[i].URL = Line(o.Sources[i].Title), safeLink(o.Sources[i].URL)
	}
	for i := range o.Sections {
		s := &o.Sections[i]
		s.Heading, s.Text, s.Notes = Line(s.Heading), Tidy(s.Text), Tidy(s.Notes)
		for j := range s.Tables {
			s.Tables[j].clean()
		}
		for j := range s.Charts {
			s.Charts[j].clean()
		}
		for j := range s.Pictures {
			s.Pictures[j].Caption = Line(s.Pictures[j].Caption)
		}
	}
}

func (t *Table) clean() {
	t.Title = Line(t.Title)
	wide := t.wide()
	for i := range t.Columns {
		t.Columns[i] = Line(t.Columns[i])
	}
	for len(t.Columns) < wide {
		t.Columns = append(t.Columns, "")
	}
	if len(t.Rows) > MaxRows {
		t.Total, t.Rows = max(t.Total, len(t.Rows)), t.Rows[:MaxRows]
	}
	for i, row := range t.Rows {
		row = row[:min(len(row), wide)]
		for len(row) < wide {
			row = append(row, Cell{})
		}
		for j := range row {
			row[j].Text = Tidy(cut(row[j].Text, MaxCell))
			if row[j].Numeric && (math.IsNaN(row[j].Value) || math.IsInf(row[j].Value, 0)) {
				row[j].Numeric = false
			}
		}
		t.Rows[i] = row
	}
	t.see()
}

// wide is how many columns a table has once its rows are even.
func (t *Table) wide() int {
	wide := len(t.Columns)
	for _, row := range t.Rows {
		wide = max(wide, min(len(row), MaxColumns))
	}
	return wide
}

func (c *Chart) clean() {
	c.Title, c.Unit = Line(c.Title), Line(c.Unit)
	for i := range c.Categories {
		c.Categories[i] = Line(c.Categories[i])
	}
	for i := range c.Series {
		s := &c.Series[i]
		s.Name = Line(s.Name)
		s.Values = s.Values[:min(len(s.Values), len(c.Categories))]
		for len(s.Values) < len(c.Categories) {
			s.Values = append(s.Values, nil)
		}
		for j, v := range s.Values {
			switch {
			case v == nil:
			case math.IsNaN(*v) || math.IsInf(*v, 0) || math.Abs(*v) > 1e18:
				s.Values[j] = nil
			case math.Abs(*v) < 1e-290: // whose fifth, the step of an axis, is no number any more
				s.Values[j] = new(float64)
			}
		}
	}
	c.spaced()
}

// unwanted are characters that XML forbids, that nobody sees, or that turn the direction of what follows.
func unwanted(r rune) bool {
	switch {
	case r == '\n' || r == '\t':
		return false
	case r < ' ' || r >= 0x7f && r < 0xa0, r == utf8.RuneError, r&0xfffe == 0xfffe, r >= 0xfdd0 && r <= 0xfdef:
		return true
	case r == 0x200d || r == 0xfe0f: // they join emoji
		return false
	}
	return unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Co, r)
}

// Tidy drops what [unwanted] names and bytes that are no UTF-8; line ends become "\n".
func Tidy(s string) string {
	if strings.Contains(s, "\r") {
		s = strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
	}
	if plain(s) {
		return s
	}
	return strings.Map(func(r rune) rune {
		if unwanted(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, ""))
}

// Line is a text on one line, of at most MaxHeading characters.
func Line(s string) string {
	s = cut(s, 8*MaxHeading)
	s = strings.Join(strings.Fields(Tidy(s)), " ")
	if utf8.RuneCountInString(s) > MaxHeading {
		s = string([]rune(s)[:MaxHeading-1]) + "…"
	}
	return s
}

// cut keeps at most n bytes of a text, without parting a character.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}

// safeLink is a link that may stand in a document, else "".
func safeLink(link string) string {
	link = strings.TrimSpace(link)
	low := strings.ToLower(link)
	for _, scheme := range []string{"https://", "http://", "mailto:"} {
		if strings.HasPrefix(low, scheme) && len(link) < 2_000 && plain(link) && !strings.ContainsAny(link, " \t\n\"<>\\^`{|}") {
			return link
		}
	}
	return ""
}
