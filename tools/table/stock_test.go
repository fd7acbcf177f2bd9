package table

import (
	"strings"
	"testing"

	"github.com/hmap-project/hmap/bus"
)

// stock is a table of what lies in the warehouses: eight products with few values, so that each figure can be worked out by hand.
const stock = `商品名称,类别,仓库,单价,库存,是否促销,入库日期
可乐,饮料,上海仓,3,100,是,2026-01-05
雪碧,饮料,北京仓,4,0,否,2026-02-05
薯片,零食,上海仓,5,20,是,2026-03-05
饼干,零食,广州仓,6,0,否,2026-04-05
电扇,家电,北京仓,200,5,否,2026-05-05
台灯,家电,上海仓,80,0,是,2026-06-05
毛巾,日用,广州仓,10,30,否,2026-07-05
牙刷,日用,北京仓,8,50,否,2026-08-05
`

// What questions about a stock come to; one that begins with "?" must not be answered.
func TestStock(t *testing.T) {
	t.Parallel()
	b := mustBook(t, "库存.csv", stock)
	for _, c := range []struct{ question, want string }{
		// what it is worth
		{"每个仓库库存总价值", "北京仓 1400; 上海仓 400; 广州仓 300"},
		{"total value per warehouse", "北京仓 1400; 上海仓 400; 广州仓 300"},
		{"total stock value per warehouse", "北京仓 1400; 上海仓 400; 广州仓 300"},
		{"库存价值最高的类别", "家电 1000; 日用 700; 饮料 300; 零食 100"},
		{"what is the inventory worth in 上海仓?", "400"},
		{"单价乘以库存的合计", "2100"},
		{"total of price times stock per 类别", "家电 1000; 日用 700; 饮料 300; 零食 100"},
		{"平均库存价值", "262.5"},
		{"单价乘以2的合计", "?"},
		// all but some
		{"除了家电以外的库存合计", "200"},
		{"家电以外的库存合计", "200"},
		{"家电除外的库存合计", "200"},
		{"家电和日用之外的库存合计", "120"},
		{"不算家电，库存合计是多少", "200"},
		{"不在上海仓的有多少种", "5"},
		{"既不是饮料也不是零食的有多少种", "4"},
		{"既不在上海仓也不在北京仓的库存合计", "30"},
		{"total stock of neither 饮料 nor 零食", "85"},
		{"how many products are in neither 上海仓 nor 北京仓", "2"},
		{"total stock except for 家电", "200"},
		{"total stock apart from 家电", "200"},
		{"total stock of everything but 家电", "200"},
		{"total stock outside 上海仓", "85"},
		{"total stock without 家电 and 日用", "120"},
		// two figures of some: how many, and what share
		{"缺货的有多少种，占比", "8 3 37.5"},
		{"缺货的有多少种，占比多少", "8 3 37.5"},
		{"how many products are out of stock, and what share is that?", "8 3 37.5"},
		{"促销的商品占比", "否 5 62.5; 是 3 37.5"},
		{"有促销的商品有多少，占比多少", "否 5 62.5; 是 3 37.5"},
		{"库存低于10的商品有几个，占多少", "8 4 50"},
		{"每个仓库缺货的占比", "上海仓 3 1 33.33; 北京仓 3 1 33.33; 广州仓 2 1 50"},
		{"缺货的有多少种，占比（库存.csv），北京和广州", "北京仓 3 1 33.33; 广州仓 2 1 50"},
		{"哪些促销商品缺货", "台灯 家电 上海仓 80 0 是 2026-06-05"},
		{"在促销但是缺货的商品", "台灯 家电 上海仓 80 0 是 2026-06-05"},
		{"除了饮料，其他类别的库存合计", "105"},
		{"哪个仓库缺货最多", "上海仓 1; 北京仓 1; 广州仓 1"},
		{"促销的和不促销的各有多少种", "否 5; 是 3"},
		{"促销的占比（库存.csv），上海仓", "是 3 100"},
		// a figure of each of the groups, and values told apart
		{"平均每个仓库有多少库存", "68.33"},
		{"每个仓库饮料零食各有多少种", "上海仓 零食 1; 上海仓 饮料 1; 北京仓 饮料 1; 广州仓 零食 1"},
		{"每个仓库饮料和零食的库存", "上海仓 饮料 100; 上海仓 零食 20; 北京仓 饮料 0; 广州仓 零食 0"},
		{"饮料和零食每个仓库一共的库存", "上海仓 120; 北京仓 0; 广州仓 0"},
		{"库存前两名", "可乐 饮料 上海仓 3 100 是 2026-01-05; 牙刷 日用 北京仓 8 50 否 2026-08-05"},
		{"top 2 by stock", "可乐 饮料 上海仓 3 100 是 2026-01-05; 牙刷 日用 北京仓 8 50 否 2026-08-05"},
		{"上海的库存合计", "120"},
		{"北京和上海分别有多少库存", "上海仓 120; 北京仓 55"},
		{"库存最多的前三个商品（库存.csv），其中促销的", "?"},
		{"库存最多的前三个商品（库存.csv），其中有促销的", "?"},
		{"库存合计（库存.csv），其中促销的", "120"},
		// the first and the last by time
		{"最近入库的商品", "牙刷 日用 北京仓 8 50 否 2026-08-05; 毛巾 日用 广州仓 10 30 否 2026-07-05; 台灯 家电 上海仓 80 0 是 2026-06-05; 电扇 家电 北京仓 200 5 否 2026-05-05; 饼干 零食 广州仓 6 0 否 2026-04-05"},
	} {
		got, sql := answered(t, b, c.question)
		if got != c.want && (c.want != "?" || !strings.HasPrefix(got, "?")) {
			t.Errorf("%s\n  got  %s\n  want %s\n  %s", c.question, got, c.want, sql)
		}
	}
}

