package plan

import "testing"

// Several things that change by different amounts in one sentence are one change each; where it is not sure which amount is whose nothing is parted.
func TestApart(t *testing.T) {
	x := newTeam(t).index["pricing"]
	const pot, ear, mug = "禾煮空气炸锅 5L 可视窗", "星澜耳机 真无线降噪", "暖屿保温杯 316 钢 500ml"
	for request, want := range map[string]string{
		"把" + pot + "涨价5%，" + ear + "降价3元":                                     "把" + pot + "涨价5%。把" + ear + "降价3元",
		"把" + pot + "涨价5%，把" + ear + "降价3元，" + mug + "降价10%":                   "把" + pot + "涨价5%。把" + ear + "降价3元。把" + mug + "降价10%",
		"把" + pot + "的价格改成300，" + ear + "改成280":                                "把" + pot + "的价格改成300。把" + ear + "的价格改成280",
		pot + "涨价5%，" + ear + "降价3元":                                           "把" + pot + "涨价5%。把" + ear + "降价3元",
		"把" + pot + "和" + ear + "分别涨价5%和10%":                                   "把" + pot + "涨价5%。把" + ear + "涨价10%",
		"raise the price of " + pot + " by 5% and " + ear + " by 10%":          "raise the price of " + pot + " by 5%. raise the price of " + ear + " by 10%",
		"raise the price of " + pot + " by 5% and lower " + ear + " by 3 yuan": "raise the price of " + pot + " by 5%. lower " + ear + " by 3 yuan",
		"raise " + pot + " and " + ear + " by 5% and 10% respectively":         "",
		"把" + pot + "和" + ear + "都涨价5%":                                        "",
		"把" + pot + "涨价5%，" + ear + "降价3元或者5元":                                 "",
		"把" + pot + "涨价5%，" + pot + "降价3元":                                     "",
		"把" + pot + "降价10%到20%":                                                "",
	} {
		g := goal{text: request, lang: "zh", given: map[string]string{}}
		if got := x.apart(&g); got != want {
			t.Errorf("%s: %q, want %q", request, got, want)
		}
	}
}

// Each of them is looked up, and becomes a call with its own value.
func TestChangesApart(t *testing.T) {
	h := newTeam(t)
	for _, request := range []string{"把禾煮空气炸锅 5L 可视窗涨价5%，星澜耳机 真无线降噪降价29元", "raise the price of 禾煮空气炸锅 5L 可视窗 by 5% and lower 星澜耳机 真无线降噪 by 29 yuan"} {
		h.ask(t, request)
		if miss := h.wrong(readWishes("find_products{}, find_products{}, set_price{sku_name=禾煮空气炸锅 5L 可视窗; price=345.45}, set_price{sku_name=星澜耳机 真无线降噪; price=300}")); miss != "" {
			t.Errorf("%s: %s: %s", request, miss, h.told())
		}
	}
}
