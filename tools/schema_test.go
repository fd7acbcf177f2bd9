package tools

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

// orders is a schema in the manner of the article's search_order_code, with more kinds of fields.
const orders = `{"type":"object","properties":{
	"order_id":{"type":"string","pattern":"^[0-9]{12}$","description":"订单编号：12位纯数字"},
	"consumer_name":{"type":"string","minLength":1},
	"search_keys":{"enum":["商品","订单"],"description":"查询目标"},
	"limit":{"type":"integer","minimum":1,"maximum":100},
	"price":{"type":"number"},
	"urgent":{"type":"boolean"},
	"since":{"type":"string","format":"date"},
	"tags":{"type":"array","items":{"type":"string"}},
	"lines":{"type":"array","items":{"$ref":"#/$defs/line"}},
	"ship_to":{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]},
	"free":{}
	},"required":["search_keys"],"additionalProperties":false,
	"$defs":{"line":{"type":"object","properties":{"sku":{"type":"string"},"count":{"type":"integer"}},"required":["sku"]}}}`

func compiled(t testing.TB, text string) *schema {
	t.Helper()
	s, err := compile("parameters", json.RawMessage(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestArgumentsAreUnderstood(t *testing.T) {
	s := compiled(t, orders)
	for name, c := range map[string]struct{ given, want string }{
		"as it is":               {`{"search_keys":"订单"}`, `{"search_keys":"订单"}`},
		"the article's own form": {`{"consumer_name":["王萍萍"],"search_keys":["订单"]}`, `{"consumer_name":"王萍萍","search_keys":"订单"}`},
		"number as text":         {`{"search_keys":"订单","limit":" 5 ","price":"1.50"}`, `{"limit":5,"price":1.50,"search_keys":"订单"}`},
		"text as number":         {`{"search_keys":"订单","order_id":123456789012}`, `{"order_id":"123456789012","search_keys":"订单"}`},
		"list of a number":       {`{"search_keys":"订单","limit":["5"]}`, `{"limit":5,"search_keys":"订单"}`},
		"whole with a fraction":  {`{"search_keys":"订单","limit":5.0}`, `{"limit":5,"search_keys":"订单"}`},
		"boolean as text":        {`{"search_keys":"订单","urgent":"True"}`, `{"search_keys":"订单","urgent":true}`},
		"scalar for a list":      {`{"search_keys":"订单","tags":"a"}`, `{"search_keys":"订单","tags":["a"]}`},
		"list as text":           {`{"search_keys":"订单","tags":"[\"a\",1]"}`, `{"search_keys":"订单","tags":["a","1"]}`},
		"deep, through $ref":     {`{"search_keys":"订单","lines":[{"sku":[7],"count":"2"}]}`, `{"lines":[{"count":2,"sku":"7"}],"search_keys":"订单"}`},
		"object as text":         {`{"search_keys":"订单","ship_to":"{\"city\":\"北京\"}"}`, `{"search_keys":"订单","ship_to":{"city":"北京"}}`},
		"all as text":            {`"{\"search_keys\":\"订单\"}"`, `{"search_keys":"订单"}`},
		"null is left out":       {`{"search_keys":"订单","limit":null,"free":null}`, `{"free":null,"search_keys":"订单"}`},
		"big number kept":        {`{"search_keys":"订单","free":12345678901234567890}`, `{"free":12345678901234567890,"search_keys":"订单"}`},
		"no HTML escapes":        {`{"search_keys":"订单","consumer_name":"<a&b>"}`, `{"consumer_name":"<a&b>","search_keys":"订单"}`},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := s.arguments("orders", json.RawMessage(c.given))
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

func TestBadArgumentsAreExplained(t *testing.T) {
	s := compiled(t, orders)
	for name, c := range map[string]struct {
		given string
		want  []string
	}{
		"missing":            {``, []string{"search_keys: missing", `one of "商品", "订单"`, "查询目标"}},
		"null":               {`null`, []string{"search_keys: missing"}},
		"enum":               {`{"search_keys":"物品"}`, []string{`search_keys: given "物品", wanted one of "商品", "订单"`}},
		"two for a scalar":   {`{"search_keys":["商品","订单"]}`, []string{`search_keys: given ["商品","订单"]`}},
		"pattern":            {`{"search_keys":"订单","order_id":"12"}`, []string{`order_id: given "12"`, "^[0-9]{12}$", "订单编号"}},
		"type":               {`{"search_keys":"订单","limit":"many"}`, []string{`limit: given "many", wanted integer`}},
		"fraction":           {`{"search_keys":"订单","limit":5.5}`, []string{"limit: given 5.5, wanted integer"}},
		"bounds":             {`{"search_keys":"订单","limit":1000}`, []string{"limit: given 1000, wanted at most 100"}},
		"empty text":         {`{"search_keys":"订单","consumer_name":""}`, []string{"consumer_name: given \"\", wanted at least 1 characters"}},
		"unknown name":       {`{"search_keys":"订单","colour":"red"}`, []string{"colour: no such parameter; there are: consumer_name, free, "}},
		"deep":               {`{"search_keys":"订单","lines":[{"sku":"a"},{"count":{}}]}`, []string{"lines[1].sku: missing, wanted string", "lines[1].count: given {}, wanted integer"}},
		"deep required":      {`{"search_keys":"订单","ship_to":{}}`, []string{"ship_to.city: missing, wanted string"}},
		"format":             {`{"search_keys":"订单","since":"yesterday"}`, []string{`since: given "yesterday", wanted format date`}},
		"several at once":    {`{"limit":0,"urgent":7}`, []string{"search_keys", "limit", "urgent"}},
		"list for an object": {`[1,2]`, []string{"the parameter: given [1,2], wanted object"}},
		"text":               {`"hello"`, []string{`the parameter: given "hello", wanted object`}},
		"not JSON":           {`{"search_keys":`, []string{"not JSON"}},
		"two values":         {`{} {}`, []string{"not JSON: more than one value"}},
		"monstrous number":   {`{"search_keys":"订单","limit":1e999999999}`, []string{"out of range"}},
		"long digits":        {`{"limit":` + strings.Repeat("9", 5000) + `}`, []string{"out of range"}},
		"long value is cut":  {`{"search_keys":"` + strings.Repeat("长", 9999) + `"}`, []string{"长…, wanted one of"}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := s.arguments("orders", json.RawMessage(c.given))
			if err == nil {
				t.Fatalf("accepted as %s", got)
			}
			for _, want := range c.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%q does not say %q", err, want)
				}
			}
			if len(err.Error()) > 4000 || !utf8.ValidString(err.Error()) {
				t.Errorf("%d bytes of error", len(err.Error()))
			}
		})
	}
}

func TestToolWithoutParameters(t *testing.T) {
	var s *schema
	for _, given := range []string{"", "null", "{}", ` "{}" `} {
		if got, err := s.arguments("now", json.RawMessage(given)); err != nil || string(got) != "{}" {
			t.Errorf("%q: %s, %v", given, got, err)
		}
	}
	if _, err := s.arguments("now", json.RawMessage(`{"zone":"UTC"}`)); err == nil || !strings.Contains(err.Error(), "takes no arguments") {
		t.Error(err)
	}
}

func TestCompileRefuses(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"not JSON":       {`{`, "not JSON"},
		"wrong keyword":  {`{"type":"objekt"}`, "not a valid JSON Schema"},
		"address":        {`{"$ref":"https://example.org/s.json"}`, "whole in itself"},
		"file":           {`{"$ref":"file:///etc/passwd"}`, "whole in itself"},
		"bad expression": {`{"properties":{"a":{"pattern":"("}}}`, "not a valid JSON Schema"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := compile("parameters", json.RawMessage(c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want it to say %q", err, c.want)
			}
		})
	}
}

func TestEndlessReference(t *testing.T) {
	s := compiled(t, `{"$ref":"#/$defs/node","$defs":{"node":{"type":"object","properties":{"next":{"$ref":"#/$defs/node"}}}}}`)
	deep := strings.Repeat(`{"next":`, 500) + `{}` + strings.Repeat("}", 500)
	if _, err := s.arguments("t", json.RawMessage(deep)); err != nil {
		t.Error(err)
	}
}

// What is accepted holds the schema, and is accepted again unchanged.
func FuzzArguments(f *testing.F) {
	s := compiled(f, orders)
	f.Add(`{"consumer_name":["王萍萍"],"search_keys":["订单"],"limit":"5.0"}`)
	f.Add(`{"search_keys":"订单","lines":[{"sku":[7],"count":1e3}],"tags":"[1]","free":-0.0}`)
	f.Add(`"\"{}\""`)
	f.Add(`{"limit":1e-999999999}`)
	f.Fuzz(func(t *testing.T, given string) {
		got, err := s.arguments("orders", json.RawMessage(given))
		if err != nil {
			if !utf8.ValidString(clip(err.Error(), 1<<20)) && utf8.ValidString(given) {
				t.Fatalf("%q", err)
			}
			return
		}
		value, err := parse(got)
		if err != nil {
			t.Fatalf("%s: %v", got, err)
		}
		if problems := s.problems(value); problems != nil {
			t.Fatalf("%s: %s", got, problems)
		}
		again, err := s.arguments("orders", got)
		if err != nil || string(again) != string(got) {
			t.Fatalf("%s became %s, %v", got, again, err)
		}
	})
}
