package plan

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/bus"
)

// TestCompared: two stretches of time are two calls, and the difference of what they tell.
func TestCompared(t *testing.T) {
	for request, want := range map[string][2]string{ // on 16 May 2026
		"本月比上月的销售额":                                      {"2026-05-01 2026-05-31", "2026-04-01 2026-04-30"},
		"本月和上月的销售额对比":                                    {"2026-05-01 2026-05-31", "2026-04-01 2026-04-30"},
		"本月和上月比销售额怎么样":                                   {"2026-05-01 2026-05-31", "2026-04-01 2026-04-30"},
		"this week vs last week sales":                   {"2026-05-11 2026-05-17", "2026-05-04 2026-05-10"},
		"this week vs last sales":                        {"2026-05-11 2026-05-17", "2026-05-04 2026-05-10"},
		"sales this week vs last":                        {"2026-05-11 2026-05-17", "2026-05-04 2026-05-10"},
		"本月销售额环比":                                        {"2026-05-01 2026-05-31", "2026-04-01 2026-04-30"},
		"3月的销售额和去年比怎么样":                                  {"2026-03-01 2026-03-31", "2025-03-01 2025-03-31"},
		"和去年比，3月的销售额怎么样":                                 {"2026-03-01 2026-03-31", "2025-03-01 2025-03-31"},
		"how did sales in March compare with last year":  {"2026-03-01 2026-03-31", "2025-03-01 2025-03-31"},
		"今年和去年的销售额对比":                                    {"2026-01-01 2026-12-31", "2025-01-01 2025-12-31"},
		"3月销售额同比":                                        {"2026-03-01 2026-03-31", "2025-03-01 2025-03-31"},
		"昨天的销售额比前天多多少":                                   {"2026-05-15 2026-05-15", "2026-05-14 2026-05-14"},
		"compare the sales of this month and last month": {"2026-05-01 2026-05-31", "2026-04-01 2026-04-30"},
	} {
		h := newTeam(t)
		h.says["sales_statistics"] = `{"summary":"S.","summary_en":"S.","orders":3,"amount":110.5}`
		got := h.ask(t, request)
		var calls []string
		for _, l := range h.log {
			calls = append(calls, fields.Scalar(l.args["from"], "")+" "+fields.Scalar(l.args["to"], ""))
		}
		if len(calls) != 2 || calls[0] != want[0] || calls[1] != want[1] || len(h.log[0].args) != len(h.log[1].args) {
			t.Errorf("%s: %s", request, h.told())
		}
		if strings.Contains(got, "没有算") || strings.Contains(got, "not worked out") || strings.Contains(got, "Note: this is not") {
			t.Errorf("%s: %s", request, got)
		}
	}
	h := newTeam(t)
	if h.ask(t, "上个月的销售额"); len(h.log) != 1 {
		t.Errorf("one month: %s", h.told())
	}
}

// TestDifferences: a fall, a growth from nothing, and the figure that is asked for before all others.
func TestDifferences(t *testing.T) {
	h := newTeam(t)
	x := h.index["forecast"]
	in := ask("本月比上月的销售额")
	out := x.Think(in)
	if len(out.Actions) != 2 {
		t.Fatalf("%s", told(out))
	}
	for i, said := range []string{`{"summary":"A","summary_en":"A","orders":3,"quantity":7,"amount":75.25}`, `{"summary":"B","summary_en":"B","orders":4,"quantity":0,"amount":100}`} {
		in.Done = append(in.Done, Done{Action: out.Actions[i], Status: bus.OK, Observation: json.RawMessage(said)})
	}
	got := x.Think(in).Answer
	for _, want := range []string{"销售额：75.25，之前 100，差 -24.75（-24.8%）。", "注意：本月还没有过完。", "| 订单数 | 3 | 4 | -1 | -25% |", "| 7 | 0 | +7 | — |"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}
