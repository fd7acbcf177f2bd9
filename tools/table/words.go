package table

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// synonyms are groups of words that columns go by. A column that is called by one of a group is found by the others.
var synonyms = [][]string{
	{"销售额", "营业额", "收入", "营收", "流水", "成交额", "gmv", "revenue", "sales", "turnover", "sales amount", "income"},
	{"金额", "amount", "total amount"},
	{"销量", "数量", "件数", "销售量", "quantity", "qty", "units", "units sold", "pieces", "volume"},
	{"单价", "价格", "售价", "price", "unit price"},
	{"成本", "cost"},
	{"费用", "花费", "支出", "开支", "expense", "spend", "spending"},
	{"利润", "毛利", "毛利润", "盈利", "profit", "gross profit", "margin"},
	{"折扣", "discount"},
	{"库存", "存货", "stock", "inventory"},
	{"地区", "区域", "大区", "片区", "region", "area"},
	{"国家", "country", "nation"},
	{"省份", "省", "province", "state"},
	{"城市", "city", "town"},
	{"商品", "产品", "品名", "货品", "商品名称", "产品名称", "product", "item", "goods", "product name"},
	{"类别", "类目", "品类", "分类", "种类", "类型", "category", "type"},
	{"品牌", "brand"},
	{"客户", "顾客", "买家", "会员", "customer", "client", "buyer"},
	{"姓名", "名字", "name", "full name"},
	{"员工", "雇员", "职员", "employee", "staff", "worker"},
	{"销售员", "业务员", "销售代表", "salesperson", "sales rep", "rep", "seller"},
	{"部门", "科室", "department", "dept", "team"},
	{"职位", "岗位", "position", "title", "job"},
	{"工资", "薪资", "薪水", "月薪", "收入", "挣得", "挣的", "赚得", "赚的", "salary", "wage", "pay", "paid", "earn", "earns", "earned"},
	{"年龄", "age"},
	{"性别", "gender", "sex"},
	{"分数", "得分", "成绩", "评分", "score", "rating", "grade", "marks"},
	{"班级", "class"},
	{"渠道", "channel", "source"},
	{"店铺", "门店", "商店", "store", "shop", "branch"},
	{"仓库", "warehouse"},
	{"订单", "订单号", "订单编号", "order", "order id", "order number"},
	{"状态", "status", "state"},
	{"日期", "时间", "date", "time", "day", "下单时间", "订单日期", "order date"},
	{"温度", "气温", "temperature", "temp"},
	{"访问量", "浏览量", "播放量", "流量", "visits", "views", "traffic", "plays", "pv"},
	{"点击", "点击量", "clicks"},
	{"乘客", "乘客数", "旅客", "客流量", "人次", "passengers", "riders", "visitors", "attendance"},
	{"耗时", "延迟", "时延", "响应时间", "latency", "duration", "response time", "elapsed", "时长"},
	{"延误", "晚点", "延误时间", "晚点时间", "delay", "delays", "departure delay", "arrival delay"},
	{"航线", "路线", "route"}, {"航班", "flight"}, {"航空公司", "airline"},
	{"入职日期", "入职时间", "入职", "hire date", "hired", "join date", "joined", "start date"},
	{"学历", "education", "degree"},
	{"奖金", "bonus"},
	{"主机", "服务器", "host", "server"},
	{"路径", "path", "url", "endpoint"},
	{"机器", "设备", "机台", "machine", "equipment", "device"},
	{"产线", "生产线", "条线", "line", "production line"}, // 每条线
	{"故障次数", "故障数", "故障", "failures", "failure", "failure count", "breakdowns", "faults"},
	{"湿度", "humidity"}, {"速度", "车速", "speed"}, {"距离", "里程", "distance", "mileage"},
	{"重量", "体重", "weight"}, {"身高", "高度", "height"},
	{"账单", "账单金额", "费用", "bill", "charge", "charges"},
	{"患者", "病人", "patient"}, {"医生", "doctor", "physician"}, {"司机", "驾驶员", "driver"},
	{"学生", "学员", "student", "pupil"}, {"老师", "教师", "teacher"}, {"科目", "学科", "subject"}, {"课程", "course"}, {"学校", "school"},
	{"房间", "room"}, {"车辆", "vehicle"}, {"供应商", "supplier", "vendor"}, {"项目", "project"},
}

// plainAmounts are names of an amount that is what was sold for, unless another column says so more clearly.
var plainAmounts = []string{"金额", "总金额", "amount", "total amount", "total"}

