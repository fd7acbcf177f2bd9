package table

import (
	"strings"
	"testing"
)

// What questions come to, worked out by hand from the table sales. A question that begins with "?" must not be answered.
var questions = []struct{ question, want string }{
	{"销售额合计是多少", "50680"},
	{"总销售额", "50680"},
	{"总共卖了多少件", "51"},
	{"一共有多少行", "12"},
	{"有几条记录？", "12"},
	{"平均单价是多少", "1897.5"},
	{"华东的销售额", "18060"},
	{"华东地区的总销售额是多少？", "18060"},
	{"各地区的销售额", "华东 18060; 华南 17620; 华北 15000"},
	{"每个地区的平均销售额", "华北 5000; 华南 4405; 华东 3612"},
	{"按地区统计销售额和数量", "华东 18060 27; 华南 17620 14; 华北 15000 10"},
	{"哪个地区的销售额最高", "华东 18060; 华南 17620; 华北 15000"},
	{"销售额最低的地区是哪个", "华北 15000; 华南 17620; 华东 18060"},
	{"销售额最高的2个城市", "上海 13160; 深圳 13100"},
	{"销售额前三的城市", "上海 13160; 深圳 13100; 天津 11600"},
	{"3月的销售额", "18120"},
	{"2024年3月的销售额是多少", "18120"},
	{"2024年一季度销售额", "37620"},
	{"每月销售额", "2024-01 8000; 2024-02 11500; 2024-03 18120; 2024-04 5300; 2024-05 7760"},
	{"哪个月的销售额最高", "2024-03 18120; 2024-02 11500; 2024-01 8000; 2024-05 7760; 2024-04 5300"},
	{"销售额的月度趋势", "2024-01 8000; 2024-02 11500; 2024-03 18120; 2024-04 5300; 2024-05 7760"},
	{"有多少个城市", "6"},
	{"每个地区有多少个城市", "华东 2; 华北 2; 华南 2"},
	{"各地区有多少笔", "华东 5; 华南 4; 华北 3"},
	{"销售额大于5000的有多少条", "4"},
	{"手机的销售额", "29100"},
	{"手机和平板的销售额分别是多少", "手机 29100; 平板 14900"},
	{"手机和平板一共的销售额", "44000"},
	{"除了手机以外的销售额", "21580"},
	{"各商品销售额占比", "手机 29100 57.42; 平板 14900 29.4; 耳机 6680 13.18"},
	{"华南在3月的销售额", "1520"},
	{"单价在200到2500之间的有几行", "5"},
	{"2024-02-01到2024-02-29的数量", "9"},
	{"销售额的中位数", "2950"},
	{"各地区销售额的中位数", "华南 4300; 华东 2900; 华北 2400"},
	{"上个月的销售额", "7760"},
	{"4月以后的销售额", "13060"},
	{"列出华北的记录", "2024-02-28 华北 北京 耳机 5 200 1000; 2024-03-15 华北 天津 手机 4 2900 11600; 2024-04-18 华北 北京 平板 1 2400 2400"},
	{"按商品和地区统计数量", "耳机 华东 22; 耳机 华南 8; 耳机 华北 5; 手机 华北 4; 平板 华南 3; 手机 华东 3; 手机 华南 3; 平板 华东 2; 平板 华北 1"},
	{"画一张每月销售额的折线图", "2024-01 8000; 2024-02 11500; 2024-03 18120; 2024-04 5300; 2024-05 7760"},
	{"各地区销售额的柱状图", "华东 18060; 华南 17620; 华北 15000"},
	{"用饼图画出各地区的销售额", "华东 18060; 华南 17620; 华北 15000"},
	{"华东和华南的手机卖了多少", "华东 3; 华南 3"},
	{"哪个商品卖得最多", "耳机 35; 手机 10; 平板 6"},
	{"卖了多少钱", "50680"},
	{"which product sold most?", "耳机 35; 手机 10; 平板 6"},
	{"total revenue by region as a bar chart", "华东 18060; 华南 17620; 华北 15000"},
	{"draw a pie chart of revenue by region", "华东 18060; 华南 17620; 华北 15000"},
	{"plot monthly revenue as a line graph", "2024-01 8000; 2024-02 11500; 2024-03 18120; 2024-04 5300; 2024-05 7760"},
	{"total revenue", "50680"},
	{"how many rows are there", "12"},
	{"total sales by region", "华东 18060; 华南 17620; 华北 15000"},
	{"average price per product", "手机 2920; 平板 2466.67; 耳机 192.5"},
	{"top 2 cities by revenue", "上海 13160; 深圳 13100"},
	{"which product has the highest revenue", "手机 29100; 平板 14900; 耳机 6680"},
	{"monthly revenue", "2024-01 8000; 2024-02 11500; 2024-03 18120; 2024-04 5300; 2024-05 7760"},
	{"revenue in March 2024", "18120"},
	{"revenue between 2024-02-01 and 2024-02-29", "11500"},
	{"how many cities", "6"},
	{"what is the maximum revenue", "2024-03-15 华北 天津 手机 4 2900 11600; 2024-02-14 华南 深圳 平板 3 2500 7500; 2024-01-05 华东 上海 手机 2 3000 6000; 2024-05-01 华南 深圳 手机 2 2800 5600; 2024-03-02 华东 上海 平板 2 2500 5000"},
	{"sum of quantity where revenue over 5000", "11"},
	{"1月到3月的销售额", "37620"},
	{"which region was best?", "华东 18060; 华南 17620; 华北 15000"},
	{"哪个地区最差", "华北 15000; 华南 17620; 华东 18060"},
	{"which product has the most rows", "手机 5; 耳机 4; 平板 3"},
	{"?rows where 销售额 > 0.75 * 单价", ""},
	{"?rows where quantity * 2 > 10", ""},
	{"?列出销售额大于 3 * 数量的记录", ""},
	{"3月之前的数量", "21"},
	{"销售额最高的2个月", "2024-03 18120; 2024-02 11500"},
	{"销售额最低的两个季度", "2024-Q2 13060; 2024-Q1 37620"},
	{"数量最多的2天", "2024-05-20 12; 2024-01-20 10"},
	{"上海有多少单，销售额多少", "13160 3"},
	{"how many rows and the revenue of 上海", "13160 3"},
	{"哪个城市单数最多，销售额多少", "上海 3 13160; 北京 2 3400; 广州 2 4520; 杭州 2 4900; 深圳 2 13100"},
	{"上海有多少件，销售额多少", "13160 16"},
	{"上海卖了多少单", "3"},
	{"没有上海的销售额", "37520"},
	{"每个地区销售额最高的商品", "华东 手机 8900; 华北 手机 11600; 华南 手机 8600"},
	{"每个地区卖得最好的商品", "华东 耳机 22; 华北 耳机 5; 华南 耳机 8"},
	{"top 2 cities per region by revenue", "华东 上海 13160; 华东 杭州 4900; 华北 天津 11600; 华北 北京 3400; 华南 深圳 13100; 华南 广州 4520"},
	{"worst product of each region by revenue", "华东 耳机 4160; 华北 耳机 1000; 华南 耳机 1520"},
	{"每个月销售额最高的城市", "2024-01 上海 6000; 2024-02 深圳 7500; 2024-03 天津 11600; 2024-04 杭州 2900; 2024-05 深圳 5600"},
	{"每个地区最高的销售额", "华北 11600; 华南 7500; 华东 6000"},
	{"lowest revenue per region", "华北 1000; 华南 1520; 华东 2000"},
	{"周六的销售额是多少", "11520"},
	{"revenue on Saturdays and Sundays", "11520"},
	{"周末卖了多少件", "21"},
	{"周一到周三的销售额", "19160"},
	{"按星期几看数量", "周一 13; 周三 10; 周四 1; 周五 6; 周六 21"},
	{"what day of the week has the highest revenue", "Friday 17600; Wednesday 14100; Saturday 11520; Monday 5060; Thursday 2400"},
	{"?上周六的销售额", ""},
	{"?revenue last Friday", ""},
	{"华东或者数量大于4的有多少行", "7"},
	{"数量小于2或大于9的有多少行", "5"},
	{"how many rows are in 华北 or have a quantity above 7", "6"},
	{"?4月华北或者数量大于7的有多少行", ""},
	{"华东的手机和华南的耳机的销售额", "华东 手机 8900; 华南 耳机 1520"},
	{"上海手机、深圳平板一共的销售额", "13500"},
	{"?华东的手机比华南的平板多多少", ""},
	{"华东和华南的销售额之比", "18060 17620 1.02"},
	{"ratio of 手机 revenue to 耳机 revenue in March 2024", "11600 1520 7.63"},
	{"?销售额之比是多少", ""},
	{"销售额超过15500的地区", "华东 18060; 华南 17620"},
	{"which cities have a quantity of at least 10", "上海 16; 杭州 11"},
	{"?有销售额超过5500的订单的城市", ""},
	{"销售额超过5000的商品有几个", "手机 29100; 平板 14900; 耳机 6680"},
	{"how many cities have revenue over 13000", "上海 13160; 深圳 13100"},
	{"每个城市销售额超过5000的笔数", "深圳 2; 上海 1; 天津 1"},
	{"销售额超过18000或低于15500的地区", "华东 18060; 华北 15000"},
	{"?销售额超过5000或单价超过2000的城市", ""},
	{"手机卖了多少钱，几件", "29100 10"},
	{"卖了几件，多少钱", "51 50680"},
	{"how much did 手机 bring and how many units", "10 29100"},
	{"how many 手机 did we sell in January", "2"},
	{"how much revenue and how many orders per region", "华东 18060 5; 华南 17620 4; 华北 15000 3"},
	{"3月有多少个城市，卖了多少钱", "3 18120"},
	{"卖了几件，有多少单", "51 12"},
	{"销售额的中位数和平均值", "2950 4223.33"},
	{"median and total revenue per region", "华南 4300 17620; 华东 2900 18060; 华北 2400 15000"},
	{"数量大于4的占比", "12 4 33.33"},
	{"?有没有上海的", ""}, // asks for those, and not for the others
	{"?是不是上海的销售额最高", ""},
	{"?城市的有多少单", ""},
	{"?商品的销售额", ""},
	{"?华西的销售额", ""},
	{"?火星上有多少人", ""},
	{"?sales in Atlantis", ""},
	{"?今天天气怎么样", ""},
}

