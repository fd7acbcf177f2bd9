package render

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// total makes a sentence of a count that stands beside the list of what was counted: 共 15 个订单。 "" when there is no count,
// several lists, or no name for what the list holds.
func (w Writer) total(m map[string]any, f *fields.Field) string {
	n, what := "", ""
	lists := 0
	for _, k := range fields.Keys(m, f) {
		switch v := m[k].(type) {
		case json.Number:
			if i, err := strconv.Atoi(v.String()); err == nil && i >= 0 && IsTotal(k, fields.Child(f, k)) {
				n = v.String()
			}
		case []any:
			if len(v) > 0 {
				lists++
				what = fields.Child(f, k).Counted(w.Lang)
				if i, err := strconv.Atoi(n); err == nil && i < len(v) {
					n = ""
				}
			}
		}
	}
	if n == "" || what == "" || lists != 1 {
		return ""
	}
	return words.Say(w.Lang, "共 %[1]s 个%[2]s。", "%[2]s: %[1]s in all.", n, what)
}

// IsTotal reports whether a field holds a number of things.
func IsTotal(name string, f *fields.Field) bool {
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

func (w Writer) inAll(n int, f *fields.Field) string {
	if what := f.Counted(w.Lang); what != "" {
		return words.Say(w.Lang, "共 %[1]d 个%[2]s。", "%[2]s: %[1]d in all.", n, what)
	}
	return words.Say(w.Lang, "共 %d 项。", "%d in all.", n)
}
