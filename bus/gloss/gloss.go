// Package gloss says of strangers' tools in the other language what they are. What a tool does is mostly said in English, and what is asked for here often in Chinese. Without a
// model nobody translates, so the words of a tool's name become tags in Chinese, and the first Chinese words that tell of it tags in English. They are the words that
// tools use everywhere, and no more: whoever has others sets `tags`.
package gloss

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/hmap-project/hmap/bus"
)

// ours is a description in two languages, which needs no gloss.
var ours = regexp.MustCompile(`[A-Za-z]+ [A-Za-z]+ [A-Za-z]+`)

// Card is a tool's card with what it is called in the other language, where it says that in one of them only: tags behind its own, and words for the allowed values of its
// parameters. Agents, and the tools of MCP servers, which were glossed as they came, stay as they are.
func Card(c bus.Card) bus.Card {
	if han := strings.ContainsFunc(c.Description, isHan); c.IsAgent() || c.IsSaved() || c.Server() != "" || han && ours.MatchString(c.Description) {
		return c
	}
	c.Tags = append(slices.Clone(c.Tags), Tags(c.Name, c.Description)...)
	c.Parameters = Values(c.Parameters)
	return c
}

// actions are verbs of tools.
var actions = map[string][]string{
	"list": {"列出", "查看"}, "read": {"读取", "读一下", "打开"}, "get": {"获取", "查看"}, "fetch": {"抓取", "获取"}, "show": {"显示"}, "view": {"查看"},
	"search": {"搜索", "查找"}, "find": {"查找"}, "query": {"查询"}, "write": {"写入"}, "create": {"创建", "新建"}, "delete": {"删除"}, "remove": {"删除", "移除"},
	"move": {"移动", "挪到", "重命名"}, "rename": {"重命名", "改名"}, "copy": {"复制", "拷贝"}, "edit": {"编辑", "修改"}, "update": {"更新"}, "add": {"添加", "新增"},
	"send": {"发送", "寄", "送"}, "run": {"运行"}, "execute": {"执行"}, "download": {"下载"}, "upload": {"上传"}, "convert": {"转换"}, "translate": {"翻译"},
	"compare": {"比较", "对比"}, "merge": {"合并"}, "navigate": {"访问"}, "click": {"点击"}, "screenshot": {"截图"}, "start": {"启动"}, "stop": {"停止"},
	"close": {"关闭"}, "open": {"打开"}, "count": {"统计"}, "summarize": {"总结"}, "calculate": {"计算"}, "check": {"检查", "查看"}, "assign": {"分配", "指派"},
	"approve": {"批准", "同意"}, "reject": {"拒绝", "驳回"}, "request": {"申请"}, "book": {"预订", "预约"}, "reserve": {"预订"}, "schedule": {"安排", "预约"}, "cancel": {"取消"},
	"reset": {"重置"}, "restart": {"重启"}, "deploy": {"部署"}, "pay": {"支付"}, "transfer": {"转账", "转移"}, "play": {"播放"}, "post": {"发布"}, "reply": {"回复"},
	"share": {"共享", "分享"}, "print": {"打印"}, "scan": {"扫描"}, "give": {"发放", "赠送", "发", "送"}, "grant": {"发放", "授予"}, "issue": {"开具", "发放"}, "redeem": {"兑换", "核销"}, "charge": {"充值", "收费"}, "remind": {"提醒"}, "notify": {"通知"},
	"pack": {"打包"}, "weigh": {"称重"}, "ship": {"发货"}, "return": {"退货"}, "rate": {"评分"}, "block": {"拉黑", "屏蔽"}, "ban": {"封禁"}, "unlock": {"解锁"}, "lock": {"锁定"}, "export": {"导出"}, "import": {"导入"}, "sync": {"同步"}, "register": {"登记", "注册"}, "record": {"记录"}, "adjust": {"调整"}, "set": {"设置"}, "append": {"追加", "加上"}, "refund": {"退款"}, "subscribe": {"订阅"}, "fork": {"派生"}, "explain": {"解释"}, "transition": {"转换"},
}

