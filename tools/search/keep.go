package search

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/tools/web"
)

// keep saves what the search found as two Markdown files of the session: the answer with its sources, and the record of the rounds with the passages, from
// which a report can be written or another question answered without searching again.
func (h *hunt) keep(ctx context.Context, answer string, found []answer) ([]bus.File, error) {
	name := h.t.core
	var files []bus.File
	for _, one := range []struct{ name, description, text string }{
		{
			web.FileName(name, h.t.say("的搜索结果.md", " - search results.md")),
			h.t.say("对“"+name+"”的回答，带编号引用和来源", "The answer about “"+name+"” with numbered citations and sources"),
			"# " + name + "\n\n" + answer + "\n",
		}, {
			web.FileName(name, h.t.say("的检索记录.md", " - search record.md")),
			fmt.Sprintf(h.t.say("%d 轮检索的查询、命中的网页和 %d 段原文", "Queries and pages of %d rounds, and %d passages"), len(h.rounds), len(h.pool.held)),
			h.record(found),
		},
	} {
		f, err := h.call.Files.Put(ctx, one.name, "text/markdown", one.description, strings.NewReader(one.text))
		if err != nil {
			return nil, err
		}
		h.call.Attach(f)
		files = append(files, f)
	}
	return files, nil
}

// maxKept is the longest text of a passage in the record, in bytes; maxRecord of the record.
const (
	maxKept   = 4 << 10
	maxRecord = 1 << 20
)

// record tells what was asked and found, round by round, and gives the passages by their sources.
func (h *hunt) record(found []answer) string {
	var out strings.Builder
	fmt.Fprintf(&out, "# %s\n\n%s %s\n\n", h.t.say("检索记录：", "Search record: ")+h.t.core, h.t.say("时间：", "Time: "), time.Now().UTC().Format(time.RFC3339))
	for i, l := range h.rounds {
		fmt.Fprintf(&out, h.t.say("## 第 %d 轮\n\n", "## Round %d\n\n"), i+1)
		for _, q := range l.queries {
			fmt.Fprintf(&out, "- %s: %s\n", q.Dimension, q.Text)
		}
		fmt.Fprintf(&out, h.t.say("\n网页 %d 个，读到 %d 个；本地资料 %d 段。", "\n%d pages were named, %d read; %d local passages."), len(l.hits), l.pages, l.local)
		if len(l.missing) > 0 {
			fmt.Fprintf(&out, h.t.say("还缺：%s。", " Still missing: %s."), strings.Join(l.missing, h.t.say("、", ", ")))
		}
		out.WriteString("\n\n")
		for _, hit := range l.hits {
			fmt.Fprintf(&out, "- [%s](%s) %s\n", strings.NewReplacer("[", "(", "]", ")").Replace(first(hit.Title, hit.URL)), hit.URL, hit.Engine)
		}
		out.WriteString("\n")
	}
	for _, f := range h.failed {
		fmt.Fprintf(&out, "- %s\n", f)
	}
	fmt.Fprintf(&out, "\n## %s\n", h.t.say("原文", "Passages"))
	last := ""
	for _, p := range h.pool.held {
		if out.Len() > maxRecord {
			out.WriteString("\n…\n")
			break
		}
		if s := h.pool.sources[p.source]; p.source != last {
			last = p.source
			fmt.Fprintf(&out, "\n### %s\n\n%s\n", s.Title, first(s.Link, s.File))
		}
		fmt.Fprintf(&out, "\n%s\n", web.Clip(p.Text, maxKept))
	}
	return out.String()
}
