package plan

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/hmap-project/hmap/bus"
)

// Who is asked for leave is told where a change goes against its own words, changes nothing, or puts a price below the cost, as the look before it shows.
func TestChangeAgainstItsWords(t *testing.T) {
	t.Parallel()
	x := newTeam(t).index["pricing"]
	for _, c := range []struct {
		request string
		notes   []string // none: nothing speaks against it
	}{
		{"把禾煮空气炸锅降价到400", []string{"说的是降低", "329 → 400"}},
		{"把禾煮空气炸锅降到 400 元", []string{"说的是降低"}},
		{"lower the price of 禾煮空气炸锅 to 400", []string{"it shall become less", "329 → 400"}},
		{"禾煮空气炸锅涨价到300", []string{"说的是提高"}},
		{"raise the price of 禾煮空气炸锅 to 300", []string{"it shall become more"}},
		{"把禾煮空气炸锅的价格改成329", []string{"现在的"}},
		{"把禾煮空气炸锅的价格改成200，亏本也卖", []string{"低于成本", "成本 203.98，新价 200"}},
		{"把禾煮空气炸锅打3折，允许亏本", []string{"低于成本"}},
		{"set the price of 禾煮空气炸锅 to 100 at a loss", []string{"below the cost"}},
		{"禾煮空气炸锅涨价到200，亏本也行", []string{"说的是提高", "低于成本"}},
		{"把禾煮空气炸锅的库存补到10件", []string{"说的是提高", "71 → 10"}},
		{"把禾煮空气炸锅降价到300", nil}, {"raise the price of 禾煮空气炸锅 to 400", nil}, {"把禾煮空气炸锅的价格改成400", nil}, {"把禾煮空气炸锅降价10元", nil}, {"把禾煮空气炸锅的库存补到100件", nil},
	} {
		in := ask(c.request)
		in.Job, in.Context = true, c.request
		out := x.Think(in)
		if len(out.Actions) != 1 || out.Actions[0].ToolName != "find_products" {
			t.Errorf("%s: %s", c.request, told(out))
			continue
		}
		args, _ := argumentMap(out.Actions[0])
		in.Done = []Done{{Action: out.Actions[0], Call: "c", Status: bus.OK, Observation: json.RawMessage(strings.Replace(aProduct(args), `"cost":3.98`, `"cost":203.98`, 1))}}
		out = x.Think(in)
		if len(out.Actions) != 1 {
			t.Errorf("%s: %s", c.request, told(out))
			continue
		}
		note := out.Actions[0].Note
		for _, n := range c.notes {
			if !strings.Contains(note, n) {
				t.Errorf("%s: %q, not %q", c.request, n, note)
			}
		}
		if c.notes == nil && note != "" {
			t.Errorf("%s: %q", c.request, note)
		}
	}
}

// A price below the cost is refused before anybody is asked, where the tool would refuse it: whether a loss is meant must be said.
func TestPriceBelowCost(t *testing.T) {
	t.Parallel()
	h := newTeam(t)
	h.says["find_products"] = strings.Replace(aProduct(map[string]any{"sku_name": "禾煮空气炸锅"}), `"cost":3.98`, `"cost":203.98`, 1)
	for request, sold := range map[string]bool{
		"把禾煮空气炸锅的价格改成100": false, "set the price of 禾煮空气炸锅 to 100": false, "把禾煮空气炸锅打3折": false, "把禾煮空气炸锅的价格改成250": true,
		"把禾煮空气炸锅的价格改成100，亏本也卖": true, "set the price of 禾煮空气炸锅 to 100, accept a loss": true, "set the price of 禾煮空气炸锅 to 100, a loss is fine": true,
	} {
		answer := h.ask(t, request)
		if got := strings.Contains(h.told(), "set_price{"); got != sold || !sold && !strings.Contains(answer, "允许亏本") && !strings.Contains(answer, "accept a loss") {
			t.Errorf("%s: %s: %s", request, h.told(), answer)
		}
	}
	if h.ask(t, "which products are sold at a loss"); strings.Contains(h.told(), "accept") {
		t.Errorf("a question: %s", h.told())
	}
}
