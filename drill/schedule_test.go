package drill

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"
)

// A seed is a drill: the same troubles at the same times, as many kills as asked for, all within the length.
func TestScheduleIsTheSeeds(t *testing.T) {
	one, again, other := schedule(5, time.Minute, 40), schedule(5, time.Minute, 40), schedule(6, time.Minute, 40)
	if !reflect.DeepEqual(one, again) || reflect.DeepEqual(one, other) {
		t.Error("a schedule is not its seed's")
	}
	kills, seen := 0, map[string]bool{}
	for i, e := range one {
		if seen[e.what] = true; e.what == doKill {
			kills++
		}
		if e.at < 0 || e.at > time.Minute || i > 0 && e.at < one[i-1].at {
			t.Errorf("event %d comes at %v", i, e.at)
		}
	}
	if kills != 40 || len(seen) < 7 {
		t.Errorf("%d kills; kinds %v", kills, seen)
	}
	if len(schedule(5, time.Minute, 0)) == 0 {
		t.Error("without kills there is no trouble")
	}
}

// The house is killed as often as it is meant to be, and no command opens its data folder while it is dead.
func TestHouseEvents(t *testing.T) {
	d := &drill{o: Options{Seed: 5, Length: 30 * time.Second, Kills: 6}}
	kills, removed := 0, 0
	for i, e := range d.houseEvents() {
		switch {
		case e.what == doKill && e.kind == kindHouse:
			kills++
		case e.what == doRemove && (e.way == byVerb || e.way == byCutVerb):
			removed++
		default:
			t.Errorf("event %d: %+v", i, e)
		}
	}
	if kills != 6 || removed < 5 {
		t.Errorf("%d kills, %d removals", kills, removed)
	}
}

// Scripts use every tool, stay small, and name each deed once.
func TestCompose(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	tools, labels := map[string]int{}, map[string]bool{}
	asks := 0
	for i := range 300 {
		s := compose(r, "t"+string(rune('A'+i%26))+string(rune('a'+i/26)))
		if s.Ask != "" {
			asks++
		}
		deeds := s.deeds()
		if len(deeds) == 0 || len(deeds) > 18 || len(s.Query()) > 8<<10 {
			t.Errorf("%d deeds in %d bytes", len(deeds), len(s.Query()))
		}
		for _, d := range deeds {
			tools[d.Tool]++
			if labels[d.Label] {
				t.Errorf("%s stands twice", d.Label)
			}
			labels[d.Label] = true
		}
	}
	for _, tool := range []string{toolLook, toolPut, toolFire, toolSign} {
		if tools[tool] < 50 {
			t.Errorf("%s is used %d times", tool, tools[tool])
		}
	}
	if asks < 20 {
		t.Errorf("%d of 300 ask", asks)
	}
}

// No hostile body is a script or a deed: the drill's own promises must not be broken by it.
func TestHostileBodiesDoNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	sizes := []int{}
	for range 200 {
		body := hostileBody(r)
		sizes = append(sizes, len(body))
		if len(body) >= 1<<20-4<<10 {
			t.Errorf("%d bytes do not fit into a message", len(body))
		}
		if len(body) > len(mark) && string(body[:len(mark)]) == mark {
			t.Errorf("a script: %.80s", body)
		}
	}
	if slices.Max(sizes) < 1<<19 || slices.Min(sizes) != 0 {
		t.Error("neither huge nor empty ones")
	}
}

// deeds are all deeds of a script.
func (s Script) deeds() []Deed {
	var all []Deed
	for _, stage := range s.Jobs {
		for _, job := range stage {
			for _, do := range job.Do {
				all = append(all, do...)
			}
		}
	}
	return all
}
