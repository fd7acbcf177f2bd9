package words

import (
	"math/big"
	"strconv"
	"strings"
)

// HanNumber is the pattern of a number in figures or Chinese signs.
const HanNumber = `[\d〇零一二两三四五六七八九十百半]+`

var englishNumbers = map[string]int{"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14,
	"fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90}

// EnglishNumber is the pattern of a number in English words, up to 999,999.
const EnglishNumber = `(?:(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|dozen)(?:[- ](?:and )?\b)?)+\b`

// EnglishAmount reads a number in English words as [EnglishNumber] finds it: twenty-five, two hundred and ten, a dozen. Articles alone are none.
func EnglishAmount(s string) (int, bool) {
	sum, part, any := 0, 0, false
	for _, w := range strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return r == ' ' || r == '-' }) {
		switch w {
		case "and", "a", "an":
			continue
		case "hundred":
			part = max(part, 1) * 100
		case "dozen":
			part = max(part, 1) * 12
		case "thousand":
			sum, part = sum+max(part, 1)*1000, 0
		default:
			n, ok := englishNumbers[w]
			if !ok || part%100 > 0 && (n > 9 || part%10 > 0) { // two three: nobody knows which
				return 0, false
			}
			part += n
		}
		any = true
	}
	return sum + part, any
}

// Number reads Arabic, Chinese (below a hundred million) and small English numerals.
func Number(s string) (int, bool) {
	if n, err := strconv.Atoi(s); err == nil {
		return n, true
	}
	if n, ok := englishNumbers[strings.ToLower(s)]; ok {
		return n, true
	}
	large, sum, digit, any, ones := 0, 0, 0, false, false
	for _, r := range s {
		switch i := strings.IndexRune("零一二三四五六七八九", r); {
		case ones && (i > 0 || r == '两'): // 三五 is three to five, and 八五 stands for 85: the caller knows which
			return 0, false
		case i >= 0:
			digit, any, ones = i/len("零"), true, i > 0
		case r == '两':
			digit, any, ones = 2, true, true
		case r == '十', r == '百', r == '千':
			base := map[rune]int{'十': 10, '百': 100, '千': 1000}[r]
			sum += max(digit, 1) * base
			digit, any, ones = 0, true, false
		case r == '万' && large == 0 && sum+digit > 0:
			large, sum, digit, ones = (sum+digit)*10000, 0, 0, false
		default:
			return 0, false
		}
	}
	return large + sum + digit, any
}

// hoursOf are units of time in hours, by how a card or a person begins to write them.
var hoursOf = []struct {
	unit  *Pattern
	hours *big.Rat
}{
	{MustCompile(`(?i)分钟|\bmin(?:ute)?s?\b`), big.NewRat(1, 60)}, {MustCompile(`(?i)小时|\bhours?\b`), big.NewRat(1, 1)},
	{MustCompile(`(?i)天|\bdays?\b`), big.NewRat(24, 1)}, {MustCompile(`(?i)周|星期|\bweeks?\b`), big.NewRat(24*7, 1)},
}

// InHours is a unit of time in hours; nil when a text names none.
func InHours(text string) *big.Rat {
	for _, u := range hoursOf {
		if u.unit.MatchString(text) {
			return u.hours
		}
	}
	return nil
}

// Nth is the number of an English ordinal, written or in figures; 0 when it is none.
func Nth(word string) int {
	word = strings.ToLower(word)
	n := Ordinals[word]
	if n == 0 {
		n, _ = strconv.Atoi(strings.TrimRight(word, "stndrh"))
	}
	return n
}

// LastRow follows "the last" where a row of a list is meant.
var LastRow = MustCompile(`(?i)^\s+(?:one|row|line|entry|item)\b`)

// Ordinals are the places that English words and the options' own numbers name beyond [Number].
var Ordinals = map[string]int{"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9, "tenth": 10}

// LongNumber is a number that can only be somebody's id.
var LongNumber = MustCompile(`\d{6,}`)

// QuantityOf is what a unit, or the name of a figure, measures: time, money or pieces; "" when it does not say.
func QuantityOf(name string) string {
	for _, k := range kindsOfMeasure {
		if k.re.MatchString(name) {
			return k.of
		}
	}
	return ""
}

var kindsOfMeasure = []struct {
	of string
	re *Pattern
}{
	{"time", MustCompile(`(?i)[天周年]|小时|分钟|月份?$|(?:^|_|\b)(?:days?|weeks?|months?|years?|hours?|minutes?|seconds?)(?:$|_|\b)`)},
	{"money", MustCompile(`(?i)元|块|金额|价|费用|成本|\b(?:yuan|dollars?|cny|rmb|usd|eur)\b|(?:^|_|\b)(?:price|amount|cost|budget|fee)(?:$|_|\b)`)},
	{"pieces", MustCompile(`(?i)^(?:件|台|units?|pieces?|items?|products?)$|库存|数量|件数|(?:^|_|\b)(?:stock|quantity|qty)(?:$|_|\b)`)},
}
