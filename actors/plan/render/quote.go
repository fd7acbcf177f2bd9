package render

import (
	"strings"

	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// Names that fields of a passage go by.
var (
	passageText  = []string{"text", "passage", "content", "snippet", "quote", "正文", "内容"}
	passageLink  = []string{"link", "url", "href", "链接"}
	passageTitle = []string{"title", "heading", "section", "name", "标题"}
)

// maxPassages and maxPassage (runes) bound what is quoted; maxFurther is how many passages stand beside an answer that was
// taken from one.
const (
	maxPassages = 3
	maxFurther  = 2
	maxPassage  = 600
)

// both are the names of a field in the order in which a language prefers them.
func (w Writer) both(name string) []string {
	if w.Lang == "en" {
		return []string{name + "_en", name}
	}
	return []string{name, name + "_en"}
}

// Lead is the text with which an object sums itself up; "" when it does not.
func (w Writer) Lead(m map[string]any) string {
	_, text := pick(m, append(w.both("summary"), w.both("answer")...))
	return text
}

// pick is the first of the named fields that holds text.
func pick(m map[string]any, names []string) (name, text string) {
	for _, n := range names {
		if s, ok := m[n].(string); ok && strings.TrimSpace(s) != "" {
			return n, strings.TrimSpace(s)
		}
	}
	return "", ""
}

// quotable reports whether a list holds passages of documents.
func quotable(vs []any) bool {
	for _, v := range vs {
		m, ok := v.(map[string]any)
		if !ok {
			return false
		}
		text, _ := pick(m, passageText)
		link, _ := pick(m, passageLink)
		title, _ := pick(m, passageTitle)
		if text == "" || link == "" && title == "" {
			return false
		}
	}
	return len(vs) > 0
}

// source says where a lead was taken from: the passage with the same words, or the link beside it. "" when nothing says it.
func (w Writer) source(m map[string]any, lead string) string {
	if _, link := pick(m, passageLink); link != "" {
		return "\n\n—— " + origin(m)
	}
	for _, k := range fields.Keys(m, nil) {
		vs, _ := m[k].([]any)
		if !quotable(vs) {
			continue
		}
		for _, v := range vs {
			if _, text := pick(v.(map[string]any), passageText); repeats(text, lead) {
				return "\n\n—— " + origin(v.(map[string]any))
			}
		}
	}
	return ""
}

// origin names where a text stands: a link if there is one, else the title.
func origin(m map[string]any) string {
	_, title := pick(m, passageTitle)
	_, link := pick(m, passageLink)
	if link == "" {
		return title
	}
	if title == "" {
		title = link
	}
	return "[" + strings.NewReplacer("[", "(", "]", ")", "\n", " ").Replace(title) + "](" + strings.NewReplacer("(", "%28", ")", "%29", " ", "%20", "\n", "").Replace(link) + ")"
}

// quotes are the passages an object holds: beside a lead only what adds to it.
func (w Writer) quotes(m map[string]any, f *fields.Field, lead string) string {
	most := maxPassages
	if lead != "" {
		most = maxFurther
	}
	var out []string
	for _, k := range fields.Keys(m, f) {
		if vs, _ := m[k].([]any); quotable(vs) {
			if text := w.passages(vs, lead, most); text != "" {
				out = append(out, text)
			}
		}
	}
	return strings.Join(out, "\n\n")
}

// passages quotes the first few, each with where it stands; one whose words were already said is passed over.
func (w Writer) passages(vs []any, said string, most int) string {
	var out []string
	var before []string
	if said != "" {
		before = append(before, said)
	}
	for _, v := range vs {
		m := v.(map[string]any)
		_, text := pick(m, passageText)
		known := false
		for _, s := range before {
			known = known || repeats(text, s)
		}
		if known {
			continue
		}
		before = append(before, text)
		quote := words.Short(text, maxPassage) + "\n\n—— " + origin(m)
		out = append(out, strings.ReplaceAll("> "+strings.ReplaceAll(quote, "\n", "\n> "), "\n> \n", "\n>\n"))
		if len(out) == most {
			break
		}
	}
	return strings.Join(out, "\n\n")
}

// repeats reports whether a text says nothing beyond what was said, whatever the spaces and marks between the words: it is
// part of that, or at least half of it is that.
func repeats(text, said string) bool {
	text, said = bones(text), bones(said)
	return text == said || strings.Contains(said, text) || said != "" && len(said) >= len(text)/2 && strings.Contains(text, said)
}

// bones are the letters of a text.
func bones(s string) string {
	var b strings.Builder
	for _, p := range words.Pieces(s) {
		b.WriteString(strings.ToLower(p.Text))
	}
	return b.String()
}
