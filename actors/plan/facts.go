package plan

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// factKind is the sort of value that a text shows by itself, before any schema is looked at.
type factKind int

const (
	factDate   factKind = iota // period
	factPhone                  // string
	factDigits                 // string of six digits or more
	factCode                   // letters and digits
	factLink                   // URL or e-mail
	factQuote                  // what stands between quotes
	factNumber                 // amount
	factPerson
	factProper // capitalised Latin words
	factPlace
	factUnread  // a feast whose days are not known
	factCompare // how a figure stands to another one
	factRate    // a figure such as 退款率
	factKnown   // a value that a card knows by name
	factSaid    // what is to be said to somebody
	factPath    // of a file or folder
	factSource  // a piece of code
)

var factNames = [...]string{"date", "phone", "digits", "code", "link", "quote", "number", "person", "proper", "place", "unknown days", "comparison", "rate", "known value", "message", "path", "code to run"}

// fact is a typed value with its place in the text.
type fact struct {
	kind       factKind
	text       string
	value      any
	start, end int    // bytes in the text it was read from
	from       string // which text: "" the request, else "context", "history", "answer"
}

// amount is a number with its unit.
type amount struct {
	n       float64
	unit    string
	percent bool
}

// endings are those of files that people speak of.
const endings = `md|txt|csv|tsv|jsonl?|xls[xm]?|db|sqlite3?|docx?|pptx?|pdf|html?|png|jpe?g|svg|py|js|ya?ml|xml|log|sql`

var (
	reLink  = regexp.MustCompile(`\b[A-Za-z][A-Za-z0-9+.-]{1,20}://[^\s\p{Han}，。；、（"'<>）)]+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+`)
	rePhone = regexp.MustCompile(`(?:\+?86[- ]?)?\b1[3-9]\d{9}\b|\+86[- ]?1[3-9]\d{9}|\b400[- ]?\d{3,4}[- ]?\d{3,4}\b`)
	reQuote = regexp.MustCompile(`"([^"\n]{1,200})"|“([^”\n]{1,200})”|「([^」\n]{1,200})」|『([^』\n]{1,200})』|《([^》\n]{1,200})》|(?:^|[\s(（:：])'([^'\n]{1,200})'|‘([^’\n]{1,200})’`)
	// reSource: Markdown's fences and ticks. What a fence calls its language stays outside, for a parameter may want it.
	reSource = regexp.MustCompile("(?s)```[\\w+#-]*[ \\t]*\r?\n(.*?)\n?[ \\t]*```|~~~[\\w+#-]*[ \\t]*\r?\n(.*?)\n?[ \\t]*~~~|`([^`\n]+)`")
	// rePath: behind Han only what has two strokes, for 元/kg is none.
	rePath = regexp.MustCompile(`(?:^|[\s(（:：，,])((?:~|\.{1,2}|[A-Za-z]:)?[/\\][\w.@+~-][^\s\p{Han}，。；、（）"'<>]*)|\p{Han}(/[\w.@+~-]+/[^\s\p{Han}，。；、（）"'<>]*)`)
	// reFile: a name with a known ending is a file's. A Han one begins behind a space or a mark, for nothing else tells where.
	reFile = regexp.MustCompile(`(?i)[\s(（:：，,]([\p{Han}\w][\p{Han}\w.@+-]{0,80}\.(?:` + endings + `))\b|([a-z0-9_][\w.@+-]{0,80}\.(?:` + endings + `))\b`)
	// beforeFile: words in front of a Latin name that are none of it, as in 把a.csv.
	beforeFile = regexp.MustCompile(`^(?:请|帮我|把|将|在|对|给|从|用|由|查看?|读取?|打开|分析|统计)+(?:文件)?\b`)
	// ofPerson: a quote behind it is a name.
	ofPerson = regexp.MustCompile(`(?i)(?:\b(?:buyer|customer|client|shopper|recipient|user|mr\.?|mrs\.?|ms\.?)(?: (?:named|called))?|(?:客户|买家|顾客|用户|收货人|收件人|联系人)(?:叫|是|名叫|名为)?)\s*$`)
	reDigits = regexp.MustCompile(`\d{6,40}`)
	reCode   = regexp.MustCompile(`\b(?:[A-Za-z]+[-_]?\d[\w-]*|\d+[A-Za-z][\w-]*|[A-Za-z]+(?:[-_][A-Za-z0-9]+)+)\b`)
	reAmount = regexp.MustCompile(`([$¥￥€])?\s?(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)\s*(%|％|万元|万|千|亿|元|块钱|块|折|件|个|天|周|月|年|单|台|条|人|次|k\b|dollars?\b|yuan\b|days?\b|units?\b|pieces?\b|percent\b|[A-Za-z]{1,12}\b)?`)
	reHanAmt = regexp.MustCompile(`(百分之)?([一二两三四五六七八九十百]+)(折|件|个|天|周|月|年|单|台|条|次|元|块)`)
	reProper = regexp.MustCompile(`\b[A-Z][\w'&]*(?:\s+(?:of\s+|the\s+|and\s+)?[A-Z0-9][\w'&]*)*\b`)
)

