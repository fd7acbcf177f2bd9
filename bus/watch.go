package bus

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

const (
	watchEvery = time.Second
	noteEvery  = 10 // times watchEvery
	// roomFor is how many bytes must fit on the disk before it counts as not full: a message, and what the server keeps beside.
	roomFor = 1 << 20
)

// Trouble is why nothing can be stored at the moment, as a sentence for the user; nil when all is well. Once the cause is gone, it goes on by itself.
func (s *Server) Trouble() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.trouble
}

// InProcessConn connects to the server as it is now. Between two servers it fails, and clients try again.
func (s *Server) InProcessConn() (net.Conn, error) {
	return s.running().InProcessConn()
}

// keepWatch looks whether what is acknowledged can still be written. A server that met a full disk never writes that stream again, also not when
// there is room, and answers nobody; so it is closed then, and opened anew on the same folder and port when there is. All that was
// acknowledged is there, or found again in the log ([Server.reindexNow]); all else is sent again by whoever sent it.
func (s *Server) keepWatch() {
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	for n := 1; ; n++ {
		select {
		case <-s.quit:
			return
		case <-tick.C:
		}
		why := ill(s.nats, s.found)
		if why == "" {
			if n%noteEvery == 0 {
				if err := s.note(); err != nil {
					s.log.Warn("bus: what the data folder holds could not be noted", "err", err)
				}
			}
			continue
		}
		was, err := standing(s.nats)
		if err != nil {
			was = nil // not even that is known; the seal of before stays
		}
		s.sealing.Lock()
		s.index.torn = true // marks that were acknowledged may not be on the disk
		s.sealing.Unlock()
		s.hurt(fmt.Errorf("the log cannot be written (%s)", why))
		if !s.recover(tick.C, was) {
			return
		}
	}
}

// watched are the streams that the house writes; the log, which most is written to, first.
var watched = slices.Concat(kept, derived, []string{nodesStream})

// ill says what keeps a server from writing, "" for nothing; found are the streams that had a folder when it was opened.
func ill(n *server.Server, found []string) string {
	for _, stream := range watched {
		h := n.Healthz(&server.HealthzOptions{Account: "$G", Stream: stream})
		switch {
		case h.Status == "ok", h.StatusCode == 404: // 404: not made yet
		// It is just being made: it has its folder already, and the server takes it for one that it could not open.
		case !slices.Contains(found, stream) && strings.HasSuffix(h.Error, "could not be recovered"):
		case strings.HasPrefix(h.Error, "failed to be ready for connections"): // it has a millisecond for that, on a busy machine too little
		default:
			return h.Error
		}
	}
	return ""
}

func (s *Server) hurt(err error) {
	if err != nil {
		err = fmt.Errorf("%w; free space on the disk of %s and see that it can be written: it goes on by itself, and nothing that was acknowledged is lost", err, s.dir)
		s.log.Error("bus: " + err.Error())
	}
	s.mu.Lock()
	s.trouble = err
	s.mu.Unlock()
}

// recover waits until the folder can be written and opens a new server on it; false: we stop.
func (s *Server) recover(tick <-chan time.Time, was map[string]sealed) bool {
	for {
		select {
		case <-s.quit:
			return false
		case <-tick:
		}
		if probe(s.dir) != nil {
			continue
		}
		s.nats.Shutdown()
		s.nats.WaitForShutdown()
		if err := s.open(); err != nil {
			s.log.Error("bus: the server cannot be opened again; trying again", "err", err)
			continue
		}
		if now, err := standing(s.nats); err == nil && was != nil {
			if d := (&seal{Streams: was}).compare(now); len(d.missing) > 0 {
				s.log.Error("bus: records are missing after the log could not be written; stop hmap and start it again, it says which", "missing", d.missing)
			}
		}
		s.hurt(nil)
		s.log.Warn("bus: the log can be written again", "data", s.dir)
		s.reindexNow()
		return true
	}
}

// reindexNow holds the index of open tasks against the log: a mark may have been acknowledged that the server before could not write.
func (s *Server) reindexNow() {
	s.settling.Lock()
	s.sealing.Lock()
	s.reindex, s.pending = true, true
	s.index.torn, s.index.stood = false, nil
	s.sealing.Unlock()
	s.settling.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), readWithin)
	defer cancel()
	ended := make(chan struct{})
	defer close(ended)
	go func() {
		select {
		case <-s.quit:
			cancel()
		case <-ended:
		}
	}()
	b, err := Connect(ctx, Options{Server: s, Log: s.log}) // which does it
	if err != nil {
		s.log.Error("bus: the index of open tasks could not be held against the log; the next start does it", "err", err)
		return
	}
	b.Close()
}

// probe tries to write.
func probe(dir string) error {
	f, err := os.CreateTemp(dir, "probe.*")
	if err != nil {
		return err
	}
	_, err = f.Write(make([]byte, roomFor))
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close(), os.Remove(f.Name()))
}

// usable looks whether all that the server will want to write may be written: it would take files that it cannot read for lost ones,
// and begin anew without them.
func usable(dir string) error {
	if err := probe(dir); err != nil {
		return fmt.Errorf("data directory %s cannot be written: %w; give hmap a directory of its own, on a disk with room, mounted for writing "+
			"and owned by the user it runs as (see: ls -ld %s, df %s)", dir, err, dir, dir)
	}
	return filepath.WalkDir(filepath.Join(dir, "jetstream"), func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err == nil && d.Type().IsRegular() {
			var f *os.File
			if f, err = os.OpenFile(path, os.O_RDWR, 0); err == nil {
				err = f.Close()
			}
			if errors.Is(err, fs.ErrNotExist) {
				return nil // it was temporary
			}
		}
		if err != nil {
			return fmt.Errorf("data directory: %w; it was written by another user: give all of it to the user that hmap runs as (chown -R), or give another directory", err)
		}
		return nil
	})
}
