package table

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/hmap-project/hmap/tools"
)

// Two questions in one breath, as what is the total revenue and which product sold most, are two statements: read as one they would be answered for the groups of the one
// and the order of the other.

var (
	reBorder = regexp.MustCompile(`[?？;；。\n]+\s*(?:and\s+)?|\s*[,，]\s*(?:and\s+|以及|还有|和)?|\s+and\s+|以及|还有|和|与`)
	reStop   = regexp.MustCompile(`[?？;；。\n]`)
	reTail   = regexp.MustCompile(`\s*[(（][^()（）]*\.(?:csv|tsv|txt|xlsx?|xlsm|jsonl?|ndjson|db|sqlite3?)[)）].*$`)
	reAll    = regexp.MustCompile(`总|一共|\b(?:total|overall|altogether|in all)\b`)
)

// maxQuestions is how many questions are answered at once.
const maxQuestions = 4

// several are the questions that a question consists of, each of which stands alone; one: it is one itself. What was said after the name of the file is said of each.
func several(question string, tables []*Table, now time.Time) ([]string, *remark) {
	tail := reTail.FindString(question)
	whole := strings.TrimSuffix(question, tail)
	var out []string
	for rest := whole; len(out) < maxQuestions; {
		at := -1
		for _, m := range reBorder.FindAllStringIndex(rest, 8) {
			left, right := rest[:m[0]], rest[m[1]:]
			if strings.TrimSpace(right) == "" {
				continue
			}
			apart, doubt := questionsApart(left, right, reStop.MatchString(rest[m[0]:m[1]]), tables, now)
			if doubt != nil {
				return nil, doubt
			}
			if apart {
				out, at = append(out, strings.TrimSpace(left)+tail), m[1]
				break
			}
		}
		if at < 0 {
			return append(out, strings.TrimSpace(rest)+tail), nil
		}
		rest = rest[at:]
	}
	return nil, &remark{"一次最多回答几个问题，请分开问", "these are too many questions at once; ask them one by one"}
}

// questionsApart reports whether two parts are questions of their own. doubt: they are, and one of them has a condition that may be meant for both.
func questionsApart(left, right string, stop bool, tables []*Table, now time.Time) (bool, *remark) {
	a, b := readOne(left, tables, now), readOne(right, tables, now)
	if a == nil || b == nil || !a.figured() || !b.figured() {
		return false, nil
	}
	v, w := a.wish, b.wish
	ranked := v.best || w.best
	other := len(v.groups) > 0 && len(w.groups) > 0 && !slices.EqualFunc(v.groups, w.groups, func(x, y group) bool { return x.column == y.column && x.grain == y.grain })
	named := 0 // columns that both limit, to other values
	var alone []filter
	for _, f := range v.filters {
		i := slices.IndexFunc(w.filters, func(o filter) bool { return o.column == f.column })
		if i < 0 {
			alone = append(alone, f)
		} else if w.filters[i].sql != f.sql {
			named++
		}
	}
	for _, f := range w.filters {
		if !slices.ContainsFunc(v.filters, func(o filter) bool { return o.column == f.column }) {
			alone = append(alone, f)
		}
	}
	same := slices.Equal(v.measures, w.measures)
	switch {
	case ranked && (len(w.groups) > 0 || w.best || reAll.MatchString(right)), other, named > 1, named == 1 && !same:
	default:
		return false, nil
	}
	if len(alone) > 0 && !stop {
		return false, &remark{"这里像是两个问题，「" + alone[0].said.zh + "」是不是对两个都说的看不出来，请分开问", "these look like two questions, and it is not clear whether “" + alone[0].said.en + "” is said of both; ask them one by one"}
	}
	return true, nil
}

// readOne reads a question of the table that it is about; nil when it cannot be read.
func readOne(question string, tables []*Table, now time.Time) *reading {
	r := readBest(question, tables, now, nil)
	if r == nil || r.doubt.zh != "" {
		return nil
	}
	return r
}

// figured reports whether a question says itself which figure it wants.
func (r *reading) figured() bool {
	return len(r.mentioned(true)) > 0 || reCount.MatchString(r.s) || rePieces.MatchString(r.s) || reMoney.MatchString(r.s) || r.sales[1] > 0
}

// each answers several questions one after the other.
func (b *book) each(ctx context.Context, call *tools.Call, parts []string, notes []remark) (Answer, error) {
	var out Answer
	for i, part := range parts {
		w, doubt := readWish(part, b.tables, time.Now(), nil)
		if doubt != nil {
			return Answer{}, refused{*doubt}
		}
		text := w.sql(call.Request.Language)
		r, err := b.query(ctx, text)
		if err != nil {
			return Answer{}, err
		}
		a, err := b.tell(ctx, call, w, r, Answer{SQL: text, By: "rules"}, notes)
		if err != nil {
			return Answer{}, err
		}
		heading := "**" + markdown(strings.TrimSpace(reTail.ReplaceAllString(part, ""))) + "**\n\n"
		if notes = nil; i == 0 { // which have been said
			out = a
			out.Answer = heading + a.Answer
			continue
		}
		out.Answer += "\n\n" + heading + a.Answer
		out.SQL += ";\n" + a.SQL
		if a.Note != "" {
			out.Note = strings.TrimPrefix(out.Note+say(call.Request.Language, "；", "; ")+a.Note, say(call.Request.Language, "；", "; "))
		}
	}
	return out, nil
}
