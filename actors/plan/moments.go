package plan

import (
	"time"

	"github.com/hmap-project/hmap/actors/plan/cards"
	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/wishes"
)

// moments puts the day and the time of day that a request tells together for parameters that take a moment: tomorrow from 10:00 to 11:00. Without a day
// it is today, or tomorrow once the time has gone by. An end that is not told is not guessed.
func moments(e *cards.Entry, g *goal, c wishes.Clause, out map[string]fields.Binding) {
	var start, end *fields.Field
	for i := range e.Params {
		switch f := &e.Params[i]; {
		case f.Format != "date-time" || f.Sort != fields.Date || out[f.Name].Why == "answer":
		case f.IsEnd():
			end = f
		case start == nil:
			start = f
		}
	}
	var clocks []time.Duration
	day, at := facts.Day(g.now), -1
	for i, fa := range g.facts {
		if fa.From != "" || !c.Has(fa) {
			continue
		}
		text, _ := fa.Value.(string)
		if t, err := time.Parse("15:04", text); fa.Kind == facts.Clock && err == nil {
			clocks = append(clocks, time.Duration(t.Hour())*time.Hour+time.Duration(t.Minute())*time.Minute)
		}
		if p, ok := fa.Value.(facts.Period); ok && at < 0 && facts.Day(p.From).Equal(facts.Day(p.To)) {
			day, at = facts.Day(p.From), i
		}
	}
	if start == nil || len(clocks) == 0 || len(clocks) > 2 {
		return
	}
	if at < 0 && day.Add(clocks[0]).Before(g.now) {
		day = day.AddDate(0, 0, 1)
	}
	moment := func(d time.Duration) fields.Binding {
		y, m, n := day.Date()
		t := time.Date(y, m, n, int(d/time.Hour), int(d%time.Hour/time.Minute), 0, 0, day.Location())
		return fields.Binding{Value: t.Format(time.RFC3339), Sure: sureSign, Why: facts.KindNames[facts.Date], Used: at}
	}
	out[start.Name] = moment(clocks[0])
	if end == nil {
		return
	}
	delete(out, end.Name)
	if len(clocks) == 2 && clocks[1] > clocks[0] {
		out[end.Name] = moment(clocks[1])
	}
}
