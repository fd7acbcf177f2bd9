package consent

import (
	"regexp"
	"slices"
	"strings"
)

// deeds are the words for what tools do, and the parts of a tool's name that mean the same. What is refused is not among them: "refuse it" is a no
// before it is the name of a deed.
var deeds = map[string][]string{
	"取消": {"cancel"}, "发": {"ship", "send"}, "发货": {"ship"}, "发送": {"send"}, "寄": {"ship"}, "改": {"change", "set", "update", "edit"}, "修改": {"change", "set", "update", "edit"}, "更新": {"update", "set", "change"},
	"调整": {"set", "change", "update"}, "删": {"delete", "remove"}, "删除": {"delete", "remove"}, "存": {"save", "store"}, "保存": {"save", "store"}, "退": {"refund"}, "退款": {"refund"}, "开": {"issue"}, "开票": {"issue"},
	"创建": {"create"}, "写": {"write"}, "移动": {"move"}, "关闭": {"close"}, "发布": {"publish"},
	"change": {"set", "update", "edit"}, "update": {"set", "change", "edit"}, "send": nil, "ship": nil, "cancel": nil, "set": nil, "delete": {"remove"}, "remove": {"delete"}, "save": {"store"}, "refund": nil, "issue": nil,
	"create": nil, "write": nil, "move": nil, "close": nil, "publish": nil, "edit": {"change", "update"},
}

var (
	deedHan = regexp.MustCompile(`^(?:那就?|就|请|帮我|麻烦)*(?:把(?:它|这[个笔单张条些](?:订单)?|他们|它们))?(取消|发货|发送|发|寄|修改|改|更新|调整|删除|删|保存|存|退款|退|开票|开|创建|写|移动|关闭|发布)(?:掉|了)?(?:它们?|这[个笔单张条些](?:订单)?)?[吧呀啊哦啦]?$`)
	deedEng = regexp.MustCompile(`^(?:(?:please|and|just|then|now|you (?:can|may)) )*([a-z]+)( (?:it|that|this|them|these|those|(?:the|this|that) (?:order|message|price|tool|file))(?: (?:up|out|off))?)?(?: (?:please|now|then|thanks))*$`)
)

// names reports whether a part of an answer is nothing but the deed of a tool, 发货吧. To cancel may be to cancel the change that is asked for, and so are words
// without an object in English: these count only behind a yes.
func names(part, tool string, behindYes bool) bool {
	word, sure := "", true
	if m := deedHan.FindStringSubmatch(part); m != nil {
		word, sure = m[1], m[1] != "取消"
	} else if m := deedEng.FindStringSubmatch(part); m != nil {
		word, sure = m[1], m[1] != "cancel" && m[2] != ""
	}
	means, known := deeds[word]
	if !known || !sure && !behindYes {
		return false
	}
	return slices.ContainsFunc(strings.FieldsFunc(strings.ToLower(tool), func(r rune) bool { return r < 'a' || r > 'z' }), func(w string) bool { return w == word || slices.Contains(means, w) })
}
