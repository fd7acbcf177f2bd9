package shop

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// The card of whatever lists states, categories, carriers or cities says what they are called in English; no value of them that a tool returns is left out.
func TestCellsInEnglish(t *testing.T) {
	s := newShop(t)
	for field, values := range vocabulary {
		for _, v := range values {
			if en := english(v); han(en) || en == "" {
				t.Errorf("%s: %s has no English: %q", field, v, en)
			}
		}
	}
	for _, c := range []struct{ tool, arguments, list string }{
		{"list_orders", `{"limit":200}`, "orders"}, {"list_orders", `{"by":"城市"}`, "groups"}, {"sales_statistics", `{"by":"类目"}`, "groups"}, {"sales_statistics", `{"by":"周几"}`, "groups"},
		{"list_refunds", `{"limit":200}`, "refunds"}, {"list_refunds", `{"by":"原因"}`, "groups"}, {"list_shipments", `{"by":"快递公司"}`, "groups"}, {"find_customers", `{}`, "customers"}, {"find_products", `{}`, "products"},
	} {
		var returns struct {
			Properties map[string]struct {
				Items struct {
					Properties map[string]struct {
						Means map[string]string `json:"x-means"`
					} `json:"properties"`
				} `json:"items"`
			} `json:"properties"`
		}
		if err := json.Unmarshal(s.tool(t, c.tool).Card.Returns, &returns); err != nil {
			t.Fatal(err)
		}
		rows := 0
		found, err := s.try(t, "", c.tool, c.arguments)
		if err != nil {
			t.Fatal(err)
		}
		var listed map[string]any
		body, _ := json.Marshal(found) // a tool's result always marshals
		if err := json.Unmarshal(body, &listed); err != nil {
			t.Fatal(err)
		}
		for _, row := range listed[c.list].([]any) {
			for k, v := range row.(map[string]any) {
				if said, ok := v.(string); ok && han(said) && (slices.Contains([]string{"category", "carrier", "city"}, k) || vocabulary[k] != nil) {
					if en := returns.Properties[c.list].Items.Properties[k].Means[said]; en == "" || han(en) {
						t.Errorf("%s: %s %s: %q", c.tool, k, said, en)
					}
					rows++
				}
			}
		}
		if rows == 0 {
			t.Errorf("%s: nothing was listed %s", c.tool, strings.TrimSpace(c.arguments))
		}
	}
}
