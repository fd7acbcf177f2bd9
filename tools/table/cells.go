package table

import (
	"bufio"
	"io"
)

// maxKept is how many cells of a row are looked at: a workbook's most. What is behind them is passed over.
const maxKept = 16_384

// textRows parts a text into rows of cells, as spreadsheets do, and not as encoding/csv does, which with LazyQuotes takes all behind a quote that is never closed for
// one cell, without it refuses 5" in a bare one, and has no bound on either. What stands behind a closing quote belongs to the cell, and a line may end in any way. It
// holds no more than a row, whatever stands in it: a cell is kept to a little over maxCell, by which it is seen to be cut.
type textRows struct {
	r     *bufio.Reader
	comma byte
	line  int // of the file, from 1, where the row ends
	text  []byte
	ends  []int
	cells []string
}

func rowsIn(r *bufio.Reader, comma byte) *textRows { return &textRows{r: r, comma: comma, line: 1} }

// next is the next row; its cells are the reader's own until the one after. io.EOF: there is none. A quote that is never closed is refused: the rows
// behind it would be a part of its cell, and of no sum.
func (c *textRows) next() ([]string, error) {
	const (
		begun = iota // at the first sign of a cell
		bare
		quotedCell
		behind // a closing quote
	)
	c.text, c.ends, c.cells = c.text[:0], c.ends[:0], c.cells[:0]
	state, from, opened := begun, 0, 0
	put := func(b byte) {
		if len(c.ends) < maxKept && len(c.text)-from < maxCell+4 {
			c.text = append(c.text, b)
		}
	}
	end := func() {
		if len(c.ends) < maxKept {
			c.ends = append(c.ends, len(c.text))
		}
		state, from = begun, len(c.text)
	}
	open := func() error {
		return refusef("第 %d 行的引号没有闭合，后面的行无法分清；请改好再上传", "the quotation mark in line %d is never closed, so the rows behind it cannot be told apart; mend it first", opened)
	}
	for {
		b, err := c.r.ReadByte()
		switch {
		case err == io.EOF && state == quotedCell:
			return nil, open()
		case err == io.EOF && state == begun && len(c.ends) == 0:
			return nil, io.EOF
		case err != nil && err != io.EOF:
			return nil, err
		}
		if b == '\r' && err == nil { // alone or before \n it ends a line
			if after, _ := c.r.Peek(1); len(after) == 1 && after[0] == '\n' {
				_, _ = c.r.Discard(1) // it was peeked
			}
			b = '\n'
		}
		if b == '\n' {
			c.line++
		}
		switch {
		case state == quotedCell && b == '"':
			if after, _ := c.r.Peek(1); len(after) == 1 && after[0] == '"' {
				_, _ = c.r.Discard(1)
				put(b)
				continue
			}
			state = behind
		case state == quotedCell:
			put(b)
		case err == io.EOF || b == '\n':
			end()
			whole := string(c.text)
			for i, at := 0, 0; i < len(c.ends); at, i = c.ends[i], i+1 {
				c.cells = append(c.cells, whole[at:c.ends[i]])
			}
			return c.cells, nil
		case b == c.comma:
			end()
		case state == begun && b == '"':
			state, opened = quotedCell, c.line
		case state == behind && opened < c.line:
			return nil, open()
		default:
			put(b)
			if state == begun {
				state = bare
			}
		}
	}
}
