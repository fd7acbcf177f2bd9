package plan

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hmap-project/hmap/bus"
)

// compose makes the answer from the observations of the terminal tools: nothing stands in it that no observation says. ""
// when nothing was observed.
func (r *round) compose() string {
	lang := r.g.lang
	var parts []string
	var titles []string
	shown := map[string]bool{}
	failed := 0
	for _, d := range r.latest() {
		if !r.terminal(d) || shown[key(d.Action)] {
			continue
		}
		shown[key(d.Action)] = true
		text := ""
		switch {
		case d.Status == bus.OK && empty(d.Observation):
			text = r.nothing(d)
		case d.Status == bus.OK:
			text = r.x.render(d, r.g.lang, r.counts(d), r.in.Output == "table")
		default:
			failed++
			text = say(lang, "没能完成：%s", "This could not be done: %s", reason(d))
		}
		if len(d.Files) > 0 {
			text += "\n\n" + files(d.Files, lang)
		}
		parts, titles = append(parts, strings.TrimSpace(text)), append(titles, r.title(d.Action))
	}
	if len(parts) == 0 {
		for _, d := range r.latest() { // only providers ran, and what they found was not enough to go on
			if d.Status == bus.OK && empty(d.Observation) {
				return r.nothing(d)
			}
			if d.Status != bus.OK {
				return say(lang, "没能完成：%s", "This could not be done: %s", reason(d))
			}
			parts, titles = append(parts, r.x.render(d, lang, false, false)), append(titles, r.title(d.Action))
		}
	}
	for _, c := range r.unmet {
		if len(parts) > 0 {
			parts, titles = append(parts, say(lang, "这一部分我没有合适的工具。", "I have no tool for this part.")), append(titles, short(c.text, 60))
		}
	}
	if len(parts) == 1 {
		return parts[0]
	}
	var b strings.Builder
	for i, p := range parts {
		fmt.Fprintf(&b, "**%s**\n\n%s\n\n", titles[i], p)
	}
	return strings.TrimSpace(b.String())
}

// latest keeps the last try of each call.
func (r *round) latest() []Done {
	at := map[string]int{}
	var out []Done
	for _, d := range r.in.Done {
		k := key(d.Action)
		if i, ok := at[k]; ok {
			out[i] = d
			continue
		}
		at[k] = len(out)
		out = append(out, d)
	}
	return out
}

// terminal reports whether a call was made for its own sake, not to fill a parameter.
func (r *round) terminal(d Done) bool {
	if len(r.targets) == 0 || r.targetNamed(d.Action.ToolName) {
		return true
	}
	return d.Status != bus.OK && !slices.ContainsFunc(r.targets, func(t *target) bool { // replaced by another tool that ended well
		return slices.ContainsFunc(r.in.Done, func(o Done) bool { return o.Action.ToolName == t.e.Name && o.Status == bus.OK })
	})
}

// counts reports whether the clause behind a call asks for a number.
func (r *round) counts(d Done) bool {
	for _, t := range r.targets {
		if t.e.Name == d.Action.ToolName {
			return t.clause.count
		}
	}
	return false
}

// nothing says that nothing was found, and by what it was looked for.
func (r *round) nothing(d Done) string {
	var args map[string]any
	var by []string
	if json.Unmarshal(d.Action.Parameter, &args) == nil {
		e := r.x.byName[d.Action.ToolName]
		if e != nil {
			for _, f := range e.params {
				if v, ok := args[f.Name]; ok {
					by = append(by, f.label()+say(r.g.lang, "：", ": ")+short(scalar(v), 60))
				}
			}
		}
	}
	if len(by) == 0 {
		return say(r.g.lang, "没有找到相关的结果。", "Nothing was found.")
	}
	return say(r.g.lang, "没有找到符合条件的结果（%s）。", "Nothing was found for %s.", strings.Join(by, say(r.g.lang, "，", ", ")))
}

// empty reports whether an observation holds nothing: null, no text, no entries, or an object whose lists are all empty and
// whose counts are all zero.
func empty(raw json.RawMessage) bool {
	v, err := decode(raw)
	return err != nil || hollow(v)
}

func hollow(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case string:
		return strings.TrimSpace(v) == ""
	case []any:
		return len(v) == 0
	case map[string]any:
		lists := false
		for _, e := range v {
			if l, ok := e.([]any); ok {
				lists = true
				if len(l) > 0 {
					return false
				}
			}
		}
		if !lists {
			return len(v) == 0
		}
		for _, e := range v {
			if s, ok := e.(string); ok && strings.TrimSpace(s) != "" {
				return false
			}
			if n, ok := e.(json.Number); ok && n.String() != "0" {
				return false
			}
		}
		return true
	}
	return false
}

