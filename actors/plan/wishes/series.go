package wishes

import (
	"math/big"
	"strconv"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/words"
)

// Sums of many numbers: 1到100的和, the sum of 3, 5 and 10, the average of them, 10的阶乘.

var (
	number     = `-?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?`
	numberList = number + `(?:(?:\s*(?:、|，|和|与|跟|\band\b)\s*|\s*,\s*|\s+)+` + number + `)+`
	// fromTo are all whole numbers between two.
	fromTo = words.MustCompile(`(?i)^(?:(?:从)?(\d{1,12})\s*(?:一直)?(?:加|累加)到\s*(\d{1,12})(?:的?(?:总?和|结果))?|(?:从)?(\d{1,12})\s*(?:到|至|~|～)\s*(\d{1,12})(?:的?(?:所有|全部)?(?:整数|自然数|数字?)?(?:之|的|相加的?)?(?:总?和|累加|加起来|相加)(?:的?结果)?)|` +
		`(?:the )?(?:sum|total) (?:of )?(?:all |the )*(?:(?:whole |natural )?(?:numbers|integers) )?(?:from |between )?(\d{1,12}) (?:to|through|and) (\d{1,12})|add (?:up )?(?:all |the )*(?:(?:whole |natural )?(?:numbers|integers) )?from (\d{1,12}) to (\d{1,12})|` +
		`(\d{1,12})\s*\+\s*\d{1,12}\s*\+\s*(?:\d{1,12}\s*\+\s*)?(?:…|\.{3}|⋯)+\s*\+\s*(\d{1,12}))$`)
	// ofList is the sum or the mean of a list of numbers.
	ofList = words.MustCompile(`(?i)^(?:(` + numberList + `)\s*(?:这?[几些]?个?数?(?:字)?)?(?:的|之)?(总?和|合计|总计|平均数?值?|均值|加起来|相加)(?:的?结果)?|(?:the )?(sum|total|average|mean) of (?:the numbers )?(` + numberList + `)|(add) (?:up |together )?(` + numberList + `))$`)
	oneOf  = words.MustCompile(number)
	// factorial is the product of all whole numbers up to one.
	factorial = words.MustCompile(`(?i)^(?:(\d{1,3})\s*(?:的阶乘|!|！| factorial)|(?:the )?factorial of (\d{1,3}))$`)
	isMean    = words.MustCompile(`(?i)平均|均值|average|mean`)
)

// maxMean is how many numbers of a list are written into the answer.
const maxMean = 20

// readSeries reads what [reckon] does not: sums of many numbers.
func readSeries(text string) (Sum, bool) {
	if m := fromTo.FindStringSubmatch(text); m != nil {
		ends := set(m[1:])
		from, err := strconv.ParseInt(ends[0], 10, 64)
		to, err2 := strconv.ParseInt(ends[1], 10, 64)
		if err != nil || err2 != nil {
			return Sum{}, false
		}
		from, to = min(from, to), max(from, to)
		sum := new(big.Int).Mul(big.NewInt(from+to), big.NewInt(to-from+1))
		return Sum{Text: ends[0] + " + … + " + ends[1], Value: new(big.Rat).SetFrac(sum, big.NewInt(2))}, true
	}
	if m := ofList.FindStringSubmatch(text); m != nil {
		part := set(m[1:])
		list, what := part[0], part[1]
		if m[1] == "" {
			list, what = part[1], part[0]
		}
		all := oneOf.FindAllString(list, -1)
		if len(all) > maxMean {
			return Sum{}, false
		}
		total := new(big.Rat)
		for i, s := range all {
			v, ok := new(big.Rat).SetString(strings.ReplaceAll(s, ",", ""))
			if !ok || len(s) > maxDigits {
				return Sum{}, false
			}
			total.Add(total, v)
			if v.Sign() < 0 && i > 0 {
				all[i] = "(" + s + ")"
			}
		}
		said := strings.Join(all, " + ")
		if isMean.MatchString(what) {
			n := int64(len(all))
			return Sum{Text: "(" + said + ") ÷ " + strconv.FormatInt(n, 10), Value: total.Quo(total, big.NewRat(n, 1))}, true
		}
		return Sum{Text: said, Value: total}, true
	}
	if m := factorial.FindStringSubmatch(text); m != nil {
		n, err := strconv.ParseInt(set(m[1:])[0], 10, 64)
		v := new(big.Int).MulRange(1, n)
		if err != nil || v.BitLen() > maxBits {
			return Sum{}, false
		}
		return Sum{Text: strconv.FormatInt(n, 10) + "!", Value: new(big.Rat).SetInt(v)}, true
	}
	return Sum{}, false
}

// set are the groups of a match that are not empty.
func set(groups []string) (out []string) {
	for _, g := range groups {
		if g != "" {
			out = append(out, g)
		}
	}
	return out
}
