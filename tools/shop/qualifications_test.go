package shop

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

func TestQualifications(t *testing.T) {
	s := newShop(t)
	for _, c := range []struct {
		arguments, category string
		allowed             bool
		papers              []string
		note                string
	}{
		{`{"keyword":"洋酒","shop_body":"企业","shop_type":"旗舰店"}`, "进口酒类", true, []string{"企业营业执照", "商标注册证或独占授权", "食品经营许可证", "进口货物报关单"}, "示例"},
		{`{"keyword":"进口葡萄酒"}`, "进口酒类", true, []string{"入境货物检验检疫证明"}, "店铺主体"},
		{`{"keyword":"葡萄酒"}`, "国产酒类", true, []string{"生产厂家许可"}, "店铺类型"},
		{`{"keyword":"阿迪达斯","shop_body":"企业","shop_type":"专卖店"}`, "服饰鞋包", true, []string{"品牌授权书", "品牌授权"}, ""},
		{`{"keyword":"儿童玩具","shop_body":"个人","shop_type":"小店"}`, "玩具", true, []string{"实名认证", "经营承诺", "强制性产品认证（CCC）"}, ""},
		{`{"keyword":"玩具","shop_body":"个人","shop_type":"旗舰店"}`, "玩具", false, nil, "个人不能开旗舰店"},
		{`{"keyword":"玩俱"}`, "", true, []string{"身份证明"}, "玩具"},
		{`{"keyword":"zzzz"}`, "", true, nil, "没有认出"},
		{`{"keyword":"wines"}`, "国产酒类", true, []string{"生产厂家许可"}, ""},
		{`{"keyword":"imported wine"}`, "进口酒类", true, nil, ""},
		{`{"keyword":"toys"}`, "玩具", true, nil, ""},
		{`{"keyword":"notebooks"}`, "", true, nil, ""},
	} {
		q := do[qualifications](t, s, "", "check_shop_qualifications", c.arguments)
		var papers []string
		for _, r := range q.Requirements {
			papers = append(papers, r.Name)
		}
		if q.Category != c.category || q.Allowed != c.allowed || !strings.Contains(q.Summary, c.note) {
			t.Errorf("%s: %s, allowed %v, %q", c.arguments, q.Category, q.Allowed, q.Summary)
		}
		for _, p := range c.papers {
			if !slices.Contains(papers, p) {
				t.Errorf("%s: no %s in %v", c.arguments, p, papers)
			}
		}
	}
	mustRefuse(t, s, "", "check_shop_qualifications", `{"keyword":" "}`, "先说明")
}

// Every name of the table has its English, or an English answer would have a gap.
func TestQualificationsHaveEnglish(t *testing.T) {
	var table qualificationTable
	if err := json.Unmarshal(qualificationsFile, &table); err != nil {
		t.Fatal(err)
	}
	var papers []paper
	want := []string{}
	for body, p := range table.Bodies {
		want, papers = append(want, body), append(papers, p...)
	}
	for kind, p := range table.Types {
		want, papers = append(want, kind), append(papers, p...)
	}
	for _, c := range table.Categories {
		want, papers = append(want, c.Name), append(papers, c.Papers...)
	}
	for _, r := range table.Everybody {
		papers = append(papers, r.paper)
	}
	for _, p := range papers {
		want = append(want, p.Name)
	}
	for _, name := range want {
		if table.English[name] == "" {
			t.Errorf("%s has no English", name)
		}
	}
}
