package facts

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hmap-project/hmap/actors/plan/words"
)

// Replaces reports whether a known value says more than what the text alone shows: a capitalised word or a code inside it.
func (f Fact) Replaces(o Fact) bool {
	return (o.Kind == Proper || o.Kind == Code || o.Kind == Number) && f.Start <= o.Start && o.End <= f.End
}

// Merged puts known values among the facts of a text, in place of those that they replace.
func Merged(read, known []Fact) []Fact {
	var out []Fact
	for _, o := range read {
		if !slices.ContainsFunc(known, func(f Fact) bool { return f.Start < o.End && o.Start < f.End && f.Replaces(o) }) {
			out = append(out, o)
		}
	}
	out = append(out, known...)
	ByPlace(out)
	return out
}

// Topic is a stretch of a text without its facts: what is wanted, not what it is wanted of. The whole stretch when nothing remains.
func Topic(s string, start, end int, facts []Fact) string {
	if out := Without(s, start, end, facts); len(words.Content(out)) > 0 {
		return out
	}
	return s[start:end]
}

// Without is a stretch of text without the values that are read from it, but for those that may well be what it is about.
func Without(s string, start, end int, facts []Fact) string {
	var b strings.Builder
	at := start
	for _, f := range facts {
		switch {
		case f.From != "" || f.Start < at || f.End > end:
			continue
		case f.Kind == Quote || f.Kind == Proper || f.Kind == Rate || f.Kind == Compare && !f.IsTarget():
			continue // these may well be the topic
		}
		b.WriteString(s[at:f.Start] + " ")
		at = f.End
	}
	b.WriteString(s[at:end])
	return b.String()
}

// Kind is the sort of value that a text shows by itself, before any schema is looked at.
type Kind int

const (
	Date   Kind = iota // period
	Phone              // string
	Digits             // string of six digits or more
	Code               // letters and digits
	Link               // URL or e-mail
	Quote              // what stands between quotes
	Number             // amount
	Person
	Proper // capitalised Latin words
	Place
	Unread  // a feast whose days are not known
	Compare // how a figure stands to another one
	Rate    // a figure such as 退款率
	Known   // a value that a card knows by name
	Said    // what is to be said to somebody
	Path    // of a file or folder
	Source  // a piece of code
	Clock   // a time of day, "HH:MM"
)

// KindNames are the names of the kinds, for people.
var KindNames = [...]string{"date", "phone", "digits", "code", "link", "quote", "number", "person", "proper", "place", "unknown days", "comparison", "rate", "known value", "message", "path", "code to run", "time of day"}

// Fact is a typed value with its place in the text.
type Fact struct {
	Kind       Kind
	Text       string
	Value      any
	Start, End int    // bytes in the text it was read from
	From       string // which text: "" the request, else "context", "history", "answer"
	Not        bool   // the things that it holds of are left out
}

// Amount is a number with its unit.
type Amount struct {
	N       float64
	Unit    string
	Percent bool
}

// endings are those of files that people speak of.
const endings = `md|txt|csv|tsv|jsonl?|xls[xm]?|db|sqlite3?|docx?|pptx?|pdf|html?|png|jpe?g|svg|py|js|ya?ml|xml|log|sql`