var (
	brackets   = regexp.MustCompile(`[(（\[【][^)）\]】]*[)）\]】]`)
	unitTail   = regexp.MustCompile(` (?:ms|s|sec|secs|seconds|min|mins|minutes|hours|days|usd|cny|rmb|eur)$`) // latency_ms is a latency
	camel      = regexp.MustCompile(`([a-z0-9])([A-Z])`)
	identity   = regexp.MustCompile(`(?i)编号|单号|编码|代码|序号|电话|手机|邮编|身份证|账号|\b(?:id|code|no|number|phone|zip|sku|uuid|index)\b|_id$|号$`)
	intensive  = regexp.MustCompile(`(?i)单价|价格|售价|均价|率|占比|比例|年龄|评分|得分|分数|成绩|温度|气温|湿度|速度|折扣|薪|工资|耗时|延迟|时延|响应时间|\b(?:price|rate|ratio|percent|share|age|score|rating|grade|temp|temperature|humidity|speed|discount|salary|wage|height|weight|latency|duration|elapsed|response time)\b|身高|体重`)
	saysHow    = regexp.MustCompile(`^(?:单位|平均|总计|合计|累计|最[大小高低]|是否|有无|units?|average|avg|mean|total|sum|min|max|minimum|maximum|gross|net|is|has|was|per|number|num|count)$`) // at the head or the end of a column's name, and no name of it
	yearName   = regexp.MustCompile(`(?i)^(?:年|年份|年度|year|yr)$`)
	monthName  = regexp.MustCompile(`(?i)^(?:月|月份|month)$`)
	numberName = regexp.MustCompile(`\b(?:id|code|no|number|phone|zip|sku)$`)
	stateName  = regexp.MustCompile(`(?i)状态|级别|类型|\b(?:status|state|level|type|version|port|pid)\b`)
	personName = regexp.MustCompile(`(?i)姓名|名字|客户|顾客|买家|员工|销售员|业务员|学生|人员|\b(?:name|customer|client|buyer|employee|salesperson|rep|student|person|seller|user)\b`)
)

// alias is a way to call a column; weight is higher for its own name than for what only means the like.
type alias struct {
	text   string
	weight int
}

// aliases are how a column may be called, in lower case.
func aliases(c *Column, more map[string]string) []alias {
	own := fold(c.Name)
	bare := strings.TrimSpace(brackets.ReplaceAllString(own, ""))
	apart := spelled(c.Name)
	unitless := unitTail.ReplaceAllString(apart, "") // once, and not for each group
	out := []alias{{own, 5}, {bare, 5}, {apart, 5}}
	for _, group := range synonyms {
		if slices.Contains(group, bare) || slices.Contains(group, apart) || slices.Contains(group, unitless) {
			for _, w := range group {
				out = append(out, alias{w, 3})
			}
			continue
		}
		for _, w := range group {
			if len([]rune(w)) > 1 && isHan(w) && strings.HasSuffix(bare, w) || !isHan(w) && strings.HasSuffix(apart, " "+w) {
				for _, o := range group {
					out = append(out, alias{o, 2})
				}
				break
			}
		}
	}
	if one := strings.TrimSuffix(apart, "s"); len(one) > 3 && one != apart && !strings.HasSuffix(one, "s") && apart != "sales" {
		out = append(out, alias{one, 3})
	}
	if slices.Contains(plainAmounts, bare) || slices.Contains(plainAmounts, apart) {
		for _, w := range synonyms[0] {
			out = append(out, alias{w, 2})
		}
	}
	for said, name := range more { // what the person says that a word means
		if strings.EqualFold(fold(name), own) || fold(name) == bare || fold(name) == apart {
			out = append(out, alias{fold(said), 5})
		}
	}
	if rs := []rune(bare); len(rs) > 2 && isHan(bare) {
		out = append(out, alias{string(rs[len(rs)-2:]), 1}, alias{string(rs[:2]), 1})
	}
	if words := strings.Fields(apart); len(words) > 1 {
		out = append(out, alias{words[len(words)-1], 1}, alias{words[0], 1})
	}
	out = slices.DeleteFunc(out, func(a alias) bool { return a.weight == 1 && saysHow.MatchString(a.text) })
	return slices.DeleteFunc(out, func(a alias) bool { return a.text == "" || a.weight < 5 && len([]rune(a.text)) < 2 })
}

