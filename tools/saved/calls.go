package saved

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hmap-project/hmap/bus"
)

// solved is a task of a session with the calls that solved it.
type solved struct {
	task    string
	request string
	calls   []bus.Record // results of tools that came out well, in the order in which they came back
	agent   string       // who made the one that was planned last
}

// reserved are tools whose calls are no steps: what people answered, and the saving itself.
var reserved = []string{"ask_user", "finish", ToolName}

// documents is the tag of tools that make files of what a conversation found. They are no steps either: what such a tool puts into a file is what was found
// before it, whoever found it, and a saved tool has no conversation. Once the saved tool has been used, the file is asked for as ever.
const documents = "documents"

func isStep(tool string, cards map[string]bus.Card) bool {
	return !slices.Contains(reserved, tool) && !slices.Contains(cards[tool].Tags, documents)
}

// leftOut reports whether a file was made of what a tool's steps found, in their task or behind it.
func leftOut(records []bus.Record, t bus.SavedTool, cards []bus.Card) bool {
	begun := false
	return slices.ContainsFunc(records, func(r bus.Record) bool {
		begun = begun || r.Task == t.From
		return begun && r.Kind == bus.KindResult && slices.ContainsFunc(cards, func(c bus.Card) bool {
			return c.Name == r.ToolName && !c.IsAgent() && slices.Contains(c.Tags, documents)
		})
	})
}

// read finds the newest task before another one that ended well and called tools. said are the words of people in the session up to it.
func read(records []bus.Record, before, lang string, cards map[string]bus.Card) (s solved, said []string, err error) {
	type job struct {
		solved
		ok    bool
		words []string
	}
	var jobs []*job
	by := map[string]*job{}
	inner := map[string]string{} // call → the agent that executes it
	outer := map[string]bool{}   // calls that made calls themselves: agents, and saved tools, whose steps are taken in their place
	for _, r := range records {
		if r.Kind == bus.KindRequest {
			inner[r.Call] = r.Agent
		}
		if r.Kind == bus.KindResult {
			outer[r.Call] = true
		}
	}
	for _, r := range records {
		j := by[r.Task]
		if j == nil {
			j = &job{solved: solved{task: r.Task}}
			by[r.Task], jobs = j, append(jobs, j)
		}
		switch {
		case r.Kind == bus.KindRequest && r.Call == r.Task && r.Request != nil:
			j.request = r.Request.JobDesc
			j.words = append(j.words, j.request)
		case r.Kind == bus.KindInput && r.Input != nil && r.Input.Text != "":
			j.words = append(j.words, r.Input.Text)
		case r.Kind == bus.KindResponse && r.Call == r.Task:
			j.ok = r.Status == bus.OK
		case r.Kind == bus.KindResult && r.Status == bus.OK && r.JobDesc == "" && !outer[r.Child] && isStep(r.ToolName, cards):
			if !slices.ContainsFunc(j.calls, func(c bus.Record) bool { return c.ToolName == r.ToolName && string(c.Parameter) == string(r.Parameter) }) {
				j.calls = append(j.calls, r)
			}
		}
	}
	end := slices.IndexFunc(jobs, func(j *job) bool { return j.task == before })
	if end < 0 {
		end = len(jobs)
	}
	for i := end - 1; i >= 0; i-- {
		j := jobs[i]
		if !j.ok || len(j.calls) == 0 {
			continue
		}
		for _, earlier := range jobs[:i+1] {
			said = append(said, earlier.words...)
		}
		// The owner is the agent above the last call, past saved tools: of calls that ran at once the one planned last, whichever took longer.
		last := slices.MaxFunc(j.calls, func(a, b bus.Record) int { return planned(a.Child, b.Child) })
		for call := last.Call; j.agent == "" && call != ""; call = parent(records, call) {
			if c, there := cards[inner[call]]; there && c.IsAgent() {
				j.agent = c.Name
			}
		}
		if j.agent == "" {
			return s, nil, fmt.Errorf(say(lang, "调用 %[2]s 的智能体 %.64[1]q 现在不在，稍后再存", "the agent %.64[1]q, which called %[2]s, is not there now; save it later"), last.Agent, last.ToolName)
		}
		return j.solved, said, nil
	}
	return s, nil, errors.New(say(lang, "没有可以存的步骤：本会话里，这之前没有调用过工具并顺利完成的任务；请先查出结果，再说「存成工具」", "there is nothing to save: no task before this one in the session has called a tool and ended well; get a result first, then ask to save it"))
}

// planned puts the calls of a task into the order in which they were planned: their ids end in the numbers of a round and of an action in it, for each call on the way down.
func planned(a, b string) int {
	x, y := strings.Split(a, "-"), strings.Split(b, "-")
	return slices.CompareFunc(x, y, func(p, q string) int {
		m, _ := strconv.Atoi(p)
		n, _ := strconv.Atoi(q)
		return cmp.Or(cmp.Compare(m, n), cmp.Compare(p, q))
	})
}

// parent is the call that made a call.
func parent(records []bus.Record, call string) string {
	for _, r := range records {
		if r.Call == call && r.Parent != "" {
			return r.Parent
		}
	}
	return ""
}

// plainly is a text for looking things up in it: in lower case, with its spaces made one.
func plainly(text string) string { return strings.Join(strings.Fields(strings.ToLower(text)), " ") }

// Worth reports whether a task, given by its records, is worth saving: it ended well, called tools at least twice, and no saved tool among them.
func Worth(records []bus.Record) bool {
	outer, calls, well := map[string]bool{}, 0, false
	for _, r := range records {
		outer[r.Call] = outer[r.Call] || r.Kind == bus.KindResult
	}
	for _, r := range records {
		switch {
		case r.Kind == bus.KindResponse && r.Call == r.Task:
			well = r.Status == bus.OK
		case r.Kind != bus.KindResult || r.JobDesc != "" || r.Status != bus.OK:
		case outer[r.Child] || r.ToolName == ToolName: // a tool that called others is a saved one
			return false
		case !slices.Contains(reserved, r.ToolName):
			calls++
		}
	}
	return well && calls > 1
}
