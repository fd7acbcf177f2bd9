package model

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hmap-project/hmap/actors/model/scripted"
)

// heard puts together what a watcher sees on each channel.
type heard map[string]string

func (h heard) delta(channel, text string) {
	if text == "" {
		h[channel] = ""
		return
	}
	h[channel] += text
}

func TestDeltas(t *testing.T) {
	form := `Look: {"critique":"c","thought":"先\"查\"\n😀 \ud83d\ude00\u00e9","nested":{"answer":"no"},"action_code":[{"tool_name":"ask_user","parameter":{"thought":"no"}}],"answer":"好的"}`
	for name, x := range map[string]struct {
		options Options
		step    scripted.Step
		tools   bool
		want    heard
	}{
		"answer":       {Options{}, scripted.Step{Text: "three orders", Reasoning: "let me see"}, false, heard{"answer": "three orders", "reasoning": "let me see"}},
		"before calls": {Options{}, scripted.Step{Text: "I look", Calls: []scripted.Call{{Name: AskUser, Arguments: `{}`}}}, true, heard{"thought": "I look"}},
		"form":         {Options{Strategy: StructParse}, scripted.Text(form), true, heard{"thought": "先\"查\"\n😀 😀é", "answer": "好的"}},
	} {
		t.Run(name, func(t *testing.T) {
			c, _, _ := client(t, x.options, scripted.Step{Text: x.step.Text, Unfinished: true}, x.step)
			h := heard{}
			p := prompt()
			if x.tools {
				p = prompt(orders)
			}
			p.OnDelta = h.delta
			ask(t, c, p)
			// The first try was broken off, so its text must have been taken back.
			if d := cmp.Diff(x.want, h); d != "" {
				t.Error(d)
			}
		})
	}
}

// A watcher hears the first words at once and the others soon, also when nothing follows; nothing once the try is over.
func TestPace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var got []string
		v := &voice{channel: "answer", to: func(channel, text string) { got = append(got, channel+":"+text) }}
		expect := func(when string, want ...string) {
			t.Helper()
			synctest.Wait()
			v.mu.Lock()
			defer v.mu.Unlock()
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("%s: %s", when, d)
			}
			got = nil
		}
		v.begin()
		v.text("a")
		v.text("b")
		v.say("reasoning", "r")
		expect("the first of each", "answer:a", "answer:b", "reasoning:r")
		v.text("c")
		v.text("d")
		time.Sleep(pace - time.Nanosecond)
		expect("before the time")
		time.Sleep(time.Nanosecond)
		expect("after the time", "answer:cd")
		time.Sleep(pace)
		v.text("e")
		expect("after a pause", "answer:e")
		v.text("f")
		v.end()
		expect("at the end", "answer:f")
		time.Sleep(2 * pace)
		v.begin()
		v.begin()
		expect("anew", "answer:", "reasoning:")
		v.text("g")
		v.text("h")
		v.end()
		expect("the next try", "answer:g", "answer:h")
	})
}

// However the text is split, the same is heard.
func FuzzScanner(f *testing.F) {
	f.Add(`{"thought":"a\u00e9\"b","x":["answer",{"answer":"n"}],"answer":"好"}`, 3)
	f.Add(`say "hi" {"answer" : "\ud83d\ude00\\"}`, 1)
	f.Fuzz(func(t *testing.T, text string, n int) {
		if n < 1 {
			return
		}
		whole, parts := map[string]string{}, map[string]string{}
		var s, p scanner
		s.feed(text, func(c, t string) { whole[c] += t })
		for rest := text; rest != ""; rest = rest[min(n, len(rest)):] {
			p.feed(rest[:min(n, len(rest))], func(c, t string) { parts[c] += t })
		}
		if strings.ToValidUTF8(text, "") == text && whole["answer"] != parts["answer"] {
			t.Errorf("%q: %q and %q", text, whole["answer"], parts["answer"])
		}
	})
}
