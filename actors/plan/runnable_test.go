package plan

import (
	"strings"
	"testing"
	"time"

	"github.com/hmap-project/hmap/actors/plan/facts"
)

// Code that stands bare behind the wish to run it is found, with its language; a sentence is no code.
func TestInFence(t *testing.T) {
	if text, _ := inFence("run python: print(2**8) and then make a PDF"); inTwo(text, "") != "run python: `print(2**8)`, then make the results into a PDF" {
		t.Errorf("a document of it: %s", inTwo(text, ""))
	}
	for said, want := range map[string]string{
		"run this Python: print(3*4)":                            "print(3*4)",
		"run python code: print(3*4)":                            "print(3*4)",
		"please run the following code print(3*4)":               "print(3*4)",
		"execute: console.log(1+2) in javascript":                "console.log(1+2)",
		"use python to compute sum(range(101))":                  "sum(range(101))",
		"python -c \"print(7*6)\"":                               "print(7*6)",
		"run python: print('a, then b') and then make a PDF":     "print('a, then b')",
		"用 Python 算一下 print(3*4)":                                "print(3*4)",
		"用python计算 sum(range(101))":                              "sum(range(101))",
		"运行 Python 代码 print(\"你好\")":                             "print(\"你好\")",
		"运行这段代码：print(2**10)，然后做成PPT":                            "print(2**10)",
		"执行下面的代码\nx = 5\nprint(x*x)":                             "x = 5\nprint(x*x)",
		"run this:\nimport math\nfor i in range(3):\n  print(i)": "import math\nfor i in range(3):\n  print(i)",
		"run this python: `a=3\nb=4\nprint(a*b)`":                "a=3\nb=4\nprint(a*b)",
		"运行 `a=3\nprint(a)` 看看":                                  "a=3\nprint(a)",
		"run the script that computes the revenue":               "",
		"run analysis.py":                                        "",
		"用 Python 算一下 1 到 100 的和":                                "",
		"计算本月的销售额":                                               "",
		"calculate the revenue of this month (net)":              "",
		"compute sales(2025) of phones":                          "",
		"try to find orders of 王萍萍":                              "",
		"跑一下上个月的报表":                                              "",
		"用 python 画一下销量":                                         "",
	} {
		text, ok := inFence(said)
		got := ""
		for _, f := range facts.Read(text, time.Time{}, func(string) bool { return false }) {
			if f.Kind == facts.Source {
				got = f.Text
			}
		}
		if got != want || ok != (want != "") {
			t.Errorf("%q: %v, %q, want %q\n%s", said, ok, got, want, text)
		}
	}
}

// Code is run as it is given: a wish for it in another language is answered, one to run it again is not.
func TestNotTranslated(t *testing.T) {
	t.Parallel()
	house, err := houseIndex()
	if err != nil {
		t.Fatal(err)
	}
	python, script, none := "运行python代码：`print(3*4)`", "run this JavaScript: `console.log(3*4)`", "王萍萍有多少订单"
	for _, c := range []struct {
		before, request string
		no              bool
	}{
		{python, "换成javascript", true}, {python, "用JS写一遍", true}, {python, "in JavaScript please", true}, {python, "now do the same in node", true}, {python, "把它翻译成Java", true}, {python, "rewrite it in Go", true},
		{"run this: print(3*4)", "换成JS吧", true}, {script, "换成python", true}, {script, "convert it to Python", true},
		{python, "换成python", false}, {script, "run it again in JavaScript", false}, {none, "换成javascript", false}, {python, "换成李建国", false},
		{"", "把这段Python翻译成JavaScript：`print(3*4)`", true}, {"", "convert this Python to Java: `print(1)`", true}, {"", "运行这段代码：`print('translate into JavaScript')`", false},
	} {
		in := Input{Request: c.request, Now: time.Now()}
		if c.before != "" {
			in.History = []Turn{{Request: c.before, Answer: "12"}}
		}
		out := house["master"].Think(in)
		if no := strings.Contains(out.Answer, "没有运行") || strings.Contains(out.Answer, "Nothing was run"); no != c.no {
			t.Errorf("%s, %s: %s %q", c.before, c.request, told(out), out.Answer)
		}
	}
}
