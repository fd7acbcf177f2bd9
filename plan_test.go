package main

import (
	"encoding/json"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kong"

	"github.com/hmap-project/hmap/actors/eval"
	"github.com/hmap-project/hmap/bus"
)

// wood is a catalogue of two tools, the second of which takes what the first returns, with cards in it that cannot be used.
const wood = `[
 {"name":"carve","description":"Carve a figure of wood","parameters":{"type":"object","properties":{"wood":{"type":"string","description":"which wood","enum":["oak","lime"]}},"required":["wood"]},
  "returns":{"type":"object","properties":{"figure_id":{"type":"string","x-provides":"figure_id","description":"the figure"}}},"effect":"read"},
 {"name":"paint","description":"Paint a figure","parameters":{"type":"object","properties":{"figure_id":{"type":"string","x-needs":"figure_id","description":"the figure"}},"required":["figure_id"]},"effect":"read"},
 {"name":"evil\u001b[2J","description":"x"},
 {"name":"far","parameters":{"$ref":"http://127.0.0.1:1/schema.json"}},
 {"name":"odd","tags":"wood"}
]`

func write(t *testing.T, name, text string) string {
	t.Helper()
	name = filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// With cards from a file nothing of the house is needed, and nothing is made.
func TestPlanTools(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "nosuch")
	out, errs, code := hmap(t, dir, "plan", "Carve a figure of oak, then paint the figure", "--tools", write(t, "cards.json", wood), "--all", "--json")
	var got struct {
		Calls []struct {
			Tool      string `json:"tool_name"`
			Parameter map[string]string
		}
	}
	if err := json.Unmarshal([]byte(out), &got); err != nil || code != 0 {
		t.Fatalf("%d %v: %s%s", code, err, out, errs)
	}
	if c := got.Calls; len(c) != 2 || c[0].Tool != "carve" || c[0].Parameter["wood"] != "oak" || c[1].Parameter["figure_id"] != "$0.figure_id" {
		t.Errorf("planned %s", out)
	}
	for _, want := range []string{"not 1 to 64 of A-Z", "card \"far\": parameters: ", "is not followed", "line 7: tags has the wrong type"} {
		if !strings.Contains(errs, want) {
			t.Errorf("%q is not told: %s", want, errs)
		}
	}
	if strings.Contains(errs, "\x1b") {
		t.Errorf("the terminal would obey %q", errs)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("a data folder was made")
	}
}

func TestPlanExplain(t *testing.T) {
	t.Parallel()
	cards := write(t, "cards.json", wood)
	for lang, heads := range map[string][]string{
		"Carve a figure of oak, then paint the figure": {"Calls\n", "Clause “Carve a figure of oak", "← chosen: ", "known: “oak” (", "The cheapest plan wins"},
		"carve 一个 oak figure":                          {"调用\n", "分句「carve", "← 选中：得分"},
	} {
		out, errs, code := hmap(t, t.TempDir(), "plan", lang, "--tools", cards, "--explain")
		if code != 0 {
			t.Fatal(errs)
		}
		for _, want := range heads {
			if !strings.Contains(out, want) {
				t.Errorf("%q is missing:\n%s", want, out)
			}
		}
		if strings.ContainsFunc(out, func(r rune) bool { return r == '\x1b' || r == '\r' }) || strings.Contains(out, " \n") {
			t.Errorf("untidy: %q", out)
		}
	}
	out, _, _ := hmap(t, t.TempDir(), "plan", "Carve a figure of oak", "--tools", cards, "--explain", "--json")
	var got outcome
	if err := json.Unmarshal([]byte(out), &got); err != nil || got.Explain == nil || len(got.Actions) != 1 || len(got.Explain.Clauses) == 0 {
		t.Errorf("%v: %s", err, out)
	}
}

// A catalogue that is only planned with may name its tools as it likes.
func TestPlanAnyNames(t *testing.T) {
	t.Parallel()
	cards := write(t, "cards.json", `[{"name":"雕刻木像","description":"雕刻一个木像","effect":"read"},{"name":"get PM2.5","description":"how clean the air is","effect":"read"}]`)
	for request, want := range map[string]string{"雕刻一个木像": "雕刻木像", "how clean is the air": "get PM2.5"} {
		out, errs, code := hmap(t, t.TempDir(), "plan", request, "--tools", cards, "--json")
		var got outcome
		if err := json.Unmarshal([]byte(out), &got); err != nil || code != 0 || len(got.Actions) != 1 || got.Actions[0].ToolName != want {
			t.Errorf("%s: %d %v %s%s", request, code, err, out, errs)
		}
	}
}

