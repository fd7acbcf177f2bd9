package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// solve asks in a session, or a new one, and gives the session, the task and what was printed.
func solve(t *testing.T, dir, session, request string) (inSession, task, out string) {
	t.Helper()
	args := []string{"ask"}
	if session != "" {
		args = append(args, "--session", session)
	}
	out, errs, _ := hmap(t, dir, append(args, request)...)
	ids := goOn.FindStringSubmatch(errs)
	if ids == nil {
		t.Fatalf("%s: %s%s", request, out, errs)
	}
	return ids[1], ids[2], out
}

// What solved a task is saved as a tool once it is approved, is used for another wish of the kind and after a restart, and is listed, shown, tested,
// edited and removed by command.
func TestSavedTools(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	if out, errs, code := hmap(t, dir, "tools"); code != 0 || out != "" || !strings.Contains(errs, "No tools are saved yet") {
		t.Errorf("%d %s%s", code, out, errs)
	}
	s := serve(t, dir)
	_, errs, _ := hmap(t, dir, "ask", "预测下个月空气炸锅的销量，并建议要不要降价")
	session := goOn.FindStringSubmatch(errs)[1]
	if !strings.Contains(errs, "hmap --data "+dir+" ask --session "+session+" '把刚才的步骤存成工具'") {
		t.Errorf("nobody says that it can be saved: %s", errs)
	}
	_, task, out := solve(t, dir, session, "把刚才的步骤存成工具，名字叫 forecast_and_price")
	for _, want := range []string{"forecast_and_price", "category", "空气炸锅", "forecast_sales", "suggest_price", "通过"} {
		if !strings.Contains(out, want) {
			t.Errorf("the person who is asked does not see %s:\n%s", want, out)
		}
	}
	if listed, _, _ := hmap(t, dir, "tools"); listed != "" {
		t.Errorf("kept before anybody agreed: %s", listed)
	}
	if out, errs, code := hmap(t, dir, "answer", task, "--approve"); code != 0 || !strings.Contains(out, "已存成工具 forecast_and_price") {
		t.Fatalf("%d %s%s", code, out, errs)
	}
	_, _, out = solve(t, dir, "", "预测下个月电饭煲的销量，并建议要不要降价")
	for _, want := range []string{`→ forecast_and_price`, "第 1 版", `→ forecast_sales`, `→ suggest_price`, "电饭煲"} {
		if !strings.Contains(out, want) {
			t.Errorf("the same wish for another thing: no %s\n%s", want, out)
		}
	}
	if out, errs, code := hmap(t, dir, "tools", "test", "forecast_and_price"); code != 0 || strings.Count(out, "ran in") != 2 || !strings.Contains(out, "v1: passed") {
		t.Errorf("%d %s%s", code, out, errs)
	}
	shown, errs, code := hmap(t, dir, "tools", "show", "forecast_and_price")
	if code != 0 {
		t.Fatal(errs)
	}
	edit := func(what, text, says string, want int) {
		t.Helper()
		file := write(t, filepath.Base(what)+".json", text)
		if out, errs, code := hmap(t, dir, "tools", "edit", "forecast_and_price", file); code != want || !strings.Contains(out+errs, says) {
			t.Errorf("%s: %d %s%s, want %s", what, code, out, errs, says)
		}
	}
	edit("no JSON", "tool", "saved tool", exitFailed)
	edit("a hostile name", strings.Replace(shown, `"forecast_and_price"`, `"a.b>"`, 1), "name", exitFailed)
	edit("another name", strings.Replace(shown, `"forecast_and_price"`, `"another_one"`, 1), "keeps its name", exitFailed)
	edit("a step whose tool is gone", strings.ReplaceAll(shown, `"suggest_price"`, `"suggest_prize"`), "suggest_prize", exitFailed)
	edit("arguments that do not hold", strings.Replace(shown, `"category": "$args.category"`, `"category": 7`, 1), "nothing was changed", exitFailed)
	edit("a saved tool in it", strings.Replace(shown, `"tool_name": "suggest_price"`, `"tool_name": "forecast_and_price"`, 1), "cannot call", exitFailed)
	lies := strings.Replace(shown, `"effect": "read"`, `"effect": "unsafe"`, 1)
	edit("an effect that is none", regexp.MustCompile(`"description": "预测[^"]*"`).ReplaceAllString(lies, `"description": "下个月怎么卖"`), "version 2", 0)
	edit("a version that is past", shown, "at version 2 by now", exitFailed)
	if out, _, _ := hmap(t, dir, "tools"); !strings.Contains(out, "下个月怎么卖") || !strings.Contains(out, "read") {
		t.Errorf("after the edit: %s", out)
	}
	s.kill()
	if out, errs, code := hmap(t, dir, "plan", "--agent", "pricing", "用 forecast_and_price 看看下个月的耳机"); code != 0 || !strings.Contains(out, `forecast_and_price  {"category":"耳机"`) {
		t.Errorf("after a restart: %d %s%s", code, out, errs)
	}
	if out, errs, code := hmap(t, dir, "tools", "remove", "forecast_and_price"); code != 0 || !strings.Contains(out, "removed") {
		t.Errorf("%d %s%s", code, out, errs)
	}
	for _, command := range []string{"show", "test", "remove"} {
		if _, errs, code := hmap(t, dir, "tools", command, "forecast_and_price"); code != exitFailed || !strings.Contains(errs, "there is no saved tool") {
			t.Errorf("%s: %d %s", command, code, errs)
		}
	}
	if _, err := os.Stat(dir); err != nil {
		t.Error(err)
	}
}

