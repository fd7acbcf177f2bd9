package plan

import (
	"encoding/json"
	"math"
	"regexp"
	"slices"
	"strings"
)

var (
	isEndName   = regexp.MustCompile(`(?i)(^|_)(end|to|until|before|till|finish)(_|$)|(end|to|until)(date|time|day)?$`)
	isStartName = regexp.MustCompile(`(?i)(^|_)(start|from|since|begin|after)(_|$)|^(start|from|since|begin)`)
	isEndDesc   = regexp.MustCompile(`(?i)(结束|截止|终止|\bend(?:ing)?\b|\buntil\b)`)
	isStartDesc = regexp.MustCompile(`(?i)(开始|起始|起|\bstart(?:ing)?\b|\bbegin(?:ning)?\b|\bsince\b)`)
)

func (f *field) isEnd() bool {
	return isEndName.MatchString(f.Name) && f.Sort == sortDate || isEndDesc.MatchString(f.head())
}
func (f *field) isStart() bool {
	return isStartName.MatchString(f.Name) && f.Sort == sortDate || isStartDesc.MatchString(f.head())
}

// suits says whether a fact can be the field's value by its kind alone, and how sure that is; 0: not at all.
func suits(f *field, fa fact) (any, float64) {
	text, _ := fa.value.(string)
	if f.Pattern != nil {
		if text != "" && f.Pattern.MatchString(text) && f.Sort != sortQuery {
			return text, 0.9
		}
		if text != "" {
			return nil, 0
		}
	}
	if f.Source || fa.kind == factSource {
		quoted := fa.kind == factSource || fa.kind == factQuote
		return text, ifElse(quoted && (f.Sort == sortText || f.Sort == sortList && len(f.Fields) == 0), ifElse(f.Source, 0.9, 0.3), 0)
	}
	switch fa.kind {
	case factPlace:
		return text, ifElse((f.Sort == sortText || f.Sort == sortID) && placeField.MatchString(f.Name+" "+f.head()), 0.9, 0)
	case factPath:
		return text, ifElse((f.Sort == sortText || f.Sort == sortID || f.Sort == sortQuery || f.Sort == sortList && len(f.Fields) == 0) && pathField.MatchString(f.Name+" "+f.head()), 0.9, 0)
	case factUnread, factCompare, factRate, factKnown, factSaid:
		return nil, 0
	}
	switch f.Sort {
	case sortPhone:
		if fa.kind == factPhone {
			return text, 1
		}
	case sortLink:
		if mail := strings.Contains(text, "@"); fa.kind == factLink && mail == mailField.MatchString(f.Name+f.Format+f.Desc) {
			return text, 1
		}
	case sortPerson:
		switch fa.kind {
		case factPerson:
			return text, 0.9
		case factQuote:
			return text, 0.35
		case factProper:
			return text, 0.35
		}
	case sortDate:
		if p, ok := fa.value.(period); ok {
			if f.Format == "" && inWords.MatchString(f.Desc) {
				return fa.text, 0.7
			}
			v, ok := p.render(f)
			return v, ifElse(ok, 0.8, 0)
		}
	case sortID:
		return suitsID(f, fa, text)
	case sortNumber:
		return suitsNumber(f, fa)
	case sortList, sortText:
		if f.Sort == sortText && isMessage.MatchString(f.Name+" "+f.head()) && fa.kind != factQuote {
			return nil, 0 // the words of a message are the user's, not a name that stands somewhere
		}
		if f.Sort == sortList && len(f.Fields) > 0 {
			return nil, 0
		}
		switch fa.kind {
		case factQuote:
			return text, 0.6
		case factProper:
			return text, 0.4
		case factCode:
			return text, 0.3
		case factPerson:
			return text, 0.15
		case factLink:
			return text, 0.2
		}
	}
	return nil, 0
}

var pathField = regexp.MustCompile(`(?i)path|file|folder|dir|source|destination|路径|文件|目录`)

var mailField = regexp.MustCompile(`(?i)mail|邮箱|邮件`)

