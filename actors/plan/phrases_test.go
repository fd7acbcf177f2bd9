package plan

import (
	"strings"
	"testing"
)

// What looks like a question for goods and is none stays as it was said.
func TestNoQuestionForGoods(t *testing.T) {
	t.Parallel()
	x := newTeam(t).index["master"]
	for _, said := range []string{"我们卖得好吗", "怎么赚钱", "如何才能赚钱", "哪些商品亏钱", "你们有客服吗", "我们有什么规则", "do you have questions", "do you have a refund policy", "do we have late orders",
		"is it profitable", "are we making money", "is the shop profitable", "which campaigns are profitable", "how much is a refund of order 281063663568", "赚钱吗", "我们亏钱吗"} {
		if got := x.inFull(said); got != said {
			t.Errorf("%s: %s", said, got)
		}
	}
}

// The price of one is asked of goods, and of no figure.
func TestPriceOfOne(t *testing.T) {
	t.Parallel()
	x := newTeam(t).index["master"]
	for said, put := range map[string]string{"how much is a rice cooker": "what is the price of a rice cooker", "how much is an order on average this month": "how much is an order on average this month"} {
		if got := x.inFull(said); got != put {
			t.Errorf("%s: %s", said, got)
		}
	}
}

// What a shop's owner asks in passing is put as it is asked elsewhere; what only looks like it stays.
func TestAskedInPassing(t *testing.T) {
	t.Parallel()
	x := newTeam(t).index["master"]
	for said, put := range map[string]string{
		"平均一单多少": "客单价是多少", "上个月平均每单多少钱": "上个月客单价是多少", "每个订单平均能卖多少": "客单价是多少", "北京一单平均多少钱": "北京客单价是多少",
		"what is an average order this month": "what is the average order value this month", "how big is our average order": "what is the average order value",
		"店铺业绩如何": "生意如何", "上个月我们店的经营情况怎么样": "上个月生意怎么样", "店铺经营范围": "店铺经营范围",
		"发票没开的有多少": "没开发票的订单有多少", "上个月发票还没开的有几个": "上个月没开发票的订单有几个", "发票未开的订单": "没开发票的订单",
		"how are we doing this month": "how is business this month", "How's the shop doing?": "how is business?",
		"咖啡机占总订单的几成": "咖啡机的订单占所有订单的几成", "耳机占全部订单的比例": "耳机的订单占所有订单的比例",
		"compare coffee makers and blenders": "compare sales of coffee makers and blenders", "Compare rice cookers with blenders last month": "compare sales of rice cookers with blenders last month",
		"我们离20万还差多少": "本月离20万还差多少", "距离30万还有多远": "本月离30万还差多少",
		"同意了多少": "已同意的退款有多少", "上个月同意了几个": "上个月已同意的退款有几个", "拒绝了多少": "已拒绝的退款有多少",
		"保证金要多少": "保证金的规则", "要交多少保证金": "保证金的规则",
		"do we still have rice cookers in stok": "do we have rice cookers in stock", "do we have blenders left in stocck?": "do we have blenders in stock", "do we have toys in store": "do we have toys in store",
		"which weekday is the slowest": "which weekday has the lowest sales", "what month was our busiest this year": "which month has the highest sales this year", "周几最冷清": "周几销售额最低",
		"which ad channel is the worst": "which channel has the lowest ROI", "which product gets returned most": "which product has the most returns",
		"percentage of canceled orders last month": "what percentage of orders were canceled last month", "有多少包裹超时没发": "有多少超时没发货的订单",
		"who spent over 5000 yuan": "which customers spent over 5000 yuan", "谁花了超过5000元": "哪些客户消费超过5000元", "11月到现在每天平均几单": "11月到现在日均订单数",
		"平均每单多少件": "每单件数是多少", "上个月毛利减去推广费还有多少": "上个月净利润是多少", "我们上个月挣了多少钱": "我们上个月净利润是多少", "上个季度赚了多少": "上个季度净利润是多少", "what did we earn last quarter": "what is the net profit last quarter",
		"how much money did we make in October": "what is the net profit in October", "how long do refunds take": "average time to process a refund", "how long does it take to process a refund": "average time to process a refund",
		"how long do customers have for refunds": "how long do customers have for refunds", "what did we make of it": "what did we make of it", "平均每单运费多少": "每单运费是多少", "平均每笔退款多少钱": "平均每笔退款多少钱", "本周离20万还差多少": "本周离20万还差多少",
		"给王萍萍发条短信，说谢谢支持": "给王萍萍发一条消息，说谢谢支持", "给王萍萍发一条感谢短信": "给王萍萍发一条消息", "mark all shipped orders as completed": "change all shipped orders to completed",
		"mark order 281063663568 as shipped": "mark order 281063663568 as shipped", "why did they return it": "why did they return it", "why do customers return headphones": "return reasons of headphones",
		"把手机涨价100": "把手机涨价100元", "把手机涨价10%": "把手机涨价10%",
		"300元以下的空气炸锅有哪些": "售价300元以下的空气炸锅有哪些", "手机5000元以下的有哪些": "售价5000元以下的手机有哪些", "500元以上的订单有哪些": "500元以上的订单有哪些", "1000元以上的罚款": "1000元以上的罚款",
		"air fryers between 200 and 400 yuan": "which air fryers cost between 200 and 400 yuan", "orders over 2000 yuan": "orders over 2000 yuan",
		"有多少人买了不止一次": "有多少人多次购买", "有多少人买了超过一次": "有多少人多次购买", "how many customers bought more than once": "how many customers who are repeat customers",
		"which orders were paid but not shipped": "which orders were awaiting shipment", "昨天发货的订单": "昨天发出的包裹", "5月1日的订单有多少": "5月1日有多少订单", "昨天之前的订单有多少？": "昨天之前有多少订单？", "上周比前一周少卖了多少": "上周比上上周少卖了多少", "哪些客户退款最多": "退款最多的客户", "毛利为负的商品": "毛利低于0的商品",
		"bottom 3 categories by revenue": "3 categories with the lowest revenue", "refunded orders as a share of all": "what is the refund rate", "how many orders in 2025?": "how many orders from 2025-01-01 to 2025-12-31?",
		"who spent the most in 2025": "who spent the most from 2025-01-01 to 2025-12-31", "平均客单价": "客单价", "白朗姆库存加20": "白朗姆库存加20件", "白朗姆库存清零": "白朗姆库存改成0", "要不要取消281067159018？": "订单281067159018的状态",
		"can I cancel order 281067159018?": "state of order 281067159018", "哪个渠道ROI最高": "ROI最高的渠道", "how much revenue did we lose to refunds": "list all approved refunds",
		"how much did we refund last month?": "list all approved refunds last month", "因为退款损失了多少钱": "已同意的退款金额合计", "上海的客户买什么最多": "上海卖得最好的商品是什么",
		"导出最近10个订单": "把最近10个订单导出成excel", "导出上面的结果": "导出上面的结果", "20% off all air fryers": "reduce the price of all air fryers by 20%", "weekly sales report": "sales report for this week",
		"告诉我们“七天无理由”是什么意思": "告诉我们“七天无理由”是什么意思", "今天要发布新品": "今天要发布新品", "明天要发邮件给员工": "明天要发邮件给员工", "今天要发什么货": "今天到期要发货的订单",
		"compare orders and refunds": "compare orders and refunds", "compare Beijing and Shanghai": "compare Beijing and Shanghai", "compare sales of toys and phones": "compare sales of toys and phones",
		"给他回复“平均一单多少”": "给他回复“平均一单多少”", "how are they doing": "how are they doing", "同意了多少优惠": "同意了多少优惠",
	} {
		if got := x.inFull(said); got != put {
			t.Errorf("%s: %s", said, got)
		}
	}
}

