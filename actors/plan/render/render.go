package render

import (
	"strings"

	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// Writer renders values as Markdown.
type Writer struct {
	Lang   string
	Asked  string // the request in lower case: what it names is not left out
	Count  bool   // the user asked how many
	Tables bool   // single values, too, stand in a table
	Most   int    // rows of a table; 0: MaxRows
}

// maxDepth is how deep objects are laid out; what lies deeper stands on one line.
const maxDepth = 3

// Value words a value; depth is how deep it lies, f says what is known of it and may be nil.
func (w Writer) Value(v any, f *fields.Field, depth int) string {
	switch v := v.(type) {
	case map[string]any:
		return w.object(v, f, depth)
	case []any:
		return w.list(v, f, depth)
	}
	return fields.Scalar(v, w.Lang)
}

// object words an object: a summary of its own leads, and only tables and passages follow it; without one, single values
// stand as lines before the lists. A note comes last.
func (w Writer) object(m map[string]any, f *fields.Field, depth int) string {
	lead := w.Lead(m)
	total := w.total(m, f)
	_, note := pick(m, w.both("note"))
	_, only := pick(m, append(passageText, "result", "output", "message", "body")) // what a label would say nothing of
	alone := (lead != "" || total != "") && tables(m) == 1                         // it is clear what the only table holds
	var lines, lists []string
	line := func(label, text string) {
		if w.Tables {
			lines = append(lines, "| "+cell(label)+" | "+cell(text)+" |")
			return
		}
		lines = append(lines, label+w.colon()+text)
	}
	for _, k := range fields.Keys(m, f) {
		sub := fields.Child(f, k)
		switch v := m[k].(type) {
		case []any:
			switch {
			case quotable(v):
			case fields.Objects(v) && alone:
				lists = append(lists, strings.TrimSpace(w.list(v, sub, depth+1)))
			case fields.Objects(v):
				lists = append(lists, w.Label(sub, k)+words.Say(w.Lang, "（%d）", " (%d)", len(v))+w.colon()+"\n\n"+strings.TrimSpace(w.list(v, sub, depth+1)))
			case len(v) > 0 && lead == "":
				line(w.Label(sub, k), sub.Said(v, w.Lang))
			}
		case map[string]any:
			switch {
			case len(v) == 0:
			case lead != "":
				if text := w.led(v, sub, depth); text != "" {
					lists = append(lists, text)
				}
			case depth >= maxDepth:
				line(w.Label(sub, k), sub.Said(v, w.Lang))
			default:
				lists = append(lists, w.Label(sub, k)+w.colon()+"\n"+fields.Indent(w.object(v, sub, depth+1)))
			}
		default:
			if text := fields.Scalar(v, w.Lang); text != "" && lead == "" && k != "note" && k != "note_en" {
				line(w.Label(sub, k), text)
			}
		}
	}
	var blocks []string
	switch {
	case lead != "":
		blocks = append(blocks, lead+w.source(m, lead))
	case total != "" && len(lines) == 1:
		blocks = append(blocks, total)
	case w.Tables && len(lines) > 0:
		blocks = append(blocks, words.Say(w.Lang, "| 项目 | 内容 |", "| Item | Value |")+"\n| --- | --- |\n"+strings.Join(lines, "\n"))
	case len(m) == 1 && only != "":
		blocks = append(blocks, only)
	case len(lines) == 1:
		blocks = append(blocks, lines[0])
	case len(lines) > 1:
		blocks = append(blocks, "- "+strings.Join(lines, "\n- "))
	}
	blocks = append(blocks, lists...)
	if q := w.quotes(m, f, lead); q != "" {
		blocks = append(blocks, q)
	}
	if note != "" && !repeats(note, lead) {
		blocks = append(blocks, note)
	}
	return strings.Join(blocks, "\n\n")
}

// tables counts the lists of an object that become tables.
func tables(m map[string]any) int {
	n := 0
	for _, v := range m {
		if vs, ok := v.([]any); ok && fields.Objects(vs) && !quotable(vs) {
			n++
		}
	}
	return n
}

// led gives the tables inside an object that stands under a summary.
func (w Writer) led(m map[string]any, f *fields.Field, depth int) string {
	var out []string
	for _, k := range fields.Keys(m, f) {
		if vs, ok := m[k].([]any); ok && fields.Objects(vs) && depth < maxDepth {
			out = append(out, w.Label(fields.Child(f, k), k)+w.colon()+"\n\n"+strings.TrimSpace(w.list(vs, fields.Child(f, k), depth+1)))
		}
	}
	return strings.Join(out, "\n\n")
}

// list: passages are quoted with their sources, objects become a table, the rest a list.
func (w Writer) list(vs []any, f *fields.Field, depth int) string {
	switch {
	case len(vs) == 0:
		return ""
	case quotable(vs):
		return w.passages(vs, "", maxPassages)
	}
	var b strings.Builder
	if w.Count && depth == 0 {
		b.WriteString(w.inAll(len(vs), f) + "\n\n")
	}
	if fields.Objects(vs) {
		return b.String() + w.Table(vs, f)
	}
	for i, v := range vs {
		if i == MaxRows {
			b.WriteString("\n" + w.more(len(vs)-MaxRows))
			break
		}
		b.WriteString("- " + fields.Scalar(v, w.Lang) + "\n")
	}
	return b.String()
}

func (w Writer) more(n int) string { return words.Say(w.Lang, "另有 %d 行\n", "%d more\n", n) }

func (w Writer) colon() string { return words.Say(w.Lang, "：", ": ") }

// Label is what a person would call a property: by its field, else by its key.
func (w Writer) Label(f *fields.Field, key string) string {
	if f != nil {
		return f.Label(w.Lang)
	}
	return strings.ReplaceAll(key, "_", " ")
}
