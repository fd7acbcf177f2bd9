package plan

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/hmap-project/hmap/bus"
)

// What limits a request under way counts for the parts whose calls it changes: only these are done again, what they gave before is told no more, and what changes none is
// said not to have been used.
func TestSteeringOfParts(t *testing.T) {
	t.Parallel()
	index, err := houseIndex()
	if err != nil {
		t.Fatal(err)
	}
	const (
		sales = "本月销售额是多少，再调研一下运费纠纷怎么处理"
		mixed = "查一下王萍萍的订单，然后运行这段代码：`print(2**10)`"
		both  = "查一下王萍萍的订单，列出待处理的退款"
		plain = "王萍萍买了哪些订单"
		deck  = "把王萍萍的订单做成PPT"
		price = "本月销售额是多少，再把禾煮空气炸锅降价10%"
		code  = "run this code: `print(2**10)`"
	)
	for _, c := range []struct {
		request, said string
		again         string // the jobs that are handed out after it, without what stands behind them
		told          string // the jobs whose results are told in the end; the one that was done first and those handed out beside it are "as before"
	}{
		{sales, "只看十一月的", "forecast 十一月销售额是多少", "researcher 调研一下运费纠纷怎么处理|forecast 十一月销售额是多少"},
		{sales, "换成上个月", "forecast 上个月销售额是多少", "researcher 调研一下运费纠纷怎么处理|forecast 上个月销售额是多少"},
		{sales, "不要调研了", "", "forecast 本月销售额是多少"},
		{sales, "顺便查一下王萍萍的订单", "orders 查一下王萍萍的订单", "forecast 本月销售额是多少|researcher 调研一下运费纠纷怎么处理|orders 查一下王萍萍的订单"},
		{sales, "快点", "", "forecast 本月销售额是多少|researcher 调研一下运费纠纷怎么处理|unused"},
		{mixed, "只看十一月的", "orders 查一下王萍萍的订单（只看十一月的）", "analyst 运行这段代码：`|orders 查一下王萍萍的订单（只看十一月的）"},
		{mixed, "换成李建国", "orders 查一下李建国的订单", "analyst 运行这段代码：`|orders 查一下李建国的订单"},
		{mixed, "结果乘以2", "", "orders 查一下王萍萍的订单|analyst 运行这段代码：`|unused"},
		{mixed, "改成 print(5)", "analyst 运行这段代码：`", "orders 查一下王萍萍的订单|analyst 运行这段代码：`"},
		{"how many orders did Wang Pingping place, and run this code: `print(2**10)`", "only November", "orders how many orders did Wang Pingping place (only November)",
			"analyst run this code: `|orders how many orders did Wang Pingping place (only November)"},
		{both, "只看十一月的", "orders 查一下王萍萍的订单（只看十一月的）|aftersales 列出待处理的退款（只看十一月的）", "orders 查一下王萍萍的订单（只看十一月的）|aftersales 列出待处理的退款（只看十一月的）"},
		{both, "换成李建国", "orders 查一下李建国的订单|aftersales 列出待处理的退款（李建国）", "orders 查一下李建国的订单|aftersales 列出待处理的退款（李建国）"},
		{plain, "换成李建国", "orders 李建国买了哪些订单", "orders 李建国买了哪些订单"},
		{plain, "只看已取消的", "orders 王萍萍买了哪些订单（只看已取消的）", "orders 王萍萍买了哪些订单（只看已取消的）"},
		{plain, "只看十一月的，再查一下待处理的退款", "orders 王萍萍买了哪些订单（只看十一月的）|aftersales 再查一下待处理的退款（王萍萍）", "orders 王萍萍买了哪些订单（只看十一月的）|aftersales 再查一下待处理的退款（王萍萍）"},
		{plain, "除了电饭煲的", "", "orders 王萍萍买了哪些订单|unused"},
		{deck, "只看十一月的", "orders 查王萍萍的订单（只看十一月的）|reports 把结果做成PPT", "orders 查王萍萍的订单（只看十一月的）|reports 把结果做成PPT"},
		{deck, "改成Word", "reports 把结果做成Word", "orders 查王萍萍的订单|reports 把结果做成Word"},
		{price, "只看十一月的", "forecast 十一月销售额是多少|pricing 把禾煮空气炸锅降价10%", "forecast 十一月销售额是多少|pricing 把禾煮空气炸锅降价10%"},
		{code, "multiply the result by 2", "", "analyst run this code: `print(2**10)`|unused"},
		{code, "把结果减去5", "", "analyst run this code: `print(2**10)`|unused"},
		{code, "王萍萍", "", "analyst run this code: `print(2**10)`|unused"},
		{code, "print(5) instead", "analyst run this code: `print(5)`", "analyst run this code: `print(5)`"},
	} {
		in := ask(c.request)
		named := func(a bus.Action) string {
			part, _, _ := strings.Cut(a.JobDesc, "\n背景：")
			part, _, _ = strings.Cut(part, "\nContext: ")
			return a.ToolName + " " + part
		}
		finish := func(as ...bus.Action) {
			for _, a := range as {
				observed, _ := json.Marshal("<<" + named(a) + ">>")
				in.Done = append(in.Done, Done{Action: a, Call: bus.ChildID("t", len(in.Done)+1, 0), Status: bus.OK, Observation: observed})
			}
		}
		out := index["master"].Think(in)
		finish(out.Actions[0])
		in.Running, in.Steering = slices.Clone(out.Actions[1:]), []string{c.said}
		var again []string
		for range 4 {
			out = index["master"].Think(in)
			for _, a := range out.Actions {
				again = append(again, named(a))
			}
			if out.Answer != "" {
				break
			}
			finish(in.Running...)
			finish(out.Actions...)
			in.Running = nil
		}
		if got := strings.Join(again, "|"); got != c.again {
			t.Errorf("%s, %s: handed out %s, want %s", c.request, c.said, got, c.again)
		}
		var told []string
		for part := range strings.SplitSeq(out.Answer, "<<") {
			if of, _, ok := strings.Cut(part, ">>"); ok {
				told = append(told, of)
			}
		}
		if strings.Contains(out.Answer, c.said+"」没有用上") || strings.Contains(out.Answer, c.said+"”, was not used") {
			told = append(told, "unused")
		}
		if got := strings.Join(told, "|"); got != c.told {
			t.Errorf("%s, %s: told %s, want %s\n%s", c.request, c.said, got, c.told, out.Answer)
		}
	}
}