// A phrase is spelled out where a card speaks of its matter, and nowhere else; what is quoted, or names a file, stays.
func TestPhrasebook(t *testing.T) {
	t.Parallel()
	b, err := NewPhrasebook([]Phrase{
		{Say: `(?i)\bburn rate( of [a-z]+)?\b`, Means: "costs${1} by month", Where: []string{"costs", "花费"}, Not: `parts`, Unless: `(?i)\bsecret\b`},
		{Say: `烧钱`, Means: "花费"},
		{Say: `^costs by month$`, Means: "costs by month, please"}, // those behind see what those before made
	})
	if err != nil {
		t.Fatal(err)
	}
	spoken := map[string]bool{"cost": true}
	for said, put := range map[string]string{
		"what is our Burn Rate": "what is our costs by month", "burn rate of paint today": "costs of paint by month today", "烧钱多少": "花费多少", "burn rate": "costs by month, please",
		"burn rate of parts": "burn rate of parts", "the secret burn rate": "the secret burn rate", "put burn rate into plan.md": "put burn rate into plan.md", "tell Bob “burn rate”": "tell Bob “burn rate”",
	} {
		if got := b.inFull(said, spoken); got != put {
			t.Errorf("%s: %s", said, got)
		}
	}
	if got := b.inFull("our burn rate，烧钱", nil); got != "our burn rate，花费" {
		t.Errorf("where nobody speaks of costs: %s", got)
	}
	var none *Phrasebook
	if got := none.inFull("烧钱", spoken); got != "烧钱" {
		t.Errorf("without phrases: %s", got)
	}
	for _, wrong := range []Phrase{{Say: "a(", Means: "b"}, {Means: "b"}, {Say: "a", Means: "b", Unless: "[z-a]"}} {
		if _, err := NewPhrasebook([]Phrase{{Say: "x", Means: "y"}, wrong}); err == nil || !strings.Contains(err.Error(), "phrase 2") {
			t.Errorf("%+v: %v", wrong, err)
		}
	}
}
