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
	maxFile     = 4 << 20  // bytes of one Markdown file
	maxDocument = 24 << 20 // bytes of one of another kind
	maxFiles    = 10_000
	maxText     = 64 << 20 // bytes of text in all
)

// ErrClosed is returned by a search after Close.
var ErrClosed = errors.New("the knowledge base is closed")

// Options of a [Base]; the zero value works.
type Options struct {
	// Recheck is how old the last look at the folder may be before a search looks again whether a file has changed.
	// 0: each search looks, unless the last look took longer than 50 ms (a large folder, a slow disk): then 2 s. Negative: never
	// look again.
	Recheck time.Duration
	// Documents make Markdown of files of other kinds, by the ending of their names (".pdf"). With it the folder is somebody's documents, and taken as it
	// is: what cannot be read is logged and left out, front matter may say anything and is skipped, and a folder with nothing to read is no error.
	Documents map[string]func(data []byte) (title, markdown string, err error)
	// Most is how many bytes of text the folder may hold in all, for the index lies in memory; 0: 64 MiB. More is an error; of somebody's documents the files
	// beyond it are left out, and that is logged and told ([Base.Left]).
	Most int64
	// Log is told when the folder changed, or cannot be read anew. nil: slog.Default().
	Log *slog.Logger
}

// Base is a searchable folder. Safe from many goroutines.
type Base struct {
	dir     fs.FS
	options Options

	mu      sync.RWMutex // held for reading while a search uses the shelf
	shelf   *shelf       // nil once closed
	look    sync.Mutex   // one goroutine looks at the folder at a time; guards seen, known, checked and took
	seen    string
	known   map[string]known // by file: what was read of it
	checked time.Time        // when the last look ended
	took    time.Duration    // the last look
	left    int              // files beyond Options.Most; guarded by mu
}

// known is what a file held when it was read.
type known struct {
	stamp    string
	passages []Passage
}

