package knowledge

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"path"
	"strings"
	"sync"
	"time"
)

//go:embed rules/*.md
var shipped embed.FS

// Rules is the folder of the shipped shop rules: our own short texts in Chinese. Some state what a public article quotes,
// with its link; the others say in their note that they are samples for the demo shop.
func Rules() fs.FS {
	sub, err := fs.Sub(shipped, "rules")
	if err != nil {
		panic(err) // the name is a constant
	}
	return sub
}

// Bounds of a folder. A rule book is some hundred pages; beyond these somebody has pointed us at the wrong folder, and an
// error that says so is better than a start that never ends.
const (
	maxFile  = 4 << 20 // bytes of one file
	maxFiles = 10_000
)

// ErrClosed is returned by a search after Close.
var ErrClosed = errors.New("the knowledge base is closed")

// Options of a [Base]; the zero value works.
type Options struct {
	// Recheck is how old the last look at the folder may be before a search looks again whether a file has changed.
	// 0: 2 s; negative: never look again.
	Recheck time.Duration
	// Log is told when the folder changed, or cannot be read anew. nil: slog.Default().
	Log *slog.Logger
}

// Base is a searchable folder. Safe from many goroutines.
type Base struct {
	dir     fs.FS
	options Options

	mu      sync.RWMutex // held for reading while a search uses the shelf
	shelf   *shelf       // nil once closed
	look    sync.Mutex   // one goroutine looks at the folder at a time; guards seen and checked
	seen    string
	checked time.Time
}

// Open reads every *.md file below dir (os.DirFS, an embed.FS, [Rules]) and indexes it in memory: some milliseconds for
// a hundred passages. Hidden files and folders are left out. An unreadable or malformed file is an error that names it; a folder without
// any passage is an error as well. Close frees it.
func Open(dir fs.FS, o Options) (*Base, error) {
	if o.Recheck == 0 {
		o.Recheck = 2 * time.Second
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	b := &Base{dir: dir, options: o, checked: time.Now()}
	var err error
	if b.seen, err = fingerprint(dir); err != nil {
		return nil, err
	}
	if b.shelf, err = read(dir); err != nil {
		return nil, err
	}
	return b, nil
}

// Close frees the index. Searches after it return [ErrClosed].
func (b *Base) Close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.shelf == nil {
		return nil
	}
	s := b.shelf
	b.shelf = nil
	return s.close()
}

// Len is the number of passages.
func (b *Base) Len() int {
	b.mu.RLock()
	defer b.mu.RUnlock()
	if b.shelf == nil {
		return 0
	}
	return len(b.shelf.passages)
}

// Search returns at most k passages that answer the query, best first; equal ones keep the order of the files. None is an
// honest answer: nothing here is about that. Facts that stand in the query count like every other word, so a later turn's
// fact appended to the question brings the passage about it to the front. Errors: the context's, and [ErrClosed].
func (b *Base) Search(ctx context.Context, query string, k int) ([]Passage, error) {
	return b.SearchIn(ctx, query, "", k)
}

// SearchIn is Search that prefers passages with the words of a domain. It never shuts out the others, nor lets in what the
// query alone would not find: the caller's guess of the domain may be wrong.
func (b *Base) SearchIn(ctx context.Context, query, domain string, k int) ([]Passage, error) {
	b.refresh()
	b.mu.RLock()
	defer b.mu.RUnlock()
	if b.shelf == nil {
		return nil, ErrClosed
	}
	return b.shelf.search(ctx, query, domain, k)
}

// refresh reads the folder anew when a file has changed. What cannot be read leaves the index as it is: half a rule book
// while somebody saves a file would be worse than the one of a moment ago.
func (b *Base) refresh() {
	if b.options.Recheck < 0 || !b.look.TryLock() {
		return
	}
	defer b.look.Unlock()
	if time.Since(b.checked) < b.options.Recheck {
		return
	}
	b.checked = time.Now()
	seen, err := fingerprint(b.dir)
	if err == nil && seen == b.seen {
		return
	}
	b.seen = seen // a broken state is reported once, not at every search
	var fresh *shelf
	if err == nil {
		fresh, err = read(b.dir)
	}
	if err != nil {
		b.options.Log.Warn("knowledge: the folder changed but cannot be read; the old texts stay", "error", err)
		return
	}

	b.mu.Lock()
	defer b.mu.Unlock()
	old := b.shelf
	if old == nil { // closed meanwhile
		old, fresh = fresh, nil
	}
	b.shelf = fresh
	if err := old.close(); err != nil {
		b.options.Log.Warn("knowledge: closing the old index", "error", err)
	}
	if fresh != nil {
		b.options.Log.Info("knowledge: the folder was read anew", "passages", len(fresh.passages))
	}
}

// fingerprint changes when a Markdown file comes, goes, or is written.
func fingerprint(dir fs.FS) (string, error) {
	var sum strings.Builder
	err := walk(dir, func(file string, entry fs.DirEntry) error {
		at, err := entry.Info()
		if err != nil {
			return err
		}
		fmt.Fprintf(&sum, "%s\x00%d\x00%d\n", file, at.Size(), at.ModTime().UnixNano())
		return nil
	})
	return sum.String(), err
}

// walk calls visit for each Markdown file below dir, sorted by path.
func walk(dir fs.FS, visit func(file string, entry fs.DirEntry) error) error {
	files := 0
	return fs.WalkDir(dir, ".", func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return fmt.Errorf("knowledge folder: %w", err)
		}
		hidden := strings.HasPrefix(entry.Name(), ".") && file != "."
		switch {
		case hidden && entry.IsDir():
			return fs.SkipDir
		case hidden || !entry.Type().IsRegular() || !strings.EqualFold(path.Ext(file), ".md"):
			return nil
		}
		if files++; files > maxFiles {
			return fmt.Errorf("knowledge folder: more than %d Markdown files", maxFiles)
		}
		return visit(file, entry)
	})
}

// read splits and indexes every file.
func read(dir fs.FS) (*shelf, error) {
	var all []Passage
	err := walk(dir, func(file string, _ fs.DirEntry) error {
		text, err := readFile(dir, file)
		if err != nil {
			return err
		}
		passages, err := Split(file, text)
		all = append(all, passages...)
		return err
	})
	if err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("knowledge folder: no Markdown file (*.md) with any text in it")
	}
	return stack(all)
}

func readFile(dir fs.FS, file string) (string, error) {
	f, err := dir.Open(file)
	if err != nil {
		return "", err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return "", fmt.Errorf("%s: %w", file, err)
	}
	if len(text) > maxFile {
		return "", fmt.Errorf("%s: larger than %d MiB; split it into files of one subject each", file, maxFile>>20)
	}
	return string(text), nil
}
