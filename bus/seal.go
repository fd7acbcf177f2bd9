package bus

import (
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// seal is what a data folder is known to hold, kept beside it: nats-server takes a file that lost its end, or is gone, for a log that
// is shorter, and says nothing. It is written every ten seconds, so after a kill it may be older than the folder; what it names is there
// at least. Whether records in between went missing is a matter of the log itself; see chain.go.
type seal struct {
	Streams map[string]sealed `json:"streams"`
	// Loose: the system wrote to disk when it liked ([ServerOptions.NoSync]), so that after a power cut the streams may end before what stands here.
	Loose bool `json:"loose,omitempty"`
	// Accepted are the records of the log whose predecessor is missing, and somebody knows.
	Accepted []uint64 `json:"accepted,omitempty"`
	// Indexed is the sequence of the log up to which the index of open tasks that was written surely follows it.
	Indexed uint64 `json:"indexed,omitempty"`
	// Boot is the run of the machine: with another one, what was written and not synced may be lost.
	Boot string `json:"boot,omitempty"`
	// Blocks are the files with the messages, by path below the folder of the streams; only after an orderly stop, when nobody writes them.
	Blocks map[string]block `json:"blocks,omitempty"`
}

// block is a file as it was left.
type block struct {
	Bytes int64     `json:"bytes"`
	Time  time.Time `json:"time"` // of its last change
	Sum   uint32    `json:"sum"`  // CRC-32C
}

// sealed is how a stream stood.
type sealed struct {
	Last    uint64 `json:"last"`    // sequence
	Deleted int    `json:"deleted"` // messages missing before it
}

// streamsFolder is where the server keeps the streams of its only account.
const streamsFolder = "jetstream/$G/streams"

func sealFile(dir string) string { return filepath.Join(dir, "seal.json") }

// readSeal gives nil when there is none, or none that can be read: then nothing is known.
func readSeal(dir string) (*seal, error) {
	body, err := os.ReadFile(sealFile(dir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var s seal
	if json.Unmarshal(body, &s) != nil || len(s.Streams) == 0 {
		return nil, nil
	}
	return &s, nil
}

// write keeps s; a nil one, which knows nothing, leaves what is there.
func (s *seal) write(dir string) error {
	if s == nil {
		return nil
	}
	body, err := json.Marshal(s)
	if err != nil {
		return err
	}
	return replaceFile(sealFile(dir), append(body, '\n'))
}

var (
	// kept are the streams whose loss is damage. Leases live for seconds, and what else is on the server is somebody else's.
	kept = []string{LogStream, TaskStream, DeadStream, toolsStream, "OBJ_" + FilesStore}
	// derived are those that are made again from the log: the index of open tasks by [Bus.reindex], snapshots, which are a cache, by
	// [Bus.IndexSessions] and whoever reads a session, and the cache, by whoever misses something in it.
	derived = []string{openStream, sessionsStream, cacheStream}
)

// isKept reports whether losing something of a stream is damage.
func isKept(stream string) bool { return slices.Contains(kept, stream) }

// isSealed reports whether the seal names a stream.
func isSealed(stream string) bool { return isKept(stream) || slices.Contains(derived, stream) }

// changed gives the streams with blocks that are gone or not what they were: damaged ones are kept, stale ones derived. It is asked before a
// server opens them, which would cut away what is behind the damage, and somebody may still want to mend it. It reads the newest sumAtMost bytes; 1 GB takes 0.3 s from memory.
func (s *seal) changed(dir string) (damaged, stale []string) {
	paths := slices.SortedFunc(maps.Keys(s.Blocks), func(a, b string) int { return s.Blocks[b].Time.Compare(s.Blocks[a].Time) })
	budget := int64(sumAtMost)
	for _, path := range paths {
		stream, _, _ := strings.Cut(path, "/")
		if slices.Contains(damaged, stream) || slices.Contains(stale, stream) || !isSealed(stream) {
			continue
		}
		file, was := filepath.Join(dir, streamsFolder, filepath.FromSlash(path)), s.Blocks[path]
		info, err := os.Stat(file)
		same := err == nil && info.Size() == was.Bytes
		if budget -= was.Bytes; same && budget >= 0 {
			sum, err := sumOf(file)
			same = err == nil && sum == was.Sum
		}
		switch {
		case same:
		case isKept(stream):
			damaged = append(damaged, stream)
		default:
			stale = append(stale, stream)
		}
	}
	slices.Sort(damaged)
	slices.Sort(stale)
	return damaged, stale
}

const sumAtMost = 2 << 30

func sumOf(file string) (uint32, error) {
	f, err := os.Open(file)
	if err != nil {
		return 0, err
	}
	defer func() { _ = f.Close() }()
	sum := crc32.New(crc32.MakeTable(crc32.Castagnoli))
	_, err = io.Copy(sum, f)
	return sum.Sum32(), err
}

// differences are what the streams hold less than a seal names.
type differences struct {
	missing []string // sentences: damage
	lost    []string // sentences: what a power cut may take from streams that are not synced
	// doubtful: records may have gone from within the log, or its end has; read it.
	doubtful bool
}

// compare holds streams against the seal. One that is not there at all ends at 0.
func (s *seal) compare(now map[string]sealed) (d differences) {
	for _, stream := range slices.Sorted(maps.Keys(s.Streams)) {
		was := s.Streams[stream]
		is, there := now[stream]
		if !isKept(stream) {
			continue
		}
		if is.Last < was.Last {
			what := fmt.Sprintf("%s reached %d and ends at %d", stream, was.Last, is.Last)
			if s.Loose && s.Blocks == nil && there {
				d.lost = append(d.lost, what)
			} else {
				d.missing = append(d.missing, what)
			}
		}
		if more := is.Deleted - was.Deleted; stream == LogStream && s.Blocks != nil && more > 0 { // nobody removes anything while nobody is there
			d.missing = append(d.missing, fmt.Sprintf("%s lacks %d records", stream, more))
		}
		d.doubtful = d.doubtful || stream == LogStream && (is.Last < was.Last || is.Deleted > was.Deleted)
	}
	return d
}

// standing is how our streams on a running server stand.
func standing(s *server.Server) (map[string]sealed, error) {
	info, err := s.Jsz(&server.JSzOptions{Streams: true})
	if err != nil {
		return nil, err
	}
	now := map[string]sealed{}
	for _, account := range info.AccountDetails {
		for _, stream := range account.Streams {
			if isSealed(stream.Name) {
				now[stream.Name] = sealed{stream.State.LastSeq, stream.State.NumDeleted}
			}
		}
	}
	return now, nil
}

// blocks are the files with messages of our streams, as they are now, on disk. Sums of what has not changed are taken from before.
func blocks(dir string, before map[string]block) (map[string]block, error) {
	all := map[string]block{}
	root := filepath.Join(dir, streamsFolder)
	paths, err := filepath.Glob(filepath.Join(root, "*", "msgs", "*.blk"))
	if err != nil {
		return nil, err
	}
	for _, path := range paths {
		name, err := filepath.Rel(root, path)
		if err != nil {
			return nil, err
		}
		name = filepath.ToSlash(name)
		if stream, _, _ := strings.Cut(name, "/"); !isSealed(stream) {
			continue
		}
		info, err := os.Stat(path)
		if err != nil {
			return nil, err
		}
		b, known := before[name]
		if !known || b.Bytes != info.Size() || !b.Time.Equal(info.ModTime()) {
			b.Bytes, b.Time = info.Size(), info.ModTime()
			if err = syncFile(path); err != nil { // the seal must not be on disk before what it vouches for
				return nil, err
			}
			if b.Sum, err = sumOf(path); err != nil {
				return nil, err
			}
		}
		all[name] = b
	}
	return all, nil
}

// forgetIndex makes the server read the blocks of a stream instead of its own index of them, which does not tell what became of them.
func forgetIndex(dir, stream string) error {
	err := os.Remove(filepath.Join(dir, streamsFolder, stream, "msgs", "index.db"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// drop takes derived streams away before a server opens them: one that meets a damaged block later fails at the next write to it, as on
// a full disk, or never ends.
func (s *Server) drop(stale []string) error {
	if len(stale) == 0 {
		return nil
	}
	s.log.Warn("bus: files of what is derived from the log are gone or not as hmap left them; it is made again from the log", "streams", stale)
	for _, stream := range stale {
		if err := os.RemoveAll(filepath.Join(s.dir, streamsFolder, stream)); err != nil {
			return err
		}
	}
	return nil
}
