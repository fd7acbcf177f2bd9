package plan

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/cards"
	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/solver"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
	"github.com/hmap-project/hmap/bus"
)

// Classify chooses between the modes: plan for a request that wants several things, or one long enough to hide some; react
// for all others.
func Classify(request string) bus.Mode {
	request = words.Clip(request, words.MaxText)
	if len(wishes.Splitter{}.Clauses(request)) > 1 || len([]rune(request)) > 400 {
		return bus.Plan
	}
	return bus.React
}

// round is the work of one call of Think.
type round struct {
	x  *Index
	in Input
	g  goal
	ex *Explain
	// targets are the terminal tools; best the plan that leads to them.
	targets []*target
	unmet   []wishes.Clause
	best    solver.Solution
	notDone []string        // changes that cannot be made as they were wished, a sentence each
	ready   []bus.Action    // what this round dispatches
	done    map[string]Done // by key
	running map[string]bus.Action
	looks   map[*cards.Entry]map[string]fields.Binding // tools that look at what shall be changed, with their arguments
	// hindered are the things that a change cannot be made to, by its tool.
	hindered map[*cards.Entry][]hindered
}

// thinkOnce decides the next round by the calls as they were made.
func (x *Index) thinkOnce(in Input) (*round, Outcome) {
	if n := len(in.History); !x.options.Without.Model && (n == 0 || in.History[n-1].Ask == nil) { // an answer may be a message
		in.Request = readable(again(in), x.inFull)
	}
	if acts, _ := x.filings(in, in.Request); acts == nil && x.delivers() {
		in.Request = inTwo(in.Request, in.Output)
	}
	if rest, no := x.besideMachine(in); rest != "" {
		in.Request = rest
		r, out := x.thinkOnce(in)
		if out.Answer != "" {
			out.Answer += "\n\n" + no
		}
		for i := range out.Actions { // whose answers are not all of it
			out.Actions[i].TrustMode = 0
		}
		return r, out
	}
	r := &round{x: x, in: in, g: x.understand(in), done: map[string]Done{}, running: map[string]bus.Action{}, looks: map[*cards.Entry]map[string]fields.Binding{}, hindered: map[*cards.Entry][]hindered{}}
	r.ex = r.g.explain()
	out, stopped := r.stopped()
	switch {
	case stopped:
	case r.g.cut:
		out = r.halfRead()
	default:
		out = r.think()
		if out.Answer = r.wider(r.nothingMore(out.Answer)); len(out.Actions) == 1 && (r.g.wider != "" || r.ofACase()) {
			out.Actions[0].TrustMode = 0 // something is said of its answer
		}
	}
	out.Thought = r.admit(out.Thought)
	if out.Answer != "" {
		out.Answer += r.notHeeded()
		if r.g.left != "" {
			out.Answer += "\n\n" + r.g.left
		}
	}
	out.Explain = r.ex
	out.Critique = r.critique()
	return r, out
}

// halfRead decides for a request of which only the beginning was read, and says so. What stands further on may forbid what it asks for first, so that
// nothing is changed.
func (r *round) halfRead() Outcome {
	note := words.Say(r.g.lang, "注意：这段话太长（%[1]d 字节），我只读了开头的 %[2]d 字节。", "Note: this is too long (%[1]d bytes); I read only the first %[2]d bytes of it.", len(strings.TrimSpace(r.in.Request)), maxOfLong)
	if slices.ContainsFunc(r.g.clauses, func(c wishes.Clause) bool { return len(c.Change) > 0 }) {
		no := note + words.Say(r.g.lang, "没有读完的要求，我不做任何修改；请把要做的事单独、简短地再说一次。", " Nothing is changed for a request that was not read to its end; please say again, alone and in short, what shall be done.")
		return Outcome{Thought: words.Short(no, maxThought), Answer: no}
	}
	out := r.think()
	if out.Answer != "" {
		out.Answer = note + "\n\n" + out.Answer
	}
	return out
}

