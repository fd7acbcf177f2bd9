package actors

import (
	"testing"
	"time"

	"github.com/hmap-project/hmap/actors/memory"
	"github.com/hmap-project/hmap/actors/plan"
	"github.com/hmap-project/hmap/bus"
)

// What goes on with a question about a file is told with that question, of that file alone, and by a name that can be read out of a sentence.
func TestQuestionsOfFiles(t *testing.T) {
	t.Parallel()
	cards, _ := shopWishes(t)
	file := func(name string) bus.File {
		return bus.File{Ref: "obj:" + name, Name: name, Description: "CSV, 4 rows: region, product, revenue"}
	}
	a, b, odd := file("a.csv"), file("b.csv"), file("sales (1).csv")
	turn := func(request string, files ...bus.File) memory.Turn {
		return memory.Turn{Request: request, Answer: "600", Status: bus.OK, Files: files}
	}
	missed := func(request string, files ...bus.File) memory.Turn {
		return memory.Turn{Request: request, Answer: "This could not be done: “worth” is not understood.", Status: bus.OK, Files: files}
	}
	for _, c := range []struct {
		turns         []memory.Turn
		request, want string
		brings        []bus.File
	}{
		{nil, "revenue per region", "revenue per region (a.csv)", []bus.File{a}},
		{nil, "revenue per region", "revenue per region (sales_1.csv)", []bus.File{odd}},
		{nil, "what is in sales (1).csv?", "what is in sales_1.csv?", []bus.File{odd}},
		{[]memory.Turn{turn("revenue per region", a)}, "and per product?", "revenue per region (a.csv), per product", nil},
		{[]memory.Turn{turn("revenue per region", odd)}, "and per product?", "revenue per region (sales_1.csv), per product", nil},
		{[]memory.Turn{turn("revenue per region of sales (1).csv", odd)}, "and per product?", "revenue per region of sales_1.csv (sales_1.csv), per product", nil},
		{[]memory.Turn{turn("revenue per region", a), turn("and per product?", b)}, "and in March?", "and per product? (b.csv), in March", nil},
		// What the file could not answer leaves it the topic, and the question before it the one to go on with; what the shop was asked does not.
		{[]memory.Turn{turn("revenue per region", a), turn("which region has the highest stock")}, "draw that as a pie chart", "revenue per region (a.csv), draw a pie chart", nil},
		{[]memory.Turn{turn("revenue per region", a), {Request: "which region has the highest stock (a.csv)", Answer: "This could not be done: “stock” is not understood.", Status: bus.OK, Files: []bus.File{a}}}, "and per product?", "revenue per region (a.csv), per product", nil},
		// Where it has answered none, what goes on with a question is one by itself.
		{[]memory.Turn{missed("the worth of each region", a)}, "and per product?", "per product (a.csv)", nil},
		{[]memory.Turn{missed("the worth of each region", a), missed("and per product?", a)}, "what about revenue", "revenue (a.csv)", nil},
		{[]memory.Turn{turn("revenue per region", a), missed("and the worth?", a)}, "and per product?", "revenue per region (a.csv), per product", nil},
		// What nobody else here does is asked of it, too; a change and what the house does are not.
		{[]memory.Turn{turn("revenue per region", a)}, "who was the tallest?", "who was the tallest? (a.csv)", nil},
		{[]memory.Turn{turn("revenue per region", a)}, "which orders are late?", "which orders are late?", nil},
		{[]memory.Turn{turn("revenue per region", a), turn("which orders are late?")}, "who was the tallest?", "who was the tallest?", nil},
		{[]memory.Turn{turn("revenue per region", a), turn("thanks")}, "only for East", "revenue per region (a.csv), East", nil},
		{[]memory.Turn{turn("revenue per region", a), turn("which orders are late?")}, "only for East", "only for East", nil},
		{[]memory.Turn{turn("revenue per region", a), turn("which orders are late?")}, "how tall is the tallest region?", "how tall is the tallest region? (a.csv)", nil},
	} {
		v := &View{Language: Language(c.request), Index: plan.NewIndex(cards, plan.Options{}), Cards: cards, Turns: c.turns, Now: time.Now(), Request: bus.Request{JobDesc: c.request, Files: c.brings}}
		if got := inputOf(v).Request; got != c.want {
			t.Errorf("%s: %q, want %q", c.request, got, c.want)
		}
	}
}