// spelled is the name of a column as words: unit_price and unitPrice are unit price.
func spelled(name string) string {
	return strings.Join(strings.Fields(strings.NewReplacer("_", " ", "-", " ", ".", " ").Replace(fold(camel.ReplaceAllString(brackets.ReplaceAllString(name, ""), "$1 $2")))), " ")
}

// fold is a text in lower case with narrow signs, so that words compare.
func fold(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= '！' && r <= '～':
			r -= '！' - '!'
		case r == '　':
			r = ' '
		}
		return unicode.ToLower(r)
	}, s)
}

func isHan(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.Is(unicode.Han, r) })
}

func latin(b byte) bool {
	return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || b == '_'
}

// Words of a question, by what they say.
var (
	reMean      = regexp.MustCompile(`平均(?:值|数)?|均值|人均|\b(?:on )?average\b|\bmean\b|\bavg\b`)
	reSum       = regexp.MustCompile(`总和|总计|总共|合计|一共|共计|加起来|累计|总额|总(?:的)?|\btotals?\b|\bsum(?: of)?\b|\baltogether\b|\bin all\b|\boverall\b|\bcombined\b`)
	reTogether  = regexp.MustCompile(`合计|一共|共计|总共|加起来|\baltogether\b|\bin all\b|\bcombined\b|\btogether\b`)
	reMedian    = regexp.MustCompile(`中位数|中位|\bmedian\b`)
	reCount     = regexp.MustCompile(`有?(?:多少|几)(?:行|条记录|条|个|单|笔|名|人|次|种|家|位|件|台|款|项|份|张|类)(?:数据|记录|请求|订单|交易|员工|同事)?|有?(?:多少|几)(?:订单|请求|交易|记录|员工)|有多少|订单数量?|请求数量?|请求量|交易数量?|访问次数|员工数量?|行数|条数|个数|人数|员工数|单数|次数|总行数|记录数|计数|\b(?:how many|number of)(?: (?:rows|records|orders|entries|transactions|purchases|requests|hits|events|calls|people|persons|employees))?\b|\bcount(?: of)?\b|\bheadcount\b`)
	reRows      = regexp.MustCompile(`(?:多少|几)(?:行|条|单|笔)|[行条单]数|记录数|人数|员工数|(?:多少|几)[个名位]?(?:人|员工|同事|职员|学生)|\b(?:how many|number of) (?:rows|records|orders|entries|transactions|purchases|requests|hits|events|people|persons|employees|staff|students)\b|\bheadcount\b`) // counts that can only be of rows
	reDistinct  = regexp.MustCompile(`不同的?|不重复的?|去重后?的?|\bdistinct\b|\bunique\b|\bdifferent\b`)
	reShare     = regexp.MustCompile(`占(?:总\S{0,4}的?)?(?:比例?|多少|百分之几)|占比|所占|比例|份额|百分比|百分之几|\b(?:percentage|percent|proportion|share)(?: of(?: the)?(?: total)?)?\b`)
	reShares    = regexp.MustCompile(`占(?:总|全部|整体|所有)?的?$`)
	reHowShare  = regexp.MustCompile(`^(?:总额|合计)?的?(?:多少|比例?|百分之几|几成)`)
	reOfTotal   = regexp.MustCompile(`占(?:总|全部|整体|所有)|\bof (?:the )?(?:total|overall|whole)\b`)
	reHigh      = regexp.MustCompile(`最高|最大|最多|最好|最贵|最长|最强|最畅销|\bhighest\b|\blargest\b|\bbiggest\b|\bgreatest\b|\bmost\b|\bmaximum\b|\bmax\b|\bbest(?:[- ]selling)?\b|\blongest\b|\boldest\b|\bmost expensive\b|\btop\b`)
	reLow       = regexp.MustCompile(`最低|最小|最少|最差|最便宜|最短|\blowest\b|\bsmallest\b|\bleast\b|\bfewest\b|\bminimum\b|\bmin\b|\bworst\b|\bcheapest\b|\byoungest\b|\bbottom\b`)
	reTopN      = regexp.MustCompile(`(?:排名)?前\s*([0-9]+|[一二两三四五六七八九十]+)\s*(?:名|个|位|条|行|种|家|大|天|款|项)?|\b(?:top|first|highest|largest|biggest|best) ([0-9]+|two|three|four|five|six|seven|eight|nine|ten)\b|\b([0-9]+|two|three|four|five|six|seven|eight|nine|ten) (?:highest|largest|biggest|best|most)\b`)
	reBottomN   = regexp.MustCompile(`(?:倒数|最后|后)\s*([0-9]+|[一二两三四五六七八九十]+)\s*(?:名|个|位|条|行|种|家|天|款|项)|\b(?:bottom|lowest|smallest|worst|last) ([0-9]+|two|three|four|five|six|seven|eight|nine|ten)\b`)
	reOfN       = regexp.MustCompile(`^\s*的?\s*([0-9]+|[一二两三四五六七八九十]+)\s*(?:(?:个)?(月|季度|周|星期|天|日|年)|名|个|位|条|行|种|家|大|款|项)`)
	reList      = regexp.MustCompile(`列出|列一下|显示|展示|查看|看看|找出|有哪些|哪些|明细|记录|\blist\b|\bshow\b|\bfind\b|\bdisplay\b|\brows\b|\brecords\b|\bdetails\b`)
	reEach      = regexp.MustCompile(`(?:每一?[个台位种款家名类条张间辆]?|各[个台位种款家名类条间辆]?|按照?|依照?|根据|不同的?|分|哪一?[个些种家位款台条间辆名]?|哪几个|什么|\bby(?: the| each)?|\bper|\beach|\bevery|\bacross(?: all| the)?|\bwhich|\bwhat|\bfor all)\s*$`)
	reEachBack  = regexp.MustCompile(`^\s*(?:分布|排名|排行榜?|分组|分类汇总|对比|的?分别|(?:s|es)? (?:with|that|has|have|had|sold|distribution|ranking|breakdown))`)
	reAnd       = regexp.MustCompile(`^\s*(?:和|与|及|、|,|，|and|&)\s*(?:by\s+)?$`)
	reRowNoun   = regexp.MustCompile(`请求|订单|交易|\b(?:orders?|transactions?|requests?|hits?|events?|log lines?|people|persons?|employees?)\b`) // what rows are called
	rePopular   = regexp.MustCompile(`最?(不)?(?:受欢迎|热门|抢手|吃香|繁忙)|最忙|最?(冷门|滞销|冷清)|\b(?:most )?(?:(un|least )?popular)\b|\bbusiest\b|\b(quietest)\b`)
	reBrings    = regexp.MustCompile(`\b(?:sent|generated?s?|produced?s?|received?|served?|handled?|contributed?s?|earned|brought in)\s+(?:the )?(?:most|least|highest|lowest|fewest|largest|smallest)\b`)
	reFirstRows = regexp.MustCompile(`前\s*(?:[0-9]+|[一二两三四五六七八九十]+)\s*[天日周月行条]|\bfirst (?:[0-9]+|two|three|four|five|six|seven|eight|nine|ten) (?:rows|records|lines|days|weeks|months)\b`) // in the order of the file, or of time
	reUnits     = regexp.MustCompile(`(?:多少|几)(?:件|台|只|部|瓶|箱|套|斤|公斤)|\bhow many (?:units|pieces|items)\b`)
	reRanked    = regexp.MustCompile(`^\s*最[多少高低]`)
	rePieces    = regexp.MustCompile(`卖(?:得|了|出|掉)*(?:最[多少好差]|(?:多少|几)(?:[^钱块元]|$))|畅销|滞销|受欢迎|热门|冷门|抢手|吃香|繁忙|最忙|冷清|popular\b|\bbusiest\b|\bquietest\b|\b(?:sold|sells?)(?: the)? (?:most|best|least)\b|\b(?:most|least) sold\b|\bbest[- ]?selling\b`)
	reMoney     = regexp.MustCompile(`(?:卖|花|消费)(?:得|了|出|掉)*(?:[^，,]{0,20}[，,、和及]\s*)?(?:总共|一共|共)?多少(?:钱|块|元)|\bhow much (?:money )?(?:did|does|do|was|were|have|has)\b.{0,80}\b(?:br(?:ing|ought)|earn(?:ed)?|t(?:ake|ook)|spen[dt]|(?:sold|sell) for)\b`)
	reTaken     = regexp.MustCompile(`\b(?:br(?:ing|ought)|earn(?:ed)?|t(?:ake|ook)|spen[dt])(?: in)?\b`)
	reSpent     = regexp.MustCompile(`花|消费|\bspen[dt]\b`)
	reSold      = regexp.MustCompile(`\b(?:sold|sell|bought|buy)\b`)
	reSales     = regexp.MustCompile(`\b(?:how many|number of) sales\b(?: (?:were|are) there| did we (?:make|have))?`)
	reHowMuch   = regexp.MustCompile(`^(?:有?(?:多少|几)[个名种]?|how many|number of|count of)`)
	reHowMany   = regexp.MustCompile(`\bhow many\s+$`)
	reWho       = regexp.MustCompile(`谁|哪个人|\bwho\b`)
	reTrend     = regexp.MustCompile(`趋势|走势|变化情况|变化|\bover time\b|\btrends?\b`)
	reCompare   = regexp.MustCompile(`对比|比较|相比|分别|\bversus\b|\bvs\.?|\bcompare[ds]?(?: to| with)?\b|\brespectively\b`)
	reNot       = regexp.MustCompile(`(?:[既也又并都]?(?:不是|不在|不属于|不等于|非|没有?|未|不)|除了?|除去|除开|排除|去掉|剔除|扣除|刨去|抛开|不含|不包[括含]|不[算计要看])\s*$|` +
		`\b(?:except(?:ing)?|excluding|exclude|(?:but )?not|neither|nor|other than|apart from|aside from|without|outside|ignoring|leaving out|(?:everything|everyone|all|any|anything) but)(?: (?:for|in|on|at|from|of|by|counting|including|the|those))*\s*$`)
	reNotAfter = regexp.MustCompile(`^\s*(?:的?(?:以外|之外|除外)|不[算计]在?内?|\b(?:excluded|aside)\b)`)
	reWhether  = regexp.MustCompile(`(?:是否|有没有|\bwhether)\s*$`)
	reAlready  = regexp.MustCompile(`(?:已经?|有|\bwere|\bwas|\bare|\bis|\bthat)\s*$`)
	reOrder    = regexp.MustCompile(`从高到低|从大到小|降序|由高到低|\bdescending\b|\bfrom high(?:est)? to low(?:est)?\b`)
	reOrderUp  = regexp.MustCompile(`从低到高|从小到大|升序|由低到高|\bascending\b|\bfrom low(?:est)? to high(?:est)?\b`)
	reSort     = regexp.MustCompile(`排序|排列|排个序|\bsort(?:ed)?(?: by)?\b|\border(?:ed)? by\b|\branked? by\b`)
	reEmpty    = regexp.MustCompile(`^\s*(?:(?:一栏|列)?(?:都|还)?(?:为空白?|是空白?的?|空着|空缺|缺失|没有?填写?|未填写?|没有?留|不填)的?|\b(?:is|are|was|were) (?:empty|missing|null|blank|not (?:given|filled(?: in)?)))`)
	reLacks    = regexp.MustCompile(`(?:没有?(?:填写?|留下?|登记)?了?|未(?:填写?|留下?|登记)?|无|缺少?|缺失|漏填|\bwithout(?: an?| any| the)?|\bno|\bmissing(?: an?| any| the)?|\black(?:s|ing)?(?: an?| any| the)?)\s*$`)
	reAnyRows  = regexp.MustCompile(`有没有|有无|是否有`)
	reHow      = regexp.MustCompile(`(?:是|有|为|卖了|达到?了?)?多少钱?|怎么样|如何|情况|\bhow much(?: is| was| are| were| did we)?\b`)
)