func suitsID(f *field, fa fact, text string) (any, float64) {
	if f.Type == "integer" || f.Type == "number" {
		switch v := fa.value.(type) {
		case amount:
			return v.n, 0.3
		case string:
			if digits(v) && len(v) < 16 {
				return json.Number(v), 0.5
			}
		}
		return nil, 0
	}
	switch fa.kind {
	case factDigits:
		if len(f.Lengths) > 0 {
			return text, ifElse(slices.Contains(f.Lengths, len(text)), 1, 0)
		}
		return text, 0.45
	case factPhone:
		if slices.Contains(f.Lengths, len(text)) && !digits(text) {
			return nil, 0
		}
		return text, ifElse(slices.Contains(f.Lengths, len(text)), 0.5, 0)
	case factCode, factQuote:
		if len(f.Lengths) > 0 {
			return text, ifElse(digits(text) && slices.Contains(f.Lengths, len(text)), 1, 0)
		}
		return text, ifElse(fa.kind == factCode, 0.45, 0.35)
	case factNumber:
		if len(f.Lengths) == 0 {
			return fa.text, 0.2
		}
	}
	return nil, 0
}

func suitsNumber(f *field, fa fact) (any, float64) {
	switch v := fa.value.(type) {
	case amount:
		n := v.n
		if v.percent && fraction.MatchString(f.Desc) {
			n /= 100
		}
		if f.Type == "integer" && n != math.Trunc(n) {
			return nil, 0
		}
		if of, in := quantityOf(v.unit), quantityOf(f.Name+" "+f.Title); of != "" && in != "" && of != in {
			return nil, 0 // 50 pieces are no 50 days
		}
		sure := 0.45
		if limitField.MatchString(f.Name) && !v.percent && !measure.MatchString(v.unit) {
			sure = 0.6
		}
		if v.percent {
			sure = ifElse(percentField.MatchString(f.Name+f.Desc), 0.75, 0.1)
		} else if v.unit != "" && strings.Contains(strings.ToLower(f.Name+" "+f.Desc), strings.TrimSuffix(v.unit, "s")) {
			sure = 0.7
		}
		if f.Type == "integer" {
			return int64(n), sure
		}
		return n, sure
	case period:
		if v, ok := v.render(f); ok && f.Type == "integer" {
			return v, 0.6
		}
	}
	return nil, 0
}

// quantityOf is what a unit, or the name of a figure, measures: time, money or pieces; "" when it does not say.
func quantityOf(name string) string {
	for _, k := range kindsOfMeasure {
		if k.re.MatchString(name) {
			return k.of
		}
	}
	return ""
}

var kindsOfMeasure = []struct {
	of string
	re *regexp.Regexp
}{
	{"time", regexp.MustCompile(`(?i)[天周年]|小时|分钟|月份?$|(?:^|_|\b)(?:days?|weeks?|months?|years?|hours?|minutes?|seconds?)(?:$|_|\b)`)},
	{"money", regexp.MustCompile(`(?i)元|块|金额|价|费用|成本|\b(?:yuan|dollars?|cny|rmb|usd|eur)\b|(?:^|_|\b)(?:price|amount|cost|budget|fee)(?:$|_|\b)`)},
	{"pieces", regexp.MustCompile(`(?i)^(?:件|台|units?|pieces?)$|库存|数量|件数|(?:^|_|\b)(?:stock|quantity|qty)(?:$|_|\b)`)},
}

var (
	percentField = regexp.MustCompile(`(?i)percent|rate|ratio|discount|%|百分|折|比例|幅度|率`)
	// limitField: parameters that say how many things to list, and measure what stands behind a number of something else.
	limitField = regexp.MustCompile(`(?i)^(?:limit|top|top_?[nk]|count|n|num|size|max_?results|page_?size|how_?many)$`)
	measure    = regexp.MustCompile(`(?i)^(?:元|块钱?|天|周|月|年|折|万元|days?|weeks?|months?|years?|yuan|dollars?|cny|rmb|usd)$`)
	fraction   = regexp.MustCompile(`(?i)0\s*[-–~到至]\s*1\b|fraction|小数`)
)

func ifElse(ok bool, a, b float64) float64 {
	if ok {
		return a
	}
	return b
}
