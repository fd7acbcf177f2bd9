package main

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hmap-project/hmap/bus"
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

// Who was connected when hmap was killed finds it again after the next start, also where another program has the port that is asked for.
func TestStartBehindAKillListensWhereItDid(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	o := bus.ServerOptions{Dir: t.TempDir(), Listen: taken.Addr().String()}
	first, err := startServer(o)
	if err != nil {
		t.Fatal(err)
	}
	context := filepath.Join(o.Dir, "nats", "context", "hmap.json")
	left, err := os.ReadFile(context)
	first.Stop()
	if err == nil {
		err = os.WriteFile(context, left, 0o600) // as a kill leaves it
	}
	if err != nil {
		t.Fatal(err)
	}
	second, err := startServer(o)
	if err != nil {
		t.Fatal(err)
	}
	defer second.Stop()
	if second.URL() != first.URL() {
		t.Errorf("it listens at %s, and did at %s", second.URL(), first.URL())
	}
}
