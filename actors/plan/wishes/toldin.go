package wishes

import (
	"strings"

	"github.com/hmap-project/hmap/actors/plan/words"
)

const (
	unitsEng = `(?:degrees? )?(?:celsius|fahrenheit|kelvin|centigrade)|miles?|kilomet(?:er|re)s?|km|met(?:er|re)s|feet|inches|pounds|lbs|kilograms?|kg|grams|ounces|lit(?:er|re)s|gallons|euros?|us dollars?|dollars?|usd|eur|gbp|yen|jpy|yuan|cny|rmb|metric(?: units)?|imperial(?: units)?`
	unitsHan = `摄氏度?|华氏度?|开尔文|公里|千米|英里|英尺|英寸|磅|公斤|千克|盎司|加仑|欧元|美元|英镑|日元|港币|人民币|公制|英制`
)

// toldIn is how an answer shall be put, which picks nothing: in a unit, 用华氏度, or in few words.
var toldIn = words.MustCompile(`(?i)\bin (?:` + unitsEng + `|(?:one|a single|a few|two) (?:sentences?|words?|lines?)|short|brief)\b|(?:单位)?[用以](?:` + unitsHan + `)(?:为单位|作单位|计算?|表示|显示|来?说|告诉我)?|(?:单位|换算?)(?:是|为|成|用)(?:` + unitsHan + `)|用(?:一|两)句话(?:说说?|讲讲?|概括|总结|介绍)?|简单(?:地)?(?:说|讲|介绍)(?:一下|说|讲)?`)

// ToldIn is how an answer to a text shall be put; "" when it says nothing of that.
func ToldIn(s string) string { return strings.TrimSpace(toldIn.FindString(s)) }

// WithoutToldIn is a text of the same length with spaces for that.
func WithoutToldIn(s string) string {
	return toldIn.ReplaceAllStringFunc(s, func(m string) string { return strings.Repeat(" ", len(m)) })
}
