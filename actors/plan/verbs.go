package plan

import "strings"

// changeGroups are the verbs that change something, both languages in one group. A tool that changes something may only be
// planned when the request names its verb, so that no question ever does harm.
var changeGroups = [][]string{
	{"cancel", "取消", "撤销", "作废", "revoke"},
	{"change", "modify", "update", "edit", "修改", "更改", "改成", "改为", "变更", "更新", "改到", "改一下", "调整", "adjust", "set", "设置", "设为", "标记", "mark"},
	{"delete", "remove", "删除", "删掉", "移除"},
	{"approve", "accept", "agree", "同意", "批准", "审批", "审核通过", "通过退", "通过这", "准许"},
	{"reject", "refuse", "deny", "拒绝", "驳回"},
	{"refund", "退款", "退钱"},
	{"return", "退货"},
	{"exchange", "换货"},
	{"ship", "deliver", "dispatch", "发货", "发出"},
	{"urge", "expedite", "hurry", "rush", "催", "加急", "urgent"},
	{"create", "add", "新建", "创建", "新增", "添加"},
	{"send", "notify", "message", "发送", "通知", "发给", "发短信", "发消息", "写信", "write"},
	{"submit", "propose", "提交", "提报", "申报", "报名", "发起", "launch", "start"},
	{"apply", "申请"},
	{"issue", "invoice", "开票", "开发票", "开具", "补开"},
	{"pay", "付款", "支付", "打款", "transfer", "转账"},
	{"book", "reserve", "schedule", "预约", "预订"},
	{"close", "关闭", "下架", "暂停", "停用", "pause", "disable", "freeze", "冻结"},
	{"open", "上架", "启用", "enable"},
	{"restock", "replenish", "补货", "入库"},
	{"place", "下单"},
}

// changeVerbs names the groups (by their first verb) that a text holds.
func changeVerbs(s string) map[string]bool {
	latin := map[string]bool{}
	for _, p := range pieces(s) {
		if !p.han {
			latin[stem(strings.ToLower(p.text))] = true
		}
	}
	out := map[string]bool{}
	for _, g := range changeGroups {
		for _, v := range g {
			if isHan([]rune(v)[0]) && strings.Contains(s, v) || latin[stem(v)] {
				out[g[0]] = true
				break
			}
		}
	}
	return out
}

// mayChange reports whether the clause asks for the change that the tool makes.
func (c clause) mayChange(e *entry) bool {
	for v := range c.change {
		if e.verbs[v] {
			return true
		}
	}
	return false
}
