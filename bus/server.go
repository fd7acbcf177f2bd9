package bus

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
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
	// Log gets what the server says; nil: nowhere.
	Log *slog.Logger
}

// Server is a NATS server with JetStream inside this process.
type Server struct {
	nats  *server.Server
	dir   string
	token string
	url   string
	lock  *os.File
	once  sync.Once
}

// readyWithin bounds how long a start may take; half a million records are back in 0.3 s.
const readyWithin = 30 * time.Second

// StartServer starts a server on o.Dir and returns when it is ready. Only who can read o.Dir/token can connect over TCP;
// the token is made once and kept. It fails with a sentence for the user when another process uses o.Dir or the port.
func StartServer(o ServerOptions) (*Server, error) {
	if o.Dir == "" {
		return nil, errors.New("start server: no data directory given")
	}
	if err := os.MkdirAll(o.Dir, 0o700); err != nil {
		return nil, fmt.Errorf("start server: data directory: %w", err)
	}
	lock, err := lockDir(o.Dir)
	if err != nil {
		return nil, fmt.Errorf("start server: %w", err)
	}
	s := &Server{dir: o.Dir, lock: lock}
	if err := s.start(o); err != nil {
		s.Stop()
		return nil, fmt.Errorf("start server: %w", err)
	}
	return s, nil
}

func (s *Server) start(o ServerOptions) error {
	var err error
	if s.token, err = keepToken(filepath.Join(o.Dir, "token")); err != nil {
		return err
	}
	opts := &server.Options{
		ServerName:    "hmap",
		JetStream:     true,
		StoreDir:      o.Dir, // the server adds jetstream/
		SyncAlways:    !o.NoSync,
		Authorization: s.token,
		DontListen:    o.Listen == "",
		NoSigs:        true,
	}
	if o.Listen != "" {
		if opts.Host, opts.Port, err = splitListen(o.Listen); err != nil {
			return err
		}
	}
	if s.nats, err = server.NewServer(opts); err != nil {
		return err
	}
	log := &serverLog{log: o.Log, fatal: make(chan string, 1)}
	s.nats.SetLoggerV2(log, false, false, false)
	s.nats.Start()
	if !s.nats.ReadyForConnections(readyWithin) {
		select {
		case why := <-log.fatal:
			return errors.New(why)
		default:
			return fmt.Errorf("not ready after %v", readyWithin)
		}
	}
	if addr := s.nats.Addr(); addr != nil {
		s.url = "nats://" + s.token + "@" + addr.String()
		return s.writeContext(addr.String())
	}
	return nil
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
		if s.nats != nil {
			s.nats.Shutdown()
			s.nats.WaitForShutdown()
		}
		if s.url != "" {
			_ = os.Remove(contextFile(s.dir)) // a left-over only names a server that does not answer
		}
		_ = s.lock.Close() // closing lets the lock go
	})
}

func inUse(dir string) error {
	return fmt.Errorf("data directory %s is already in use by another hmap; stop that one, connect to it, or give another directory", dir)
}

// keepToken reads the token, or makes one of 192 random bits.
func keepToken(path string) (string, error) {
	old, err := os.ReadFile(path)
	if err == nil {
		if token := strings.TrimSpace(string(old)); token != "" {
			return token, nil
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("token: %w", err)
	}
	raw := make([]byte, 24)
	_, _ = rand.Read(raw) // never fails, by its contract
	token := base64.RawURLEncoding.EncodeToString(raw)
	if err := replaceFile(path, []byte(token+"\n")); err != nil {
		return "", fmt.Errorf("token: %w", err)
	}
	return token, nil
}

// natsContext is the part of the nats CLI's context file that we fill.
type natsContext struct {
	Description string `json:"description"`
	URL         string `json:"url"`
	Token       string `json:"token"`
}

// contextFile is where the nats CLI looks for the context "hmap" when XDG_CONFIG_HOME is dir.
func contextFile(dir string) string { return filepath.Join(dir, "nats", "context", "hmap.json") }

func (s *Server) writeContext(addr string) error {
	body, err := json.MarshalIndent(natsContext{"hmap's embedded server", "nats://" + addr, s.token}, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(contextFile(s.dir)), 0o700); err != nil {
		return err
	}
	return replaceFile(contextFile(s.dir), append(body, '\n'))
}

// ReadContext gives the URL (token inside) of the server that listens for the data directory dir. [ErrNotFound] when none does,
// as far as the file tells: after a kill it may name a server that is gone, and connecting fails.
func ReadContext(dir string) (string, error) {
	body, err := os.ReadFile(contextFile(dir))
	if errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("no server listens for %s: %w", dir, ErrNotFound)
	}
	if err != nil {
		return "", fmt.Errorf("connection details: %w", err)
	}
	var c natsContext
	if err := json.Unmarshal(body, &c); err != nil {
		return "", fmt.Errorf("connection details %s: %w", contextFile(dir), err)
	}
	scheme, addr, ok := strings.Cut(c.URL, "://")
	if !ok || c.Token == "" {
		return "", fmt.Errorf("connection details %s: url or token missing", contextFile(dir))
	}
	return scheme + "://" + c.Token + "@" + addr, nil
}

// replaceFile writes a file for its owner only, whole or not at all.
func replaceFile(path string, body []byte) error {
	tmp, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*") // mode 0600
	if err != nil {
		return err
	}
	_, err = tmp.Write(body)
	if err = errors.Join(err, tmp.Close()); err == nil {
		err = os.Rename(tmp.Name(), path)
	}
	if err != nil {
		_ = os.Remove(tmp.Name())
	}
	return err
}

// serverLog hands the server's words to slog. What it calls a notice is our debug: start-up banners. Its warnings
// are our info: most tell that it rebuilds an index after a kill, which is its business and loses nothing.
type serverLog struct {
	log   *slog.Logger
	fatal chan string
}

func (l *serverLog) say(level slog.Level, format string, v []any) {
	if l.log != nil {
		l.log.Log(context.Background(), level, "nats: "+fmt.Sprintf(format, v...))
	}
}

func (l *serverLog) Noticef(format string, v ...any) { l.say(slog.LevelDebug, format, v) }
func (l *serverLog) Warnf(format string, v ...any)   { l.say(slog.LevelInfo, format, v) }
func (l *serverLog) Errorf(format string, v ...any)  { l.say(slog.LevelError, format, v) }
func (l *serverLog) Debugf(string, ...any)           {}
func (l *serverLog) Tracef(string, ...any)           {}

// Fatalf is called from the server's own goroutines, which then end; StartServer tells it.
func (l *serverLog) Fatalf(format string, v ...any) {
	l.say(slog.LevelError, format, v)
	select {
	case l.fatal <- fmt.Sprintf(format, v...):
	default:
	}
}