// What an MCP server answers to tools/list is a catalogue, with its parameters, and it is asked in Chinese as in the house.
func TestPlanToolsOfMCP(t *testing.T) {
	t.Parallel()
	cards := write(t, "tools.json", `{"tools":[{"name":"read_file","description":"Read the complete contents of a file","inputSchema":{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]},"annotations":{"readOnlyHint":true}},
		{"name":"list_directory","description":"Get a listing of all files in a path","inputSchema":{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]},"annotations":{"readOnlyHint":true}}]}`)
	for _, request := range []string{"read /etc/hosts", "读取 /etc/hosts"} {
		out, errs, code := hmap(t, t.TempDir(), "plan", request, "--tools", cards, "--json")
		var got outcome
		if err := json.Unmarshal([]byte(out), &got); err != nil || code != 0 || len(got.Actions) != 1 || got.Actions[0].ToolName != "read_file" || !strings.Contains(out, `"/etc/hosts"`) {
			t.Errorf("%s: %d %v %s%s", request, code, err, out, errs)
		}
	}
}

// A hundred kilobytes, and cards that would draw over the screen.
func TestPlanHostile(t *testing.T) {
	t.Parallel()
	cards := write(t, "cards.json", `[{"name":"carve","description":"Carve \u001b[2J\u202e a figure\r\nChosen: none","effect":"read"}]`)
	out, errs, code := hmap(t, t.TempDir(), "plan", strings.Repeat("carve a \x1b[2Jfigure, ", 5_000), "--tools", cards, "--explain", "--all")
	if code != 0 || len(out) > 100_000 || strings.ContainsAny(out, "\x1b\r\u202e") {
		t.Errorf("%d, %d bytes: %.2000q %s", code, len(out), out, errs)
	}
}

func TestPlanErrors(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		tools, want string
	}{
		"broken JSON":  {write(t, "cards.json", "{\"name\":\"a\"}\n{\"name\":}"), "cards.json, line 2: not JSON"},
		"no cards":     {write(t, "cards.json", "[]"), "no card that can be used"},
		"all rejected": {write(t, "cards.json", `{"name":"a\u0007"}`), "no card that can be used"},
		"no file":      {filepath.Join(t.TempDir(), "nosuch"), "no such file"},
		"a folder":     {t.TempDir(), "the folder has no .json or .jsonl file"},
		"NUL":          {write(t, "cards.json", "\x00"), "line 1: not JSON"},
	} {
		out, errs, code := hmap(t, t.TempDir(), "plan", "carve", "--tools", c.tools)
		if code != exitFailed || out != "" || !strings.Contains(errs, c.want) {
			t.Errorf("%s: %d %q %q, want %q", name, code, out, errs, c.want)
		}
	}
	for _, args := range [][]string{
		{"plan"}, {"plan", " "}, {"plan", "x", "--without", "dog"}, {"plan", "x", "--batch", "-"}, {"plan", "--batch", "-", "--json"}, {"plan", "--batch", "-", "--tools", "-"},
		{"plan", "x", "--tools", "x.json", "--agent", "orders"}, {"eval"}, {"eval", "planner", "--sets", "nosuch"}, {"eval", "planner", "--without", "x"},
		{"eval", "planner", "--requests", "x"}, {"eval", "planner", "--tools", "x"}, {"eval", "planner", "--ablation", "--without", "dag"},
	} {
		if _, err := kong.Must(new(flags)).Parse(args); err == nil {
			t.Errorf("%q is taken", args)
		}
	}
	var f flags
	if _, err := kong.Must(&f).Parse([]string{"plan", "x", "--without", strings.Join(eval.Models, ",")}); err != nil || len(f.Plan.Without) != 4 {
		t.Error(err)
	}
	if _, err := kong.Must(&f).Parse([]string{"eval", "planner"}); err != nil || len(f.Eval.Planner.Sets) != len(eval.Names) {
		t.Error(err, f.Eval.Planner.Sets)
	}
}

