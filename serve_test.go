package main

import (
	"strings"
	"testing"

	"github.com/hmap-project/hmap/configs"
)

// The start says what the planner really does beside a model.
func TestPart(t *testing.T) {
	for _, c := range []struct {
		mind configs.Mind
		name string
		want string
	}{
		{configs.Mind{Planner: configs.PlannerOff}, "default", "alone (mind.planner: off)"},
		{configs.Mind{Planner: configs.PlannerOff, Fallback: true}, "default", "alone (mind.planner: off)"},
		{configs.Mind{Planner: configs.PlannerAdvise}, "default", "with the planner's advice"},
		{configs.Mind{Planner: configs.PlannerAdvise, Fallback: true}, "default", "with the planner's advice; the planner stands in when it fails"},
		{configs.Mind{Planner: configs.PlannerFirst, Steps: configs.Steps{Goal: "small"}}, "default", "asked where the planner is not sure"},
		{configs.Mind{Planner: configs.PlannerFirst, Steps: configs.Steps{Goal: "small"}}, "small", "for small steps"},
	} {
		if got := part(c.mind, c.name); got != c.want {
			t.Errorf("%+v, %s: %q, want %q", c.mind, c.name, got, c.want)
		}
	}
}

// Who runs two of them reads where the second one's NATS listens.
func TestServeHelpNamesTheNATSPort(t *testing.T) {
	if help := (*serveCmd)(nil).Help(); !strings.Contains(help, "nats.listen") || !strings.Contains(help, "4222") {
		t.Error(help)
	}
	if c, err := configs.Load(""); err != nil || !strings.HasSuffix(c.NATS.Listen, ":4222") {
		t.Errorf("the help names another port than the default: %v %v", c.NATS.Listen, err)
	}
}
