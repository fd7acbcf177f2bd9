package knowledge

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/analysis"
	"github.com/blevesearch/bleve/v2/analysis/analyzer/custom"
	"github.com/blevesearch/bleve/v2/analysis/lang/cjk"
	"github.com/blevesearch/bleve/v2/analysis/token/lowercase"
	"github.com/blevesearch/bleve/v2/analysis/token/porter"
	"github.com/blevesearch/bleve/v2/analysis/tokenizer/unicode"
	"github.com/blevesearch/bleve/v2/index/scorch"
	"github.com/blevesearch/bleve/v2/search"
	"github.com/blevesearch/bleve/v2/search/query"
)

// enough is how much of a query a passage must hold to count, 0 to 1: the share of the query's characters that stand in a
// matched term, each weighed by how rare the term is. Over the shipped rules the best passage of true questions held 0.43
// and more, that of questions about something else at most 0.31 (TestSearch, TestNothingFound).
const enough = 0.36

// enoughWords is the same for a question without Han characters: it is made of fewer and longer pieces, of which a common one
// (keep, much) weighs as much as the subject, so half must be held (TestSearchInEnglish).
const enoughWords = 0.5

// wholly is all of a query, but for what sums of floating point lose.
const wholly = 0.999

// near is how good a passage must be beside the best one to be shown with it.
const near = 0.35

// preference is what a word of the domain is worth beside a word of the question.
const preference = 0.25

// The fields of a passage, and what a match in each is worth: a heading says what a section is about.
var fields = []struct {
	name  string
	boost float64
}{{"title", 1.5}, {"section", 2.5}, {"words", 1}, {"own", 1}, {"text", 1}, {"english", 1.5}}

// bothName names our analyzer for the texts inside the mapping, pairsName the one for queries.
const (
	bothName  = "pairs_and_characters"
	pairsName = "pairs"
)

// everything is the field that bleve makes of all the others; its dictionary counts in how many passages a term stands.
const everything = "_all"

// shelf is an index that does not change.
type shelf struct {
	passages []Passage
	index    bleve.Index
	analyzer analysis.Analyzer
	in       map[string]int // term → passages that hold it
}

// stack indexes the passages.
func stack(passages []Passage) (*shelf, error) {
	m := bleve.NewIndexMapping()
	m.ScoringModel = "bm25"
	// The texts are indexed by pairs and by single Han characters; a query by pairs, and by the single character only where it
	// stands alone (谁赔 leaves 赔). English words are reduced to their stems: titles asks for title.
	if err := errors.Join(
		m.AddCustomTokenFilter(bothName, map[string]any{"type": cjk.BigramName, "output_unigram": true}),
		m.AddCustomAnalyzer(bothName, map[string]any{
			"type": custom.Name, "tokenizer": unicode.Name, "token_filters": []string{cjk.WidthName, lowercase.Name, bothName, porter.Name},
		}),
		m.AddCustomAnalyzer(pairsName, map[string]any{
			"type": custom.Name, "tokenizer": unicode.Name, "token_filters": []string{cjk.WidthName, lowercase.Name, cjk.BigramName, porter.Name},
		}),
	); err != nil {
		return nil, fmt.Errorf("knowledge index: %w", err)
	}
	m.DefaultAnalyzer = bothName
	m.DefaultMapping.Dynamic = false
	for _, f := range fields {
		field := bleve.NewTextFieldMapping()
		field.Store = false
		m.DefaultMapping.AddFieldMappingsAt(f.name, field)
	}
	// Without a path scorch keeps everything in memory; BM25 needs scorch, bleve.NewMemOnly is the older engine.
	ix, err := bleve.NewUsing("", m, scorch.Name, scorch.Name, nil)
	if err != nil {
		return nil, fmt.Errorf("knowledge index: %w", err)
	}
	s := &shelf{passages: passages, index: ix, analyzer: m.AnalyzerNamed(pairsName)}
	if err := s.fill(); err != nil {
		return nil, fmt.Errorf("knowledge index: %w", joinClose(err, ix))
	}
	return s, nil
}

func joinClose(err error, ix bleve.Index) error {
	if e := ix.Close(); e != nil {
		return fmt.Errorf("%w (and closing it: %w)", err, e)
	}
	return err
}

func (s *shelf) fill() error {
	batch := s.index.NewBatch() // one batch, one segment: scores do not depend on how segments happened to be merged
	for i, p := range s.passages {
		err := batch.Index(fmt.Sprintf("%08d", i), map[string]any{"title": p.Title, "section": p.Section, "words": p.words, "own": p.own, "text": p.Text, "english": p.TitleEn + "\n" + p.TextEn})
		if err != nil {
			return err
		}
	}
	if err := s.index.Batch(batch); err != nil {
		return err
	}
	dict, err := s.index.FieldDict(everything)
	if err != nil {
		return err
	}
	s.in = map[string]int{}
	for {
		entry, err := dict.Next()
		if err != nil {
			return err
		}
		if entry == nil {
			return dict.Close()
		}
		s.in[entry.Term] = int(entry.Count)
	}
}

func (s *shelf) close() error { return s.index.Close() }