// readFacts reads typed values from a text. Each stretch of text yields one value of the most telling kind. known tells
// terms of the catalogue, which are not names of people.
func readFacts(s string, now time.Time, known func(string) bool) []fact {
	var out []fact
	taken := make([]bool, len(s)+1)
	claim := func(f fact) {
		for i := f.start; i < f.end; i++ {
			if taken[i] {
				return
			}
		}
		for i := f.start; i < f.end; i++ {
			taken[i] = true
		}
		out = append(out, f)
	}
	find := func(re *regexp.Regexp, kind factKind) {
		for _, m := range re.FindAllStringIndex(s, 100) {
			claim(fact{kind: kind, text: s[m[0]:m[1]], value: s[m[0]:m[1]], start: m[0], end: m[1]})
		}
	}
	for _, m := range reSource.FindAllStringSubmatchIndex(s, 20) {
		for g := 1; g < len(m)/2; g++ {
			if a, b := m[2*g], m[2*g+1]; a >= 0 && strings.TrimSpace(s[a:b]) != "" {
				start := m[0] + strings.IndexAny(s[m[0]:a]+"\n", "\r\n") // behind the name of the language
				claim(fact{kind: factSource, text: s[a:b], value: s[a:b], start: min(start, a), end: m[1]})
			}
		}
	}
	find(reLink, factLink)
	for _, m := range reQuote.FindAllStringSubmatchIndex(s, 50) {
		for g := 1; g < len(m)/2; g++ {
			if a, b := m[2*g], m[2*g+1]; a >= 0 {
				kind := factQuote
				if ofPerson.MatchString(before(s, m[0])) && !strings.ContainsAny(s[a:b], "0123456789") && strings.Count(s[a:b], " ") < 4 {
					kind = factPerson // buyer "Bob Miller"
				}
				claim(fact{kind: kind, text: s[a:b], value: s[a:b], start: a, end: b})
			}
		}
	}
	for _, m := range rePath.FindAllStringSubmatchIndex(s, 50) {
		a, b := max(m[2], m[4]), max(m[3], m[5])
		path := strings.TrimRight(s[a:b], ".,;:!?)")
		claim(fact{kind: factPath, text: path, value: path, start: a, end: a + len(path)})
	}
	for _, m := range reFile.FindAllStringSubmatchIndex(s, 50) {
		a, b := max(m[2], m[4]), max(m[3], m[5])
		a += len(beforeFile.FindString(s[a:b]))
		claim(fact{kind: factPath, text: s[a:b], value: s[a:b], start: a, end: b})
	}
	more, days := beyond(s, dates(s, now))
	for _, f := range append(more, days...) {
		claim(f)
	}
	find(rePhone, factPhone)
	find(reCode, factCode)
	find(reDigits, factDigits)
	for _, p := range persons(s, known) {
		claim(p)
	}
	for _, m := range reAmount.FindAllStringSubmatchIndex(s, 100) {
		n, err := strconv.ParseFloat(strings.ReplaceAll(s[m[4]:m[5]], ",", ""), 64)
		if err != nil {
			continue
		}
		a := amount{n: n}
		if m[2] >= 0 {
			a.unit = s[m[2]:m[3]]
		}
		if m[6] >= 0 {
			a.scale(s[m[6]:m[7]])
		}
		claim(fact{kind: factNumber, text: s[m[4]:m[1]], value: a, start: m[4], end: m[5]})
	}
	for _, m := range reHanAmt.FindAllStringSubmatchIndex(s, 50) {
		if n, ok := number(s[m[4]:m[5]]); ok && (n > 1 || s[m[6]:m[7]] == "折") {
			a := amount{n: float64(n), percent: m[2] >= 0}
			a.scale(s[m[6]:m[7]])
			claim(fact{kind: factNumber, text: s[m[0]:m[1]], value: a, start: m[0], end: m[5]})
		}
	}
	for _, m := range reProper.FindAllStringIndex(s, 50) {
		start, end := m[0], m[1]
		for {
			first, rest, more := strings.Cut(s[start:end], " ")
			if !latinVerbs[strings.ToLower(first)] && !stopEnglish[strings.ToLower(first)] {
				break
			}
			if !more {
				start = end
				break
			}
			start = end - len(rest)
		}
		// One capitalised word at the beginning of a sentence is just its first word.
		if start == end || (start == m[0] && sentenceStart(s, start) && !strings.Contains(s[start:end], " ") && strings.ToLower(s[start+1:end]) == s[start+1:end]) {
			continue
		}
		claim(fact{kind: factProper, text: s[start:end], value: s[start:end], start: start, end: end})
	}
	byPlace(out)
	return out
}

func sentenceStart(s string, at int) bool {
	before := strings.TrimRight(s[:at], " \t\n")
	return before == "" || strings.HasSuffix(before, ".") || strings.HasSuffix(before, "?") || strings.HasSuffix(before, "!")
}

// scale applies a unit to the number: 3万 is 30000, 8折 is 80 percent.
func (a *amount) scale(unit string) {
	switch u := strings.ToLower(unit); u {
	case "%", "％", "percent":
		a.percent = true
	case "万", "万元":
		a.n *= 1e4
		a.unit = strings.TrimPrefix(u, "万")
	case "千", "k":
		a.n *= 1e3
	case "亿":
		a.n *= 1e8
	case "折":
		if a.n < 10 {
			a.n *= 10
		}
		a.percent = true
		a.unit = "折"
	default:
		a.unit = u
	}
}

// byPlace orders facts by where they stand.
func byPlace(fs []fact) {
	slices.SortStableFunc(fs, func(a, b fact) int { return cmp.Compare(a.start, b.start) })
}

// within keeps the facts that lie between two byte offsets.
func within(fs []fact, start, end int) []fact {
	var out []fact
	for _, f := range fs {
		if f.start >= start && f.end <= end {
			out = append(out, f)
		}
	}
	return out
}
