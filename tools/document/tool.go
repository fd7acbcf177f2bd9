package document

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/tools"
	"github.com/hmap-project/hmap/tools/document/outline"
)

// Wish is what report_tool is asked for. Without sections and material the document is made of what the conversation found.
type Wish struct {
	Format   string   `json:"format,omitempty"`
	Title    string   `json:"title,omitempty"`
	Subtitle string   `json:"subtitle,omitempty"`
	Theme    string   `json:"theme,omitempty"`
	Scope    string   `json:"scope,omitempty"`
	Material string   `json:"material,omitempty"`
	Files    []string `json:"files,omitempty"`
	// Columns are the only ones that tables shall have, by their names or what people call them; empty: all.
	Columns  []string          `json:"columns,omitempty"`
	Sections []outline.Section `json:"sections,omitempty"`
	Sources  []outline.Source  `json:"sources,omitempty"`
	// Draft: the sections are a piece of a longer document. No file is made yet.
	Draft bool `json:"draft,omitempty"`
}

// Made is what report_tool returns. The file itself is an artifact of the call.
type Made struct {
	Summary   string    `json:"summary"`
	SummaryEn string    `json:"summary_en"`
	File      *bus.File `json:"file,omitempty"` // nil for a draft
	Sections  int       `json:"sections"`
	Tables    int       `json:"tables"`
	Charts    int       `json:"charts"`
}

// Tool is report_tool, which makes documents. It reads the log of the session that calls it, where the results lie. An agent that has a model writes a
// long document in several calls, the sections so far as drafts: they, too, lie in the log, as parameters of these calls. Nothing is kept here, nothing
// is cut off where a model's answer ends, and whoever goes on after a crash finds what was written. Documents bear the day that it is in zone; nil: UTC.
func Tool(b *bus.Bus, zone *time.Location) tools.Tool {
	if zone == nil {
		zone = time.UTC
	}
	return tools.New(reportCard(), writer{b, zone}.report)
}

type writer struct {
	bus  *bus.Bus
	zone *time.Location
}

func (w writer) report(ctx context.Context, call *tools.Call, wish Wish) (Made, error) {
	r := call.Request
	if wish.Draft {
		return w.draft(ctx, call, wish)
	}
	key := strings.Join([]string{"document", r.Session, r.Task, r.Call}, ".")
	if made, ok := w.earlier(ctx, call, key); ok {
		call.Attach(*made.File)
		return made, nil
	}
	records, err := w.bus.Read(ctx, bus.Where{Session: r.Session}, 0)
	if err != nil {
		return Made{}, fmt.Errorf("the session's log: %w", err)
	}
	talk := Read(records)
	f := format(wish, r, talk)
	o, err := w.outline(ctx, call, wish, talk)
	if err != nil {
		return Made{}, err
	}
	if (f == XLSX || f == CSV) && !o.Tabular() {
		return Made{}, refuse(o.Words("没有可以做成表格的内容：查到的结果里没有表，%s 文件无从做起；请先查出要的行，或换一种格式", "There is no table in what was found, so there is nothing to put into a %s file; ask for the rows first, or for another format"), f)
	}
	show(call, wish.Sections)
	call.Progress(o.Words("正在排版……", "setting the document …"))
	body, err := Render(ctx, o, f)
	if err != nil {
		return Made{}, err
	}
	made := count(o)
	file, err := call.Files.Put(ctx, FileName(o, f), f.Type(), o.Title, bytes.NewReader(body))
	if errors.Is(err, bus.ErrTooLarge) {
		return Made{}, refuse("the %s would be larger than %d MiB; leave out tables or pictures", f, bus.MaxFile>>20)
	}
	if err != nil {
		return Made{}, err
	}
	made.File = &file
	made.say()
	if chosen, ok := Named(r.Output); ok && r.Output != "table" && chosen != f { // a table is one of the answer
		made.Summary += fmt.Sprintf("旁边选的输出是 %s，请求里说的是 %s：按请求里说的做。", chosen, f)
		made.SummaryEn += fmt.Sprintf(" The output chosen beside the request was %s, and the request says %s: it was made as the request says.", chosen, f)
	}
	call.Attach(file)
	if kept, err := json.Marshal(made); err == nil {
		_, _ = w.bus.Cache(ctx, key, kept) // a repeat without it makes the document again, which costs no more than time
	}
	return made, nil
}

