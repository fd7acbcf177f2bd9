package round

import (
	"slices"

	"github.com/hmap-project/hmap/bus"
)

// progress is the record of a plan whose steps stand otherwise than the newest plan record says; nil when it is true.
func (s *State) progress() *bus.Record {
	if s.Plan == nil {
		return nil
	}
	return s.Planned(s.Plan)
}

// stand sets every step to what the results of its actions say: a step is completed only by a result that is ok.
func (s *State) stand(p *bus.PlanBody) {
	for i := range p.Steps {
		p.Steps[i].Status = s.status(p.Steps[i].ID)
	}
	for changed := true; changed; { // what stands behind a step that did not work out is blocked
		changed = false
		for i, step := range p.Steps {
			if step.Status != bus.NotStarted {
				continue
			}
			for _, before := range p.Steps {
				if slices.Contains(step.After, before.ID) && (before.Status == bus.StepFailed || before.Status == bus.StepBlocked) {
					p.Steps[i].Status, changed = bus.StepBlocked, true
				}
			}
		}
	}
}

// status is how a step stands: as its actions in the newest round that has any came out, one failure failing it. What was put
// aside does not count.
func (s *State) status(step string) bus.StepStatus {
	status := bus.NotStarted
	for _, n := range s.Rounds {
		var ok, failed, due bool
		for _, a := range n.Acts {
			switch {
			case step == "" || a.Step != step:
			case a.Result != nil:
				ok, failed = ok || a.Result.Status == bus.OK, failed || a.Result.Status != bus.OK
			case a.released:
				return bus.InProgress
			case !n.closed:
				due = true
			}
		}
		switch {
		case failed:
			status = bus.StepFailed
		case ok && due:
			status = bus.InProgress
		case ok:
			status = bus.StepCompleted
		}
	}
	return status
}

func samePlan(a, b bus.PlanBody) bool {
	return a.Title == b.Title && slices.EqualFunc(a.Steps, b.Steps, func(x, y bus.Step) bool {
		return x.ID == y.ID && x.Title == y.Title && x.Status == y.Status && x.Note == y.Note && slices.Equal(x.After, y.After)
	})
}