// drawnWords are the kinds of chart that a question may ask for.
var drawnWords = []struct {
	kind string
	re   *regexp.Regexp
}{
	{"line", regexp.MustCompile(`(?:折线|曲线|线形|线状)图?|\bline (?:chart|graph|plot|diagram)s?\b`)},
	{"bar", regexp.MustCompile(`条形图?|横向?柱状图|\bhorizontal bar (?:chart|graph|plot|diagram)s?\b`)},
	{"column", regexp.MustCompile(`(?:柱状|柱形)图?|\b(?:bar|column) (?:chart|graph|plot|diagram)s?\b`)},
	{"pie", regexp.MustCompile(`(?:饼状|饼形|饼)图|\bpie(?: (?:chart|graph|plot|diagram)s?)?\b`)},
}

var reDraw = regexp.MustCompile(`(?:画|绘制?)(?:出|成|为)?(?:一?[张个幅])?|\b(?:draw|drawn|visuali[sz]ed?)\b`)

// grainWord are the words by which times are put together so.
type grainWord struct {
	grain grain
	re    *regexp.Regexp
}

// grains are the words for what times are put together by.
var grainWords = []grainWord{
	{byHour, regexp.MustCompile(`每一?个?小时|按小时|逐小时|各个?小时|哪一?个?小时|\bhourly\b|\b(?:by|per|each|every|which|what)(?: the)? hour\b|\bhour by hour\b`)},
	{byDay, regexp.MustCompile(`每一?[天日]|按[天日]|逐[天日]|各[天日]|哪一?天|\bdaily\b|\b(?:by|per|each|every|which|what)(?: the)?(?: [0-9]{1,2}| two| three| four| five)? (?:days?|dates?)\b|\bday by day\b`)},
	{byWeek, regexp.MustCompile(`每一?个?(?:周|星期)|按周|逐周|各周|哪一?周|周度|\bweekly\b|\b(?:by|per|each|every|which)(?: [0-9]{1,2}| two| three)? weeks?\b|\bweek by week\b`)},
	{byMonth, regexp.MustCompile(`每一?个?月份?|按月份?|逐月|各个?月份?|哪(?:一|[0-9]+|[两三四五六七八九十])?个?月份?|月度|\bmonthly\b|\b(?:by|per|each|every|which|what)(?: [0-9]{1,2}| two| three| four| five| six)? months?\b|\bmonth by month\b`)},
	{byQuarter, regexp.MustCompile(`每一?个?季度?|按季度?|逐季|各个?季度?|哪一?个?季度|\bquarterly\b|\b(?:by|per|each|every|which)(?: [0-9]| two| three)? quarters?\b`)},
	{byHalf, regexp.MustCompile(`每个?半年|按半年|逐半年|各个?半年|半年度|\bhalf[- ]?yearly\b|\b(?:by|per|each|every|which) half(?: of the year|[- ]year)?\b`)},
	{byYear, regexp.MustCompile(`每一?年|按年份?|逐年|各年|哪一?年|年度|\byearly\b|\bannual(?:ly)?\b|\b(?:by|per|each|every|which|what)(?: [0-9]{1,2}| two| three)? years?\b|\byear by year\b`)},
}