func TestQuestions(t *testing.T) {
	b := mustBook(t, "sales.csv", sales)
	for _, c := range questions {
		question, none := strings.CutPrefix(c.question, "?")
		got, sql := answered(t, b, question)
		switch {
		case none && !strings.HasPrefix(got, "?"):
			t.Errorf("%s: answered %s by %s", question, got, sql)
		case !none && got != c.want:
			t.Errorf("%s\n  got  %s\n  want %s\n  %s", question, got, c.want, sql)
		}
	}
}

// What is said after the name of the file goes on with the question, and takes the place of what that said of the same.
func TestSaidLater(t *testing.T) {
	b := mustBook(t, "sales.csv", sales)
	for _, c := range []struct{ question, want string }{
		{"revenue per region (sales.csv), per product", "手机 29100; 平板 14900; 耳机 6680"},
		{"revenue per region (sales.csv), per product in March", "手机 11600; 平板 5000; 耳机 1520"},
		{"revenue per region (sales.csv), per product, per product in March", "手机 11600; 平板 5000; 耳机 1520"},
		{"revenue per region (sales.csv), per product, in March, in April", "手机 2900; 平板 2400"},
		{"每个地区的销售额（sales.csv），3月", "华北 11600; 华东 5000; 华南 1520"},
		{"每月的销售额（sales.csv），按商品", "手机 29100; 平板 14900; 耳机 6680"},
		{"3月华东的销售额（sales.csv），华北", "11600"},
		{"3月华东的销售额（sales.csv），华北，4月", "2400"},
		{"每个地区的销售额（sales.csv），数量", "华东 27; 华南 14; 华北 10"},
		{"每个地区的销售额（sales.csv），上海", "华东 13160"},
		{"revenue per region (sales.csv), split by product in March", "华北 手机 11600; 华东 平板 5000; 华南 耳机 1520"},
		{"每个地区的销售额（sales.csv），再按商品，3月", "华北 手机 11600; 华东 平板 5000; 华南 耳机 1520"},
		{"revenue per region (sales.csv), top 2", "华东 18060; 华南 17620"},
		{"revenue per region (sales.csv), top 1, top 2", "华东 18060; 华南 17620"},
		{"每个地区的销售额（sales.csv），前2名", "华东 18060; 华南 17620"},
		{"revenue per region (sales.csv), quantity over 4", "华东 4160; 华南 1520; 华北 1000"}, // a limit, and no other figure
		{"每个地区的销售额（sales.csv），从低到高排序", "华北 15000; 华南 17620; 华东 18060"},
	} {
		if got, sql := answered(t, b, c.question); got != c.want {
			t.Errorf("%s\n  got  %s\n  want %s\n  %s", c.question, got, c.want, sql)
		}
	}
}

