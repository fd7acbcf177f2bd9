package table

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"os"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// sampled is how many bytes of a text tell its delimiter.
const sampled = 64 << 10

// openCSV gives the rows of a text with delimiters: commas, semicolons, tabs or bars; UTF-8, UTF-16 with its mark, GB18030 or, when it
// is none of these, Windows-1252.
func openCSV(path, name string) (*sheet, error) {
	s := &sheet{name: name}
	coding, nuls, err := codingOf(path)
	if err != nil {
		return nil, err
	}
	if coding == nil && nuls {
		s.notes = append(s.notes, remarkf("文件里有 NUL 字符，已略去", "the file has NUL characters, which are left out"))
	}
	comma, err := delimiter(path, coding)
	if err != nil {
		return nil, err
	}
	s.each = func(ctx context.Context, visit func([]string) error) error {
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		r := rowsIn(decoded(f, coding), comma)
		for n := 0; ; n++ {
			if n%4096 == 0 && ctx.Err() != nil {
				return context.Cause(ctx)
			}
			row, err := r.next()
			switch {
			case err == io.EOF:
				return nil
			case err != nil:
				return err
			}
			if err := visit(row); err != nil {
				return err
			}
		}
	}
	return s, nil
}

// decoded is a text in UTF-8, without its mark and without NUL.
func decoded(r io.Reader, coding encoding.Encoding) *bufio.Reader {
	if coding != nil {
		return bufio.NewReaderSize(&noNul{transform.NewReader(r, coding.NewDecoder())}, 64<<10)
	}
	b := bufio.NewReaderSize(&noNul{r}, 64<<10)
	if mark, err := b.Peek(3); err == nil && string(mark) == "\xEF\xBB\xBF" {
		_, _ = b.Discard(3) // they were peeked
	}
	return b
}

// noNul leaves out NUL bytes.
type noNul struct{ r io.Reader }

func (n *noNul) Read(p []byte) (int, error) {
	for {
		k, err := n.r.Read(p)
		if at := bytes.IndexByte(p[:k], 0); at >= 0 {
			kept := append(p[:at:at], bytes.ReplaceAll(p[at:k], []byte{0}, nil)...)
			k = copy(p, kept)
		}
		if k > 0 || err != nil {
			return k, err
		}
	}
}

// codingOf tells how a text is encoded by all of it; nil is UTF-8. A file with many NUL bytes is no text.
func codingOf(path string) (coding encoding.Encoding, nuls bool, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, false, err
	}
	defer f.Close()
	r := bufio.NewReaderSize(f, 64<<10)
	mark, _ := r.Peek(2)
	switch string(mark) {
	case "\xFF\xFE":
		return unicode.UTF16(unicode.LittleEndian, unicode.ExpectBOM), false, nil
	case "\xFE\xFF":
		return unicode.UTF16(unicode.BigEndian, unicode.ExpectBOM), false, nil
	}
	total, zero, odd, valid := 0, 0, 0, true
	rest := []byte{}
	block := make([]byte, 64<<10)
	for {
		n, err := r.Read(block)
		total += n
		for _, c := range block[:n] {
			switch {
			case c == 0:
				zero++
			case c < ' ' && c != '\t' && c != '\n' && c != '\r' && c != '\f' && c != '\v' && c != 0x1a, c == 0x7f:
				odd++
			}
		}
		if valid {
			rest = append(rest, block[:n]...)
			end := len(rest)
			for cut := 0; cut < 3 && end > 0 && !utf8.RuneStart(rest[end-1]); cut++ {
				end--
			}
			if end > 0 && rest[end-1] >= utf8.RuneSelf {
				end--
			}
			valid = utf8.Valid(rest[:end])
			rest = append(rest[:0], rest[end:]...)
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, false, err
		}
	}
	valid = valid && utf8.Valid(rest)
	switch {
	case zero*20 > total, odd*50 > total: // bytes at random have one in nine of them
		return nil, false, refusef("这不是文本，也不是能读的工作簿或数据库，里面没有表格；能读的是 CSV、XLSX、JSON、SQLite", "this is no text, and no workbook or database that can be read, so there is no table in it; CSV, XLSX, JSON and SQLite are read")
	case valid:
		return nil, zero > 0, nil
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return nil, false, err
	}
	head, err := io.ReadAll(io.LimitReader(f, 4<<20))
	if err != nil {
		return nil, false, err
	}
	if !chinese(head) {
		return charmap.Windows1252, zero > 0, nil
	}
	return simplifiedchinese.GB18030, zero > 0, nil
}

// chinese reports whether bytes that are no UTF-8 are GB18030. Western letters are often read as some of its rarest signs, for they stand before other letters: the
// second byte of nearly every sign in use is none.
func chinese(text []byte) bool {
	wrong, all, usual, lettered := 0, 0, 0, 0
	for i := 0; i+1 < len(text); i++ {
		if text[i] < 0x81 {
			continue
		}
		switch i++; {
		case text[i] >= 0xA1:
			usual++
		case text[i] >= 'A' && text[i] <= 'z':
			lettered++
		}
	}
	d := bufio.NewReader(transform.NewReader(bytes.NewReader(text), simplifiedchinese.GB18030.NewDecoder()))
	for {
		c, _, err := d.ReadRune()
		if err != nil {
			return wrong*1000 <= all && lettered <= usual
		}
		all++
		if c == utf8.RuneError {
			wrong++
		}
	}
}

// delimiter is the sign that parts most of the first lines into the most, and equally many, cells.
func delimiter(path string, coding encoding.Encoding) (byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	sample, err := io.ReadAll(io.LimitReader(decoded(f, coding), sampled))
	if err != nil {
		return 0, err
	}
	best, most := byte(','), 0
	for _, comma := range []byte{',', '\t', ';', '|'} {
		r := rowsIn(bufio.NewReader(bytes.NewReader(sample)), comma)
		widths := map[int]int{}
		for range 40 {
			row, err := r.next()
			if err != nil {
				break
			}
			if len(row) > 1 {
				widths[len(row)]++
			}
		}
		for width, lines := range widths {
			if score := lines * min(width, 50); score > most {
				best, most = comma, score
			}
		}
	}
	return best, nil
}
