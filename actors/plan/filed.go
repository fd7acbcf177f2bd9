package plan

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/hmap-project/hmap/bus"
)

// ofRows are words of questions about the rows of any table, which say nothing of what the table is of.
var ofRows = regexp.MustCompile(`(?i)为什么|为何|原因|分别|对比|相比|比较|变化|增长|下降|上升|趋势|走势|异常|占比|比例|份额|平均|均值|中位数|合计|总计|总共|总的?|累计|排名|排行|前[一二两三四五六七八九十\d]+[名个位条行]?|倒数|` +
	`[高低多少大小好差]了?多少|比|[高低多少大小好差]|每一?[天日周月年]|每?个?(?:季度|月份?|年份?)|按|上半年|下半年|全年|` +
	`\b(?:why|compared?|than|vs|versus|higher|lower|more|less|better|worse|change[ds]?|trends?|grew|grow|rise|rose|fell|fall|drop(?:ped)?|share|percentage|average|mean|median|totals?|sum|rank(?:ed|ing)?|top|bottom|outliers?|by|per|each|every|daily|weekly|monthly|quarterly|yearly|days?|weeks?|months?|quarters?|years?|first|second|half|january|february|march|april|may|june|july|august|september|october|november|december)\b`)

// adviceOn asks for more than what the rows say.
var adviceOn = regexp.MustCompile(`(?i)建议|推荐|要不要|该不该|应该|怎么办|\b(?:recommend|suggest|advi[cs]e|should)`)

// namesOf finds the names in what a file's description says that it holds: its columns, and some of their values.
func namesOf(description string) []string {
	names := strings.FieldsFunc(description, func(r rune) bool { return strings.ContainsRune("、，。：；（）「」“”…,.:;()\n", r) })
	for i, n := range names {
		names[i] = strings.ToLower(strings.TrimSpace(n))
	}
	names = slices.DeleteFunc(names, func(n string) bool { return len(n) < 2 || digits(n) })
	slices.SortFunc(names, func(a, b string) int { return len(b) - len(a) })
	return names
}

// OfFile reports whether a request that names no file is a question about one of an earlier turn, by what that file's description says it holds: each
// word that says anything is a column or a value of it, or one that is asked of any table. last: so is the conversation, and a request
// in such words alone is meant; else it must name two things of the file. What names an order, a person or the shop itself is the house's.
func (x *Index) OfFile(request string, f bus.File, last bool, now time.Time) bool {
	if f.Description == "" || len(request) > maxPointing || reFile.MatchString(" "+request) || fileWords.MatchString(request) || ofHouse.MatchString(request) || adviceOn.MatchString(request) || SmallTalk(request) ||
		insteadOf.MatchString(request) || onlyNamed.MatchString(request) { // these go on with the question before, whatever that was of
		return false
	}
	if c := (clause{end: len(request), text: request}); x.wishesChange(request) || c.refuses(request) {
		return false
	}
	rest := strings.ToLower(request)
	names := 0
	for _, n := range namesOf(f.Description) {
		for _, word := range append(alsoCalled(n), plurals(n)) {
			at := 0
			for {
				i, j := wordIn(rest, word, at)
				if i < 0 {
					break
				}
				rest, at = rest[:i]+" "+rest[j:], i+1
				names++
			}
		}
	}
	about := rest
	for _, fact := range slices.Backward(x.facts(rest, now)) {
		switch fact.kind {
		case factDigits, factPhone, factCode, factPerson, factKnown:
			return false
		case factDate:
			rest = rest[:fact.start] + " " + rest[fact.end:]
		}
	}
	rest = ofRows.ReplaceAllString(mostWords.ReplaceAllString(leastWord.ReplaceAllString(rest, " "), " "), " ")
	for _, p := range pieces(unfolded(rest)) {
		if !p.han {
			if w := strings.ToLower(p.text); !stopEnglish[w] && !lightEnglish[w] && !latinVerbs[w] && !digits(w) && len(w) > 1 {
				return false
			}
			continue
		}
		for _, r := range contentRuns(p.text, lightHan) {
			if len([]rune(r.text)) > 1 {
				return false
			}
		}
	}
	return last && (names > 0 || rest != about) || names > 1
}

// WithFile reports whether a request ends in the name of the file that it is about, and so stands alone.
func WithFile(request string) bool {
	m := broughtWith.FindStringIndex(request)
	return m != nil && m[1] == len(request) && reFile.MatchString(" "+request[m[0]:])
}

// plurals is the plural of a word in -y, and else the word.
func plurals(word string) string {
	if stem, ok := strings.CutSuffix(word, "y"); ok {
		return stem + "ies"
	}
	return word
}

// askedOf reports whether a call only looked into a file, and did not make it.
func (x *Index) askedOf(d Done, f bus.File) bool {
	e := x.byName[d.Action.ToolName]
	var of struct {
		File  string   `json:"file"`
		Files []string `json:"files"`
	}
	return e != nil && e.ofFiles() && json.Unmarshal(d.Action.Parameter, &of) == nil && (of.File == f.Name || slices.Contains(of.Files, f.Name))
}

// wordIn finds a word in a text from a place on, in the plural as well, and not as a part of another Latin word; -1: it is not there.
func wordIn(text, word string, from int) (start, end int) {
	for from < len(text) {
		i := strings.Index(text[from:], word)
		if i < 0 {
			break
		}
		start, end = from+i, from+i+len(word)
		for _, plural := range []string{"es", "s"} {
			if strings.HasPrefix(text[end:], plural) {
				end += len(plural)
				break
			}
		}
		if !(start > 0 && latinLetter(text[start-1]) && latinLetter(text[start])) && !(end < len(text) && latinLetter(text[end]) && latinLetter(text[end-1])) {
			return start, end
		}
		from = start + len(word)
	}
	return -1, -1
}

func latinLetter(b byte) bool { return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' }
