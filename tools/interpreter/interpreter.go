// Package interpreter is code_interpreter: it runs Python, and JavaScript where Python would not be safe, on the files of a session.
//
// Python runs in package sandbox or not at all. JavaScript runs there too where it can; elsewhere in a process of its own, without
// variables of ours, in an engine that knows nothing of files, network or processes but what javascript.go gives it.
//
// The program that serves the tool must begin with [Enter].
package interpreter

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/tools"
	"github.com/hmap-project/hmap/tools/interpreter/sandbox"
)

// Options of an [Interpreter]; the zero value works.
type Options struct {
	// Python is the name or path of a Python from 3.8 on. "": python3 of the PATH, else of /usr/bin, else [Embedded] where it was built in.
	// "off": none, only JavaScript.
	Python string
	// Cache is a folder where [Embedded] is unpacked, once; it need not be there yet. "": it is not used.
	Cache  string
	Limits sandbox.Limits // of each run; the zero value is that of the sandbox
	Keep   int            // files that one run may hand back; 0: 16
	AtOnce int            // runs at the same time, for each takes up to Limits.Memory; more wait; 0: 2
	Log    *slog.Logger   // nil: slog.Default()
}

// Interpreter runs code. Safe from many goroutines.
type Interpreter struct {
	options Options
	slots   chan struct{}
	python  python
}

// New makes an interpreter. Nothing is started before it is asked.
func New(o Options) *Interpreter {
	o.Keep = cmp.Or(max(o.Keep, 0), 16)
	o.AtOnce = cmp.Or(max(o.AtOnce, 0), 2)
	o.Limits = o.Limits.Filled()
	if o.Log == nil {
		o.Log = slog.Default()
	}
	return &Interpreter{options: o, slots: make(chan struct{}, o.AtOnce), python: python{wanted: o.Python, cache: o.Cache}}
}

// Arguments of code_interpreter.
type Arguments struct {
	Code     string   `json:"code"`
	Language string   `json:"language"` // python or javascript; "" is python
	Files    []string `json:"files"`    // names or references; nil: all of the session that fit
	// Arguments are a JSON object that the code finds as args, so that one code serves many values.
	Arguments json.RawMessage `json:"arguments"`
}

// Outcome is what a run that came to its end brought. A program that failed is an error instead, with its words.
type Outcome struct {
	// Answer is what the code printed, and the value of a last line that is an expression: as it is when it is one line, else as a block of code.
	// Of code that printed nothing it says so, and AnswerEn in English.
	Answer   string `json:"answer"`
	AnswerEn string `json:"answer_en,omitempty"`
	Made     []Made `json:"files,omitempty"`
	Note     string `json:"note,omitempty"` // what was left out, in Chinese and English
	NoteEn   string `json:"note_en,omitempty"`
}

// Made is a file that a run left behind.
type Made struct {
	Name  string `json:"name"`
	Type  string `json:"type"`
	Bytes int64  `json:"bytes"`
	Ref   string `json:"ref"`
}

// The longest code and the longest answer, in bytes. What is longer is cut here, in the middle, before the tool's host cuts off its end.
const (
	maxCode = 64 << 10
	maxSaid = 24 << 10
)

