package filing

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hmap-project/hmap/actors/plan/words"
)

// A text is read with one sign in the place of each quote and of each name of a file, so that nothing in them is taken for a wish.
const (
	quoteSign = 0xE000
	fileSign  = 0xE100
	maxSigns  = 0xFF
)

// masked is a text with signs for quotes and names.
type masked struct {
	text   string
	at     []int // place in the original of each byte of text, and of its end
	quotes []string
	files  []string
	was    []string // each file as it was written
	raw    []string // each quote with its marks
}

var (
	// endings are those of files that people speak of.
	endings = `md|markdown|txt|text|csv|tsv|jsonl?|xls[xm]?|db|sqlite3?|docx?|pptx?|pdf|html?|png|jpe?g|svg|py|js|css|ya?ml|toml|ini|xml|log|sql|tex`
	reName  = regexp.MustCompile(`(?i)[\p{Han}\w][\p{Han}\w.@+-]{0,80}\.(?:` + endings + `)\b`)
	isName  = regexp.MustCompile(`(?i)^[\p{Han}\w][\p{Han}\w .@+()（）-]{0,80}\.(?:` + endings + `)$`)
	quoted  = regexp.MustCompile("(?s)```[\\w+#-]*[ \\t]*\r?\n(.*?)\n?```|`([^`]+)`|\"([^\"]*)\"|“([^”]*)”|「([^」]*)」|『([^』]*)』|(?:^|[\\s(（:：，,\\p{Han}])'([^']*)'|‘([^’]*)’")
	// ahead are words of a Chinese sentence before a name that nothing parts from them.
	ahead = regexp.MustCompile(`^(?:请|麻烦|帮我|给我|再|也|然后|接着|现在|我想|我要)*(?:把|将|在|往|向|从|到|给|对)?(?:新建|创建|建立|新增|写好|生成|看看|看一?下|打开|读取|读一?下|查看|显示|展示|输出|念一?下|删除|删掉|移除|清除|清空|下载|导出|搜索|查找|翻译|合并|排序|发送|扔掉|重命名|改名|更名|复制|拷贝|移动|保存|另存|存储|记录|追加|添加|加|写|建|做|来|看|读|查|念|删|存|记|放)?(?:一下|了|好|到|入|进|成|为|在|一?[个份篇]|新的|空的|空白|文本|文件名?|文档|笔记|名字|名为|叫做?|[的是])*`)
	// beforeLatin are words before a Latin name that may begin a Chinese one.
	beforeLatin = regexp.MustCompile(`^(?:运行|执行|跑|总结|概括|统计|分析|数)(?:一下)?[A-Za-z0-9_]`)
	// rePath is a file by its folders: /tmp/x/a.txt, ~/a.txt, notes/a.txt; what has a dot before its first stroke is an address of the web.
	rePath = regexp.MustCompile(`(?i)(?:^|[\s\p{Han}(（:：，,"“「])((?:~|\.{1,2}|[a-z]:|[\w-]+)?[/\\](?:[\w\p{Han}.@+-]+[/\\])*[\w\p{Han}][\w\p{Han}.@+-]*\.(?:` + endings + `))\b`)
	// behindSpace are those of them that stand before a name whose begin a space shows.
	behindSpace = regexp.MustCompile(`^(?:把|将|在|往)`)
)

func mask(text string, k Known) masked {
	m := masked{}
	var b strings.Builder
	keep := func(from, to int) {
		for i := from; i < to; i++ {
			b.WriteByte(text[i])
			m.at = append(m.at, i)
		}
	}
	sign := func(r rune, at int) {
		n := utf8.RuneLen(r)
		b.WriteRune(r)
		for range n {
			m.at = append(m.at, at)
		}
	}
	marks := quoted.FindAllStringSubmatchIndex(text, maxSigns)
	bare := text // what stands in no quote
	for _, q := range marks {
		from, to := inQuote(q)
		bare = bare[:from] + strings.Repeat("\n", to-from) + bare[to:]
	}
	names := m.names(bare, k)
	bareName, at := len(names) > 0, 0 // a file is named outside of the quotes
	for at < len(text) {
		if len(names) > 0 && names[0].start <= at {
			n := names[0]
			names = names[1:]
			m.files, m.was = append(m.files, n.name), append(m.was, text[n.start:n.end])
			sign(rune(fileSign+len(m.files)-1), n.start)
			at = n.end
			continue
		}
		if len(marks) > 0 && marks[0][0] <= at {
			q := marks[0]
			marks = marks[1:]
			from, to := inQuote(q)
			open := from - openMark(text, from)
			keep(at, open)
			whole := text[open:q[1]]
			if said := text[from:to]; isName.MatchString(strings.TrimSpace(said)) && !bareName && len(m.files) == 0 {
				m.files, m.was = append(m.files, k.spelt(strings.TrimSpace(said))), append(m.was, whole)
				sign(rune(fileSign+len(m.files)-1), open)
			} else {
				m.quotes, m.raw = append(m.quotes, said), append(m.raw, whole)
				sign(rune(quoteSign+len(m.quotes)-1), open)
			}
			at = q[1]
			continue
		}
		_, n := utf8.DecodeRuneInString(text[at:])
		keep(at, at+n)
		at += n
	}
	m.text = b.String()
	m.at = append(m.at, len(text))
	return m
}

// inQuote is where the text between the marks of a match stands.
func inQuote(q []int) (from, to int) {
	for g := 1; g < len(q)/2; g++ {
		if q[2*g] >= 0 {
			return q[2*g], q[2*g+1]
		}
	}
	return q[0], q[1]
}

// openMark is how many bytes the mark before a place has.
func openMark(text string, at int) int {
	if i := strings.LastIndex(text[:at], "```"); i >= 0 && strings.Count(text[i:at], "\n") == 1 && strings.HasSuffix(text[:at], "\n") {
		return at - i
	}
	_, n := utf8.DecodeLastRuneInString(text[:at])
	return n
}

