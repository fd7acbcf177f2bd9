package filing

import (
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/words"
)

// MaxText is how long a wish may be that is read, in bytes; what stands in a file is seldom typed at greater length.
const MaxText = 16 << 10

// ReadAll reads a text as wishes about files and nothing else, in the order in which they are said; nil when any of it is something else.
func ReadAll(text string, k Known) []Act {
	if len(text) > MaxText || strings.ContainsFunc(text, func(r rune) bool { return r >= quoteSign && r <= fileSign+maxSigns }) {
		return nil
	}
	m := mask(text, k)
	if parts := m.parts(); len(parts) > 1 {
		var out []Act
		last := k
		for _, p := range parts {
			a, ok := m.read(p[0], p[1], last)
			if !ok {
				out = nil
				break
			}
			if out = append(out, a); a.Name != "" {
				last.Last = a.Name
				if !last.Has(a.Name) && a.Do == Make {
					last.Names = append(last.Names[:len(last.Names):len(last.Names)], a.Name)
				}
			}
		}
		if out != nil {
			return out
		}
	}
	if a, ok := m.read(0, len(m.text), k); ok {
		return []Act{a}
	}
	var out []Act
	if several.MatchString(strings.TrimSpace(m.text[len(lead.FindString(m.text)):])) {
		for i, name := range m.files {
			out = append(out, Act{Do: Read, Name: name, End: len(text), said: words.Say(words.Language(text), "看看 %s", "show %s", m.was[i]), turned: true})
		}
	}
	return out
}

// several are shown one after the other.
var several = words.MustCompile(`(?is)^(?:show|read|open|print|display|cat|看看|看一?下|看|打开|读取?|读一?下|显示)(?: me)?\s*` + file + `(?:\s*(?:,|、|，|和|与|\band\b)+\s*` + file + `)+` + end)

// parts are the stretches of the masked text between the words that part wishes.
func (m *masked) parts() (out [][2]int) {
	at := 0
	for _, p := range parting.FindAllStringIndex(m.text, 20) {
		end, next := p[0], p[1]
		if w := keepsWord.FindString(m.text[p[0]:p[1]]); w != "" {
			next -= len(w)
		}
		if strings.TrimSpace(m.text[at:end]) != "" {
			out = append(out, [2]int{at, end})
		}
		at = next
	}
	if strings.TrimSpace(m.text[at:]) != "" {
		out = append(out, [2]int{at, len(m.text)})
	}
	return out
}

// read reads one wish.
func (m *masked) read(from, to int, k Known) (Act, bool) {
	s := m.text[from:to]
	skip := len(lead.FindString(s))
	s = s[skip:]
	a, ok := m.wish(s, k)
	if name := broughtWith.FindStringSubmatch(s); !ok && name != nil { // 总结一下（a.csv）
		k.Last, k.Fresh = m.file(name[1]), true
		s = strings.TrimSuffix(s, name[0])
	}
	if !ok && k.Last != "" && !strings.ContainsFunc(s, isFile) {
		for _, said := range implied(s) {
			w := *m
			w.files, w.was = append(w.files[:len(w.files):len(w.files)], k.Last), append(w.was[:len(w.was):len(w.was)], k.Last)
			if a, ok = w.wish(strings.ReplaceAll(said, "\x00", string(rune(fileSign+len(w.files)-1))), k); ok {
				if ok = k.Fresh || a.Do != Other && a.Do != Gist && a.Do != Count && a.Do != Line && !showOnly.MatchString(s); ok { // what was said since may be meant
					a.Implied = true
					break
				}
			}
		}
	}
	if !ok {
		return Act{}, false
	}
	a.Start, a.End = m.at[from+skip], m.at[to]
	a.turned = a.turned || a.Implied
	return a, true
}

// broughtWith is the file that a wish is about, in brackets behind it.
var broughtWith = words.MustCompile(`\s*[(（]\s*(` + file + `)\s*[)）]\s*$`)

func isFile(r rune) bool { return r >= fileSign && r <= fileSign+maxSigns }

