package fields

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// placeField: parameters that take a place.
var placeField = words.MustCompile(`(?i)city|region|area|province|place|location|address|城市|地区|省|地址|所在地|地方`)

// renderPeriod writes the period as the field wants it: from or to by the field's name, day or month by its description.
func renderPeriod(p facts.Period, f *Field) (any, bool) {
	t := p.From
	if f.IsEnd() {
		t = p.To
	} else if p.Until { // its end is neither its beginning nor the day itself
		return nil, false
	}
	if f.Type == "integer" || f.Type == "number" {
		switch words := strings.ToLower(f.Name + " " + f.Desc); {
		case strings.Contains(words, "天") || strings.Contains(words, "day"):
			return p.Days(), true
		case strings.Contains(words, "年") || strings.Contains(words, "year"):
			return t.Year(), true
		}
		return nil, false
	}
	switch {
	case f.Format == "" && inWords.MatchString(f.Desc):
		return nil, false // the field takes the words as they are, see suits
	case f.Format == "date-time":
		if f.IsEnd() {
			t = t.AddDate(0, 0, 1).Add(-time.Second)
		}
		return t.Format(time.RFC3339), true
	case monthOnly.MatchString(f.Desc) || strings.EqualFold(f.Name, "month"):
		return t.Format("2006-01"), true
	}
	return t.Format(time.DateOnly), true
}

var monthOnly = words.MustCompile(`(?i)(yyyy-mm\b[^-]|yyyy-mm$|月份|\d{4}-\d{2}(?:[^-\d]|$)|month in)`)

// inWords: the field wants the user's own words for a stretch of time.
var inWords = words.MustCompile(`(?i)自然语言|natural language|in words`)

var (
	isEndName   = words.MustCompile(`(?i)(^|_)(end|to|until|before|till|finish|check_?out)(_|$)|(end|to|until)(date|time|day)?$`)
	isStartName = words.MustCompile(`(?i)(^|_)(start|from|since|begin|after|check_?in)(_|$)|^(start|from|since|begin)`)
	isEndDesc   = words.MustCompile(`(?i)(结束|截止|终止|\bend(?:ing)?\b|\buntil\b)`)
	isStartDesc = words.MustCompile(`(?i)(开始|起始|起|\bstart(?:ing)?\b|\bbegin(?:ning)?\b|\bsince\b)`)
)

// IsEnd reports whether the field takes the end of a stretch of time.
func (f *Field) IsEnd() bool {
	return isEndName.MatchString(f.Parts) && f.Sort == Date || isEndDesc.MatchString(f.Head())
}

// IsStart reports whether it takes the beginning of one.
func (f *Field) IsStart() bool {
	return isStartName.MatchString(f.Parts) && f.Sort == Date || isStartDesc.MatchString(f.Head())
}