// Code that was run becomes a tool whose parameters are the values at its beginning, and whose test is the very value.
func TestSavedCode(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	serve(t, dir)
	session, _, out := solve(t, dir, "", "运行这段代码：```javascript\nconst n = 10;\nlet a = 0, b = 1;\nfor (let i = 0; i < n; i++) [a, b] = [b, a + b];\nprint(a)\n```")
	if !strings.Contains(out, `"answer":"55"`) {
		t.Skip("JavaScript does not run here: " + out)
	}
	_, task, _ := solve(t, dir, session, "把这段代码存成工具，名字叫 fibonacci_number，不要解释")
	if out, errs, code := hmap(t, dir, "answer", task, "--approve"); code != 0 || !strings.Contains(out, "fibonacci_number") {
		t.Fatalf("%d %s%s", code, out, errs)
	}
	if out, errs, code := raced(t, dir, "tools", "test", "fibonacci_number"); code != 0 || !strings.Contains(out, "with the same result") {
		t.Errorf("%d %s%s", code, out, errs)
	}
	_, _, out = solve(t, dir, "", "用 fibonacci_number 算 n 等于 20")
	if !strings.Contains(out, "fibonacci_number") || !strings.Contains(out, "6765") {
		t.Errorf("%s", out)
	}
}

// A refusal keeps nothing, and where nothing was done there is nothing to keep.
func TestSavedToolRefused(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	serve(t, dir)
	session, _, out := solve(t, dir, "", "把刚才的步骤存成工具")
	if !strings.Contains(out, "nothing to save") && !strings.Contains(out, "没有可以存") {
		t.Errorf("%s", out)
	}
	session, _, _ = solve(t, dir, session, "How many orders did Wang Pingping place?")
	_, task, out := solve(t, dir, session, "save this as a tool")
	if !strings.Contains(out, "Save these steps as the tool my_search_order_code") {
		t.Fatal(out)
	}
	if out, _, _ := hmap(t, dir, "answer", task, "--refuse"); strings.Contains(out, "Saved as the tool") {
		t.Error(out)
	}
	if out, _, _ := hmap(t, dir, "tools", "--json"); strings.TrimSpace(out) != "[]" {
		t.Errorf("kept: %s", out)
	}
}
