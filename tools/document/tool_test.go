package document

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/bus/bustest"
	"github.com/hmap-project/hmap/tools"
)

// desk is a bus with a session on it, and the tool.
type desk struct {
	*testing.T
	bus    *bus.Bus
	tool   tools.Tool
	last   map[string]uint64
	output string // chosen beside the request
}

func newDesk(t *testing.T, log ...bus.Record) *desk {
	d := &desk{T: t, bus: bustest.New(t), last: map[string]uint64{}}
	d.tool = Tool(d.bus, time.UTC)
	d.say(log...)
	return d
}

func (d *desk) say(log ...bus.Record) {
	d.Helper()
	for _, r := range log {
		r.HMAP, r.Session, r.Agent = bus.Version, "s1", "master"
		if r.Request != nil {
			asked := *r.Request // a log may be that of several tests at once
			asked.HMAP, asked.Session, asked.Task, asked.Call, asked.Caller, asked.ToolName = bus.Version, "s1", r.Task, r.Call, "user", "master"
			r.Request = &asked
		}
		seq, err := d.bus.Append(d.Context(), &r, d.last[r.Call])
		if err != nil {
			d.Fatal(err)
		}
		d.last[r.Call] = seq
	}
}

func (d *desk) put(name, mediaType, content string) string {
	d.Helper()
	f, err := d.bus.Files().Put(d.Context(), name, mediaType, "", strings.NewReader(content))
	if err != nil {
		d.Fatal(err)
	}
	return f.Ref
}

// call asks the tool as the tool actor does, and gives what it made with the file's content.
func (d *desk) call(id string, wish Wish) (Made, string, error) {
	d.Helper()
	parameter, err := json.Marshal(wish)
	if err != nil {
		d.Fatal(err)
	}
	var attached []bus.File
	out, err := d.tool.Run(d.Context(), &tools.Call{
		Request:  bus.Request{Session: "s1", Task: "t2", Call: id, ToolName: reportTool, Parameter: parameter, Output: d.output},
		Progress: func(string) {}, Attach: func(f bus.File) { attached = append(attached, f) }, Files: d.bus.Files(),
	})
	if err != nil {
		return Made{}, "", err
	}
	made := out.(Made)
	if wish.Draft {
		return made, "", nil
	}
	if len(attached) != 1 || attached[0] != *made.File {
		d.Fatalf("attached %v, made %v", attached, made.File)
	}
	r, _, err := d.bus.Files().Get(d.Context(), made.File.Ref)
	if err != nil {
		d.Fatal(err)
	}
	defer r.Close()
	body, err := io.ReadAll(r)
	if err != nil {
		d.Fatal(err)
	}
	return made, string(body), nil
}

// Without a model, a document is made of what the task has found; asked again under the same call id, it is the same file.
func TestToolMakesADocumentOfTheTask(t *testing.T) {
	t.Parallel()
	d := newDesk(t, talk()...)
	made, body, err := d.call("c1", Wish{Format: "md"})
	if err != nil {
		t.Fatal(err)
	}
	wantAll(t, "the document", body, "# 销售额\n", "销售额 5 元。")
	if strings.Contains(body, "订单") || made.File.Name != "销售额.md" || made.File.Type != Markdown.Type() || made.File.Bytes != int64(len(body)) || !strings.Contains(made.Summary, "已生成《销售额.md》（1 节") {
		t.Errorf("%+v\n%s", made, body)
	}
	again, _, err := d.call("c1", Wish{Format: "md"})
	if err != nil || again.File.Ref != made.File.Ref || again.Summary != made.Summary {
		t.Errorf("%+v %v", again, err)
	}
	if f := format(Wish{}, bus.Request{Task: "t2", Output: "docs"}, Read(talk())); f != PPTX { // as the request says
		t.Errorf("format %s", f)
	}
	d.output = "docs" // which of the two was followed is told
	if both, _, err := d.call("c3", Wish{Format: "md"}); err != nil || !strings.Contains(both.Summary, "旁边选的输出是 docx，请求里说的是 md") || !strings.Contains(both.SummaryEn, "as the request says") {
		t.Errorf("%+v %v", both, err)
	}
	if one, _, err := d.call("c4", Wish{Format: "docx"}); err != nil || strings.Contains(one.Summary, "旁边") {
		t.Errorf("%+v %v", one, err)
	}
	other, _, err := d.call("c2", Wish{Format: "md", Scope: "all", Title: "全部"})
	if err != nil || other.File.Ref == made.File.Ref || other.Sections != 2 || other.File.Name != "全部.md" {
		t.Errorf("%+v %v", other, err)
	}
}