// ofLines is a wish about lines, or a text to be added, that names no file.
var (
	ofLines   = words.MustCompile(`(?is)^(?:(?:show|read|give|print|tell|what(?:'s| is| does)?)\s+)?(?:me )?(?:only |just )?(?:the )?(?:(?:` + nth + `) line|lines? \d+|(?:first|last) \w+ lines)(?: says?)?` + end)
	readsLine = words.MustCompile(`^把?(` + nthHan + `行)(?:的内容)?(?:读|念|说|显示|给我看)(?:出来|给我听|给我看|一下|看看)?` + end)
	linesHan  = words.MustCompile(`^(?:看看|看一?下|看|读一?下|显示)?` + nthHan + `行.*$|^(?:看看|看一?下|看|读一?下|显示)?(?:前|最后|后)` + words.HanNumber + `行.*$`)
	addsQuote = words.MustCompile(`(?is)^(?:add|append) ` + kind + many + `(?: to (?:the )?end| at the end)?` + end)
	addsHan   = words.MustCompile(`^(?:追加|添加|加上?|补上?)` + kindHan + many + end)
	swapsBoth = words.MustCompile(`(?is)^(?:replace|change) ` + quote + ` (?:with|by|to|into) ` + quote + end)
	swapsHan  = words.MustCompile(`^(?:把|将)` + quote + turned + quote + end)
	lineOnly  = words.MustCompile(`(?is)^(?:(?:replace|change|edit|delete|remove|update|rewrite) (?:the )?` + nth + ` line\b.*)$`)
	lineHan   = words.MustCompile(`^(?:把|将)?` + nthHan + `[行条](?:的内容)?(?:都)?(?:改|换|替换|删|去掉|移除|写成|修改).*$|^(?:删除|删掉|去掉|修改)` + nthHan + `[行条]` + end)
	showOnly  = words.MustCompile(`(?i)^(?:看看|看一下|看下|看一看|打开看看|打开|显示(?:一下|出来)?|show(?: me)?|read|open|print)(?: again)?` + end)
	gistOnly  = words.MustCompile(`(?i)^(?:(?:总结|概括|归纳|小结|概述|翻译)(?:一下|下)?(?:要点|大意|主要内容|内容)?|summari[sz]e|sum up|translate(?: into \w+)?)` + end)
	countOnly = words.MustCompile(`(?i)^(?:(?:统计|数)(?:一下|下)?(?:` + measureHan + `)|(?:一共|总共|共)?有?(?:几|多少)(?:行|个?字符?|个?词)|(?:count|how many)(?: the)? (?:words|lines|characters|letters)(?: (?:are there|does it have|and (?:words|lines|characters)))*)` + end)
	whatIsIn  = words.MustCompile(`^(?:里面|现在)(?:都|现在)*(?:写|有|是|放|记)(?:了|着)?(?:些)?(?:什么|啥).*$`)
)

// implied are the ways to say a wish with the file that it does not name in the place of \x00.
func implied(s string) (out []string) {
	if at := pronoun.FindStringIndex(s); at != nil {
		return []string{s[:at[0]] + "\x00" + s[at[1]:]}
	}
	bare := strings.TrimRight(s, " .。!！?？")
	switch {
	case ofLines.MatchString(s):
		out = []string{bare + " of \x00"}
	case addsQuote.MatchString(s):
		out = []string{strings.TrimSuffix(strings.TrimSuffix(bare, " at the end"), " to the end") + " to \x00"}
	case swapsBoth.MatchString(s):
		out = []string{bare + " in \x00"}
	case swapsHan.MatchString(s):
		out = []string{"\x00里，" + s}
	case readsLine.MatchString(s):
		out = []string{"\x00" + readsLine.FindStringSubmatch(s)[1]}
	case lineOnly.MatchString(s):
		out = []string{bare + " in \x00"}
	case lineHan.MatchString(s):
		out = []string{"\x00" + s, strings.Replace(s, "第", "\x00第", 1)}
	case showOnly.MatchString(s):
		out = []string{"show \x00"}
	case gistOnly.MatchString(s), countOnly.MatchString(s):
		out = []string{bare + " \x00", bare + " in \x00", "\x00" + s}
	case linesHan.MatchString(s), addsHan.MatchString(s), whatIsIn.MatchString(s):
		out = []string{"\x00" + s}
		for _, verb := range []string{"看看", "看一下", "看下", "看", "读一下", "读下", "显示"} {
			if rest, ok := strings.CutPrefix(s, verb); ok {
				out = []string{"\x00" + rest}
				break
			}
		}
	}
	return out
}

// wish reads what the first sentence says that takes a stretch of the masked text whole.
func (m *masked) wish(s string, k Known) (Act, bool) {
	for _, p := range sentences {
		found := p.FindStringSubmatch(s)
		if found == nil {
			continue
		}
		group := map[string]string{}
		for i, name := range p.SubexpNames() {
			if name != "" {
				group[name] = found[i]
			}
		}
		if a, ok := m.act(p, group, k); ok {
			a.said = strings.TrimSpace(m.plain(s))
			if i := slices.Index(m.files, a.Name); i >= 0 && m.was[i] != a.Name && k.Has(a.Name) {
				named := *m
				named.was = slices.Clone(m.was)
				named.was[i] = a.Name
				a.said, a.turned = strings.TrimSpace(named.plain(s)), true
			}
			return a, true
		}
	}
	return Act{}, false
}

