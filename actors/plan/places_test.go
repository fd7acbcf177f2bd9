package plan

import "testing"

// Rows that are counted in short are each given the words that they would have alone; what counts no rows, and what is said to somebody, stays.
func TestRowsSpelledOut(t *testing.T) {
	for said, want := range map[string]string{
		"查第2-4个的物流":                                     "查第2个到第4个的物流",
		"取消第二和第三个":                                      "取消第二个和第三个",
		"取消第二、三、五单":                                     "取消第二单、第三单、第五单",
		"show rows 2 to 4":                              "show row 2 to row 4",
		"cancel rows 2, 3 and 5":                        "cancel row 2, row 3 and row 5",
		"numbers 1 & 3":                                 "row 1 & row 3",
		"cancel the first, second and 3rd":              "cancel the first, the second and the 3rd",
		"the 2nd-4th":                                   "the 2nd to the 4th",
		"cancel the second to last one":                 "cancel the second to last one",
		"取消第二个，3个工作日内退款":                                "取消第二个，3个工作日内退款",
		"第二和第三季度":                                       "第二和第三季度",
		"order 2 and 3 pieces":                          "order 2 and 3 pieces",
		"tell the buyer: the first and second are gone": "tell the buyer: the first and second are gone",
	} {
		if got := spelledOut(said); got != want {
			t.Errorf("%s: %s, wanted %s", said, got, want)
		}
	}
}

func FuzzSpelledOut(f *testing.F) {
	for _, s := range []string{"取消第2-4个", "rows 2, 3 and 5", "the first, second and last", "第一第二、个"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if out := spelledOut(s); len(out) > 20*len(s)+20 {
			t.Errorf("%q became %d bytes", s, len(out))
		}
	})
}
