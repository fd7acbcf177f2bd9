package files

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"github.com/anthdm/hollywood/actor"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/bus/bustest"
	"github.com/hmap-project/hmap/tools"
)

// room is the tools on a bus of their own.
type room struct {
	t     *testing.T
	bus   *bus.Bus
	calls int
	last  map[string]uint64 // of each session
}

func newRoom(t *testing.T) *room {
	t.Helper()
	b := bustest.New(t)
	engine, err := actor.NewEngine(actor.NewEngineConfig())
	if err != nil {
		t.Fatal(err)
	}
	host := tools.NewHost(b, engine, tools.Options{Log: slog.New(slog.DiscardHandler)})
	t.Cleanup(func() {
		if err := host.Stop(); err != nil {
			t.Error(err)
		}
	})
	for _, tool := range Tools() {
		if err := host.Add(tool); err != nil {
			t.Fatal(err)
		}
	}
	return &room{t: t, bus: b, last: map[string]uint64{}}
}

// ask calls a tool in a session and records what came, as an agent does; with lost, the answer does not come as far as the log.
func (r *room) ask(session, tool, parameter string, lost bool) bus.Response {
	r.t.Helper()
	r.calls++
	id := fmt.Sprintf("t-%d-0", r.calls)
	answer, err := r.bus.Call(r.t.Context(), bus.Request{Session: session, Task: "t", Call: id, Caller: "tester", ToolName: tool, Parameter: json.RawMessage(parameter)}, nil)
	if err != nil {
		r.t.Fatal(err)
	}
	if !lost {
		r.record(session, bus.Record{Kind: bus.KindResult, Round: r.calls, Child: id, ToolName: tool, Status: answer.Status, Files: answer.Files})
	}
	return answer
}

func (r *room) record(session string, rec bus.Record) {
	r.t.Helper()
	rec.Session, rec.Task, rec.Call = session, "t", "t"
	seq, err := r.bus.Append(r.t.Context(), &rec, r.last[session])
	if err != nil {
		r.t.Fatal(err)
	}
	r.last[session] = seq
}

func (r *room) give(session, name, kind, content string) bus.File {
	r.t.Helper()
	f, err := r.bus.Files().Put(r.t.Context(), name, kind, "", strings.NewReader(content))
	if err != nil {
		r.t.Fatal(err)
	}
	r.record(session, bus.Record{Kind: bus.KindFile, File: &f})
	return f
}

// ok is what a call brought that went well.
func ok[R any](r *room, session, tool, parameter string) (out R) {
	r.t.Helper()
	answer := r.ask(session, tool, parameter, false)
	if answer.Status != bus.OK {
		r.t.Fatalf("%s %s: %s %v", tool, parameter, answer.Status, answer.Error)
	}
	if err := json.Unmarshal(answer.Observation, &out); err != nil {
		r.t.Fatal(err)
	}
	return out
}

// refused holds a call to a refusal that says why.
func (r *room) refused(tool, parameter, why string) {
	r.t.Helper()
	answer := r.ask("s", tool, parameter, false)
	if answer.Error == nil || answer.Error.Code != bus.CodeInvalidParameter || !strings.Contains(answer.Error.Message, why) || len(answer.Files) > 0 {
		r.t.Errorf("%s %.100s: %s %.200s %v, want a refusal with %q", tool, parameter, answer.Status, answer.Observation, answer.Error, why)
	}
}

func names(l listing) (out []string) {
	for _, f := range l.Files {
		out = append(out, f.Name)
	}
	return out
}

