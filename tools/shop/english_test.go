package shop

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

func TestEnglishWordsAreUnderstood(t *testing.T) {
	for said, want := range map[string]string{
		"air fryer": "空气炸锅", "Air-Fryers": "空气炸锅", "wine": "葡萄酒", "toys": "玩具", "phone": "手机", "earphones": "耳机", "rice cookers": "电饭煲",
		"空气炸锅": "空气炸锅", "submarine": "submarine", "pending": "待处理", "by": "by", "Hangzhou": "杭州",
	} {
		if got := chinese(said); got != want {
			t.Errorf("%s: %s, want %s", said, got, want)
		}
	}
	seen := map[string]string{}
	for _, l := range catalogue {
		if len(l.english) == 0 {
			t.Errorf("%s has no English", l.category)
		}
		for _, w := range l.english {
			if other := seen[plain(w)]; other != "" {
				t.Errorf("%s is %s and %s", w, other, l.category)
			}
			seen[plain(w)] = l.category
		}
	}
	for zh, en := range terms {
		if back := chinese(en); back != zh {
			t.Errorf("%s is %s, which is %s", zh, en, back)
		}
	}
}

func TestEnglishArguments(t *testing.T) {
	s := newShop(t)
	for _, c := range []struct{ tool, en, zh string }{
		{"find_products", `{"category":"wines"}`, `{"category":"葡萄酒"}`},
		{"find_products", `{"sku_name":"whisky"}`, `{"sku_name":"威士忌"}`},
		{"stock_level", `{"category":"coffee makers"}`, `{"category":"咖啡机"}`},
		{"sales_statistics", `{"category":"blender","by":"month"}`, `{"category":"破壁机","by":"月"}`},
		{"list_refunds", `{"state":"pending"}`, `{"state":"待处理"}`},
		{"late_shipments", `{"kind":"all"}`, `{"kind":"全部"}`},
		{"find_customers", `{"city":"Hangzhou","category":"air fryer"}`, `{"city":"杭州","category":"空气炸锅"}`},
		{"find_customers", `{"consumer_name":"wang pingping"}`, `{"consumer_name":"王萍萍"}`},
		{"campaign_results", `{"channel":"search ads"}`, `{"channel":"搜索推广"}`},
		{"opportunity_keywords", `{"category":"rice cooker"}`, `{"category":"电饭煲"}`},
	} {
		if err := holds(t, s.tool(t, c.tool).Card.Parameters, jsonText(c.en)); err != nil {
			t.Errorf("%s%s: %v", c.tool, c.en, err)
		}
		en, err := s.try(t, "", c.tool, c.en)
		if err != nil {
			t.Errorf("%s%s: %v", c.tool, c.en, err)
			continue
		}
		zh, err := s.try(t, "", c.tool, c.zh)
		if err != nil {
			t.Fatal(err)
		}
		if count(en) == "" || count(en) != count(zh) {
			t.Errorf("%s%s found %.60s, the same in Chinese %.60s", c.tool, c.en, count(en), count(zh))
		}
	}
}

// The English answer names each state by its English word.
func TestStatesInEnglish(t *testing.T) {
	s := bigShop(t)
	for _, tool := range []string{"list_orders", "list_refunds", "list_shipments", "late_shipments"} {
		var schema struct {
			Properties map[string]struct{ Enum []string }
		}
		if err := json.Unmarshal(s.tool(t, tool).Card.Parameters, &schema); err != nil {
			t.Fatal(err)
		}
		for _, parameter := range []string{"state", "kind"} {
			for _, v := range schema.Properties[parameter].Enum {
				result, err := s.try(t, "", tool, fmt.Sprintf(`{%q:%q,"limit":1}`, parameter, v))
				if err != nil {
					t.Error(tool, v, err)
					continue
				}
				var told struct {
					En string `json:"summary_en"`
				}
				body, err := json.Marshal(result)
				if err == nil {
					err = json.Unmarshal(body, &told)
				}
				if err != nil || strings.Contains(told.En, v) && han(v) || strings.Contains(told.En, "state 已") || strings.Contains(told.En, "state 未") {
					t.Errorf("%s %s: %v %s", tool, v, err, told.En)
				}
			}
		}
	}
}

func TestRomanised(t *testing.T) {
	for name, want := range map[string]string{"王萍萍": "Wang Pingping", "吕伟": "Lyu Wei", "萧子涵": "Xiao Zihan", "王": "", "欧阳锋": "", "Anna": ""} {
		if got := romanised(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	for _, c := range append(surnames, given...) {
		if syllables[c] == "" {
			t.Errorf("%c, of which names are made, has no reading", c)
		}
	}
	if letters("Lü Wei") != "lyuwei" || letters("Lv Wei") != "lyuwei" || letters("王 a") != "" || strings.TrimSpace(letters(" - ")) != "" {
		t.Error(letters("Lü Wei"), letters("Lv Wei"), letters("王 a"))
	}
}
