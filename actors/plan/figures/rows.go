package figures

import (
	"cmp"
	"encoding/json"
	"math/big"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// grouped is what rows that are alike in one column come to.
type grouped struct {
	label string
	n     int      // rows
	sum   *big.Rat // of the column measured
}

// Amount is the number in a cell, exactly; nil when there is none.
func Amount(v any) *big.Rat {
	s := ""
	switch v := v.(type) {
	case json.Number:
		s = v.String()
	case string:
		s = strings.ReplaceAll(strings.TrimSpace(v), ",", "")
	}
	if len(s) > maxFigure || strings.ContainsAny(s, "/eExXpP_") {
		return nil
	}
	n, ok := new(big.Rat).SetString(s)
	if !ok {
		return nil
	}
	return n
}

// maxFigure is how many digits a number may have that is worked with.
const maxFigure = 40

// cellOf is what a row holds in a column.
func cellOf(row any, c *fields.Field) any {
	m, _ := row.(map[string]any)
	return m[c.Name]
}

// total adds up a column; n is how many rows have a number there.
func total(rows []any, c *fields.Field) (sum *big.Rat, n int) {
	sum = new(big.Rat)
	for _, r := range rows {
		if v := Amount(cellOf(r, c)); v != nil {
			sum.Add(sum, v)
			n++
		}
	}
	return sum, n
}

var (
	// several things in one cell, and how many there are of each.
	partsOfCell = words.MustCompile(`[；;\n]\s*`)
	timesOf     = words.MustCompile(`\s*[×xX*]\s*(\d{1,6})\s*$`)
)

// groups puts rows together by a column, the one that comes to most first, equal ones in the order in which they stand. A cell that lists several things counts
// for each; of these nothing can be added up.
func (g *Folding) groups(rows []any, lang string) []grouped {
	at := map[string]int{}
	var out []grouped
	coarse := grainOf(g.Reckoning.By)
	for _, r := range rows {
		cell := fields.Scalar(cellOf(r, g.By), lang)
		if coarse != nil {
			cell = coarse.of(cell)
		}
		seen := map[string]bool{}
		for _, label := range partsOfCell.Split(cell, -1) {
			if label = g.By.Said(timesOf.ReplaceAllString(label, ""), lang); seen[label] {
				continue
			}
			seen[label] = true
			i, ok := at[label]
			if !ok {
				i, at[label] = len(out), len(out)
				out = append(out, grouped{label: label, sum: new(big.Rat)})
			}
			if g.Of == nil {
				out[i].n++
			} else if v := Amount(cellOf(r, g.Of)); v != nil {
				out[i].n++
				out[i].sum.Add(out[i].sum, v)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b grouped) int {
		if g.Fold == wishes.FoldLeast {
			a, b = b, a
		}
		return g.worth(b).Cmp(g.worth(a))
	})
	return out
}

// worth is what a group is ordered by, and what is said of it.
func (g *Folding) worth(of grouped) *big.Rat {
	switch {
	case g.Of == nil:
		return new(big.Rat).SetInt64(int64(of.n))
	case g.Fold == wishes.FoldMean && of.n > 0:
		return new(big.Rat).Quo(of.sum, new(big.Rat).SetInt64(int64(of.n)))
	}
	return of.sum
}

// divides reports whether the rows fall into fewer groups than there are rows, each of one thing: else every row is its own.
func (g *Folding) divides(rows []any, lang string) bool {
	return g.By != nil && (g.Part || TellsTime(g.Reckoning.By) && !g.Grouped || len(g.groups(rows, lang)) < len(rows))
}

// listsSeveral reports whether cells of the column name several things.
func (g *Folding) listsSeveral(rows []any, lang string) bool {
	return slices.ContainsFunc(rows, func(r any) bool { return len(partsOfCell.Split(fields.Scalar(cellOf(r, g.By), lang), 2)) > 1 })
}

// compare orders two rows by the column measured: numbers as numbers, everything else as text. A row without a value is less than all.
func (g *Folding) compare(a, b any) int {
	x, y := cellOf(a, g.Of), cellOf(b, g.Of)
	if m, n := Amount(x), Amount(y); m != nil || n != nil {
		switch {
		case m == nil:
			return -1
		case n == nil:
			return 1
		}
		return m.Cmp(n)
	}
	return cmp.Compare(fields.Scalar(x, ""), fields.Scalar(y, ""))
}

// ranked orders rows by the column measured, equal ones as they stand; a row without a value is left out.
func (g *Folding) ranked(rows []any) []any {
	out := slices.DeleteFunc(slices.Clone(rows), func(r any) bool { return fields.Scalar(cellOf(r, g.Of), "") == "" })
	slices.SortStableFunc(out, func(a, b any) int {
		if g.Fold == wishes.FoldLeast {
			return g.compare(a, b)
		}
		return g.compare(b, a)
	})
	return out
}

// enoughValues are so many different values that rows do not stand in their order by chance.
const enoughValues = 5

// inOrder reports whether a tool listed its rows by the column measured, as the request wants them: then the first ones are the first of all, also of
// those that it left out.
func (g *Folding) inOrder(rows []any) bool {
	values := 1
	for i := 1; i < len(rows); i++ {
		c := g.compare(rows[i-1], rows[i])
		if g.Fold == wishes.FoldLeast {
			c = -c
		}
		if c < 0 {
			return false
		}
		if c > 0 {
			values++
		}
	}
	return values >= enoughValues
}

// Condition is a fact that picks rows, and the column in which it does.
type Condition struct {
	fact  facts.Fact
	Col   *fields.Field
	words string // of the request
}

// Pick keeps the rows that a fact holds of, or the others ([facts.Fact.Not]); ok is false when no column tells. The condition has no column where another one tells
// it as well. text is the whole request.
func (g *Folding) Pick(f facts.Fact, text string, rows []any, now time.Time) (kept []any, c Condition, ok bool) {
	if f.Not {
		of := f
		of.Not = false
		taken, c, ok := g.Pick(of, text, rows, now)
		if said, word := f.Value.(string); !ok && word { // none of them is, where a column tells it of each
			if c.Col = g.tells(said, f.Kind, rows); c.Col != nil {
				c.words, ok = f.Text, true
			}
		}
		c.fact = f
		if !ok || c.Col == nil || slices.ContainsFunc(rows, func(r any) bool { return fields.Scalar(cellOf(r, c.Col), "") == "" }) { // of such a row nothing tells
			return nil, c, false
		}
		return slices.DeleteFunc(slices.Clone(rows), func(r any) bool {
			return slices.ContainsFunc(taken, func(o any) bool { return sameRow(r, o) })
		}), c, true
	}
	c.fact, c.words = f, f.Text
	switch v := f.Value.(type) {
	case facts.Period:
		c.Col = g.dated(text, rows)
		if c.Col == nil {
			return nil, c, false
		}
		for _, r := range rows {
			if at, err := time.ParseInLocation(time.DateOnly, words.Clip(fields.Scalar(cellOf(r, c.Col), ""), len(time.DateOnly)), now.Location()); err == nil && !at.Before(facts.Day(v.From)) && (v.Open || !at.After(v.To)) {
				kept = append(kept, r)
			}
		}
		return kept, c, true
	case facts.Amount:
		return g.limited(f, v, text, rows)
	case string:
		if kept, col, ok := g.against(v, rows); ok {
			c.Col = col
			return kept, c, true
		}
		for i := range g.List.Fields {
			col := &g.List.Fields[i]
			if col.Type != "string" && col.Type != "" {
				continue
			}
			kept = slices.DeleteFunc(slices.Clone(rows), func(r any) bool {
				cell := fields.Scalar(cellOf(r, col), "")
				return !mentions(cell, v) && !mentions(col.Said(cell, "en"), v)
			})
			if len(kept) > 0 {
				c.Col = col
				return kept, c, true
			}
		}
	}
	return nil, c, false
}

// None is the condition that no row holds to: a word of the request that a column may have, where none does, no refund for a reason that there is. ok is false where no
// column may.
func (g *Folding) None(f facts.Fact) (c Condition, ok bool) {
	v, word := f.Value.(string)
	if !word || f.Kind != facts.Quote || !g.List.HasIDs() {
		return c, false
	}
	for i := range g.List.Fields {
		if col := &g.List.Fields[i]; col.Called[v] != nil {
			return Condition{fact: f, Col: col, words: f.Text}, true
		}
	}
	return c, false
}

// tells is the column whose cells say of each row whether a value is its own, as they are of its kind and in its letters; nil: there is none.
func (g *Folding) tells(value string, kind facts.Kind, rows []any) *fields.Field {
	for _, c := range g.inPlace() {
		if (kind == facts.Person && (c.Sort == fields.Person || namesWho.MatchString(c.Name+" "+c.Label("zh"))) || facts.PlaceHan.FindString(value) == value && namesWhere.MatchString(c.Name+" "+c.Label("zh")) || c.Knows(value)) && !slices.ContainsFunc(rows, func(r any) bool {
			return words.IsHan(words.FirstRune(fields.Scalar(cellOf(r, c), ""))) != words.IsHan(words.FirstRune(value))
		}) {
			return c
		}
	}
	return nil
}

// namesWho is in the name of a column that says whose something is.
var namesWho = words.MustCompile(`(?i)买家|客户|顾客|姓名|收货人|收件人|(?:^|[_ ])(?:buyer|customer|consumer|client|receiver|recipient)`)

// namesWhere is in the name of a column that says where something is.
var namesWhere = words.MustCompile(`(?i)城市|省份?|地区|(?:^|[_ ])(?:city|province|place|region)\b`)

// sameRow reports whether two rows are the same one, and not only alike.
func sameRow(a, b any) bool {
	m, one := a.(map[string]any)
	o, other := b.(map[string]any)
	return one && other && reflect.ValueOf(m).Pointer() == reflect.ValueOf(o).Pointer()
}

// mentions reports whether a cell holds a value; 上海 and 上海市 are one place.
func mentions(cell, value string) bool {
	value = strings.ToLower(strings.TrimSpace(value))
	if short := strings.TrimRight(value, "省市区县"); facts.PlaceHan.MatchString(value) && short != "" {
		value = short
	}
	return value != "" && words.Holds(strings.ToLower(cell), value)
}

// dated is the column of days that a text means: the one that it names, else the first.
func (g *Folding) dated(text string, rows []any) *fields.Field {
	var best *fields.Field
	most := -1
	for _, c := range g.inPlace() {
		days := slices.ContainsFunc(rows, func(r any) bool {
			_, err := time.Parse(time.DateOnly, words.Clip(fields.Scalar(cellOf(r, c), ""), len(time.DateOnly)))
			return err == nil
		})
		if n := c.Shares(text); days && n > most {
			best, most = c, n
		}
	}
	return best
}

// inPlace are the columns as the schema lists them.
func (g *Folding) inPlace() []*fields.Field {
	out := make([]*fields.Field, len(g.List.Fields))
	for i := range g.List.Fields {
		out[i] = &g.List.Fields[i]
	}
	slices.SortStableFunc(out, func(a, b *fields.Field) int { return a.Place - b.Place })
	return out
}
