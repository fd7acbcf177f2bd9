package plan

import (
	"slices"

	"github.com/hmap-project/hmap/actors/plan/cards"
	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/words"
	"github.com/hmap-project/hmap/bus"
)

// notHere answers a question that a look-up was tried for by a guess, and that is of nothing such a look-up tells: annual leave is no product that the shop lacks. "" where
// the tool's own reason is the answer: the question speaks of what a shop keeps, names something that is known here, or was asked of a file or of texts.
func (r *round) notHere(d Done) string {
	e := r.x.byName[d.Action.ToolName]
	if e == nil || len(r.g.clauses) != 1 || d.Error == nil || d.Error.Code != bus.CodeInvalidParameter || !e.Reads() || e.IsAgent() || e.OfFiles() || e.Knowledge() || !r.x.ofTheShop(e) {
		return ""
	}
	c := r.g.clauses[0] // who failed is no target any more
	said := c.Text
	if ofTrade.MatchString(said) || ofHouse.MatchString(said) || offers.MatchString(said) || e.GoesBy(said) || slices.ContainsFunc(facts.Within(r.g.facts, c.Start, c.End), func(f facts.Fact) bool {
		return named[f.Kind]
	}) {
		return ""
	}
	return words.Say(r.g.lang, "抱歉，我没有能处理「%s」的工具，也没有找到说到它的资料。", "Sorry, I have no tool for “%s”, and found no document here that tells it. ", words.Short(strip(said), 60)) + byDocuments(r.g.lang)
}

// byDocuments says how a question that no tool knows can be answered from somebody's own documents.
func byDocuments(lang string) string {
	return words.Say(lang, "如果有文档写着它：把文档（Markdown、文本、HTML、PDF、DOCX）放进一个文件夹，在配置里写上这个文件夹（search: {folders: [文件夹]}），重新启动后再问。",
		"If a document does: put it (Markdown, text, HTML, PDF, DOCX) into a folder, name that folder in the configuration (search: {folders: [FOLDER]}), start again and ask once more.")
}

// named are the kinds of facts that name one thing, which a tool may well say that it has not.
var named = map[facts.Kind]bool{facts.Digits: true, facts.Code: true, facts.Phone: true, facts.Person: true, facts.Place: true, facts.Known: true, facts.Quote: true, facts.Path: true}

// offers asks whether or for how much something is had, as of a shop.
var offers = words.MustCompile(`(?i)有没有|还有|有吗|有货|多少钱|便宜|生意|流行|热门|\b(?:do (?:you|we) (?:have|carry|offer)|is there an?y?|are there any|how much (?:is|are|does|do|for)|costs?|cheap\w*|expensive|popular|doing)\b`)

// ofTheShop reports whether a tool takes the name of a kind of goods or of a customer among its values, by which anything can be asked for.
func (x *Index) ofTheShop(e *cards.Entry) bool {
	return slices.ContainsFunc(e.Params, func(f fields.Field) bool { return !f.Required && f.Sort == fields.Text && len(f.Examples) > 0 })
}
