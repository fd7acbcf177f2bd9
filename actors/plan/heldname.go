package plan

import (
	"strings"

	"github.com/hmap-project/hmap/actors/plan/words"
)

// What shall cost or be so much is named between the first word of a command and what of it changes: 把毛绒小熊降价到 60. All of it is its name, also where a sign of it is
// a word of everyday, as 小 is.

var (
	heldName = words.MustCompile(`^(?:请|麻烦|帮我|帮忙|给我|现在|马上|立刻|然后|[，,\s])*(?:把|将|给)?\s*([^，。,；;：:？?\n的]{2,24}?)\s*(?:的?(?:价格|售价|价钱|定价|单价|价|库存量?|存货))?(?:都|也|再|先|直接|统一|给我)*(?:降价|涨价|提价|调价|改价|降|涨|下调|上调|调[整低高到成为]?|提高?|改[成为到]|补货|补|进货|减|打|加价?|设[成为]|定[成为])`)
	// picksSome are words that pick things, or stand for them.
	picksSome = words.MustCompile(`所有|全部|全店|全场|每|各|最|第|这|那|[它他她]|类|些|[两几哪]|一半|价|库存|前|后|其[他余]|商品|产品|东西|订单|客户|的|\d\s*[个款种件]|以[上下]|[低高大小多少]于|超过|不到`)
)

// heldWhole is the name of the one thing that a Chinese command makes dearer, cheaper or more of; "" where it names none.
func heldWhole(text string) string {
	m := heldName.FindStringSubmatch(strings.TrimSpace(text))
	if m == nil || picksSome.MatchString(m[1]) || !words.HasHan(m[1]) {
		return ""
	}
	return strings.TrimSpace(m[1])
}

// overlap reports whether two stretches of a text have a sign in common.
func overlap(text, a, b string) bool {
	i, j := strings.Index(text, a), strings.Index(text, b)
	return a != "" && b != "" && i >= 0 && j >= 0 && i < j+len(b) && j < i+len(a)
}
