// Package vectors knows which English words are near in meaning: 40 numbers for each of the 60,000 most frequent ones,
// distilled from a public table (README.md says which and under what licence; make/ is the program that did it). It needs no
// network and no model. Words of other languages are unknown to it.
package vectors

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"fmt"
	"io"
	"math"
	"strings"
	"sync"
)

//go:embed english.gz
var packed []byte

// Table holds the words, the most frequent first, and their vectors. It never changes.
type Table struct {
	Words []string
	dims  int
	rows  []int8
	norms []float32
}

// English is the table; it is unpacked at the first call (about 60 ms, 5 MB). Safe from many goroutines.
var English = sync.OnceValue(func() *Table {
	t, err := open(packed)
	if err != nil { // the file is part of the program
		panic("vectors: the embedded table is damaged: " + err.Error())
	}
	return t
})

// Near is the cosine of two words by their places in Words, -1 to 1.
func (t *Table) Near(i, j int) float64 {
	a, b := t.rows[i*t.dims:(i+1)*t.dims], t.rows[j*t.dims:(j+1)*t.dims]
	sum := int32(0)
	for k, v := range a {
		sum += int32(v) * int32(b[k])
	}
	return float64(float32(sum) * t.norms[i] * t.norms[j])
}

// Vector is that of the word at a place in Words, of length 1; the caller owns it.
func (t *Table) Vector(i int) []float32 {
	out := make([]float32, t.dims)
	for d, v := range t.rows[i*t.dims : (i+1)*t.dims] {
		out[d] = float32(v) * t.norms[i]
	}
	return out
}

// open reads a packed table: a line of two numbers, the words one a line, and the coordinates axis by axis.
func open(packed []byte) (*Table, error) {
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	all, err := io.ReadAll(z)
	if err != nil {
		return nil, err
	}
	head, rest, _ := bytes.Cut(all, []byte("\n"))
	var n, dims int
	if _, err := fmt.Sscan(string(head), &n, &dims); err != nil || n <= 0 || dims <= 0 || n > len(rest)/dims {
		return nil, fmt.Errorf("it begins with %.40q", head)
	}
	text, cells := rest[:len(rest)-n*dims], rest[len(rest)-n*dims:]
	t := &Table{Words: strings.Fields(string(text)), dims: dims, rows: make([]int8, n*dims), norms: make([]float32, n)}
	if len(t.Words) != n {
		return nil, fmt.Errorf("%d words of %d", len(t.Words), n)
	}
	for d := range dims {
		for i, v := range cells[d*n : (d+1)*n] {
			t.rows[i*dims+d] = int8(v)
		}
	}
	for i := range t.norms {
		sum := 0
		for _, v := range t.rows[i*dims : (i+1)*dims] {
			sum += int(v) * int(v)
		}
		t.norms[i] = float32(1 / math.Sqrt(max(1, float64(sum))))
	}
	return t, nil
}
