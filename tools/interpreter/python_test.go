package interpreter

import (
	"bytes"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/tools/interpreter/sandbox"
)

func TestPython(t *testing.T) {
	able(t)
	t.Parallel()
	r := newRoom(t, Options{})
	for code, want := range map[string]string{
		"print(1+1)":                            "2",
		"1+1":                                   "2",
		"x = 'abc'\nx.upper()":                  "ABC",
		"[i*i for i in range(4)]":               "[0, 1, 4, 9]",
		"None":                                  "代码运行完毕，没有输出。",
		"print(1)\nprint(2)":                    "```\n1\n2\n```",
		"print('中文', '😀')":                      "中文 😀",
		"if __name__ == '__main__': print('m')": "m",
		"import os; sorted(os.listdir('.'))":    "[]",
		"import sys; print('e', file=sys.stderr); sys.exit(0)": "e",
		"print('\\x1b[31mred\\x00')":                           "[31mred",
	} {
		if o, files := r.outcome(Arguments{Code: code}); o.Answer != want || len(files) > 0 {
			t.Errorf("%q gives %q %v", code, o.Answer, files)
		}
	}
}

func TestFailures(t *testing.T) {
	able(t)
	t.Parallel()
	slow := newRoom(t, Options{Limits: sandbox.Limits{Time: time.Second}})
	if answer := slow.ask(Arguments{Code: "import time\ntime.sleep(600)"}, nil); answer.Error == nil || !strings.Contains(answer.Error.Message, "it ran longer than 1 s") {
		t.Errorf("%+v", answer)
	}
	r := newRoom(t, Options{Limits: sandbox.Limits{Memory: 200 << 20, Output: 5000}})
	for code, want := range map[string]string{
		"def f():\n  return 1/0\nprint('first')\nf()": "first\nTraceback (most recent call last):\n  File \"<code>\", line 4, in <module>\n    f()",
		"print('before')\n1/0":                        "ended with status 1: ZeroDivisionError: division by zero\nThe last it said:\n\n```\nbefore\nTraceback",
		"print('x":                                    "SyntaxError",
		"import os, time\nfor i in range(4): os.fork()\nx = b'x' * (90 << 20)\ntime.sleep(600)": "it took more than 200 MiB of memory",
		"print('alone'); raise SystemExit('no')":                                                "ended with status 1: no\nThe last it said:\n\n```\nalone\nno",
		"raise SystemExit('no')":                                                                "ended with status 1: no",
		"while True: print('x' * 99)":                                                           "it printed more than 4 KiB; write long results into a file\nThe last it said:\n\n```\nxxx",
		"import sys; sys.exit(3)":                                                               "ended with status 3",
		"input()":                                                                               "EOFError",
		"import ctypes; ctypes.string_at(0)":                                                    "segmentation fault",
	} {
		answer := r.ask(Arguments{Code: code}, nil)
		if answer.Error == nil || answer.Error.Code != bus.CodeInvalidParameter || !strings.Contains(answer.Error.Message, want) || answer.Error.Retryable {
			t.Errorf("%q: %s %s %v", code, answer.Status, answer.Observation, answer.Error)
		}
	}
	r.lang = "zh"
	if answer := r.ask(Arguments{Code: "1/0"}, nil); answer.Error == nil || !strings.HasPrefix(answer.Error.Message, "Python 代码出错，退出状态 1：ZeroDivisionError: division by zero\n最后的输出：\n\n```\nTraceback") || !strings.HasSuffix(answer.Error.Message, "。）") {
		t.Errorf("%+v", answer.Error)
	}
	o, _ := newRoom(t, Options{}).outcome(Arguments{Code: "for i in range(7000): print('line', i)"})
	if !strings.Contains(o.Answer, "line 0\n") || !strings.Contains(o.Answer, "line 6999") || len(o.Answer) > maxSaid+60 {
		t.Errorf("%d %s", len(o.Answer), o.Answer)
	}
}

func TestProgress(t *testing.T) {
	able(t)
	t.Parallel()
	r := newRoom(t, Options{})
	var mu sync.Mutex
	var lines []string
	r.ask(Arguments{Code: "import time\nprint('step one')\ntime.sleep(0.3)\nprint('step two')"}, func(p bus.Response) {
		mu.Lock()
		defer mu.Unlock()
		lines = append(lines, p.Progress)
	})
	mu.Lock()
	defer mu.Unlock()
	if all := strings.Join(lines, "\n"); !strings.Contains(all, "step one") {
		t.Errorf("%q", all)
	}
}

func TestPlots(t *testing.T) {
	if err := exec.Command("/usr/bin/python3", "-I", "-c", "import matplotlib").Run(); err != nil {
		t.Skip("matplotlib is not installed (Debian: python3-matplotlib)")
	}
	able(t)
	r := newRoom(t, Options{Python: "/usr/bin/python3", Limits: sandbox.Limits{Memory: 1 << 30}})
	_, files := r.outcome(Arguments{Code: "import matplotlib.pyplot as plt\nplt.plot([1, 4, 9])\nplt.figure()\nplt.bar([1, 2], [3, 4])\nplt.show()"})
	if len(files) != 2 || files[0].Name != "figure-1.png" || files[0].Type != "image/png" || !bytes.HasPrefix(r.read(files[1]), []byte("\x89PNG")) {
		t.Errorf("%+v", files)
	}
	_, files = r.outcome(Arguments{Code: "import matplotlib.pyplot as plt\nplt.plot([1, 4, 9])\nplt.savefig('mine.svg')"})
	if len(files) != 1 || files[0].Name != "mine.svg" {
		t.Errorf("%+v", files)
	}
	for _, end := range []string{"", "plt.savefig('figure-1.png')\n"} { // the same picture once more is a file of that run, too
		for range 2 {
			if _, files = r.outcome(Arguments{Code: "import matplotlib.pyplot as plt\nplt.plot([1, 4, 9])\n" + end}); len(files) != 1 || files[0].Name != "figure-1.png" {
				t.Fatalf("%q: %+v", end, files)
			}
			r.record(bus.Record{Kind: bus.KindFile, File: &files[0]})
		}
	}
	for _, end := range []string{"", "plt.title('there')\nplt.savefig('there.png')\n"} { // code that went elsewhere: what it drew is a file of the session all the same
		_, files = r.outcome(Arguments{Code: "import os\nimport matplotlib.pyplot as plt\nos.chdir('/tmp')\nplt.bar(['一月'], [3])\n" + end + "plt.show()"})
		if len(files) != 1 || files[0].Name != "figure-1.png" {
			t.Errorf("%q: %+v", end, files)
		}
	}
}

// A program without a Python of its own says so, and how to have one.
func TestNotEmbedded(t *testing.T) {
	t.Parallel()
	if release != "" {
		t.Skip("it has one")
	}
	r := newRoom(t, Options{Python: Embedded})
	if answer := r.ask(Arguments{Code: "print(1)"}, nil); answer.Error == nil || !strings.Contains(answer.Error.Message, "-tags cpython") {
		t.Errorf("%+v", answer)
	}
}
