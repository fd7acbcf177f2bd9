package actors

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/bus/consent"
)

// asked reports whether a person asked for a change: their own words ask for what the tool does, or they said yes to this very call. A yes
// to one call is no leave for the same tool with other arguments, nor is a question that somebody of the house put to them.
func asked(v *View, card *bus.Card, a bus.Action) bool {
	for _, b := range v.Answers {
		if b.Ask.ToolName == card.Name && consent.To(b.Ask, b.Input) == consent.Yes && (b.Ask.Question == leave(v, a) || b.Ask.Kind == bus.Approval && canonical(b.Ask.Arguments) == canonical(a.Parameter)) {
			return true
		}
	}
	return slices.ContainsFunc(ownWords(v), func(s string) bool { return v.Index.Asks(s, card.Name) })
}

// leave is the question for a change that nobody asked for in so many words. It holds the whole call, so that a yes to it is to this call.
func leave(v *View, a bus.Action) string {
	what := canonical(a.Parameter)
	if a.JobDesc != "" {
		what = a.JobDesc
	}
	return fmt.Sprintf(sayer(v.Language)("要执行 %s（%s）吗？您没有直接要求这一步。", "Shall %s be carried out, with %s? You did not ask for it in so many words."), a.ToolName, what)
}

// canonical is JSON in one spelling: equal values give equal texts.
func canonical(raw json.RawMessage) string {
	b, err := json.Marshal(decoded(raw))
	if err != nil { // what was decoded always encodes
		return string(raw)
	}
	return string(b)
}

// ownWords are what people themselves said in this task, and before it where the house had asked them back.
func ownWords(v *View) []string {
	said := []string{v.Request.JobDesc}
	if v.Request.Context != "" { // another agent wrote the job
		said = quotedIn(v.Request.Context)
	}
	said = append(said, v.Steering...)
	for _, a := range v.Answers {
		if a.Input.Kind == bus.Answer {
			said = append(said, a.Input.Text)
		}
	}
	if n := len(v.Turns); n > 0 {
		if t := v.Turns[n-1]; t.Ask != nil || strings.HasSuffix(strings.TrimRight(t.Answer, " \n)）”\""), "?") || strings.HasSuffix(strings.TrimSpace(t.Answer), "？") {
			said = append(said, t.Request)
		}
	}
	return said
}

// quotedIn are the words of people in what an agent is told of the conversation (see call.context): the request, the answers behind the
// questions, what was said since; not the digest of earlier turns. Where a question of several lines stands in it, its lines cannot be
// told from those of the request, so then only the first line counts: who is asked once too often is not harmed.
func quotedIn(context string) []string {
	context, _, _ = strings.Cut(context, "\n\n")
	if !strings.Contains(context, " → ") {
		return []string{context}
	}
	var said []string
	answered := false
	lines := strings.Split(context, "\n")
	for i, line := range slices.Backward(lines) {
		at := strings.LastIndex(line, " → ")
		switch {
		case at >= 0:
			said, answered = append(said, line[at+len(" → "):]), true
		case i == 0 || !answered:
			said = append(said, line)
		}
	}
	return said
}