func TestWriteListReadEdit(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	if l := ok[listing](r, "s", "list_files", ""); l.Count != 0 || l.Summary != "本会话还没有文件。" {
		t.Errorf("%+v", l)
	}
	k := ok[kept](r, "s", "save_file", `{"name":"笔记.md","text":"# 一\n二\n三\n","description":"第一版"}`)
	if k.Bytes != 14 || k.Type != "text/markdown" || !strings.HasPrefix(k.Ref, "obj:") {
		t.Errorf("%+v", k)
	}
	r.give("s", "b.csv", "text/csv", "a,b\n")
	if l := ok[listing](r, "s", "list_files", ""); !slices.Equal(names(l), []string{"b.csv", "笔记.md"}) || l.SummaryEn != "This session has 2 files." {
		t.Errorf("%+v", l)
	}
	if p := ok[page](r, "s", "read_file", `{"name":"笔记.md"}`); p.Answer != "# 一\n二\n三\n" || p.Lines != 3 || p.To != 3 || p.Note != "" {
		t.Errorf("%+v", p)
	}
	if p := ok[page](r, "s", "read_file", `{"name":"笔记.md","from":2,"lines":1}`); p.Answer != "二\n" || p.NoteEn != "Lines 2 to 2 of 3." {
		t.Errorf("%+v", p)
	}
	for from, want := range map[int]string{-1: "三\n", -2: "二\n三\n", -9: "# 一\n二\n三\n"} {
		if p := ok[page](r, "s", "read_file", fmt.Sprintf(`{"name":"笔记.md","from":%d}`, from)); p.Answer != want {
			t.Errorf("from %d: %+v", from, p)
		}
	}
	if k := ok[kept](r, "s", "save_file", `{"name":"笔记.md","text":"# 一\n二\n三\n","description":"第一版"}`); !strings.Contains(k.Summary, "新版本") || !strings.Contains(k.SummaryEn, "the one before is kept") {
		t.Errorf("%+v", k)
	}
	ok[kept](r, "s", "edit_file", `{"name":"笔记.md","old":"二\n三","new":"2"}`)
	if p := ok[page](r, "s", "read_file", `{"name":"笔记.md"}`); p.Answer != "# 一\n2\n" {
		t.Errorf("%+v", p)
	}
	r.refused("read_file", fmt.Sprintf(`{"name":%q}`, k.Ref), "there are") // the log has it, the list has the newest
	if l := ok[listing](r, "s", "list_files", ""); l.Count != 2 || l.Files[0].Name != "笔记.md" || l.Files[0].Description != "第一版" {
		t.Errorf("%+v", l)
	}
}

// Words are counted as an editor counts them, and a passage is found in any case.
func TestCounted(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	for text, want := range map[string][3]int{"": {0, 0, 0}, "buy milk\ncall Bob": {2, 4, 16}, "don't re-do it.\n": {1, 3, 15}, "明天 3 点 call 王总。\r\n二\n": {2, 8, 16}, "\n\n": {2, 0, 0}} {
		r.give("s", "a.txt", "text/plain", text)
		if c := ok[counted](r, "s", "count_in_file", `{"name":"a.txt"}`); [3]int{c.Lines, c.Words, c.Characters} != want || c.Times != nil {
			t.Errorf("%q: %+v, want %v", text, c, want)
		}
	}
	r.give("s", "b.txt", "text/plain", "Milk and milk\ntea\nMILK\n")
	if c := ok[counted](r, "s", "count_in_file", `{"name":"b.txt","text":"milk"}`); *c.Times != 3 || len(c.Where) != 2 || c.Where[1] != (placing{3, "MILK"}) || c.SummaryEn != "It stands 3 times in b.txt, in 2 lines." {
		t.Errorf("%+v", c)
	}
	if c := ok[counted](r, "s", "count_in_file", `{"name":"b.txt","text":"tea\nmilk"}`); *c.Times != 1 || c.Where != nil {
		t.Errorf("%+v", c)
	}
	if c := ok[counted](r, "s", "count_in_file", `{"name":"b.txt","text":"bread"}`); *c.Times != 0 || c.Summary != "b.txt 里没有这段文字。" {
		t.Errorf("%+v", c)
	}
	r.give("s", "long.txt", "text/plain", strings.Repeat(strings.Repeat("表", maxPlaced)+"x\n", maxPlaces+5))
	if c := ok[counted](r, "s", "count_in_file", `{"name":"long.txt","text":"表"}`); *c.Times != maxPlaced*(maxPlaces+5) || len(c.Where) != maxPlaces || utf8.RuneCountInString(c.Where[0].Text) != maxPlaced || !strings.Contains(c.Summary, "前 20 行") {
		t.Errorf("%s %d", c.Summary, len(c.Where))
	}
}

// Taking a whole line out leaves no empty one behind, taking out a part of one does.
func TestTakenOut(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ whole, old, want string }{
		{"a\nb\nc\n", "b", "a\nc\n"}, {"a\r\nb\r\n", "b", "a\r\n"}, {"b", "b", ""}, {"ab\nb\n", "b", "a\n"}, {"a\nb\nc", "b\nc", "a\n"},
	} {
		if got := replaced(c.whole, c.old, ""); got != c.want {
			t.Errorf("%q without %q: %q, want %q", c.whole, c.old, got, c.want)
		}
	}
}

