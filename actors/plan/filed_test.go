package plan

import (
	"strings"
	"testing"
	"time"

	"github.com/hmap-project/hmap/bus"
)

// A request that names no file is of the one last asked when it speaks of what that file holds, and of nothing else.
func TestOfFile(t *testing.T) {
	t.Parallel()
	index, err := houseIndex()
	if err != nil {
		t.Fatal(err)
	}
	zh := bus.File{Name: "销售.csv", Description: "日期、城市（上海、北京、广州）、商品（空气炸锅、洋酒、茶叶）、销量、销售额"}
	en := bus.File{Name: "sales.csv", Description: "date, city (Shanghai, Beijing, Guangzhou), product (Air fryer, Spirits, Tea), units, revenue"}
	hr := bus.File{Name: "员工.csv", Description: "姓名、部门（市场部、研发部）、城市（北京、上海）、入职日期、月薪、年龄、是否在职（是、否）"}
	fly := bus.File{Name: "flights.csv", Description: "Flight, Airline (Blue Wing, SkyLine), Origin (Oslo, Paris), Departure, Delay (min), Passengers, Fare"}
	ward := bus.File{Name: "patients.csv", Description: "patient, age, dept (Cardiology, Neurology), insured (yes, no), bill"}
	plant := bus.File{Name: "machines.csv", Description: "machine, line (L1, L2), temperature, status (running, stopped), 故障次数"}
	goods := bus.File{Name: "库存.csv", Description: "商品编号、商品名称、类别（零食、饮料）、仓库（北京仓、上海仓）、单价、库存、入库日期"}
	now := time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		file         bus.File
		request      string
		last, before bool // whether it is of the file when nothing else was spoken of since, and when something was
	}{
		{zh, "每个城市的销量是多少", true, true},
		{zh, "哪个月的销量最高", true, false},
		{zh, "洋酒在上海卖了多少", true, true},
		{zh, "上海每个月的销售额是多少", true, true},
		{zh, "上海和北京的销售额对比", true, true},
		{zh, "为什么5月比4月多", true, false},
		{zh, "为什么2026年5月的销售额比4月高", true, false},
		{zh, "上半年和下半年对比", true, false},
		{zh, "销量前3名的商品", true, true},
		{zh, "本月的销售额是多少", true, false},
		{zh, "销售额的趋势", true, false},
		{zh, "我有多少订单是王萍萍买的", false, false},
		{zh, "王萍萍买了多少洋酒", false, false},
		{zh, "我们店的销量最高的商品", false, false},
		{zh, "待发货的订单有哪些", false, false},
		{zh, "空气炸锅的库存", false, false},
		{zh, "把空气炸锅的价格改成199", false, false},
		{zh, "禾煮空气炸锅降价10%", false, false},
		{zh, "开一家卖洋酒的旗舰店要什么资质", false, false},
		{zh, "预测下个月空气炸锅的销量，并建议要不要降价", false, false},
		{zh, "北京呢", false, false},
		{zh, "做成PPT", false, false},
		{zh, "你好", false, false},
		{zh, "订单281065989409到哪了", false, false},
		{en, "units by product", true, true},
		{en, "which cities sold the most units", true, true},
		{en, "how much Tea did we sell in Beijing", true, true},
		{en, "revenue by month", true, false},
		{en, "why was May higher than April", true, false},
		{en, "Why did revenue rise in May?", true, false},
		{en, "compare the first half with the second half", true, false},
		{en, "draw a chart of revenue per month", true, false},
		{en, "why was revenue in September lower than in August?", true, false},
		{zh, "画一张每月销售额的折线图", true, false},
		{en, "which city has the highest profit?", true, false}, // the file says that it has none, and not the shop what its own was
		{zh, "哪个城市的利润最高", true, false},
		{en, "DELETE FROM sales", true, false},
		{zh, "drop table 销售", true, false},
		{en, "which late orders are in Shanghai?", false, false},
		{en, "draw a chart of our orders per month", false, false},
		{en, "SELECT city, SUM(revenue - cost) AS profit FROM sales GROUP BY city", true, false},
		{en, "```sql\nselect city from sales where units > 3\n```", true, false},
		{en, "select a good title from the list", false, false},
		{en, "How many orders did Wang Pingping place?", false, false},
		{en, "cancel all late orders", false, false},
		{en, "make a report of it", false, false},
		{en, "what about Beijing?", false, false},
		{en, "refund the tea order", false, false},
		{en, "units in our shop by product", false, false},
		// Words that the house does not speak, limits, the file's own name and a part of a column's are the file's.
		{hr, "月薪超过25000的有谁", true, true}, // a column of which the house does not speak
		{hr, "月薪在1万到2万之间的占多少", true, true},
		{hr, "年龄超过40的女员工有几个", true, true},
		{hr, "2021年入职的有谁", true, true},
		{hr, "每年入职多少人", true, true},
		{hr, "在职的有几个", true, true},
		// So are words that speak of a column without its name, and the people and codes of which it has columns.
		{hr, "谁的工资最高", true, false},
		{hr, "who is the youngest?", true, false},
		{hr, "张伟的月薪是多少", true, false},
		{hr, "王萍萍买了什么", false, false},
		{fly, "which airline is the most popular?", true, true},
		{fly, "how many flights were on time", true, true},
		{goods, "缺货的有多少种，占比", true, false},
		{goods, "which products are out of stock", true, false},
		{goods, "total value per warehouse", true, false},
		{goods, "每个仓库库存总价值", true, true},
		{goods, "SKU012的库存是多少", true, false},
		{goods, "最便宜的5个", true, false},
		{goods, "我们店缺货的有多少种", false, false},
		{goods, "哪个客户买得最多", false, false},
		{goods, "5月入库的商品里，缺货的有几个", true, true}, // in which 入库 changes nothing
		{goods, "库存为0的饮料", true, true},
		{goods, "把可乐入库", false, false},
		{goods, "北京和上海的库存", true, true},
		{goods, "订单281065989409到哪了", false, false},
		{fly, "flights with more than 200 passengers", true, true},
		{fly, "longest delay of Blue Wing", true, true},
		{ward, "账单超过10000的病人", true, false},
		{ward, "每个科室的平均费用", true, false},
		{ward, "65岁以上的患者有几个", true, false},
		{plant, "哪台机器的故障最多", true, false},
		{plant, "每条线的平均温度", true, false},
		{plant, "which line has the most failures?", true, false},
		{plant, "线上店铺的保证金是多少", false, false},
		{fly, "待发货的订单有哪些", false, false},
		{hr, "金额超过500的订单", false, false},
		{bus.File{Name: "notes.txt"}, "每个城市的销量是多少", false, false},
	} {
		for _, last := range []bool{true, false} {
			want := c.last && last || c.before && !last
			if got := index["master"].OfFile(c.request, c.file, last, now); got != want {
				t.Errorf("%s (last: %v): %v, want %v", c.request, last, got, want)
			}
		}
	}
}

