package plan

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/words"
	"github.com/hmap-project/hmap/bus"
)

// nameless are cards of what the descriptions say, with names that say nothing: t1, t2, ….
func nameless(descriptions ...string) *Index {
	var cards []bus.Card
	for i, d := range descriptions {
		cards = append(cards, bus.Card{Name: fmt.Sprint("t", i+1), Description: d, Parameters: []byte(`{"type":"object","properties":{"user_id":{"type":"string","description":"用户ID"},"channel":{"type":"string","description":"渠道"}},"required":["user_id"]}`)})
	}
	return NewIndex(cards, Options{})
}

// library and telecom are trades that no public set has.
func library() *Index {
	return nameless(
		"用于查询馆藏图书的信息。当读者询问某本书在架情况时，可以调用此工具。",
		"用于办理图书续借。当读者需要延长借期时，可以调用此工具。",
		"用于预约自习室的座位。当读者需要订座时，可以调用此工具。",
		"用于处理读者证挂失。当读者丢失证件时，可以调用此工具。",
		"用于获取罚款规则的信息。当读者询问逾期罚款时，可以调用此工具。",
		"用于对比多个数据库的收录范围。当读者需要选择数据库时，可以调用此工具。",
		"用于获取单个数据库的访问信息。当读者询问数据库怎么登录时，可以调用此工具。",
		"用于登记讲座报名。当读者想参加讲座时，可以调用此工具。",
		"用于识别封面照片。当消息中有封面照片的链接时，可以调用此工具。",
	)
}

func telecom() *Index {
	return nameless(
		"用于查询用户的话费余额和欠费信息。当用户询问话费时，可以调用此工具。",
		"用于查询用户当月流量使用情况。当用户询问流量时，可以调用此工具。",
		"用于办理套餐变更服务。当用户需要更换套餐时，可以调用此工具。",
		"用于获取各套餐的资费说明。当用户咨询套餐内容时，可以调用此工具。",
		"用于对比多个套餐的资费差别。当用户需要比较套餐时，可以调用此工具。",
		"用于办理宽带报修。当用户反馈网络故障时，可以调用此工具。",
		"用于预约宽带装机、移机上门时间。",
		"用于处理手机号码挂失与停机、复机。",
		"用于开具话费电子发票。当用户需要发票时，可以调用此工具。",
		"用于充值话费。当用户希望缴费时，可以调用此工具。",
		"用于查询积分以及积分兑换礼品。",
		"用于查询国际漫游的资费政策。当用户出国前咨询漫游问题时，可以调用此工具。",
		"用于补办SIM卡。当用户的卡损坏或丢失时，可以调用此工具。",
		"用于投诉登记。当用户对服务不满意并要求投诉时，可以调用此工具。",
		"用于识别图片内容。当消息中包含图片链接时调用。",
		"用于转接人工坐席。当客服无法解决用户问题时，可以调用此工具。",
		"用于获取营业厅地址和营业时间信息。",
	)
}

// What a Chinese request wishes decides, not what it tells beside it.
func TestHanTerminals(t *testing.T) {
	x := library()
	for request, want := range map[string]string{
		"你借的书快到期了，希望馆员帮你续借":                         "t2",
		"由于上次讲座没有赶上，你想预约自习室的座位":                     "t3",
		"你想问问逾期罚款怎么算（注意，禁止向馆员透露你丢失了读者证）":            "t5",
		"如果没有座位，你会咨询数据库怎么登录":                        "t7",
		"然后，你想知道DB2023001，DB2023002，DB2023003的收录范围": "t6",
		"如果DB2023001可以用，你想问这个数据库的访问信息":              "t7",
		"最后，你希望把报名了讲座的读者证挂失":                        "t4",
		"你上个月参加了一次讲座，觉得很有意思。":                       "",
		"你会发送封面照片https://a.example/b.jpg给客服":        "",
		"帮我续借图书，然后查一下逾期罚款的规则":                       "t2 t5",
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
		if tools = strings.TrimSpace(tools); tools == "" || strings.HasPrefix(line, "#") || strings.HasPrefix(tools, "ask:") || words.Language(request) != "zh" {
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

// Requests to another trade, written before their outcome was known; the first tool planned counts. The one that misses has no word in
// common with its card.
func TestHanUnseen(t *testing.T) {
	const bar = 19
	x, right := telecom(), 0
	for _, r := range [][2]string{
		{"你这个月老是收到流量提醒短信，想问一下客服自己还剩多少流量", "t2"},
		{"由于流量总是不够用，你想让客服帮你换一个更大的套餐（注意：禁止主动说出你的手机号）", "t3"},
		{"换之前，你想了解129元套餐包含哪些内容", "t4"},
		{"然后，你想知道129元套餐、159元套餐和199元套餐有什么区别，要客服对比一下", "t5"},
		{"你家的宽带从昨天开始就断断续续的，你希望客服安排师傅来修", "t6"},
		{"你下个月要搬家，想预约宽带移机，时间是周六上午", "t7"},
		{"你昨天坐地铁的时候手机被偷了。", ""},
		{"你要求客服马上把号码13800001111停机", "t8"},
		{"停机之后，你想补办一张卡", "t13"},
		{"最后，你想给上个月的话费开一张发票，抬头是个人", "t9"},
		{"你下周要去日本出差，想咨询在那边打电话上网怎么收费", "t12"},
		{"如果欠费了，你会让客服帮你充值100元", "t10"},
		{"你听说积分年底会清零，想看看能换什么礼品", "t11"},
		{"如果客服解决不了，你要求转人工", "t16"},
		{"你对上次的维修服务很不满意，要求投诉", "t14"},
		{"你想查一下现在卡里还有多少余额", "t1"},
		{"你发了一张截图https://a.example/x.png给客服，证明自己已经缴费", ""},
		{"附近的营业厅几点关门？", "t17"},
		{"你在朋友圈看到有人说可以免费升级千兆。", ""},
		{"你想确认一下自己有没有欠费", "t1"},
	} {
		first := ""
		if calls := x.PlanAll(Input{Request: r[0], Context: "user_id: u1, channel: app", Now: now}); len(calls) > 0 {
			first = calls[0].ToolName
		}
		if first == r[1] {
			right++
		} else {
			t.Logf("%s: %q, want %q", r[0], first, r[1])
		}
	}
	if right < bar {
		t.Errorf("%d are right, under the bar of %d", right, bar)
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
	ps := hanParts(text, []facts.Fact{{Kind: facts.Link, Start: from, End: from + len("https://a.example/b")}})
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
		text = words.Clip(text, 4000)
		for _, v := range x.han.score(text, nil) {
			if v < 0 || v != v {
				t.Error(v)
			}
		}
	})
}