var (
	reLink  = words.MustCompile(`\b[A-Za-z][A-Za-z0-9+.-]{1,20}://[^\s\p{Han}，。；、（"'<>）)]+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+`)
	rePhone = words.MustCompile(`(?:\+?86[- ]?)?\b1[3-9]\d{9}\b|\+86[- ]?1[3-9]\d{9}|\b400[- ]?\d{3,4}[- ]?\d{3,4}\b`)
	// Quoted is text between quotes of any kind.
	Quoted = words.MustCompile(`"([^"\n]{1,200})"|“([^”\n]{1,200})”|「([^」\n]{1,200})」|『([^』\n]{1,200})』|《([^》\n]{1,200})》|(?:^|[\s(（:：])'([^'\n]{1,200})'|‘([^’\n]{1,200})’`)
	// SourceText: Markdown's fences and ticks. What a fence calls its language stays outside, for a parameter may want it.
	SourceText = words.MustCompile("(?s)```[\\w+#-]*[ \\t]*\r?\n(.*?)\n?[ \\t]*```|~~~[\\w+#-]*[ \\t]*\r?\n(.*?)\n?[ \\t]*~~~|`([^`\n]+)`")
	// rePath: behind Han only what has two strokes, for 元/kg is none.
	rePath = words.MustCompile(`(?:^|[\s(（:：，,])((?:~|\.{1,2}|[A-Za-z]:)?[/\\][\w.@+~-][^\s\p{Han}，。；、（）"'<>]*)|\p{Han}(/[\w.@+~-]+/[^\s\p{Han}，。；、（）"'<>]*)`)
	// FileName: a name with a known ending is a file's. A Han one begins behind a space or a mark, for nothing else tells where.
	FileName = words.MustCompile(`(?i)[\s(（:：，,]([\p{Han}\w][\p{Han}\w.@+-]{0,80}\.(?:` + endings + `))\b|([a-z0-9_][\w.@+-]{0,80}\.(?:` + endings + `))\b`)
	// beforeFile: words in front of a Latin name that are none of it, as in 把a.csv.
	beforeFile = words.MustCompile(`^(?:请|帮我|把|将|在|对|给|从|用|由|查看?|读取?|打开|分析|统计)+(?:文件)?\b`)
	// ofPerson: a quote behind it is a name.
	ofPerson = words.MustCompile(`(?i)(?:\b(?:buyer|customer|client|shopper|recipient|user|mr\.?|mrs\.?|ms\.?)(?: (?:named|called))?|(?:客户|买家|顾客|用户|收货人|收件人|联系人)(?:叫|是|名叫|名为)?)\s*$`)
	reDigits = words.MustCompile(`\d{6,40}`)
	ofMoney  = words.MustCompile(`(?i)^(?:\.\d+)?\s*(?:元|块钱?|人民币|(?:yuan|rmb|cny|usd|eur|dollars?|euros?)\b)`)
	reCode   = words.MustCompile(`\b(?:[A-Za-z]+[-_]?\d[\w-]*|\d+[A-Za-z][\w-]*|[A-Za-z]+(?:[-_][A-Za-z0-9]+)+)\b`)
	reAmount = words.MustCompile(`([$¥￥€])?\s?(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)\s*(%|％|个?小时|个?钟头|分钟|万元|万|千|亿|元|块钱|块|折|件|个|天|周|月|年|单|台|条|人|次|点钟?|k\b|dollars?\b|yuan\b|days?\b|units?\b|pieces?\b|percent\b|[A-Za-z]{1,12}\b)?`)
	reHanAmt = words.MustCompile(`(百分之)?([一二两三四五六七八九十百千万]+)(个?小时|个?钟头|分钟|折|件|个|天|周|月|年|单|台|条|次|元|块)`)
	aboutSo  = words.MustCompile(`[几数上多]$`)
	// reEngAmt is a number in words that limits something: more than two air fryers, at least twenty, three or more. Elsewhere such a word counts nothing: one of them.
	reEngAmt = words.MustCompile(`(?i)\b((?:(?:more|less|fewer|greater|larger|smaller|higher|lower|longer|shorter|older) than|over|under|above|below|at (?:least|most)|up to|exactly|exceed(?:s|ed|ing)?|only)\s+)?(` + words.EnglishNumber + `)(?:\s*(or (?:more|fewer|less|above|below)|and (?:more|above|up))\b)?(?:\s*([A-Za-z]{1,12})\b)?`)
	reProper = words.MustCompile(`(?:^|[^\p{Latin}\p{N}_])(` + capitalised + `(?:\s+(?:of\s+|the\s+|and\s+)?(?:` + capitalised + `|[0-9][\w'&]*))*)`)
	// reClock: 10:30, 7.30 pm, 8am, noon.
	reClock = words.MustCompile(`(?i)\b(?:[01]?\d|2[0-3]):[0-5]\d(?:\s*[ap]\.?m\b\.?)?|\b(?:1[0-2]|[1-9])(?:\.[0-5]\d)?\s*[ap]\.?m\b\.?|\b(?:noon|midnight)\b`)
	// reParted may be a number with parts, where numbered stands before it: account 11-204.
	reParted = words.MustCompile(`\b\d+(?:-\d+)+\b`)
	numbered = words.MustCompile(`(?i)(?:\b(?:account|number|no\.?|nr\.?|id|code|invoice|ticket|sample|room|policy|contract|case|record|reference)s?|账号|帐号|编号|单号|房间|合同)\s*[:：#]?\s*$`)
)