// What goes on with a question about a file is one question with it, as long as it speaks of nothing else.
func TestGoesOn(t *testing.T) {
	t.Parallel()
	index, err := houseIndex()
	if err != nil {
		t.Fatal(err)
	}
	zh := bus.File{Name: "销售.csv", Description: "日期、城市（上海、北京、广州）、商品（空气炸锅、洋酒、茶叶）、销量、销售额"}
	en := bus.File{Name: "sales.csv", Description: "date, city (Shanghai, Beijing, Guangzhou), product (Air fryer, Spirits, Tea), units, revenue"}
	now := time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		file                   bus.File
		earlier, request, want string // "": it does not go on with it
	}{
		{en, "revenue per city (sales.csv)", "and per product in September?", "revenue per city (sales.csv), per product in September"},
		{en, "revenue per city (sales.csv), per product", "what about Tea?", "revenue per city (sales.csv), per product, Tea"},
		{en, "revenue per city (sales.csv)", "and the least popular?", "revenue per city (sales.csv), the least popular"},
		{en, "revenue per city (sales.csv)", "how about the average?", "revenue per city (sales.csv), the average"},
		{en, "revenue per city (sales.csv)", "the highest?", "revenue per city (sales.csv), the highest"},
		{en, "revenue per city (sales.csv)", "which one is the second lowest?", "revenue per city (sales.csv), the second lowest"},
		{en, "revenue per city (sales.csv)", "what share is that?", "revenue per city (sales.csv), share"},
		{zh, "每个城市的销售额（销售.csv）", "最高的是哪个", "每个城市的销售额（销售.csv），最高"},
		{zh, "每个城市的销售额（销售.csv）", "第二名呢", "每个城市的销售额（销售.csv），第二名"},
		{zh, "每个城市的销售额（销售.csv）", "占多少", "每个城市的销售额（销售.csv），占多少"},
		{zh, "每个城市的销售额（销售.csv）", "饼图", "每个城市的销售额（销售.csv），画饼图"},
		{en, "revenue per city (sales.csv)", "the same for units", "revenue per city (sales.csv), units"},
		{en, "revenue per city (sales.csv)", "draw that as a bar chart", "revenue per city (sales.csv), draw a bar chart"},
		{en, "revenue per city (sales.csv)", "Make that a chart.", "revenue per city (sales.csv), draw a chart"},
		{en, "revenue per city (sales.csv)", "show me a pie chart of these figures please", "revenue per city (sales.csv), draw a pie chart"},
		{zh, "每个城市的销售额（销售.csv）", "把上面的结果画成柱状图", "每个城市的销售额（销售.csv），画柱状图"},
		{zh, "每个城市的销售额（销售.csv）", "用折线图展示", "每个城市的销售额（销售.csv），画折线图"},
		{en, "revenue per city (sales.csv), draw a bar chart", "as a line chart please", "revenue per city (sales.csv), draw a line chart"},
		{zh, "每个城市的销售额（销售.csv），画柱状图", "换成饼图", "每个城市的销售额（销售.csv），画饼图"},
		{en, "revenue per city (sales.csv)", "plot it", "revenue per city (sales.csv), draw a chart"},
		{en, "revenue per city (sales.csv)", "make that a report", ""},
		{en, "revenue per city (sales.csv)", "draw a chart of our orders", ""},
		{zh, "每个城市的销售额（销售.csv）", "那9月呢", "每个城市的销售额（销售.csv），9月"},
		{zh, "每个城市的销售额（销售.csv）", "按商品呢？", "每个城市的销售额（销售.csv），按商品"},
		{zh, "每个城市的销售额（销售.csv）", "北京呢", "每个城市的销售额（销售.csv），北京"},
		{zh, "每个城市的销售额（销售.csv）", "那李建国呢", ""},
		{zh, "每个城市的销售额（销售.csv）", "那待发货的订单呢", ""},
		{zh, "每个城市的销售额（销售.csv）", "每个商品的销量", ""}, // stands alone
		{en, "revenue per city (sales.csv)", "and in Q1?", "revenue per city (sales.csv), in Q1"},
		{en, "revenue per city (sales.csv)", "only for Beijing", "revenue per city (sales.csv), Beijing"},
		{en, "revenue per city (sales.csv)", "only for March", "revenue per city (sales.csv), March"},
		{en, "revenue per city (sales.csv)", "only for Atlantis", "revenue per city (sales.csv), Atlantis"}, // which the file says it does not know
		{en, "revenue per city (sales.csv)", "just show Tea please", "revenue per city (sales.csv), Tea"},
		{en, "revenue per city (sales.csv)", "split that by product", "revenue per city (sales.csv), split by product"},
		{en, "revenue per city (sales.csv)", "by product", "revenue per city (sales.csv), by product"},
		{en, "revenue per city (sales.csv)", "show me the top 3", "revenue per city (sales.csv), top 3"},
		{en, "revenue per city (sales.csv)", "what about profit?", "revenue per city (sales.csv), profit"},
		{zh, "每个城市的销售额（销售.csv）", "只看北京", "每个城市的销售额（销售.csv），北京"},
		{zh, "每个城市的销售额（销售.csv）", "只要3月的数据", "每个城市的销售额（销售.csv），3月"},
		{zh, "每个城市的销售额（销售.csv）", "按商品分", "每个城市的销售额（销售.csv），按商品"},
		{zh, "每个城市的销售额（销售.csv）", "再按商品细分", "每个城市的销售额（销售.csv），再按商品"},
		{zh, "每个城市的销售额（销售.csv）", "前3名", "每个城市的销售额（销售.csv），前3名"},
		{zh, "每个城市的销售额（销售.csv）", "从低到高排序", "每个城市的销售额（销售.csv），从低到高排序"},
		{zh, "每个城市的销售额（销售.csv）", "利润呢", "每个城市的销售额（销售.csv），利润"},
		{zh, "销量大于8的有哪些（销售.csv）", "其中上海的有几个", "销量大于8的有哪些（销售.csv），其中上海的有几个"},
		{zh, "销量大于8的有哪些（销售.csv）", "这些里面洋酒有几个", "销量大于8的有哪些（销售.csv），这些里面洋酒有几个"},
		{zh, "销量大于8的有哪些（销售.csv）", "其中取消281065989409", ""},
		{en, "which rows have units over 8 (sales.csv)", "of those, how many are in Shanghai?", "which rows have units over 8 (sales.csv), of those, how many are in Shanghai?"},
		{en, "which rows have units over 8 (sales.csv)", "How many of them are Tea?", "which rows have units over 8 (sales.csv), How many of them are Tea?"},
		{zh, "每个城市的销售额（销售.csv）", "只看我们店的订单", ""},
		{zh, "每个城市的销售额（销售.csv）", "只取消281065989409", ""},
		{en, "revenue per city (sales.csv)", "only cancel the order 281065989409", ""},
		{en, "revenue per city (sales.csv)", "what about our orders?", ""},
		{en, "revenue per city (sales.csv)", "and cancel the order 281065989409", ""},
	} {
		if got, ok := index["master"].GoesOn(c.earlier, c.request, c.file, now); got != c.want || ok != (c.want != "") {
			t.Errorf("%s, %s: %q, want %q", c.earlier, c.request, got, c.want)
		}
	}
}