// Rows without a value are found by what people call them, and are a share of all.
func TestBlanks(t *testing.T) {
	b := mustBook(t, "people.csv", "姓名,城市,电话,email,额\n张三,上海,13800000001,a@b.cn,1\n李四,上海,,,2\n王五,北京,13800000003,,4\n赵六,北京,13800000004,c@d.cn,8\n")
	for _, c := range []struct{ question, want string }{
		{"没有电话的有多少行", "1"}, {"没填email的有几条", "2"}, {"未填写电话的人有几个", "1"}, {"email没填的有多少行", "2"}, {"电话为空的额", "2"}, {"有没有没留电话的记录", "李四 上海   2"},
		{"how many rows have no phone", "?"}, {"how many rows have no 电话", "1"}, {"rows without an email", "李四 上海   2; 王五 北京 13800000003  4"}, {"how many rows are missing the email", "2"},
		{"电话缺失的占比", "4 1 25"}, {"what percentage of rows have no email", "4 2 50"}, {"每个城市没有电话的占比", "上海 2 1 50; 北京 2 0 0"}, {"有没有电话", "?"},
	} {
		if got, sql := answered(t, b, c.question); got != c.want && (c.want != "?" || !strings.HasPrefix(got, "?")) {
			t.Errorf("%s\n  got  %s\n  want %s\n  %s", c.question, got, c.want, sql)
		}
	}
}