// format is the one that is asked for; else the one that the request names; else that of the output chosen beside it; else a page.
func format(wish Wish, r bus.Request, talk *Talk) Format {
	if f, ok := Named(wish.Format); ok {
		return f
	}
	if f, ok := said(talk.request(r.Task)); ok {
		return f
	}
	if f, ok := Named(r.Output); ok {
		return f
	}
	return HTML
}

// earlier is what the same call made before, if its file is still there.
func (w writer) earlier(ctx context.Context, call *tools.Call, key string) (made Made, ok bool) {
	kept, _, err := w.bus.Cached(ctx, key)
	if err != nil || json.Unmarshal(kept, &made) != nil || made.File == nil {
		return made, false
	}
	r, f, err := call.Files.Get(ctx, made.File.Ref)
	if err != nil || f.Bytes != made.File.Bytes {
		return made, false
	}
	return made, r.Close() == nil
}

// outline is what the document will hold: the drafts of this task and the sections that are given; else the material; else what the conversation found.
// Files come last in any case.
func (w writer) outline(ctx context.Context, call *tools.Call, wish Wish, talk *Talk) (*outline.Outline, error) {
	r := call.Request
	o := &outline.Outline{
		Title: wish.Title, Subtitle: wish.Subtitle, Theme: wish.Theme, Sections: wish.Sections, Sources: wish.Sources,
		Date: time.Now().In(w.zone).Format(time.DateOnly),
	}
	if o.Title == "" {
		o.Title = talk.Title(r.Task)
	}
	o.Language = tools.Language(o.Title + "\n" + wish.Material)
	drafts := talk.Drafts(r.Task)
	if len(drafts)+len(o.Sections)+len(wish.Files) == 0 && strings.TrimSpace(wish.Material) == "" {
		var title string
		if drafts, title = talk.Unfinished(r.Task); wish.Title == "" && title != "" {
			o.Title = title
		}
	}
	o.Sections = append(drafts, o.Sections...)
	files, err := w.files(ctx, call, wish, talk, len(o.Sections) == 0)
	if err != nil {
		return nil, err
	}
	if len(files) == 1 && wish.Title == "" {
		o.Title = strings.TrimSuffix(files[0].Name, path.Ext(files[0].Name))
	}
	if len(o.Sections) == 0 && (len(files) == 0 || strings.TrimSpace(wish.Material) != "") {
		passages := []Passage{{Text: wish.Material}}
		if strings.TrimSpace(wish.Material) == "" {
			passages = talk.Of(r.Task, wish.Scope == "all")
		}
		if wish.Title == "" && (there.MatchString(o.Title) || onlyForm(o.Title)) && len(passages) > 0 && passages[0].Heading != "" {
			o.Title = passages[0].Heading
		}
		Compose(o, passages)
	}
	var read budget
	for _, f := range files {
		more, err := attach(ctx, call.Files, f.Ref, &read)
		if err != nil {
			return nil, err
		}
		o.Sections = append(o.Sections, more...)
	}
	if o.Empty() {
		return nil, refuse("%s", nothing(o, talk, r.Task))
	}
	headed(o)
	if err := load(ctx, call.Files, o); err != nil {
		return nil, err
	}
	return o, keep(o, wish.Columns)
}

// nothing says that there is nothing to put into a document, because of which request, and what to do first.
func nothing(o *outline.Outline, talk *Talk, task string) string {
	before := talk.before(task)
	if before == "" {
		return o.Words("没有可以放进文件的内容：前面还没有查过什么。请先说要查什么，有了结果再做成文件；也可以带上一个文件",
			"There is nothing to put into the document: nothing was asked for before. Ask for what shall be in it, and for the document when that is found; or bring a file")
	}
	return fmt.Sprintf(o.Words("没有可以放进文件的内容：前面没有查到结果（「%s」）。请换个说法再查一次，有了结果再做成文件；也可以带上一个文件",
		"There is nothing to put into the document: nothing was found before (“%s”). Ask for it in another way, and for the document when that is found; or bring a file"), before)
}

