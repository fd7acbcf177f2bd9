package shop

import (
	"context"
	"database/sql"
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/tools"
)

//go:embed data/qualifications.json
var qualificationsFile []byte

// qualificationTable is data/qualifications.json: which papers a shop needs by what it sells, who owns it and of which type it
// is.
type qualificationTable struct {
	Note       string             `json:"note"`
	NoteEn     string             `json:"note_en"`
	English    map[string]string  `json:"english"` // of the names of papers, categories, bodies and types
	Everybody  []requirement      `json:"everybody"`
	Bodies     map[string][]paper `json:"bodies"`
	Types      map[string][]paper `json:"types"`
	Combos     map[string]string  `json:"refused"` // "body/type" → why it cannot be
	Categories []struct {
		Name   string   `json:"name"`
		Words  []string `json:"words"`
		Papers []paper  `json:"papers"`
	} `json:"categories"`
}

// paper is one document.
type paper struct {
	Name string `json:"name" jsonschema:"title=资质名称"`
	What string `json:"what" jsonschema:"title=要求"`
}

// requirement is a paper with the reason why it is needed.
type requirement struct {
	For string `json:"for" jsonschema:"title=依据" jsonschema_description:"因为什么需要：店铺主体、店铺类型或类目"`
	paper
}

type qualificationQuery struct {
	Keyword string `json:"keyword" jsonschema:"title=类目或品牌,minLength=1" jsonschema_description:"用户经营的主要类目、商品类型或者商品品牌,例如:洋酒、玩具、阿迪达斯等。如果没有提供该类信息,必须反问用户要求其提供"`
	Body    string `json:"shop_body,omitempty" jsonschema:"title=店铺主体,enum=企业,enum=个人,enum=个体工商" jsonschema_description:"店铺主体,只能是以下三种:企业、个人和个体工商。"`
	Type    string `json:"shop_type,omitempty" jsonschema:"title=店铺类型,enum=旗舰店,enum=专卖店,enum=专营店,enum=卖场店,enum=普通企业店,enum=小店" jsonschema_description:"店铺类型,只能是以下六种:旗舰店、专卖店、专营店、卖场店、普通企业店和小店。"`
}

type qualifications struct {
	told
	Keyword      string        `json:"keyword" jsonschema:"title=关键词"`
	Category     string        `json:"category,omitempty" jsonschema:"title=对应类目" jsonschema_description:"没有这一项就是没有认出类目，只列出通用要求"`
	Allowed      bool          `json:"allowed" jsonschema:"title=是否可以开店" jsonschema_description:"这样的店铺主体能否开这样的店铺类型"`
	Requirements []requirement `json:"requirements" jsonschema:"title=所需资质"`
	Nearest      []string      `json:"nearest,omitempty" jsonschema:"title=相近的关键词"`

	table   *qualificationTable
	refused string // why such a shop cannot be, in Chinese
}

func (s *Shop) qualificationTools() []tools.Tool {
	var table qualificationTable
	if err := json.Unmarshal(qualificationsFile, &table); err != nil {
		panic(fmt.Errorf("data/qualifications.json: %w", err)) // embedded, and read by a test
	}
	return []tools.Tool{look(s, bus.Card{
		Name:        "check_shop_qualifications",
		Description: "当用户提出有关经营过程中资质要求(如上传材料、营业执照、行业资质等)相关的问题时,需要调用此工具查询具体资质要求的相关信息,然后根据查询到的信息回答用户问题。",
		Tags:        []string{"rules", "qualifications", "资质", "开店", "营业执照", "license", "open a shop"},
	}, (&table).check)}
}

func (t *qualificationTable) check(_ context.Context, _ *sql.Tx, q qualificationQuery) (qualifications, error) {
	keyword := strings.TrimSpace(q.Keyword)
	if keyword == "" {
		return qualifications{}, refuse("要查资质，请先说明经营的主要类目、商品类型或品牌，例如 洋酒、玩具",
			"to look up what a shop must show, first name the category, the kind of product or the brand, such as imported spirits or toys")
	}
	out := qualifications{Keyword: keyword, Allowed: true, Requirements: slices.Clone(t.Everybody), table: t}
	add := func(why string, papers []paper) {
		for _, p := range papers {
			out.Requirements = append(out.Requirements, requirement{why, p})
		}
	}
	if why, no := t.Combos[q.Body+"/"+q.Type]; no {
		out.Allowed, out.refused = false, why
	}
	if q.Body != "" {
		add("店铺主体："+q.Body, t.Bodies[q.Body])
	}
	if q.Type != "" {
		add("店铺类型："+q.Type, t.Types[q.Type])
	}
	if found := t.category(keyword); found >= 0 {
		c := t.Categories[found]
		out.Category = c.Name
		add("类目："+c.Name, c.Papers)
	} else {
		var words []string
		for _, c := range t.Categories {
			words = append(words, c.Words...)
		}
		out.Nearest = nearest(keyword, words, 5)
		if len(out.Nearest) == 0 {
			for _, c := range t.Categories {
				out.Nearest = append(out.Nearest, c.Name)
			}
		}
	}
	return out, nil
}

// category is the index of the category with the longest word that the keyword contains, or -1: 「进口葡萄酒」 is not 「酒」. The name
// of a category counts as a word of it.
func (t *qualificationTable) category(keyword string) int {
	best, longest := -1, 0
	said := strings.ToLower(keyword)
	for i, c := range t.Categories {
		for _, w := range append([]string{c.Name}, c.Words...) {
			if n := len([]rune(w)); n > longest && (strings.Contains(said, w) && letters(w) == "" || holdsWord(keyword, w)) {
				best, longest = i, n
			}
		}
	}
	return best
}

// holdsWord reports whether a text holds an English word, singular or plural, as a whole.
func holdsWord(text, word string) bool {
	text = " " + plain(text) + " "
	return strings.Contains(text, " "+word+" ") || strings.Contains(text, " "+plural(word)+" ")
}