// search: see Base.SearchIn.
func (s *shelf) search(ctx context.Context, question, domain string, k int) ([]Passage, error) {
	asked, least := sought(question), enough
	if !strings.ContainsFunc(asked, isHan) {
		least = enoughWords
	}
	return s.find(ctx, asked, least, domain, k)
}

// general: see Base.InGeneral.
func (s *shelf) general(ctx context.Context, question, domain string, k int) (found []Passage, lacks string, err error) {
	rest, lacks := s.known(content(question))
	if lacks == "" {
		return nil, "", nil
	}
	found, err = s.find(ctx, sought(rest), wholly, domain, k)
	return found, lacks, err
}

// known splits what is asked into the words that some passage knows and those that none does, each as it is said.
func (s *shelf) known(asked string) (rest, lacks string) {
	there := make([]bool, len(asked))
	for _, token := range s.analyzer.Analyze([]byte(asked)) {
		for at := token.Start; s.in[string(token.Term)] > 0 && at < min(token.End, len(asked)); at++ {
			there[at] = true
		}
	}
	var yes, no strings.Builder
	for at, r := range asked {
		switch {
		case r == ' ':
			yes.WriteByte(' ')
			no.WriteByte(' ')
		case there[at]:
			yes.WriteRune(r)
		default:
			no.WriteRune(r)
		}
	}
	return strings.Join(strings.Fields(yes.String()), " "), strings.Join(strings.Fields(no.String()), " ")
}

// find are the passages that hold at least so much of what is asked, 0 to 1.
func (s *shelf) find(ctx context.Context, asked string, least float64, domain string, k int) ([]Passage, error) {
	if len([]rune(asked)) < 2 || k <= 0 {
		return nil, ctx.Err()
	}
	parts := s.weigh(asked)

	wanted := match(asked, 1)
	if domain = content(domain); domain != "" {
		wanted = append(wanted, match(domain, preference)...)
	}
	request := bleve.NewSearchRequestOptions(bleve.NewDisjunctionQuery(wanted...), 4*k+16, 0, false)
	request.IncludeLocations = true
	request.SortBy([]string{"-_score", "_id"})
	result, err := s.index.SearchInContext(ctx, request)
	if err != nil {
		return nil, fmt.Errorf("knowledge search: %w", err)
	}

	var found []Passage
	for _, hit := range result.Hits {
		share := covered(parts, hit.Locations)
		if share < least {
			continue
		}
		n, err := strconv.Atoi(hit.ID)
		if err != nil {
			return nil, fmt.Errorf("knowledge search: id %q: %w", hit.ID, err)
		}
		p := s.passages[n]
		// BM25 lets one rare word outweigh the rest of the question; the share it holds of the whole evens that out.
		p.Score = share * hit.Score / result.MaxScore
		found = append(found, p)
	}
	slices.SortStableFunc(found, func(a, b Passage) int { return cmp.Compare(b.Score, a.Score) })
	if len(found) > k {
		found = found[:k]
	}
	for i, p := range found {
		if p.Score < near*found[0].Score {
			return found[:i], nil
		}
	}
	return found, nil
}

// match asks every field for words.
func match(words string, boost float64) []query.Query {
	var out []query.Query
	for _, f := range fields {
		// No fuzziness: one edit turns a pair of Han characters into half the dictionary (运费 → 学费).
		m := bleve.NewMatchQuery(words)
		m.SetField(f.name)
		m.SetBoost(boost * f.boost)
		m.Analyzer = pairsName
		out = append(out, m)
	}
	return out
}

// part is a piece of the query's text: a character, or a word of Latin letters.
type part struct {
	weight float64
	terms  []string // the index terms that hold it
}

// weigh takes a query apart. A part weighs as its rarest known term; one that no passage knows weighs most.
func (s *shelf) weigh(asked string) []part {
	holds := make([][]string, len(asked)) // byte → terms
	for _, token := range s.analyzer.Analyze([]byte(asked)) {
		for at := token.Start; at < min(token.End, len(asked)); at++ {
			holds[at] = append(holds[at], string(token.Term))
		}
	}
	var parts []part
	for at, r := range asked {
		if r == ' ' {
			continue
		}
		if n := len(parts); n > 0 && at > 0 && r < utf8.RuneSelf && asked[at-1] != ' ' && slices.Equal(holds[at], parts[n-1].terms) {
			continue // the same Latin word
		}
		p := part{terms: holds[at]}
		for _, term := range p.terms {
			if s.in[term] > 0 {
				p.weight = max(p.weight, s.rarity(term))
			}
		}
		if p.weight == 0 {
			p.weight = s.rarity("")
		}
		parts = append(parts, p)
	}
	return parts
}

// rarity is the inverse document frequency of BM25.
func (s *shelf) rarity(term string) float64 {
	n, df := float64(len(s.passages)), float64(s.in[term])
	return math.Log(1 + (n-df+0.5)/(df+0.5))
}

// covered is the share of the parts that a passage holds, by weight: 0 to 1.
func covered(parts []part, matched search.FieldTermLocationMap) float64 {
	var all, held float64
	for _, p := range parts {
		all += p.weight
		if slices.ContainsFunc(p.terms, func(term string) bool {
			for _, field := range fields {
				if len(matched[field.name][term]) > 0 {
					return true
				}
			}
			return false
		}) {
			held += p.weight
		}
	}
	if all == 0 {
		return 0
	}
	return held / all
}
