package bus

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"math"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// ServerOptions say how the embedded NATS server runs. Dir is required.
type ServerOptions struct {
	// Dir keeps everything: streams (jetstream/), the token, the nats CLI's context (nats/context/hmap.json) and the lock. It is made when missing, for its owner only.
	Dir string
	// Listen is a host:port for TCP; port 0 takes a free one. Empty: no listener, only [Options.Server] connects.
	Listen string
	// NoSync leaves the writing to disk to the operating system. The default syncs every write (0.2 ms), so that a power cut
	// loses nothing that was acknowledged; a killed process loses nothing either way.
	NoSync bool
	// AcceptDamage goes on with a folder that lacks records which it had. The first [Connect] then ends the calls that lost some with an
	// error. The default refuses to start on one ([ErrDamaged]), so that somebody decides.
	AcceptDamage bool
	// Log gets what the server says; nil: nowhere.
	Log *slog.Logger
}

// Server is a NATS server with JetStream inside this process.
type Server struct {
	log   *slog.Logger
	opts  *server.Options
	dir   string
	token string
	url   string
	lock  *os.File
	once  sync.Once

	mu      sync.Mutex
	nats    *server.Server // another one after the disk was full
	found   []string       // the streams that had a folder when it was opened
	trouble error          // why nothing can be written now

	quit  chan struct{}
	watch sync.WaitGroup

	sums map[string]block // of the files as they were when we came

	settling sync.Mutex // held by the Connect that sets right what follows
	accepted *damage    // nil: none, or settled
	reindex  bool       // the index of open tasks may lack something

	sealing sync.Mutex
	index   horizon
	pending bool     // what was found at the start is not settled: the seal stays as it is, so that the next start finds it too
	gaps    []uint64 // see seal.Accepted
}

// readyWithin bounds how long a start may take; half a million records are back in 0.3 s.
const readyWithin = 30 * time.Second

// StartServer starts a server on o.Dir and returns when it is ready. Only who can read o.Dir/token can connect over TCP;
// the token is made once and kept. It fails with a sentence for the user when another process uses o.Dir or the port, when o.Dir cannot be
// written, is of a newer format ([ErrNewer]) or damaged ([ErrDamaged]).
func StartServer(o ServerOptions) (*Server, error) {
	if o.Dir == "" {
		return nil, errors.New("start server: no data directory given")
	}
	if err := os.MkdirAll(o.Dir, 0o700); err != nil {
		return nil, fmt.Errorf("start server: data directory: %w; give another one, or make this one yourself", err)
	}
	if err := usable(o.Dir); err != nil {
		return nil, fmt.Errorf("start server: %w", err)
	}
	lock, err := lockDir(o.Dir)
	if err != nil {
		return nil, fmt.Errorf("start server: %w", err)
	}
	s := &Server{dir: o.Dir, lock: lock, log: o.Log, quit: make(chan struct{})}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	if err := s.start(o); err != nil {
		s.end()
		_ = s.lock.Close()
		return nil, fmt.Errorf("start server: %w", err)
	}
	return s, nil
}

func (s *Server) start(o ServerOptions) error {
	fresh, err := checkFormat(o.Dir)
	if err != nil {
		return err
	}
	was, err := readSeal(o.Dir)
	if err != nil {
		return err
	}
	var changed []string
	if was != nil {
		s.sums, s.gaps = was.Blocks, was.Accepted
		var stale []string
		changed, stale = was.changed(o.Dir)
		if len(changed) > 0 && !o.AcceptDamage {
			return &damage{dir: o.Dir, missing: notAsLeft(changed)}
		}
		if s.index.sure = was.Indexed; slices.Contains(stale, openStream) || was.Blocks == nil && (was.Boot == "" || was.Boot != boot()) {
			s.index.sure = 0
		}
		if err := s.drop(stale); err != nil {
			return err
		}
		for _, stream := range changed {
			if err := forgetIndex(o.Dir, stream); err != nil {
				return err
			}
		}
	}
	if s.token, err = keepToken(filepath.Join(o.Dir, "token")); err != nil {
		return err
	}
	s.opts = &server.Options{
		ServerName:        "hmap",
		JetStream:         true,
		StoreDir:          o.Dir,             // the server adds jetstream/
		JetStreamMaxStore: math.MaxInt64 / 2, // the disk is the limit; the server's own would be a share of what was free when it started
		SyncAlways:        !o.NoSync,
		Authorization:     s.token,
		DontListen:        o.Listen == "",
		NoSigs:            true,
	}
	if o.Listen != "" {
		if s.opts.Host, s.opts.Port, err = splitListen(o.Listen); err != nil {
			return err
		}
	}
	if was != nil { // from here files are written: after a kill what they were now would prove nothing
		if err := (&seal{Streams: was.Streams, Loose: was.Loose, Accepted: was.Accepted, Indexed: s.index.sure, Boot: boot()}).write(o.Dir); err != nil {
			return err
		}
	}
	if err := s.open(); err != nil {
		return errors.Join(err, was.write(o.Dir))
	}
	if !fresh {
		d, err := s.inspect(was, changed, o.AcceptDamage)
		if err != nil {
			return fmt.Errorf("look for damage: %w", err)
		}
		if was != nil && (d.found() || s.reindex) { // until it is settled, the next start must find it, too
			if was.Indexed = s.index.sure; !d.found() {
				was.Blocks = nil // the log is whole, and others may write it before the index is
			}
			if err := was.write(o.Dir); err != nil {
				return err
			}
		}
		if d.found() && !o.AcceptDamage {
			return d
		}
		if d.found() {
			s.log.Error("bus: going on with damaged data", "missing", d.missing, "sessions", d.sessions())
			s.accepted = d
		}
		if len(d.lost) > 0 {
			s.log.Warn("bus: the last moments are lost, as they may be after a power cut while not every write is synced (sync: interval); "+
				"what was done in them may be done again", "lost", d.lost)
		}
	} else if err := writeFormat(o.Dir); err != nil {
		return err
	}
	s.pending = s.accepted != nil || s.reindex
	if err := s.note(); err != nil {
		return err
	}
	s.watch.Go(s.keepWatch)
	if addr := s.nats.Addr(); addr != nil {
		s.url = "nats://" + s.token + "@" + addr.String()
		return s.writeContext(addr.String())
	}
	return nil
}

