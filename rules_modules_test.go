package main

import (
	"encoding/json"
	goversion "go/version"
	"os/exec"
	"strings"
	"testing"
)

// The module of the benchmarks builds hmap from its source, so nothing that both name may be older there: else `make bench-peers` stops and asks
// for a tidy, and nothing of the tests would notice.
func TestRulesModules(t *testing.T) {
	versions := func(file string) map[string]string {
		out, err := exec.Command("go", "mod", "edit", "-json", file).Output()
		if err != nil {
			t.Fatal(file, err)
		}
		var mod struct {
			Require []struct{ Path, Version string }
		}
		if err := json.Unmarshal(out, &mod); err != nil {
			t.Fatal(file, err)
		}
		by := map[string]string{}
		for _, m := range mod.Require {
			by[m.Path] = m.Version
		}
		return by
	}
	ours, bench := versions("go.mod"), versions("bench/go.mod")
	comparable := func(v string) string { return "go" + strings.TrimPrefix(v, "v") } // one that is no plain v1.2.3 counts as the oldest
	for path, v := range ours {
		if b, ok := bench[path]; ok && goversion.Compare(comparable(b), comparable(v)) < 0 {
			t.Errorf("bench/go.mod has %s %s, go.mod has %s (run: cd bench && go mod tidy)", path, b, v)
		}
	}
}
