package plan

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hmap-project/hmap/bus"
)

// data is where the public development sets lie, outside the project.
const data = "../../../shared/data"

// rows reads a file of one JSON value a line; it skips the test where the sets are absent.
func rows[T any](t testing.TB, file string) []T {
	t.Helper()
	f, err := os.Open(filepath.Join(data, file))
	if err != nil {
		t.Skipf("the public set is not here: %v", err)
	}
	defer f.Close()
	var out []T
	s := bufio.NewScanner(f)
	s.Buffer(nil, 16<<20)
	for s.Scan() {
		var row T
		if err := json.Unmarshal(s.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		out = append(out, row)
	}
	if err := s.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

type nesRow struct {
	ID      string
	Request string
	Tools   []bus.Card
}

type nesGold struct {
	ID    string
	Calls []Call
}

// tally counts right, predicted and wanted things.
type tally struct{ right, said, gold int }

func (t tally) f1() float64 {
	if t.right == 0 {
		return 0
	}
	return 200 * float64(t.right) / float64(t.said+t.gold)
}

// add counts two multisets.
func (t *tally) add(said, gold []string) {
	t.said += len(said)
	t.gold += len(gold)
	left := slices.Clone(gold)
	for _, s := range said {
		if i := slices.Index(left, s); i >= 0 {
			left = slices.Delete(left, i, i+1)
			t.right++
		}
	}
}

func names(cs []Call) (tools, refs, literals []string) {
	for _, c := range cs {
		tools = append(tools, c.ToolName)
		for k, v := range c.Parameter {
			s, _ := v.(string)
			if i, field, ok := strings.Cut(strings.TrimPrefix(s, "$"), "."); ok && strings.HasPrefix(s, "$") && digits(i) {
				n := 0
				fmt.Sscan(i, &n)
				if n < len(cs) {
					refs = append(refs, c.ToolName+"."+k+"="+cs[n].ToolName+"."+field)
				}
				continue
			}
			literals = append(literals, c.ToolName+"."+k+"="+strings.ToLower(strings.TrimSpace(fmt.Sprint(v))))
		}
	}
	return tools, refs, literals
}

func TestNesTools(t *testing.T) {
	requests := rows[nesRow](t, "nestools/requests.jsonl")
	gold := map[string][]Call{}
	for _, g := range rows[nesGold](t, "nestools/gold.jsonl") {
		gold[g.ID] = g.Calls
	}
	for _, given := range []bool{true, false} {
		var tools, nested, literal tally
		exact := 0
		for _, r := range requests {
			want := gold[r.ID]
			wantTools, wantRefs, wantLiterals := names(want)
			cards := r.Tools
			if given {
				cards = slices.DeleteFunc(slices.Clone(cards), func(c bus.Card) bool { return !slices.Contains(wantTools, c.Name) })
			}
			gotTools, gotRefs, gotLiterals := names(NewIndex(cards, Options{}).PlanAll(Input{Request: r.Request, Now: now}))
			tools.add(gotTools, wantTools)
			nested.add(gotRefs, wantRefs)
			literal.add(gotLiterals, wantLiterals)
			for _, s := range [][]string{gotTools, wantTools, gotRefs, wantRefs} {
				slices.Sort(s)
			}
			if slices.Equal(gotTools, wantTools) && slices.Equal(gotRefs, wantRefs) {
				exact++
			} else if os.Getenv("PLAN_SHOW") == fmt.Sprint(given) {
				t.Logf("%s %s\n\tgot  %v %v\n\twant %v %v", r.ID, r.Request, gotTools, gotRefs, wantTools, wantRefs)
			}
		}
		t.Logf("right tools given %v: tool F1 %.1f, nested F1 %.1f, literal F1 %.1f, exact %.1f %%", given, tools.f1(), nested.f1(), literal.f1(), 100*float64(exact)/float64(len(requests)))
	}
}

func TestSealTools(t *testing.T) {
	cards := rows[bus.Card](t, "seal-tools/catalogue.jsonl")
	start := time.Now()
	x := NewIndex(cards, Options{})
	t.Logf("%d cards indexed in %v, %d rejected", x.Len(), time.Since(start), len(x.Rejects))
	type row struct {
		Request   string
		ToolsUsed []string `json:"tools_used"`
	}
	var tools tally
	hit, all := 0, 0
	var took []time.Duration
	for _, r := range rows[row](t, "seal-tools/dev.jsonl") {
		start := time.Now()
		got, _, _ := names(x.PlanAll(Input{Request: r.Request, Now: now}))
		took = append(took, time.Since(start))
		tools.add(got, r.ToolsUsed)
		var found []string
		for _, s := range x.Find(r.Request, 10) {
			found = append(found, s.Card.Name)
		}
		for _, u := range r.ToolsUsed {
			all++
			if slices.Contains(found, u) {
				hit++
			}
		}
	}
	slices.Sort(took)
	t.Logf("tool F1 %.1f, recall@10 %.1f %%, plan p50 %v p99 %v", tools.f1(), 100*float64(hit)/float64(all), took[len(took)/2], took[len(took)*99/100])
}