// files are those of the session that the document draws on: which the call names, by name or reference; else, when nothing else is given, which
// the request itself names.
func (w writer) files(ctx context.Context, call *tools.Call, wish Wish, talk *Talk, free bool) ([]bus.File, error) {
	shelf, err := call.Shelf(ctx)
	if err != nil {
		return nil, fmt.Errorf("the session's files: %w", err)
	}
	var out []bus.File
	for _, name := range wish.Files {
		f, ok := tools.Find(shelf, strings.TrimSpace(name))
		switch {
		case ok:
		case strings.HasPrefix(name, "obj:"):
			f = bus.File{Ref: name} // of another session, or an older one of its name
		default:
			return nil, refuse("there is no file %.80q in this session; list_files tells which there are", name)
		}
		out = append(out, f)
	}
	if len(wish.Files) > 0 || !free || strings.TrimSpace(wish.Material) != "" {
		return out, nil
	}
	request := strings.ToLower(talk.request(call.Request.Task))
	for _, f := range shelf {
		if named(request, strings.ToLower(f.Name)) && len(out) < maxFiles {
			out = append(out, f)
		}
	}
	return out, nil
}

// named reports whether a text has a file's name, and not as the end of another one: data.csv is not in mydata.csv.
func named(text, name string) bool {
	for at := 0; ; {
		i := strings.Index(text[at:], name)
		if i < 0 {
			return false
		}
		before, _ := utf8.DecodeLastRuneInString(text[:at+i])
		if at+i == 0 || isHan(before) || !unicode.IsLetter(before) && !unicode.IsDigit(before) && !strings.ContainsRune("._-", before) {
			return true
		}
		at += i + len(name)
	}
}

// headed gives sections a heading where they have none, or the title's.
func headed(o *outline.Outline) {
	for i := range o.Sections {
		s := &o.Sections[i]
		if s.Heading == "" || s.Heading == o.Title {
			s.Heading = o.Words("结果", "Results")
		}
	}
}

func count(o *outline.Outline) Made {
	m := Made{Sections: len(o.Sections)}
	for _, s := range o.Sections {
		m.Tables += len(s.Tables)
		m.Charts += len(s.Charts)
	}
	return m
}

// say words what was made.
func (m *Made) say() {
	m.Summary = fmt.Sprintf("已生成《%s》（%d 节，%d 张表，%d 幅图，%s）。", m.File.Name, m.Sections, m.Tables, m.Charts, size(m.File.Bytes))
	m.SummaryEn = fmt.Sprintf("Made “%s” (%s, %s, %s, %s).", m.File.Name, many(m.Sections, "section"), many(m.Tables, "table"), many(m.Charts, "chart"), size(m.File.Bytes))
}

func many(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func size(bytes int64) string {
	if bytes < 1<<20 {
		return fmt.Sprintf("%d kB", max(1, bytes/1000))
	}
	return fmt.Sprintf("%.1f MB", float64(bytes)/1e6)
}

// draft holds sections to the bounds, so that the one who writes hears at once what would be refused in the end; and tells what is written by now, for
// who writes a long document does not see all of it any more.
func (w writer) draft(ctx context.Context, call *tools.Call, wish Wish) (Made, error) {
	r := call.Request
	o := outline.Outline{Sections: wish.Sections}
	if o.Empty() {
		return Made{}, refuse("a draft without sections; give the next sections of the document, and call without draft when all are written")
	}
	if err := o.Check(); err != nil {
		return Made{}, refuse("%v", err)
	}
	show(call, wish.Sections)
	m := count(&o)
	records, err := w.bus.Read(ctx, bus.Where{Session: r.Session, Task: r.Task}, 0)
	if err != nil {
		return Made{}, fmt.Errorf("the task's log: %w", err)
	}
	var written []string
	for _, s := range append(Read(records).Drafts(r.Task), wish.Sections...) {
		written = append(written, outline.Clip(outline.Line(s.Heading), 40))
	}
	n := len(written)
	last := strings.Join(written[max(0, n-maxTold):], "；")
	m.Summary = fmt.Sprintf("已写好 %d 节，最近的是：%s。全部写完后再调用一次，不带 draft，生成文件。", n, last)
	m.SummaryEn = fmt.Sprintf("%s written by now, the last of them: %s. When all are, call again without draft to make the file.", many(n, "section"), last)
	return m, nil
}

// show tells who waits what was written just now: a long document is read while the next of it is being written.
func show(call *tools.Call, sections []outline.Section) {
	text := call.Stream()
	for _, s := range sections {
		text.Write("## " + s.Heading + "\n\n" + s.Text + "\n\n")
	}
}

// maxTold is how many of the headings that are written are told.
const maxTold = 12
