package round

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/hmap-project/hmap/bus"
)

// show prints what is due.
func (s *script) show() {
	due := s.check(s.t)
	for n := 0; !s.manual && due.Write != nil; n++ {
		if n > 50 {
			s.t.Fatalf("it writes without end: %s", shown(s.t, due.Write))
		}
		s.write(due.Write)
		due = s.check(s.t)
	}
	say := func(format string, args ...any) { fmt.Fprintf(&s.out, indent+format+"\n", args...) }
	if due.Write != nil {
		say("write %s", describe(due.Write))
	}
	if t := due.Think; t != nil {
		say("think %s%s", t.Key, budget(&t.Left))
	}
	for _, c := range due.Calls {
		line := fmt.Sprintf("call %s %s", c.Key, c.Request.ToolName)
		if len(c.Request.Parameter) > 0 {
			line += " " + string(c.Request.Parameter)
		}
		if c.Request.JobDesc != "" {
			line += " : " + c.Request.JobDesc
		}
		line += budget(c.Request.Budget)
		if in := c.Request.Input; in != nil {
			line += fmt.Sprintf(" [%s %q ask=%s]", in.Kind, in.Text, in.Ask)
		}
		say("%s", line)
	}
	for _, a := range due.Waiting {
		say("wait %s", question(&a))
	}
	if !due.Wake.IsZero() {
		say("wake %s", due.Wake.Format(time.TimeOnly))
	}
	if s.state.Ended() {
		say("ended")
	}
}

func describe(r *bus.Record) string {
	switch r.Kind {
	case bus.KindAsk:
		return "ask " + question(r.Ask)
	case bus.KindPlan:
		line := "plan"
		for _, step := range r.Plan.Steps {
			line += " " + step.ID + "=" + string(step.Status)
		}
		return line
	case bus.KindIntent:
		return fmt.Sprintf("intent %s %s %s %s", r.Child, r.Effect, r.ToolName, r.Parameter)
	}
	line := string(r.Kind)
	if r.Child != "" {
		line += " " + r.Child
	}
	line += " " + string(r.Status)
	if r.Error != nil {
		line += " " + r.Error.Code
		if r.Kind == bus.KindResult {
			line += ": " + r.Error.Message
		}
	}
	if len(r.Observation) > 0 {
		line += " " + string(r.Observation)
	}
	return line
}

func question(a *bus.Ask) string {
	line := fmt.Sprintf("%s %s %q", a.ID, a.Kind, a.Question)
	if len(a.Options) > 0 {
		line += " " + strings.Join(a.Options, "|")
	}
	return line + " until " + a.Expires.Format(time.TimeOnly)
}

func budget(b *bus.Budget) string {
	if b == nil || *b == (bus.Budget{}) {
		return ""
	}
	text, _ := json.Marshal(b)
	return " within " + strings.NewReplacer(`"`, "", "{", "", "}", "", ":", "=", ",", " ").Replace(string(text))
}