// Suits says whether a fact can be the field's value by its kind alone, and how sure that is; 0: not at all.
func Suits(f *Field, fa facts.Fact) (any, float64) {
	text, _ := fa.Value.(string)
	if f.Sort == Link && (fa.Kind == facts.Path || fa.Kind == facts.Quote) && isFileName(text) {
		return nil, 0
	}
	if fa.Kind == facts.Clock || f.Clock {
		return text, words.Either(f.Clock, words.Either(fa.Kind == facts.Clock, 0.9, words.Either(fa.Kind == facts.Quote, 0.5, 0)), 0)
	}
	if f.Pattern != nil {
		if text != "" && f.Pattern.MatchString(text) && f.Sort != Query {
			return text, 0.9
		}
		if text != "" {
			return nil, 0
		}
	}
	if fa.Kind == facts.Source && !isFileName(text) && slices.ContainsFunc(f.Examples, isFileName) {
		return nil, 0 // code is no name of a file
	}
	if f.Source || fa.Kind == facts.Source {
		quoted := fa.Kind == facts.Source || fa.Kind == facts.Quote
		return text, words.Either(quoted && (f.Sort == Text || f.Sort == List && len(f.Fields) == 0), words.Either(f.Source, 0.9, 0.3), 0)
	}
	switch fa.Kind {
	case facts.Place:
		return text, words.Either((f.Sort == Text || f.Sort == ID) && placeField.MatchString(f.Name+" "+f.Head()), 0.9, 0)
	case facts.Path:
		return text, words.Either((f.Sort == Text || f.Sort == ID || f.Sort == Query || f.Sort == List && len(f.Fields) == 0) && PathField.MatchString(f.Name+" "+f.Head()), 0.9, 0)
	case facts.Unread, facts.Compare, facts.Rate, facts.Known, facts.Said:
		return nil, 0
	}
	switch f.Sort {
	case Phone:
		if fa.Kind == facts.Phone {
			return text, 1
		}
	case Link:
		if mail := strings.Contains(text, "@"); fa.Kind == facts.Link && mail == mailField.MatchString(f.Name+f.Format+f.Desc) {
			return text, 1
		}
	case Person:
		switch fa.Kind {
		case facts.Person:
			return text, 0.9
		case facts.Quote:
			return text, 0.35
		case facts.Proper:
			return text, 0.35
		}
	case Date:
		if p, ok := fa.Value.(facts.Period); ok {
			if f.Format == "" && inWords.MatchString(f.Desc) {
				return fa.Text, 0.7
			}
			v, ok := renderPeriod(p, f)
			return v, words.Either(ok, 0.8, 0)
		}
	case ID:
		return suitsID(f, fa, text)
	case Number:
		return suitsNumber(f, fa)
	case List, Text:
		if f.Sort == Text && wishes.IsMessage.MatchString(f.Name+" "+f.Head()) && fa.Kind != facts.Quote {
			return nil, 0 // the words of a message are the user's, not a name that stands somewhere
		}
		if f.Sort == List && len(f.Fields) > 0 {
			return nil, 0
		}
		switch fa.Kind {
		case facts.Quote:
			return text, 0.6
		case facts.Proper:
			return text, 0.4
		case facts.Code:
			return text, 0.3
		case facts.Person:
			return text, 0.15
		case facts.Link:
			takes := words.Either(strings.Contains(text, "@"), mailsField, linksField)
			return text, words.Either(f.Sort == List && takes.MatchString(f.Name+" "+f.Desc), 0.8, 0.2)
		}
	}
	return nil, 0
}

// mailsField and linksField are lists of addresses, of people and of the web.
var (
	mailsField = words.MustCompile(`(?i)mail|attendee|participant|recipient|guest|invitee|邮箱|邮件|收件人|参会|与会`)
	linksField = words.MustCompile(`(?i)\b(?:url|link)s?\b|网址|链接`)
)

// isFileName reports whether a text is the name of a file, and no address of the web: notes.txt, as against www.notes.txt and example.com/notes.txt.
func isFileName(text string) bool {
	m := facts.FileName.FindStringIndex(" " + text)
	return m != nil && m[1] == len(text)+1 && m[0] <= 1 && !strings.HasPrefix(strings.ToLower(text), "www.")
}

// PathField is the name or title of a parameter that takes a path.
var PathField = words.MustCompile(`(?i)path|file|folder|dir|source|destination|路径|文件|目录`)

var mailField = words.MustCompile(`(?i)mail|邮箱|邮件`)