// Tool is code_interpreter.
//
// Its effect is read: what code does, it does to a machine that ends with it. The files it makes are the session's only once the
// result is in the log, so a run that is repeated because its answer got lost leaves nothing double.
func (i *Interpreter) Tool() tools.Tool {
	return tools.New(bus.Card{
		Name: "code_interpreter",
		Description: "在安全沙箱里运行一段 Python 或 JavaScript 代码，返回它打印的内容和生成的文件、图表；可以读取本会话的文件；没有网络。用于计算、统计、解析数据、画图。" +
			" Runs a piece of Python or JavaScript in a sandbox and returns what it prints, with the files and plots it makes; the session's files lie in its working folder; no network. For computing, statistics, parsing data, plotting.",
		Parameters: []byte(fmt.Sprintf(`{"type":"object","properties":{
			"code":{"type":"string","title":"代码","x-title-en":"Code","contentMediaType":"text/x-script","minLength":1,"maxLength":%d,"description":"要运行的代码。用 print（JavaScript 用 console.log）输出结果。 The code to run; print what you want to see.","examples":["print(1+1)"]},
			"language":{"type":"string","title":"语言","x-title-en":"Language","enum":["python","javascript"],"default":"python","description":"代码的语言，默认 Python。 The language of the code.","x-means":{"python":["py","python3","Python 代码"],"javascript":["js","JS"]}},
			"arguments":{"type":"object","title":"代码参数","x-title-en":"Arguments","description":"可选：代码里以 args 读取的值，如 args[\"n\"]。 Optional: values that the code finds as args."},
			"files":{"type":"array","title":"文件","x-title-en":"Files","items":{"type":"string","maxLength":300},"maxItems":64,"description":"可选：要用的会话文件名；不填则全部可用。 Optional: names of the session's files to bring; all that fit if left out."}
			},"required":["code"],"additionalProperties":false}`, maxCode)),
		Returns: []byte(`{"type":"object","properties":{
			"answer":{"type":"string","title":"输出","x-title-en":"Output","description":"代码打印的内容。 What the code printed."},
			"answer_en":{"type":"string","title":"输出（英文）","x-title-en":"Output in English"},
			"files":{"type":"array","title":"文件","x-title-en":"Files","items":{"type":"object","properties":{
				"name":{"type":"string","title":"文件名","x-title-en":"Name"},"type":{"type":"string","title":"类型","x-title-en":"Type"},
				"bytes":{"type":"integer","title":"字节","x-title-en":"Bytes"},"ref":{"type":"string","title":"引用","x-title-en":"Reference"}},"required":["name","ref"]}},
			"note":{"type":"string","title":"备注","x-title-en":"Note"},"note_en":{"type":"string","title":"英文备注","x-title-en":"Note in English"}
			},"required":["answer"]}`),
		Effect:  bus.Read,
		Timeout: 2*i.options.Limits.Time + 30*time.Second, // a whole run of others ahead, and files to carry
		Tags:    []string{"analyst", "代码", "运行代码", "执行代码", "脚本", "Python", "JavaScript", "code", "script", "run code", "execute code"},
	}, i.run)
}

func (i *Interpreter) run(ctx context.Context, call *tools.Call, a Arguments) (Outcome, error) {
	n := &news{tell: call.Progress, zh: call.Request.Language == "zh"}
	leave, err := i.enter(ctx, n)
	if err != nil {
		return Outcome{}, err
	}
	defer leave()
	brought, note, err := i.bring(ctx, call, a.Files)
	if err != nil {
		return Outcome{}, err
	}
	r := &running{said: said{tell: n.say}, keep: i.options.Keep, room: i.options.Limits.Disk, brought: brought}
	most := n.seconds(i.options.Limits.Time)
	quiet := n.beats("仍在运行，已 %s，最多 "+most, "still running, %s of at most "+most)
	defer quiet()
	language := "Python"
	if a.Language == "javascript" {
		language = "JavaScript"
		err = i.runJavaScript(ctx, r, "globalThis.args = "+string(a.arguments())+";"+a.Code) // on the line of the code's first
	} else {
		err = i.runPython(ctx, r, a.Code, a.arguments())
	}
	switch {
	case errors.Is(err, sandbox.ErrUnsafe):
		return Outcome{}, &bus.Error{Code: bus.CodeUnsupported, Message: fmt.Sprintf("%s is not run here, for it would not be safe; JavaScript is (language: \"javascript\"). The reason: %v", language, err)}
	case err != nil:
		return Outcome{}, err
	}
	if failure := r.failure(language, n, i.options.Limits); failure != nil {
		return Outcome{}, failure
	}
	var out Outcome
	out.tell(r)
	if err := r.handBack(ctx, call, &out); err != nil {
		return Outcome{}, err
	}
	note = append(note, r.note...)
	out.Note, out.NoteEn = note.words()
	return out, nil
}