// noise are words that may be left over: they say nothing that a question of rows would not say anyway.
var noise = regexp.MustCompile(`请问?|以外|之外|外|帮我|帮忙|给我|告诉我|我想|想要|想|要|知道|统计|查询|查找|查一?下|查|计算|算一?下|算|求出?|汇总|分析|画图|画个图|图表|图|表格|表里面?|表中|表|数据|文件|里面?|中间?|当中|其中|所有的?|全部的?|全|一下|一共|都|的话|的|了|呢|吗|吧|么|是|有|和|与|及|以及|并|跟|或者?|在|于|对|从|到|把|被|让|用|以|为|各自|分别|分组|值|数|列|行|这个?|那个?|它|结果|情况|哪[些个台间辆]|哪|什么|多少|几|谁|个|名|条|位|家|种|件|单|人|笔|次|卖|买|还|工作|任职|其[他它余]|并?且|而且|但是?|同时|之间|其|满足|条件|符合|记录|明细|排名|排行|排序|按照?|根据|每个?|各个?|内|上|下|出|来|去|再|看|看看|显示|列出|展示|也|还|就|只|仅|最|比|更|第|期间|时候|时间段|月份?|年份?|季度|天|日|周|` +
	`\b(?:split|per sale|comes?|came|the|a|an|of|in|on|at|for|from|to|by|per|with|and|or|is|are|was|were|be|been|do|does|did|has|have|had|what|which|who|whose|where|when|how|many|much|that|this|these|those|there|it|its|i|we|our|us|me|my|you|your|please|show|give|tell|list|find|get|calculate|compute|count|display|return|report|table|file|data|dataset|sheet|rows?|records?|entries|values?|all|each|every|any|as|than|then|want|need|know|like|would|could|can|sort|sorted|order|ordered|group|grouped|ranked?|broken|down|chart|plot|graph|only|just|their|they|them|also|into|over|sold|sells|selling|works?|working|worked|lives?|living|based|located|fly|flies|flew|flown|operated?|placed?|got|receive[ds]?|handled?|but|per sale|made|bought|sell|number|amount|make|whole|respective|respectively|between|during|within|across|out|up|if|not|one|ones|not|s)\b`)

var numerals = map[string]int{
	"一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9, "十": 10, "二十": 20, "三十": 30, "五十": 50,
	"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
}
