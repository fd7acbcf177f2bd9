package plan

import (
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/words"
)

// "Undo that" and 撤销刚才的改价 want back what was before the last change. Nothing here remembers that but the conversation: where the answer told what it was, 已从 79 元改为
// 90 元, it is read as the wish for that again, which leave is asked for like any other. What was not told is not guessed, and 撤销 is no wish to cancel an order.

var (
	// undoHan and undoEng want the last change back; of what, an aspect, may be said: their groups.
	undoHan = words.MustCompile(`^(?:请|帮我|麻烦|那就?|还是|算了|不对|等等|[，,\s])*(?:(?:撤销|撤回|还原|恢复|回退|取消)(?:掉|一下|到)*(?:我|你)?(?:刚才|刚刚|刚|上一?次|上一?步|上个|之前|最近一次|这次|上面)?(?:做|改)?的?(?:那个|这个|那次|这次|一次)?(?:对?它的|它的|商品的?|订单的?)?(改价|降价|涨价|调价|价格|售价|原价|库存|补货|(?:收货)?地址|电话|收货人|备注|状态)?(?:的)?(?:改动|修改|更改|操作|变更|调整|设置|原样)?` +
		`|(?:把|将)?(?:它|这个|那个|他们|它们)?的?(价格?|售价|库存|(?:收货)?地址|电话|收货人|备注|状态)?(?:都|再|给我)*(?:恢复|还原|改回|调回|变回|换回|退回|撤回|撤销)(?:去|来|到|成|为)?(?:原来|原先|之前|以前|刚才)?的?(原价|价格?|售价|库存|(?:收货)?地址|电话|收货人|备注|状态|原样|样子|值)?)(?:吧|了|去|来|回去|回来|一下|掉)*[。！!]*$`)
	undoEng = words.MustCompile(`(?i)^(?:please |can you |could you |no,? |ok,? |actually,? |wait,? )*(?:(?:undo|revert|roll back|reverse|restore|take back)(?: (?:that|it|this|them|my|the|your|what you(?: just)? did|last|latest|previous|old|original|(price|stock|address|note|phone|receiver|state)|changes?|edits?|steps?|one))*|(?:change|put|set|turn|switch|bring) (?:it|that|this|them|the (price|stock|address|note|phone|receiver|state)) back(?: to (?:what it was|how it was|the (?:old|original|previous) (?:price|stock|address|note|value|one)|before|normal))?)[.! ]*$`)
	// plainStop is 取消 with nothing of a change, which is no undoing.
	plainStop = words.MustCompile(`^(?:请|帮我|麻烦|[，,\s])*取消(?:掉|了|吧|一下|这个|那个|订单的?|它的?)*[。！!]*$`)

	// wasHan and wasEng tell what a property of a thing was before a change: its groups are the thing, the property, and the value; the first of a row of them has
	// the thing, the others go on with it.
	wasHan = words.MustCompile(`(?:^|\n|。)\s*(.{2,60}?)\s*(?:的([\p{Han}]{2,6}?)已从|已修改：([\p{Han}]{2,6}?)从)\s*(?:「([^」\n]+)」|([^\s「，。]+(?: [元件])?))\s*改为`)
	wasEng = words.MustCompile(`(?i)(?:^|\n|\. )(?:The (price|stock) of (.{2,60}?) is changed from (?:CNY )?([\d.,]+)(?: pieces?)? to|Order (\d{6,}) is changed: ([a-z' ]{4,20}?) is changed from “([^”\n]+)” to)`)
	// wasMade tells of any change in an answer.
	wasMade = words.MustCompile(`已从|改为「|已取消，|已取消；|已发货|已发送|已同意|已拒绝|已开|已催|已修改|(?i)\b(?:is|are) (?:changed|cancelled|shipped|sent|approved|refused|issued|urged)\b|\bis now\b`)
)

// undoing is a turn that wants the last change back, as the wish for what was there before; no says why there is none. Both are "" for any other turn.
func undoing(text, lang string, history []earlier) (wish, no string) {
	text = strings.TrimSpace(text)
	m := undoHan.FindStringSubmatch(text)
	if m == nil {
		m = undoEng.FindStringSubmatch(text)
	}
	aspect := ""
	if m != nil {
		aspect = strings.Join(m[1:], "")
	}
	if m == nil || len(text) > maxPointing || plainStop.MatchString(text) || strings.HasPrefix(strings.TrimLeft(text, "请帮我麻烦"), "取消") && aspect == "" && !strings.ContainsAny(text, "改操变调") {
		return "", ""
	}
	for _, t := range slices.Backward(history) {
		if !wasMade.MatchString(t.Answer) {
			continue
		}
		back, all := backTo(t.Answer, aspect, lang)
		switch {
		case len(back) > 0 && all:
			return strings.Join(back, words.Say(lang, "。", ". ")), ""
		case aspect == "":
			return "", words.Say(lang, "没有撤销：上一次的改动是「%s」，对话里没有它改之前的值，或者这一步撤不回来。要改成什么，请直接说。", "Nothing was undone: the last change was “%s”, and what was there before was not shown, or it cannot be taken back. Please say what it shall be.", words.Short(strings.TrimSpace(t.Answer), 80))
		}
	}
	return "", words.Say(lang, "没有撤销：这段对话里没有可以撤回的改动，所以什么也没有改。要改成什么，请直接说出来。", "Nothing was undone: this conversation shows no change that could be taken back. Please say what shall be changed, and to what.")
}

// backTo are the wishes that put back what an answer tells was changed, of one property if an aspect is named; all tells that none of its changes is left out.
func backTo(answer, aspect, lang string) (out []string, all bool) {
	took := 0
	for _, m := range wasHan.FindAllStringSubmatch(answer, -1) {
		if strings.HasSuffix(m[4], "…") { // nobody wants back a part of it
			continue
		}
		if took++; sameAspect(m[2]+m[3], aspect) {
			out = append(out, "把"+m[1]+"的"+m[2]+m[3]+"改成"+words.Either(m[4] != "", "「"+m[4]+"」", strings.ReplaceAll(strings.ReplaceAll(m[5], ",", ""), " ", "")))
		}
	}
	for _, m := range wasEng.FindAllStringSubmatch(answer, -1) {
		if strings.HasSuffix(m[6], "…") {
			continue
		}
		of, what, was := m[2]+words.Either(m[4] != "", "order "+m[4], ""), m[1]+strings.TrimPrefix(m[5], "seller's "), words.Either(m[6] != "", "“"+m[6]+"”", strings.ReplaceAll(m[3], ",", ""))
		if took++; sameAspect(what, aspect) {
			out = append(out, "set the "+what+" of "+of+" to "+was)
		}
	}
	changes := strings.Count(answer, "改为") + strings.Count(answer, " is changed from ") + strings.Count(answer, " is now ")
	return out, aspect != "" || took == changes
}

// sameAspect reports whether a property is the one that somebody names by a word for it or for its change; "" names any.
func sameAspect(property, aspect string) bool {
	switch {
	case aspect == "" || strings.Contains(property, aspect) || strings.Contains(aspect, property):
		return true
	case strings.Contains(aspect, "价") || aspect == "price":
		return strings.Contains(property, "价") || property == "price"
	case aspect == "补货" || aspect == "stock" || aspect == "库存":
		return property == "库存" || property == "stock"
	}
	return len(words.AlsoCalled(aspect)) > 1 && slices.Contains(words.AlsoCalled(aspect), strings.ToLower(property))
}