// What was written and never came as far as the log is not there, and an edit that is repeated for that finds the text as it was.
func TestRepeated(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	ok[kept](r, "s", "save_file", `{"name":"a.txt","text":"one"}`)
	for range 2 {
		if answer := r.ask("s", "edit_file", `{"name":"a.txt","old":"one","new":"one more one"}`, true); answer.Status != bus.OK {
			t.Fatal(answer.Error)
		}
	}
	if p := ok[page](r, "s", "read_file", `{"name":"a.txt"}`); p.Answer != "one" {
		t.Errorf("%+v", p)
	}
	ok[kept](r, "s", "edit_file", `{"name":"a.txt","old":"one","new":"two"}`)
	r.refused("edit_file", `{"name":"a.txt","old":"one","new":"two"}`, "does not hold the passage “one”")
	if answer, err := r.bus.Call(t.Context(), bus.Request{Session: "s", Task: "t", Call: "t-zh", Caller: "tester", Language: "zh", ToolName: "read_file", Parameter: json.RawMessage(`{"name":"b.txt"}`)}, nil); err != nil || answer.Error == nil || !strings.Contains(answer.Error.Message, "本会话里没有文件") {
		t.Errorf("%v %v", answer.Error, err)
	}
}

func TestOnlyItsOwnSession(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	theirs := r.give("other", "secret.txt", "text/plain", "hunter2")
	r.give("s", "mine.txt", "text/plain", "x")
	if l := ok[listing](r, "s", "list_files", ""); !slices.Equal(names(l), []string{"mine.txt"}) {
		t.Errorf("%+v", l)
	}
	for _, name := range []string{"secret.txt", theirs.Ref, strings.TrimPrefix(theirs.Ref, "obj:"), "/etc/passwd", "../other/secret.txt", "obj:none"} {
		r.refused("read_file", fmt.Sprintf(`{"name":%q}`, name), "mine.txt")
		r.refused("edit_file", fmt.Sprintf(`{"name":%q,"old":"h","new":"x"}`, name), "mine.txt")
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	r.give("s", "p.png", "image/png", "\x89PNG\r\n\x1a\n\x00")
	r.give("s", "odd.csv", "text/csv", "\xc4\xe3\xff\xff\xfe")
	r.give("s", "nul.txt", "text/plain", "a\x00b")
	r.give("s", "big.txt", "text/plain", strings.Repeat("x", maxText+1))
	r.give("s", "two.txt", "text/plain", "a a")
	for _, c := range []struct{ tool, parameter, why string }{
		{"read_file", `{"name":"p.png"}`, "no text in UTF-8 or GB18030 (image/png)"},
		{"edit_file", `{"name":"p.png","old":"P","new":"Q"}`, "no text"},
		{"read_file", `{"name":"odd.csv"}`, "no text"},
		{"append_to_file", `{"name":"odd.csv","text":"x"}`, "no text"},
		{"append_to_file", `{"name":"nul.txt","text":"x"}`, "no text"},
		{"append_to_file", `{"name":"none.txt","text":"x"}`, "there is no file"},
		{"append_to_file", `{"name":"two.txt","text":""}`, "text"},
		{"read_file", `{"name":"nul.txt"}`, "no text"},
		{"edit_file", `{"name":"big.txt","old":"x","new":"y"}`, "8388609 bytes"},
		{"count_in_file", `{"name":"p.png"}`, "no text"},
		{"count_in_file", `{"name":"big.txt"}`, "8388609 bytes"},
		{"count_in_file", `{"name":"none.txt"}`, "there is no file"},
		{"read_file", `{"name":"two.txt","from":9}`, "it cannot be read from line 9"},
		{"read_file", `{}`, "name"},
		{"edit_file", `{"name":"two.txt","old":"a","new":"b"}`, "2 times"},
		{"edit_file", `{"name":"two.txt","old":"","new":"b"}`, "old"},
		{"save_file", `{"name":"../x.txt","text":"x"}`, "cannot be the name"},
		{"save_file", `{"name":"/etc/x.txt","text":"x"}`, "cannot be the name"},
		{"save_file", `{"name":"a\u0000.txt","text":"x"}`, "cannot be the name"},
		{"save_file", `{"name":"a\u202etxt.md","text":"x"}`, "cannot be the name"},
		{"save_file", `{"name":".bashrc","text":"x"}`, "cannot be the name"},
		{"save_file", `{"name":"x.png","text":"x"}`, "only texts"},
		{"save_file", `{"name":"x.exe","text":"x"}`, "only texts"},
		{"save_file", fmt.Sprintf(`{"name":"x.txt","text":"%s"}`, strings.Repeat("表", maxWrite/3+1)), "at most"},
	} {
		r.refused(c.tool, c.parameter, c.why)
	}
	if l := ok[listing](r, "s", "list_files", ""); l.Count != 5 {
		t.Errorf("%+v", l)
	}
}

// A row is added on a line of its own, whatever stood at the end; also to a file that is too large to be edited. What was said in GB18030 is read as it is meant.
func TestAppend(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	for before, after := range map[string]string{"": "3,4\n", "a,b": "a,b\n3,4\n", "a,b\n": "a,b\n3,4\n", "\xEF\xBB\xBFa": "a\n3,4\n", "\xc4\xe3\xba\xc3": "你好\n3,4\n"} {
		r.give("s", "a.csv", "text/csv", before)
		if k := ok[kept](r, "s", "append_to_file", `{"name":"a.csv","text":"3,4"}`); k.Name != "a.csv" || k.Bytes != int64(len(after)) || !strings.Contains(k.SummaryEn, "Added 1 line to") {
			t.Errorf("%+v", k)
		}
		if p := ok[page](r, "s", "read_file", `{"name":"a.csv"}`); p.Answer != after {
			t.Errorf("%q became %q, want %q", before, p.Answer, after)
		}
	}
	const lines = 700_000
	r.give("s", "long.log", "text/plain", strings.Repeat("a line of the log\n", lines))
	ok[kept](r, "s", "append_to_file", `{"name":"long.log","text":"the last\nof all\n"}`)
	if p := ok[page](r, "s", "read_file", fmt.Sprintf(`{"name":"long.log","from":%d}`, lines)); p.Answer != "a line of the log\nthe last\nof all\n" || p.Lines != lines+2 {
		t.Errorf("%+v", p)
	}
}

func FuzzTexts(f *testing.F) {
	f.Add([]byte("\xEF\xBB\xBFa\n你"))
	f.Add([]byte("\xc4\xe3\xba\xc3"))
	f.Fuzz(func(t *testing.T, data []byte) {
		r := newTexts(io.NopCloser(iotest.OneByteReader(bytes.NewReader(data))))
		got, err := io.ReadAll(r)
		if err == nil && !utf8.Valid(got) {
			t.Errorf("%q", got)
		}
		if plain := bytes.TrimPrefix(data, []byte("\xEF\xBB\xBF")); utf8.Valid(plain) && bytes.IndexByte(plain, 0) < 0 && (err != nil || !bytes.Equal(got, plain)) {
			t.Errorf("%q became %q, %v", data, got, err)
		}
	})
}

func TestLongTexts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text     string
		want     pageWanted
		from, to int
	}{
		{"", pageWanted{}, 1, 0},
		{"a", pageWanted{}, 1, 1},
		{"a\nb", pageWanted{}, 1, 2},
		{"a\nb\n", pageWanted{From: 2}, 2, 2},
		{strings.Repeat("line of text\n", 10_000), pageWanted{}, 1, maxShown / 13},
		{strings.Repeat("line of text\n", 10_000), pageWanted{From: 9_999}, 9_999, 10_000},
		{strings.Repeat("表", maxShown) + "\nb", pageWanted{}, 1, 1},
	} {
		p, err := turn("x", strings.NewReader(c.text), c.want)
		if err != nil || p.From != c.from || p.To != c.to || len(p.Answer) > maxShown+3 || strings.ContainsRune(p.Answer, '\uFFFD') {
			t.Errorf("%.20q %+v: %v, lines %d to %d, %d bytes", c.text, c.want, err, p.From, p.To, len(p.Answer))
		}
	}
}

func FuzzTurn(f *testing.F) {
	f.Add("a\nb\n", 2, 1)
	f.Fuzz(func(t *testing.T, text string, from, lines int) {
		p, err := turn("x", strings.NewReader(text), pageWanted{From: from, Lines: lines})
		if err == nil && (len(p.Answer) > maxShown+3 || p.To > p.Lines) {
			t.Errorf("%+v", p)
		}
	})
}
