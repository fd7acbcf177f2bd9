package search

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/tools"
	"github.com/hmap-project/hmap/tools/knowledge"
)

// Question is what deep_search is asked.
type Question struct {
	Query  string `json:"query"`
	Rounds int    `json:"rounds"` // 0: the configured ones
}

// Result is what deep_search returns, in the language of the question.
type Result struct {
	Found bool `json:"found"`
	// Answer is Markdown with citations [1], [2], … and the list of sources at its end. Without a model all its sentences are the sources' own.
	Answer string `json:"answer"`
	// Sources are what the citations lead to, by their numbers, "1" and on.
	Sources map[string]Source `json:"sources"`
	// Queries are what was asked, in order, by the side of the question.
	Queries map[string][]string `json:"queries"`
	// Missing are the sides of the question that nothing was found for.
	Missing []string `json:"missing,omitempty"`
	Rounds  int      `json:"rounds"`
	// Note says what did not work, such as engines that failed.
	Note string `json:"note,omitempty"`
}

// Tool is deep_search.
func (s *Searcher) Tool() tools.Tool {
	return tools.New(bus.Card{
		Name: "deep_search",
		Description: "深度搜索：就一个主题调研资料，把问题拆成多个维度的查询，搜索网络和本地资料，多轮补充，给出带编号引用的回答和来源。适用于“调研、研究、搜索资料、查资料、网上怎么说、行业趋势、竞争格局”等。 " +
			"Deep research on a topic: takes the question apart into several queries, searches the web and local documents in several rounds, and answers with numbered citations and sources.",
		Parameters: []byte(`{"type":"object","properties":{
			"query":{"type":"string","title":"主题","x-title-en":"Topic","minLength":1,"maxLength":2000,"description":"要调研的问题或主题，用用户的原话，连同前几轮说过的条件。 The question or topic in the user's words, with the conditions of earlier turns.",
				"examples":["空气炸锅市场的竞争格局","运费纠纷怎么处理","research the history of QUIC"]},
			"rounds":{"type":"integer","title":"轮数","x-title-en":"Rounds","minimum":1,"maximum":5,"description":"可选：最多检索几轮。 Optional: rounds at most."}
			},"required":["query"],"additionalProperties":false}`),
		Returns: []byte(`{"type":"object","properties":{
			"found":{"type":"boolean","title":"是否找到","x-title-en":"Found"},
			"answer":{"type":"string","title":"回答","x-title-en":"Answer","description":"带编号引用的回答，末尾是来源。 The answer with numbered citations, sources at its end."},
			"sources":{"type":"object","title":"来源","x-title-en":"Sources","description":"编号到来源。 By number.","additionalProperties":{"type":"object","properties":{
				"title":{"type":"string","title":"标题","x-title-en":"Title"},"link":{"type":"string","title":"链接","x-title-en":"Link"},
				"file":{"type":"string","title":"文件","x-title-en":"File"},"published":{"type":"string","title":"日期","x-title-en":"Published"},"snippet":{"type":"boolean","title":"仅摘要","x-title-en":"Snippet only"}},"required":["title"]}},
			"queries":{"type":"object","title":"查询","x-title-en":"Queries","description":"维度到查询。 By side of the question.","additionalProperties":{"type":"array","items":{"type":"string"}}},
			"missing":{"type":"array","title":"没有找到的方面","x-title-en":"Not found","items":{"type":"string"}},
			"rounds":{"type":"integer","title":"轮数","x-title-en":"Rounds"},
			"note":{"type":"string","title":"备注","x-title-en":"Note"}
			},"required":["found","answer","sources","queries","rounds"]}`),
		Effect:  bus.Read, // it changes nothing that was there
		Timeout: s.o.Time + 30*time.Second,
		Tags:    []string{"researcher", "调研", "深度搜索", "深入研究", "网上搜索", "上网查", "上网搜", "联网搜索", "查资料", "搜集资料", "研究", "research", "deep search", "search the web", "look up on the web", "investigate"},
	}, s.run)
}

func (s *Searcher) run(ctx context.Context, call *tools.Call, q Question) (Result, error) {
	t := understand(q.Query)
	if knowledge.Subject(t.core) == "" {
		return Result{}, &bus.Error{Code: bus.CodeInvalidParameter, Message: t.say("不知道要搜索什么：请说出主题", "it is not said what to search for: name the topic")}
	}
	if len(s.o.Engines) == 0 && len(s.o.Folders) == 0 {
		return Result{}, &bus.Error{Code: bus.CodeUnsupported, Message: t.say("没有可以搜索的地方：请配置搜索引擎（search.engines）或本地资料文件夹（search.folders）", "there is nowhere to search: configure a search engine (search.engines) or a folder (search.folders)")}
	}
	h := s.hunt(call, t)
	rounds := q.Rounds
	if rounds < 1 {
		rounds = s.o.Rounds
	}
	found, err := h.run(ctx, rounds)
	if err != nil {
		return Result{}, err
	}
	return h.report(ctx, found)
}

