package shop

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// told leads every result: what a merchant asked, said in one to three sentences of the result's own figures.
type told struct {
	Summary   string `json:"summary" jsonschema:"title=结论" jsonschema_description:"一到三句话的中文结论，数字与其余各项一致"`
	SummaryEn string `json:"summary_en" jsonschema:"title=英文结论" jsonschema_description:"the same in English"`
}

// telling is a result that can put itself into words, given the arguments it answers. Tools are made of such results only.
type telling[A, R any] interface {
	*R
	tell(args A)
}

// say keeps the sentences.
func (t *told) say(zh, en string) { t.Summary, t.SummaryEn = zh, en }

// condition is one thing that was searched by.
type condition struct{ zh, en string }

// conditions words what was searched by; "" and "" when nothing was given.
func conditions(all ...condition) (zh, en string) {
	var zhs, ens []string
	for _, c := range all {
		if c.zh != "" {
			zhs, ens = append(zhs, c.zh), append(ens, c.en)
		}
	}
	return strings.Join(zhs, "、"), strings.Join(ens, ", ")
}

// several are words of the shop one after the other.
func several(all []string) condition {
	ens := make([]string, len(all))
	for i, word := range all {
		ens[i] = english(word)
	}
	return condition{strings.Join(all, "、"), strings.Join(ens, ", ")}
}

// by is a condition of one argument; none when it is empty.
func by(zh, en, value string) condition {
	if value = strings.TrimSpace(value); value == "" {
		return condition{}
	}
	return condition{zh + " " + shorten(value), en + " " + shorten(english(value))}
}

// during is the condition of a period; none when every day was meant.
func during(p Period) condition {
	if p == always || p.From.IsZero() {
		return condition{}
	}
	if day := p.From.Format(dayForm); p.Days() == 1 {
		return condition{day, day}
	}
	return condition{p.String(), p.From.Format(dayForm) + " to " + p.To.Format(dayForm)}
}

// shorten keeps what was typed from filling a sentence.
func shorten(s string) string {
	if r := []rune(s); len(r) > 40 {
		return string(r[:40]) + "…"
	}
	return s
}

// bracket puts a text in brackets of its language; nothing stays nothing.
func bracket(open, text, end string) string {
	if text == "" {
		return ""
	}
	return open + text + end
}

// figure writes a number with thousands apart and at most places decimals.
func figure(v float64, places int) string {
	s := strconv.FormatFloat(math.Abs(digits(v, places)), 'f', -1, 64)
	whole, rest, _ := strings.Cut(s, ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if rest != "" {
		whole += "." + rest
	}
	if digits(v, places) < 0 {
		return "-" + whole
	}
	return whole
}

// zhMoney and enMoney write an amount of yuan. Whole yuan stay whole, others show both places.
func zhMoney(yuan float64) string { return cents(yuan) + " 元" }
func enMoney(yuan float64) string { return "CNY " + cents(yuan) }

func cents(yuan float64) string {
	s := figure(yuan, 2)
	if _, rest, ok := strings.Cut(s, "."); ok && len(rest) == 1 {
		s += "0"
	}
	return s
}

// many counts an English noun whose plural is with s, unless it is given.
func many(n int, noun string, plural ...string) string {
	if n == 1 {
		return "1 " + noun
	}
	if len(plural) > 0 {
		return figure(float64(n), 0) + " " + plural[0]
	}
	return figure(float64(n), 0) + " " + noun + "s"
}

// areOf is the English verb for a number of things.
func areOf(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// zhMove and enMove word a change in percent.
func zhMove(percent float64) string {
	switch {
	case percent > 0:
		return "上升 " + figure(percent, 1) + "%"
	case percent < 0:
		return "下降 " + figure(-percent, 1) + "%"
	}
	return "不变"
}

func enMove(percent float64) string {
	switch {
	case percent > 0:
		return "up " + figure(percent, 1) + "%"
	case percent < 0:
		return "down " + figure(-percent, 1) + "%"
	}
	return "unchanged"
}

// zhList and enList name the first few of all.
func zhList(names []string, few int) string {
	if len(names) > few {
		return strings.Join(names[:few], "、") + " 等"
	}
	return strings.Join(names, "、")
}

func enList(names []string, few int) string {
	shown := slices.Clone(names[:min(few, len(names))])
	switch more := len(names) - len(shown); {
	case more > 0:
		return strings.Join(shown, ", ") + fmt.Sprintf(" and %d more", more)
	case len(shown) > 1:
		return strings.Join(shown[:len(shown)-1], ", ") + " and " + shown[len(shown)-1]
	}
	return strings.Join(shown, "")
}

// onlySome says that a list shows fewer than there are; "" and "" when it shows all.
func onlySome(shown, all int) (zh, en string) {
	if shown >= all {
		return "", ""
	}
	return fmt.Sprintf("只列出前 %d 个。", shown), fmt.Sprintf(" Only the first %d are listed.", shown)
}

// names takes a text of each thing.
func names[T any](all []T, name func(T) string) []string {
	var out []string
	for _, one := range all {
		out = append(out, name(one))
	}
	return out
}
