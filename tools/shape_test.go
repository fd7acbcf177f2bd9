package tools

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestShorten(t *testing.T) {
	rows := func(n int) string {
		var out []string
		for i := range n {
			out = append(out, fmt.Sprintf(`{"id":%d,"name":"订单"}`, i))
		}
		return "[" + strings.Join(out, ",") + "]"
	}
	for name, c := range map[string]struct {
		given string
		limit int
		want  []string // all must be in the result
	}{
		"what fits stays":        {`{"b":1,"a":[1,2]}`, 1000, []string{`{"a":[1,2],"b":1}`}},
		"text":                   {`"` + strings.Repeat("规", 1000) + `"`, 300, []string{"规规…", "[cut, 3000 bytes in all]"}},
		"list":                   {rows(500), 400, []string{`{"id":0,"name":"订单"},{"id":1`, "of 500 items shown]"}},
		"one huge element":       {`[` + rows(500) + `,1]`, 400, []string{`[[{"id":0`, "of 500 items shown]", "[1 of 2 items shown]"}},
		"small fields stay":      {`{"total":500,"status":"done","rows":` + rows(500) + `}`, 500, []string{`"total":500`, `"status":"done"`, `{"id":0`, "of 500 items shown]"}},
		"two large share":        {`{"a":"` + strings.Repeat("a", 5000) + `","b":"` + strings.Repeat("b", 5000) + `"}`, 1000, []string{strings.Repeat("a", 400), strings.Repeat("b", 400)}},
		"a thousand fields":      {manyFields(1000), 500, []string{"fields cut"}},
		"quotes count as two":    {`"` + strings.Repeat(`\"`, 1000) + `"`, 300, []string{"[cut, 1000 bytes in all]"}},
		"control characters":     {`"` + strings.Repeat(`\u0001`, 1000) + `"`, 300, []string{"[cut, 1000 bytes in all]"}},
		"deeper than we look":    {strings.Repeat(`{"a":[`, 40) + rows(200) + strings.Repeat("]}", 40), 1000, []string{" cut]"}},
		"limit of nothing":       {rows(500), 0, []string{"of 500 items shown]"}},
		"a list of long numbers": {`[` + strings.Repeat("1", 300) + `,2]`, 200, []string{"1…"}},
	} {
		t.Run(name, func(t *testing.T) {
			value, err := parse([]byte(c.given))
			if err != nil {
				t.Fatal(err)
			}
			got, err := encode(shorten(value, c.limit))
			if err != nil {
				t.Fatal(err)
			}
			if len(got) > max(c.limit, minResult) || !json.Valid(got) {
				t.Errorf("%d bytes, limit %d: %s", len(got), c.limit, got)
			}
			for _, want := range c.want {
				if !strings.Contains(string(got), want) {
					t.Errorf("%s does not hold %s", got, want)
				}
			}
		})
	}
}

func manyFields(n int) string {
	var out []string
	for i := range n {
		out = append(out, fmt.Sprintf(`"field_%04d":%d`, i, i))
	}
	return "{" + strings.Join(out, ",") + "}"
}

// The shortened result is valid JSON within the limit; what fits comes out as it went in; size is what encode writes.
func FuzzShorten(f *testing.F) {
	f.Add(`{"a":[1,"x",{"b":null}],"…":"\u2028\"\n"}`, 200)
	f.Add(strings.Repeat("[", 50)+`"`+strings.Repeat("规", 200)+`"`+strings.Repeat("]", 50), 150)
	f.Add(manyFields(40), 130)
	f.Fuzz(func(t *testing.T, text string, limit int) {
		value, err := parse([]byte(text))
		if err != nil {
			return
		}
		whole, err := encode(value)
		if err != nil {
			t.Fatal(err)
		}
		if size(value) != len(whole) {
			t.Fatalf("size %d, encoded %d: %s", size(value), len(whole), whole)
		}
		limit = max(limit, minResult)
		got, err := encode(shorten(value, limit))
		if err != nil || !json.Valid(got) || len(got) > limit || !utf8.Valid(got) {
			t.Fatalf("limit %d, %d bytes, %v: %s", limit, len(got), err, got)
		}
		if len(whole) <= limit && string(got) != string(whole) {
			t.Fatalf("%s fits in %d but became %s", whole, limit, got)
		}
	})
}
