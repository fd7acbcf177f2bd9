package learn

import (
	"bytes"
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/hmap-project/hmap/bus"
)

const (
	maxResults    = 200      // of one call that are learned from
	maxActions    = 64       // of one round that are looked at
	maxParameters = 32       // of one action that are looked at
	maxSeen       = 64 << 10 // bytes of an observation that is searched for a value; in a longer one too much would be found by chance
	leastValue    = 4        // characters of a value that says by itself where it came from
	maxValue      = 1000     // bytes of a value
	// maxRead is how many bytes of one call are gone through to find where values came from: 0.1 s of processor or so at most (go test -v -run BigCall).
	maxRead  = 2 << 20
	perValue = 64 // bytes that a value kept in mind counts, whatever its length
	// refusal is how much a call that was refused speaks against what it was made of. Most refusals are about the state of the thing (an order that
	// has been sent cannot be cancelled) and not about the wrong thing, and no code tells the two apart.
	refusal = 0.25
	maxPath = 100 // bytes of a field's path or a parameter's name
)

// Fold learns from one call that has ended: its records of the kinds request, round and result, in order; others are passed over. It never fails:
// records can say anything, and what makes no sense teaches nothing.
func (l *Lessons) Fold(records []bus.Record) {
	o := origins{good: map[string]string{}, places: map[string]place{}, left: maxRead}
	rounds := map[int][]bus.Action{}
	results := 0
	for i := range records {
		r := &records[i]
		switch r.Kind {
		case bus.KindRequest:
			if r.Request != nil {
				o.told = r.Request.JobDesc + "\n" + r.Request.Context
			}
		case bus.KindRound:
			rounds[r.Round] = r.ActionCode[:min(len(r.ActionCode), maxActions)]
		case bus.KindResult:
			if results >= maxResults || !bus.ValidToken(r.ToolName) || reserved[r.ToolName] {
				continue
			}
			results++
			if l.Forgot == 0 || r.Seq > l.Forgot {
				l.result(r)
				l.edgesOf(r, rounds[r.Round], &o)
			}
			if r.Status == bus.OK {
				o.add(r)
			}
		}
	}
}

// reserved are the names that are called and are nobody's.
var reserved = map[string]bool{"ask_user": true, "finish": true}

// blameless are the codes of failures that say nothing of the tool: it was not asked, or rightly refused, or not wanted any more.
var blameless = map[string]bool{
	bus.CodeInvalidParameter: true, bus.CodeInvalidRequest: true, bus.CodeUnknownTool: true, bus.CodeForbidden: true, bus.CodeBudget: true,
	bus.CodeRepeated: true, bus.CodeCancelled: true, bus.CodeExpired: true, bus.CodeUnsupported: true, bus.CodeChanged: true,
}

// unheard are the codes of failures that say nothing of the arguments.
var unheard = map[string]bool{
	bus.CodeUnavailable: true, bus.CodeTimeout: true, bus.CodeBusy: true, bus.CodeInDoubt: true, bus.CodePoison: true, bus.CodeModel: true,
	bus.CodeUnknownTool: true, bus.CodeForbidden: true, bus.CodeBudget: true, bus.CodeRepeated: true, bus.CodeCancelled: true, bus.CodeExpired: true,
	bus.CodeUnsupported: true, bus.CodeChanged: true,
}

// code is why a result failed; "" when it did not.
func code(r *bus.Record) string {
	switch {
	case r.Status == bus.OK:
		return ""
	case r.Status == bus.Cancelled:
		return bus.CodeCancelled
	case r.Error == nil:
		return bus.CodeInternal
	}
	return r.Error.Code
}

// result counts a call.
func (l *Lessons) result(r *bus.Record) {
	why := code(r)
	if blameless[why] || r.Time.IsZero() {
		return
	}
	l.pass(r.Time)
	t, weight := l.tool(r.ToolName, r.Time)
	t.Calls += weight
	if why != "" {
		t.Failed += weight
	}
	if u := r.Usage; u != nil && counts(u.Money) && u.Money < 1e9 {
		t.Money += weight * u.Money
	}
	if took := time.Duration(r.Millis); why == "" && took >= 0 && took <= longest/time.Millisecond {
		if t.Millis = append(t.Millis, r.Millis); len(t.Millis) > sample {
			t.Millis = slices.Delete(t.Millis, 0, len(t.Millis)-sample)
		}
	}
}