// decode keeps numbers as they were written.
func decode(raw json.RawMessage) (any, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	err := d.Decode(&v)
	return v, err
}

// leads are the fields whose text is an answer already.
var leads = []string{"answer", "summary", "回答", "结论"}

// render words one observation by its shape, with the names that the tool's returns schema gives.
func (x *Index) render(d Done, lang string, count, tables bool) string {
	v, err := decode(d.Observation)
	if err != nil {
		return strings.TrimSpace(string(d.Observation))
	}
	w := writer{lang: lang, count: count, tables: tables}
	var f *field
	if e := x.byName[d.Action.ToolName]; e != nil {
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
	count  bool // the user asked how many
	tables bool
}

// maxRows and maxCell bound a table; the rest is counted, not hidden.
const (
	maxRows = 20
	maxCell = 80
	maxCols = 8
)

func (w writer) value(v any, f *field, depth int) string {
	switch v := v.(type) {
	case map[string]any:
		return w.object(v, f, depth)
	case []any:
		return w.list(v, f, depth)
	case string:
		return v
	}
	return scalar(v)
}

// object: a ready answer leads; then single values as lines, then lists.
func (w writer) object(m map[string]any, f *field, depth int) string {
	var b strings.Builder
	lead := ""
	for _, k := range leads {
		if s, ok := m[k].(string); ok && strings.TrimSpace(s) != "" {
			lead = k
			b.WriteString(strings.TrimSpace(s) + "\n")
			break
		}
	}
	var lines, lists []string
	for _, k := range keys(m, f) {
		v := m[k]
		sub := child(f, k)
		switch v := v.(type) {
		case nil:
		case []any:
			if len(v) == 0 {
				continue
			}
			if lead != "" && !quotable(v) && !w.tables && depth == 0 && len(v) > maxRows {
				continue
			}
			text := w.list(v, sub, depth+1)
			if !quotable(v) {
				text = w.label(sub, k) + w.colon() + "\n" + strings.TrimLeft(text, "\n")
				if !objects(v) {
					text = w.label(sub, k) + w.colon() + scalar(v)
				} else {
					text = strings.Replace(text, w.colon()+"\n", w.colon()+"\n\n", 1)
				}
			}
			lists = append(lists, text)
		case map[string]any:
			if depth < 3 && len(v) > 0 {
				lists = append(lists, w.label(sub, k)+w.colon()+"\n"+indent(w.object(v, sub, depth+1)))
			}
		default:
			if lead != "" && (k == lead || depth == 0) {
				continue
			}
			lines = append(lines, w.label(sub, k)+w.colon()+scalar(v))
		}
	}
	if len(lines) == 1 && b.Len() == 0 {
		b.WriteString(lines[0] + "\n")
	} else {
		for _, l := range lines {
			b.WriteString("- " + l + "\n")
		}
	}
	for _, l := range lists {
		b.WriteString("\n" + strings.TrimSpace(l) + "\n")
	}
	return strings.TrimSpace(b.String())
}

// list: passages are quoted with their links, objects become a table, the rest a list.
func (w writer) list(vs []any, f *field, depth int) string {
	if len(vs) == 0 {
		return ""
	}
	if quotable(vs) {
		return w.passages(vs)
	}
	if objects(vs) {
		return w.table(vs, f)
	}
	var b strings.Builder
	if w.count && depth == 0 {
		b.WriteString(say(w.lang, "共 %d 项。\n", "%d in all.\n", len(vs)))
	}
	for i, v := range vs {
		if i == maxRows {
			b.WriteString(w.more(len(vs) - maxRows))
			break
		}
		b.WriteString("- " + w.value(v, nil, depth+1) + "\n")
	}
	return b.String()
}

func (w writer) more(n int) string {
	return say(w.lang, "…… 还有 %d 条\n", "… %d more\n", n)
}

func (w writer) colon() string { return say(w.lang, "：", ": ") }

func (w writer) label(f *field, key string) string {
	if f != nil && f.Desc != "" {
		return f.label()
	}
	return strings.ReplaceAll(key, "_", " ")
}

// table has the columns that any row fills, in the order of the schema.
func (w writer) table(rows []any, f *field) string {
	all := map[string]any{}
	for _, r := range rows {
		for k, v := range r.(map[string]any) {
			if all[k] == nil {
				all[k] = v
			}
		}
	}
	var cols []string
	for _, k := range keys(all, f) {
		if _, nested := all[k].(map[string]any); all[k] != nil && !nested && len(cols) < maxCols {
			cols = append(cols, k)
		}
	}
	var b strings.Builder
	for _, c := range cols {
		b.WriteString("| " + cell(w.label(child(f, c), c)) + " ")
	}
	b.WriteString("|\n" + strings.Repeat("| --- ", len(cols)) + "|\n")
	for i, r := range rows {
		if i == maxRows {
			break
		}
		for _, c := range cols {
			b.WriteString("| " + cell(scalar(r.(map[string]any)[c])) + " ")
		}
		b.WriteString("|\n")
	}
	if len(rows) > maxRows {
		b.WriteString("\n" + w.more(len(rows)-maxRows))
	}
	return b.String()
}

// cell keeps a value on one line of a table.
func cell(s string) string {
	s = strings.NewReplacer("\n", " ", "\r", " ", "|", "\\|").Replace(s)
	return short(s, maxCell)
}

// Names that fields of a passage go by.
var (
	passageText  = []string{"text", "passage", "content", "snippet", "quote", "正文", "内容"}
	passageLink  = []string{"link", "url", "href", "链接"}
	passageTitle = []string{"title", "heading", "section", "name", "标题"}
)

func pick(m map[string]any, names []string) string {
	for _, n := range names {
		if s, ok := m[n].(string); ok && strings.TrimSpace(s) != "" {
			return strings.TrimSpace(s)
		}
	}
	return ""
}

// quotable reports whether a list holds passages of documents.
func quotable(vs []any) bool {
	for _, v := range vs {
		m, ok := v.(map[string]any)
		if !ok || pick(m, passageText) == "" || pick(m, passageLink) == "" && pick(m, passageTitle) == "" {
			return false
		}
	}
	return len(vs) > 0
}

// maxPassages and maxPassage bound what is quoted.
const (
	maxPassages = 3
	maxPassage  = 600
)

// passages quotes the best few, each with where it stands.
func (w writer) passages(vs []any) string {
	var b strings.Builder
	for i, v := range vs {
		if i == maxPassages {
			break
		}
		m := v.(map[string]any)
		text := short(pick(m, passageText), maxPassage)
		b.WriteString("> " + strings.ReplaceAll(text, "\n", "\n> ") + "\n>\n")
		title, link := pick(m, passageTitle), pick(m, passageLink)
		switch {
		case link != "":
			if title == "" {
				title = link
			}
			b.WriteString("> —— [" + strings.NewReplacer("[", "(", "]", ")").Replace(title) + "](" + strings.ReplaceAll(link, ")", "%29") + ")\n\n")
		default:
			b.WriteString("> —— " + title + "\n\n")
		}
	}
	return b.String()
}

// keys of an object: in the order of the schema, the unknown ones after by name.
func keys(m map[string]any, f *field) []string {
	var out []string
	if f != nil {
		for _, sub := range f.Fields {
			if _, ok := m[sub.Name]; ok {
				out = append(out, sub.Name)
			}
		}
	}
	var rest []string
	for k := range m {
		if !slices.Contains(out, k) {
			rest = append(rest, k)
		}
	}
	slices.Sort(rest)
	return append(out, rest...)
}

func child(f *field, name string) *field {
	if f == nil {
		return nil
	}
	for i := range f.Fields {
		if f.Fields[i].Name == name {
			return &f.Fields[i]
		}
	}
	return nil
}

func objects(vs []any) bool {
	for _, v := range vs {
		if _, ok := v.(map[string]any); !ok {
			return false
		}
	}
	return len(vs) > 0
}

// scalar writes a value on one line.
func scalar(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	case bool:
		return strconv.FormatBool(v)
	case json.Number:
		return v.String()
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case []any:
		var parts []string
		for i, e := range v {
			if i == 10 {
				parts = append(parts, fmt.Sprintf("… +%d", len(v)-10))
				break
			}
			parts = append(parts, scalar(e))
		}
		return strings.Join(parts, ", ")
	}
	raw, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(raw)
}

func indent(s string) string { return "  " + strings.ReplaceAll(s, "\n", "\n  ") }

// files lists artifacts by name.
func files(fs []bus.File, lang string) string {
	var b strings.Builder
	b.WriteString(say(lang, "文件：\n", "Files:\n"))
	for _, f := range fs {
		b.WriteString("- [" + f.Name + "](" + f.Ref + ") " + f.Description + "\n")
	}
	return b.String()
}