func TestPlanBatch(t *testing.T) {
	t.Parallel()
	requests := `{"id":1,"request":"Carve a figure of oak"}` + "\n{\n" + `{"id":3,"request":"bake","tools":[{"name":"bake","description":"bake"}]}`
	file, cards := write(t, "requests.jsonl", requests), write(t, "cards.json", wood)
	out, errs, code := hmap(t, t.TempDir(), "plan", "--batch", file, "--tools", cards)
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if code != exitFailed || len(lines) != 3 || !strings.Contains(errs, "1 of 3 requests could not be planned") {
		t.Fatalf("%d %s%s", code, out, errs)
	}
	for i, want := range []string{`{"id":1,"calls":[{"tool_name":"carve","parameter":{"wood":"oak"}}`, `{"error":"line 2: `, `{"id":3,"calls":[{"tool_name":"bake"`} {
		if !strings.HasPrefix(lines[i], want) {
			t.Errorf("line %d is %s, want %s", i+1, lines[i], want)
		}
	}
	c := command(t.Context(), t.TempDir(), "plan", "--batch", "-", "--tools", cards)
	c.Stdin = strings.NewReader(requests[:strings.Index(requests, "\n")])
	if piped, err := c.Output(); err != nil || string(piped) != lines[0]+"\n" {
		t.Errorf("%v: %s", err, piped)
	}
}

// Ctrl-C ends the command at once, also while it waits for more to come.
func TestPlanBatchInterrupted(t *testing.T) {
	t.Parallel()
	c := command(t.Context(), t.TempDir(), "plan", "--batch", "-", "--tools", write(t, "cards.json", wood))
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	// What runs tests in the background may have them ignore Ctrl-C, and who ignores it hands that on: a program that listens to it does not.
	ignored := make(chan os.Signal, 1)
	signal.Notify(ignored, os.Interrupt)
	err = c.Start()
	signal.Stop(ignored)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := in.Write([]byte(`{"request":"Carve a figure of oak"}` + "\n")); err != nil {
		t.Fatal(err)
	}
	var line map[string]any
	if err := json.NewDecoder(out).Decode(&line); err != nil { // it came although the input has not ended
		t.Fatal(err)
	}
	if err := c.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	select {
	case err := <-ended:
		if err == nil {
			t.Error("it ended well")
		}
	case <-time.After(patience):
		t.Fatal("it goes on")
	}
}

// Without a server the house's own team is asked, and its folder is free again; with one, its directory.
func TestPlanHouse(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	const request = "我有多少订单是王萍萍买的?"
	plans := func() {
		t.Helper()
		for agent, want := range map[string]string{"": "orders", "orders": "search_order_code"} {
			args := []string{"plan", request, "--json"}
			if agent != "" {
				args = append(args, "--agent", agent)
			}
			out, errs, code := hmap(t, dir, args...)
			var got outcome
			if err := json.Unmarshal([]byte(out), &got); err != nil || code != 0 || len(got.Actions) != 1 || got.Actions[0].ToolName != want {
				t.Errorf("%q: %d %v %s%s", agent, code, err, out, errs)
			}
		}
		if out, errs, code := hmap(t, dir, "plan", request, "--all"); code != 0 || !strings.Contains(out, "search_order_code") || strings.Contains(out, "  orders") {
			t.Errorf("all calls are those of tools: %d %s%s", code, out, errs)
		}
		if _, errs, code := hmap(t, dir, "plan", request, "--agent", "nobody"); code != exitFailed || !strings.Contains(errs, `no agent "nobody"`) || !strings.Contains(errs, "orders") {
			t.Errorf("%d %s", code, errs)
		}
	}
	plans()
	s := serve(t, dir)
	plans()
	out, errs, code := hmap(t, dir, "plan", "--batch", write(t, "requests.jsonl", `{"id":"q","request":"`+request+`"}`), "--agent", "orders")
	if code != 0 || !strings.HasPrefix(out, `{"id":"q","calls":[`) {
		t.Errorf("%d %s%s", code, out, errs)
	}
	list, _, err := s.bus.Sessions(t.Context(), 0, 10)
	if err != nil || len(list) > 0 {
		t.Errorf("planning left %v %v", list, err)
	}
}