// pass moves the time of the lessons on.
func (l *Lessons) pass(at time.Time) {
	if l.Since.IsZero() || at.Before(l.Since) {
		l.Since = at
	}
	if at.After(l.At) {
		l.At = at
	}
}

// reference is "$id.field.0.field" as a whole string, as actions refer to each other's observations.
var reference = regexp.MustCompile(`^\$([A-Za-z0-9_-]{1,64})((?:\.[^.\[\]]{1,200}|\[\d{1,6}\])+)$`)

// edgesOf counts what the parameters of a call were taken from: the references of its action, and values that only an observation before it can have
// brought. actions are those of its round.
func (l *Lessons) edgesOf(r *bus.Record, actions []bus.Action, o *origins) {
	why := code(r)
	if unheard[why] || len(o.good) == 0 || r.Time.IsZero() {
		return
	}
	written := o.parameters(action(r, actions).Parameter)
	filled := o.parameters(r.Parameter)
	if o.left < 0 {
		return
	}
	both := maps.Clone(written)
	if both == nil {
		both = filled
	}
	maps.Copy(both, filled)
	names := slices.Sorted(maps.Keys(both))
	for _, name := range names[:min(len(names), maxParameters)] {
		var from, field string
		m, ok := referenceIn(written[name])
		if ok {
			from, field, ok = o.referred(m, r, actions)
		} else {
			from, field, ok = o.find(filled[name])
		}
		n := edgeName{from, field, r.ToolName, name}
		if !ok || !n.named() || from == r.ToolName && field == name {
			continue
		}
		l.pass(r.Time)
		e, weight := l.edge(n, r.Time)
		if why == "" {
			e.Worked += weight
		} else if _, there := filled[name]; there {
			e.Failed += refusal * weight
		} else { // the field was not in the observation
			e.Failed += weight
		}
	}
}

func (n edgeName) named() bool {
	return bus.ValidToken(n.From) && bus.ValidToken(n.To) && n.Field != "" && n.Parameter != "" && len(n.Field) <= maxPath && len(n.Parameter) <= maxPath &&
		utf8.ValidString(n.Field) && utf8.ValidString(n.Parameter) && !numbered.MatchString(n.Field) && !numbered.MatchString(n.Parameter)
}

// numbered is a name that is an id of something, as keys of an object may be, and not that of a field.
var numbered = regexp.MustCompile(`[0-9]{4}`)

// action is the action of a round that a result belongs to.
func action(r *bus.Record, actions []bus.Action) bus.Action {
	for i, a := range actions {
		if a.ToolName == r.ToolName && bus.ChildID(r.Call, r.Round, i) == r.Child {
			return a
		}
	}
	return bus.Action{}
}

// referenceIn is the reference that a parameter is, alone or as the first of a list.
func referenceIn(raw json.RawMessage) (m []string, ok bool) {
	if bytes.IndexByte(raw, '$') < 0 {
		return nil, false
	}
	var s string
	if json.Unmarshal(raw, &s) != nil {
		var list []json.RawMessage
		if json.Unmarshal(raw, &list) != nil || len(list) == 0 || json.Unmarshal(list[0], &s) != nil {
			return nil, false
		}
	}
	m = reference.FindStringSubmatch(s)
	return m, m != nil
}

// referred says of which tool and field a reference in a call's parameters is; not ok when it names no action of its round whose result was good.
func (o *origins) referred(m []string, r *bus.Record, actions []bus.Action) (tool, field string, ok bool) {
	i := slices.IndexFunc(actions, func(a bus.Action) bool { return a.ID == m[1] })
	if i < 0 || o.good[bus.ChildID(r.Call, r.Round, i)] != actions[i].ToolName {
		return "", "", false
	}
	return actions[i].ToolName, pathOf(m[2]), true
}

// pathOf is a reference's path without numbers.
func pathOf(ref string) string {
	var path []string
	for _, key := range strings.FieldsFunc(ref, func(r rune) bool { return r == '.' || r == '[' || r == ']' }) {
		if _, err := strconv.Atoi(key); err != nil {
			path = append(path, key)
		}
	}
	return strings.Join(path, ".")
}