// What is denied of a value is denied of it with its column's name before it, too.
func TestDeniedWithItsColumn(t *testing.T) {
	b := mustBook(t, "machines.csv", "machine,line,output,产线,产量\nM1,A,10,甲线,1\nM2,B,20,乙线,2\nM3,C,40,丙线,4\nM4,,80,,8\n")
	for _, c := range []struct{ question, want string }{
		{"total output without line C", "110"}, {"total output except line C", "110"}, {"total output excluding the line C", "110"}, {"total output not on line C", "110"},
		{"total output without line A and C", "100"}, {"total output of line C", "40"}, {"total output of rows without a line", "80"}, {"how many are without line C", "3"}, {"how many rows have no line C", "3"},
		{"除了产线丙线的产量合计", "11"}, {"不含产线丙线的产量合计", "11"}, {"产线不是丙线的产量合计", "11"}, {"产线丙线的产量合计", "4"},
	} {
		if got, sql := answered(t, b, c.question); got != c.want {
			t.Errorf("%s\n  got  %s\n  want %s\n  %s", c.question, got, c.want, sql)
		}
	}
}

// What was spent is what it cost, where the table has that beside what came in; what customers spent came in.
func TestSpent(t *testing.T) {
	for _, c := range []struct{ columns, question, want string }{
		{"收入,成本", "1月花了多少钱", "?"}, {"revenue,cost", "how much did we spend in January?", "?"}, {"收入,成本", "1月成本花了多少钱", "7"},
		{"收入,支出", "1月一共花了多少钱", "7"}, {"revenue,expense", "how much was spent in January?", "7"}, {"revenue,quantity", "how much did they spend in January?", "100"}, {"revenue,cost", "how much did January bring?", "100"},
	} {
		b := mustBook(t, "books.csv", "month,"+c.columns+"\n2024-01,100,7\n2024-02,300,1\n")
		if got, sql := answered(t, b, c.question); got != c.want && (c.want != "?" || !strings.HasPrefix(got, "?")) {
			t.Errorf("%s: %s\n  got  %s\n  want %s\n  %s", c.columns, c.question, got, c.want, sql)
		}
	}
}

