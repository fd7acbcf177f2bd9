package plan

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hmap-project/hmap/actors/plan/cards"
	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// Chinese tells the two ends of a way, or of what becomes what, by the words between them: 从北京到上海, 把500美元换成人民币, 把“你好”译成法语.

var (
	// betweenEnds stands between the two.
	betweenEnds = words.MustCompile(`等于多少|[合是换]多少|前往|飞往?|去往?|转[到入至]|搬[到去]|寄[到往]|送[到往]|(?:兑|折)?换?算?成|翻?译[成为]|[改变转]成|[^改说看查得想拿收接等回找买做用达遇受感碰见来提直甚及]到|至`)
	// beginsEnd stands before the first, and cutsEnd is none of either.
	beginsEnd = words.MustCompile(`(?:从|由|自|把|将)`)
	cutsEnd   = words.MustCompile(`[，。；;,、！!？?\n：:\s的]|(?:请|帮我|麻烦|查询?|一下|看看|给我|我[要想]|告诉我|预?[订定]|买|张)+|要|需|得|多[久少远长大]|怎|吗|呢|吧|有|是|用时|花`)
	// byWhat is how somebody goes, which stands beside where from.
	byWhat = words.MustCompile(`(?:开车|驾车|坐车|打车|骑车|步行|走路|乘车|自驾|[坐乘](?:高铁|火车|飞机|地铁|公交))$`)
)

// ends are the two ends that a clause in Chinese tells; "" for one that it does not.
func ends(g *goal, c wishes.Clause) (old, new string) {
	text := facts.Without(g.plain, c.Start, c.End, apartFrom(g.facts))
	m := betweenEnds.FindStringIndex(text)
	if m == nil || !words.HasHan(text) {
		return "", ""
	}
	if between := text[m[0]:m[1]]; strings.HasSuffix(between, "到") && utf8.RuneCountInString(between) == 2 && !strings.ContainsAny(between, "转搬寄送") {
		m[0] += len(string(words.FirstRune(between)))
	}
	old, new = text[:m[0]], text[m[1]:]
	if at := beginsEnd.FindAllStringIndex(old, -1); len(at) > 0 {
		old = old[at[len(at)-1][1]:]
	} else if at := cutsEnd.FindAllStringIndex(old, -1); len(at) > 0 {
		old = old[at[len(at)-1][1]:]
	}
	if at := cutsEnd.FindStringIndex(old); at != nil {
		old = old[:at[0]]
	}
	if at := cutsEnd.FindStringIndex(new); at != nil {
		new = new[:at[0]]
	}
	old = byWhat.ReplaceAllString(strings.TrimSpace(old), "")
	return strings.TrimSpace(leadingNumber.ReplaceAllString(old, "")), strings.TrimSpace(new)
}

// leadingNumber is an amount: of 500美元 the unit is what becomes something else.
var leadingNumber = words.MustCompile(`^[\d.,]+(?:万|千|百|块)?`)

// apartFrom are those of the facts that are days, or stand in quotes.
func apartFrom(fs []facts.Fact) []facts.Fact {
	var out []facts.Fact
	for _, f := range fs {
		if f.Kind == facts.Date || f.Kind == facts.Quote {
			out = append(out, f)
		}
	}
	return out
}

// bindEnds gives the two ends that a clause tells to the parameters of a tool that take them, where its card says no more of them than words.
func (x *Index) bindEnds(e *cards.Entry, g *goal, c wishes.Clause, out map[string]fields.Binding) {
	var takes [2]*fields.Field // old, new
	for i := range e.Params {
		f := &e.Params[i]
		if f.Title != "" || !fillable(f) || f.Sort != fields.Text || out[f.Name].Why == "answer" {
			continue
		}
		switch side := sideTold(f); {
		case side == fields.SideOld && takes[0] == nil:
			takes[0] = f
		case side == fields.SideNew && takes[1] == nil:
			takes[1] = f
		}
	}
	if takes[1] == nil || e.Replaces() && slices.ContainsFunc(g.facts, func(f facts.Fact) bool { return f.Kind == facts.Quote }) { // see passages
		return
	}
	old, new := ends(g, c)
	if new == "" {
		return
	}
	for k, text := range []string{old, new} {
		if f := takes[k]; f != nil && text != "" && len(text) <= maxSpanText {
			text = withoutLabel(f, text)
			for name, b := range out { // what is told of one thing is told of no other
				if said, ok := b.Value.(string); ok && name != f.Name && strings.Contains(said, text) && e.Param(name).Sort != fields.Date {
					delete(out, name)
				}
			}
			out[f.Name] = fields.Binding{Value: text, Sure: 0.8, Why: slotWords, Used: -1}
		}
	}
	for _, f := range e.Required() { // 把“早上好”译成法语, 把苹果译成法语
		if _, ok := out[f.Name]; ok || f.Sort != fields.Text {
			continue
		}
		if takes[0] == nil && old != "" && len(old) <= maxSpanText {
			out[f.Name] = fields.Binding{Value: old, Sure: 0.7, Why: slotWords, Used: -1}
			old = ""
		}
		for i, fa := range g.facts {
			if fa.Kind == facts.Quote && fa.From == "" && c.Has(fa) {
				out[f.Name] = fields.Binding{Value: fa.Value, Sure: 0.8, Why: facts.KindNames[fa.Kind], Used: i}
			}
		}
	}
}

// withoutLabel is a short code without what the parameter is called: B of B病区, for 转入病区.
func withoutLabel(f *fields.Field, text string) string {
	head := f.Head()
	for i := range text {
		if words.IsHan(words.FirstRune(text[i:])) {
			if i > 0 && strings.HasSuffix(head, text[i:]) {
				return strings.TrimSpace(text[:i])
			}
			break
		}
	}
	return text
}
