// Package vectors knows which English words are near in meaning: 40 numbers for each of some 47,000 word stems, distilled
// from a public table (README.md says which and under what licence; make/ is the program that did it). It needs no network
// and no model. Words of other languages are unknown to it.
package vectors

import (
	"bytes"
	_ "embed"
	"encoding/binary"
	"fmt"
	"math"
	"sort"
	"sync"
)

//go:embed english.bin
var packed []byte

// Table holds stems and their vectors. It is read where it lies in the program, so that it costs no time to open and no memory of
// its own. It never changes.
type Table struct {
	n, dims int
	ends    []byte // where each stem ends in text: n numbers of 4 bytes
	norms   []byte // 1 / length of each vector: n numbers of 4 bytes
	rows    []byte // n × dims signed bytes
	text    []byte // the stems in alphabetical order, one behind the other
}

// English is the table. Safe from many goroutines.
var English = sync.OnceValue(func() *Table {
	t, err := open(packed)
	if err != nil { // the file is part of the program
		panic("vectors: the embedded table is damaged: " + err.Error())
	}
	return t
})

// at is the stem at a place, from 0.
func (t *Table) at(i int) []byte {
	from := uint32(0)
	if i > 0 {
		from = binary.LittleEndian.Uint32(t.ends[4*i-4:])
	}
	return t.text[from:binary.LittleEndian.Uint32(t.ends[4*i:])]
}

// Find gives the place of a [Stem], from 0; false when it is not there.
func (t *Table) Find(stem string) (int, bool) {
	return sort.Find(t.n, func(i int) int {
		switch at := t.at(i); {
		case stem < string(at):
			return -1
		case stem > string(at):
			return 1
		}
		return 0
	})
}

// Near is the cosine of two stems by their places, -1 to 1.
func (t *Table) Near(i, j int) float64 {
	a, b := t.rows[i*t.dims:(i+1)*t.dims], t.rows[j*t.dims:(j+1)*t.dims]
	sum := int32(0)
	for k, v := range a {
		sum += int32(int8(v)) * int32(int8(b[k]))
	}
	return float64(float32(sum) * t.norm(i) * t.norm(j))
}

// Vector is that of the stem at a place, of length 1; the caller owns it.
func (t *Table) Vector(i int) []float32 {
	out := make([]float32, t.dims)
	for d, v := range t.rows[i*t.dims : (i+1)*t.dims] {
		out[d] = float32(int8(v)) * t.norm(i)
	}
	return out
}

func (t *Table) norm(i int) float32 {
	return math.Float32frombits(binary.LittleEndian.Uint32(t.norms[4*i:]))
}

// Pack writes a table: a line of two numbers, then the four parts of [Table] in their order. Of words with one stem the first
// stands for all.
func Pack(words []string, rows [][]int8) []byte {
	place := map[string]int{}
	var stems []string
	for i, w := range words {
		s := Stem(w)
		if _, there := place[s]; !there {
			place[s] = i
			stems = append(stems, s)
		}
	}
	sort.Strings(stems)
	var ends, norms, cells, text []byte
	for _, s := range stems {
		text = append(text, s...)
		ends = binary.LittleEndian.AppendUint32(ends, uint32(len(text)))
		sum := 0
		for _, v := range rows[place[s]] {
			sum += int(v) * int(v)
			cells = append(cells, byte(v))
		}
		norms = binary.LittleEndian.AppendUint32(norms, math.Float32bits(float32(1/math.Sqrt(max(1, float64(sum))))))
	}
	head := fmt.Appendf(nil, "%d %d\n", len(stems), len(cells)/max(1, len(stems)))
	return bytes.Join([][]byte{head, ends, norms, cells, text}, nil)
}

// open looks at a packed table.
func open(packed []byte) (*Table, error) {
	head, rest, _ := bytes.Cut(packed, []byte("\n"))
	t := &Table{}
	if _, err := fmt.Sscan(string(head), &t.n, &t.dims); err != nil || t.n <= 0 || t.dims <= 0 || t.dims > 1<<10 || t.n > len(rest)/(8+t.dims) {
		return nil, fmt.Errorf("it begins with %.40q", head)
	}
	take := func(n int) (part []byte) {
		part, rest = rest[:n:n], rest[n:]
		return part
	}
	t.ends, t.norms, t.rows, t.text = take(4*t.n), take(4*t.n), take(t.n*t.dims), rest
	from := uint32(0)
	for i := range t.n {
		end := binary.LittleEndian.Uint32(t.ends[4*i:])
		if end < from || int64(end) > int64(len(t.text)) {
			return nil, fmt.Errorf("stem %d ends at %d, behind %d", i, end, len(t.text))
		}
		from = end
	}
	return t, nil
}