// Which files there are is another question than what one holds.
func TestOfFiles(t *testing.T) {
	for request, want := range map[string]bool{
		"列出本会话的文件": true, "有哪些文件": true, "我上传了几个文件？": true, "看看这次对话里所有附件": true, "list my files": true, "what files are here?": true, "Show me all the files of this session": true, "which files did I upload": true,
		"文件里有什么列": false, "这个文件有多少行": false, "what is in the file?": false, "list the rows of the files": false, "列出华东的记录": false, "save the files": false,
	} {
		if got := OfFiles(request); got != want {
			t.Errorf("%s: %v", request, got)
		}
	}
	index, err := houseIndex()
	if err != nil {
		t.Fatal(err)
	}
	for _, request := range []string{"列出本会话的文件", "有哪些文件", "list the files of this session"} { // and none of them is read
		if out := index["analyst"].PlanAll(Input{Request: request}); len(out) != 1 || out[0].ToolName != "list_files" {
			t.Errorf("%s: %v", request, out)
		}
	}
}

// What a file says of itself never makes reading a request fail.
func FuzzOfFile(f *testing.F) {
	index, err := houseIndex()
	if err != nil {
		f.Fatal(err)
	}
	f.Add("每个城市的销量是多少", "日期、城市（上海、北京）、销量")
	f.Add("units by cities", "a, b (c, d); 名")
	f.Fuzz(func(t *testing.T, request, description string) {
		index["master"].OfFile(request, bus.File{Name: "a.csv", Description: description}, true, time.Time{})
	})
}