// A plain amount is what was sold for, and no other amount is taken for it.
func TestPlainAmount(t *testing.T) {
	for _, c := range []struct{ header, question, want string }{
		{"地区,数量,金额", "每个地区的销售额是多少", "东 12; 西 7"},
		{"region,quantity,amount", "revenue by region", "东 12; 西 7"},
		{"地区,数量,退款金额", "每个地区的销售额", "?"},
		{"地区,金额,销售额", "每个地区的销售额", "东 12; 西 7"},
	} {
		b := mustBook(t, "sales.csv", c.header+"\n东,1,5\n东,2,7\n西,3,7\n")
		if got, sql := answered(t, b, c.question); got != c.want && (c.want != "?" || !strings.HasPrefix(got, "?")) {
			t.Errorf("%s: %s\n  got  %s\n  want %s\n  %s", c.header, c.question, got, c.want, sql)
		}
	}
}

// A column of yes and no is a condition of the rows by its name.
func TestYesAndNo(t *testing.T) {
	b := mustBook(t, "sales.csv", "城市,退款,sent,销售额\n上海,是,yes,10\n上海,否,no,20\n北京,,yes,40\n北京,是,no,80\n北京,是,yes,160\n")
	for _, c := range []struct{ question, want string }{
		{"退款的有多少单", "3"},
		{"已退款的销售额是多少", "250"},
		{"没有退款的有几单", "2"},
		{"未退款的销售额", "60"},
		{"退款为否的销售额", "20"},
		{"每个城市退款的有多少", "北京 2; 上海 1"},
		{"退款最多的城市", "北京 2; 上海 1"},
		{"按退款统计销售额", "是 250;  40; 否 20"},
		{"是否退款的销售额", "是 250;  40; 否 20"},
		{"退款的占比", "是 3 60;  1 20; 否 1 20"},
		{"total 销售额 that is sent", "210"},
		{"how many rows are not sent", "2"},
		{"退款为空的有多少行", "1"},
		{"有没有退款", "是 3;  1; 否 1"},
		{"退不退款的销售额", "?"},
		{"北京是不是退款最多", "?"},
	} {
		if got, sql := answered(t, b, c.question); got != c.want && (c.want != "?" || !strings.HasPrefix(got, "?")) {
			t.Errorf("%s\n  got  %s\n  want %s\n  %s", c.question, got, c.want, sql)
		}
	}
}

// A chart is of the kind that is asked for, where that can show it.
func TestChartAsked(t *testing.T) {
	b := mustBook(t, "sales.csv", sales)
	for question, want := range map[string]string{
		"各地区的销售额": "column", "用饼图画出各地区的销售额": "pie", "各地区销售额的条形图": "bar", "画一张每月销售额的柱状图": "column", "每月销售额": "line",
		"revenue by region as a line chart": "line", "monthly revenue as bar chart": "column", "2024年每天的销售额的饼图": "line",
	} {
		w, doubt := readWish(question, b.tables, today, nil)
		if doubt != nil {
			t.Errorf("%s: %s", question, doubt.zh)
			continue
		}
		r, err := b.query(t.Context(), w.sql("zh"))
		if err != nil {
			t.Fatal(err)
		}
		if c, ok := seriesOf(w, r, "zh"); !ok || c.Kind != want {
			t.Errorf("%s: %v %q, want %s", question, ok, c.Kind, want)
		}
	}
}
