package shop

import (
	"cmp"
	"fmt"
	"strings"
)

func (q *qualifications) tell(asked qualificationQuery) {
	en := func(word string) string { return q.table.English[word] }
	zhShop, enShop := asked.Type, en(asked.Type)
	if zhShop == "" {
		zhShop, enShop = "店铺", "shop"
	}
	if asked.Body != "" {
		zhShop, enShop = asked.Body+"主体的"+zhShop, enShop+" owned by "+article(en(asked.Body))
	}
	if q.Category != "" {
		zhShop, enShop = "经营"+q.Category+"、"+zhShop, enShop+" that sells "+en(q.Category)
	}
	enShop = article(enShop)
	papers := names(q.Requirements, func(r requirement) string { return r.Name })
	papersEn := names(q.Requirements, func(r requirement) string { return en(r.Name) })
	n := len(papers)
	zh := fmt.Sprintf("开%s需要 %d 项资质：%s。", zhShop, n, strings.Join(papers, "、"))
	said := fmt.Sprintf("To open %s you need %s: %s.", enShop, many(n, "paper"), enList(papersEn, n))
	if !q.Allowed {
		zh = q.refused + "；" + fmt.Sprintf("这里查的是%s，表中列有 %d 项资质：%s。", zhShop, n, strings.Join(papers, "、"))
		said = fmt.Sprintf("You cannot open %s: it needs a company; the small shop is open to you. The table lists %s for it: %s.", enShop, many(n, "paper"), enList(papersEn, n))
	}
	var ask, askEn []string
	if q.Category == "" {
		ask = append(ask, "类目（没有认出「"+shorten(q.Keyword)+"」，可以换成 "+zhList(q.Nearest, 5)+"）")
		askEn = append(askEn, "the category (“"+shorten(q.Keyword)+"” is not in the table; try "+enList(names(q.Nearest, func(w string) string { return cmp.Or(en(w), w) }), 5)+")")
	}
	if asked.Body == "" {
		ask, askEn = append(ask, "店铺主体（企业、个人、个体工商）"), append(askEn, "who owns the shop (company, individual, sole trader)")
	}
	if asked.Type == "" {
		ask, askEn = append(ask, "店铺类型（旗舰店、专卖店、专营店、卖场店、普通企业店、小店）"),
			append(askEn, "the type of shop (flagship, brand, multi-brand, marketplace, ordinary company store, small shop)")
	}
	if len(ask) > 0 {
		zh += "说明" + strings.Join(ask, "和") + "后可以列得更全。"
		said += " Say " + enList(askEn, 3) + " for a fuller list."
	}
	q.say(zh+q.table.Note, said+" "+q.table.NoteEn)
}

// article puts "a" or "an" before an English noun.
func article(noun string) string {
	if strings.ContainsAny(noun[:1], "aeiou") {
		return "an " + noun
	}
	return "a " + noun
}
