// Package search is deep_search: a question is taken apart into differing queries, search engines and local folders are asked side by side, what they name
// is fetched and read, and when that is not enough the queries are rewritten and it goes round again. The answer has numbered citations.
//
// It works in three degrees. With neither key nor model it searches local folders and quotes: every sentence of the answer stands in a source, word for word.
// With an engine (SearXNG, Tavily, Exa, Serper, Brave) it reads the web as well. With a model the model chooses the queries, judges, and writes from
// the passages that were found; citations that name no source, or whose source has nothing of the sentence, go.
//
// One engine, page, file or answer of a model that fails never fails the search; what is left out is said. Time, pages, rounds and bytes are bounded.
package search

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"time"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/tools/knowledge"
	"github.com/hmap-project/hmap/tools/web"
	"github.com/hmap-project/hmap/tools/web/read"
)

// Options of a [Searcher]; the zero value searches nothing.
type Options struct {
	// Engines are asked in this order: AtOnce of them side by side, the others when one of these fails or finds nothing.
	Engines []Engine
	AtOnce  int           // 0: 2
	Timeout time.Duration // of one question to one engine; 0: 8 s
	// Web reads the pages that engines name; nil: their own words are all there is.
	Web *web.Fetcher
	// Folders are searched always. The caller keeps and closes them.
	Folders []*knowledge.Base
	// Rounds bounds how often the queries are rewritten, 1 to 5; 0: 3. A call may ask for fewer.
	Rounds int
	// Queries is how many differing queries a round asks, 1 to 10; 0: 5. Pages is how many pages it reads, 0 to 20; negative: none, 0: 6.
	Queries, Pages int
	// Time bounds a whole search; what was found by then is answered from. 0: 2 minutes.
	Time time.Duration
	// Ask asks the model of the agent whose call it is; nil: there is none. Its error costs the step, not the search.
	Ask func(ctx context.Context, call bus.Request, p Prompt) (Reply, error)
	Log *slog.Logger // nil: slog.Default()
}

// Prompt is what a model is asked: one of the prompts search_queries, search_judge and search_answer with what stands in it.
type Prompt struct {
	Name     string
	Language string // zh or en
	Task     string // what the search is for
	Context  string // queries so far, a line each
	Text     string // what was found, as numbered passages
	// Schema is that of the JSON that is wanted; nil: text.
	Schema json.RawMessage
	// OnText is told a text as it is written; nil: nobody watches.
	OnText func(piece string)
}

// Reply is what the model answered: JSON when a schema was given, else Text.
type Reply struct {
	Text  string
	JSON  json.RawMessage
	Usage bus.Usage
}

// Searcher searches. Safe from many goroutines.
type Searcher struct {
	o     Options
	tired tired
}

// New makes a searcher.
func New(o Options) *Searcher {
	or := func(n *int, normal, most int) {
		if *n == 0 {
			*n = normal
		}
		*n = min(max(*n, 0), most)
	}
	or(&o.AtOnce, 2, 8)
	or(&o.Rounds, 3, 5)
	or(&o.Queries, 5, 10)
	or(&o.Pages, 6, 20)
	o.Rounds, o.Queries, o.AtOnce = max(o.Rounds, 1), max(o.Queries, 1), max(o.AtOnce, 1)
	if o.Timeout <= 0 {
		o.Timeout = 8 * time.Second
	}
	if o.Time <= 0 {
		o.Time = 2 * time.Minute
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	return &Searcher{o: o, tired: tired{until: map[string]time.Time{}}}
}

// Folder opens a folder of documents of any sort for [Options.Folders]: Markdown, text, HTML, PDF and DOCX, with all below it. It is read anew when a file
// changes. What cannot be read is left out, and logged; a folder that is not there is an error.
func Folder(path string, log *slog.Logger) (*knowledge.Base, error) {
	dir := os.DirFS(path)
	switch at, err := fs.Stat(dir, "."); {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("there is no folder %s", path)
	case err != nil:
		return nil, fmt.Errorf("the folder %s cannot be read: %w", path, err)
	case !at.IsDir():
		return nil, fmt.Errorf("%s is a file, and no folder", path)
	}
	documents := map[string]func([]byte) (string, string, error){}
	for _, ending := range []string{".txt", ".text", ".markdown", ".html", ".htm", ".xhtml", ".pdf", ".docx"} {
		kind, _ := read.Ending("x" + ending)
		documents[ending] = func(data []byte) (string, string, error) {
			ctx, cancel := context.WithTimeout(context.Background(), documentWithin)
			defer cancel()
			t, err := read.Read(ctx, read.Source{Kind: kind, Data: data})
			return t.Title, t.Markdown, err
		}
	}
	return knowledge.Open(dir, knowledge.Options{Documents: documents, Log: log})
}

// documentWithin bounds the reading of one file of a folder.
const documentWithin = 20 * time.Second