// An end of an order that is asked for later is in place of the one before it, and none is left out.
func TestOtherEndLater(t *testing.T) {
	t.Parallel()
	b := mustBook(t, "sales.csv", sales)
	for _, c := range []struct{ question, want string }{
		{"which region has the highest revenue (sales.csv), the lowest", "华北 15000; 华南 17620; 华东 18060"},
		{"哪个地区的销售额最高（sales.csv），最低", "华北 15000; 华南 17620; 华东 18060"},
		{"销售额最低的商品（sales.csv），最高", "手机 29100; 平板 14900; 耳机 6680"},
		{"每个地区的平均销售额（sales.csv），最低", "华东 3612; 华南 4405; 华北 5000"},
		{"销售额最高是多少（sales.csv），最低", "2024-02-28 华北 北京 耳机 5 200 1000; 2024-03-30 华南 广州 耳机 8 190 1520; 2024-01-20 华东 杭州 耳机 10 200 2000; 2024-05-20 华东 上海 耳机 12 180 2160; 2024-04-18 华北 北京 平板 1 2400 2400"},
		{"销售额最高的3个城市（sales.csv），最低的2个", "北京 3400; 广州 4520"},
		{"top 2 cities by revenue (sales.csv), bottom 2", "北京 3400; 广州 4520"},
		{"total revenue except 手机 (sales.csv), 平板", "14900"},
		{"除了手机以外的销售额（sales.csv），平板", "14900"},
		{"total revenue (sales.csv), the lowest", "2024-02-28 华北 北京 耳机 5 200 1000; 2024-03-30 华南 广州 耳机 8 190 1520; 2024-01-20 华东 杭州 耳机 10 200 2000; 2024-05-20 华东 上海 耳机 12 180 2160; 2024-04-18 华北 北京 平板 1 2400 2400"},
		{"平均销售额（sales.csv），总的", "50680"},
		{"average revenue per region (sales.csv), the median", "华南 4300; 华东 2900; 华北 2400"},
		{"which product is the most popular (sales.csv), the least popular", "平板 6; 手机 10; 耳机 35"},
		{"average price per product (sales.csv), the highest", "手机 2920; 平板 2466.67; 耳机 192.5"},
		{"哪个城市数量最多（sales.csv），第二", "上海 16; 杭州 11"},
		{"the cheapest product (sales.csv), the most expensive", "手机 3000; 平板 2500; 耳机 200"},
		{"the busiest month", "2024-03 14; 2024-05 14; 2024-01 12; 2024-02 9; 2024-04 2"},
		{"the best month", "2024-03 18120; 2024-02 11500; 2024-01 8000; 2024-05 7760; 2024-04 5300"},
		{"销售额最高的月份", "2024-03 18120; 2024-02 11500; 2024-01 8000; 2024-05 7760; 2024-04 5300"},
		{"how many rows are from 上海 (sales.csv), share", "上海 3 25; 北京 2 16.67; 广州 2 16.67; 杭州 2 16.67; 深圳 2 16.67; 天津 1 8.33"},
		{"每个地区有多少个城市，销售额合计多少", "华东 2 18060; 华北 2 15000; 华南 2 17620"},
		{"how many cities are there per region and what is the total revenue", "华东 2 18060; 华北 2 15000; 华南 2 17620"},
		{"the lowest total revenue", "?"},
		{"平均销售额最低是多少", "?"},
	} {
		got, sql := answered(t, b, c.question)
		if got != c.want && (c.want != "?" || !strings.HasPrefix(got, "?")) {
			t.Errorf("%s\n  got  %s\n  want %s\n  %s", c.question, got, c.want, sql)
		}
	}
}

