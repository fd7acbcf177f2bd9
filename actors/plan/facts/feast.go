package facts

import (
	"strconv"
	"strings"
	"time"

	"github.com/hmap-project/hmap/actors/plan/words"
)

// feastHan and feastEng are the holidays and sales that lie on the same days every year, see [feast].
const (
	feastHan = `国庆节?|双十一|双11|双十二|双12|六一八|\b618\b|元旦节?|五一(?:劳动节|节)?|劳动节|圣诞节?|情人节`
	feastEng = `\bchristmas\b|\bsingles'? day\b|\bnational day\b`
)

// feastOf is one of them with its year: 去年双十一, Singles' Day last year.
var feastOf = words.MustCompile(`(?:(\d{4})年?|(前年|去年|今年|本年|明年))的?(` + feastHan + `)([当那这][天日])?|(?i:(` + feastEng + `)(?:,? (?:of |in )?)(?:(\d{4})|(last year|this year|next year))\b)`)

func feastOfYear(m []string, now time.Time) (Period, bool) {
	p, ok := feast([]string{m[3] + m[5], m[4]}, now)
	year, _ := strconv.Atoi(m[1] + m[6])
	if year == 0 {
		year = now.Year() + map[string]int{"前年": -2, "去年": -1, "明年": 1, "last year": -1, "next year": 1}[strings.ToLower(m[2]+m[7])]
	}
	years := year - p.From.Year()
	return Period{From: p.From.AddDate(years, 0, 0), To: p.To.AddDate(years, 0, 0)}, ok
}

// feast gives the days of the holidays and sales that lie on the same days every year.
func feast(m []string, now time.Time) (Period, bool) {
	for _, f := range []struct {
		names string
		month time.Month
		first int
		days  int
	}{
		{"国庆 national", 10, 1, 7}, {"双十一 双11 single", 11, 11, 1}, {"双十二 双12", 12, 12, 1}, {"618 六一八", 6, 18, 1},
		{"元旦", 1, 1, 1}, {"五一 劳动", 5, 1, 5}, {"圣诞 christmas", 12, 25, 1}, {"情人", 2, 14, 1},
	} {
		for _, name := range strings.Fields(f.names) {
			if strings.HasPrefix(strings.ToLower(m[0]), name) {
				from := time.Date(now.Year(), f.month, f.first, 0, 0, 0, 0, now.Location())
				if m[1] != "" { // the day itself, of a holiday of several
					return Period{From: from, To: from}, true
				}
				return Period{From: from, To: from.AddDate(0, 0, f.days-1)}, true
			}
		}
	}
	return Period{}, false
}
