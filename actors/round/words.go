package round

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/hmap-project/hmap/bus"
)

// words says things to people and minds, in Chinese or English.
type words bool

func (t Terms) words() words { return t.Language == "zh" }

func (zh words) pick(chinese, english string) string {
	if zh {
		return chinese
	}
	return english
}

func (zh words) cancelled(in *bus.Input) string {
	s := zh.pick("任务已取消。", "The task was cancelled.")
	if in.Text != "" {
		s += zh.pick("原因：", " Reason: ") + in.Text
	}
	return s
}

func (zh words) timeUp(d time.Duration) string {
	return fmt.Sprintf(zh.pick("时间预算 %v 已用完，任务在此结束。", "The time budget of %v is spent; the task ends here."), d.Round(time.Millisecond))
}

func (zh words) spent(what string, used, limit float64) string {
	if zh {
		what = map[string]string{"rounds": "轮次", "tokens": "token", "money": "费用"}[what]
	}
	return fmt.Sprintf(zh.pick("%s预算已用完（已用 %g，上限 %g），任务在此结束。", "The budget of %s is spent (%g used, limit %g); the task ends here."), what, used, limit)
}

func (zh words) stubborn() string {
	return zh.pick("同一个调用以相同参数反复出现，已停止。", "The same call with the same arguments came again and again; stopped.")
}

func (zh words) soFar() string { return zh.pick("目前得到的结果：", "What there is so far:") }

func (zh words) underWay(tool string) string {
	return fmt.Sprintf(zh.pick("%s 正在执行，可能已经生效。", "%s was under way and may have taken effect."), tool)
}

func (zh words) expired() string {
	return zh.pick("没有人在期限内答复。", "Nobody answered in time.")
}

func (zh words) unknown(name string, real []string) string {
	if len(real) > 40 {
		real = append(real[:40:40], "…")
	}
	return fmt.Sprintf(zh.pick("没有名为 %.80q 的工具或智能体；现有：%s", "there is no tool or agent named %.80q; there are: %s"), name, strings.Join(real, ", "))
}

func (zh words) cycle(path string) string {
	return zh.pick("调用成环，已拒绝：", "refused, the calls would go in a circle: ") + path
}

func (zh words) depth(limit int) string {
	return fmt.Sprintf(zh.pick("调用层数超过上限 %d", "calls may be nested %d deep at most"), limit)
}

func (zh words) repeated(tool string, n int) string {
	return fmt.Sprintf(zh.pick("%s 已用相同参数调用过 %d 次，不再重复；请换一种办法或根据已有结果作答", "%s was called %d times with these arguments and is not called again; try another way or answer from what there is"), tool, n)
}

func (zh words) noJob(agent string) string {
	return fmt.Sprintf(zh.pick("%s 是智能体，需要用 job_desc 说明要做什么", "%s is an agent and wants a job_desc that says what to do"), agent)
}

func (zh words) noShare() string {
	return zh.pick("剩余预算不足以再调用智能体；请根据已有结果作答", "not enough of the budget is left to call an agent; answer from what there is")
}

func (zh words) noQuestion() string {
	return zh.pick(`ask_user 需要参数 {"question": "…"}`, `ask_user wants the parameter {"question": "…"}`)
}

func (zh words) doubt(card *bus.Card, parameter json.RawMessage, job string) string {
	return zh.wanted(card, parameter, job, nil) + zh.pick(" 可能已经执行，也可能没有，无法确定。要再执行一次吗？", " may or may not have been carried out; nobody knows. Run it again?")
}

// wanted shows a call to a person: what it does, in their language, with what, and what that replaces.
func (zh words) wanted(card *bus.Card, parameter json.RawMessage, job string, now map[string]string) string {
	what := zh.what(card)
	if with := zh.with(card, parameter, job, now); len(with) > 0 {
		what += zh.pick("（", " (") + strings.Join(with, zh.pick("，", ", ")) + zh.pick("）", ")")
	}
	return what
}

// what is what a card's tool does, in a sentence.
func (zh words) what(card *bus.Card) string { return cmp.Or(zh.sentence(card.Description), card.Name) }

// with is what a call is made with.
func (zh words) with(card *bus.Card, parameter json.RawMessage, job string, now map[string]string) []string {
	with := zh.arguments(card, parameter, now)
	if job != "" {
		with = append(with, job)
	}
	return with
}

// sentence is the first sentence of a description that is in the language, or else the first, whole up to 300 characters: who agrees to it must
// know all of what it does.
func (zh words) sentence(description string) string {
	first := ""
	for _, part := range strings.FieldsFunc(description, func(r rune) bool { return r == '\n' || r == '。' }) {
		part, _, _ = strings.Cut(strings.TrimSpace(part), ". ")
		if part = short(strings.TrimRight(part, ". "), 300); part == "" {
			continue
		}
		if words(strings.ContainsFunc(part, func(r rune) bool { return unicode.Is(unicode.Han, r) })) == zh {
			return part
		}
		if first == "" {
			first = part
		}
	}
	return first
}

func (zh words) inDoubt(said bus.Input) string {
	s := zh.pick("该操作是否已生效无法确定，按用户意见没有重复执行。", "whether it took effect is not known; as the user wished, it was not repeated.")
	if said.Kind == bus.Expire {
		s = zh.pick("该操作是否已生效无法确定；没有人在期限内答复，没有重复执行。", "whether it took effect is not known; nobody answered in time, so it was not repeated.")
	}
	if said.Text != "" {
		s += " " + said.Text
	}
	return s
}

func (zh words) refused(said bus.Input) string {
	if said.Kind == bus.Expire {
		return zh.expired()
	}
	if said.Text != "" {
		return zh.pick("用户没有同意，并说：", "the user did not agree and said: ") + said.Text
	}
	return zh.pick("用户没有同意。", "the user did not agree.")
}

// clearly begins an ask for leave that was answered with neither yes nor no.
func (zh words) clearly(unclear bool) string {
	if !unclear {
		return ""
	}
	return zh.pick("我没听明白是同意还是不同意，所以还没有执行。请回复“同意”或者“不同意”。", "I could not tell whether that is a yes or a no, so nothing is done yet. Please answer yes or no. ")
}

func short(s string, most int) string {
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}

// maxValue is how much of an argument is shown to who agrees to it, in characters: nobody agrees to what was cut away.
const maxValue = 4000

// arguments shows a parameter object to a person, sorted by name; each argument by the title that the card's schema gives it, or that of what the tool
// returns by that name. Those come last that replace a value that is known, behind that value.
func (zh words) arguments(card *bus.Card, parameter json.RawMessage, now map[string]string) []string {
	var given map[string]json.RawMessage
	if json.Unmarshal(parameter, &given) != nil {
		return nil
	}
	var schema struct {
		Properties map[string]struct {
			Title   string `json:"title"`
			English string `json:"x-title-en"`
		} `json:"properties"`
	}
	if json.Unmarshal(card.Parameters, &schema) != nil {
		schema.Properties = nil // a card without a schema has names only
	}
	var parts, changed []string
	for _, name := range slices.Sorted(maps.Keys(given)) {
		label := cmp.Or(zh.pick(schema.Properties[name].Title, schema.Properties[name].English), zh.titleIn(card.Returns, name), zh.pick(name, strings.ReplaceAll(name, "_", " ")))
		value := short(Text(given[name]), maxValue)
		if was := now[name]; was != "" && was != value {
			changed = append(changed, label+zh.pick("：", ": ")+short(was, maxCell*2)+" → "+value)
			continue
		}
		parts = append(parts, label+zh.pick("：", ": ")+value)
	}
	return append(parts, changed...)
}
