package plan

import (
	"strings"
	"testing"
)

// The name of a kind of file, alone behind an answer, wants that made a file of this kind, and no table file to be brought.
func TestKindAlone(t *testing.T) {
	t.Parallel()
	index, err := houseIndex()
	if err != nil {
		t.Fatal(err)
	}
	for _, said := range []string{"Excel", "excel 版", "PDF", "Word", "Word please", "PPT 吧"} {
		in := ask(said)
		in.History = []Turn{{Request: "上个月的销售额", Answer: "224,700 元。\n\n| 类目 | 销售额 |\n| --- | --- |\n| 手机 | 9 |"}}
		out := index["master"].Think(in)
		if len(out.Actions) != 1 || out.Actions[0].ToolName != "reports" || !strings.Contains(strings.ToLower(out.Actions[0].JobDesc), strings.ToLower(said[:3])) {
			t.Errorf("%s: %s", said, told(out))
		}
	}
}