// Tables have the columns that are asked for, by their names or what people call them, in that order; one that no table has is refused with those that there are.
func TestToolKeepsColumns(t *testing.T) {
	t.Parallel()
	d := newDesk(t, talk()...)
	material := "有 2 单。\n\n| 订单编号 | 买家 | 实付金额 | 城市 |\n| --- | --- | --- | --- |\n| 281065888393 | 马轩 | 12 | 北京 |\n| 281065888394 | 王萍 | 30 | 上海 |\n\n| 城市 | 单数 |\n| --- | --- |\n| 北京 | 1 |\n"
	for asked, want := range map[string]string{
		"金额,订单编号": "| 实付金额 | 订单编号 |", "订单号,客户": "| 订单编号 | 买家 |", "Order ID,amount": "| 订单编号 | 实付金额 |",
	} {
		_, body, err := d.call(asked, Wish{Format: "md", Title: "单", Material: material, Columns: strings.Split(asked, ",")})
		if err != nil || !strings.Contains(body, want) || strings.Contains(body, "单数") || strings.Contains(body, "上海") {
			t.Errorf("%s: %v\n%s", asked, err, body)
		}
	}
	if _, _, err := d.call("none", Wish{Format: "md", Title: "单", Material: material, Columns: []string{"金额", "运费"}}); err == nil || !strings.Contains(err.Error(), "没有「运费」这一列") || !strings.Contains(err.Error(), "买家") {
		t.Errorf("%v", err)
	}
}

// A long document is written in drafts, which are in the log, and made at the end of them.
func TestToolDrafts(t *testing.T) {
	t.Parallel()
	d := newDesk(t, talk()...)
	for i := range 3 {
		wish := json.RawMessage(fmt.Sprintf(`{"draft":true,"sections":[{"heading":"第 %d 节","text":"很长"}]}`, i+1))
		var w Wish
		if err := json.Unmarshal(wish, &w); err != nil {
			t.Fatal(err)
		}
		made, _, err := d.call(fmt.Sprint("d", i), w)
		if err != nil || made.File != nil || made.Sections != 1 || !strings.Contains(made.Summary, fmt.Sprintf("已写好 %d 节", i+1)) || !strings.Contains(made.SummaryEn, fmt.Sprintf("第 %d 节. When", i+1)) {
			t.Fatalf("%+v %v", made, err)
		}
		d.say(record(bus.KindResult, "t2", "t2-3-0", func(r *bus.Record) {
			r.Round, r.Child, r.ToolName, r.Status, r.Parameter, r.Observation = i+1, fmt.Sprint("d", i), reportTool, bus.OK, wish, encode(made)
		}))
	}
	made, body, err := d.call("c9", Wish{Format: "markdown", Title: "长报告"})
	if err != nil || made.Sections != 3 {
		t.Fatalf("%+v %v", made, err)
	}
	wantAll(t, "the document", body, "## 第 1 节", "## 第 2 节", "## 第 3 节")
	if _, _, err := d.call("d9", Wish{Draft: true}); code(err) != bus.CodeInvalidParameter {
		t.Error(err)
	}
}

func code(err error) string {
	told := new(bus.Error)
	if errors.As(err, &told) {
		return told.Code
	}
	return fmt.Sprint(err)
}