// belowNought is the sign before a number, which is neither a hyphen nor the dash of a range.
var belowNought = words.MustCompile(`(?:(?:^|[\s\p{Han}，：=])[-−]|(?:^|[^\p{Han}]|[为成到是])负)$`)

// Read reads typed values from a text. Each stretch of text yields one value of the most telling kind. known tells
// terms of the catalogue, which are not names of people; nil: there are none.
func Read(s string, now time.Time, known func(string) bool) []Fact {
	if known == nil {
		known = func(string) bool { return false }
	}
	var out []Fact
	taken := make([]bool, len(s)+1)
	claim := func(f Fact) {
		for i := f.Start; i < f.End; i++ {
			if taken[i] {
				return
			}
		}
		for i := f.Start; i < f.End; i++ {
			taken[i] = true
		}
		out = append(out, f)
	}
	find := func(re *words.Pattern, kind Kind) {
		for _, m := range re.FindAllStringIndex(s, 100) {
			claim(Fact{Kind: kind, Text: s[m[0]:m[1]], Value: s[m[0]:m[1]], Start: m[0], End: m[1]})
		}
	}
	for _, m := range SourceText.FindAllStringSubmatchIndex(s, 20) {
		for g := 1; g < len(m)/2; g++ {
			if a, b := m[2*g], m[2*g+1]; a >= 0 && strings.TrimSpace(s[a:b]) != "" {
				start := m[0] + strings.IndexAny(s[m[0]:a]+"\n", "\r\n") // behind the name of the language
				claim(Fact{Kind: Source, Text: s[a:b], Value: s[a:b], Start: min(start, a), End: m[1]})
			}
		}
	}
	find(reLink, Link)
	for _, m := range Quoted.FindAllStringSubmatchIndex(s, 50) {
		for g := 1; g < len(m)/2; g++ {
			if a, b := m[2*g], m[2*g+1]; a >= 0 {
				kind := Quote
				if ofPerson.MatchString(words.Before(s, m[0])) && !strings.ContainsAny(s[a:b], "0123456789") && strings.Count(s[a:b], " ") < 4 {
					kind = Person // buyer "Bob Miller"
				}
				claim(Fact{Kind: kind, Text: s[a:b], Value: s[a:b], Start: a, End: b})
			}
		}
	}
	for _, m := range rePath.FindAllStringSubmatchIndex(s, 50) {
		a, b := max(m[2], m[4]), max(m[3], m[5])
		path := strings.TrimRight(s[a:b], ".,;:!?)")
		claim(Fact{Kind: Path, Text: path, Value: path, Start: a, End: a + len(path)})
	}
	for _, m := range FileName.FindAllStringSubmatchIndex(s, 50) {
		a, b := max(m[2], m[4]), max(m[3], m[5])
		a += len(beforeFile.FindString(s[a:b]))
		claim(Fact{Kind: Path, Text: s[a:b], Value: s[a:b], Start: a, End: b})
	}
	for _, f := range append(targets(s), bars(s)...) {
		claim(f)
	}
	more, days := beyond(s, dates(s, now))
	for _, f := range slices.Concat(lapses(s, now), more, days) {
		claim(f)
	}
	find(rePhone, Phone)
	for _, m := range reClock.FindAllStringSubmatchIndex(s, 20) {
		if text, ok := clock(s[m[0]:m[1]]); ok && !strings.HasSuffix(words.Before(s, m[0]), ":") && !strings.HasPrefix(s[m[1]:], ":") {
			claim(Fact{Kind: Clock, Text: s[m[0]:m[1]], Value: text, Start: m[0], End: m[1]})
		}
	}
	for _, m := range reEngAmt.FindAllStringSubmatchIndex(s, 20) {
		n, ok := words.EnglishAmount(s[m[4]:m[5]])
		if m[8] >= 0 && words.QuantityOf(s[m[8]:m[9]]) == "time" && !ok { // a day
			n, ok = 1, true
		}
		if !ok || m[2] < 0 && m[6] < 0 {
			continue
		}
		end, a := m[4]+len(strings.TrimRight(s[m[4]:m[5]], " ")), Amount{N: float64(n)}
		text := s[m[4]:end]
		if m[8] >= 0 && m[6] < 0 && !words.StopEnglish[strings.ToLower(s[m[8]:m[9]])] {
			a.scale(s[m[8]:m[9]])
			text = s[m[4]:m[9]]
		}
		claim(Fact{Kind: Number, Text: text, Value: a, Start: m[4], End: end})
	}
	find(reCode, Code)
	for _, m := range reParted.FindAllStringIndex(s, 20) {
		if strings.Count(s[m[0]:m[1]], "-") > 1 || numbered.MatchString(words.Before(s, m[0])) {
			claim(Fact{Kind: Code, Text: s[m[0]:m[1]], Value: s[m[0]:m[1]], Start: m[0], End: m[1]})
		}
	}
	for _, m := range reDigits.FindAllStringIndex(s, 100) {
		if !ofMoney.MatchString(s[m[1]:]) { // 1000000 yuan is no id
			claim(Fact{Kind: Digits, Text: s[m[0]:m[1]], Value: s[m[0]:m[1]], Start: m[0], End: m[1]})
		}
	}
	for _, p := range Persons(s, known) {
		claim(p)
	}
	for _, m := range reAmount.FindAllStringSubmatchIndex(s, 100) {
		n, err := strconv.ParseFloat(strings.ReplaceAll(s[m[4]:m[5]], ",", ""), 64)
		if err != nil {
			continue
		}
		a := Amount{N: n}
		if m[2] >= 0 {
			a.Unit = s[m[2]:m[3]]
		}
		if m[6] >= 0 && words.StopEnglish[strings.ToLower(s[m[6]:m[7]])] { // 5 to
			m[1], m[6] = m[5], -1
		}
		if m[6] >= 0 {
			a.scale(s[m[6]:m[7]])
		}
		if !a.Percent && belowNought.MatchString(words.Before(s, m[0])) { // -10% says which way, a price of -5 is none
			a.N = -a.N
		}
		claim(Fact{Kind: Number, Text: s[m[4]:m[1]], Value: a, Start: m[4], End: m[5]})
	}
	for _, m := range reHanAmt.FindAllStringSubmatchIndex(s, 50) {
		n, ok := words.Number(s[m[4]:m[5]])
		if aboutSo.MatchString(words.Before(s, m[0])) { // 几千块
			continue
		}
		if !ok && s[m[6]:m[7]] == "折" { // 八五折
			n, ok = tenths(s[m[4]:m[5]])
		}
		if ok && (n > 1 || s[m[6]:m[7]] == "折") {
			a := Amount{N: float64(n), Percent: m[2] >= 0}
			a.scale(s[m[6]:m[7]])
			claim(Fact{Kind: Number, Text: s[m[0]:m[1]], Value: a, Start: m[0], End: m[5]})
		}
	}
	for _, m := range reProper.FindAllStringSubmatchIndex(s, 50) {
		from, end := m[2], m[3]
		start := from
		for {
			first, rest, more := strings.Cut(s[start:end], " ")
			if !words.LatinVerbs[strings.ToLower(first)] && !words.StopEnglish[strings.ToLower(first)] {
				break
			}
			if !more {
				start = end
				break
			}
			start = end - len(rest)
		}
		// One capitalised word at the beginning of a sentence is just its first word.
		if start == end || (start == from && words.SentenceStart(s, start) && !strings.Contains(s[start:end], " ") && lowBehindFirst(s[start:end])) {
			continue
		}
		claim(Fact{Kind: Proper, Text: s[start:end], Value: s[start:end], Start: start, End: end})
	}
	ByPlace(out)
	return out
}

