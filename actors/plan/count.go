package plan

import (
	"encoding/json"
	"strconv"
	"strings"
)

// total makes a sentence of a count that stands beside the list of what was counted: 共 15 个订单。 "" when there is no count,
// several lists, or no name for what the list holds.
func (w writer) total(m map[string]any, f *field) string {
	n, what := "", ""
	lists := 0
	for _, k := range keys(m, f) {
		switch v := m[k].(type) {
		case json.Number:
			if i, err := strconv.Atoi(v.String()); err == nil && i >= 0 && isTotal(k, child(f, k)) {
				n = v.String()
			}
		case []any:
			if len(v) > 0 {
				lists++
				what = child(f, k).counted(w.lang)
				if i, err := strconv.Atoi(n); err == nil && i < len(v) {
					n = ""
				}
			}
		}
	}
	if n == "" || what == "" || lists != 1 {
		return ""
	}
	return say(w.lang, "共 %[1]s 个%[2]s。", "%[2]s: %[1]s in all.", n, what)
}

// isTotal reports whether a field holds a number of things.
func isTotal(name string, f *field) bool {
	if f != nil && f.Type != "" && f.Type != "integer" {
		return false
	}
	switch name = strings.ToLower(name); {
	case name == "count", name == "total", name == "number", name == "n", strings.HasSuffix(name, "_count"), strings.HasPrefix(name, "number_of_"):
		return true
	case strings.HasPrefix(name, "total_") && f != nil:
		return strings.Contains(f.Title+f.Desc, "数")
	}
	return false
}

// counted is what a list holds, by its title or description: 订单列表 holds 订单. "" when it says nothing.
func (f *field) counted(lang string) string {
	if f == nil {
		return ""
	}
	s := f.label(lang)
	if s == strings.ReplaceAll(f.Name, "_", " ") && lang == "zh" {
		return ""
	}
	for _, end := range []string{"列表", "清单", "明细", "记录", " list"} {
		s = strings.TrimSuffix(s, end)
	}
	return s
}

func (w writer) inAll(n int, f *field) string {
	if what := f.counted(w.lang); what != "" {
		return say(w.lang, "共 %[1]d 个%[2]s。", "%[2]s: %[1]d in all.", n, what)
	}
	return say(w.lang, "共 %d 项。", "%d in all.", n)
}
