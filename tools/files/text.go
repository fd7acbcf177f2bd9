package files

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"unicode/utf8"

	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/transform"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/tools"
)

// errNoText: what is read is neither UTF-8 nor GB18030, or holds zeros.
var errNoText = errors.New("no text")

// sniffed is how much of a file is looked at to tell how its text is written.
const sniffed = 4096

// texts reads a file as UTF-8 without a mark in front, whatever its size; it fails with [errNoText] where the file is none.
type texts struct {
	io.Closer
	in    io.Reader
	carry []byte // the begin of a sign whose end is still to come
}

// read opens a text file of the session.
func read(ctx context.Context, call *tools.Call, f bus.File) (*texts, error) {
	r, _, err := call.Files.Get(ctx, f.Ref)
	if errors.Is(err, bus.ErrNotFound) {
		return nil, refuse("%s 已经被删除", "%s was removed", f.Name)
	}
	if err != nil {
		return nil, err
	}
	return newTexts(r), nil
}

func newTexts(r io.ReadCloser) *texts {
	b := bufio.NewReaderSize(r, 64<<10)
	begin, _ := b.Peek(sniffed) // what fails here fails again when it is read
	begin = bytes.TrimPrefix(begin, []byte("\xEF\xBB\xBF"))
	t := &texts{Closer: r, in: b}
	switch {
	case utf8.Valid(begin[:whole(begin)]):
		if mark, _ := b.Peek(3); bytes.Equal(mark, []byte("\xEF\xBB\xBF")) {
			_, _ = b.Discard(3) // they are buffered
		}
	case bytes.IndexByte(begin, 0) < 0: // as spreadsheets in China save a CSV file
		decoded, err := simplifiedchinese.GB18030.NewDecoder().Bytes(begin[:len(begin)/2*2])
		if err == nil && bytes.Count(decoded, []byte("\uFFFD")) <= 1 { // half a sign at the end
			t.in = transform.NewReader(b, simplifiedchinese.GB18030.NewDecoder())
		}
	}
	return t
}

// whole is how much of b ends with a whole sign.
func whole(b []byte) int {
	for k := 1; k <= min(utf8.UTFMax-1, len(b)); k++ {
		if at := len(b) - k; utf8.RuneStart(b[at]) {
			if !utf8.FullRune(b[at:]) {
				return at
			}
			break
		}
	}
	return len(b)
}

func (t *texts) Read(p []byte) (int, error) {
	n, err := t.in.Read(p)
	all := p[:n]
	if len(t.carry) > 0 {
		all = slices.Concat(t.carry, all)
	}
	end := whole(all)
	if !utf8.Valid(all[:end]) || bytes.IndexByte(all, 0) >= 0 || bytes.Contains(all[:end], []byte("\uFFFD")) && t.decodes() {
		return 0, errNoText
	}
	t.carry = append(t.carry[:0:0], all[end:]...)
	if err == io.EOF && len(t.carry) > 0 {
		return 0, errNoText
	}
	return n, err
}

// decodes reports whether signs are made of another encoding, so that one that cannot be says that this was not it.
func (t *texts) decodes() bool {
	_, ok := t.in.(*transform.Reader)
	return ok
}

// noText words why a file cannot be read as a text; other errors stay as they are.
func noText(f bus.File, err error) error {
	if !errors.Is(err, errNoText) {
		return err
	}
	return refuse("%s 不是 UTF-8 或 GB18030 的文本（%s），不能当文本读写；可以用代码读：code_interpreter", "%s is no text in UTF-8 or GB18030 (%s), so it cannot be read or edited as one. Code can read it: code_interpreter", f.Name, f.Type)
}

// text is all that a text file holds, up to maxText.
func text(ctx context.Context, call *tools.Call, f bus.File) (string, error) {
	if f.Bytes > maxText {
		return "", refuse("%s 有 %d 字节；这里只能处理 %d 字节以内的文本。可以追加（append_to_file），或用代码处理（code_interpreter）", "%s has %d bytes; only texts up to %d can be counted or edited here. append_to_file adds to it, and code can do the rest: code_interpreter", f.Name, f.Bytes, maxText)
	}
	r, err := read(ctx, call, f)
	if err != nil {
		return "", err
	}
	data, err := io.ReadAll(io.LimitReader(r, maxText+1)) // what a log says of a size may be anything
	switch err = errors.Join(err, r.Close()); {
	case len(data) > maxText:
		return "", refuse("%s 超过 %d 字节，不能在这里修改", "%s has more than %d bytes and cannot be edited here", f.Name, maxText)
	case err != nil:
		return "", noText(f, err)
	}
	return string(data), nil
}