// open starts the server below on the folder.
func (s *Server) open() error {
	folders, err := os.ReadDir(filepath.Join(s.dir, streamsFolder))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	var found []string
	for _, f := range folders {
		found = append(found, f.Name())
	}
	n, err := server.NewServer(s.opts)
	if err != nil {
		return err
	}
	log := &serverLog{log: s.log, fatal: make(chan string, 1)}
	n.SetLoggerV2(log, false, false, false)
	n.Start()
	s.mu.Lock()
	s.nats, s.found = n, found
	s.mu.Unlock()
	if !n.ReadyForConnections(readyWithin) {
		select {
		case why := <-log.fatal:
			return errors.New(why)
		default:
			return fmt.Errorf("not ready after %v", readyWithin)
		}
	}
	if addr, ok := n.Addr().(*net.TCPAddr); ok {
		s.opts.Port = addr.Port // for the next one
	}
	return nil
}

// note writes down what the folder holds at least.
func (s *Server) note() error {
	s.sealing.Lock()
	defer s.sealing.Unlock()
	if s.pending {
		return nil
	}
	now, err := standing(s.running())
	if err != nil {
		return err
	}
	s.index.note(now[LogStream].Last, time.Now())
	return s.seal(now, nil).write(s.dir)
}

func (s *Server) seal(now map[string]sealed, files map[string]block) *seal {
	return &seal{Streams: now, Loose: !s.opts.SyncAlways, Accepted: s.gaps, Indexed: s.index.sure, Boot: boot(), Blocks: files}
}

// settled notes that what was found at the start is set right.
func (s *Server) settled() error {
	s.sealing.Lock()
	if s.accepted != nil {
		s.gaps = s.accepted.gaps
	}
	s.pending = false
	s.sealing.Unlock()
	s.accepted, s.reindex = nil, false
	return s.note()
}

// running is the server below as it is now.
func (s *Server) running() *server.Server {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.nats
}

// splitListen also tries the port, because the server itself would only log that it is taken.
func splitListen(listen string) (string, int, error) {
	host, port, err := net.SplitHostPort(listen)
	if err != nil {
		return "", 0, fmt.Errorf("listen address %q: want host:port", listen)
	}
	n, err := strconv.Atoi(port)
	if err != nil || n < 0 || n > 65535 {
		return "", 0, fmt.Errorf("listen address %q: the port is not 0 to 65535", listen)
	}
	if n == 0 {
		return host, server.RANDOM_PORT, nil
	}
	l, err := net.Listen("tcp", listen)
	if err != nil {
		return "", 0, fmt.Errorf("cannot listen on %s (%w); give another address or port", listen, err)
	}
	return host, n, l.Close()
}

// URL is where clients connect, with the token inside, as the nats CLI takes it; "" when there is no listener.
func (s *Server) URL() string { return s.url }

// Stop ends the server orderly and returns when everything is on disk and the directory is free. Connections of this process
// must be closed before, or they go on trying to reconnect. Twice is harmless.
func (s *Server) Stop() {
	s.once.Do(func() {
		close(s.quit)
		s.watch.Wait()
		now, err := standing(s.nats)
		s.end()
		s.sealing.Lock()
		defer s.sealing.Unlock()
		if err == nil && s.Trouble() == nil && len(now) > 0 && !s.pending {
			var files map[string]block
			if files, err = blocks(s.dir, s.sums); err == nil {
				if !s.index.torn { // all of it is written
					s.index.sure = now[LogStream].Last
				}
				err = s.seal(now, files).write(s.dir)
			}
		}
		if err != nil {
			s.log.Warn("bus: what the data folder holds could not be noted; the next start cannot tell whether files of it are lost", "err", err)
		}
		_ = s.lock.Close() // closing lets the lock go
	})
}

// end shuts the server below down; the lock stays.
func (s *Server) end() {
	if s.nats != nil {
		s.nats.Shutdown()
		s.nats.WaitForShutdown()
	}
	if s.url != "" {
		_ = os.Remove(contextFile(s.dir)) // a left-over only names a server that does not answer
	}
}

func inUse(dir string) error {
	return fmt.Errorf("data directory %s is already in use by another hmap; stop that one, connect to it, or give another directory", dir)
}
