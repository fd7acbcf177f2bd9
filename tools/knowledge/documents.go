package knowledge

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/tools"
)

// What the card of search_documents names of the folders, so that it is found by what only they hold: so many titles, so many headings, of so many signs each.
const (
	maxTitles   = 40
	maxHeadings = 80
	maxNamed    = 40
	// maxHeld bounds the words of the texts themselves that the card holds, in bytes; a card has 64 KiB at most.
	maxHeld = 24 << 10
)

// Documents is search_documents over somebody's own folders: a plain question is answered by what they say, word for word. Its card names what the folders
// held when it was made; what came later is searched as well. Where they say nothing, rules, if there are any, are searched, which the question may have been meant for.
func Documents(rules *Base, folders ...*Base) tools.Tool {
	titles, headings := topics(folders)
	about := "《" + strings.Join(titles, "》、《") + "》"
	if len(headings) > 0 {
		about += "，讲到" + strings.Join(headings, "、")
	}
	return tools.New(bus.Card{
		Name: "search_documents",
		Kind: "tool",
		Description: "在用户自己的资料里查找，引用原文并给出出处：手册、制度、说明、笔记里怎么说、怎么规定。资料有" + about + "。 " +
			"Looks up the user's own documents (handbooks, manuals, notes), and quotes what they say.",
		Parameters: []byte(`{"type":"object","properties":{
			"query":{"x-holds":` + quote(held(folders)) + `,"type":"string","title":"问题","x-title-en":"Question","minLength":1,"maxLength":2000,"description":"要查的问题，用用户的原话，连同前几轮说过的条件。 The question in the user's words, with the conditions of earlier turns."}
			},"required":["query"],"additionalProperties":false}`),
		Returns: []byte(findingsSchema),
		Effect:  bus.Read,
		Timeout: 10 * time.Second,
		Tags:    slices.Concat([]string{"researcher", "我们的资料", "我们的文档", "手册", "handbook", "manual", "our documents", "our notes"}, titles), // headings are what many tools speak of
		Role:    map[string]string{"zh": "资料管理员", "en": "Librarian"},
	}, func(ctx context.Context, _ *tools.Call, q Question) (Findings, error) {
		asked := strings.TrimSpace(q.Query)
		found, err := searchAll(ctx, folders, asked)
		if len(found) == 0 && err == nil { // "our documents" names where to look, and not what for
			q.Query = howMuch.ReplaceAllString(whereToLook.ReplaceAllString(asked, " "), " ")
			found, err = searchAll(ctx, folders, q.Query)
		}
		if len(found) == 0 && err == nil {
			found, err = searchOtherwise(ctx, folders, q.Query)
		}
		if len(found) == 0 && err == nil && rules != nil {
			found, err = searchAll(ctx, []*Base{rules}, asked)
		}
		if err != nil {
			return Findings{}, err
		}
		if len(found) == 0 {
			zh, en := fmt.Sprintf("您的资料里没有找到与“%s”有关的内容。", asked), fmt.Sprintf("Your documents have nothing about “%s”.", asked)
			left := 0
			for _, f := range folders {
				left += f.Left()
			}
			if left > 0 {
				zh += fmt.Sprintf("资料太多，有 %d 个文件没有收进来，那里面没有找过。", left)
				en += fmt.Sprintf(" There are too many of them: %d files were left out and not searched.", left)
			}
			if tools.Language(asked) == "en" {
				zh = en
			}
			return Findings{Answer: zh, AnswerEn: en, Passages: []Passage{}}, nil
		}
		return told(found), nil
	})
}

// whereToLook are words that say that the answer stands in documents.
var whereToLook = regexp.MustCompile(`(?i)(?:我们?|咱们?|公司|店里)?的?(?:资料|文档|文件|手册|制度|笔记|说明书?|知识库)(?:里面?|中|上)?(?:对|关于)?|(?:有没有|有)?(?:说|讲|写|提|规定)(?:到|过|了)|` +
	`\b(?:our|my|the|your|company) (?:own )?(?:documents?|docs|files|folders?|(?:\w+ )?handbook|manual|notes|guide|guidelines|wiki)\b|\b(?:mentions?|states?|according to|find)\b`)

