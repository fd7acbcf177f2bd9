package gloss

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// values are what the allowed values of parameters are called in Chinese: those that servers use everywhere, and no more. A word is said of that value and of
// no deed: 关闭 alone may be what shall be done.
var values = map[string][]string{
	"open": {"未关闭", "没关闭", "没有关闭", "还开着", "开着的", "打开的", "未解决", "没解决"}, "closed": {"已关闭", "关闭的", "关闭了", "关掉的"},
	"pending": {"待处理", "待审批", "等待中", "未处理", "没处理"}, "in progress": {"进行中", "处理中", "正在处理", "正在进行"}, "resolved": {"已解决", "解决的", "解决了"},
	"todo": {"待办", "未开始", "没开始"}, "to do": {"待办", "未开始", "没开始"}, "done": {"已完成", "完成的", "完成了", "做完的"}, "completed": {"已完成", "完成的", "完成了"}, "finished": {"已完成", "完成的", "结束的"},
	"active": {"活跃的", "有效的", "启用的", "在用的"}, "inactive": {"不活跃", "失效的", "停用的"}, "enabled": {"启用的", "已启用", "开启的"}, "disabled": {"禁用的", "已禁用", "停用的"},
	"approved": {"已批准", "批准的", "批准了", "通过的", "已通过"}, "rejected": {"已拒绝", "拒绝的", "被拒", "驳回的", "没通过"}, "cancelled": {"已取消", "取消的", "取消了"}, "canceled": {"已取消", "取消的", "取消了"},
	"failed": {"失败的", "失败了", "没成功"}, "success": {"成功的", "成功了"}, "succeeded": {"成功的", "成功了"}, "running": {"运行中", "在运行", "运行的"}, "stopped": {"已停止", "停止的", "停了的"},
	"paid": {"已付款", "付了款", "付款的", "已支付"}, "unpaid": {"未付款", "没付款", "未支付", "没支付"}, "overdue": {"逾期", "过期的"}, "draft": {"草稿"}, "published": {"已发布", "发布的"}, "archived": {"已归档", "归档的"},
	"unread": {"未读", "没读"}, "online": {"在线"}, "offline": {"离线", "不在线"}, "available": {"可用的", "空闲的", "空着的"}, "unavailable": {"不可用", "没空的"}, "occupied": {"占用的", "已占用"},
	"low": {"低优先级", "优先级低", "优先级最低", "改成低", "改为低", "设为低", "设成低", "调成低", "不急的"}, "high": {"高优先级", "优先级高", "优先级最高", "改成高", "改为高", "设为高", "设成高", "调成高"},
	"medium": {"中优先级", "中等", "改成中", "改为中", "设为中", "设成中"}, "normal": {"普通", "一般的", "正常的"}, "urgent": {"紧急", "加急", "很急的"}, "critical": {"严重", "致命", "最紧急"},
	"hourly": {"每小时", "按小时"}, "daily": {"每天", "每日", "按天"}, "weekly": {"每周", "每星期", "按周"}, "monthly": {"每月", "每个月", "按月"}, "yearly": {"每年", "按年"},
	"asc": {"升序", "从小到大", "从低到高", "从早到晚"}, "ascending": {"升序", "从小到大", "从低到高"}, "desc": {"降序", "从大到小", "从高到低", "从晚到早"}, "descending": {"降序", "从大到小", "从高到低"},
	"male": {"男性", "男的"}, "female": {"女性", "女的"}, "celsius": {"摄氏"}, "fahrenheit": {"华氏"}, "metric": {"公制"}, "imperial": {"英制"},
	"public": {"公开的", "公开"}, "private": {"私有的", "私有", "私密"}, "internal": {"内部的"}, "external": {"外部的"}, "remote": {"远程"}, "full time": {"全职"}, "part time": {"兼职"},
	"annual": {"年假"}, "sick": {"病假"}, "personal": {"事假"}, "maternity": {"产假"}, "paternity": {"陪产假"}, "parental": {"育儿假"},
	"economy": {"经济舱"}, "business": {"商务舱", "公务舱"}, "first": {"头等舱"}, "one way": {"单程"}, "round trip": {"往返"}, "walking": {"步行", "走路"}, "driving": {"开车", "驾车"}, "cycling": {"骑车", "骑行"}, "bicycling": {"骑车", "骑行"}, "transit": {"公交", "地铁"},
	"english": {"英语", "英文"}, "chinese": {"中文", "汉语"}, "french": {"法语", "法文"}, "german": {"德语", "德文"}, "japanese": {"日语", "日文"}, "spanish": {"西班牙语"}, "korean": {"韩语"}, "russian": {"俄语"},
}

// Values puts on the parameters of a tool, as x-means, what their allowed values are called in Chinese where the card does not say so itself.
func Values(parameters json.RawMessage) json.RawMessage {
	return edited(parameters, func(name string, value json.RawMessage) json.RawMessage {
		if name != "properties" {
			return value
		}
		return edited(value, func(_ string, property json.RawMessage) json.RawMessage {
			var says struct {
				Enum  []any           `json:"enum"`
				Means json.RawMessage `json:"x-means"`
			}
			if json.Unmarshal(property, &says) != nil || says.Means != nil {
				return property
			}
			means := map[string][]string{}
			for _, v := range says.Enum {
				text, _ := v.(string)
				if words := values[strings.Join(nameWords(text), " ")]; len(words) > 0 {
					means[text] = words
				}
			}
			if len(means) == 0 {
				return property
			}
			text, err := json.Marshal(means)
			if err != nil {
				return property
			}
			return slices.Concat(property[:bytes.LastIndexByte(property, '}')], []byte(`,"x-means":`), text, []byte{'}'})
		})
	})
}

// edited is a JSON object with each of its values put through edit, in the order in which they stand; what is no object stays as it is.
func edited(object json.RawMessage, edit func(name string, value json.RawMessage) json.RawMessage) json.RawMessage {
	d := jsontext.NewDecoder(bytes.NewReader(object), jsontext.AllowDuplicateNames(true))
	if d.PeekKind() != '{' {
		return object
	}
	if _, err := d.ReadToken(); err != nil {
		return object
	}
	out := []byte{'{'}
	for d.PeekKind() == '"' {
		key, err := d.ReadValue()
		if err != nil {
			return object
		}
		var name string
		_ = json.Unmarshal(key, &name) // it is a string, as was seen
		out = append(append(out, key...), ':')
		value, err := d.ReadValue()
		if err != nil {
			return object
		}
		out = append(append(out, edit(name, bytes.Clone(value))...), ',')
	}
	return append(bytes.TrimRight(out, ","), '}')
}