// tenths reads the two signs of 八五折 as 85. One that follows on the other, 七八折, is seven or eight tenths and nobody knows which.
func tenths(s string) (int, bool) {
	signs := []rune(s)
	if len(signs) != 2 {
		return 0, false
	}
	a, first := words.Number(string(signs[0]))
	b, second := words.Number(string(signs[1]))
	return 10*a + b, first && second && a < 10 && b < 10 && b != a+1
}

// capitalised is a Latin word that begins with a capital.
const capitalised = `[A-ZÀ-ÖØ-ÞĀĂĄĆČĎĐĒĘĚĞĢĪİĶĹĽŁŃŅŇŌŐŒŔŘŚŞŠŢŤŪŮŰŹŻŽ][\p{Latin}\p{N}_'&]*`

// lowBehindFirst reports whether nothing but the first sign of a word may be a capital.
func lowBehindFirst(w string) bool {
	rest := w[len(string(words.FirstRune(w))):]
	return strings.ToLower(rest) == rest
}

// clock is a time of day as HH:MM.
func clock(s string) (string, bool) {
	low := strings.ToLower(strings.ReplaceAll(strings.ReplaceAll(s, " ", ""), ".m", "m"))
	switch low {
	case "noon":
		return "12:00", true
	case "midnight":
		return "00:00", true
	}
	low = strings.TrimSuffix(low, ".")
	digits := strings.TrimRight(low, "apm")
	h, m, _ := strings.Cut(strings.ReplaceAll(digits, ".", ":"), ":")
	hour, err := strconv.Atoi(h)
	minute := 0
	if m != "" && err == nil {
		minute, err = strconv.Atoi(m)
	}
	switch {
	case strings.HasSuffix(low, "pm") && hour < 12:
		hour += 12
	case strings.HasSuffix(low, "am") && hour == 12:
		hour = 0
	}
	return fmt.Sprintf("%02d:%02d", hour, minute), err == nil && hour < 24 && minute < 60
}

