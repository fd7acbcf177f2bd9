package plan

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/hmap-project/hmap/bus"
)

// After a question that asked back, and was answered, another value takes the place of the answer, whether that was given while the task waited or in a turn of its own; a
// value of another kind is added, and one of the question itself replaced there.
func TestAnotherAnswer(t *testing.T) {
	t.Parallel()
	open := &bus.Ask{Kind: bus.Question, ToolName: "check_shop_qualifications", Parameter: "keyword"}
	const en, zh = "what qualifications do I need to open a shop?", "开店要什么资质"
	for _, c := range []struct {
		history []Turn
		request string
		want    string
	}{
		{[]Turn{{Request: en + "\nliquor", Answer: "6 papers."}}, "and toys?", "keyword=toys/toy/玩具"},
		{[]Turn{{Request: en + "\nliquor", Answer: "6 papers."}, {Request: "and toys?", Answer: "5 papers."}}, "how about cosmetics", "keyword=cosmetics"},
		{[]Turn{{Request: en + "\nfishing gear", Answer: "2 papers."}}, "what about garden hoses?", "keyword=garden hoses"},
		{[]Turn{{Request: en, Ask: open}, {Request: "liquor", Answer: "6 papers."}}, "and toys?", "keyword=toys/toy/玩具"},
		{[]Turn{{Request: zh + "\n洋酒", Answer: "要 6 项。"}}, "那玩具呢", "keyword=玩具"},
		{[]Turn{{Request: zh + "\n洋酒", Answer: "要 6 项。"}}, "渔具呢", "keyword=渔具"},
		{[]Turn{{Request: zh, Ask: open}, {Request: "宠物食品", Answer: "要 2 项。"}}, "那渔具呢", "keyword=渔具"},
		{[]Turn{{Request: zh + "\n洋酒", Answer: "要 6 项。"}}, "那专营店呢", "keyword=洋酒; shop_type=专营店"},
	} {
		h := newTeam(t)
		h.begin(t, Input{Request: c.request, History: c.history, Now: time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)})
		if miss := h.wrong(readWishes("check_shop_qualifications{" + c.want + "}")); miss != "" {
			t.Errorf("%s after %v: %s: %s", c.request, c.history, miss, h.told())
		}
	}
}

// Who is asked back is shown examples that they can read, and otherwise none.
func TestExamplesOfALanguage(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		lang     string
		examples []string
		want     string
	}{
		{"en", []string{"洋酒", "玩具"}, "[]"}, {"zh", []string{"洋酒", "玩具"}, "[洋酒 玩具]"}, {"en", []string{"洋酒", "spirits"}, "[spirits]"},
		{"zh", []string{"洋酒", "spirits"}, "[洋酒]"}, {"zh", []string{"2026-01-01", "A-17"}, "[2026-01-01 A-17]"}, {"zh", []string{"red wine"}, "[]"},
	} {
		if got := fmt.Sprint(inLanguage(c.examples, c.lang)); got != c.want {
			t.Errorf("%s %v: %s", c.lang, c.examples, got)
		}
	}
	h := newTeam(t)
	if h.ask(t, "What qualifications do I need to open a shop?"); h.asked == nil || strings.ContainsAny(h.asked.Question, "洋玩") {
		t.Errorf("asked %+v", h.asked)
	}
}

// Two tools that could not answer the same question of the same file say one reason.
func TestOneReasonOfAFile(t *testing.T) {
	t.Parallel()
	for _, request := range []string{"why did the bonus of employees rise? (staff.csv)", "奖金为什么上升了（员工.csv）", "how many bananas are there per planet (sales.csv)"} {
		h := newTeam(t)
		in := ask(request)
		in.Job = true
		h.fails["data_analysis"] = &bus.Error{Code: bus.CodeInvalidParameter, Message: "nothing to group by"}
		h.fails["table_query"] = &bus.Error{Code: bus.CodeInvalidParameter, Message: "it is not clear what is wanted"}
		if said := h.run(t, "data", in); strings.Contains(said, "nothing to group by") == strings.Contains(said, "not clear") {
			t.Errorf("%s: %s", request, said)
		}
	}
}
