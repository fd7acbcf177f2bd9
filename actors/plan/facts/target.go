package facts

import (
	"strconv"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/words"
)

// Target is a figure that another one is held against: 目标10万, a goal of 200k.
type Target float64

// String is the target in digits.
func (t Target) String() string { return strconv.FormatFloat(float64(t), 'f', -1, 64) }

// IsTarget reports whether a fact is such a figure, or one that it is asked about whether another one is above or below.
func (f Fact) IsTarget() bool {
	_, target := f.Value.(Target)
	_, bar := f.Value.(Bar)
	return target || bar
}

const (
	targetNumber = `[¥￥$]?\s*(?:CNY |RMB )?(\d[\d,]*(?:\.\d+)?)\s*(万|千|百万|亿|k\b|w\b|m\b|million\b|thousand\b)?\s*(?:元|块钱?|个?订单|单|件|CNY\b|RMB\b|yuan\b)?`
	// targetTail asks how much is missing.
	targetTailHan = `(?:[，,、\s]*(?:我们|现在|那)?(?:离目标|距目标)?(?:还|仍)?(?:差|缺|有|要卖|需要?卖?)(?:多少|多远|几)(?:钱|元|单|件)?|[，,、\s]*(?:现在|已经|都)?(?:完成|达成|达到|实现)了?(?:吗|没有?|多少|百分之几|几成)|的?(?:完成|达成)(?:了多少|率|了百分之几|了几成|了吗)?|(?:的?(?:高|低|多|少)|达到|完成)了?(?:吗|多少|没有?)?)?`
	targetTailEng = `(?:[,;:. ]*(?:and |so |then )?how (?:much|far|many)[a-z ']*(?:missing|left|more|short|to go|lacking|need|remaining|are we|do we have)[a-z ]*)?`
)

var (
	targetHan = words.MustCompile(`(?:(?:比|离|距离?|对比|按|和|跟|与)?(?:我们|店里|我)?的?(?:销售额?|业绩|营业额)?目标(?:销售额|是|为|定在|定为|定的|设为|额|[:：])*\s*` + targetNumber + `(?:的?目标)?|(?:离|距离?)` + targetNumber + `的?(?:目标)?)` + targetTailHan)
	targetEng = words.MustCompile(`(?i)(?:how (?:far|much|close)[a-z ']* (?:from|to|until|till|of|short of|below|above|reach) )?(?:\b(?:of|with|against|versus|vs|than|to|reach|hit|if) )?(?:\b(?:our|the|my|a|an|sales|revenue|monthly|order) )*\b(?:targets?|goals?) ?(?:of|is|was|are|were|=|:|at)?(?: set (?:at|to))? ?` + targetNumber + targetTailEng)
)

// heldTo: it is asked how a figure stands to it.
var heldTo = words.MustCompile(`(?i)^(?:比|离|距|对比|和|跟|与)|多[少远]|几|[吗率没]|\bhow (?:far|much|many|close)\b|^\s*(?:against|versus|vs|than|reach|hit)\b`)

// targets reads the figures that a text gives as what shall be reached.
func targets(s string) (out []Fact) {
	for _, re := range []*words.Pattern{targetHan, targetEng} {
		for _, m := range re.FindAllStringSubmatchIndex(s, 4) {
			if !heldTo.MatchString(s[m[0]:m[1]]) { // an event with a goal of 10,000 is given a number
				continue
			}
			digits, unit := "", ""
			for g := 2; g+3 < len(m); g += 4 {
				if m[g] >= 0 {
					digits = s[m[g]:m[g+1]]
					if m[g+2] >= 0 {
						unit = s[m[g+2]:m[g+3]]
					}
				}
			}
			n, err := strconv.ParseFloat(strings.ReplaceAll(digits, ",", ""), 64)
			if err != nil {
				continue
			}
			n *= scales[strings.ToLower(unit)]
			out = append(out, Fact{Kind: Compare, Text: s[m[0]:m[1]], Value: Target(n), Start: m[0], End: m[1]})
		}
	}
	return out
}
