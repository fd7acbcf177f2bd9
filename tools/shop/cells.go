package shop

import (
	"strings"

	"github.com/invopop/jsonschema"
)

// vocabulary are the fixed values of what tools return, by the name of the field; what each is called in English is in terms. A group is any of them.
var vocabulary = map[string][]string{
	"state":         strings.Fields("待付款 待发货 已发货 已完成 已取消 待处理 已同意 已拒绝 在途 已签收"),
	"invoice_state": strings.Fields("待开 已开 未申请"),
	"invoice":       strings.Fields("待开 已开 未申请"),
	"kind":          strings.Fields("仅退款 退货退款"),
	"reason":        strings.Fields("七天无理由退货 不想要了 与描述不符 外包装破损 少配件 尺寸不合适 质量问题 降价补差"),
	"advice":        strings.Fields("降价 提价 保持 数据不足"),
	"channel":       strings.Fields("搜索推广 推荐推广 直播 站外社媒"),
	"method":        strings.Fields("上周同日 近八周同日均值 霍尔特-温特斯加法 去年同期乘增长"),
	"event":         strings.Fields("已揽收 运输中 到达目的地城市 派送中 已签收"),
	"last_event":    strings.Fields("已揽收 运输中 到达目的地城市 派送中 已签收"),
	"group":         strings.Fields("周一 周二 周三 周四 周五 周六 周日 周末 工作日 新客 老客 1月 2月 3月 4月 5月 6月 7月 8月 9月 10月 11月 12月"),
}

// cells puts on the fields of a result what their values are called in English, as x-means, so that an English answer shows English words. The values
// themselves stay, for it is by them that tools are called again; names of goods, brands and people stay too.
func (w words) cells(s *jsonschema.Schema) {
	if s == nil {
		return
	}
	w.cells(s.Items)
	for p := s.Properties.Oldest(); p != nil; p = p.Next() {
		w.cells(p.Value)
		if p.Value.Type != "string" {
			continue
		}
		called := map[string]string{}
		for _, v := range w.valuesOf(p.Key) {
			if en := english(v); en != v {
				called[v] = en
			}
		}
		if len(called) > 0 {
			if p.Value.Extras == nil {
				p.Value.Extras = map[string]any{}
			}
			p.Value.Extras["x-means"] = called
		}
	}
}

// valuesOf are the values that a field of a result may have, as far as they are fixed.
func (w words) valuesOf(field string) []string {
	out := vocabulary[field]
	switch field {
	case "city":
		return w.cities
	case "category", "carrier":
		for _, k := range w.known[field] {
			out = append(out, k.(string))
		}
	case "group":
		out = out[:len(out):len(out)]
		for _, f := range []string{"state", "kind", "reason", "category", "carrier", "city"} {
			out = append(out, w.valuesOf(f)...)
		}
	}
	return out
}