// Open reads every *.md file below dir (os.DirFS, an embed.FS, [Rules]) and indexes it in memory: some milliseconds for
// a hundred passages. Hidden files and folders are left out. An unreadable or malformed file is an error that names it; a folder without
// any passage is an error as well. Close frees it.
func Open(dir fs.FS, o Options) (*Base, error) {
	if o.Log == nil {
		o.Log = slog.Default()
	}
	if o.Most <= 0 {
		o.Most = maxText
	}
	b := &Base{dir: dir, options: o}
	begun := time.Now()
	var err error
	if b.seen, err = b.fingerprint(); err != nil {
		return nil, err
	}
	b.looked(begun)
	if b.shelf, b.left, err = b.read(); err != nil {
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

// Left is how many files were left out because the folder holds more text than an index may.
func (b *Base) Left() int {
	b.mu.RLock()
	defer b.mu.RUnlock()
	return b.left
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

// InGeneral is for a query that finds nothing: it leaves out the words that no passage knows, which it returns, and finds those that hold all of the rest. So
// what holds for all goods is found for headphones, of which no rule speaks. Nothing when every word is known somewhere.
func (b *Base) InGeneral(ctx context.Context, query, domain string, k int) (found []Passage, lacks string, err error) {
	b.refresh()
	b.mu.RLock()
	defer b.mu.RUnlock()
	if b.shelf == nil {
		return nil, "", ErrClosed
	}
	return b.shelf.general(ctx, query, domain, k)
}

// refresh reads the folder anew when a file has changed. What cannot be read leaves the index as it is: half a rule book
// while somebody saves a file would be worse than the one of a moment ago.
func (b *Base) refresh() {
	if b.options.Recheck < 0 {
		return
	}
	b.look.Lock() // who comes while another one looks waits for what that finds
	defer b.look.Unlock()
	wait := b.options.Recheck
	if wait == 0 && b.took > 50*time.Millisecond {
		wait = 2 * time.Second
	}
	if time.Since(b.checked) < wait {
		return
	}
	begun := time.Now()
	seen, err := b.fingerprint()
	b.looked(begun)
	if err == nil && seen == b.seen {
		return
	}
	b.seen = seen // a broken state is reported once, not at every search
	var fresh *shelf
	left := 0
	if err == nil {
		fresh, left, err = b.read()
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
	b.shelf, b.left = fresh, left
	if err := old.close(); err != nil {
		b.options.Log.Warn("knowledge: closing the old index", "error", err)
	}
	if fresh != nil {
		b.options.Log.Info("knowledge: the folder was read anew", "passages", len(fresh.passages))
	}
}

// looked notes that a look at the folder has ended.
func (b *Base) looked(begun time.Time) {
	b.checked = time.Now()
	b.took = b.checked.Sub(begun)
}

// fingerprint changes when a file that is read comes, goes, or is written.
func (b *Base) fingerprint() (string, error) {
	var sum strings.Builder
	err := b.walk(func(file string, entry fs.DirEntry) error {
		stamp, err := stamp(entry)
		if err != nil {
			return err
		}
		fmt.Fprintf(&sum, "%s\x00%s\n", file, stamp)
		return nil
	})
	return sum.String(), err
}

func stamp(entry fs.DirEntry) (string, error) {
	at, err := entry.Info()
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%d\x00%d", at.Size(), at.ModTime().UnixNano()), nil
}

// walk calls visit for each file below the folder that is read, sorted by path.
func (b *Base) walk(visit func(file string, entry fs.DirEntry) error) error {
	files := 0
	return fs.WalkDir(b.dir, ".", func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return fmt.Errorf("knowledge folder: %w", err)
		}
		hidden := strings.HasPrefix(entry.Name(), ".") && file != "."
		ending := strings.ToLower(path.Ext(file))
		switch {
		case hidden && entry.IsDir():
			return fs.SkipDir
		case hidden || !entry.Type().IsRegular() || ending != ".md" && b.options.Documents[ending] == nil:
			return nil
		}
		if files++; files > maxFiles {
			return fmt.Errorf("knowledge folder: more than %d files", maxFiles)
		}
		return visit(file, entry)
	})
}

// read splits and indexes every file, and counts those that are left out for want of room. One that has not changed is not read again.
func (b *Base) read() (s *shelf, left int, err error) {
	var all []Passage
	room := b.options.Most
	fresh := map[string]known{}
	err = b.walk(func(file string, entry fs.DirEntry) error {
		now, err := stamp(entry)
		if err != nil {
			return err
		}
		if room <= 0 {
			left++
			return nil
		}
		k, ok := b.known[file]
		if !ok || k.stamp != now {
			k.stamp = now
			if k.passages, err = b.passages(file); err != nil && b.options.Documents == nil {
				return err
			}
			if err != nil {
				b.options.Log.Warn("knowledge: a file is left out", "file", file, "error", err)
			}
		}
		for _, p := range k.passages {
			room -= int64(len(p.Text) + len(p.TextEn))
		}
		if room < 0 && b.options.Documents == nil {
			return fmt.Errorf("knowledge folder: more than %d bytes of text in all", b.options.Most)
		}
		if room < 0 {
			left++
			return nil
		}
		fresh[file] = k
		all = append(all, k.passages...)
		return nil
	})
	if err != nil {
		return nil, 0, err
	}
	if left > 0 {
		b.options.Log.Warn("knowledge: the folder holds too much text; files are left out", "files", left, "most", b.options.Most)
	}
	if len(all) == 0 && b.options.Documents == nil {
		return nil, 0, fmt.Errorf("knowledge folder: no Markdown file (*.md) with any text in it")
	}
	b.known = fresh
	s, err = stack(all)
	return s, left, err
}

// passages are those of one file.
func (b *Base) passages(file string) ([]Passage, error) {
	ending := strings.ToLower(path.Ext(file))
	convert := b.options.Documents[ending]
	if convert == nil {
		data, err := b.readFile(file, maxFile)
		if err != nil {
			return nil, err
		}
		out, err := Split(file, string(data))
		if err != nil && b.options.Documents != nil { // somebody's own front matter
			all := strings.TrimPrefix(string(data), "---")
			_, rest, closed := strings.Cut(all, "\n---")
			if !closed { // a rule, and no front matter
				rest = all
			}
			return Split(file, "\n"+rest)
		}
		return out, err
	}
	data, err := b.readFile(file, maxDocument)
	if err != nil {
		return nil, err
	}
	title, text, err := convert(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return Cut(file, title, "", text), nil
}

func (b *Base) readFile(file string, most int64) ([]byte, error) {
	f, err := b.dir.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if int64(len(data)) > most {
		return nil, fmt.Errorf("%s: larger than %d MiB; split it into files of one subject each", file, most>>20)
	}
	return data, nil
}
