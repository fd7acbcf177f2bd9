package fields

import (
	"strconv"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// Rules that people write into descriptions instead of the schema. Reading them is what lets a tool that says
// "12位纯数字" or "只能是以下三种：企业、个人和个体工商" work without anyone declaring it twice.
var (
	toldEnumHan   = words.MustCompile(`(?:枚举值?|取值|可选值|可选项|选项|值)[^\[【（(：:。]{0,12}[\[【]([^\]】]+)[\]】]`)
	toldOnlyHan   = words.MustCompile(`(?:只能(?:是|为|取|填)?|必须是|仅支持|仅限|可选值?(?:为|有)?|取值(?:为|范围)?|枚举值?(?:为|有)?|分为|包括以下)(?:以下)?(?:[一二两三四五六七八九十\d]+[种个类项])?\s*[:：]?\s*([^。；;\n（(]{2,120})`)
	toldEnumEng   = words.MustCompile(`(?i)\b(?:one of|must be one of|either|allowed values?(?: are| is)?|possible values?(?: are| is)?|valid values?(?: are)?|options?(?: are)?)\s*[:=]?\s*[\[(]?([^.\n\])]{3,160})`)
	toldQuotesEng = words.MustCompile(`['"‘“]([\w][\w \-/]{0,40})['"’”](?:\s*,?\s*(?:or|and)\s*['"‘“]([\w][\w \-/]{0,40})['"’”])`)
	ToldExamples  = words.MustCompile(`(?i)(?:例如|比如|譬如|如|e\.g\.|for example|such as|like)\s*[:：,，]?\s*([^。；;\n）)]{1,120})`)
	toldLength    = words.MustCompile(`(\d{1,2})(?:\s*(?:-|~|到|至|或)\s*(\d{1,2}))?\s*(?:位|-?\s?digits?\b)`)
	toldMeans     = words.MustCompile(`([^。；;\n]+?)[，,]?(?:枚举值?|取值|值|则|就)?(?:为|是|选|填|传|取|→|=)\s*[「“"'\[【]?([^\s，,。；;」”"'\]】]{1,24})`)
	// SplitValues parts the values of an enumeration in prose.
	SplitValues = words.MustCompile(`\s*(?:[、,，/|；;]|(?:\s+or\s+)|(?:\s+and\s+)|和|或者|或|及|以及)\s*`)
)

// toldInstead: parameters that do the same job, of which one is enough.
var (
	toldInstead = words.MustCompile(`(?:与|和)\s*([^，。；,;]{1,60}?)\s*(?:二选一|三选一|任选其一|(?:任意)?(?:给|填|传|提供)?一个即可|选一个?)`)
	toldEither  = words.MustCompile(`(?i)(?:instead of|as an alternative to|either this or)\s+([\w, ]{1,60})`)
	toldMust    = words.MustCompile(`(?:给|填|传|提供)一个即可|必填其一|至少(?:给|填)?一个`)
)

// listen reads the rules told in the description and settles the sort.
func (f *Field) listen() {
	f.Sort = f.sortOf()
	if f.Type == "string" && (f.Format == "time" || isClockName.MatchString(f.Parts) && f.Format == "" && isClockDesc.MatchString(f.Desc)) {
		f.Sort, f.Clock = Text, true
	}
	for _, re := range []*words.Pattern{toldInstead, toldEither} {
		if m := re.FindStringSubmatch(f.Desc); m != nil {
			f.Instead = values(m[1])
		}
	}
	f.OneOf = len(f.Instead) > 0 && toldMust.MatchString(f.Desc)
	if len(f.Enum) == 0 && (f.Sort == Text || f.Sort == ID || f.Sort == List) {
		f.Enum = toldEnum(f.Desc)
	}
	if len(f.Enum) > 0 && f.Sort != List && f.Type != "boolean" {
		f.Sort = Enum
	}
	if len(f.Enum) > 0 {
		f.Means = toldMeaning(f.Desc, f.Enum)
	}
	if len(f.Examples) == 0 && len(f.Enum) == 0 {
		if m := ToldExamples.FindStringSubmatch(f.Desc); m != nil {
			f.Examples = values(m[1])
		}
	}
	if f.Sort == ID || f.Sort == Phone || f.Sort == Text {
		for _, m := range toldLength.FindAllStringSubmatch(f.Desc, 3) {
			lo, _ := strconv.Atoi(m[1])
			hi := lo
			if m[2] != "" {
				hi, _ = strconv.Atoi(m[2])
			}
			for n := lo; n <= hi && n <= 40; n++ {
				f.Lengths = append(f.Lengths, n)
			}
		}
		if len(f.Lengths) > 0 && f.Sort == Text {
			f.Sort = ID
		}
	}
}

// toldEnum finds the values a description allows; nil when it tells none, or only one.
func toldEnum(desc string) []string {
	for _, re := range []*words.Pattern{toldEnumHan, toldOnlyHan, toldEnumEng} {
		if m := re.FindStringSubmatch(desc); m != nil {
			if vs := values(m[1]); len(vs) > 1 {
				return vs
			}
		}
	}
	if m := toldQuotesEng.FindStringSubmatch(desc); m != nil && !ToldExamples.MatchString(desc) {
		return []string{m[1], m[2]}
	}
	return nil
}

// slashedName is one value with slashes in it: Europe/London, acme/rockets-v2, /var/log, https://a.b/c.
var slashedName = words.MustCompile(`[a-z]+://\S+|(?:^|[\s'"“‘])[~.]{0,2}/[\w.-]+(?:/[\w.-]+)*|\b[A-Z][\w+-]+/[A-Z][\w+-]+(?:/[A-Z][\w+-]+)?`)

// values splits an enumeration in prose. One part longer than a value could be means that it was no enumeration.
func values(s string) []string {
	var out []string
	s = slashedName.ReplaceAllStringFunc(s, func(m string) string { return strings.ReplaceAll(m, "/", "\x00") })
	for _, v := range SplitValues.Split(s, -1) {
		v = strings.ReplaceAll(v, "\x00", "/")
		v = strings.TrimSuffix(strings.Trim(v, " \t.。'\"‘’“”「」`[]【】()（）"), "等")
		v = strings.TrimSuffix(strings.TrimPrefix(v, "or "), "etc")
		if v = strings.TrimSpace(v); v == "" {
			continue
		}
		if len([]rune(v)) > 24 || wishes.QuestionHan.MatchString(v) { // 可选：内容是什么 tells what may be left out
			return nil
		}
		out = append(out, v)
	}
	return out
}

// toldMeaning collects, for each allowed value, the words of the sentence that says when to take it, such as
// 若用户希望查询的目标是订单编号、订单数量等，枚举值为订单.
func toldMeaning(desc string, enum []string) map[string][]string {
	out := map[string][]string{}
	for _, m := range toldMeans.FindAllStringSubmatch(desc, 40) {
		for _, v := range enum {
			if strings.HasPrefix(m[2], v) {
				out[v] = append(out[v], words.Content(m[1])...)
			}
		}
	}
	// "paid：已付款" and "paid (已付款)": a value followed by its explanation.
	for _, v := range enum {
		if i := strings.Index(desc, v); i >= 0 {
			rest := strings.TrimLeft(desc[i+len(v):], " ")
			for _, p := range []string{"：", ":", "（", "(", "=", "-", "表示", "为"} {
				if strings.HasPrefix(rest, p) {
					rest = rest[len(p):]
					if j := strings.IndexAny(rest, "，,、；;。）)\n"); j >= 0 {
						rest = rest[:j]
					}
					out[v] = append(out[v], words.Content(rest)...)
					break
				}
			}
		}
	}
	return out
}

var (
	// IsQueryName is the name of a parameter that takes the question itself.
	IsQueryName  = words.MustCompile(`(?i)^(query|question|q|search_?text|text_query|problem|inquiry)$`)
	isQueryDesc  = words.MustCompile(`(?i)(问题|提问|检索词|检索内容|查询内容|查询语句|搜索内容|自然语言提问|the question|search query|query text|free text)`)
	isPersonDesc = words.MustCompile(`(?i)(^full name(?:$| of (?:who|someone|somebody|the one)\b)|姓名|名字|收货人|收件人|联系人|(?:full )?name of (?:the |a )?(?:customer|client|person|user|buyer|patient|guest|employee|student|artist|author|victim|owner|traveler|passenger|member|subscriber|driver|teacher|tenant|colleague)|(?:customer|client|buyer|user|guest|patient|person|recipient)(?:'s)? (?:full )?name)`)
	isPersonName = words.MustCompile(`(?i)(customer|consumer|client|buyer|guest|patient|person|user|recipient|contact|full|first|last|owner|author|artist)_?name`)
	isPhoneDesc  = words.MustCompile(`(?i)(电话|手机|phone|mobile|telephone)`)
	isIDName     = words.MustCompile(`(?i)(^|_)(id|ids|no|number|code|sku|pin|account|uuid|key|token|ref|reference|identifier)$|[a-z](ID|Id)$`)
	isIDDesc     = words.MustCompile(`(?i)(编号|单号|账号|号码|编码|唯一标识|\bID\b|identifier|unique id)`)
	endsInMail   = words.MustCompile(`(?i)(?:邮箱|邮件地址|邮箱地址|e-?mail(?: address)?)$`)
	isDateName   = words.MustCompile(`(?i)(^|_)(date|day|month|since|until|deadline|time)(_|$)|(^|_)(period|range|valid|created|updated|window|interval|report)_(from|to|start|end)$|(date|time|_at)$`)
	isClockName  = words.MustCompile(`(?i)(^|_)(time|hour|clock)$|[a-z]Time$|时间|时刻`)
	isClockDesc  = words.MustCompile(`(?i)\bHH|\bhh:|time of (?:the )?day|o'clock|\bat what time|时刻|几点|几时`)
	// isBound: of days, unless the card tells that it is something else: a ward, a currency, who gets a mail.
	isBound    = words.MustCompile(`(?i)^(from|to|start|end)$`)
	ofDays     = words.MustCompile(`(?i)date|day|month|year|time|period|range|when|since|until|yyyy|^\s*$|起|止|日`)
	isDateDesc = words.MustCompile(`(?i)(日期|时间|年月|月份|\bdate\b|yyyy|\bday\b.*format)`)
	isLinkDesc = words.MustCompile(`(?i)(链接|网址|\burl\b|\blink\b|e-?mail|邮箱|邮件地址)`)
)

// sortOf settles what sort of value the field takes, by declaration first and words second.
func (f *Field) sortOf() Sort {
	h := f.Head()
	switch {
	case f.Type == "boolean":
		return Bool
	case f.Type == "array":
		return List
	case f.Type == "object":
		return object
	case len(f.Enum) > 0:
		return Enum
	case f.Source:
		return Text
	case f.Format == "date" || f.Format == "date-time" || f.Format == "time":
		return Date
	case f.Format == "email" || f.Format == "uri" || f.Format == "url":
		return Link
	case f.Type == "integer" || f.Type == "number":
		if isIDName.MatchString(f.Parts) && !strings.Contains(f.Parts, "number_of") && isIDDesc.MatchString(h) {
			return ID
		}
		return Number
	case IsQueryName.MatchString(f.Parts), isQueryDesc.MatchString(h):
		return Query
	case isPhoneDesc.MatchString(f.Parts) || isPhoneDesc.MatchString(h):
		return Phone
	case isIDName.MatchString(f.Parts) || isIDDesc.MatchString(h):
		return ID
	case endsInMail.MatchString(h):
		return Link
	case isPersonDesc.MatchString(h) || isPersonName.MatchString(f.Parts):
		return Person
	case isLinkDesc.MatchString(f.Parts) || isLinkDesc.MatchString(h):
		return Link
	case isDateName.MatchString(f.Parts) && !isCount.MatchString(h), isDateDesc.MatchString(h), isBound.MatchString(f.Parts) && ofDays.MatchString(h):
		return Date
	}
	return Text
}

// isCount: a length of time or an amount, where the name alone looks like a date.
var isCount = words.MustCompile(`(?i)(天数|几天|时长|number of|duration|how many|amount of)`)
