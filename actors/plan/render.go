package plan

import (
	"encoding/json"
	"strings"
)

// render words one observation by its shape, with the names that the tool's returns schema gives.
func (r *round) render(d Done) string {
	v, err := decode(d.Observation)
	if err != nil {
		return strings.TrimSpace(string(d.Observation))
	}
	w := writer{lang: r.g.lang, asked: strings.ToLower(r.g.text), count: r.counts(d), tables: r.in.Output == "table"}
	var f *field
	if e := r.x.byName[d.Action.ToolName]; e != nil {
		f = &e.result
	}
	return strings.TrimSpace(w.value(v, f, 0))
}

// plain is an observation as text.
func plain(raw json.RawMessage) string {
	v, err := decode(raw)
	if err != nil {
		return string(raw)
	}
	w := writer{}
	return w.value(v, nil, 0)
}

// writer renders values as Markdown.
type writer struct {
	lang   string
	asked  string // the request in lower case: what it names is not left out
	count  bool   // the user asked how many
	tables bool   // single values, too, stand in a table
}

// maxDepth is how deep objects are laid out; what lies deeper stands on one line.
const maxDepth = 3

func (w writer) value(v any, f *field, depth int) string {
	switch v := v.(type) {
	case map[string]any:
		return w.object(v, f, depth)
	case []any:
		return w.list(v, f, depth)
	}
	return scalar(v, w.lang)
}

// object words an object: a summary of its own leads, and only tables and passages follow it; without one, single values
// stand as lines before the lists. A note comes last.
func (w writer) object(m map[string]any, f *field, depth int) string {
	lead := w.lead(m)
	total := w.total(m, f)
	_, note := pick(m, w.both("note"))
	alone := (lead != "" || total != "") && tables(m) == 1 // it is clear what the only table holds
	var lines, lists []string
	line := func(label, text string) {
		if w.tables {
			lines = append(lines, "| "+cell(label)+" | "+cell(text)+" |")
			return
		}
		lines = append(lines, label+w.colon()+text)
	}
	for _, k := range keys(m, f) {
		sub := child(f, k)
		switch v := m[k].(type) {
		case []any:
			switch {
			case quotable(v):
			case objects(v) && alone:
				lists = append(lists, strings.TrimSpace(w.list(v, sub, depth+1)))
			case objects(v):
				lists = append(lists, w.label(sub, k)+w.colon()+"\n\n"+strings.TrimSpace(w.list(v, sub, depth+1)))
			case len(v) > 0 && lead == "":
				line(w.label(sub, k), scalar(v, w.lang))
			}
		case map[string]any:
			switch {
			case len(v) == 0:
			case lead != "":
				if text := w.led(v, sub, depth); text != "" {
					lists = append(lists, text)
				}
			case depth >= maxDepth:
				line(w.label(sub, k), scalar(v, w.lang))
			default:
				lists = append(lists, w.label(sub, k)+w.colon()+"\n"+indent(w.object(v, sub, depth+1)))
			}
		default:
			if text := scalar(v, w.lang); text != "" && lead == "" && k != "note" && k != "note_en" {
				line(w.label(sub, k), text)
			}
		}
	}
	var blocks []string
	switch {
	case lead != "":
		blocks = append(blocks, lead+w.source(m, lead))
	case total != "" && len(lines) == 1:
		blocks = append(blocks, total)
	case w.tables && len(lines) > 0:
		blocks = append(blocks, say(w.lang, "| 项目 | 内容 |", "| Item | Value |")+"\n| --- | --- |\n"+strings.Join(lines, "\n"))
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
		if vs, ok := v.([]any); ok && objects(vs) && !quotable(vs) {
			n++
		}
	}
	return n
}

// led gives the tables inside an object that stands under a summary.
func (w writer) led(m map[string]any, f *field, depth int) string {
	var out []string
	for _, k := range keys(m, f) {
		if vs, ok := m[k].([]any); ok && objects(vs) && depth < maxDepth {
			out = append(out, w.label(child(f, k), k)+w.colon()+"\n\n"+strings.TrimSpace(w.list(vs, child(f, k), depth+1)))
		}
	}
	return strings.Join(out, "\n\n")
}

// list: passages are quoted with their sources, objects become a table, the rest a list.
func (w writer) list(vs []any, f *field, depth int) string {
	switch {
	case len(vs) == 0:
		return ""
	case quotable(vs):
		return w.passages(vs, "", maxPassages)
	}
	var b strings.Builder
	if w.count && depth == 0 {
		b.WriteString(w.inAll(len(vs), f) + "\n\n")
	}
	if objects(vs) {
		return b.String() + w.table(vs, f)
	}
	for i, v := range vs {
		if i == maxRows {
			b.WriteString("\n" + w.more(len(vs)-maxRows))
			break
		}
		b.WriteString("- " + scalar(v, w.lang) + "\n")
	}
	return b.String()
}

func (w writer) more(n int) string { return say(w.lang, "另有 %d 行\n", "%d more\n", n) }

func (w writer) colon() string { return say(w.lang, "：", ": ") }

func (w writer) label(f *field, key string) string {
	if f != nil {
		return f.label(w.lang)
	}
	return strings.ReplaceAll(key, "_", " ")
}
