package fields

import (
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// Named is how a text names an allowed value of the field; "" when it names none, or several.
func (f *Field) Named(text string) string {
	low := strings.ToLower(text)
	var out []string
	for _, v := range f.Enum {
		for _, w := range append([]string{v}, f.Called[v]...) {
			i := strings.Index(low, strings.ToLower(w))
			if i < 0 || len([]rune(w)) < 2 || !words.Holds(low, strings.ToLower(w)) || len(low) != len(text) {
				continue
			}
			w = text[i : i+len(w)]
			if slices.ContainsFunc(out, func(o string) bool { return strings.Contains(o, w) }) {
				continue
			}
			out = slices.DeleteFunc(out, func(o string) bool { return strings.Contains(w, o) })
			out = append(out, w)
		}
	}
	if len(out) != 1 {
		return ""
	}
	return out[0]
}

// CalledFor is the value that the text gives beside the field's own name: 收货地址改成X, 抬头是X. "" when it gives none, or only says that it is another one.
func (f *Field) CalledFor(text string) string {
	if v := f.calledFor(text); !anotherOne.MatchString(v) {
		return v
	}
	return ""
}

// anotherOne is no value: 别人的地址, a new address.
var anotherOne = words.MustCompile(`(?i)^(?:一?[下个改换]|掉|了|一下[吧啊])$|^(?:成|为|到)?(?:(?:别人|其[他它]人?|他人|别的|另一?个?|另外一?个?|新的?|某个?|正确|对|合适|不同)的?)+(?:收货|收件)?(?:地址|电话|手机号?|收货人|人|姓名|名字|号码|备注|地方|值)?$|^(?:an?other|(?:an?|the|his|her|their) (?:new|right|correct|other|different|proper)|some(?:one|body|thing)(?: else)?(?:['’]s)?|new|different|else)(?: (?:one|address|phone|receiver|recipient|name|person|number|note|place))?$`)

func (f *Field) calledFor(text string) string {
	rs := []rune(f.Head())
	if f.Sort != Text && f.Sort != Person || len(rs) < 2 || !words.IsHan(rs[len(rs)-1]) || f.Pattern != nil {
		return ""
	}
	_, rest, ok := strings.Cut(text, string(rs[len(rs)-2:]))
	if m := givenQuoted.FindStringSubmatch(rest); ok && m != nil {
		return m[1]
	}
	if m := givenValue.FindStringSubmatch(rest); ok && m != nil && !wishes.QuestionHan.MatchString(m[1]) {
		return m[1]
	}
	if m := labelValue.FindStringSubmatch(rest); ok && m != nil && labelLead.MatchString(text[:len(text)-len(rest)-len(string(rs[len(rs)-2:]))]) && !notGiven.MatchString(m[1]) && !wishes.QuestionHan.MatchString(m[1]) {
		return m[1]
	}
	if m := notedDown.FindStringSubmatch(rest); ok && m != nil && noteLike.MatchString(f.Name) && givesTo.MatchString(text) && !wishes.QuestionHan.MatchString(m[1]) {
		return m[1]
	}
	low, name := strings.ToLower(text), f.Name[strings.LastIndexByte(f.Name, '_')+1:]
	if i := strings.Index(low, name); i >= 0 && len(low) == len(text) && words.Holds(low, name) {
		if m := givenEnglish.FindStringSubmatch(text[i+len(name):]); m != nil {
			given := m[1]
			if also := alsoGiven.FindStringIndex(given); also != nil && !noteLike.MatchString(f.Name) {
				given = given[:also[0]]
			}
			return strings.Trim(given, ` "“”'`)
		}
	}
	return ""
}

var (
	// givenEnglish: the address of order 281065412730 to …, a note to order 281065412730: …
	givenEnglish = words.MustCompile(`(?i)^(?:\s+(?:of|for|on|in|to)\s+(?:the\s+|my\s+)?(?:[a-z][\w'’.-]*\s+){0,5}?(?:orders?|refunds?|customers?|products?|it|them|these|those)?\s*#?\d*)?\s*(?:\s(?:to|as|saying|reading):?|:)\s+([^\n?]{2,200}?)\s*[.!]*$`)
	// alsoGiven: what another field of the thing, or of another thing, shall be: … and the phone to 13900001111, … and of order 281065412730 to Li Si.
	alsoGiven = words.MustCompile(`(?i)\s*[,;]?\s+and\s+(?:(?:also|change|set|update|make)\s+)*(?:the\s+|its\s+|her\s+|his\s+|their\s+)?(?:phone|mobile|telephone|number|address|receiver|recipient|name|note|remark|price|stock)(?:\s+number)?\s*(?:\b(?:to|is|as|of|for)\b|:)|\s*[,;]?\s+and\s+(?:(?:for|of|that of)\s+)?(?:the\s+)?(?:order\s+)?#?\d{6,}|\s*[,;]?\s+(?:and|but)\s+(?:leave|keep|do not|don['’]?t)\b|\s+(?:of|for|on)\s+(?:the\s+)?order\s+#?\d{6,}`)
	// notedDown stands behind 备注 where it is what is done: 给订单 281065412730 备注送礼.
	noteLike  = words.MustCompile(`(?i)note|remark`)
	givesTo   = words.MustCompile(`^\S{0,8}?(?:给|为|在)`)
	notedDown = words.MustCompile(`^(?:一下|上|了)?\s*[:：,，]?\s*([^，。,;；?？\s]{2,80})`)
)

var (
	// labelLead and labelValue stand around a label that begins a part of a sentence and has its value behind it: ，抬头北京字节科技有限公司.
	labelLead  = words.MustCompile(`[，,；;\s]\s*(?:发票|公司|单位|收货|收件|新)?$`)
	labelValue = words.MustCompile(`^(?:写|用|填|开)?\s*([^，。,;；?？\s:：]{2,60})`)
)

// notGiven begins what is no value but what is said of one.
var notGiven = words.MustCompile(`^(?:[不没同原保照也都和及与跟或的地得要怎哪有错改换设变更是为写填用开给先再就只]|一样|一致|什么|多少|如何|信息|内容|呢|吗)`)

// givenQuoted is all that stands in the quotes: 备注改成「老客户，送小礼物」.
var givenQuoted = words.MustCompile(`^(?:[从由][^，。,;；?？\s]{1,30}?)?(?:都|全部?|统一)*(?:(?:改|换|设|写|变更|更新)?[成为到]|改|换|填|写|是|[:：])?\s*[:：]?\s*["“「『]([^"”」』\n]{1,200})["”」』]`)

var givenValue = words.MustCompile(`^(?:[从由][^，。,;；?？\s]{1,30}?)?(?:都|全部?|统一)*(?:改成|改为|改到|换成|换为|换到|变更为|更新为|设为|改|换|填|写|是|为|[:：])\s*[:：]?\s*([^，。,;；?？\s]{2,80}(?:[，,]?\s*\d{1,4}\s*(?:单元|号楼|[栋幢座楼室层号])[^，。,;；?？\s]{0,20})*)`) // a house may have a comma before its door

// Remaining is which of what remains names the thing of a text parameter: the longest that the card knows in part, else the longest that stands where
// a name does. "" when none does.
func (f *Field) Remaining(s string, rs []wishes.Rest) string {
	best, most := "", 0
	for _, r := range rs {
		worth := 0
		switch {
		case f.Knows(r.Text):
			worth = 3
		case r.Cut || genericBehind.MatchString(s[r.End:]):
			continue
		case (soldBefore.MatchString(words.Before(s, r.Start)) || haveBefore.MatchString(words.Before(s, r.Start)) && inStock.MatchString(s[r.End:])) && (f.Required || f.Takes(r.Text)):
			worth = 2
		case f.Required:
			worth = 1
		case !words.IsHan(words.FirstRune(r.Text)) && !strings.Contains(r.Text, " "): // one Latin word may be any verb
		case f.Takes(r.Text):
			worth = 1
		}
		if worth > most || worth == most && worth > 0 && len(r.Text) > len(best) {
			best, most = r.Text, worth
		}
	}
	return best
}

var (
	// genericBehind: 人气商品, "popular items" tell of what kind things are, and name none.
	genericBehind = words.MustCompile(`(?i)^(?:的?(?:商品|产品|货品|宝贝|东西)|\s+(?:products?|items?|goods|things)\b)`)
	// haveBefore and inStock stand around goods that are asked for: do you have drones in stock.
	haveBefore = words.MustCompile(`(?i)\b(?:do|does) (?:you|we|they|(?:the|our|your) (?:shop|store)) (?:still |also )?(?:have|carry|offer|stock|keep)\s+(?:the |an? |any |some |our )?$|\b(?:is|are) there (?:still )?(?:an? |any |some )$|\bhow (?:much|many) (?:is|are|does|do|for|left of) (?:the |an? )?$`)
	inStock    = words.MustCompile(`(?i)^\s*(?:(?:are |is )?(?:in stock|left|available|on sale|for sale|cost|do (?:you|we) have)[^a-z]*$|[?.!]*$)`)
	soldBefore = words.MustCompile(`(?i)(?:\b(?:sell|selling|sells|sold|buy|bought|stock of|price of|sales of|for|carry|carries|called|named)\s+(?:the |an? |any |some |our )?|[卖买售])$`)
)

// Knows reports whether a value is in part one that the card declares: it holds one, or one holds it.
func (f *Field) Knows(v string) bool {
	low := strings.ToLower(v)
	for _, e := range f.Examples {
		if e = strings.ToLower(e); words.Holds(e, low) || strings.Contains(low, e) { // no train in trainers
			return true
		}
	}
	return false
}

// Takes reports whether a value may belong to the field's dictionary, if the card declares one: a new category is no
// category, but a product's name may be new.
func (f *Field) Takes(v string) bool {
	return len(f.Examples) < 5 || f.OpenName() || f.Knows(v)
}

// OpenName reports whether the field takes names of which its card cannot list all.
func (f *Field) OpenName() bool { return openName.MatchString(f.Name + " " + f.Head()) }

var openName = words.MustCompile(`(?i)name|名称|关键词|keyword`)
