package plan

import (
	"encoding/json"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
	"github.com/hmap-project/hmap/bus"
)

// ofRows are words of questions about the rows of any table, which say nothing of what the table is of.
var ofRows = words.MustCompile(`(?i)为什么|为何|原因|分别|对比|相比|比较|变化|增长|下降|上升|趋势|走势|异常|占比|比例|份额|平均|均值|中位数|合计|总计|总共|总的?|累计|毛?利润率?|毛利率?|盈利|增长率|[同环]比|差[额值距]|每一?个|各个?|排名|排行|前[一二两三四五六七八九十\d]+[名个位条行]?|倒数|` +
	`[高低多少大小好差]了?多少|多[几少]|受欢迎|热门|冷门|抢手|最?[忙旺淡]|比|[高低多少大小好差]|每一?[天日周月年]|每?个?(?:季度|月份?|年份?)|按|上半年|下半年|全年|(?:画|绘制?)[出成]?(?:一?[张个幅])?|[折曲]线|柱[状形]|饼[状形]?|条形|图表?|` +
	`\b(?:draw|charts?|plots?|graphs?|pie|bar|line|why|compared?|than|vs|versus|higher|lower|more|less|better|worse|change[ds]?|trends?|grew|grow|rise|rose|fell|fall|drop(?:ped)?|share|percentage|average|mean|median|totals?|sum|rank(?:ed|ing)?|top|bottom|outliers?|by|per|each|every|daily|weekly|monthly|quarterly|yearly|days?|weeks?|months?|quarters?|years?|first|second|third|half|profits?|margins?|growth|cumulative|running|differences?|minus|least|(?:un)?popular|busiest|january|february|march|april|may|june|july|august|september|october|november|december)\b`)

// adviceOn asks for more than what the rows say.
var adviceOn = words.MustCompile(`(?i)建议|推荐|要不要|该不该|应该|怎么办|\b(?:recommend|suggest|advi[cs]e|should)`)

// namesOf finds the names in what a file's description says that it holds: its columns, and some of their values.
func namesOf(description string) []string {
	names := strings.FieldsFunc(description, func(r rune) bool { return strings.ContainsRune("、，。：；（）「」“”…,.:;()\n", r) })
	for i, n := range names {
		names[i] = strings.ToLower(strings.TrimSpace(n))
	}
	names = slices.DeleteFunc(names, func(n string) bool { return len(n) < 2 || words.AllDigits(n) })
	slices.SortFunc(names, func(a, b string) int { return len(b) - len(a) })
	return names
}

// OfFile reports whether a request that names no file is a question about one of an earlier turn, by what that file's description says it holds: each
// word that says anything is a column or a value of it, or one that is asked of any table. last: so is the conversation, and a request
// in such words alone is meant, and one that asks for a figure by a thing of the file in words that it lacks, which the file is the one to say; else it must
// name two things of the file. What names an order, a person or the shop itself is the house's.
func (x *Index) OfFile(request string, f bus.File, last bool, now time.Time) bool {
	if last && f.Description != "" && inSQL.MatchString(request) {
		return true
	}
	if _, short := elliptic(request); short { // it goes on with the question before, whatever that was of
		return false
	}
	s := x.inWordsOf(request, f, now)
	named := s.names + s.implied
	if s.strange {
		return last && (named > 0 && (s.rows || !s.house) || s.rows && !s.house)
	}
	return s.ok && (last && (named > 0 || s.rows) || s.names > 1 || s.own > 0)
}

// briefly is a name without the word for its kind; nil when there is none.
func briefly(name string) []string {
	if short := kindBehind.ReplaceAllString(name, ""); short != name && len([]rune(short)) > 1 {
		return []string{short}
	}
	return nil
}

// valuesIn are the values of a column in a file's description.
var valuesIn = words.MustCompile(`（[^（）]*）|\([^()]*\)`)

// OnlyFile reports whether a request may be asked of the file last spoken of, or of one spoken of before where it names something of that, because nothing else here does it: it is no change, names nothing of the house, and the
// house, which it is planned for as it stands, has no tool for it. The file says what it lacks.
func (x *Index) OnlyFile(in Input, f bus.File, last bool) bool {
	request := in.Request
	if s := x.inWordsOf(request, f, in.Now); !last && s.names+s.implied == 0 {
		return false
	}
	if f.Description == "" || len(request) > maxPointing || facts.FileName.MatchString(" "+request) || fileWords.MatchString(request) || ofHouse.MatchString(request) || SmallTalk(request) {
		return false
	}
	if c := (wishes.Clause{End: len(request), Text: request}); x.wishesChange(request) || c.Refuses(request) {
		return false
	}
	out := x.Think(in)
	return len(out.Actions) == 0 && out.Ask == nil && noTool.MatchString(out.Answer)
}

