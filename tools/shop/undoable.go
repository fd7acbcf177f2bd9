package shop

// What an order, a product, a customer and so on may be wished to undergo, and no tool here does: without these words the nearest look-up would answer, or another change
// be asked leave for. What a deed is called follows "no tool here can".
const (
	hanEnd = `(?:[吧了啊呀哦]*(?:$|[，。,；;：:！!\s]))`
	engEnd = `(?:$|[,.;:!?]| (?:for|on|of|at|in|with|from|to|by|called|named|now|today|tomorrow|this|next|please)\b)`
)

// undoable are these deeds, by the tool that stands nearest to them, whose card says so (x-lacks with deed).
var undoable = map[string][]lack{
	"campaign_results": {
		{`(?i)(?:开启|启动|开始|开展|搞|办|创建|新建|新增|发起|上线|设置|安排|推出|举办|投放?|开|做|来)(?:一下|一?[个场次波轮]|[个场次])*[^，。,；;？?的]{0,10}?(?:活动|大促|促销|秒杀|团购|满减|特价|甩卖|直播|推广|广告)` + hanEnd +
			`|(?:暂停|停止|停掉|关闭|关掉|结束|取消|下线|终止)(?:掉|了)?[^，。,；;？?]{0,10}?(?:活动|推广|广告|投放|促销|大促)` + hanEnd +
			`|\b(?:start|launch|run|open|set up|create|begin|kick off|hold|schedule)\b(?: an?| the| our| my)?[^,.;?]{0,30}?\b(?:sales?|promotions?|promos?|campaigns?|flash sales?|ads?|adverts?|livestreams?)` + engEnd +
			`|\b(?:stop|pause|end|cancel|close|terminate|suspend)\b[^,.;?]{0,30}?\b(?:sales?|promotions?|campaigns?|ads?|adverts?)` + engEnd,
			"开启或停止促销、推广活动（要打折，可以直接改商品的售价，例如「把耳机降价20%」）", "start or stop a sale or a campaign (to give a discount change the prices themselves, such as “lower the price of the earphones by 20%”)", true},
		{`(?i)(?:发放?|送|给|派发?|创建|新建|设置|生成|做|出)(?:[一两几\d]*[张个些]|[他她它]们?|一下)*(?:[^，。,；;？?的]{0,10}?|满\d+[减送]\d+的)(?:优惠券|代金券|折扣券|满减券|红包|满\d+减\d+)` + hanEnd +
			`|\b(?:send|give|issue|create|make|offer|hand out|generate)\b[^,.;?]{0,40}?\b(?:coupons?|vouchers?|promo codes?|discount codes?|gift cards?)` + engEnd,
			"创建或发放优惠券、红包", "create or send coupons", true},
	},
	"find_customers": {
		{`(?i)拉黑|(?:[加拉放]|列)(?:到|入|进)黑名单|屏蔽(?:掉)?(?:这个|该)?(?:买家|客户|顾客|用户)|\bblacklist\b|\b(?:block|ban)\b (?:the |this |that )?(?:buyers?|customers?|users?|him|her|them)\b`,
			"拉黑客户", "block a customer", true},
		{`(?i)(?:给|跟|帮我)[^，。,；;？?]{0,12}?(?:打|拨|回)(?:个|一个|通)?电话` + hanEnd + `|拨打|致电|\b(?:call|phone|ring)\b (?:up )?(?:the |this |that |my )?(?:buyers?|customers?|clients?|him|her|them)\b`,
			"打电话（可以给买家发店铺消息）", "make phone calls (the buyer can be sent a message of the shop)", true},
		{`(?i)(?:修改|更改|改|更新|编辑)(?:一下)?[^，。,；;？?]{0,10}?(?:客户|买家|顾客|会员|用户)的?(?:资料|等级|标签|分组|档案|信息|账号|昵称)|给[^，。,；;？?]{1,12}?(?:打|加|贴)(?:上|个|一个)*标签|\b(?:change|update|edit|set)\b (?:the )?(?:customer|buyer|member)(?:['’]s)? (?:profile|level|tags?|group|account)`,
			"修改客户的资料、等级或标签", "change what is kept of a customer", true},
	},
	"find_products": {
		{`(?i)(?:创建|新建|新增|添加|增加|录入|上传|发布|上架|上新|登记|加)(?:一下|[一几两\d]*[个款种件些]|[个款])*[^，。,；;？?的]{0,4}?(?:商品|产品|新品|宝贝|SKU)` + hanEnd +
			`|\b(?:add|create|publish|upload|register|enter|set up)\b (?:an? |some |the )?(?:new )?(?:products?|items?|skus?|listings?)` + engEnd + `|\blist (?:an?|one) (?:new )?(?:product|item)\b`,
			"新建、发布商品", "add or publish a product", true},
		{`(?i)(?:删除|删掉|移除|清除)(?:一下|这个|该|那个|这款|那款)?(?:商品|产品|宝贝)|\b(?:delete|remove)\b (?:the |this |that |all )?(?:products?|skus?|listings?)\b`,
			"删除商品（库存可以改成 0）", "delete a product (its stock can be set to 0)", true},
		{`(?i)(?:把|将)?[^，。；;？?\d订单收客买人发票抬店文表]{1,30}?的(?:商品)?(?:名字|名称|标题|图片|主图|详情页?|描述|类目|分类|品牌|成本价?|进货?价)(?:都|统一)?(?:改|换|设|调|更新|修改)` +
			`|(?:修改|更改|改|更新|编辑|换)(?:一下|掉)?[^，。；;？?\d订单收客买人发票抬店文表]{0,30}?(?:商品|产品|的)(?:名字|名称|标题|图片|主图|详情页?|描述|类目|分类|品牌|成本价?|进货?价)` +
			`|\b(?:change|update|edit|set|raise|lower)\b (?:the |its )?(?:product(?:['’]s)? )?(?:name|title|picture|image|photo|description|category|brand|cost)s? (?:of|for|on|to)\b`,
			"修改商品的名称、图片、类目、品牌或成本（可以改的是售价和库存）", "change the name, pictures, category, brand or cost of a product (what can be changed is its price and its stock)", true},
	},
	"list_shipments": {
		{`(?i)(?:拦截|截回|追回|召回)(?:掉|一下)?[^，。,；;？?]{0,16}?(?:快递|包裹|订单|\d{6,})|(?:改派|改寄|转寄)|换(?:一?[个家])?(?:别的|其他)?(?:快递|物流)(?:公司)?(?:发|寄|送|吧|$)|\b(?:intercept|reroute|recall)\b[^,.;?]{0,30}?\b(?:parcels?|packages?|shipments?|orders?)\b`,
			"拦截、改派已经发出的包裹，或改它的快递公司（可以催件）", "intercept or reroute a parcel that was sent, or change its carrier (the carrier can be urged)", true},
	},
	"list_invoices": {
		{`(?i)(?:作废|红冲|冲红|冲销|重开)(?:掉|一下)?[^，。,；;？?]{0,20}?发票|发票[^，。,；;？?]{0,20}?(?:作废|红冲|冲红|冲销|重开)|\b(?:void|reissue)\b[^,.;?]{0,20}?\binvoices?\b`,
			"作废或重开发票", "void or reissue an invoice", true},
	},
	"list_orders": {
		{`(?i)(?:^|帮我|给我|替我|请|麻烦|能不能|能否|可以|想)(?:再)?(?:[帮给为替][^，。,；;？?的了过查看列统找谁哪昨今前最近有没]{0,8})?(?:下|补|代下|拍)(?:[一两几\d]*[个张笔份]|一)?(?:订?单)(?:$|[，。！!？?吧吗\s]|[^\P{Han}的了过最量数人客时频率][^\P{Han}的是]{0,9}$)` +
			`|(?:创建|新建|新增|生成|录入|手动加)(?:一下|[一几两\d]*[个张笔]|[个笔])*(?:新的?|线下)?(?:订单|单子)` + hanEnd +
			`|\b(?:place|make|create|put in|enter|submit)\b (?:an? |the |some )?(?:new )?orders?(?:$|[,.;:!?]| (?:for|of|with|on behalf|to)\b)`,
			"下单、创建订单", "place or create an order", true},
		{`(?i)合并(?:一下|这|那)?[^，。,；;？?]{0,10}?(?:订单|单子)|(?:订单|单子)[^，。,；;？?]{0,30}?(?:合并|拆成|拆分|拆开|分成)|(?:拆分?|拆开)(?:一下)?[^，。,；;？?]{0,6}?(?:订单|单子)|\b(?:merge|combine|split)\b[^,.;?]{0,30}?\borders?\b`,
			"合并或拆分订单", "merge or split orders", true},
		{`(?i)打印(?:一下|出)?[^，。,；;？?]{0,24}?(?:订单|面单|发货单|快递单|小票|运单|清单)|\bprint\b[^,.;?()]{0,30}?\b(?:labels?|orders?|waybills?|slips?)\b`,
			"打印面单或订单（可以导出成文件）", "print labels or orders (they can be exported to a file)", true},
	},
	"sales_statistics": {
		{`(?i)(?:修改|更改|改|换|设置|更新)(?:一下)?[^，。,；;？?]{0,4}?(?:店铺|店|门店|网店)的?(?:名称?|名字|头像|公告|首页|装修|招牌|客服电话)|(?:关店|休店|打烊)` + hanEnd + `|\b(?:change|set|update|rename)\b (?:the |our |my )?(?:shop|store)(?:['’]s)? (?:name|logo|address|banner|notice|page)`,
			"修改店铺的名称、公告等设置", "change the settings of the shop", true},
	},
}