// scale applies a unit to the number: 3万 is 30000, 8折 is 80 percent.
func (a *Amount) scale(unit string) {
	switch u := strings.ToLower(unit); u {
	case "%", "％", "percent":
		a.Percent = true
	case "万", "万元":
		a.N *= 1e4
		a.Unit = strings.TrimPrefix(u, "万")
	case "千", "k":
		a.N *= 1e3
	case "亿":
		a.N *= 1e8
	case "折":
		if a.N < 10 {
			a.N *= 10
		}
		a.Percent = true
		a.Unit = "折"
	default:
		a.Unit = strings.TrimPrefix(u, "个")
		if a.Unit == "" {
			a.Unit = u
		}
	}
}

// ByPlace orders facts by where they stand.
func ByPlace(fs []Fact) {
	slices.SortStableFunc(fs, func(a, b Fact) int { return cmp.Compare(a.Start, b.Start) })
}

// Within keeps the facts that lie between two byte offsets.
func Within(fs []Fact, start, end int) []Fact {
	var out []Fact
	for _, f := range fs {
		if f.Start >= start && f.End <= end {
			out = append(out, f)
		}
	}
	return out
}

// quoteBefore: what stands before a name in quotes.
var quoteBefore = words.MustCompile(`["'“‘「『]$`)

// Solid reports whether a fact of a text names a thing or a person, whatever is said of it; capitals alone name none.
func (f Fact) Solid(text string) bool {
	switch f.Kind {
	case Digits, Phone, Code, Known, Quote, Path, Source:
		return true
	case Person:
		return words.IsHan(words.FirstRune(f.Text)) || quoteBefore.MatchString(words.Before(text, f.Start))
	}
	return false
}