// things are nouns of tools.
var things = map[string][]string{
	"file": {"文件"}, "directory": {"目录", "文件", "文件夹", "里的文件"}, "folder": {"文件夹", "目录"}, "dir": {"目录"}, "tree": {"目录树"}, "path": {"路径"}, "text": {"文本"}, "info": {"信息"},
	"document": {"文档"}, "image": {"图片"}, "video": {"视频"}, "page": {"网页", "页面"}, "url": {"网址"}, "web": {"网页"}, "note": {"笔记"}, "graph": {"图谱"}, "node": {"节点"},
	"entity": {"实体"}, "relation": {"关系"}, "observation": {"观察"}, "memory": {"记忆"}, "issue": {"问题", "工单"}, "commit": {"提交"}, "branch": {"分支"},
	"repository": {"仓库"}, "repo": {"仓库"}, "code": {"代码"}, "database": {"数据库"}, "table": {"数据表"}, "row": {"行"}, "record": {"记录"}, "schema": {"结构", "模式"}, "column": {"字段", "列"}, "spreadsheet": {"表格"}, "sheet": {"表格"}, "drive": {"云盘", "网盘"}, "thread": {"帖子", "话题"}, "subscription": {"订阅"}, "status": {"状态"},
	"weather": {"天气"}, "forecast": {"预报", "天气预报"}, "air": {"空气"}, "sunrise": {"日出"}, "sunset": {"日落"}, "time": {"时间"}, "date": {"日期"}, "calendar": {"日历"}, "event": {"日程"}, "meeting": {"会议"}, "email": {"邮件"},
	"mail": {"邮件"}, "message": {"消息"}, "channel": {"频道"}, "user": {"用户"}, "contact": {"联系人"}, "task": {"任务"}, "todo": {"待办"}, "project": {"项目"},
	"map": {"地图"}, "route": {"路线"}, "place": {"地点"}, "address": {"地址"}, "news": {"新闻"}, "stock": {"股票"}, "price": {"价格"}, "sum": {"求和", "之和"},
	"environment": {"环境变量"}, "env": {"环境变量"}, "size": {"大小"}, "log": {"日志"},
	"ticket": {"工单"}, "incident": {"故障"}, "bug": {"缺陷"}, "alert": {"告警"}, "build": {"构建"}, "deployment": {"部署"}, "service": {"服务"}, "host": {"主机"}, "cluster": {"集群"},
	"device": {"设备"}, "computer": {"电脑"}, "password": {"密码"}, "account": {"账户", "账号"}, "permission": {"权限"}, "role": {"角色"},
	"employee": {"员工"}, "staff": {"员工"}, "colleague": {"同事"}, "department": {"部门"}, "team": {"团队"}, "member": {"会员", "成员"}, "candidate": {"候选人"}, "interview": {"面试"}, "job": {"职位"},
	"salary": {"工资"}, "leave": {"请假", "年假"}, "vacation": {"休假"}, "holiday": {"假期"}, "attendance": {"考勤"}, "expense": {"报销", "费用"}, "budget": {"预算"}, "contract": {"合同"},
	"photo": {"照片"}, "music": {"音乐"}, "song": {"歌曲"}, "album": {"专辑"}, "artist": {"歌手"}, "playlist": {"歌单"}, "movie": {"电影"}, "book": {"图书"}, "article": {"文章"}, "paper": {"论文"}, "comment": {"评论"},
	"phone": {"电话"}, "sms": {"短信"}, "reminder": {"提醒"}, "alarm": {"闹钟"}, "appointment": {"预约"}, "temperature": {"温度", "气温"}, "flight": {"航班", "机票"}, "train": {"火车", "车次"},
	"hotel": {"酒店"}, "room": {"房间"}, "restaurant": {"餐厅"}, "recipe": {"菜谱", "食谱"}, "distance": {"距离"}, "city": {"城市"}, "timezone": {"时区"}, "currency": {"货币"}, "rate": {"汇率"}, "fund": {"基金"},
	"balance": {"余额"}, "transaction": {"交易"}, "invoice": {"发票"}, "bill": {"账单"}, "payment": {"付款"}, "receipt": {"收据"}, "tax": {"税"},
	"patient": {"患者", "病人"}, "doctor": {"医生"}, "ward": {"病区"}, "prescription": {"处方"}, "drug": {"药品"}, "student": {"学生"}, "teacher": {"老师"}, "course": {"课程"}, "grade": {"成绩"}, "exam": {"考试"},
	"customer": {"客户"}, "order": {"订单"}, "product": {"商品"}, "supplier": {"供应商"}, "shipment": {"物流"}, "parcel": {"包裹"}, "light": {"灯"}, "thermostat": {"空调"}, "vehicle": {"车辆"}, "car": {"汽车"},
	"coupon": {"优惠券"}, "voucher": {"代金券"}, "gift": {"礼品", "礼物", "赠品"}, "point": {"积分"}, "membership": {"会员"}, "label": {"标签", "面单"}, "barcode": {"条码"}, "sticker": {"贴纸"}, "review": {"评价"}, "rating": {"评分"}, "warehouse": {"仓库"}, "inventory": {"库存"}, "shelf": {"货架"},
	"package": {"包裹"}, "waybill": {"运单"}, "courier": {"快递"}, "delivery": {"配送"}, "discount": {"折扣", "优惠"}, "promotion": {"促销", "活动"}, "campaign": {"活动"}, "buyer": {"买家"}, "seller": {"卖家"}, "shop": {"店铺"}, "store": {"门店", "店铺"}, "brand": {"品牌"}, "category": {"类目"}, "wallet": {"钱包"}, "card": {"卡"},
	"loyalty": {"会员", "忠诚度"}, "credit": {"信用", "额度"}, "deposit": {"押金", "定金"}, "commission": {"佣金"}, "refund": {"退款"}, "complaint": {"投诉"}, "survey": {"问卷"}, "shift": {"班次"}, "queue": {"排队", "队列"}, "printer": {"打印机"}, "report": {"报表", "报告"}, "sale": {"销售"}, "lead": {"线索"}, "quote": {"报价"},
}

