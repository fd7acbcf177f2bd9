package knowledge

import (
	"context"
	"fmt"
	"strings"
	"time"
	"unicode"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/tools"
)

// shown is how many passages search_rules returns at most: an answer and what stands around it.
const shown = 4

// Question is what search_rules is asked.
type Question struct {
	Query  string `json:"query"`
	Domain string `json:"domain"`
}

// Findings is what search_rules returns. Answer, Title, Link and Note are those of the first passage, those with En in English when
// the passage has it. When nothing was found they are empty, and Answer, in the language of the question, and AnswerEn say so.
type Findings struct {
	Found bool `json:"found"`
	// Answer is the text of the best passage, word for word.
	Answer   string    `json:"answer"`
	AnswerEn string    `json:"answer_en,omitempty"`
	Title    string    `json:"title,omitempty"`
	TitleEn  string    `json:"title_en,omitempty"`
	Link     string    `json:"link,omitempty"`
	Note     string    `json:"note,omitempty"`
	NoteEn   string    `json:"note_en,omitempty"`
	Passages []Passage `json:"passages"`
}

// Tool is search_rules over b.
func Tool(b *Base) tools.Tool {
	return tools.New(bus.Card{
		Name: "search_rules",
		Kind: "tool",
		Description: "在店铺规则与知识库中全文检索，返回最相关的条文及其出处链接。适用于“谁承担、可不可以、要不要、期限多久、怎么处罚”等规则类问题：运费纠纷、" +
			"拒收、偏远地区、商品标题与品牌、店铺类型与主体、资质、售后时效、退款、发票、延迟发货、营销活动等。没有相关条文时如实返回未找到。 " +
			"Full-text search in the shop rules and policies: who pays the freight, return policy, titles and brands, refunds, penalties; returns passages with their links.",
		Parameters: []byte(`{"type":"object","properties":{
			"query":{"type":"string","title":"问题","minLength":1,"maxLength":2000,"description":"要查的问题，用用户的原话；前几轮说过的相关事实（如店铺类型）也写进来。 The question in the user's words, with the facts of earlier turns.",
				"examples":["偏远地区发出了又不要了，运费谁承担","什么类目的标题可以不带品牌的名字 京东小店","What is the return policy?"]},
			"domain":{"type":"string","title":"领域","maxLength":200,"description":"可选：偏向的领域，只影响排序，如 售后、物流、营销。 Optional: a domain to prefer.","examples":["售后","营销"]}
			},"required":["query"],"additionalProperties":false}`),
		Returns: []byte(findingsSchema),
		Effect:  bus.Read,
		Timeout: 10 * time.Second,
		Tags:    []string{"规则", "知识", "运费", "标题", "品牌", "售后", "资质", "rules", "policy", "knowledge"},
	}, func(ctx context.Context, _ *tools.Call, q Question) (Findings, error) {
		passages, err := b.SearchIn(ctx, q.Query, q.Domain, shown)
		if err != nil {
			return Findings{}, err
		}
		if len(passages) == 0 {
			general, lacks, err := b.InGeneral(ctx, q.Query, q.Domain, shown)
			if err != nil {
				return Findings{}, err
			}
			if len(general) > 0 {
				f := told(general)
				f.Note = strings.TrimSpace(fmt.Sprintf("规则里没有专门讲“%s”的，这是一般的规定。%s", lacks, f.Note))
				f.NoteEn = strings.TrimSpace(fmt.Sprintf("No rule speaks of “%s”; this is what holds in general. %s", lacks, f.NoteEn))
				return f, nil
			}
			asked := strings.TrimSpace(q.Query)
			zh, en := fmt.Sprintf("规则库里没有找到与“%s”有关的条文。", asked), fmt.Sprintf("The rules have nothing about “%s”.", asked)
			none := Findings{Answer: zh, AnswerEn: en, Passages: []Passage{}}
			if tools.Language(asked) == "en" {
				none.Answer = en
			}
			return none, nil
		}
		return told(passages), nil
	})
}

// told are passages as what is returned, the best one first.
func told(passages []Passage) Findings {
	best := passages[0]
	return Findings{
		Found: true, Answer: best.Text, AnswerEn: best.TextEn, Title: best.Title, TitleEn: best.TitleEn,
		Link: best.Link, Note: best.Note, NoteEn: best.NoteEn, Passages: passages,
	}
}

// findingsSchema is that of [Findings].
const findingsSchema = `{"type":"object","properties":{
			"found":{"type":"boolean","title":"是否找到","x-title-en":"Found"},
			"answer":{"type":"string","title":"条文","x-title-en":"Rule","description":"最相关条文的原文"},
			"answer_en":{"type":"string","title":"条文（英文）","x-title-en":"Rule in English","description":"the same in English, when the passage has it"},
			"title":{"type":"string","title":"规则","x-title-en":"Rule book"},"title_en":{"type":"string","title":"规则（英文）","x-title-en":"Rule book in English"},
			"link":{"type":"string","title":"出处","x-title-en":"Source"},
			"note":{"type":"string","title":"备注","x-title-en":"Note"},"note_en":{"type":"string","title":"备注（英文）","x-title-en":"Note in English"},
			"passages":{"type":"array","title":"相关条文","x-title-en":"Passages","items":{"type":"object","properties":{
				"title":{"type":"string","title":"规则","x-title-en":"Rule book"},"section":{"type":"string","title":"章节","x-title-en":"Section"},
				"text":{"type":"string","title":"原文","x-title-en":"Text"},"text_en":{"type":"string","title":"英文大意","x-title-en":"Text in English"},
				"link":{"type":"string","title":"出处","x-title-en":"Source"},"note":{"type":"string","title":"备注","x-title-en":"Note"},
				"title_en":{"type":"string","title":"规则（英文）","x-title-en":"Rule book in English"},"note_en":{"type":"string","title":"备注（英文）","x-title-en":"Note in English"},
				"file":{"type":"string","title":"文件","x-title-en":"File"},"score":{"type":"number","title":"相关度","x-title-en":"Score"}},"required":["title","text","file","score"]}}
			},"required":["found","answer","passages"]}`

func isHan(r rune) bool { return unicode.Is(unicode.Han, r) }