// noTool is an answer of [Index.cannot].
var noTool = words.MustCompile(`^(?:抱歉，我没有能处理「|Sorry, I have no tool for “)`)

// inSQL is a question of a table in SQL, bare or between ticks, or what would change one and is refused.
var inSQL = words.MustCompile("(?is)^[`\\s]*(?:sql\\s+)?(?:delete\\s+from\\s|insert\\s+into\\s|update\\s+\\S+\\s+set\\s|(?:drop|alter|create|truncate)\\s+table\\s|select\\s+(?:distinct\\s+)?(?:\\S+\\s+|(?:\\*|\\S+\\s+as\\s|\\S+\\s*,|\\w+\\s*\\().*\\s)from\\s|with\\s.+\\sas\\s*\\(\\s*select\\s)")

// speech is what a request says of a file, by the file's description.
type speech struct {
	names   int  // how often it names a column or a value
	own     int  // and a column in words that the house's cards do not speak
	implied int  // how often it speaks of a column in other words, as what is out of stock does
	rows    bool // it has a word that is asked of the rows of any table
	strange bool // a word that says anything is neither
	house   bool // and the house's cards speak it
	ok      bool // it says no other thing, and is no matter of the house
}

// unnamed is a request without the names of a file, in which a verb of change may stand, as in 库存为0; those that begin with one stay where nothing is asked: 5月入库的有几个.
func unnamed(request, description string) string {
	asks := wishes.QuestionHan.MatchString(request) || wishes.QuestionEng.MatchString(request)
	request = strings.ToLower(request)
	for _, n := range namesOf(description) {
		for _, word := range []string{n, shorter(n)} {
			if asks || !slices.Contains(slices.Collect(maps.Values(wishes.ChangeVerbs(word))), 0) {
				request = strings.ReplaceAll(request, word, strings.Repeat(" ", len(word)))
			}
		}
	}
	return request
}

// kindBehind is what kind of thing a name is of, which people leave out: 上海仓, 研发部.
var kindBehind = words.MustCompile(`(?:仓库|仓|门店|店|部门|部|事业部|分公司|公司|大区|市|省|站|中心|校区)$`)

// inWordsOf reads a request in the words of a file.
func (x *Index) inWordsOf(request string, f bus.File, now time.Time) (s speech) {
	if f.Description == "" || len(request) > maxPointing || facts.FileName.MatchString(" "+request) || fileWords.MatchString(request) || ofHouse.MatchString(request) || adviceOn.MatchString(request) || SmallTalk(request) {
		return s
	}
	if c := (wishes.Clause{End: len(request), Text: request}); x.wishesChange(unnamed(request, f.Description)) || c.Refuses(request) {
		return s
	}
	rest := strings.ToLower(request)
	columns := map[string]bool{}
	for _, n := range namesOf(valuesIn.ReplaceAllString(f.Description, "")) {
		columns[n] = true
	}
	for _, n := range append(namesOf(f.Description), strings.ToLower(strings.TrimSuffix(f.Name, path.Ext(f.Name)))) {
		for _, word := range append(append(words.AlsoCalled(n), plurals(n)), append(words.AlsoCalled(shorter(n)), briefly(n)...)...) {
			at := 0
			for {
				i, j := wordIn(rest, word, at)
				if i < 0 {
					break
				}
				rest, at = rest[:i]+" "+rest[j:], i+1
				s.names++
				if columns[n] && !x.speaksAny(word) {
					s.own++
				}
			}
		}
	}
	rest, s.implied = ofColumns(f.Description, rest)
	about := rest
	rest = quarterWord.ReplaceAllString(rest, " ") // which looks like a code
	for _, fact := range slices.Backward(x.facts(rest, now)) {
		switch fact.Kind {
		case facts.Person, facts.Code:
			if fact.Kind == facts.Person && !ofPeople.MatchString(f.Description) || fact.Kind == facts.Code && !ofCodes.MatchString(strings.ReplaceAll(f.Description, "_", " ")) || words.LongNumber.MatchString(fact.Text) {
				return speech{}
			}
			about = strings.Replace(about, rest[fact.Start:fact.End], " ", 1) // a name asks for nothing
			rest = rest[:fact.Start] + " " + rest[fact.End:]
		case facts.Digits, facts.Phone, facts.Known:
			return speech{}
		case facts.Date:
			rest = rest[:fact.Start] + " " + rest[fact.End:]
		}
	}
	rest = limitWords.ReplaceAllString(rest, " ")
	about = limitWords.ReplaceAllString(about, " ")
	rest = ofRows.ReplaceAllString(wishes.MostWords.ReplaceAllString(wishes.LeastWord.ReplaceAllString(rest, " "), " "), " ")
	s.rows = rest != about
	for _, p := range words.Pieces(wishes.Unfolded(rest)) {
		if !p.Han {
			w := strings.ToLower(p.Text)
			if !words.StopEnglish[w] && !words.LightEnglish[w] && !words.LatinVerbs[w] && !words.AllDigits(w) && len(w) > 1 {
				s.strange, s.house = true, s.house || x.speaksAny(w)
			}
			continue
		}
		for _, r := range words.ContentRuns(p.Text, words.LightHan) {
			if len([]rune(r.Text)) > 1 {
				s.strange, s.house = true, s.house || x.speaksAny(r.Text)
			}
		}
	}
	s.ok = !s.strange
	return s
}

