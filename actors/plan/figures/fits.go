package figures

import (
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/cards"
	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// What speaks for a tool where a figure is wanted: that its rows tell what it is made of.

// Tabled is what it is worth that the rows of a tool tell by what a request wants things put together, or that the tool does so itself; so
// is what it counts of them. untold is what it costs that they do not.
const (
	Tabled = 0.15
	untold = 0.25
)

// ColumnIn reports whether the rows of a looking tool tell by what a request wants things put together.
func ColumnIn(t wishes.Reckoning, e *cards.Entry) bool {
	if t.By == "" || !e.Reads() || e.IsAgent() {
		return false
	}
	f, _, ok := Lay(t, e)
	return ok && f.By != nil
}

// Told is what a request calls the column that it measures by, where a tool puts its rows together as the request wants and they tell it: 订单数 of
// 订单数排名前三的城市. "" when they do not.
func Told(t wishes.Reckoning, e *cards.Entry) string {
	if t.By == "" || !e.Reads() || e.IsAgent() || grainOf(t.By) != nil && !grainOf(t.By).time || slices.ContainsFunc(words.SameNouns[:words.Things], func(things []string) bool {
		return slices.ContainsFunc(words.AlsoCalled(t.By), func(w string) bool { return slices.Contains(things, w) })
	}) { // of a thing with an id others tell more, and a province is no city
		return ""
	}
	f, lacks, ok := Lay(t, e)
	if !ok || lacks != "" || !f.Grouped || f.Of == nil || f.Of.Shares(t.Text) == 0 {
		return ""
	}
	return f.Of.Label(words.Language(t.Text))
}

// Suits is what it is worth for a figure that a tool returns what it is made of.
func Suits(t wishes.Reckoning, e *cards.Entry) float64 {
	if t.By == "" && t.Fold == wishes.FoldMean && howLong.MatchString(t.Text) && e.Reads() && !e.IsAgent() {
		return words.Either(TellsMean(t, e), 2*Tabled, -untold)
	}
	if t.By == "" && !t.Superlative() || !e.Reads() || e.IsAgent() {
		return 0
	}
	f, lacks, ok := Lay(t, e)
	if t.By == "" {
		return suitsThings(t, f, ok && lacks == "" && f.Of != nil)
	}
	named := words.Either[float64](f.Of != nil && (f.Of.Shares(t.Text) > 0 || wishes.AsksMean(t.Text) && Quotient(f.Of)), Tabled, 0)
	if g := grainOf(t.By); g != nil && g.within { // of single rows such a thing is told only where all are listed
		return words.Either[float64](groupsBy(e, t.By), 3*Tabled+named, 0)
	}
	switch {
	case ok && t.Superlative() && wishes.AsksMean(t.Text) && (f.Of == nil || !Quotient(f.Of) || !f.Grouped && grainOf(t.By) == nil): // the highest mean is one that the tool tells
		return -untold
	case ok && t.Fold == wishes.FoldMean && (f.Reckoning.By == "" || tellsMean(e) && slices.Contains(words.AlsoCalled(t.By), "order")):
		return Tabled + named
	case ok && lacks != "":
		return -untold
	case groupsBy(e, t.By):
		return 2*Tabled + named
	case ok && f.By != nil:
		return Tabled + named
	}
	return 0
}

// suitsThings is what it is worth for the first ones of the things that a text names, the dearest orders, that the rows are these things, and what it
// costs that they are others. of: they tell what is measured.
func suitsThings(t wishes.Reckoning, f Folding, of bool) float64 {
	low := strings.ToLower(t.Text)
	named := func(label string) bool {
		return slices.ContainsFunc(words.SameNouns[:words.Things], func(set []string) bool {
			return slices.ContainsFunc(set, func(noun string) bool {
				return (words.IsHan(words.FirstRune(noun)) && len([]rune(noun)) > 1 && strings.Contains(low, noun) || !words.IsHan(words.FirstRune(noun)) && words.Mentions(low, noun)) && (label == "" || words.Mentions(label, noun))
			})
		})
	}
	switch {
	case !named(""):
		return 0
	case of && named(f.List.Label("zh")+" "+f.List.Label("en")):
		return 2 * Tabled
	}
	return -untold
}

// howLong asks for a stretch of time: 平均多久发货, the average time to ship.
var howLong = words.MustCompile(`(?i)多久|多长时间|时长|(?:几|多少)个?(?:小时|天|分钟)|\bhow (?:long|many (?:hours|days|minutes))\b|\b(?:time|hours|days|minutes) (?:to|until|till|from|between|it takes?)\b|\b(?:shipping|delivery|handling|processing|dispatch|transit|response|lead) times?\b`)

// TellsMean reports whether a tool tells the mean that is asked for beside its rows, so that none of them is needed: of how long something takes one in hours
// or days.
func TellsMean(t wishes.Reckoning, e *cards.Entry) bool {
	return t.Fold == wishes.FoldMean && t.By == "" && howLong.MatchString(t.Text) && slices.ContainsFunc(e.Result.Fields, func(f fields.Field) bool {
		label := f.Label("zh") + " " + f.Label("en")
		return (f.Type == "number" || f.Type == "integer") && averageOf.MatchString(label) && lasting.MatchString(label)
	})
}

// tellsMean reports whether a tool works a mean out itself.
func tellsMean(e *cards.Entry) bool {
	return slices.ContainsFunc(e.Result.Fields, func(f fields.Field) bool {
		return (f.Type == "number" || f.Type == "integer") && averageOf.MatchString(f.Label("zh")+" "+f.Label("en"))
	})
}

// groupsBy reports whether a tool can be told to put things together by what a noun names.
func groupsBy(e *cards.Entry, noun string) bool {
	return slices.ContainsFunc(e.Params, func(p fields.Field) bool { return Groups(&p, noun) != "" })
}

// Groups is the allowed value of a parameter that is called by a noun or by another word for it, in the noun's language where there is such; "" when
// there is none.
func Groups(f *fields.Field, noun string) string {
	best := ""
	if noun == "" || len(f.Enum) == 0 {
		return ""
	}
	for _, also := range words.AlsoCalled(noun) {
		for _, v := range f.Enum {
			if strings.ToLower(v) == also && (best == "" || words.IsHan(words.FirstRune(v)) == words.IsHan(words.FirstRune(noun)) && words.IsHan(words.FirstRune(best)) != words.IsHan(words.FirstRune(noun))) {
				best = v
			}
		}
	}
	return best
}

// InOrderOf is why a parameter has a value that says in which order rows are listed.
const InOrderOf = "the order of the rows"

// OrderNamed is what a text calls such a value by its own name, though no column may tell it: 优惠最多. "" when it names none.
func OrderNamed(e *cards.Entry, f *fields.Field, t wishes.Reckoning, text string) string {
	if !f.Sorts() || !t.Superlative() || groupsBy(e, t.By) { // the slowest carrier is no parcel
		return ""
	}
	if said := f.Named(text); wishes.ReadReckoning(said).Superlative() {
		return said
	}
	return ""
}

// OrderOf is the allowed value of such a parameter that puts the rows in the order which a figure wants: read as the request is, 最贵 and
// "highest amount" mean the same column in the same direction; a mere name, 消费金额, is one with the most first. "" when there is none.
func OrderOf(e *cards.Entry, f *fields.Field, t wishes.Reckoning, lang string) string {
	g, lacks, ok := Lay(t, e)
	if !ok || lacks != "" || !g.Superlative() || g.By != nil || g.Of == nil {
		return ""
	}
	best := ""
	for _, v := range f.Enum {
		said := wishes.ReadReckoning(v)
		if !said.Superlative() {
			said.Fold, said.Text = wishes.FoldMost, v
		}
		s, lacks, ok := Lay(said, e)
		if ok && lacks == "" && s.List == g.List && s.Of == g.Of && s.Fold == g.Fold && (best == "" || words.IsHan(words.FirstRune(v)) == (lang == "zh")) && !(best != "" && words.IsHan(words.FirstRune(best)) == (lang == "zh")) {
			best = v
		}
	}
	return best
}
