package terminal

import (
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/hmap-project/hmap/bus"
)

// What a person is told of an outage: at once, what it may be when it lasts, not more often than every half minute, and its end.
func TestOutageIsToldInMeasure(t *testing.T) {
	var o outage
	at := time.Now()
	full := errors.New("the disk is full")
	for _, step := range []struct {
		after time.Duration // of the step before
		is    standing
		want  string // a part of what is said; "": nothing is
	}{
		{0, standing{reach: bus.Reached}, ""},
		{0, standing{reach: bus.Silent}, "elects a leader"},
		{longSilent - 1, standing{reach: bus.Silent}, ""},
		{1, standing{reach: bus.Silent}, "no majority of the NATS servers answers, or their disk is full; waiting"},
		{sayAgain - 1, standing{reach: bus.Silent}, ""},
		{1, standing{reach: bus.Silent}, "no majority"},
		{1, standing{reach: bus.Lost}, "connection lost"},
		{1, standing{reach: bus.Silent}, "elects a leader"},
		{1, standing{reach: bus.Reached}, "the bus is back"},
		{1, standing{reach: bus.Reached}, ""},
		{1, standing{reach: bus.Unwritable}, "cannot write its disk"},
		{1, standing{reach: bus.Reached, trouble: full}, "waiting: the disk is full"},
		{1, standing{reach: bus.Reached, trouble: full}, ""},
		{1, standing{reach: bus.Reached}, "the bus is back"},
	} {
		at = at.Add(step.after)
		if got := o.news(step.is, at); (got == "") != (step.want == "") || !strings.Contains(got, step.want) {
			t.Errorf("%+v: told %q, want %q", step.is, got, step.want)
		}
	}
}

// A task that nobody can cancel, since nothing can be stored, is left after the grace.
func TestInterruptIsBounded(t *testing.T) {
	t.Parallel()
	s := play(t, request())
	s.out.shows(t, "tidy up", 1)
	s.interrupt <- os.Interrupt
	s.errs.shows(t, "cancelling", 1)
	s.errs.shows(t, "has not ended within 7s", 1)
	s.ends(ErrInterrupted)
}