// limitWords are words that limit figures.
var limitWords = words.MustCompile(`(?i)超过|大于|小于|低于|高于|不到|不足|以[上下内外]|之间|介于|至少|最多|不[少多高低]于|[多少]于|占多少|除了?|以外|之外|不算|\b(?:except|excluding|neither|nor|without|outside|apart|other than|between|over|under|above|below|exceed(?:s|ing)?|at (?:least|most)|greater|fewer)\b`)

// speaksAny reports whether the house's cards speak a word of a text.
func (x *Index) speaksAny(text string) bool {
	return slices.ContainsFunc(words.Content(text), func(w string) bool { return x.spoken[w] || x.trade[w] })
}

// shorter is a Chinese name of a column without the word that says what kind it is: 入职 of 入职日期, 在职 of 是否在职; else the name.
func shorter(name string) string {
	for _, kind := range []string{"日期", "时间", "金额", "数量", "名称", "编号", "人数"} {
		if short, ok := strings.CutSuffix(name, kind); ok && len([]rune(short)) > 1 {
			return short
		}
	}
	if short := strings.TrimPrefix(name, "是否"); len([]rune(short)) > 1 {
		return short
	}
	return name
}

var quarterWord = words.MustCompile(`(?i)\b(?:\d{4}[- ]?)?(?:q[1-4]|h[12])\b`)

// OfFiles reports whether a request is about which files there are, and not about what one holds: 列出本会话的文件, what files are here?
func OfFiles(request string) bool {
	return filesThere.MatchString(request) && strings.TrimSpace(filesWords.ReplaceAllString(strings.ToLower(request), " ")) == ""
}

var (
	filesThere = words.MustCompile(`(?i)文件|附件|上传|\b(?:files|uploads|attachments)\b`)
	filesWords = words.MustCompile(`请|帮我|给我|我们?|你|列出|列举|列一下|^列|显示|展示|查看|看看|看一?下|看|告诉|有没有|有|哪些|哪几个|哪个|什么|多少|几|个|所有|全部|全|都|目前|当前|现在|本次?|这次|这个|这里|会话|对话|聊天|里面?|中|上传|过|了|的|文件|附件|名称?|列表|清单|一下|吗|呢|[\s，。？?!.,]|` +
		`\b(?:please|can|could|you|list|lists|show|tell|give|see|display|name|names|which|what|how|many|all|every|my|me|i|we|our|the|are|is|there|here|in|of|do|did|does|have|has|been|this|current|session|conversation|chat|so|far|uploaded|upload|uploads|brought|attached|attachments|files)\b`)
)

// WithFile reports whether a request ends in the name of the file that it is about, and so stands alone.
func WithFile(request string) bool {
	m := broughtWith.FindStringIndex(request)
	return m != nil && m[1] == len(request) && facts.FileName.MatchString(" "+request[m[0]:])
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
	return e != nil && e.OfFiles() && json.Unmarshal(d.Action.Parameter, &of) == nil && slices.ContainsFunc(append(of.Files, of.File), func(name string) bool { return name == f.Name || name == f.Spoken() })
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
