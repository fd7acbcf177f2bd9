package table

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/anthdm/hollywood/actor"
	"go.uber.org/goleak"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/bus/bustest"
	"github.com/hmap-project/hmap/tools"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m)
}

// sales is the table that most tests ask: twelve sales whose figures can be added up by hand.
const sales = `日期,地区,城市,商品,数量,单价,销售额
2024-01-05,华东,上海,手机,2,3000,6000
2024-01-20,华东,杭州,耳机,10,200,2000
2024-02-03,华南,广州,手机,1,3000,3000
2024-02-14,华南,深圳,平板,3,2500,7500
2024-02-28,华北,北京,耳机,5,200,1000
2024-03-02,华东,上海,平板,2,2500,5000
2024-03-15,华北,天津,手机,4,2900,11600
2024-03-30,华南,广州,耳机,8,190,1520
2024-04-08,华东,杭州,手机,1,2900,2900
2024-04-18,华北,北京,平板,1,2400,2400
2024-05-01,华南,深圳,手机,2,2800,5600
2024-05-20,华东,上海,耳机,12,180,2160
`

// bookOf makes a book of files on disk, given as name and content in turn.
func bookOf(t testing.TB, files ...string) (*book, error) {
	t.Helper()
	dir := t.TempDir()
	ctx := t.Context()
	l, err := newLoader(ctx, filepath.Join(dir, "tables.db"))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(files); i += 2 {
		local := filepath.Join(dir, fmt.Sprint(i))
		if err := os.WriteFile(local, []byte(files[i+1]), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := l.load(ctx, files[i], local); err != nil {
			return nil, closing2(err, l)
		}
	}
	b := &book{dir: dir, tables: l.tables}
	if err := l.close(); err != nil {
		t.Fatal(err)
	}
	if err := b.ask(ctx); err != nil {
		return nil, err
	}
	t.Cleanup(func() {
		if err := b.close(); err != nil {
			t.Error(err)
		}
	})
	return b, nil
}

func closing2(err error, l *loader) error {
	l.close()
	return err
}

func mustBook(t testing.TB, files ...string) *book {
	t.Helper()
	b, err := bookOf(t, files...)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// today is when the questions of the tests are asked.
var today = time.Date(2024, 6, 10, 9, 0, 0, 0, time.UTC)

// answered is what a question comes to by the rules, as lines of cells; an error that says so when it is not understood.
func answered(t testing.TB, b *book, question string) (string, string) {
	t.Helper()
	w, doubt := readWish(question, b.tables, today, nil)
	if doubt != nil {
		return "? " + doubt.en, ""
	}
	text := w.sql(tools.Language(question))
	r, err := b.query(t.Context(), text)
	if err != nil {
		return "error " + err.Error(), text
	}
	var lines []string
	for _, row := range r.rows {
		var cells []string
		for _, v := range row {
			cells = append(cells, cellText(v))
		}
		lines = append(lines, strings.Join(cells, " "))
	}
	return strings.Join(lines, "; "), text
}

// room is the tools on a bus of their own.
type room struct {
	t     testing.TB
	bus   *bus.Bus
	calls int
	last  map[string]uint64
}

func newRoom(t testing.TB, o Options) *room {
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
	for _, tool := range Tools(o) {
		if err := host.Add(tool); err != nil {
			t.Fatal(err)
		}
	}
	return &room{t: t, bus: b, last: map[string]uint64{}}
}

func (r *room) ask(ctx context.Context, session, tool, parameter string) bus.Response {
	r.t.Helper()
	r.calls++
	answer, err := r.bus.Call(ctx, bus.Request{Session: session, Task: "t", Call: fmt.Sprintf("t-%d-0", r.calls), Caller: "tester", ToolName: tool, Parameter: json.RawMessage(parameter)}, nil)
	if err != nil {
		r.t.Fatal(err)
	}
	return answer
}

func (r *room) give(session, name, content string) bus.File {
	r.t.Helper()
	f, err := r.bus.Files().Put(r.t.Context(), name, "", "", strings.NewReader(content))
	if err != nil {
		r.t.Fatal(err)
	}
	rec := bus.Record{Kind: bus.KindFile, File: &f, Session: session, Task: "t", Call: "t"}
	if r.last[session], err = r.bus.Append(r.t.Context(), &rec, r.last[session]); err != nil {
		r.t.Fatal(err)
	}
	return f
}

// content is what a file of an answer holds.
func (r *room) content(f bus.File) string {
	r.t.Helper()
	reader, _, err := r.bus.Files().Get(r.t.Context(), f.Ref)
	if err != nil {
		r.t.Fatal(err)
	}
	defer reader.Close()
	body, err := io.ReadAll(reader)
	if err != nil {
		r.t.Fatal(err)
	}
	return string(body)
}