func suitsID(f *Field, fa facts.Fact, text string) (any, float64) {
	if f.Type == "integer" || f.Type == "number" {
		switch v := fa.Value.(type) {
		case facts.Amount:
			return v.N, 0.3
		case string:
			if words.AllDigits(v) && len(v) < 16 {
				return json.Number(v), 0.5
			}
		}
		return nil, 0
	}
	switch fa.Kind {
	case facts.Digits:
		if len(f.Lengths) > 0 {
			return text, words.Either[float64](slices.Contains(f.Lengths, len(text)), 1, 0)
		}
		return text, 0.45
	case facts.Phone:
		if slices.Contains(f.Lengths, len(text)) && !words.AllDigits(text) {
			return nil, 0
		}
		return text, words.Either(slices.Contains(f.Lengths, len(text)), 0.5, 0)
	case facts.Code, facts.Quote:
		if len(f.Lengths) > 0 {
			return text, words.Either[float64](words.AllDigits(text) && slices.Contains(f.Lengths, len(text)), 1, 0)
		}
		return text, words.Either(fa.Kind == facts.Code, 0.45, 0.35)
	case facts.Number:
		if len(f.Lengths) == 0 {
			return fa.Text, 0.2
		}
	}
	return nil, 0
}

// clock is the unit of an hour of the day.
var clock = words.MustCompile(`(?i)^(?:点钟?|am|pm)$`)

func suitsNumber(f *Field, fa facts.Fact) (any, float64) {
	switch v := fa.Value.(type) {
	case facts.Amount:
		n := v.N
		if v.Percent && fraction.MatchString(f.Desc) {
			n /= 100
		}
		if f.InCents() && InWhole(v) {
			n = math.Round(n * 100)
		}
		if f.Least != nil && n < *f.Least {
			return nil, 0
		}
		if f.Type == "integer" && n != math.Trunc(n) {
			return nil, 0
		}
		if clock.MatchString(v.Unit) {
			return nil, 0 // nine o'clock is no number of anything
		}
		if of, in := words.QuantityOf(v.Unit), words.QuantityOf(f.Name+" "+f.Title); of != "" && in != "" && of != in {
			return nil, 0 // 50 pieces are no 50 days
		}
		sure := 0.45
		if limitField.MatchString(f.Parts) && !v.Percent && !measure.MatchString(v.Unit) {
			sure = 0.6
		}
		if v.Percent {
			sure = words.Either(percentField.MatchString(f.Name+f.Desc), 0.75, 0.1)
		} else if v.Unit != "" && strings.Contains(strings.ToLower(f.Name+" "+f.Desc), strings.TrimSuffix(v.Unit, "s")) {
			sure = 0.7
		}
		if f.Type == "integer" {
			return int64(n), sure
		}
		return n, sure
	case facts.Period:
		if v, ok := renderPeriod(v, f); ok && f.Type == "integer" {
			return v, 0.6
		}
	}
	return nil, 0
}

// InCents reports whether the field is a sum in the hundredth part of what people say.
func (f *Field) InCents() bool { return inCents.MatchString(f.Desc) }

var (
	// inCents: a sum that is counted in the hundredth part of what people say, and wholeMoney what they say it in.
	inCents      = words.MustCompile(`(?i)\bin (?:the )?(?:cents|pence|(?:smallest|minor) (?:currency )?units?)\b|单位[为是:：]?\s*分(?:$|[^\p{Han}])|以分为单位`)
	wholeMoney   = words.MustCompile(`(?i)^(?:元|块钱?|yuan|dollars?|bucks|euros?|pounds?|usd|eur|gbp|cny|rmb|美元|欧元|英镑)$`)
	percentField = words.MustCompile(`(?i)percent|rate|ratio|discount|%|百分|折|比例|幅度|率`)
	// limitField: parameters that say how many things to list, and measure what stands behind a number of something else.
	limitField = words.MustCompile(`(?i)^(?:limit|top|top_?[nk]|count|n|num|size|max_?results|page_?size|how_?many)$`)
	measure    = words.MustCompile(`(?i)^(?:元|块钱?|天|周|月|年|折|万元|days?|weeks?|months?|years?|yuan|dollars?|cny|rmb|usd)$`)
	fraction   = words.MustCompile(`(?i)0\s*[-–~到至]\s*1\b|fraction|小数`)
)

// InWhole reports whether an amount says by its unit that it is in whole dollars, yuan or the like.
func InWhole(a facts.Amount) bool { return wholeMoney.MatchString(a.Unit) }