type named struct {
	start, end int
	name       string
}

// names are the files that a text names, by place.
func (m *masked) names(text string, k Known) (out []named) {
	free := func(start, end int) bool {
		return !slices.ContainsFunc(out, func(n named) bool { return start < n.end && n.start < end })
	}
	whole := func(start, end int) bool { // no part of a longer Latin word, nor of a path
		r, _ := utf8.DecodeLastRuneInString(text[:start])
		s, _ := utf8.DecodeRuneInString(text[end:])
		first, _ := utf8.DecodeRuneInString(text[start:])
		return r != '/' && r != '\\' && s != '/' && s != '\\' && !(latin(r) && latin(first)) && !latin(s)
	}
	if k.Paths {
		for _, at := range rePath.FindAllStringSubmatchIndex(text, maxSigns) {
			if start, end := at[2], at[3]; whole(start, end) {
				out = append(out, named{start, end, text[start:end]})
			}
		}
	}
	known := slices.Clone(k.Names)
	slices.SortStableFunc(known, func(a, b string) int { return len(b) - len(a) })
	for _, name := range known {
		for at := 0; ; {
			i, n := indexFold(text[at:], name)
			if i < 0 {
				break
			}
			start, end := at+i, at+i+n
			if at = end; whole(start, end) && free(start, end) {
				out = append(out, named{start, end, name})
			}
		}
	}
	for _, at := range reName.FindAllStringIndex(text, maxSigns) {
		start, end := at[0], at[1]
		if start > 0 && strings.ContainsRune(" \t\n，。：:；,;", rune(text[start-1])) || strings.HasSuffix(text[:start], "：") || strings.HasSuffix(text[:start], "，") {
			start += len(behindSpace.FindString(text[start:end]))
		} else {
			start += len(ahead.FindString(text[start:end]))
		}
		if m := beforeLatin.FindString(text[start:end]); m != "" {
			start += len(m) - 1
		}
		if strings.HasPrefix(text[start:], ".") || strings.HasPrefix(text[start:], "@") { // its name is one of these words
			start = at[0]
		}
		if han := strings.LastIndexFunc(text[start:end], func(r rune) bool { return unicode.Is(unicode.Han, r) }); han >= 0 && start == at[0] {
			// 把a.csv: a Latin name behind a Chinese word that is none of the above
			_, n := utf8.DecodeRuneInString(text[start+han:])
			if rest := text[start+han+n : end]; !strings.HasPrefix(rest, ".") && reName.MatchString(rest) && !words.IsHan(words.FirstRune(text[at[0]:])) {
				start += han + n
			}
		}
		if whole(start, end) && free(start, end) {
			out = append(out, named{start, end, k.spelt(text[start:end])})
		}
	}
	if len(out) == 0 { // by its name without the ending
		for _, name := range known {
			stem, _, ok := strings.Cut(name, ".")
			if !ok || utf8.RuneCountInString(stem) < 2 || k.Word != nil && k.Word(stem) && !asFile(text, stem) {
				continue
			}
			if i, n := indexFold(text, stem); i >= 0 && whole(i, i+n) && len(out) == 0 {
				out = append(out, named{i, i + n, name})
			}
		}
	}
	slices.SortFunc(out, func(a, b named) int { return a.start - b.start })
	return out
}

// asFile reports whether a text calls a word a file: 销售文件, the file sales.
func asFile(text, stem string) bool {
	for at := 0; ; {
		i, n := indexFold(text[at:], stem)
		if i < 0 {
			return false
		}
		if calledBehind.MatchString(text[at+i+n:]) || calledAhead.MatchString(text[:at+i]) {
			return true
		}
		at += i + n
	}
}

// What calls a word a file, behind it and ahead of it.
var (
	calledBehind = regexp.MustCompile(`(?i)^\s*(?:这个|那个)?(?:文件|笔记|file\b|note\b)`)
	calledAhead  = regexp.MustCompile(`(?i)(?:文件|\b(?:file|note))\s*$`)
)

// spelt is a name as the conversation has it, whatever its capitals.
func (k Known) spelt(name string) string {
	for _, n := range k.Names {
		if strings.EqualFold(n, name) {
			return n
		}
	}
	return name
}

// Has reports whether the conversation has a file.
func (k Known) Has(name string) bool { return slices.Contains(k.Names, name) }

func latin(r rune) bool {
	return r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_')
}

// indexFold finds a word in a text, whatever its capitals; -1: it is not there.
func indexFold(text, word string) (at, n int) {
	if word == "" {
		return -1, 0
	}
	for i := range text {
		if len(text)-i >= len(word) && strings.EqualFold(text[i:i+len(word)], word) {
			return i, len(word)
		}
	}
	return -1, 0
}

// plain puts back what stands behind the signs of a stretch.
func (m *masked) plain(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r >= quoteSign && int(r-quoteSign) < len(m.raw):
			b.WriteString(m.raw[r-quoteSign])
		case r >= fileSign && int(r-fileSign) < len(m.was):
			b.WriteString(m.was[r-fileSign])
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// said are the quotes of a stretch, a line each.
func (m *masked) said(s string) string {
	var out []string
	for _, r := range s {
		if r >= quoteSign && int(r-quoteSign) < len(m.quotes) {
			out = append(out, m.quotes[r-quoteSign])
		}
	}
	return strings.Join(out, "\n")
}

// file is the name behind the sign.
func (m *masked) file(s string) string {
	r, _ := utf8.DecodeRuneInString(s)
	if i := int(r - fileSign); i >= 0 && i < len(m.files) {
		return m.files[i]
	}
	return ""
}