func TestToolTakesFiles(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewGray(image.Rect(0, 0, 4, 4))); err != nil {
		t.Fatal(err)
	}
	made, body, err := d.call("c1", Wish{Format: "html", Title: "文件", Files: []string{
		d.put("销售.csv", "text/csv", "\ufeff月份;金额\n2026-01;5\n2026-02;7\n2026-03;9\n"), d.put("picture.csv", "text/csv", picture.String()),
		d.put("gbk.csv", "text/csv", "\xd0\xd5\xc3\xfb,n\n\xcd\xf5,1\n"), d.put("notes.md", "text/markdown", "# 记\n\n一行 <script>x</script>"),
	}})
	if err != nil {
		t.Fatal(err)
	}
	wantAll(t, "the page", body, "<h2>销售</h2>", "2026-03", "<svg", `src="data:image/png;base64,`, "姓名", "王", "<h2>记</h2>", "一行")
	if made.Tables != 2 || made.Charts != 1 || strings.Contains(body, "<script") {
		t.Errorf("%+v", made)
	}
	for name, wish := range map[string]Wish{
		"nothing":     {},
		"no file":     {Files: []string{"obj:none"}},
		"no ref":      {Files: []string{"/etc/passwd"}},
		"a liar":      {Files: []string{d.put("x.png", "image/png", "<svg onload=alert(1)>")}},
		"broken book": {Files: []string{d.put("x.xlsx", "", "PK\x03\x04 not a workbook")}},
		"empty":       {Files: []string{d.put("x.csv", "", "")}},
		"wide":        {Files: []string{d.put("x.csv", "", strings.Repeat("a,", 200))}},
		"too many":    {Files: slicesOf(d.put("x.csv", "", "a\n1"), 51)},
	} {
		if _, _, err := d.call("c2", wish); code(err) != bus.CodeInvalidParameter {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func slicesOf(s string, n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = s
	}
	return out
}

// The card holds what the function takes, and a long file is read to its end and shown by its first rows.
// What a document draws on is bounded as it is itself: fifty pictures would be half a gigabyte.
func TestFilesTogether(t *testing.T) {
	d := newDesk(t)
	ref := d.put("a.txt", "text/plain", "12345")
	read := budget{bytes: bus.MaxFile - 8}
	if _, body, err := fetch(t.Context(), d.bus.Files(), ref, &read); err != nil || string(body) != "12345" {
		t.Errorf("%q %v", body, err)
	}
	if _, body, err := fetch(t.Context(), d.bus.Files(), ref, &read); body != nil || code(err) != bus.CodeInvalidParameter {
		t.Errorf("%q %v", body, err)
	}
}

func TestToolLongFile(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("n,name\n")
	for i := range 250_000 {
		fmt.Fprintf(&b, "%d,x\n", i)
	}
	table, err := readCSV(t.Context(), []byte(b.String()))
	if err != nil || len(table.Rows) != 200_000 || table.Total != 250_000 {
		t.Fatalf("%d rows of %d, %v", len(table.Rows), table.Total, err)
	}
	for _, schema := range []json.RawMessage{reportCard().Parameters, reportCard().Returns} {
		if !json.Valid(schema) || bytes.Contains(schema, []byte("$ref")) {
			t.Errorf("%s", schema)
		}
	}
}

// A file of the session can be named, in the call or in the request; then it is what the document holds.
func TestToolTakesFilesByName(t *testing.T) {
	t.Parallel()
	log := talk()
	log[4].Request.JobDesc = "把Sales.csv做成表格"
	d := newDesk(t, log...)
	for _, name := range []string{"sales.csv", "les.csv", "other.csv"} {
		ref := d.put(name, "text/csv", "day,"+name+"\n2026-11-01,3\n2026-11-02,4\n2026-11-05,9\n")
		d.say(bus.Record{Kind: bus.KindFile, Task: "t2", Call: "t2", File: &bus.File{Ref: ref, Name: name, Type: "text/csv"}})
	}
	made, body, err := d.call("c1", Wish{Format: "md"})
	if err != nil || made.File.Name != "sales.md" || made.Sections != 1 || made.Charts != 1 || !strings.Contains(body, "sales.csv") || strings.Contains(body, "销售额 5 元") {
		t.Errorf("%v %+v\n%s", err, made, body)
	}
	if made, body, err = d.call("c2", Wish{Format: "md", Files: []string{"other.csv"}}); err != nil || made.Sections != 1 || !strings.Contains(body, "other.csv") {
		t.Errorf("%v %+v\n%s", err, made, body)
	}
	if _, _, err = d.call("c3", Wish{Files: []string{"none.csv"}}); code(err) != bus.CodeInvalidParameter {
		t.Error(err)
	}
}

// A writer that came to no end has not written for nothing: the next wish for a document is for what is there.
func TestToolTakesUpDrafts(t *testing.T) {
	t.Parallel()
	wish := json.RawMessage(`{"draft":true,"sections":[{"heading":"第 1 节","text":"很长"}]}`)
	ask := func(task, what string) bus.Record {
		return record(bus.KindRequest, task, task, func(r *bus.Record) { r.Request = &bus.Request{JobDesc: what} })
	}
	d := newDesk(t, ask("t1", "写长报告"), record(bus.KindResult, "t1", "t1-1-0", func(r *bus.Record) {
		r.Child, r.ToolName, r.Status, r.Parameter, r.Observation = "t1-1-0-1-0", reportTool, bus.OK, wish, json.RawMessage(`{}`)
	}), record(bus.KindResult, "t1", "t1", func(r *bus.Record) {
		r.Child, r.ToolName, r.JobDesc, r.Status, r.Error = "t1-1-0", "reports", "写", bus.Failed, &bus.Error{Code: bus.CodeBudget}
	}), ask("t2", "做成Word"))
	made, body, err := d.call("c1", Wish{Format: "md"})
	if err != nil || made.Sections != 1 || !strings.Contains(body, "## 第 1 节") || made.File.Name != "写长报告.md" {
		t.Errorf("%+v %v %s", made, err, body)
	}
}