// maxGloss bounds the tags that one tool gets.
const maxGloss = 10

// Tags are tags in the other language for a tool of that name and description: at most 10, most of them Chinese for what is said in English. nil: no
// word of it is known.
func Tags(name, description string) []string {
	var out []string
	add := func(tag string) {
		if len(out) < maxGloss && !slices.Contains(out, tag) {
			out = append(out, tag)
		}
	}
	var does, with []string
	for _, w := range nameWords(name) {
		for _, one := range []string{w, strings.TrimSuffix(w, "s"), strings.TrimSuffix(w, "ies") + "y"} {
			if zh := actions[one]; zh != nil && does == nil {
				does = zh
				break
			}
			if zh := things[one]; zh != nil {
				with = append(with, zh...)
				break
			}
		}
	}
	if !strings.ContainsFunc(description, isHan) {
		for _, v := range does {
			for _, n := range with[:min(len(with), 3)] {
				add(v + n)
			}
		}
		for _, n := range with {
			add(n)
		}
		for _, v := range does {
			add(v)
		}
		return out
	}
	head, _, _ := strings.Cut(description, "。")
	for _, words := range []map[string][]string{actions, things} {
		for _, en := range sorted(words) {
			if slices.ContainsFunc(words[en], func(zh string) bool { return strings.Contains(head, zh) }) {
				add(en)
			}
		}
	}
	return out
}

func sorted(words map[string][]string) []string {
	var out []string
	for w := range words {
		out = append(out, w)
	}
	slices.Sort(out)
	return out
}

func isHan(r rune) bool { return unicode.Is(unicode.Han, r) }

// nameWords are the words of a name, in lower case: read_text_file, get-sum, readFile.
func nameWords(name string) []string {
	var out []string
	var word []rune
	flush := func() {
		if len(word) > 0 {
			out = append(out, strings.ToLower(string(word)))
		}
		word = word[:0]
	}
	small := false
	for _, r := range name {
		switch {
		case !unicode.IsLetter(r):
			flush()
		case unicode.IsUpper(r) && small:
			flush()
			word = append(word, r)
		default:
			word = append(word, r)
		}
		small = unicode.IsLower(r)
	}
	flush()
	return out
}