// What is most popular is what most was sold of, or had most to do with; of a table that tells neither, what most rows are of.
func TestPopular(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ columns, question, want string }{
		{"quantity", "which route is the most popular?", "A 30; B 9"},
		{"passengers", "which route is the most popular?", "A 30; B 9"},
		{"fare", "which route is the most popular?", "B 2; A 1"},
		{"fare", "which route is the least popular?", "A 1; B 2"},
		{"数量", "最受欢迎的route是哪个", "A 30; B 9"},
		{"数量", "哪个route最热门", "A 30; B 9"},
		{"数量", "哪个route最不受欢迎", "B 9; A 30"},
		{"passengers", "哪个route最冷门", "B 9; A 30"},
		{"passengers", "which is the busiest route?", "A 30; B 9"},
	} {
		b := mustBook(t, "trips.csv", "route,"+c.columns+"\nA,30\nB,4\nB,5\n")
		if got, sql := answered(t, b, c.question); got != c.want {
			t.Errorf("%s: %s\n  got  %s\n  want %s\n  %s", c.columns, c.question, got, c.want, sql)
		}
	}
}

const people = `姓名,部门,性别,年龄,月薪
张伟,研发部,男,30,20000
王芳,研发部,女,40,24000
李娜,市场部,女,35,15000
刘洋,市场部,男,25,17000
陈静,市场部,男,45,16000
`

