package round

import (
	"slices"
	"strings"

	"github.com/hmap-project/hmap/bus"
)

var yes = []string{"y", "yes", "ok", "okay", "sure", "agree", "approve", "approved", "go ahead", "do it", "confirm",
	"是", "是的", "好", "好的", "可以", "同意", "确认", "批准", "行", "执行", "没问题", "对"}

// Agreed reports whether what was said to an approval is a clear yes. Anything else is a no: what it says is told to the mind,
// which can ask for something else.
func Agreed(in bus.Input) bool {
	switch in.Kind {
	case bus.Approve:
		return true
	case bus.Answer:
		return slices.Contains(yes, strings.ToLower(strings.Trim(in.Text, " \t\r\n.!,，。！~")))
	}
	return false
}

// refusal is the error code for an ask that was not answered with yes.
func refusal(in bus.Input) string {
	if in.Kind == bus.Expire {
		return bus.CodeExpired
	}
	return bus.CodeForbidden
}
