package plan

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/hmap-project/hmap/bus"
)

// library are cards of another trade than the shops', with names that say nothing.
func library() *Index {
	var cards []bus.Card
	for _, c := range [][2]string{
		{"t01", "用于查询馆藏图书的信息。当读者询问某本书在架情况时，可以调用此工具。"},
		{"t02", "用于办理图书续借。当读者需要延长借期时，可以调用此工具。"},
		{"t03", "用于预约自习室的座位。当读者需要订座时，可以调用此工具。"},
		{"t04", "用于处理读者证挂失。当读者丢失证件时，可以调用此工具。"},
		{"t05", "用于获取罚款规则的信息。当读者询问逾期罚款时，可以调用此工具。"},
		{"t06", "用于对比多个数据库的收录范围。当读者需要选择数据库时，可以调用此工具。"},
		{"t07", "用于获取单个数据库的访问信息。当读者询问数据库怎么登录时，可以调用此工具。"},
		{"t08", "用于登记讲座报名。当读者想参加讲座时，可以调用此工具。"},
		{"t09", "用于识别封面照片。当消息中有封面照片的链接时，可以调用此工具。"},
	} {
		cards = append(cards, bus.Card{Name: c[0], Description: c[1], Parameters: []byte(`{"type":"object","properties":{"id":{"type":"string","description":"读者ID"}}}`)})
	}
	return NewIndex(cards, Options{})
}

// What a Chinese request wishes decides, not what it tells beside it.
func TestHanTerminals(t *testing.T) {
	x := library()
	for request, want := range map[string]string{
		"你借的书快到期了，希望馆员帮你续借":                         "t02",
		"由于上次讲座没有赶上，你想预约自习室的座位":                     "t03",
		"你想问问逾期罚款怎么算（注意，禁止向馆员透露你丢失了读者证）":            "t05",
		"如果没有座位，你会咨询数据库怎么登录":                        "t07",
		"然后，你想知道DB2023001，DB2023002，DB2023003的收录范围": "t06",
		"如果DB2023001可以用，你想问这个数据库的访问信息":              "t07",
		"最后，你希望把报名了讲座的读者证挂失":                        "t04",
		"你上个月参加了一次讲座，觉得很有意思。":                       "",
		"你会发送封面照片https://a.example/b.jpg给客服":        "",
		"帮我续借图书，然后查一下逾期罚款的规则":                       "t02 t05",
	} {
		var got []string
		for _, c := range x.PlanAll(Input{Request: request, Now: now}) {
			got = append(got, c.ToolName)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %v, want %q", request, got, want)
		}
	}
}

// The requests that one call each is known for are planned whole as well: their tools are among those planned, and few others.
func TestHanPhrasings(t *testing.T) {
	const bar = 94
	raw, err := os.ReadFile("testdata/phrasings.txt")
	if err != nil {
		t.Fatal(err)
	}
	x := index(t, "shop.json")
	var tl tally
	for _, line := range strings.Split(string(raw), "\n") {
		request, rest, _ := strings.Cut(line, " | ")
		tools, _, _ := strings.Cut(rest, " |")
		if tools = strings.TrimSpace(tools); tools == "" || strings.HasPrefix(line, "#") || strings.HasPrefix(tools, "ask:") || language(request) != "zh" {
			continue
		}
		var want, got []string
		for _, w := range strings.Split(tools, ",") {
			if w != "none" {
				want = append(want, strings.TrimSpace(w[strings.LastIndex(w, ">")+1:]))
			}
		}
		for _, c := range x.PlanAll(ask(request)) {
			name := c.ToolName
			for _, w := range want { // a/b: either
				if slices.Contains(strings.Split(w, "/"), name) {
					name = w
				}
			}
			got = append(got, name)
		}
		if !slices.Equal(got, want) {
			t.Logf("%s: %v, want %v", request, got, want)
		}
		tl.add(got, want)
	}
	t.Logf("tool F1 %.1f: %+v", tl.f1(), tl)
	if tl.f1() < bar {
		t.Errorf("under the bar of %d", bar)
	}
}

// A question for the orders of somebody is one call with all that it says.
func TestHanCall(t *testing.T) {
	calls := index(t, "shop.json").PlanAll(ask("我有多少订单是王萍萍买的?"))
	if len(calls) != 1 || calls[0].ToolName != "search_order_code" || calls[0].Parameter["consumer_name"] != "王萍萍" {
		t.Errorf("%+v", calls)
	}
}

// A catalogue in English is judged by what English sets taught, whatever the request is written in.
func TestHanCards(t *testing.T) {
	if x := NewIndex([]bus.Card{{Name: "a", Description: "Pays a bill"}, {Name: "b", Description: "查询账单"}}, Options{}); x.han != nil {
		t.Error("half is not most")
	}
	if library().han == nil {
		t.Error("all are Chinese")
	}
}

// Weights of parts, blanks for values and addressees, whatever the text is.
func TestHanParts(t *testing.T) {
	text := "由于到货晚了，你想向客服咨询https://a.example/b的运费（包括退货，注意：禁止说出订单）"
	from := strings.Index(text, "https")
	ps := hanParts(text, []fact{{kind: factLink, start: from, end: from + len("https://a.example/b")}})
	if len(ps) != 3 || ps[0].weight != hanUnder || ps[1].weight != hanWish*hanLast || ps[2].weight != hanAside ||
		strings.Contains(ps[1].text, "客服") || strings.Contains(ps[1].text, "example") || ps[2].text != "包括退货" {
		t.Errorf("%+v", ps)
	}
}

func FuzzHanParts(f *testing.F) {
	f.Add("由于（注意：禁止）想（（")
	f.Add("让客服客服，给商家发\xff了图")
	x := library()
	f.Fuzz(func(t *testing.T, text string) {
		text = clip(text, 4000)
		for _, v := range x.han.score(text, nil) {
			if v < 0 || v != v {
				t.Error(v)
			}
		}
	})
}
