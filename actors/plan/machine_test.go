package plan

import (
	"strings"
	"testing"
)

// What is wished beside a file of the machine, and cannot be about it, is done, and of the file it is told that it is out of sight.
func TestBesideFilesOfTheMachine(t *testing.T) {
	t.Parallel()
	h := newTeam(t)
	for request, want := range map[string]string{
		`统计 C:\data\sales.xlsx 的销售额，再看看本月卖了多少`:                  "sales_statistics{from=2026-05-01}",
		`show the stock of rice cookers and open C:\temp\a.csv`: "stock_level{category=rice cookers}",
	} {
		said := h.ask(t, request)
		if miss := h.wrong(readWishes(want)); miss != "" || !strings.Contains(said, "mcp.servers") || strings.Contains(said, "什么也没有做") || strings.Contains(said, "nothing was done") {
			t.Errorf("%s: %s: %s: %s", request, miss, h.told(), said)
		}
	}
}