// Two names are held against each other by their means, their sums and how many rows they have.
func TestHeldAgainst(t *testing.T) {
	t.Parallel()
	r := newRoom(t, Options{})
	r.give("p", "people.csv", people)
	r.give("s", "stock.csv", stock)
	r.give("f", "flights.json", `[{"flight":"A1","cancelled":"no","airline":"A","date":"2026-03-01","delay_minutes":0,"passengers":10,"revenue":50},{"flight":"B1","cancelled":"yes","airline":"B","date":"2026-03-02","delay_minutes":75,"passengers":10,"revenue":60},{"flight":"B2","cancelled":"no","airline":"B","date":"2026-04-02","delay_minutes":5,"passengers":20,"revenue":40}]`)
	r.give("g", "budget.csv", "部门,月份,预算,实际支出\n研发部,2026-01,100,90\n市场部,2026-01,50,55\n")
	r.give("t", "two.csv", "部门,月薪\n研发部,10\n市场部,4\n")
	for _, c := range []struct{ session, question, want string }{
		{"p", "研发部和市场部的平均月薪差多少", "22,000"},
		{"p", "研发部和市场部的平均月薪差多少", "**+6000**"},
		{"p", "研发部和市场部的平均月薪相差多少？", "**+6000**"},
		{"p", "研发部与市场部平均年龄的差距", "市场部 为 35，研发部 为 35"},
		{"p", "研发部的平均月薪比市场部高多少", "**+6000**"},
		{"p", "what is the difference between the average 月薪 of 研发部 and 市场部", "**+6000**"},
		{"p", "how much more does 研发部 earn than 市场部 on average", "**+6000**"},
		{"p", "男的比女的多几个人", "女 为 2，男 为 3，差异 **+1**"},
		{"p", "how many more people does 市场部 have than 研发部", "2 for 研发部, 3 for 市场部, a difference of **+1**"},
		{"p", "男的比女的高多少", "?没有说按哪一列来比"},
		{"p", "男的平均比女的大几岁", "**-4.17**"},
		{"p", "谁挣得最多", "月薪最高是 **24,000**"},
		{"p", "每个部门的人数和平均月薪", "| 研发部 | 22000 | 2 |"},
		{"p", "各部门有多少人，平均月薪多少", "| 研发部 | 22000 | 2 |"},
		{"p", "number of people and average 月薪 per 部门", "| 研发部 | 22000 | 2 |"},
		{"p", "月薪最高的三个人分别在哪个部门", "| 刘洋 | 市场部 | 男 | 25 | 17000 |"},
		{"p", "每个部门月薪最高的人", "| 研发部 | 王芳 | 24000 |"},
		{"p", "每个部门谁的月薪最高", "| 研发部 | 王芳 | 24000 |"},
		{"p", "who earns the most in each 部门", "| 研发部 | 王芳 | 24000 |"},
		{"p", "which 部门 has the most employees", "**市场部** (3)"},
		{"p", "哪个部门的人最多", "**市场部**（3）"},
		{"p", "每个部门最高的月薪是多少", "| 研发部 | 24000 |"},
		{"s", "which 仓库 has the cheapest product", "lowest 单价: **上海仓** (3)"},
		{"f", "哪个航空公司的航班最多", "行数最高的是 **B**（2）"},
		{"p", "average 月薪 of men and women", "| 男 | 17666.67 |"},
		{"p", "how much more do men earn than women on average", "17,666.67 for 男"},
		{"f", "average revenue per flight", "**50**"},
		{"f", "average revenue per flight by airline", "| B | 50 |"},
		{"f", "flights neither cancelled nor delayed", "flight **A1**"},
		{"f", "which airline has the highest cancellation rate", "**B** (50"},
		{"f", "cancellation rate", "**33.33"},
		{"p", "who earns the most", "The highest 月薪 is **24,000**"},
		{"p", "how many people work in 市场部", "**3**"},
		{"p", "研发和市场的平均月薪差多少", "**月薪平均**：市场部 为 16,000，研发部 为 22,000，差异 **+6000**"},
		{"f", "how much does B earn per passenger", "**3.33**"},
		{"f", "how many flights did B fly in March", "**1**"},
		{"f", "how many flights were late", "**2**"},
		{"f", "how many flights were on time", "**1**"},
		{"f", "flights delayed by more than 30 minutes", "| 75 |"},
		{"f", "list the delayed flights of B", "| 75 |"},
		{"f", "flights delayed by more than 2 hours", "?"},
		{"g", "哪个部门超支最多", "市场部**（5）"},
		{"g", "各部门超支多少", "| 研发部 | -10 |"},
		{"g", "how much was 市场部 over budget?", "**5**"},
		{"t", "研发部和市场部的平均月薪差多少", "**+6**"},
		{"t", "研发部比市场部月薪多多少", "**+6**"},
		{"s", "上海仓比北京仓库存多多少", "**+65**"},
		{"s", "上海仓比北京仓多几种商品", "**+0**"},
		{"s", "上海仓比北京仓库存价值多多少", "**-1000**"},
	} {
		a, response := r.query(c.session, `{"question":"`+c.question+`"}`)
		got := a.Answer
		if response.Status != bus.OK {
			got = "?" + response.Error.Message
		}
		if !strings.Contains(got, c.want) {
			t.Errorf("%s\n%s\nwant %s", c.question, got, c.want)
		}
	}
}
