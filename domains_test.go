package main

import (
	"encoding/json"
	"flag"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/configs"
)

var updateHouse = flag.Bool("update", false, "write actors/plan/testdata/house.json anew")

// houseFile is the house as the planner's tests know it, who may not import a tool.
const houseFile = "actors/plan/testdata/house.json"

// known is a card of that file, with whom an agent may call.
type known struct {
	bus.Card
	Calls []string `json:"calls,omitempty"`
}

// The planner is tested on the cards that the house really has. go test -run TestHouseOfThePlanner -update writes them.
func TestHouseOfThePlanner(t *testing.T) {
	t.Parallel()
	out, errs, code := hmap(t, dataDir(t), "agents", "--json")
	if code != 0 {
		t.Fatal(code, errs)
	}
	var cards []known
	if err := json.Unmarshal([]byte(out), &cards); err != nil {
		t.Fatal(err)
	}
	agents, err := configs.Team("")
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, c := range cards {
		if i := slices.IndexFunc(agents, func(a configs.Agent) bool { return a.Name == c.Name }); i >= 0 {
			c.Calls = slices.Concat(agents[i].Tools, agents[i].Agents)
		}
		c.Parameters, c.Returns = fewer(t, c.Parameters), fewer(t, c.Returns)
		line, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, string(line))
	}
	now := "[\n" + strings.Join(lines, ",\n") + "\n]\n"
	if *updateHouse {
		if err := os.WriteFile(houseFile, []byte(now), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if was, err := os.ReadFile(houseFile); err != nil || string(was) != now {
		t.Errorf("%s is not what the house says of itself (%v); write it with go test -run TestHouseOfThePlanner -update", houseFile, err)
	}
}

// examples are a dictionary on a card.
var examples = regexp.MustCompile(`"examples":(\[[^\]]*\])`)

// fewer keeps some of the hundreds of names of people that a schema gives as examples.
func fewer(t *testing.T, raw json.RawMessage) json.RawMessage {
	t.Helper()
	return examples.ReplaceAllFunc(raw, func(found []byte) []byte {
		var all []string
		if err := json.Unmarshal(found[len(`"examples":`):], &all); err != nil {
			t.Fatal(err)
		}
		if len(all) > 260 {
			all = slices.Concat(all[:20], all[len(all)-20:])
		}
		out, err := json.Marshal(all)
		if err != nil {
			t.Fatal(err)
		}
		return append([]byte(`"examples":`), out...)
	})
}
