package plan

import (
	"strconv"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// everyday are short ways to say what is said otherwise everywhere else: 最贵的一单 is an order, 买过几次洋酒 asks how many orders of it there are,
// monthly sales are sales by month, and the month so far is this month.
var everyday = []struct {
	*words.Pattern
	put string
}{
	{words.MustCompile(`(最\p{Han}{1,2}的?)(?:那|这)?一?[单笔](是|呢|在|有|花|买|付|下|什么|哪|多少|谁|[，,。？?！!]|$)`), "${1}订单${2}"},
	{words.MustCompile(`哪一?[单笔](?:是|金额|花的?钱?)?(最\p{Han}{1,2}?)([呢啊？?。]|$)`), "${1}的订单是哪个${2}"},
	{words.MustCompile(`(买|订购?|购买)(?:过|了)?(?:几|多少)[次回单笔](\p{Han}[^，,。？?！!呢吗了]{1,20})`), "${1}${2}的订单有几个"},
	{words.MustCompile(`(?i)\b(?:(hour)|(dai)|(week)|(month)|(quarter)|(year))ly (sales|revenues?|turnover|profits?|orders|refunds)( (?:figures|numbers|totals?|amounts?))?\b`), "${7} by ${1}${2}${3}${4}${5}${6}"},
	{words.MustCompile(`退[得的](最|更|比较)([多少高])`), "退货${1}${2}"},
	{words.MustCompile(`(?i)\b(?:so far this (week|month|quarter|year)|(?:the |this |the current )?(week|month|quarter|year)[- ](?:so far|to[- ]date|until (?:now|today)|up to (?:now|today)))\b`), "this ${1}${2}"},
}

// rated are shares that have a name of their own, which what tells the figure knows: what percent of orders get refunded is the refund rate, and how many orders a customer
// places on average is a mean of customers.
var rated = []struct {
	*words.Pattern
	put string
}{
	{words.MustCompile(`(?i)\b(?:(?:what|which|how much|how many|the)(?:'s| is| was)? )?(?:the )?(?:percent(?:age)?|per cent|share|proportion|fraction|part|ratio) of (?:the |our |my |all )*orders\b([a-z0-9 ]{0,30}?)(?: that| which)?(?: (?:get|gets|got|are|is|were|was|end up|ended up|have been|has been|had been|being))+ refunded\b`), "what is the refund rate${1}"},
	{words.MustCompile(`(?:有)?(?:百分之几|百分之多少|多大比例|多少比例|几成)的订单(?:被|申请|发生|要|会|都)*退[了过]?款(?:了)?|(?:已)?退款(?:的)?订单(?:数|量)?(?:的)?(?:占比|占(?:了|全部|所有|总)*(?:订单)?(?:的)?(?:比例|多少|百分之几|百分之多少|几成)|比例)|订单(?:的)?退款(?:的)?(?:占比|比例|百分比)`), "退款率"},
	{words.MustCompile(`(?i)\b(?:(?:the )?price of )?how much (the [a-z ]{2,30}?) (?:is|are|costs?)(?: right)? (?:now|today|at the moment)\b`), "what is the price of ${1}"},
	{words.MustCompile(`(\p{Han}{2,})(?:现在|目前|如今|眼下)(?:卖|要|是)?(?:多少钱|什么价钱?|啥价)`), "${1}多少钱"},
	{words.MustCompile(`(?i)^how much (?:is|are|does|do|for) (?:a|an|one) ([a-z][a-z-]{1,20}(?: [a-z-]{2,20})?)(?: cost)?\s*\?*$`), "what is the price of a ${1}"},
	{words.MustCompile(`(?i)\bhow many orders (?:did|do|have) (?:the |our )?([a-z]+) (?:customers|buyers|clients) (?:place|make|put in)d?\b`), "how many orders from ${1}"},
	{words.MustCompile(`(?:单价|客单价|单笔金额|单笔)最[高大]的(?:订单|单子|一单)`), "最贵的订单"},
	{words.MustCompile(`(?:单价|客单价|单笔金额|单笔)最[低小]的(?:订单|单子|一单)`), "最便宜的订单"},
	{words.MustCompile(`^(?:有一?[个位])?(?:客户|买家|顾客|客人)[^，,。？?]{0,24}[，,]\s*(\p{Han}{2,}多少钱)`), "${1}"},
	{words.MustCompile(`(?i)^(?:a|the|one|some|my) (?:customer|buyer|client) (?:asks|asked|is asking|wants to know|wanted to know|would like to know|says|said)\b[^?.]{0,40}?(what is the price of )`), "${1}"},
	{words.MustCompile(`周末(?:和|与|跟|还是|或)(?:者)?(?:工作日|平日|平时|周中)(?:相?比)?[，,]?(?:哪个|谁|哪边|哪种)?(卖得?|销量|销售额|订单)(?:更|比较|最)?([多好高])`), "按周末统计销售额"},
	{words.MustCompile(`(?i)\bwhat (do|does|did) (?:we|you|i|(?:the|our|my) (?:shop|store)) sell (?:the )?(?:most|best)(?: of)?\b|\bwhat sells (?:the )?(?:most|best)\b`), "what is the best selling product"},
	{words.MustCompile(`(?:如果|假如|要是)?([^，,]{0,6}目标(?:是|为|定为|定在)?[^，,。]{1,10})[，,](今[年天]|本[年月周季]度?|这一?个?(?:月|周|星期|季度)|到?目前|现在)(?:我们)?(还?[差缺].{1,6})`), "${2}${1}，${3}"},
	{words.MustCompile(`(?i)\bhow many orders (?:does|do|did|has|have) (?:a|an|each|every|the average|one)(?: average)? (?:customer|buyer|client)s? (?:place|make|have|placed|made|put in)d?(?: on average)?`), "how many orders per customer on average"},
	{words.MustCompile(`(?:平均|人均)(?:每一?|一)[个位名]?(?:客户|顾客|买家|用户|人)(?:平均)?(?:买|下|订|购买|有)[了过]?(?:几|多少)个?(?:单|笔|次|订单)|每一?[个位名]?(?:客户|顾客|买家|用户|人)平均(?:买|下|订|购买|有)[了过]?(?:几|多少)个?(?:单|笔|次|订单)`), "平均每个客户的订单数"},
}

// passing are questions of a shop's owner in passing, which name neither the figure nor the thing that they are of, and so are found nowhere: an average order
// is the average order value, what is agreed to are refunds, and a sum that is still to be reached without days is that of this month.
var passing = []struct {
	*words.Pattern
	put string
}{
	{words.MustCompile(`(?:平均(?:下来)?(?:每一?|一)(?:单|[笔个张]订单)|(?:每一?|一)(?:单|[笔个张]订单)平均(?:下来)?)(?:是|能|要|可以|大概|差不多)*(?:[卖买花付有])?(?:多少钱?|几块钱?)(?:[呢啊]?[?？。]?$)`), "客单价是多少"},
	{words.MustCompile(`(?i)^(?:how (?:big|large|high|much) (?:is|was)|what (?:is|was)) (?:an|the|our) average order(?: (?:worth|size))?\b( (?:today|yesterday|(?:this|last) [a-z]+|in [a-z0-9 ]+))?[?.! ]*$`), "what is the average order value${1}"},
	{words.MustCompile(`(?:我们?|咱们?|本|这家|你们)?的?店(?:铺|里)?的?(?:业绩|(?:经营|运营)(?:情况|状况|数据)?)得?(怎么样|如何|怎样|好不好|好吗|还好吗)`), "生意${1}"},
	{words.MustCompile(`发票(?:都|还)?(?:没有?|未)(?:开|申请)(?:出来|好|过)?的(?:订单)?`), "没开发票的订单"},
	{words.MustCompile(`(?i)^how(?:(?:'s| is| are| have| has) (?:we|things|the shop|our shop|the store|our store|(?:the |our )?business|it all)(?: been)? (?:doing|going|looking|getting on))\b`), "how is business"},
	{words.MustCompile(`^(\p{Han}{2,6}?)占(?:总|全部|所有|全店)(?:的)?订单(?:数|量)?(?:的)?(几成|比例|多少|百分之几|百分之多少|占比)`), "${1}的订单占所有订单的${2}"},
	{words.MustCompile(`^(?:我们?|店里|咱们?)?(?:现在|目前)?[离距](?:离)?(?:目标)?(\d+(?:\.\d+)?[万千wW]?元?)(?:的目标)?还(?:[差缺]多少钱?|有多远|有多少)([?？]?)$`), "本月离${1}还差多少"},
	{words.MustCompile(`(同意|拒绝)了?(多少|几个|几[笔单])钱?([?？]?)$`), "${1}的退款有${2}"},
	{words.MustCompile(`^(?:请问)?(?:开店)?(?:店铺)?(?:的)?(?:保证金|押金)(?:一般|大概)?(?:要|需要|得)?(?:交|缴|付)?(?:多少钱?)[?？]?$|^(?:开店)?(?:要|需要|得)(?:交|缴|付)(?:多少钱?的?)保证金[?？]?$`), "保证金的规则"},
	{words.MustCompile(`(?i)^(?:which|what)(?:'s| is| was)? (?:the |our )?(weekday|day of the week|day|month|week|hour) (?:is|was|are|were) (?:the |our )?(?:slowest|quietest|weakest|deadest)\b`), "which ${1} has the lowest sales"},
	{words.MustCompile(`(?i)^(?:which|what)(?:'s| is| was)? (?:the |our )?(weekday|day of the week|day|month|week|hour) (?:is|was|are|were) (?:the |our )?(?:busiest|strongest)\b`), "which ${1} has the highest sales"},
	{words.MustCompile(`(周几|星期几|哪个?月|哪天|哪个时段)(?:的)?(?:生意)?最(?:冷清|清淡|淡)`), "${1}销售额最低"},
	{words.MustCompile(`(?i)^(?:which|what) (?:ad|ads|advertising|marketing|promotion) channel (?:is|was|did|does|performed|performs) (?:the )?worst\b`), "which channel has the lowest ROI"},
	{words.MustCompile(`(?i)^(?:which|what) (?:ad|ads|advertising|marketing|promotion) channel (?:is|was|did|does|performed|performs) (?:the )?best\b`), "which channel has the highest ROI"},
	{words.MustCompile(`(?i)\b(which|what) (product|category|brand|item)s? (?:gets?|got) (?:returned|sent back) (?:the )?most(?: often)?\b`), "${1} ${2} has the most returns"},
	{words.MustCompile(`(?i)^(?:what(?:'s|s| is| was) )?(?:the |our )?(?:percent(?:age)?|per cent|share|proportion) of (?:the |our |all )?(?:(cancel)l?(ed)|(completed|shipped|unpaid|unshipped)) orders\b`), "what percentage of orders were ${3}${1}${2}"},
	{words.MustCompile(`包裹(?:已经|都)?(超时|逾期)(?:了)?(?:还)?(?:没有?|未)发(?:货|出|走)?`), "${1}没发货的订单"},
	{words.MustCompile(`(?i)^who(?:'s| has| have)? spent (over|more than|above|at least|under|less than|below) `), "which customers spent ${1} "},
	{words.MustCompile(`^谁(?:总共|一共|累计)?(?:花|消费)(?:了|过)?(?:超过|不止|多于)了?`), "哪些客户消费超过"},
	{words.MustCompile(`(?:每天平均|平均每天|一天平均)(?:有|接|能接|卖|来)?(?:了)?(?:几|多少)(?:单|个订单)`), "日均订单数"},
	{words.MustCompile(`(同意|拒绝|驳回)了(?:几|多少)[笔单个条]?的?((?:退款|退货)(?:申请)?)`), "已${1}的${2}有多少"},
	{words.MustCompile(`(^|[^已被有没未不要别请把先再])(同意|拒绝|驳回)了?的((?:退款|退货)(?:申请)?)`), "${1}已${2}的${3}"},
	{words.MustCompile(`^(谁买得?最多)[，,](?:他|她)?(?:一共|总共|共)?(?:买|花|消费)了?(?:多少钱?|几单|几次)[?？]?$`), "${1}"},
	{words.MustCompile(`(?i)\b(?:biggest|largest|top) (refunds?)\b`), "highest ${1}"},
	{words.MustCompile(`(?i)\b(?:the )?worst (?:(\d{1,2}) )?(?:products|items)( (?:last|this|in|of|today|yesterday)\b|[?.! ]*$)`), "which ${1} products have the lowest sales${2}"},
	{words.MustCompile(`(?i)\b(?:the )?best (?:(\d{1,2}) )?(?:products|items)( (?:last|this|in|of|today|yesterday)\b|[?.! ]*$)`), "which ${1} products have the highest sales${2}"},
	{words.MustCompile(`(?i)\bbest (margins?|profits?)\b`), "highest ${1}"},
	{words.MustCompile(`(?i)\bworst (margins?|profits?)\b`), "lowest ${1}"},
	{words.MustCompile(`哪些(?:商品|产品)(?:该|应该|应当|需要|适合|值得)(?:降价|涨价|提价|调价|加价)(?:了)?[呢啊]?[?？]?$`), "全店的定价建议"},
	{words.MustCompile(`(?i)^(?:which|what) (?:products|items|goods) (?:should|could|need to|ought to) (?:i|we) (?:raise|lower|cut|increase|reduce) (?:the )?prices? (?:of|for|on)\b|^(?:which|what) (?:products|items|goods) (?:should|need to) be (?:cheaper|dearer|repriced|discounted)\b`), "price advice for all products"},
	{words.MustCompile(`(今天|明天|今日)(?:还)?(?:要|该|得|需要|必须|应该|应)(?:发货|发(?:出去|掉|走)?的(?:货|订单|包裹|单子?|快递)?|发(?:出去|掉|走|哪些|什么|多少)(?:货|订单|包裹|单子?|快递)?)(?:的(?:货|订单|包裹|单子?))?`), "${1}到期要发货的订单"},
	{words.MustCompile(`(?i)^what (?:do|must|should) (?:i|we) (?:(?:need|have|still have) to )?(?:ship|send out|dispatch)(?: out)?( today| tomorrow| by [a-z]+)?\b`), "which orders are due to be shipped${1}"},
	{words.MustCompile(`(?i)^(?:please |can you |could you )?(?:send|give) me ((?:the |a )?(?:list|report|table|overview|summary|number)s? of)\b`), "show me ${1}"},
	{words.MustCompile(`(?i)^(?:has|have|is|are|which|what) (?:any |the |some )?(?:customers?|buyers?|anyone|anybody|somebody)(?: who| that)? ?(?:has |have |is |are )?(?:been )?(?:still )?waiting (?:for )?(more than|over|longer than) (?:a|one) week (?:for (?:their |the |a |its )?(?:delivery|deliveries|parcels?|packages?|orders?|goods))\b`), "parcels under way ${1} 7 days"},
	{words.MustCompile(`(?i)\b(which|what) day of the week\b( (?:do|did|does|has|have|had|is|are|gets?|sees?|brings?)\b.*\b(?:refunds|returns)\b)`), "${1} weekday${2}"},
	{words.MustCompile(`(?i)^(?:has|have|is|are|which|what) (?:any |the |some )?(?:customers?|buyers?|anyone|anybody|somebody)(?: who| that)? ?(?:has |have |is |are )?(?:been )?(?:still )?waiting (?:for )?((?:more than|over|longer than) (?:an? |\d+ )[a-z]+ )?(?:for (?:their |the |a |its )?(?:delivery|deliveries|parcels?|packages?|orders?|goods))\b`), "parcels under way ${1}"},
	{words.MustCompile(`(?i)^(?:the |all |all the )?([a-z]{3,}ed (?:refund |return )?(?:refunds|returns|requests|invoices)\b)`), "list all ${1}"},
	{words.MustCompile(`(?i)\b(this|last|next|per|each|every|past|one) wk\b`), "${1} week"},
	{words.MustCompile(`(?i)\b(this|last|next|per|each|every|past|one) mn?th\b`), "${1} month"},
	{words.MustCompile(`(?i)\b(this|last|next|per|each|every|past|one) qtr\b`), "${1} quarter"},
	{words.MustCompile(`(?i)\b(this|last|next|per|each|every|past|one) yr\b`), "${1} year"},
	{words.MustCompile(`(?i)^(?:the |all |all the )?orders (?:with|containing|of) (\d+) or more (?:items?|pieces?|products?|units?)\b`), "list all orders of at least ${1} pieces"},
	{words.MustCompile(`(?i)^(?:the |all |all the )?orders (?:with|containing|of) (\d+) or (?:fewer|less) (?:items?|pieces?|products?|units?)\b`), "list all orders of at most ${1} pieces"},
	{words.MustCompile(`(?i)^(?:the |all |all the )?orders (?:with|containing|of) (more than \d+|at least \d+|over \d+|fewer than \d+|less than \d+) (?:items?|pieces?|products?|units?)\b`), "list all orders of ${1} pieces"},
	{words.MustCompile(`^(` + someMonth + `)[和与跟、](` + someMonth + `)的?(销售额|销量|订单数?|营业额|客单价|毛利率?|退款率?)(?:是|有|各|分别)*(?:多少)?([?？]?)$`), "${1}和${2}的${3}对比${4}"},
	{words.MustCompile(`(?i)\b(customers|buyers|people|clients|users) (?:who|that) (?:have |had )?never (?:ordered|bought|purchased)(?: anything)?\b`), "${1} with no orders"},
	{words.MustCompile(`(?i)\bthis (morning|afternoon|evening)(?:['’]s)?\b`), "today ${1}"},
	{words.MustCompile(`(?i)\blast night(?:['’]s)?\b`), "yesterday evening"},
	{words.MustCompile(`今(早|晚|夜)上?`), "今天${1}上"},
	{words.MustCompile(`昨(早|晚|夜)上?`), "昨天${1}上"},
	{words.MustCompile(`(凌晨|早上|上午|中午|下午|傍晚|晚上|夜里)下(?:了)?单的(?:人|客户|顾客|买家)?(?:一共)?有?(?:多少|几)[个位人单笔]?`), "${1}的订单有多少"},
	{words.MustCompile(`直播(?:带货|间|卖货)`), "直播推广"},
	{words.MustCompile(`^谁(?:下|拍)(?:了|过)?单?(?:还|却|但|后|了)*(没有?付款|没付钱|没给钱|未付款)(?:的)?([呢啊]?[?？]?)$`), "${1}的订单有哪些${2}"},
	{words.MustCompile(`(?i)^who (?:ordered|placed an order|has ordered|bought)(?: something)? (?:but|and) (?:did not|didn['’]?t|has not|hasn['’]?t|not)(?: yet)? (?:pay|paid)(?: for it)?(?: yet)?\b`), "which orders are unpaid"},
	{words.MustCompile(`退货率`), "退款率"},
	{words.MustCompile(`(?i)\breturns? rates?\b`), "refund rate"},
	{words.MustCompile(`(?:订单)?取消率(?:是|有)?(?:多少|多高|怎么?样)?`), "取消的订单占多少"},
	{words.MustCompile(`(?i)\b(?:what(?:'s|s| is| was) )?(?:the |our )?cancel(?:l?ation|ling)? rate\b`), "what percentage of orders were cancelled"},
	{words.MustCompile(`(?i)^how did (?:we do on |(?:the )?)(11\.11|double (?:11|eleven)|singles'? day)(?: (?:go|do|sell|perform))?\b`), "sales on singles day"},
	{words.MustCompile(`(?i)\b(?:which|what) order (?:was|is|cost|costs) (?:the )?(?:most(?: expensive)?|biggest|largest|highest|dearest)\b`), "which is the most expensive order"},
	{words.MustCompile(`(?i)\b(?:biggest|largest|highest|dearest|top)(?:[- ]value| valued)? (orders?)\b(?: (?:by (?:value|amount))\b)?( (?:of|in|on|from|yesterday|today|this|last|ever|so far)\b|[?.! ]*$)`), "most expensive ${1}${2}"},
	{words.MustCompile(`(?i)\b(?:smallest|lowest)(?:[- ]value| valued)? (orders?)\b(?: (?:by (?:value|amount))\b)?( (?:of|in|on|from|yesterday|today|this|last|ever|so far)\b|[?.! ]*$)`), "cheapest ${1}${2}"},
	{words.MustCompile(`(?:超过|超出|过了|错过)了?(?:最晚)?发货的?(?:时限|期限|时间|截止时间)`), "发货超时"},
	{words.MustCompile(`(?:运费|邮费)(?:一共|总共|合计|总计|共计|加起来)(?:是|有|收|付|了)*(?:多少钱?|几[元块]钱?)`), "一共收了多少运费"},
	{words.MustCompile(`(?i)\bhow much (?:in )?(?:shipping|delivery|postage|freight)(?: fees?| charges?| costs?)? (?:did|have|has) (?:we|the shop|(?:the |our )?(?:customers|buyers)) (?:collect|charge|pay|paid|take in|earn)(?:ed)?\b|\b(?:total|sum of(?: the| all)?) (?:shipping|delivery|postage) (?:fees?|charges?|costs?)\b`), "freight paid in all"},
	{words.MustCompile(`(?i)^compare (?:the )?((?:[a-z]+ )?[a-z]+s (?:and|with|to|against) (?:the )?(?:[a-z]+ )?[a-z]+s)\b`), "compare sales of ${1}"},
	{words.MustCompile(`([了过])(多少|几[个张笔])(?:个|张|笔)?(发票|订单|包裹|退款)[，,]\s*(?:还[有剩]|剩下?)(?:多少|几[个张笔])(?:还)?(没\p{Han}{1,4})`), "${1}${2}${3}，还有多少${3}${4}"},
	{words.MustCompile(`从付款到发货(?:的)?(?:平均|一般|通常)?(?:要|需要|用|花|间隔)*(?:了)?(?:多久|多长时间|几天|几个小时|多少小时|的?时间)`), "发货平均要多久"},
	{words.MustCompile(`(退款|退货|售后)(?:申请)?(?:的)?(?:处理|审核)(?:平均|一般|通常)(?:要|需要|得|用|花)*(?:多久|多长时间|几天|几个小时|多少小时)|平均(?:要)?(?:多久|多长时间|几天|几个小时)(?:能)?(?:处理|审核)(?:完|好)?(?:一个)?(退款|退货|售后)`), "${1}${2}申请的平均处理小时数"},
	{words.MustCompile(`(?i)^how long (?:does|do|did) (?:it (?:usually |normally |typically )?take (?:us )?(?:on average )?to (?:process|handle|decide|review|approve) )?(?:a |an |the |our )?(?:refunds?|returns?)(?: requests?)?(?: (?:usually|normally|typically|generally))?(?: take)?(?: to (?:process|handle|decide|review|approve))?(?: (?:on average|usually|normally|to be processed))?[?.! ]*$`), "average time to process a refund"},
	{words.MustCompile(`(?i)^(?:so |and )?(?:what|how much(?: money)?) (?:did|do|have|has) (?:we|i|the shop|the store|our shop|our store) (?:earn|earned|make|made|net)(?: in total| altogether)?((?: (?:last|this|in|on|since|so|from|yesterday|today|the past)\b[a-z0-9 ]*)?)[?.! ]*$`), "what is the net profit${1}"},
	{words.MustCompile(`^((?:我们|店里|咱们|全店|本店)?(?:` + someMonth + `|上个季度|这个季度|本季度)?(?:我们|店里|咱们|一共|总共|到底)*)[赚挣](?:了|到了?)?(?:多少钱?)[呢啊]?[?？]?$`), "${1}净利润是多少"},
	{words.MustCompile(`(?i)^(?:(?:what(?:'s| is) )?(?:the |our )?(?:average|mean|usual) time (?:it takes )?|how long does it (?:usually )?take (?:us )?on average )to issue (?:an |the )?invoices?\b`), "list issued invoices with the mean of hours to issue"},
	{words.MustCompile(`(?:毛利润?)(?:再)?(?:减去?|扣除?|扣掉|减掉)(?:了)?(?:推广|广告|营销)(?:费用?|花费|成本)?(?:之?后)?(?:还)?(?:有|剩|是|赚)*(?:多少钱?)?`), "净利润是多少"},
	{words.MustCompile(`(?:扣除?|减去?|扣掉|除去|刨去)了?(?:推广|广告|营销)(?:费用?|花费|成本)?(?:之?后)?[，,]?(?:还|能)?(?:剩|赚|挣)(?:了|到)?(?:多少钱?)`), "净利润是多少"},
	{words.MustCompile(`(?i)\b(net profits?|net earnings)((?: (?:last|this|in|of|for) [a-z]+)?) (?:after|less|minus|without) (?:the |our )?(?:ads?|advertising|marketing|campaigns?)(?: costs?| spend| spending)?\b`), "${1}${2}"},
	{words.MustCompile(`(?i)\bprofits?((?: (?:last|this|in|of|for) [a-z]+)?) (?:after|less|minus) (?:the |our )?(?:ads?|advertising|marketing|campaigns?)(?: costs?| spend| spending)?\b`), "net profit${1}"},
	{words.MustCompile(`(?:平均)?每一?(?:单|个订单|笔订单)(?:平均)?(?:买|有|卖|含)?了?(?:几|多少)(?:件|个商品)(?:商品)?`), "每单件数是多少"},
	{words.MustCompile(`(?:平均每一?(?:单|个订单|笔订单)|每一?(?:单|个订单|笔订单)平均)(?:的)?(优惠|运费)(?:了|是|有|要|收|金额)*(?:多少钱?|几[元块]钱?)`), "每单${1}是多少"},
	{words.MustCompile(`((?:每个?|各个?|哪一?个))(?:推广|广告|营销)?渠道(平均)?(?:的)?(?:花了?|花费了?|用了?|费用)(?:多少钱?|是多少)`), "各推广渠道的花费"},
	{words.MustCompile(`哪一?个(?:推广|广告|营销)?渠道(?:的)?(?:花钱|花费|花得|费用|烧钱)最([多高少低])`), "花费最${1}的推广渠道"},
	{words.MustCompile(`哪一?个(?:推广|广告|营销)?渠道(?:的)?(点击率|点击成本|曝光|点击)最([多高少低])`), "${1}最${2}的推广渠道"},
	{words.MustCompile(`买[过了](\p{Han}{2,12})的(客户|顾客|买家|人)(?:一共|总共|共)?(?:有)?(?:多少|几)[个位人]?([呢啊]?[?？]?)$`), "有多少${2}买过${1}${3}"},
	{words.MustCompile(`(?:晚上|白天|上午|下午|早上)下单的?(?:人)?多还是(?:晚上|白天|上午|下午|早上)(?:下单的?)?(?:人)?多?`), "各时段的订单数"},
	{words.MustCompile(`(上个?月)(\p{Han}{0,8}比)(?:前一个?月|上上个?月|再?前一个?月|大上个?月)`), "${1}${2}上上个月"},
	{words.MustCompile(`^(?:有)?((?:\d+|[一二两三四五六七八九十半]+)(?:个月|天|周|年))(?:以上|多)?(?:都)?没(?:有)?(?:来|买|下单|回购|复购|光顾|消费)(?:过|了)?(?:东西)?的(客户|顾客|买家|人)`), "最近${1}没下单的${2}"},
	{words.MustCompile(`^(` + someMonth + `)比(` + someMonth + `)(?:[少多])了?(?:多少|几)(?:单|个订单|笔订单|订单)([?？]?)$`), "${1}和${2}的订单数对比${3}"},
	{words.MustCompile(`(?i)(\p{Han})GMV|GMV(\p{Han})`), "${1}销售额${2}"},
	{words.MustCompile(`(?i)\bGMV\b`), "sales"},
	{words.MustCompile(`^(?:一个(?:人|客户)|单个客户|同一个(?:人|客户))最多(?:买|下)了?(?:过)?(?:几|多少)(?:单|个订单|次|笔)`), "下单次数最多的客户"},
	{words.MustCompile(`最受欢迎|最热门|最抢手`), "卖得最好"},
	{words.MustCompile(`(\p{Han}{2,6}?)的?(?:客户|顾客|买家|人)最(?:喜欢|爱)买(?:的)?(?:是)?(?:什么|哪些|啥|哪个|哪种)(?:商品|产品|东西)?`), "${1}卖得最好的商品是什么"},
	{words.MustCompile(`(?:周末|工作日|平时|平日)卖得(?:多|好)还是(?:周末|工作日|平时|平日)(?:卖得)?(?:多|好)?`), "按周末统计销售额"},
	{words.MustCompile(`(?:哪些|什么|有没有)(商品|产品)(?:是|还|正)*在?(?:亏本|亏钱|赔本|亏着)(?:在)?(?:卖|销售|出售)(?:的)?`), "亏本的${1}有哪些"},
	{words.MustCompile(`(?i)^(?:is|was) (` + someMonthEn + `) (?:any )?(?:better|worse|stronger|weaker) than (` + someMonthEn + `)(?: so far)?\b`), "compare sales in ${1} with ${2}"},
	{words.MustCompile(`(?i)^(which|what) (city|region|category|brand|product) (?:spends?|pays?|orders?) (?:the )?(most|least) per order\b`), "${1} ${2} has the ${3} average order value"},
	{words.MustCompile(`(?i)^(which|what) (campaign|ad|channel|promotion)s? (?:lost|loses|is losing|made the biggest loss|lose)(?: the)? most(?: money)?\b`), "${1} ${2} has the lowest profit"},
	{words.MustCompile(`(?:哪一?个)?(推广活动|推广|活动|广告|渠道)(?:亏得|亏损|亏钱|亏)最(?:多|厉害|狠)`), "盈亏最低的${1}"},
	{words.MustCompile(`付了?(?:款|钱)之?[后了]?(?:还|但|却|都)?(?:没有?|未)发(?:货|出)?的(订单|单子)`), "待发货的${1}"},
	{words.MustCompile(`(?i)\bhow much (?:did|does|has|have) ([a-z]+ [a-z]+|\p{Han}{2,4}) (?:pay|paid|spend|spent) (?:for|on) (?:the )?(?:shipping|delivery|postage|freight)\b`), "freight of the orders of ${1}"},
}

// timeLimits ask within what time something may or must be done. That is a matter of rules, where what has been done is counted in the same words: how long
// customers have to return an item is no list of returning customers.
var timeLimits = []struct {
	*words.Pattern
	put string
}{
	{words.MustCompile(`(?i)^(?:and |so |by the way,? )?(how (?:long|many (?:days|hours|weeks)) (?:do|does|did|has|have) (?:[a-z]+ ){1,3}(?:have|got|get) to (?:` + limitedDeeds + `)\b[^0-9]*)$`), "rules: ${1}"},
	{words.MustCompile(`(?i)^((?:within|in|until|up to|before) (?:how many (?:days|hours|weeks)|how long|when) (?:can|may|must|should|shall|do|does|has|have|is|are)\b[^0-9]*?\b(?:` + limitedDeeds + `)(?:ed)?\b[^0-9]*)$`), "rules: ${1}"},
	{words.MustCompile(`(?i)^((?:what|how long|when|is there|tell me|explain)\b[^0-9]*?\b(?:(?:return|exchange|refund|shipping|dispatch|handling|after-?sales|review|invoicing) (?:period|window|deadline|time ?limit|time ?frame)|(?:deadline|time ?limit|time ?frame) (?:for|to|of) (?:[a-z]+ ){0,3}(?:` + limitedDeeds + `|shipp|mak)(?:ing|ed)?)\b[^0-9]*)$`), "rules: ${1}"},
	{words.MustCompile(`^[^\d，。,？?]*?(?:多久|多长时间|[几多]少?(?:个)?(?:天|小时|工作日))(?:之|以)?内(?:可以?|能够?|必须|需要?|要|得|应该?|才能?|一定要|有权|申请|办理|给|去|把)*(` + limitedDeedsHan + `)(?:的)?(?:商品|申请|完成|出去|吗|呢)*[?？。]?$`), "规则：${1}期限是几天"},
	{words.MustCompile(`^[^\d，。,？?]*?(退款|退货|售后|投诉|纠纷)(?:申请)?(?:必须|需要?|要|得|应该?)?(?:在)?(?:多久|多长时间|[几多]少?(?:个)?(?:天|小时|工作日))(?:之|以)?内(?:可以?|必须|需要?|要|得|应该?|才能?|会)*(?:处理|审核|答复|同意|批)(?:完|好)?[?？。]?$`), "规则：处理${1}期限是几天"},
	{words.MustCompile(`^[^\d，。,？?]*?(` + limitedDeedsHan + `)(?:必须|需要?|要|得|应该?)(?:在)?(?:多久|多长时间|[几多]少?(?:个)?(?:天|小时|工作日))(?:之|以)?内(?:完成|办|做)?[?？。]?$`), "规则：${1}期限是几天"},
	{words.MustCompile(`^[^\d，。,？?]*?(` + limitedDeedsHan + `)(?:的)?(?:期限|时限|时效|截止时间|有效期)((?:是|有|要|一般)*(?:多久|多长|几天|多少天|什么|怎么规定的?)?[呢啊]?[?？。]?)$`), "规则：${1}期限${2}"},
}

// fewFirst are so many of the first by something, the number as a word, its groups.
var fewFirst = words.MustCompile(`(?i)\b(?:cheapest|dearest|priciest|most expensive|best[- ]selling|worst[- ]selling|newest|oldest|largest|biggest|lowest|highest) (two|three|four|five|six|seven|eight|nine|ten)\b|\b(two|three|four|five|six|seven|eight|nine|ten) (?:cheapest|dearest|priciest|most expensive|best[- ]selling|worst[- ]selling|newest|oldest|largest|biggest|lowest|highest)\b|最\p{Han}{1,4}的([两二三四五六七八九十])[款种台双瓶部]`)

// tellingOne tells somebody by name what stands in quotes, which is a message to them.
var tellingOne = []struct {
	*words.Pattern
	put string
}{
	{words.MustCompile(`^(?:请|麻烦|帮我|替我)*(?:告诉|告知|通知|转告)(?:一下|给)?(\p{Han}{2,4}?|[A-Za-z0-9]{4,20})(?:一声|说)?[:：，,]?\s*(["“「])`), "给${1}发消息${2}"},
	{words.MustCompile(`^(?:please )?(?:tell|notify|inform|text|message) ([A-Z][a-z]+(?: [A-Z][a-z]+)?|\p{Han}{2,4})(?: that)?[:,]? (["“])`), "send a message to ${1}: ${2}"},
}

// noOneByName are those who are told without a name: 告诉我们“七天无理由”是什么意思 is a question.
var noOneByName = words.MustCompile(`^(?:[我你他她它咱您]们?|大家|各位|所有人|全员|自己|一下|Everyone|Everybody|Me|Us)`)

const (
	someMonth       = `(?:去年|今年|前年|\d{4}年)的?\d{1,2}月份?|\d{1,2}月份?|上个?[周月]|本[周月]|这个?[周月]|去年|今年|前年|[昨今前]天`
	someMonthEn     = `(?:last |this )?(?:january|february|march|april|may|june|july|august|september|october|november|december|month|week|quarter|year)`
	limitedDeeds    = `return|exchange|swap|refund|send|ship|dispatch|deliver|answer|reply|respond|review|approve|decide|handle|process|inspect|invoice|issue|appeal|claim|complain|replace`
	limitedDeedsHan = `退换货|退货|换货|退换|退款|发货|发出|开票|开发票|审核(?:退款|售后)?|处理(?:退款|售后|退货|投诉|纠纷)|回复(?:买家|消息|客户)?|验货|维修|申诉|赔付|售后`
)

// comparedOtherwise are things that are compared by other figures than what was sold of them.
var comparedOtherwise = words.MustCompile(`(?i)^compare\b.*\b(?:sales|orders|refunds|returns|prices|costs|campaigns|channels|keywords|customers|buyers|carriers|parcels|cities|months|weeks|days|years|quarters|products|brands|categories|margins|profits|files|rates|rules|stocks?|figures|numbers|reviews|results|plans|ads)\b`)

// ofOtherThings are what 一笔 counts, too.
var ofOtherThings = words.MustCompile(`退款|退货|发票|包裹|快递|(?i:\bforecast|\btarget|\bplan\b)`)

// inFullWords is a request with such words spelled out. What is quoted, or told to somebody, and what speaks of a file stays as it is.
func inFullWords(text string) string {
	for _, w := range rated {
		if m := w.FindStringSubmatchIndex(text); m != nil && !verbatim(text)(m[0], m[1]) && !facts.FileName.MatchString(" "+text) {
			text = text[:m[0]] + string(w.ExpandString(nil, w.put, text, m)) + text[m[1]:]
		}
	}
	for _, w := range passing {
		if m := w.FindStringSubmatchIndex(text); m != nil && !verbatim(text)(m[0], m[1]) && !facts.FileName.MatchString(" "+text) && !comparedOtherwise.MatchString(text) {
			text = text[:m[0]] + string(w.ExpandString(nil, w.put, text, m)) + text[m[1]:]
		}
	}
	if m := fewFirst.FindStringSubmatchIndex(text); m != nil && !verbatim(text)(m[0], m[1]) {
		for i := 2; i < len(m); i += 2 {
			if n, ok := words.Number(text[max(m[i], 0):max(m[i+1], 0)]); m[i] >= 0 && ok {
				text = text[:m[i]] + strconv.Itoa(n) + text[m[i+1]:]
				break
			}
		}
	}
	for _, w := range tellingOne {
		if m := w.FindStringSubmatchIndex(text); m != nil && !noOneByName.MatchString(text[m[2]:m[3]]) {
			return string(w.ExpandString(nil, w.put, text, m)) + text[m[1]:]
		}
	}
	for _, w := range timeLimits {
		if m := w.FindStringSubmatchIndex(text); m != nil && !facts.FileName.MatchString(" "+text) {
			return string(w.ExpandString(nil, w.put, text, m))
		}
	}
	if put := inFullQuestion(text); put != "" {
		return put
	}
	if ofOtherThings.MatchString(text) || facts.FileName.MatchString(" "+text) || facts.SourceText.MatchString(text) {
		return text
	}
	for _, w := range everyday {
		m := w.FindStringSubmatchIndex(text)
		if m == nil || verbatim(text)(m[0], m[1]) {
			continue
		}
		put := string(w.ExpandString(nil, w.put, text, m))
		text = text[:m[0]] + strings.Replace(put, " by dai", " by day", 1) + text[m[1]:]
	}
	return text
}

var (
	// earnsMoney asks whether goods earn; its groups are what, and when.
	earnsMoney = words.MustCompile(`(?i)^(?:is|are|was|were|does|do|did) (?:the |our |my )?([^?.,;]{2,50}?) (?:at all |really |actually |still )?(?:profitable|making (?:us )?(?:any )?(?:money|a profit)|earning (?:us )?(?:any )?money|(?:make|earn) (?:us )?(?:any )?(?:money|a profit)|losing (?:us )?money|sold at a loss)((?: [a-z0-9]+){0,4})[?.! ]*$` +
		`|^([^，。,？?]{2,24}?)(?:到底|究竟|是不是|是否)?(?:(?:盈利|赚钱|挣钱|有利润|亏本|亏钱)(?:了)?(?:吗|么|没有|不)|盈不盈利|赚不赚钱|亏不亏)[?？]*$`)
	// noGoods is not said of goods.
	noGoods = words.MustCompile(`(?i)^(?:it|that|this|they|those|these|we|you|i|which|what|any|anything|one|shop|store|business|company)\b|^(?:它|他|她|这|那|我|你|哪|什么|谁|有没有|不|没)|哪|什么|最|[和与跟]|怎|如何|为何|[想能要会]|\b(?:which|who|and|or|than|most|not)\b`)
	// haveGoods asks whether there are goods of a kind; its groups are what, and where: in stock, however that is spelled.
	haveGoods = words.MustCompile(`(?i)^(?:do|does) (?:you|we|they|your shop|the shop|the store)(?: guys)?(?: still| currently)? (?:have|sell|carry|stock) (?:any |some )?([a-z]+(?:[ -][a-z]+)?s)(?: left)?(?: in ([a-z]{3,7}))?\s*\?*$|^(?:请问)?(?:你们|咱们|我们|店里|你家|本店)(?:店里?|家)?(?:现在)?(?:有没有|有|卖不卖|卖)(?:卖)?(\p{Han}{2,6}?)(?:卖)?(?:吗|么|没有)?[?？]*$`)
	// noneToSell are asked for in the same words, and are no goods.
	noneToSell = words.MustCompile(`(?i)^(?:questions|ideas|tips|suggestions|rules|policies|tools|files|problems|news|plans|answers|skills|limits|agents|results|reports|lists|figures|discounts|coupons|branches|employees|holidays|days|hours|(?:opening|business|office) hours)$|什么|哪|多少|几|规[则定]|建议|办法|问题|政策|活动|优惠|工具|文件|时间|假|员工|制度|流程|人|功能|能力|记录|报告|客服|电话|微信|网站|地址|门店|实体店|保修|质保|赠品|亏|赚|钱|[涨降]|增长|变化|贵|便宜|^[得了过完不的没出掉给到]`)
)

// inFullQuestion is such a question as it is asked of what keeps the figures; "" for any other.
func inFullQuestion(text string) string {
	text = strings.TrimSpace(text)
	zh := words.Language(text) == "zh"
	if m := earnsMoney.FindStringSubmatch(text); m != nil && !ofCampaigns.MatchString(text) && !noGoods.MatchString(m[1]+m[3]) && !ofOtherThings.MatchString(text) {
		if m[3] != "" {
			return m[3] + "的毛利是多少"
		}
		return words.Either(zh, m[1]+"的毛利是多少", "what is the margin of "+m[1]+m[2])
	}
	if m := haveGoods.FindStringSubmatch(text); m != nil && !ofTrade.MatchString(m[1]+m[3]) && !noneToSell.MatchString(m[1]+m[3]) && (m[2] == "" || words.Slip(m[2], "stock") || strings.EqualFold(m[2], "stock")) {
		return words.Either(m[3] != "", m[3]+"有库存吗", "do we have "+m[1]+" in stock")
	}
	return ""
}