// Who only plans takes no task that waits in the folder.
func TestPlanTakesNoTask(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	s, b := bare(t, dir, "")
	task, err := b.Submit(t.Context(), "master", bus.Submission{Query: "x"}, "")
	if err != nil {
		t.Fatal(err)
	}
	b.Close()
	s.Stop()
	if out, errs, code := hmap(t, dir, "plan", "我有多少订单是王萍萍买的?"); code != 0 {
		t.Fatalf("%d %s%s", code, out, errs)
	}
	_, b = bare(t, dir, "")
	if records, err := b.Read(t.Context(), bus.Where{Session: task.Session, Task: task.Task}, 0); err != nil || len(records) > 0 {
		t.Errorf("%d records, %v", len(records), err)
	}
}

func TestEvalPlanner(t *testing.T) {
	t.Parallel()
	requests := write(t, "requests.jsonl", `{"id":1,"request":"Carve a figure of oak, then paint the figure"}`+"\n"+`{"id":2,"request":"Paint a figure"}`)
	gold := write(t, "gold.jsonl", `{"id":1,"calls":[{"tool_name":"carve","parameter":{"wood":"oak"}},{"tool_name":"paint","parameter":{"figure_id":"$0.figure_id"}}]}`+"\n"+`{"id":2,"tools_used":["paint"]}`)
	args := []string{"eval", "planner", "--requests", requests, "--gold", gold, "--tools", write(t, "cards.json", wood)}
	out, errs, code := hmap(t, t.TempDir(), append(args, "--ablation", "--json")...)
	var rows []eval.Ablation
	if err := json.Unmarshal([]byte(out), &rows); err != nil || code != 0 || len(rows) != 5 {
		t.Fatalf("%d %v %s%s", code, err, out, errs)
	}
	if s := rows[0].Scores[0]; s.Rows != 2 || s.Nested.Wanted != 1 || s.Nested.Right != 1 || s.Cards != 2 || s.Rejected != 2 || s.Index.Wall <= 0 || s.P99.Wall < s.P50.Wall {
		t.Errorf("%+v", s)
	}
	if s := rows[2].Scores[0]; rows[2].Without[0] != "dag" || s.Nested.Right != 0 {
		t.Errorf("without the DAG nothing refers to another call: %+v", rows[2])
	}
	out, _, _ = hmap(t, t.TempDir(), append(args, "--without", "dag", "--misses", "9")...)
	out, missed, _ := strings.Cut(out, "\nrequests.jsonl, without dag\n")
	if !strings.Contains(missed, "  1  Carve a figure of oak") || !strings.Contains(missed, "references  said    \n") || !strings.Contains(missed, "wanted  paint.figure_id=carve.figure_id\n") {
		t.Errorf("missed %q", missed)
	}
	if lines := strings.Split(out, "\n"); len(lines) != 4 || !strings.HasPrefix(lines[0], "| planner | requests.jsonl: tool F1 / nested F1 / exact / literal F1 / recall@10 | index of 2 cards |") || !strings.HasPrefix(lines[2], "| without dag | ") {
		t.Errorf("%s", out)
	}
	if _, errs, code := hmap(t, t.TempDir(), "eval", "planner"); code != exitFailed || !strings.Contains(errs, "nestools") {
		t.Errorf("%d %s", code, errs)
	}
}

func TestTableOfChinese(t *testing.T) {
	l := planLook{lang: "zh"}
	l.table([][]string{{"候选", "", "得分"}, {"orders", "", "1.00"}, {strings.Repeat("长", 60), "", "2"}, {"e\u0301", "", "x"}})
	var at []int
	for _, line := range strings.Split(strings.TrimSuffix(l.String(), "\n"), "\n") {
		i := strings.LastIndex(line, " ")
		at = append(at, columns(line[:i+1]))
	}
	if at[0] != at[1] || at[1] != at[2] || at[2] != at[3] || at[0] != 2+widest-1+2 {
		t.Errorf("the last column begins at %v:\n%s", at, l.String())
	}
}
