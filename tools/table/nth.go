package table

import (
	"fmt"
	"regexp"
)

var (
	reNth = regexp.MustCompile(`(倒数)?(?:排名?)?第([0-9]{1,3}|[一二两三四五六七八九十])\s*(?:名|位)?的?(高|大|多|好|贵|长|低|小|少|差|便宜|短)?|` +
		`\b(second|third|fourth|fifth|[0-9]{1,2}(?:nd|rd|th))[- ](?:(best(?:[- ]selling)?|highest|largest|biggest|most(?: expensive)?|greatest|top|longest|oldest|slowest)|(lowest|smallest|worst|least|fewest|cheapest|shortest|youngest|fastest))\b`)
	reFewWith = regexp.MustCompile(`\b([0-9]{1,3}|two|three|four|five|six|seven|eight|nine|ten) (?:[a-z_]+ ){1,3}?(?:with|that ha(?:ve|d)|having|who ha(?:ve|d)|by) the (?:highest|largest|biggest|greatest|most|best|lowest|smallest|least|fewest|worst)\b`)
	reFewOf   = regexp.MustCompile(`\b(?:slowest|fastest|quickest|oldest|youngest|cheapest|most expensive|latest|newest|earliest|most recent) ([0-9]{1,3}|two|three|four|five|six|seven|eight|nine|ten)\b|` +
		`\b([0-9]{1,3}|two|three|four|five|six|seven|eight|nine|ten) (?:slowest|fastest|quickest|oldest|youngest|cheapest|most expensive|latest|newest|earliest|most recent)\b|` +
		`(?:最慢|最快|最早|最晚|最近|最新|最老|最年轻|最贵|最便宜)(?:\p{Han}{1,4})?的\s*([0-9]{1,3}|[一二两三四五六七八九十])\s*(?:个|条|名|位|单|笔|人|次)`)
	reWhichN = regexp.MustCompile(`\b(?:which|what) ([0-9]{1,3}|two|three|four|five|six|seven|eight|nine|ten) [a-z]|哪\s*([0-9]{1,3}|[两三四五六七八九十])\s*[个名位家种款天台]`)
	lowWords = map[string]bool{"低": true, "小": true, "少": true, "差": true, "便宜": true, "短": true}
	nthWords = map[string]int{"second": 2, "third": 3, "fourth": 4, "fifth": 5}
)

// evens are every other of the numbers, from the first on.
func evens(all []int) []int {
	var out []int
	for i := 0; i < len(all); i += 2 {
		out = append(out, all[i])
	}
	return out
}

// nth reads which place is wanted: the second highest, 第三低, 倒数第二. 0: none. What stands at no end of an order, as 第一季度, is none.
func (r *reading) nth() (n int, up bool) {
	for _, m := range reNth.FindAllStringSubmatchIndex(r.s, 10) {
		word := func(g int) string { return group2(r.s, m, g) }
		if !r.free(m[0], m[1]) || word(4) == "" && word(1) == "" && word(3) == "" && !reRankWord.MatchString(r.s[m[0]:m[1]]) && r.part(m[0]) == 0 {
			continue
		}
		if n = atoi(word(2)); word(4) != "" {
			if n = nthWords[word(4)]; n == 0 {
				n = atoi(word(4)[:len(word(4))-2])
			}
		}
		if n < 1 {
			continue
		}
		r.use(m[0], m[1])
		return n, word(1) != "" || lowWords[word(3)] || word(6) != ""
	}
	return 0, false
}

var reRankWord = regexp.MustCompile(`排|名|位`)

// place is a place in an order in words.
func place(n int, up bool, lang string) string {
	if lang != "en" {
		return fmt.Sprintf("第 %d %s", n, say("zh", map[bool]string{false: "高", true: "低"}[up], ""))
	}
	end := "th"
	if n%100 < 11 || n%100 > 13 {
		end = map[int]string{1: "st", 2: "nd", 3: "rd"}[n%10]
		if end == "" {
			end = "th"
		}
	}
	return fmt.Sprintf("%d%s %s", n, end, map[bool]string{false: "highest", true: "lowest"}[up])
}
