package document

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/tools"
	"github.com/hmap-project/hmap/tools/document/outline"
)

// described is how the descriptions of our files begin.
const described = "文档 document: "

// Wish is what report_tool is asked for. Without sections and material the document is made of what the conversation found.
type Wish struct {
	Format   string            `json:"format,omitempty"`
	Title    string            `json:"title,omitempty"`
	Subtitle string            `json:"subtitle,omitempty"`
	Theme    string            `json:"theme,omitempty"`
	Scope    string            `json:"scope,omitempty"`
	Material string            `json:"material,omitempty"`
	Files    []string          `json:"files,omitempty"`
	Sections []outline.Section `json:"sections,omitempty"`
	Sources  []outline.Source  `json:"sources,omitempty"`
}

// Made is what report_tool returns. The file itself is an artifact of the call.
type Made struct {
	Summary   string   `json:"summary"`
	SummaryEn string   `json:"summary_en"`
	File      bus.File `json:"file"`
	Sections  int      `json:"sections"`
	Tables    int      `json:"tables"`
	Charts    int      `json:"charts"`
}

// Written is what write_section returns.
type Written struct {
	Heading string `json:"heading"`
	Bytes   int    `json:"bytes"` // of text
	Tables  int    `json:"tables"`
	Charts  int    `json:"charts"`
}

// Tools are report_tool, which makes documents, and write_section, with which an agent that has a model writes a long one piece by piece. They read
// the log of the session that calls them, where the results lie, and the sections: nothing is kept here.
func Tools(b *bus.Bus) []tools.Tool {
	w := writer{b}
	return []tools.Tool{tools.New(reportCard(), w.report), tools.New(sectionCard(), w.section)}
}

type writer struct{ bus *bus.Bus }

func (w writer) report(ctx context.Context, call *tools.Call, wish Wish) (Made, error) {
	f := HTML
	for _, name := range []string{wish.Format, call.Request.Output} {
		if named, ok := Named(name); ok {
			f = named
			break
		}
	}
	r := call.Request
	key := strings.Join([]string{"document", r.Session, r.Task, r.Call}, ".")
	if made, ok := w.earlier(ctx, call, key); ok {
		call.Attach(made.File)
		return made, nil
	}
	o, err := w.outline(ctx, call, wish)
	if err != nil {
		return Made{}, err
	}
	call.Progress(o.Words("正在排版……", "setting the document …"))
	body, err := Render(ctx, o, f)
	if err != nil {
		return Made{}, err
	}
	made := count(o)
	description := described + o.Title
	made.File, err = call.Files.Put(ctx, FileName(o, f), f.Type(), description, bytes.NewReader(body))
	if errors.Is(err, bus.ErrTooLarge) {
		return Made{}, refuse("the %s would be larger than %d MiB; leave out tables or pictures", f, bus.MaxFile>>20)
	}
	if err != nil {
		return Made{}, err
	}
	made.say()
	call.Attach(made.File)
	if kept, err := json.Marshal(made); err == nil {
		_, _ = w.bus.Cache(ctx, key, kept) // a repeat without it makes the document again, which costs no more than time
	}
	return made, nil
}

// earlier is what the same call made before, if its file is still there.
func (w writer) earlier(ctx context.Context, call *tools.Call, key string) (made Made, ok bool) {
	kept, _, err := w.bus.Cached(ctx, key)
	if err != nil || json.Unmarshal(kept, &made) != nil {
		return made, false
	}
	r, f, err := call.Files.Get(ctx, made.File.Ref)
	if err != nil || f.Bytes != made.File.Bytes {
		return made, false
	}
	return made, r.Close() == nil
}

// outline is what the document will hold: the sections that are given; else those that were written in this task; else the material; else what the
// conversation found. Files come last in any case.
func (w writer) outline(ctx context.Context, call *tools.Call, wish Wish) (*outline.Outline, error) {
	r := call.Request
	o := &outline.Outline{
		Title: wish.Title, Subtitle: wish.Subtitle, Theme: wish.Theme, Sections: wish.Sections, Sources: wish.Sources,
		Date: time.Now().Format(time.DateOnly), Language: "en",
	}
	var talk *Talk
	if len(o.Sections) == 0 || o.Title == "" {
		records, err := w.bus.Read(ctx, bus.Where{Session: r.Session}, 0)
		if err != nil {
			return nil, fmt.Errorf("the session's log: %w", err)
		}
		talk = Read(records)
	}
	if o.Title == "" {
		o.Title = talk.Title(r.Task)
	}
	if strings.ContainsFunc(o.Title+wish.Material, isHan) {
		o.Language = "zh"
	}
	if len(o.Sections) == 0 {
		o.Sections = talk.Sections(r.Task)
	}
	if len(o.Sections) == 0 {
		passages := []Passage{{Text: wish.Material}}
		if strings.TrimSpace(wish.Material) == "" {
			passages = talk.Of(r.Task, wish.Scope == "all")
		}
		Compose(o, passages)
	}
	read := 0
	for _, ref := range wish.Files {
		more, err := attach(ctx, call.Files, ref, &read)
		if err != nil {
			return nil, err
		}
		o.Sections = append(o.Sections, more...)
	}
	if o.Empty() {
		return nil, refuse("there is nothing to put into the document: this conversation has found nothing yet; ask for the figures first, or give material, sections or files")
	}
	single(o)
	if err := load(ctx, call.Files, o); err != nil {
		return nil, err
	}
	return o, nil
}

// single gives the only section of a document a heading that says more than the title again.
func single(o *outline.Outline) {
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
	m.SummaryEn = fmt.Sprintf("Made “%s” (%d sections, %d tables, %d charts, %s).", m.File.Name, m.Sections, m.Tables, m.Charts, size(m.File.Bytes))
}

func size(bytes int64) string {
	if bytes < 1<<20 {
		return fmt.Sprintf("%d kB", max(1, bytes/1000))
	}
	return fmt.Sprintf("%.1f MB", float64(bytes)/1e6)
}

// section holds a section to the bounds. It keeps nothing: the section stands in the log, as the parameters of this call.
func (w writer) section(_ context.Context, _ *tools.Call, s outline.Section) (Written, error) {
	o := outline.Outline{Sections: []outline.Section{s}}
	if err := o.Check(); err != nil {
		return Written{}, refuse("%v", err)
	}
	if s.Heading == "" && s.Text == "" && len(s.Tables)+len(s.Charts)+len(s.Pictures) == 0 {
		return Written{}, refuse("an empty section; give a heading, text, tables, charts or pictures")
	}
	return Written{Heading: s.Heading, Bytes: len(s.Text), Tables: len(s.Tables), Charts: len(s.Charts)}, nil
}