// report words the answer and keeps it.
func (h *hunt) report(ctx context.Context, found []answer) (Result, error) {
	out := Result{Sources: map[string]Source{}, Queries: map[string][]string{}, Missing: h.missing(found), Rounds: len(h.rounds)}
	for _, q := range h.asked.all {
		out.Queries[q.Dimension] = append(out.Queries[q.Dimension], q.Text)
	}
	count := 0
	for _, a := range found {
		count += len(a.passages)
	}
	if count > 0 {
		h.say("report", "整理 %d 段资料", "writing from %d passages", count)
	}
	text, sources, ok := h.write(ctx, found)
	if !ok {
		text, sources = h.quote(found)
		if len(sources) > 0 {
			text = fmt.Sprintf(h.t.say("关于“%s”，以下摘自 %d 处来源的原文：", "About “%s”, in the words of the sources (%d):"), h.t.core, len(sources)) + "\n\n" + text
		}
	}
	if err := ctx.Err(); err != nil {
		return Result{}, context.Cause(ctx)
	}
	out.Note = strings.Join(h.failed, h.t.say("；", "; "))
	if len(sources) == 0 {
		out.Answer = h.nothing()
		return out, nil
	}
	out.Found = true
	var answer strings.Builder
	answer.WriteString(text)
	if out.Missing = slices.DeleteFunc(out.Missing, func(d string) bool { return d == h.t.overview() }); len(out.Missing) > 0 {
		sides := strings.Join(out.Missing, h.t.say("、", ", "))
		if h.t.kind == named { // these were asked for
			fmt.Fprintf(&answer, h.t.say("\n\n没有找到关于这些方面的资料：%s。", "\n\nNothing was found about: %s."), sides)
		} else {
			fmt.Fprintf(&answer, h.t.say("\n\n还查过这些方面，没有找到：%s。", "\n\nAlso looked for, and not found: %s."), sides)
		}
	}
	answer.WriteString("\n\n" + h.t.say("来源", "Sources") + "\n\n")
	for i, s := range sources {
		out.Sources[strconv.Itoa(i+1)] = *s
		fmt.Fprintf(&answer, "%d. %s\n", i+1, s.told(h.t))
	}
	out.Answer = strings.TrimSpace(answer.String())
	if _, err := h.keep(ctx, out.Answer, found); err != nil {
		if ctx.Err() != nil {
			return Result{}, context.Cause(ctx)
		}
		h.s.o.Log.Error("search: the files could not be kept", "error", err)
		out.Note = strings.TrimPrefix(out.Note+h.t.say("；结果没能存成文件", "; the files could not be kept"), "；")
	}
	return out, nil
}

// told is a source on one line.
func (s Source) told(t topic) string {
	text := strings.NewReplacer("[", "(", "]", ")").Replace(s.Title)
	switch {
	case s.Link != "":
		text += " — " + s.Link
	case s.File != "":
		text += t.say("（文件 ", " (file ") + s.File + t.say("）", ")")
	}
	if s.Published != "" {
		text += ", " + s.Published
	}
	if s.Snippet {
		text += t.say("（仅搜索引擎的摘要）", " (the search engine's words only)")
	}
	return text
}

// nothing says that nothing was found, and where it was looked for.
func (h *hunt) nothing() string {
	var places []string
	for _, e := range h.s.o.Engines {
		places = append(places, e.Name())
	}
	if len(h.s.o.Folders) > 0 {
		places = append(places, h.t.say("本地资料", "local documents"))
	}
	text := fmt.Sprintf(h.t.say("没有找到与“%s”有关的资料。查过：%s。", "Nothing was found about “%s”. Searched: %s."), h.t.core, strings.Join(places, h.t.say("、", ", ")))
	if len(h.s.o.Engines) == 0 {
		text += h.t.say("没有配置网络搜索引擎；设置 TAVILY_API_KEY 等密钥或 search.searxng 后可以搜索网络。", " No web search engine is configured; with a key such as TAVILY_API_KEY, or search.searxng, the web is searched, too.")
	}
	return text
}
