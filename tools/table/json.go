package table

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"slices"
	"strings"
)

// maxJSON is the largest JSON file that is read, in bytes: it is held in memory as a whole.
const maxJSON = 32 << 20

// maxValues is how many values it may hold: the least of them takes a hundred bytes there.
const maxValues = 4_000_000

// openJSON gives the lists of objects in a JSON file, such as the observation of a tool that was too long for its answer, or the lines of a JSONL
// file as one. What stands deeper inside a row stays JSON.
func openJSON(path, name string) ([]*sheet, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.Size() > maxJSON {
		return nil, refusef("%s 有 %d 字节，JSON 最多 %d", "%s has %d bytes; %d at most of JSON", name, info.Size(), maxJSON)
	}
	body, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if bytes.Count(body, []byte(","))+bytes.Count(body, []byte("\n")) > maxValues {
		return nil, refusef("%s 里的值超过 %d 个，不能读取；请先筛选或拆分文件", "%s has more than %d values and is not read; part or filter the file first", name, maxValues)
	}
	var values []any
	d := json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(body, []byte("\ufeff"))))
	d.UseNumber()
	for d.More() {
		var v any
		if err := d.Decode(&v); err != nil {
			return nil, refusef("%s 不是有效的 JSON：%v", "%s is no JSON: %v", name, err)
		}
		values = append(values, v)
	}
	var sheets []*sheet
	var root any = values
	if len(values) == 1 {
		root = values[0]
	}
	listsIn(root, name, func(title string, rows []map[string]any, others int) {
		s := objectSheet(title, rows)
		if others > 0 {
			s.notes = append(s.notes, remarkf("「%s」里有 %d 项不是对象或是空的，没有读取", "%[2]d entries of “%[1]s” are no objects, or empty, and are not read", title, others))
		}
		sheets = append(sheets, s)
	})
	if len(sheets) == 0 {
		return nil, refusef("%s 里没有由对象组成的列表", "%s holds no list of objects", name)
	}
	return sheets, nil
}

// listsIn visits the lists of objects in a value, with how many entries of each are none; those inside the rows of another are not tables of their own.
func listsIn(v any, name string, visit func(name string, rows []map[string]any, others int)) {
	switch v := v.(type) {
	case map[string]any:
		names := make([]string, 0, len(v))
		for k := range v {
			names = append(names, k)
		}
		slices.Sort(names)
		for _, k := range names {
			listsIn(v[k], k, visit)
		}
	case []any:
		var rows []map[string]any
		for _, e := range v {
			if o, ok := e.(map[string]any); ok && len(o) > 0 {
				rows = append(rows, o)
			}
		}
		if len(rows) > 0 {
			visit(name, rows, len(v)-len(rows))
		}
	}
}

func objectSheet(name string, rows []map[string]any) *sheet {
	var head []string
	seen := map[string]bool{}
	for _, row := range rows {
		from := len(head)
		for k := range row {
			if !seen[k] && len(head) <= maxColumns {
				seen[k] = true
				head = append(head, k)
			}
		}
		slices.Sort(head[from:])
	}
	return &sheet{name: name, headed: true, each: func(ctx context.Context, visit func([]string) error) error {
		if err := visit(slices.Clone(head)); err != nil {
			return err
		}
		cells := make([]string, len(head))
		for n, row := range rows {
			if n%4096 == 0 && ctx.Err() != nil {
				return context.Cause(ctx)
			}
			for i, k := range head {
				cells[i] = jsonCell(row[k])
			}
			if err := visit(cells); err != nil {
				return err
			}
		}
		return nil
	}}
}

func jsonCell(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	case json.Number:
		return v.String()
	case bool:
		if v {
			return "true"
		}
		return "false"
	case []any:
		var words []string
		for _, e := range v {
			s, ok := e.(string)
			if !ok {
				break
			}
			words = append(words, s)
		}
		if len(words) == len(v) {
			return strings.Join(words, "、")
		}
	}
	raw, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	return string(raw)
}
