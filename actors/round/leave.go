package round

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/hmap-project/hmap/bus"
)

// Leave to call one tool several times in a round is asked once, with all the calls in it: nobody agrees the better for being asked twenty times.

// maxAsked is how many bytes the arguments have that leave is asked for at once, if there are several calls; a message could not carry more, and
// nobody reads them.
const maxAsked = 64 << 10

// wants reports whether an action waits for leave that nobody was asked for yet, or whose ask is open.
func (n *Round) wants(a *Act, tool string) bool {
	_, answered := a.said[a.Child]
	return a.ToolName == tool && a.released && a.Result == nil && a.fault == "" && a.intentSeq == 0 && !answered && n.filled(a).fault == nil
}

// mayWe asks for leave to call a tool: once for all calls of it that wait for that in this round, by the first of them. nil: another one asks, now or
// next, for of one tool there is one such ask at a time, so that no call stands in two.
func (s *State) mayWe(n *Round, a *Act, card *bus.Card, t Terms) *bus.Record {
	var all []*Act
	for _, o := range n.Acts {
		if o != a && (!n.wants(o, a.ToolName) || t.Check != nil && !card.IsAgent() && t.Check(card, n.filled(o).parameter) != nil) {
			continue
		}
		if o.Ask != nil {
			return nil
		}
		all = append(all, o)
	}
	if all[0] != a {
		return nil
	}
	ask := bus.Ask{ID: a.Child, Kind: bus.Approval, ToolName: a.ToolName, Arguments: n.filled(a).parameter, Present: whole(s.present(card, n.filled(a).parameter))}
	shown, size := []*filled{n.filled(a)}, len(n.filled(a).arguments)
	for _, o := range all[1:] {
		f := n.filled(o)
		present := whole(s.present(card, f.parameter))
		for _, value := range present {
			size += len(value)
		}
		if size += len(f.arguments); size > maxAsked { // the rest is asked for after this
			break
		}
		ask.Others = append(ask.Others, bus.AskedCall{Call: o.Child, Arguments: f.parameter, Present: present})
		shown = append(shown, f)
	}
	say := t.words()
	ask.Question = say.clearly(a.unclear) + say.mayI(card, shown, a.Note, func(p json.RawMessage) sight { return s.sight(card, p, t) })
	return s.ask(n, a, ask, t)
}

// shown notes of each call that the ask of an action is for what it would replace. It goes with the call: what was agreed to is done to that alone.
func (s *State) shown(a *Act) {
	n, _ := s.owner(a.Child)
	a.present = a.Ask.Present
	for _, other := range a.Ask.Others {
		if i := n.asked(a, other); i >= 0 {
			n.Acts[i].present = other.Present
		}
	}
}

// asked is the place of another call that the ask of an action is for; -1: it is none, or has ended.
func (n *Round) asked(a *Act, other bus.AskedCall) int {
	return slices.IndexFunc(n.Acts, func(o *Act) bool { return o.Child == other.Call && o.ToolName == a.ToolName && o.Result == nil })
}

// alsoSaid notes what was said to the ask of an action for the further calls that it was for. Only our own asks are for several: what a callee's
// ask says of others is its word, and leaves them as they are.
func (s *State) alsoSaid(a *Act, in bus.Input) {
	if a.Ask.ID != a.Child {
		return
	}
	n, _ := s.owner(a.Child)
	for _, other := range a.Ask.Others {
		if i := n.asked(a, other); i >= 0 {
			if n.Acts[i].said == nil {
				n.Acts[i].said = map[string]bus.Input{}
			}
			n.Acts[i].said[other.Call] = in
		}
	}
}

// present are the values that arguments would replace, by name, as far as the card says by x-present where they are to be seen and this call
// has seen them.
func (s *State) present(card *bus.Card, parameter json.RawMessage) map[string]string {
	replacing, naming := roles(card, parameter)
	out := map[string]string{}
	for name, at := range replacing {
		if v, ok := s.seen(card.Name, strings.Split(at, "|"), naming); ok {
			out[name] = v
		}
	}
	return out
}

// roles are the arguments that replace a value, each with where its card says (x-present) that this is to be seen, and the texts among the others, which name the
// thing: a new address names no order that is sent there already. What takes an id (x-needs) replaces nothing.
func roles(card *bus.Card, parameter json.RawMessage) (replacing, naming map[string]string) {
	var schema struct {
		Properties map[string]struct {
			Present any `json:"x-present"` // a card may say anything
			Needs   any `json:"x-needs"`
		} `json:"properties"`
	}
	_ = json.Unmarshal(card.Parameters, &schema) // one without a schema has names only
	given, _ := decoded(parameter).(map[string]any)
	replacing, naming = map[string]string{}, map[string]string{}
	for name, v := range given {
		if at, _ := schema.Properties[name].Present.(string); strings.Contains(at, ".") && schema.Properties[name].Needs == nil {
			replacing[name] = at
		} else if id, _ := v.(string); id != "" {
			naming[name] = id
		}
	}
	return replacing, naming
}

// maxPresent is how long a value that is replaced may be to be held to, in bytes: nobody is shown more of it.
const maxPresent = 1 << 10

