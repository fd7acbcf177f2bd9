package eval

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/hmap-project/hmap/actors/plan"
	"github.com/hmap-project/hmap/bus"
)

// MaxLine is how many bytes a line may have: a request with ten thousand cards beside it has fewer.
const MaxLine = 16 << 20

// MaxCatalogue is how many bytes a file of cards may have.
const MaxCatalogue = 64 << 20

// ErrNoCards: a catalogue holds no card that can be used.
var ErrNoCards = errors.New("no card that can be used")

// errLong: the line has more than MaxLine bytes, and was skipped.
var errLong = fmt.Errorf("the line is longer than %d MiB", MaxLine>>20)

// lines reads a text line by line without ever holding more than one of MaxLine bytes.
type lines struct {
	in *bufio.Reader
	n  int // number of the line read last, from 1
}

func newLines(in io.Reader) *lines { return &lines{in: bufio.NewReaderSize(in, 64<<10)} }

// next gives the next line that is not blank, in memory of its own and without its end. errLong: that line was too long, and the
// one behind it comes next; io.EOF: there is none; other errors are of the reader.
func (l *lines) next() ([]byte, error) {
	for {
		var line []byte
		long := false
		l.n++
		for {
			part, err := l.in.ReadSlice('\n')
			if long = long || len(line)+len(part) > MaxLine; !long {
				line = append(line, part...)
			}
			if err == nil || err == io.EOF && (len(line) > 0 || long) {
				break
			}
			if err != bufio.ErrBufferFull {
				return nil, err
			}
		}
		if long {
			return nil, errLong
		}
		if line = bytes.TrimSpace(line); len(line) > 0 {
			return line, nil
		}
	}
}

// rows gives each line of a file of JSON lines to f. An error names the file and the line.
func rows[T any](file string, f func(T) error) error {
	in, err := os.Open(file)
	if err != nil {
		return err
	}
	defer in.Close()
	for l := newLines(in); ; {
		line, err := l.next()
		if err == io.EOF {
			return nil
		}
		var row T
		if err == nil {
			err = json.Unmarshal(line, &row)
		}
		if err == nil {
			err = f(row)
		}
		if err != nil {
			return fmt.Errorf("%s, line %d: %w", file, l.n, err)
		}
	}
}

// Cards reads cards from a JSON array or from objects one behind the other, as JSON lines are; a file may be indented. An object may be what a server
// of MCP answers to tools/list, and a card may be written as MCP, OpenAI and Anthropic write tools. A card of which
// a field has the wrong type is left out, with its reason and place, and the others are read. from names the text in errors.
//
// An error says that the text is no JSON, with the line, or larger than [MaxCatalogue]; ErrNoCards that there was nothing in it.
func Cards(in io.Reader, from string) ([]bus.Card, []plan.Reject, error) {
	text, err := io.ReadAll(io.LimitReader(in, MaxCatalogue+1))
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", from, err)
	}
	if len(text) > MaxCatalogue {
		return nil, nil, fmt.Errorf("%s: more than %d MiB of cards; give fewer", from, MaxCatalogue>>20)
	}
	text = bytes.TrimPrefix(text, []byte("\uFEFF")) // some editors put it there
	d := json.NewDecoder(bytes.NewReader(text))
	array := bytes.HasPrefix(bytes.TrimLeft(text, " \t\r\n"), []byte("["))
	if array {
		if _, err := d.Token(); err != nil {
			return nil, nil, err
		}
	}
	var raws []json.RawMessage
	var ends []int64
	for !array || d.More() {
		var raw json.RawMessage
		if err := d.Decode(&raw); err == io.EOF && !array {
			break
		} else if err != nil {
			return nil, nil, broken(from, text, d, err)
		}
		if tools := inside(raw); tools != nil && !array {
			for _, tool := range tools { // where each stands in it is not known
				raws, ends = append(raws, tool), append(ends, d.InputOffset()-int64(len(raw))+int64(len(tool)))
			}
			continue
		}
		raws, ends = append(raws, raw), append(ends, d.InputOffset())
	}
	if array {
		if _, err := d.Token(); err != nil {
			return nil, nil, broken(from, text, d, err)
		}
		if _, err := d.Token(); err != io.EOF {
			return nil, nil, broken(from, text, d, errors.New("something follows the array"))
		}
	}
	line, counted := 1, int64(0) // lines are counted once, since there may be many bad cards
	cards, rejects := parse(raws, func(i int) string {
		to := ends[i] - int64(len(raws[i]))
		line += bytes.Count(text[counted:to], []byte("\n"))
		counted = to
		return fmt.Sprintf("%s, line %d: ", from, line)
	})
	if len(cards) == 0 && len(rejects) == 0 {
		return nil, nil, fmt.Errorf("%s: %w: it is empty", from, ErrNoCards)
	}
	return cards, rejects, nil
}

// broken says where a text stops being JSON.
func broken(from string, text []byte, d *json.Decoder, err error) error {
	at := d.InputOffset()
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &syntax):
		at = syntax.Offset
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		at, err = int64(len(text)), errors.New("it ends in the middle of a value")
	}
	line := 1 + bytes.Count(text[:min(at, int64(len(text)))], []byte("\n"))
	return fmt.Errorf("%s, line %d: not JSON: %s; a JSON array of cards or one card a line is wanted", from, line, strings.TrimPrefix(err.Error(), "json: "))
}

// parse makes cards of JSON objects; where says the place of each.
func parse(raws []json.RawMessage, where func(i int) string) ([]bus.Card, []plan.Reject) {
	var cards []bus.Card
	var rejects []plan.Reject
	for i, raw := range raws {
		var c bus.Card
		err := json.Unmarshal(raw, &c)
		if err == nil {
			err = foreign(raw, &c)
		}
		if err != nil {
			rejects = append(rejects, plan.Reject{Name: c.Name, Reason: where(i) + wrong(err)})
			continue
		}
		if c.Kind == "" {
			c.Kind = "tool"
		}
		cards = append(cards, c)
	}
	return cards, rejects
}

// wrong says what has the wrong type, without the names of our types.
func wrong(err error) string {
	var t *json.UnmarshalTypeError
	switch {
	case !errors.As(err, &t):
		return strings.TrimPrefix(err.Error(), "json: ")
	case t.Field == "":
		return "a JSON object is wanted, this is of type " + t.Value
	}
	return fmt.Sprintf("%s has the wrong type (%s)", t.Field, t.Value)
}