// enter waits for a slot, as long as a whole run still fits into the time of the call behind it.
func (i *Interpreter) enter(ctx context.Context, n *news) (leave func(), err error) {
	leave = func() { <-i.slots }
	select {
	case i.slots <- struct{}{}:
		return leave, nil
	default:
	}
	n.say(n.words("等待空位（最多同时运行 %d 段代码）", "waiting for a free place (at most %d run at a time)", cap(i.slots)))
	defer n.beats("已等待 %s", "%s so far")()
	const carrying = 5 * time.Second // files, in and out
	var late <-chan time.Time
	if end, ok := ctx.Deadline(); ok {
		if patience := time.Until(end) - i.options.Limits.Time - carrying; patience > 0 { // who has less time than a run may take tries what there is
			late = time.After(patience)
		}
	}
	select {
	case i.slots <- struct{}{}:
		return leave, nil
	case <-late:
		return nil, &bus.Error{Code: bus.CodeBusy, Retryable: true, Message: n.words("没有空位（最多同时运行 %d 段代码），请稍后再试", "there is no free place (at most %d run at a time); try again later", cap(i.slots))}
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// arguments is the object that the code finds as args, as JSON that is JavaScript too.
func (a *Arguments) arguments() []byte {
	var given map[string]any
	d := json.NewDecoder(bytes.NewReader(a.Arguments))
	d.UseNumber()
	if d.Decode(&given) != nil || given == nil {
		return []byte("{}")
	}
	text, err := json.Marshal(given) // U+2028 and U+2029 are escaped
	if err != nil {
		return []byte("{}")
	}
	return text
}

// failure says how a run went wrong, in the language of the request, for whoever wrote the code; nil when it did not.
func (r *running) failure(code string, n *news, l sandbox.Limits) error {
	say := n.words
	why, tail := "", strings.TrimSpace(r.said.tail(3<<10))
	switch {
	case r.result.Bound == sandbox.Time:
		why = say("%s 代码被停止：运行超过了 %s", "the %s code was stopped: it ran longer than %s", code, n.seconds(l.Time))
	case r.result.Bound == sandbox.Memory:
		why = say("%s 代码被停止：占用的内存超过了 %d MiB", "the %s code was stopped: it took more than %d MiB of memory", code, l.Memory>>20)
	case r.result.Bound == sandbox.Output:
		why = say("%s 代码被停止：打印的内容超过了 %d KiB，长的结果请写进文件", "the %s code was stopped: it printed more than %d KiB; write long results into a file", code, l.Output>>10)
	case r.result.Signal != "":
		why = say("%s 代码被终止：%s", "the %s code was killed: %s", code, r.result.Signal)
	case r.result.Exit != 0:
		why = say("%s 代码出错，退出状态 %d", "the %s code ended with status %d", code, r.result.Exit)
		if tail != "" {
			why += say("：", ": ") + reason(tail) // first, for the rest may be cut off where little room is
		}
	default:
		return nil
	}
	if tail != "" && !strings.HasSuffix(why, tail) {
		why += say("\n最后的输出：\n\n", "\nThe last it said:\n\n") + fenced(tail) + "\n" + say("\n（请改正代码再运行。）", "\n(Mend the code and run it again.)")
	}
	return &bus.Error{Code: bus.CodeInvalidParameter, Message: why}
}

func (o *Outcome) tell(r *running) {
	switch text := strings.TrimSpace(r.said.text()); {
	case text == "" && len(r.made) > 0:
		o.Answer, o.AnswerEn = "代码运行完毕。", "The code has run."
	case text == "":
		o.Answer, o.AnswerEn = "代码运行完毕，没有输出。", "The code has run and printed nothing."
	case strings.Contains(text, "\n"):
		o.Answer = fenced(text)
	default:
		o.Answer = text
	}
}

// fenced is a text as a block of code that nothing in it can close.
func fenced(text string) string {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence + "\n" + text + "\n" + fence
}