// searchAll are the passages of some folders that answer a question best: the best one of each has for its score the share of the question that it holds.
func searchAll(ctx context.Context, folders []*Base, query string) ([]Passage, error) {
	var found []Passage
	for _, b := range folders {
		passages, err := b.Search(ctx, query, shown)
		if err != nil {
			return nil, err
		}
		found = append(found, passages...)
	}
	slices.SortStableFunc(found, func(a, b Passage) int { return cmp.Compare(b.Score, a.Score) })
	return found[:min(len(found), shown)], nil
}

// held are the words of the texts of some folders, as far as they fit: each word, and of Chinese each pair of signs, at least once; and first the other words for what they
// hold, by which people ask for it.
func held(folders []*Base) string {
	var out strings.Builder
	seen := map[string]bool{}
	put := func(w string) {
		if out.Len()+len(w) < maxHeld {
			out.WriteString(w + " ")
		}
	}
	for _, row := range kin {
		if slices.ContainsFunc(row, func(w string) bool { return slices.ContainsFunc(folders, func(b *Base) bool { return b.holds(w) }) }) {
			put(strings.Join(row, " "))
		}
	}
	for _, b := range folders {
		b.mu.RLock()
		if b.shelf != nil {
			for _, p := range b.shelf.passages {
				for word := range strings.FieldsFuncSeq(p.Title+" "+p.Section+" "+p.Text, func(r rune) bool { return !unicode.IsLetter(r) }) {
					if !strings.ContainsFunc(word, isHan) {
						if word = strings.ToLower(word); len(word) > 2 && !seen[word] {
							seen[word] = true
							put(word)
						}
						continue
					}
					signs, begin := []rune(word), 0 // pairs that are new and follow each other stand as one
					for i := 1; i <= len(signs); i++ {
						if i < len(signs) && !seen[string(signs[i-1:i+1])] {
							seen[string(signs[i-1:i+1])] = true
							continue
						}
						if i-begin > 1 {
							put(string(signs[begin:i]))
						}
						begin = i
					}
				}
			}
		}
		b.mu.RUnlock()
	}
	return strings.TrimSpace(out.String())
}

// holds reports whether a text of a folder has a word.
func (b *Base) holds(word string) bool {
	b.mu.RLock()
	defer b.mu.RUnlock()
	return b.shelf != nil && slices.ContainsFunc(b.shelf.passages, func(p Passage) bool {
		return stands(strings.ToLower(p.Title+" "+p.Section+" "+p.Text), word)
	})
}

// quote is a text as JSON.
func quote(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		return `""` // a text always encodes
	}
	return string(b)
}

// topics are the titles of the files and the headings in them, each once, in the order of the folders and files.
func topics(folders []*Base) (titles, headings []string) {
	add := func(to *[]string, most int, name string) {
		name = strings.TrimSpace(name)
		if n := utf8.RuneCountInString(name); n >= 2 && n <= maxNamed && len(*to) < most && !slices.Contains(titles, name) && !slices.Contains(headings, name) {
			*to = append(*to, name)
		}
	}
	for _, b := range folders {
		b.mu.RLock()
		if b.shelf != nil {
			for _, p := range b.shelf.passages {
				add(&titles, maxTitles, cmp.Or(p.Title, strings.TrimSuffix(path.Base(p.File), path.Ext(p.File))))
			}
			for _, p := range b.shelf.passages {
				above := strings.Split(p.Section, " / ")
				add(&headings, maxHeadings, above[len(above)-1])
			}
		}
		b.mu.RUnlock()
	}
	return titles, headings
}
