package plan

import (
	"fmt"
	"regexp"
	"strings"
	"time"
)

// render writes the period as the field wants it: from or to by the field's name, day or month by its description.
func (p period) render(f *field) (any, bool) {
	t := p.From
	if f.isEnd() {
		t = p.To
	}
	if f.Type == "integer" || f.Type == "number" {
		switch words := strings.ToLower(f.Name + " " + f.Desc); {
		case strings.Contains(words, "天") || strings.Contains(words, "day"):
			return p.days(), true
		case strings.Contains(words, "年") || strings.Contains(words, "year"):
			return t.Year(), true
		}
		return nil, false
	}
	switch {
	case f.Format == "" && inWords.MatchString(f.Desc):
		return nil, false // the field takes the words as they are, see suits
	case f.Format == "date-time":
		if f.isEnd() {
			t = t.AddDate(0, 0, 1).Add(-time.Second)
		}
		return t.Format(time.RFC3339), true
	case monthOnly.MatchString(f.Desc) || strings.EqualFold(f.Name, "month"):
		return t.Format("2006-01"), true
	}
	return t.Format(time.DateOnly), true
}

var monthOnly = regexp.MustCompile(`(?i)(yyyy-mm\b[^-]|yyyy-mm$|月份|\d{4}-\d{2}(?:[^-\d]|$)|month in)`)

// inWords: the field wants the user's own words for a stretch of time.
var inWords = regexp.MustCompile(`(?i)自然语言|natural language|in words`)

// days counts both ends.
func (p period) days() int { return int(p.To.Sub(p.From).Hours()/24+0.5) + 1 }

// String shows the period for thoughts.
func (p period) String() string {
	if p.From.Equal(p.To) {
		return p.From.Format(time.DateOnly)
	}
	return fmt.Sprintf("%s – %s", p.From.Format(time.DateOnly), p.To.Format(time.DateOnly))
}
