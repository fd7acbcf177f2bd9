package files

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/tools"
)

// listing is what list_files returns.
type listing struct {
	Summary   string   `json:"summary"`
	SummaryEn string   `json:"summary_en"`
	Count     int      `json:"count"`
	Files     []listed `json:"files"` // newest first, at most maxList
}

func lists() tools.Tool {
	return tools.New(bus.Card{
		Name: "list_files",
		Description: "列出本会话的全部文件：上传的文件和各工具生成的文件，包括名称、类型、大小。" +
			" Lists the files of this session, those that were uploaded and those that tools made, with name, type and size.",
		Parameters: []byte(`{"type":"object","properties":{},"additionalProperties":false}`),
		Returns: []byte(`{"type":"object","properties":{"summary":{"type":"string","title":"结论"},"summary_en":{"type":"string","title":"英文结论"},
			"count":{"type":"integer","title":"文件数","x-title-en":"Files"},"files":{"type":"array","title":"文件","x-title-en":"Files","items":` + fileSchema + `}},"required":["summary","summary_en","count","files"]}`),
		Effect: bus.Read, Timeout: 20 * time.Second,
		Tags: []string{"analyst", "文件", "文件列表", "列出文件", "有哪些文件", "会话文件", "files", "list files"},
	}, worded(func(ctx context.Context, call *tools.Call, _ struct{}) (listing, error) {
		shelf, err := call.Shelf(ctx)
		if err != nil {
			return listing{}, err
		}
		out := listing{Count: len(shelf), Files: []listed{}, Summary: fmt.Sprintf("本会话有 %d 个文件。", len(shelf)), SummaryEn: fmt.Sprintf("This session has %d files.", len(shelf))}
		switch len(shelf) {
		case 0:
			out.Summary, out.SummaryEn = "本会话还没有文件。", "This session has no files yet."
		case 1:
			out.SummaryEn = "This session has one file."
		}
		for _, f := range slices.Backward(shelf) {
			if len(out.Files) == maxList {
				out.Summary, out.SummaryEn = out.Summary+fmt.Sprintf("这里是最新的 %d 个。", maxList), out.SummaryEn+fmt.Sprintf(" Here are the newest %d.", maxList)
				break
			}
			out.Files = append(out.Files, entry(f))
		}
		return out, nil
	}))
}

// page is what read_file returns: some lines of a text.
type page struct {
	Answer string `json:"answer"` // the lines
	Name   string `json:"name"`
	From   int    `json:"from"`  // the first of them, from 1
	To     int    `json:"to"`    // the last
	Lines  int    `json:"lines"` // of the whole file
	Note   string `json:"note,omitempty"`
	NoteEn string `json:"note_en,omitempty"`
}

type pageWanted struct {
	Name  string `json:"name"`
	From  int    `json:"from"` // negative: from the end
	Lines int    `json:"lines"`
}

func reads() tools.Tool {
	return tools.New(bus.Card{
		Name: "read_file",
		Description: "读取本会话中一个文本文件的内容（可指定从第几行读、读多少行）。二进制文件不能读。" +
			" Reads a text file of this session, or some lines of it. Not for binary files.",
		Parameters: []byte(`{"type":"object","properties":{
			"name":` + fmt.Sprintf(nameSchema, "本会话中的文件名。 The name of a file of this session.") + `,
			"from":{"type":"integer","title":"起始行","x-title-en":"First line","description":"可选：从第几行开始，默认 1；负数从末尾数，-1 是最后一行。 Optional: the first line, from 1; negative: from the end, -1 is the last line."},
			"lines":{"type":"integer","title":"行数","x-title-en":"Lines","minimum":1,"description":"可选：最多读几行。 Optional: how many lines at most."}
			},"required":["name"],"additionalProperties":false}`),
		Returns: []byte(`{"type":"object","properties":{"answer":{"type":"string","title":"内容","x-title-en":"Text"},"name":{"type":"string","title":"文件名","x-title-en":"Name"},
			"from":{"type":"integer","title":"起始行","x-title-en":"First line"},"to":{"type":"integer","title":"末行","x-title-en":"Last line"},"lines":{"type":"integer","title":"总行数","x-title-en":"Lines"},
			"note":{"type":"string","title":"备注","x-title-en":"Note"},"note_en":{"type":"string","title":"英文备注","x-title-en":"Note in English"}},"required":["answer","name","from","to","lines"]}`),
		Effect: bus.Read, Timeout: 30 * time.Second,
		Tags: []string{"analyst", "读取文件", "查看文件", "文件内容", "打开文件", "read file", "show file", "content of a file"},
	}, worded(func(ctx context.Context, call *tools.Call, w pageWanted) (page, error) {
		f, err := find(ctx, call, w.Name)
		if err != nil {
			return page{}, err
		}
		show := func(w pageWanted) (page, error) {
			r, err := read(ctx, call, f)
			if err != nil {
				return page{}, err
			}
			p, err := turn(f.Name, r, w)
			return p, noText(f, errors.Join(err, r.Close()))
		}
		if w.From < 0 { // how many there are is known at the end
			p, err := show(pageWanted{Lines: 1})
			if err != nil {
				return page{}, err
			}
			w.From = max(1, p.Lines+w.From+1)
		}
		return show(w)
	}))
}

// turn gives the lines that are wanted, as far as they fit, of a text of any length.
func turn(name string, r io.Reader, w pageWanted) (page, error) {
	in := bufio.NewReaderSize(r, 64<<10)
	p := page{Name: name, From: max(w.From, 1)}
	p.To = p.From - 1
	var out []byte
	full, inside, mark := false, false, 0 // mark: where the line begins in out
	for {
		piece, err := in.ReadSlice('\n') // a line, or a part of one that is longer than the buffer
		if len(piece) > 0 {
			if !inside {
				p.Lines++
				mark = len(out)
			}
			inside = piece[len(piece)-1] != '\n'
			if p.Lines >= p.From && !full && (w.Lines <= 0 || p.Lines-p.From < w.Lines) {
				out, p.To = append(out, piece...), p.Lines
				if len(out) > maxShown {
					full = true
					if mark > 0 {
						out, p.To = out[:mark], p.Lines-1
					} else { // one line that alone is too long
						out = append(out[:whole(out[:maxShown])], "…"...)
					}
				}
			}
		}
		if err == io.EOF {
			break
		}
		if err != nil && err != bufio.ErrBufferFull {
			return page{}, err
		}
	}
	p.Answer = string(out)
	switch {
	case p.From > max(p.Lines, 1):
		return page{}, refuse("%s 只有 %d 行，没有第 %d 行", "%s has %d lines; it cannot be read from line %d", name, p.Lines, p.From)
	case p.Lines == 0:
		p.Note, p.NoteEn = "文件是空的。", "The file is empty."
	case p.To < p.Lines:
		p.Note, p.NoteEn = fmt.Sprintf("共 %d 行，这里是第 %d 到 %d 行。", p.Lines, p.From, p.To), fmt.Sprintf("Lines %d to %d of %d.", p.From, p.To, p.Lines)
	}
	return p, nil
}