// What a file cannot answer may have been meant for the shop: how that is asked is told, where the answer goes to the user; and questions asked of the file in one breath
// are one.
func TestMissOfFile(t *testing.T) {
	t.Parallel()
	index, err := houseIndex()
	if err != nil {
		t.Fatal(err)
	}
	for request, want := range map[string]string{
		"which region has the highest stock? (sales.csv)": "which region has the highest stock in our shop.", "哪个地区的库存最多（销售.csv）": "我们店哪个地区的库存最多。", "DELETE FROM sales (sales.csv)": "",
		"which employee has the highest bonus? (staff.csv)": "", "员工最高的奖金是多少（员工.csv）": "", "how many bananas are there per planet (sales.csv)": "", "滤芯多久换一次（表.xlsx）": "",
	} {
		in := Input{Request: request, Job: true, Now: time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)}
		out := index["data"].Think(in)
		for n := 0; len(out.Actions) > 0 && n < 4; n++ {
			in = fails(in, out, bus.CodeInvalidParameter, "there is no such column")
			out = index["data"].Think(in)
		}
		if !strings.Contains(out.Answer, "there is no such column") || want == "" && strings.Contains(out.Answer, "shop") || !strings.Contains(out.Answer, want) {
			t.Errorf("%s: %q", request, out.Answer)
		}
	}
	for _, request := range []string{"how much revenue and how many orders per region (sales.csv)", "what is the total revenue and which product sold most (sales.csv)", "what is the total revenue and which product sold most (sales.csv), draw a pie chart"} {
		out := index["data"].Think(Input{Request: request, Job: true, Now: time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)})
		if len(out.Actions) != 1 || !strings.Contains(string(out.Actions[0].Parameter), request) {
			t.Errorf("%s: %v", request, out.Actions)
		}
	}
}
