package plan

import (
	"slices"
	"strconv"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/figures"
	"github.com/hmap-project/hmap/actors/plan/render"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// list is a table that an answer showed.
type list struct {
	title string // of the line above that ends with a colon, in lower case; "": there is none
	heads []string
	rows  [][]string // as many cells as heads
	cut   bool       // there were more rows, of which it is not known how many
	twin  bool       // the answer showed another table with the same heads, so that it is not known in which one counts
	part  bool       // see list.partOf
	cols  []column   // what the columns are like
}

// column is what the cells of one are like.
type column struct {
	noun    string // of its heading
	ids     bool   // all are ids
	differs bool   // no two are the same
	blank   bool   // one is empty
}

// The bounds of what is read of one answer: its first rows and last lists. What an answer of this house shows is far less.
const (
	maxLists  = 8
	maxListed = 200
)

// remember reads what is looked up in an earlier turn again and again, once.
func remember(e earlier) earlier {
	answer := words.Clip(e.Answer, words.MaxText)
	if len(answer) < len(e.Answer) {
		answer += "\n" + cutMark
	}
	e.lists = lists(answer)
	for i := range e.lists {
		l := &e.lists[i]
		l.part = l.partOf(e.Request, answer)
		l.cols = make([]column, len(l.heads))
		for c := range l.cols {
			l.cols[c] = l.col(c)
			if n := l.cols[c].noun; !slices.Contains(e.nouns, n) {
				e.nouns = append(e.nouns, n)
			}
		}
	}
	return e
}

// col reads a column.
func (l *list) col(at int) column {
	out := column{noun: nounOf(l.heads[at]), ids: len(l.rows) > 0}
	called := idHead.MatchString(l.heads[at])
	seen := map[string]bool{}
	for _, r := range l.rows {
		seen[r[at]] = true
		out.ids = out.ids && isID(r[at]) && (called || len(r[at]) >= 9 || !words.AllDigits(r[at])) // 310871 may be an amount
	}
	out.differs, out.blank = len(seen) == len(l.rows), seen[""]
	return out
}

// cutMark stands where the memory of a session left something out of an answer, be it in the middle of a row.
const cutMark = "…"

// notAll: an answer says behind a table that it holds not all there is.
var notAll = words.MustCompile(`(?i)[还另]有\s*\d+|没有(?:全部)?列出|未(?:全部)?列出|只列|仅列|\bnot (?:all )?(?:listed|shown)\b|\b\d+ more\b|\bonly the first\b`)

// onlySo: the same, said before the table: only the newest 20 are listed.
var onlySo = words.MustCompile(`(?i)(?:只列出\p{Han}{0,6}|列出的)\s*(\d{1,4})\s*[个种位条]|\b(?:only|of) (?:the )?(?:[a-z]+ )?(\d{1,4}) (?:are )?(?:listed|shown)`)

// lists reads the Markdown tables of an answer, in the order in which they stand. A row that was cut ends its table: what comes after
// it would be counted wrongly, and of two rows the halves may have become one.
func lists(answer string) []list {
	var out []list
	lines := strings.Split(answer, "\n")
	for i := 0; i+1 < len(lines); i++ {
		heads := cells(lines[i])
		if len(heads) == 0 || !ruled.MatchString(lines[i+1]) {
			continue
		}
		l, more := list{title: titleAbove(lines[:i]), heads: heads}, false
		for i += 2; i < len(lines); i++ {
			row := cells(lines[i])
			if l.cut = isCut(lines[i]); l.cut || len(row) != len(heads) {
				break
			}
			if more = len(l.rows) == maxListed; !more {
				l.rows = append(l.rows, row)
			}
		}
		l.cut = l.cut || more
		for j := i; j < len(lines) && !l.cut && len(cells(lines[j])) == 0; j++ {
			l.cut = notAll.MatchString(lines[j]) || isCut(lines[j])
		}
		i--
		if len(l.rows) > 0 || l.cut {
			out = append(out, l)
		}
	}
	lead, _, _ := strings.Cut(answer, "\n|")
	for _, m := range onlySo.FindAllStringSubmatch(lead, 4) {
		for i := range out {
			n, _ := strconv.Atoi(m[1] + m[2])
			out[i].cut = out[i].cut || n > 1 && n == len(out[i].rows)
		}
	}
	return out[max(0, len(out)-maxLists):]
}

// titleAbove is what the line above a table calls it.
func titleAbove(lines []string) string {
	for i := len(lines) - 1; i >= max(0, len(lines)-2); i-- {
		if s := strings.TrimSpace(lines[i]); s != "" {
			return words.Either(strings.HasSuffix(s, ":") || strings.HasSuffix(s, "："), strings.ToLower(words.Short(s, maxNamed)), "")
		}
	}
	return ""
}

// isCut reports whether something was left out of a line. A long cell that ends with the mark was only shortened when it was shown.
func isCut(line string) bool {
	for _, c := range cells(line) {
		if n := len([]rune(c)); n > render.MaxCell/2 && n <= render.MaxCell && strings.HasSuffix(c, cutMark) {
			line = strings.Replace(line, cutMark, "", 1)
		}
	}
	return strings.Contains(line, cutMark)
}

// ruled is the line between the heads of a table and its rows.
var ruled = words.MustCompile(`^\s*\|(?:\s*:?-+:?\s*\|)+\s*$`)

// cells are those of a line of a table; nil when it is none.
func cells(line string) []string {
	line = strings.TrimSpace(line)
	if len(line) < 2 || line[0] != '|' || line[len(line)-1] != '|' {
		return nil
	}
	const bar = "\x00" // stands for one inside a cell
	var out []string
	for _, c := range strings.Split(strings.ReplaceAll(line[1:len(line)-1], `\|`, bar), "|") {
		out = append(out, strings.TrimSpace(strings.ReplaceAll(c, bar, "|")))
	}
	return out
}

// idHead is the heading of a column of ids.
var idHead = words.MustCompile(`(?i)编号|单号|号码|[账货票]号|^[^（(]*号$|\b(?:id|no|number|code|waybill|sku)\b|_(?:id|no|code)$`)

// idLike is a value that names one thing and nothing else.
var idLike = words.MustCompile(`^(?:\d{6,40}|[A-Za-z]{1,6}[-_]?\d{4,40})$`)

// mobileLike is the number of a mobile phone, which names a person and nothing that can be ordered, sent or paid back.
var mobileLike = words.MustCompile(`^1\d{10}$`)

// isID reports whether a value is such an id.
func isID(value string) bool { return idLike.MatchString(value) && !mobileLike.MatchString(value) }

// column is the place of the cell that names a row: an id under a heading with the noun, else the cell under the noun itself, else the
// first id that suits what is wished, else what is headed as the id of what the list holds by its title, else the first id, else the first column in which every row differs. -1: no column tells the rows apart.
// called: the heading holds the noun.
func (l list) column(noun string, suits func(id string) bool) (at int, called bool) {
	ids, suiting, named, differs, titled := -1, -1, -1, -1, -1
	also := words.AlsoCalled(noun)
	for i, c := range l.cols {
		called := noun != "" && (c.noun == noun || slices.Contains(also, c.noun)) // a list may be in the other language
		if c.ids && c.differs {
			if called {
				return i, true
			}
			if ids < 0 {
				ids = i
			}
			if suiting < 0 && suits != nil && suits(l.rows[0][i]) {
				suiting = i
			}
		}
		if called && named < 0 {
			named = i
		}
		if titled < 0 && c.differs && !c.blank && c.noun != "" && strings.Contains(l.title, c.noun) && idHead.MatchString(l.heads[i]) {
			titled = i
		}
		if differs < 0 && c.differs && !c.blank {
			differs = i
		}
	}
	switch {
	case named >= 0:
		return named, true
	case suiting >= 0:
		return suiting, false
	case titled >= 0:
		return titled, false
	case ids >= 0:
		return ids, false
	}
	return differs, false
}

// figures reports whether the cells of a column are numbers and no ids.
func (l list) figures(at int) bool {
	return len(l.rows) > 0 && !l.cols[at].ids && !slices.ContainsFunc(l.rows, func(r []string) bool { return r[at] != "" && figures.Amount(r[at]) == nil })
}

// rowOf is what tells a row to a person: its first cells that are not empty.
func (l list) rowOf(row []string) []string {
	var out []string
	for _, c := range row {
		if c != "" && len(out) < 2 {
			out = append(out, c)
		}
	}
	return out
}

// partOf reports whether a turn was about one thing, which the list shows or of which it shows the parts: the products of an order.
func (l *list) partOf(request, answer string) bool {
	lead, _, _ := strings.Cut(answer, "|")
	if id := words.LongNumber.FindString(request); id != "" && len(l.rows) == 1 {
		return true
	}
	id := words.LongNumber.FindString(lead)
	return id != "" && !slices.ContainsFunc(l.rows, func(r []string) bool { return slices.Contains(r, id) })
}

// shown is the list of the session that a place in it points to, the newest first: with the noun when any list has such, and with more
// than one row when another than the first is meant. nil: none was shown.
func shown(history []earlier, noun string, first bool, suits func(id string) bool) *list {
	var found *list
	for i := len(history) - 1; i >= 0; i-- {
		ls := history[i].lists
		for at, l := range slices.Backward(ls) {
			l.twin = slices.ContainsFunc(ls[:at], func(o list) bool { return slices.Equal(o.heads, l.heads) })
			at, called := l.column(noun, suits)
			if at < 0 || !first && len(l.rows) < 2 && !l.cut {
				continue
			}
			if called || noun == "" && !l.part {
				return &l
			}
			if found == nil {
				found = &l
			}
		}
	}
	return found
}
