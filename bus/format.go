package bus

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/nats-io/nats.go/jetstream"
)

// Format is the version of what the streams, and for an embedded server the data folder, hold. It grows when an older hmap could not
// read them rightly, or a newer one must change them first. 0 is all that was written before the number was.
const Format = 1

// ErrNewer: what is stored is of a newer format than this program knows. Use the newer program; nothing was touched.
var ErrNewer = errors.New("written by a newer hmap")

// upgrades[n] changes format n into n+1. Each may be repeated, since it can be cut off anywhere, and leaves what a node of format n can
// still read and write: on a cluster the first new node does it while old ones work, and a rolling restart meets both. One that cannot be
// so belongs into new streams beside the old.
var upgrades = [Format]struct {
	what string
	do   func(*Bus, context.Context) error
}{
	{"the index of open tasks is held against the log", func(b *Bus, ctx context.Context) error { return b.reindex(ctx, 0) }},
}

// formatKey is where the metadata of the log stream hold the format: for a cluster the only place, so whoever can reach the log sees it.
const formatKey = "hmap-format"

// storedFormat is the format of what is stored on the server. [ErrNewer] when it is ahead of us.
func (b *Bus) storedFormat(log jetstream.Stream) (int, error) {
	have, err := parseFormat(log.CachedInfo().Config.Metadata[formatKey])
	if err != nil {
		return 0, fmt.Errorf("metadata %s: %w", formatKey, err)
	}
	if have > Format {
		return 0, fmt.Errorf("it has format %d, this program knows up to %d: %w; run the newer program on all nodes", have, Format, ErrNewer)
	}
	return have, nil
}

// settleFormat upgrades what is stored to [Format], one step at a time, each noted when it is done.
func (b *Bus) settleFormat(ctx context.Context) error {
	log, err := b.js.Stream(ctx, LogStream)
	if err != nil {
		return err
	}
	have, err := b.storedFormat(log)
	if err != nil {
		return err
	}
	config := log.CachedInfo().Config
	for ; have < Format; have++ {
		step := upgrades[have]
		if log.CachedInfo().State.LastSeq > 0 {
			b.log.Warn("bus: what is stored is of an older format and is upgraded; the way back is a copy of the data made while no hmap runs",
				"from", have, "to", have+1, "what", step.what)
			if err := step.do(b, ctx); err != nil {
				return fmt.Errorf("upgrade from format %d: %w; it is tried again at the next start", have, err)
			}
		}
		if config.Metadata == nil {
			config.Metadata = map[string]string{}
		}
		config.Metadata[formatKey] = strconv.Itoa(have + 1)
		if _, err := b.js.UpdateStream(ctx, config); err != nil {
			return err
		}
	}
	if b.o.Server != nil {
		return writeFormat(b.o.Server.dir)
	}
	return nil
}

// parseFormat reads a format as it is stored; "" is 0.
func parseFormat(s string) (int, error) {
	s = strings.TrimSpace(s)
	if s == "" {
		return 0, nil
	}
	n, err := strconv.ParseUint(s, 10, 31)
	if err != nil {
		return 0, fmt.Errorf("%.40q is not the number of a format", s)
	}
	return int(n), nil
}

func formatFile(dir string) string { return filepath.Join(dir, "format") }

// readFormat gives the format of a data folder; fresh: nothing is stored there yet.
func readFormat(dir string) (format int, fresh bool, err error) {
	body, err := os.ReadFile(formatFile(dir))
	if errors.Is(err, fs.ErrNotExist) {
		_, err = os.Stat(filepath.Join(dir, streamsFolder))
		if errors.Is(err, fs.ErrNotExist) {
			return Format, true, nil
		}
		return 0, false, err
	}
	if err != nil {
		return 0, false, err
	}
	if format, err = parseFormat(string(body)); err != nil {
		return 0, false, fmt.Errorf("%s: %w; take it from a backup, or remove it if this folder is not of a newer hmap", formatFile(dir), err)
	}
	return format, false, nil
}

// checkFormat refuses a data folder of a newer format, before anything in it is opened.
func checkFormat(dir string) (fresh bool, err error) {
	have, fresh, err := readFormat(dir)
	if err != nil {
		return false, err
	}
	if have > Format {
		return false, fmt.Errorf("data directory %s has format %d, this program knows up to %d: %w; run the newer program, or give another directory",
			dir, have, Format, ErrNewer)
	}
	return fresh, nil
}

func writeFormat(dir string) error {
	body := []byte(strconv.Itoa(Format) + "\n")
	if old, err := os.ReadFile(formatFile(dir)); err == nil && string(old) == string(body) {
		return nil
	}
	return replaceFile(formatFile(dir), body)
}
