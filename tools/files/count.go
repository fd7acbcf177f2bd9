package files

import (
	"context"
	"fmt"
	"strings"
	"time"
	"unicode"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/tools"
)

// counted is what count_in_file returns. Words are runs of letters and figures, and each Chinese sign, as an editor counts them; characters are signs without
// the ends of lines.
type counted struct {
	Summary    string    `json:"summary"`
	SummaryEn  string    `json:"summary_en"`
	Name       string    `json:"name"`
	Lines      int       `json:"lines"`
	Words      int       `json:"words"`
	Characters int       `json:"characters"`
	Times      *int      `json:"times,omitempty"` // how often the passage stands there; nil: none was given
	Where      []placing `json:"where,omitempty"` // the first lines that hold it, at most maxPlaces
}

type placing struct {
	Line int    `json:"line"` // from 1
	Text string `json:"text"`
}

const (
	maxPlaces = 20
	maxPlaced = 200 // signs of each of those lines
)

type toCount struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

func counts() tools.Tool {
	return tools.New(bus.Card{
		Name: "count_in_file",
		Description: "数一数本会话中一个文本文件有多少行、多少字、多少字符；给出一段文字时，说它出现几次、在哪些行。" +
			" Counts the lines, words and characters of a text file of this session; given a passage, how often it stands there and in which lines.",
		Parameters: []byte(fmt.Sprintf(`{"type":"object","properties":{
			"name":`+fmt.Sprintf(nameSchema, "本会话中的文件名。 The name of a file of this session.")+`,
			"text":{"type":"string","title":"文字","x-title-en":"Passage","minLength":1,"maxLength":%d,"description":"可选：要找的一段文字，逐字一致，不分大小写。 Optional: the passage to find, word for word, in whatever case."}
			},"required":["name"],"additionalProperties":false}`, maxWrite)),
		Returns: []byte(`{"type":"object","properties":{"summary":{"type":"string","title":"结论"},"summary_en":{"type":"string","title":"英文结论"},"name":{"type":"string","title":"文件名","x-title-en":"Name"},
			"lines":{"type":"integer","title":"行数","x-title-en":"Lines"},"words":{"type":"integer","title":"字数","x-title-en":"Words"},"characters":{"type":"integer","title":"字符数","x-title-en":"Characters"},
			"times":{"type":"integer","title":"出现次数","x-title-en":"Times"},"where":{"type":"array","title":"所在的行","x-title-en":"Where","items":{"type":"object","properties":{
			"line":{"type":"integer","title":"行","x-title-en":"Line"},"text":{"type":"string","title":"内容","x-title-en":"Text"}},"required":["line","text"]}}},"required":["summary","summary_en","name","lines","words","characters"]}`),
		Effect: bus.Read, Timeout: 30 * time.Second,
		Tags: []string{"analyst", "文件字数", "文件行数", "文件里查找", "count in file", "word count", "find in file"},
	}, worded(func(ctx context.Context, call *tools.Call, w toCount) (counted, error) {
		f, err := find(ctx, call, w.Name)
		if err != nil {
			return counted{}, err
		}
		whole, err := text(ctx, call, f)
		if err != nil {
			return counted{}, err
		}
		return tally(f.Name, whole, w.Text), nil
	}))
}

// tally counts what a text holds, and where a passage stands in it; "": none is looked for.
func tally(name, whole, passage string) counted {
	c := counted{Name: name}
	inWord := false
	for _, r := range whole {
		if r != '\n' && r != '\r' {
			c.Characters++
		}
		han := unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana)
		letter := !han && (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || inWord && strings.ContainsRune("'’-_", r))
		if han || letter && !inWord {
			c.Words++
		}
		inWord = letter
	}
	passage = strings.ToLower(passage)
	times, held := 0, 0
	for line := range strings.Lines(whole) {
		c.Lines++
		n := 0
		if passage != "" {
			n = strings.Count(strings.ToLower(line), passage)
		}
		if n > 0 {
			times, held = times+n, held+1
			if len(c.Where) < maxPlaces {
				c.Where = append(c.Where, placing{c.Lines, fmt.Sprintf("%.*s", maxPlaced, strings.TrimRight(line, "\r\n"))})
			}
		}
	}
	if passage == "" {
		c.Summary = fmt.Sprintf("%s 有 %d 行、%d 字（中文每字、英文每词算一个，标点不算）、%d 个字符（不含换行）。", name, c.Lines, c.Words, c.Characters)
		c.SummaryEn = fmt.Sprintf("%s has %s, %s and %s (ends of lines not counted).", name, count(int64(c.Lines), "line"), count(int64(c.Words), "word"), count(int64(c.Characters), "character"))
		return c
	}
	if across := strings.Count(strings.ToLower(whole), passage); strings.Contains(passage, "\n") { // over several lines
		times = across
	}
	c.Times = &times
	switch {
	case times == 0:
		c.Summary, c.SummaryEn = fmt.Sprintf("%s 里没有这段文字。", name), fmt.Sprintf("%s does not hold that passage.", name)
	case held == 0:
		c.Summary, c.SummaryEn = fmt.Sprintf("%s 里出现 %d 次。", name, times), fmt.Sprintf("It stands %s in %s.", count(int64(times), "time"), name)
	default:
		c.Summary = fmt.Sprintf("%s 里出现 %d 次，在 %d 行中。", name, times, held)
		c.SummaryEn = fmt.Sprintf("It stands %s in %s, in %s.", count(int64(times), "time"), name, count(int64(held), "line"))
		if held > maxPlaces {
			c.Summary, c.SummaryEn = c.Summary+fmt.Sprintf("这里是前 %d 行。", maxPlaces), c.SummaryEn+fmt.Sprintf(" Here are the first %d.", maxPlaces)
		}
	}
	return c
}