func (r *round) think() Outcome {
	x, g := r.x, &r.g
	if len(r.in.Done)+len(r.in.Running) == 0 && g.how == "" && len(g.given) == 0 && SmallTalk(g.text) {
		return Outcome{Thought: words.Say(g.lang, "只是寒暄，不需要工具。", "Small talk; no tool is needed."), Answer: x.introduce(g.lang, g.text)}
	}
	if len(r.in.Done)+len(r.in.Running) == 0 && len(g.given) == 0 {
		if answer := sumOf(g.lang, strings.TrimSpace(r.in.Request)); answer != "" {
			return Outcome{Thought: words.Say(g.lang, "只是一道算式，直接算出来。", "Only a sum; it is worked out here."), Answer: answer}
		}
		if no := notTranslated(g, r.in); no != "" {
			return Outcome{Thought: words.Say(g.lang, "代码不在这里翻译，说明即可。", "Code is not translated here; telling that."), Answer: no}
		}
	}
	if g.lost != nil {
		thought := words.Say(g.lang, "不知道指的是哪一个，先反问。", "It is not clear which one is meant; asking.")
		if stop := r.again(g.lost); stop != "" {
			return Outcome{Thought: thought, Answer: stop}
		}
		return Outcome{Thought: thought, Ask: g.lost}
	}
	if g.told != "" && len(r.in.Done)+len(r.in.Running) == 0 {
		return Outcome{Thought: words.Say(g.lang, "前面的内容已经能回答，不需要再查。", "What came before answers this; nothing need be looked up."), Answer: g.told}
	}
	if len(r.in.Done)+len(r.in.Running) == 0 {
		if none := x.unkept(g, r.in.Request, r.in.History); none != "" {
			return Outcome{Thought: words.Say(g.lang, "点名要用的工具没有存下来，说明即可。", "The tool that is named was not saved; telling that."), Answer: none}
		}
		if none := x.notOnOffer(g, r.in); none != "" {
			return Outcome{Thought: words.Say(g.lang, "点名要用的工具没有人可以用，说明即可。", "Nobody may use the tool that is named; telling that."), Answer: none}
		}
		if how := x.howItIsDone(g); how != "" {
			return Outcome{Thought: words.Say(g.lang, "问的是怎么做，不是要做；说明即可。", "This asks how it is done, and not to do it; telling that."), Answer: how}
		}
		if no := r.mistaken(); no != "" {
			return Outcome{Thought: words.Say(g.lang, "照说的话做不成这个改动，先说明。", "The change cannot be what the words say; telling that."), Answer: no}
		}
		if no := x.ofDeed(g); no != "" {
			return Outcome{Thought: words.Say(g.lang, "要做的事这里没有工具能做；说明即可。", "No tool here does what is wished; telling that."), Answer: no}
		}
		if no := r.conditional(); no != "" {
			return Outcome{Thought: words.Say(g.lang, "改动带着条件，不能不管它就做，先说明。", "The change is under a condition, and is not made regardless of it; telling that."), Answer: no}
		}
		if len(g.clauses) > 0 && len(r.in.Steering) == 0 && !slices.ContainsFunc(g.clauses, func(c wishes.Clause) bool { return !c.OnlyRefuses(g.text) }) {
			return Outcome{Thought: words.Say(g.lang, "只说了不要做什么，所以什么也不做。", "This only says what not to do, so nothing is done."),
				Answer: words.Say(g.lang, "好的，什么也没有改。这只对这一次有效：以后要求的修改仍会先征求您的同意。", "All right, nothing was changed. That holds for this time only: a change asked for later is put to you for approval as ever.")}
		}
		if no := x.ofRegion(g); no != "" {
			return Outcome{Thought: words.Say(g.lang, "问的是大区，这里只有省市；说明即可。", "This asks of a region, and only provinces and cities are known; telling that."), Answer: no}
		}
		if no := cmp.Or(x.ofPlatform(g), x.ofLacking(g)); no != "" && len(r.in.Files) == 0 {
			return Outcome{Thought: words.Say(g.lang, "问的是这里没有的数据；说明即可。", "This asks for figures that are not kept here; telling that."), Answer: no}
		}
		if no := cmp.Or(x.noDay(g), x.ofBaskets(g)); no != "" && len(r.in.Files) == 0 {
			return Outcome{Thought: words.Say(g.lang, "问的是这里查不出来的；说明即可。", "This asks for what cannot be looked up here; telling that."), Answer: no}
		}
		if no := x.ofWhy(g); no != "" && len(r.in.Files) == 0 {
			return Outcome{Thought: words.Say(g.lang, "问的是原因，这里只有数；说明即可。", "This asks why, and only figures are kept here; telling that."), Answer: no}
		}
		if no := x.notInto(g); no != "" {
			return Outcome{Thought: words.Say(g.lang, "要看进许多文件里去，这里没有这样的工具；说明即可。", "This looks into many files, which no tool here does; telling that."), Answer: no}
		}
		if no := x.notOfMachine(g, r.in); no != "" {
			return Outcome{Thought: words.Say(g.lang, "说的是机器上的文件，这里看不到，说明办法。", "This names a file of the machine, which is not seen here; telling how to bring it."), Answer: no}
		}
		if no := x.noSuchID(g); no != "" {
			return Outcome{Thought: words.Say(g.lang, "没有这样的编号，先说明。", "There are no such ids; telling that."), Answer: no}
		}
	}
	if which := wishes.Compared(g.text); which != "" { // nothing on offer finds them, and all of them are not meant
		no := words.Say(g.lang, "没有执行：我没有办法按「%s」来挑出要改的，所以什么也没有改。请直接说名称或编号，或者用一个数来说，比如「价格高于 300 元的」。",
			"Not done: I cannot pick what shall be changed by “%s”, so nothing was changed. Please give names or numbers, or say it by a figure.", which)
		return Outcome{Thought: words.Short(no, maxThought), Answer: no}
	}
	for _, d := range r.in.Done {
		r.done[key(d.Action)] = d
	}
	for _, a := range r.in.Running {
		r.running[key(a)] = a
	}
	r.targets, r.unmet = x.targets(g, r.barred(), r.ex)
	r.hold()
	if len(r.targets) == 0 && len(r.running) > 0 {
		return Outcome{Thought: r.waiting()}
	}
	if no := r.undone(); len(r.targets) == 0 && no != "" {
		return Outcome{Thought: words.Say(g.lang, "这里没有工具能对文件这样做，说明能做什么。", "No tool here does that to a file; telling what can be done."), Answer: no}
	}
	if len(r.targets) == 0 {
		if a := r.compose(); a != "" {
			return Outcome{Thought: words.Say(g.lang, "能查的都查过了，按已有的结果回答。", "All that can be tried was tried; answering from what there is."), Answer: a}
		}
		return Outcome{Thought: words.Say(g.lang, "没有合适的工具。", "No tool fits."), Answer: cmp.Or(x.onlyWhen(g), x.cannot(g.lang, g.text))}
	}
	r.optimise()
	for _, t := range r.targets {
		for _, f := range r.unused(t) {
			r.ex.Unused = append(r.ex.Unused, facts.KindNames[f.Kind]+": "+words.Short(f.Text, 80))
		}
	}
	if r.notDone = r.unfit(); len(r.notDone) > 0 {
		if len(r.targets) == 0 {
			return Outcome{Thought: words.Say(g.lang, "这个修改不能照用户说的做，所以不做。", "This change cannot be made as the user said, so it is not made."), Answer: r.compose()}
		}
		r.optimise()
	}
	r.lengthen()
	r.pointed()
	r.gate()
	actions, ask, steps := r.next()
	r.ready = actions
	stop := ""
	if ask != nil {
		stop = r.again(ask)
	}
	out := Outcome{Actions: actions, Ask: ask}
	if len(steps) > 1 || r.in.Mode == bus.Plan {
		out.Plan = &bus.PlanBody{Title: words.Short(g.said(), words.MaxTitle), Steps: steps}
	}
	switch {
	case stop != "":
		out.Actions, out.Ask, out.Answer = nil, nil, stop
		out.Thought = r.thought(nil, words.Say(g.lang, "问了几次都没有得到能用的回答，停在这里。", "Asked several times without a usable answer; stopping here."))
	case ask != nil:
		out.Actions = nil
		out.Thought = r.thought(nil, words.Say(g.lang, "还缺少只有用户知道的信息，先反问。", "A fact is missing that only the user has; asking."))
	case len(actions) > 0:
		out.Thought = r.thought(actions, "")
	case len(r.running) > 0:
		out.Thought = r.waiting()
	default:
		out.Answer = r.answer()
		end := words.Say(g.lang, "结果已经足够，整理成回答。", "The results are enough; composing the answer.")
		if how := strings.Join(r.ex.Worked, words.Say(g.lang, "；", "; ")); how != "" {
			end = words.Say(g.lang, "按列出的行算：%s。", "Worked out from the rows: %s.", how)
		}
		if len(r.in.Done) == 0 {
			end = words.Say(g.lang, "没有能做的一步，说明原因。", "No step of it can be done; telling why.")
		}
		out.Thought = r.thought(nil, end)
	}
	return out
}

// answer is what is said when there is no more to do; never empty.
func (r *round) answer() string {
	if a := r.compose(); a != "" {
		return a
	}
	if len(r.in.Done) == 0 && len(r.unmet) > 0 {
		return words.Say(r.g.lang, "没有执行：没有工具能做「%s」，其余的要等它的结果。", "Nothing was done: I have no tool for “%s”, and the rest needs what it gives.", words.Short(r.unmet[0].Text, maxNamed))
	}
	return words.Say(r.g.lang, "工具给出的结果里没有可以回答这个问题的内容。", "What the tools gave holds no answer to this.")
}

// key identifies a call: the same tool with the same arguments is the same call.
func key(a bus.Action) string {
	if a.JobDesc != "" {
		return a.ToolName + "\x00" + a.JobDesc
	}
	v, err := fields.Decode(a.Parameter)
	if err != nil || v == nil {
		v = map[string]any{}
	}
	canonical, err := json.Marshal(v)
	if err != nil {
		return a.ToolName
	}
	return a.ToolName + "\x00" + string(canonical)
}
