package table

import (
	"context"
	_ "embed"
	"fmt"
	"regexp"
	"strings"

	"github.com/hmap-project/hmap/tools"
)

//go:embed prompt.md
var system string

// maxTries is how many statements a model may give: the first, and two that mend it.
const maxTries = 3

var (
	reFence = regexp.MustCompile("(?is)```(?:sql|sqlite)?\\s*\n?(.*?)```")
	reNone  = regexp.MustCompile(`(?is)^\s*none\b[\s:,.，。：]*(.*)$`)
)

// asked lets the model write the SQL. What it writes is held to reading, and run; an error goes back to it. The error of asked is refused when the tables
// cannot answer, and plain when there was no model to be had.
func (b *book) asked(ctx context.Context, call *tools.Call, o Options, question string) (text string, r *result, err error) {
	p := Prompt{System: system, Turns: []string{b.schema() + "\nQuestion: " + clip(question, maxQuestion)}}
	for range maxTries {
		reply, askErr := o.Ask(ctx, call.Request, p)
		if askErr != nil {
			return "", nil, fmt.Errorf("the model: %w", askErr)
		}
		call.Spend(reply.Usage)
		if m := reNone.FindStringSubmatch(reply.Text); m != nil {
			return "", nil, refusef("这些表回答不了这个问题：%s", "the tables cannot answer this: %s", clip(strings.TrimSpace(m[1]), 300))
		}
		text = strings.TrimSpace(reply.Text)
		if m := reFence.FindStringSubmatch(text); m != nil {
			text = strings.TrimSpace(m[1])
		}
		if r, err = b.query(ctx, text); err == nil {
			return text, r, nil
		}
		if ctx.Err() != nil {
			return "", nil, err
		}
		call.Progress(say(call.Request.Language, "SQL 有误，让模型修改", "the SQL was wrong; the model mends it"))
		p.Turns = append(p.Turns, reply.Text, fmt.Sprintf("It failed: %v\nGive the corrected statement.", err))
	}
	return "", nil, err
}

// oneLine keeps a stranger's text on the line that it is shown on: behind a line's end it would look like a word of ours.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// maxSchema is the longest description of the tables, in bytes.
const maxSchema = 12 << 10

// schema tells a model of the tables: names, types, some of the values.
func (b *book) schema() string {
	var s strings.Builder
	for _, t := range b.tables {
		fmt.Fprintf(&s, "Table %s, %d rows:\n", quoted(t.Name), t.Rows)
		for _, c := range t.Columns {
			fmt.Fprintf(&s, "  %s %s", quoted(c.Name), c.declared())
			switch {
			case c.kind == timeKind:
				s.WriteString(" time " + map[grain]string{byMonth: "YYYY-MM", byDay: "YYYY-MM-DD", byMoment: "YYYY-MM-DD HH:MM:SS"}[c.grain])
			case c.unit != "":
				s.WriteString(" in " + c.unit)
			}
			if len(c.distinct) > 0 {
				var some []string
				for _, v := range c.distinct[:min(len(c.distinct), 12)] {
					some = append(some, literal(clip(oneLine(v), 40)))
				}
				s.WriteString(": " + strings.Join(some, ", "))
				if len(c.distinct) > 12 {
					s.WriteString(", …")
				}
			}
			s.WriteString("\n")
			if s.Len() > maxSchema {
				return clip(s.String(), maxSchema) + "\n…\n"
			}
		}
	}
	return s.String()
}
