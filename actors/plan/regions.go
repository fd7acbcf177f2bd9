package plan

import (
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// regions are parts of China of several provinces, by what each is called, and the provinces that it usually means. Addresses tell provinces and cities alone.
var regions = []struct {
	*words.Pattern
	han, english string
}{
	{words.MustCompile(`(?i)华东|\beast(?:ern)? china\b`), "上海、江苏、浙江、安徽、福建、江西、山东", "Shanghai, Jiangsu, Zhejiang, Anhui, Fujian, Jiangxi and Shandong"},
	{words.MustCompile(`(?i)华南|\bsouth(?:ern)? china\b`), "广东、广西、海南", "Guangdong, Guangxi and Hainan"},
	{words.MustCompile(`(?i)华北|\bnorth(?:ern)? china\b`), "北京、天津、河北、山西、内蒙古", "Beijing, Tianjin, Hebei, Shanxi and Inner Mongolia"},
	{words.MustCompile(`(?i)华中|\bcentral china\b`), "河南、湖北、湖南", "Henan, Hubei and Hunan"},
	{words.MustCompile(`(?i)东北(?:地区|三省)?|\bnorth-?east(?:ern)? china\b`), "辽宁、吉林、黑龙江", "Liaoning, Jilin and Heilongjiang"},
	{words.MustCompile(`(?i)西北(?:地区)?|\bnorth-?west(?:ern)? china\b`), "陕西、甘肃、青海、宁夏、新疆", "Shaanxi, Gansu, Qinghai, Ningxia and Xinjiang"},
	{words.MustCompile(`(?i)西南(?:地区)?|\bsouth-?west(?:ern)? china\b`), "重庆、四川、贵州、云南、西藏", "Chongqing, Sichuan, Guizhou, Yunnan and Tibet"},
	{words.MustCompile(`(?i)江浙沪|长三角|\byangtze (?:river )?delta\b`), "上海、江苏、浙江", "Shanghai, Jiangsu and Zhejiang"},
	{words.MustCompile(`(?i)珠三角|大湾区|\bpearl river delta\b|\bgreater bay area\b`), "广东", "Guangdong"},
	{words.MustCompile(`(?i)京津冀`), "北京、天津、河北", "Beijing, Tianjin and Hebei"},
	{words.MustCompile(`(?i)([东西南北中]部地区)|(?:^|[，,的在和])([南北]方)(?:地区)?(?:的|卖|客|买|订|销|有|市场|$)|\b((?:western|the west of) china)\b`), "", ""},
}

// ofRegion says, of a question for a part of the country that no card speaks of, that it is told by provinces and cities alone, and which these are; "" for any other.
func (x *Index) ofRegion(g *goal) string {
	if slices.ContainsFunc(g.clauses, func(c wishes.Clause) bool { return len(c.Change) > 0 || c.Policy }) || len(g.acts) > 0 || speaksOfFiles(g) || !x.speaks("城市") {
		return ""
	}
	var named, means []string
	example := ""
	for _, r := range regions {
		all := r.FindStringSubmatch(facts.Quoted.ReplaceAllString(g.text, " "))
		if len(all) == 0 {
			continue
		}
		m := words.Either(len(all) > 1, strings.Join(all[1:], ""), all[0])
		if x.speaks(m) {
			continue
		}
		named = append(named, words.Say(g.lang, "「%s」", "“%s”", m))
		if r.han != "" {
			means = append(means, words.Say(g.lang, "%[1]s通常指%[2]s", "%[1]s usually means %[3]s", m, r.han, r.english))
			if first := words.Say(g.lang, r.han, r.english); example == "" {
				example = strings.FieldsFunc(first, func(r rune) bool { return r == '、' || r == ',' })[0]
			}
		}
	}
	if len(named) == 0 {
		return ""
	}
	if example == "" {
		example = words.Say(g.lang, "四川", "Sichuan")
	}
	out := words.Say(g.lang, "没有算出来：这里只按城市和省份统计，%s这样的大区没有。", "This is not worked out: figures here are by city and province, and %s is neither.", strings.Join(named, words.Say(g.lang, "、", " or ")))
	for _, m := range means {
		out += words.Say(g.lang, "%s。", " %s.", m)
	}
	return out + words.Say(g.lang, "可以一个一个地问，比如「%[1]s的销售额」，或者问「按城市的销售额」。", " Ask for one of them, as in “sales in %[1]s”, or for “sales by city”.", example)
}