// act is what the groups of a sentence say; false: another one may take it.
func (m *masked) act(p sentence, group map[string]string, k Known) (Act, bool) {
	a := Act{Do: p.do, Name: m.file(group["f"])}
	if name := group["name"]; name != "" && a.Name == "" {
		a.Name = name + ".txt"
	}
	if said := group["note"]; said != "" {
		a.Name, a.Note = "notes.txt", true
		if other := "笔记.txt"; k.Has(other) && !k.Has(a.Name) || words.Language(said) == "zh" && k.Has(a.Name) == k.Has(other) {
			a.Name = other
		}
		if a.Do == Read && !k.Has(a.Name) {
			return Act{}, false
		}
	}
	signs := func(s string) bool {
		return strings.ContainsFunc(s, func(r rune) bool { return r >= quoteSign && r <= fileSign+maxSigns })
	}
	switch {
	case group["q"] != "":
		a.Text, a.HasText = m.said(group["q"]), true
	case group["t"] != "":
		a.Text, a.HasText = m.content(group["t"]), true
	case group["l"] != "":
		if signs(group["l"]) {
			return Act{}, false
		}
		a.Text, a.HasText, a.Loose = strings.TrimSpace(group["l"]), true, strings.TrimSpace(group["k"]) == ""
	}
	a.Output, a.Code = a.Loose && whatCame.MatchString(a.Text), a.Loose && whatRan.MatchString(a.Text)
	switch p.do {
	case Put, Add:
		if !a.HasText && !p.bare {
			return Act{}, false
		}
	case Make:
		if group["whole"] != "" {
			a.Name, a.HasText, a.Whole = m.file(strings.TrimLeftFunc(group["whole"], func(r rune) bool { return !isFile(r) })), true, true
		}
		if p.bare {
			a.HasText = !k.Has(a.Name) // one that is there is not emptied
		}
	case Change:
		o, n := group["o"], group["n"]
		if plain := strings.TrimSpace(o); signs(o) && len([]rune(plain)) > 1 || signs(n) && len([]rune(strings.TrimSpace(n))) > 1 || placed.MatchString(plain) {
			return Act{}, false
		}
		a.Old, a.New = m.content(o), m.content(n)
		a.All = group["all"]+group["all2"]+group["all3"] != ""
		if a.Old == "" {
			return Act{}, false
		}
	case Count:
		if signs(group["o"]) && len([]rune(strings.TrimSpace(group["o"]))) > 1 {
			return Act{}, false
		}
		a.Old, a.Loose = m.content(group["o"]), group["o"] != "" && !signs(group["o"])
		a.Lines = words.Either(a.Old == "" && ofRows.MatchString(group["what"]), 1, 0)
	case Read:
		a.From, a.Lines = lines(group)
	}
	return a, true
}

var (
	// whatCame and whatRan are words for what was said last, and for the code that was run.
	whatCame = words.MustCompile(`(?i)^(?:(?:the|this|that|its|last|above)\s+)*(?:outputs?|results?|answers?)(?: (?:of (?:the|this|that) (?:code|run|script)|above))?$|^(?:上面|刚才|这个|这次|代码|运行|程序|执行|它|的)*(?:输出|结果|答案|回答)$`)
	whatRan  = words.MustCompile(`(?i)^(?:(?:the|this|that|its|last|above)\s+)*(?:code|script|program)(?: above)?$|^(?:上面|刚才|这个|这段|那段|的)*(?:代码|脚本|程序)$`)
	// ofRows: what is counted are lines.
	ofRows = words.MustCompile(`(?i)^\W*(?:(?:the|all|of|and|lines?|rows?|entries|items?)\b\W*)+$|^[行条项]`)
)

// placed is a passage that is named by where it stands.
var placed = words.MustCompile(`(?i)^(?:the )?(?:` + nth + ` |lines? \d)|^` + nthHan + `[行条]|^(?:it|that|this|them|everything|all|它|这个|那个|这些|内容|全部|所有内容)$`)

// content is a stretch as it stands in the file: what is all in quotes without them.
func (m *masked) content(s string) string {
	s = strings.TrimSpace(s)
	if onlyQuotes.MatchString(s) {
		return m.said(s)
	}
	return m.plain(s)
}

var onlyQuotes = words.MustCompile(`^` + many + `[\s。.!！]*$`)

// lines are those that the groups of a sentence name.
func lines(group map[string]string) (from, count int) {
	if n, ok := words.Number(strings.TrimSpace(group["n"])); ok && group["side"] != "" && n > 0 {
		if fromEnd.MatchString(group["side"]) {
			return -n, n
		}
		return 1, n
	}
	at := group["line"]
	if at == "" {
		return 0, 0
	}
	from = place(at)
	count = 1
	if to, ok := words.Number(group["to"]); ok && to >= from && from > 0 {
		count = to - from + 1
	}
	return from, count
}

// fromEnd is the side of a text at its end.
var fromEnd = words.MustCompile(`(?i)^(?:last|后|最后|末尾?)$`)

var ordinals = map[string]int{"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9, "tenth": 10, "last": -1,
	"首": 1, "末": -1, "最末": -1, "最后": -1, "最后一": -1}

// place is the number of a line, from the end where it is negative.
func place(s string) int {
	s = strings.ToLower(strings.TrimSpace(s))
	if n, ok := ordinals[s]; ok {
		return n
	}
	back := strings.HasPrefix(s, "倒数")
	s = strings.TrimPrefix(strings.TrimPrefix(s, "倒数"), "第")
	n, ok := words.Number(strings.TrimRight(s, "sthndr"))
	if !ok || n == 0 {
		return 1
	}
	return words.Either(back, -n, n)
}