// whole are the values that were seen to their end: of one that a long result had cut short, or that is too long to be shown, nobody can say whether it is still there.
func whole(present map[string]string) map[string]string {
	out := maps.Clone(present)
	maps.DeleteFunc(out, func(_, value string) bool {
		return len(value) > maxPresent || strings.HasSuffix(value, "…") || strings.Contains(value, "… [cut, ")
	})
	return out
}

// seen is a property of the thing that arguments name, as one of the tools that show it (tool.property) did last in this call; false when none did, or when the thing
// was changed since by the tool that would change it again.
func (s *State) seen(changing string, shownBy []string, naming map[string]string) (string, bool) {
	for _, n := range slices.Backward(s.Rounds) {
		for _, a := range slices.Backward(n.Acts) {
			property, shows := "", false
			for _, at := range shownBy {
				if p, ok := strings.CutPrefix(at, a.ToolName+"."); ok {
					property, shows = p, true
				}
			}
			if a.Result == nil || a.Result.Status != bus.OK || !shows && a.ToolName != changing {
				continue
			}
			v := decoded(a.Result.Observation)
			with, _ := decoded(a.Result.Parameter).(map[string]any)
			for _, name := range slices.Sorted(maps.Keys(naming)) {
				if a.ToolName == changing {
					if with[name] == naming[name] {
						return "", false
					}
					continue
				}
				switch was := thingWith(v, naming[name], property)[property].(type) {
				case string:
					return was, true
				case json.Number:
					return was.String(), true
				}
			}
		}
	}
	return "", false
}

// thingWith is the outermost object in a value that has a property, and a text as the value of another one; nil when none has.
func thingWith(v any, text, property string) map[string]any {
	var within []any
	switch v := v.(type) {
	case []any:
		within = v
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if v[name] == text && v[property] != nil && name != property {
				return v
			}
			within = append(within, v[name])
		}
	}
	for _, e := range within {
		if m := thingWith(e, text, property); m != nil {
			return m
		}
	}
	return nil
}

// decoded is a JSON value with its numbers as they are written; nil when it is none.
func decoded(raw json.RawMessage) any {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return nil
	}
	return v
}

// mayI asks for leave for calls of one tool. note says what they leave out; seen tells of arguments what was seen of what they name and replace. What all calls
// have in common is said once.
func (zh words) mayI(card *bus.Card, calls []*filled, note string, seen func(json.RawMessage) sight) string {
	lead := zh.pick("需要您同意：", "This needs your approval: ")
	if note != "" {
		note = "\n" + note
	}
	if len(calls) == 1 {
		s := seen(calls[0].parameter)
		what, said := zh.wanted(card, calls[0].parameter, calls[0].job, s.now), texts(calls[0].parameter)
		if d, line, used, ok := zh.done(card, calls[0], s, nil); ok {
			what = d.does + zh.pick("：", ": ") + line
			maps.Copy(said, used)
		}
		about := zh.about(s, said)
		if about != "" {
			about = "\n" + about
		}
		return lead + what + about + note
	}
	var with [][]string
	var sights []sight
	for _, c := range calls {
		s := seen(c.parameter)
		with, sights = append(with, zh.with(card, c.parameter, c.job, s.now)), append(sights, s)
	}
	var common []string
	for _, part := range with[0] {
		if !slices.ContainsFunc(with, func(w []string) bool { return !slices.Contains(w, part) }) {
			common = append(common, part)
		}
	}
	what, each := zh.what(card), []string(nil)
	names := inCommon(calls, sights)
	for i, w := range with {
		said := texts(calls[i].parameter)
		line := strings.Join(slices.DeleteFunc(w, func(part string) bool { return slices.Contains(common, part) }), zh.pick("，", ", "))
		if d, own, used, ok := zh.done(card, calls[i], sights[i], names); ok {
			what, line = d.does, own
			maps.Copy(said, used)
		}
		about := zh.about(sights[i], said)
		if about != "" && line != "" {
			line += zh.pick("；", "; ")
		}
		each = append(each, fmt.Sprintf("%d. ", i+1)+line+about)
	}
	if len(common) > 0 {
		what += zh.pick("（", " (") + strings.Join(common, zh.pick("，", ", ")) + zh.pick("）", ")")
	}
	return lead + what + zh.pick("：\n", ":\n") + strings.Join(each, "\n") + note +
		zh.pick("\n同意就是全部执行；只要其中几项的话，可以说「只要前两个」或「除了第三个都可以」。", "\nA yes is a yes to all of them; for some of them, say “only the first two” or “all but the third”.")
}

// texts are the arguments that are texts, by name.
func texts(parameter json.RawMessage) map[string]string {
	given, _ := decoded(parameter).(map[string]any)
	out := map[string]string{}
	for name, v := range given {
		if s, ok := v.(string); ok {
			out[name] = s
		}
	}
	return out
}

// inCommon are the names of the arguments that all calls are made with alike, and that replace the same.
func inCommon(calls []*filled, sights []sight) map[string]bool {
	out := map[string]bool{}
	first, _ := decoded(calls[0].parameter).(map[string]any)
	for name, v := range first {
		out[name] = !slices.ContainsFunc(calls, func(c *filled) bool {
			given, _ := decoded(c.parameter).(map[string]any)
			return !reflect.DeepEqual(given[name], v)
		}) && !slices.ContainsFunc(sights, func(s sight) bool { return s.now[name] != sights[0].now[name] })
	}
	return out
}
