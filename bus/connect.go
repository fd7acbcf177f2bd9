package bus

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nuid"
)

// Options say where the bus is and who we are on it. Either Server or URL is required; the zero value of the rest works.
type Options struct {
	Tenant string // a token; default "main"
	// Node is this process among others: a token, unique in the cluster. Default: the host's name and a random part.
	Node string
	// Server connects inside the process, without TCP.
	Server *Server
	// URL connects over the network (several: comma-separated; tls:// insists on TLS), Creds is a credentials file for it.
	URL, Creds string
	// CA is a PEM file with the authorities that may have signed the server's certificate, beside none: the system's are not asked
	// then. Cert and Key are PEM files with a certificate of our own, for servers that want one. With any of them TLS is insisted on.
	CA, Cert, Key string
	// Replicas of what the streams keep, for those that are made: existing ones keep theirs. Default 1 for a single server, 3 for a
	// cluster, which then needs three servers with JetStream.
	Replicas int
	// Waits makes Connect wait until its ctx ends for servers that do not listen yet, and for a cluster without a leader. It is told
	// why, at every attempt, from the goroutine of Connect. nil: servers that do not listen are an error, and the leader has 30 s.
	Waits func(why error)
	// Log gets what nobody waits for as an error: reconnects, skipped bodies, retries. nil: nowhere.
	Log *slog.Logger
	// MaxQueue is how many submissions may wait, over all tenants and agents. 0: as the stream has it, 10,000 for a new one.
	MaxQueue int
	// LeaseTTL is how long after its last sign of life a node counts as dead. Default 2.5 s, so that takeover is done within 3; at least 300 ms.
	LeaseTTL time.Duration
	// Silence is how long a callee may say nothing before a call is given up. Default 30 s.
	Silence time.Duration
	// Inbox is the prefix of reply subjects, for permissions. Default "_INBOX_" and the node.
	Inbox string
}

// Bus is one connection to NATS and the verbs on it. It may be used from many goroutines at once.
type Bus struct {
	o   Options
	nc  *nats.Conn
	js  jetstream.JetStream
	log *slog.Logger

	// The life of the bus: everything it started ends with ctx, and Close waits for done.
	ctx    context.Context
	cancel context.CancelFunc
	done   sync.WaitGroup

	down, up bell // the connection was lost; is there again

	replies replies
	cancels cancels

	mu       sync.Mutex
	members  *members
	services map[*Service]struct{}

	directoryMu sync.Mutex // held while the first sweep waits
	directory   *Directory
	vacancies   chan vacancy // for the directory
}

// Connect connects and makes the streams, buckets and stores that are missing; those that are there keep their limits. It ends
// when ctx does. Once connected, the bus reconnects for ever by itself.
func Connect(ctx context.Context, o Options) (*Bus, error) {
	if err := o.fill(); err != nil {
		return nil, fmt.Errorf("connect: %w", err)
	}
	b := &Bus{o: o, log: o.Log, services: map[*Service]struct{}{}, vacancies: make(chan vacancy, maxVacancies)}
	b.ctx, b.cancel = context.WithCancel(context.Background())
	if err := b.dial(ctx); err != nil {
		b.cancel()
		return nil, fmt.Errorf("connect to %s: %w; %s", o.where(), err, advice(err))
	}
	var err error
	if b.js, err = jetstream.New(b.nc, jetstream.WithDefaultTimeout(apiTimeout)); err == nil {
		err = b.settleIn(ctx)
	}
	if err == nil {
		err = b.settleDamage(ctx)
	}
	if err != nil {
		b.Close()
		return nil, fmt.Errorf("connect to %s: %w", o.where(), err)
	}
	return b, nil
}

// settleWithin is how long a cluster may take to choose its leaders before Connect gives up.
const settleWithin = 30 * time.Second

// settleIn makes the streams and brings them to our format, waiting for a cluster that has just started: it does not answer before it has a leader, and has no
// place for replicas before its servers know each other.
func (b *Bus) settleIn(ctx context.Context) error {
	patient := ctx // an upgrade takes as long as the log is
	if b.o.Waits == nil {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, settleWithin)
		defer cancel()
	}
	for n := 0; ; n++ {
		before := b.nc.LastError()
		try, done := context.WithTimeout(ctx, time.Duration(min(n+1, 5))*time.Second)
		err := b.makeStreams(try)
		done()
		if err == nil {
			err = b.settleFormat(patient)
		}
		if code(err) == codeNoCluster {
			return fmt.Errorf("%w; a server alone keeps everything once: set nats.replicas to 1 or 0", err)
		}
		crowded := code(err) == codeNoPeers
		if crowded {
			err = fmt.Errorf("%w; a cluster keeps everything %d times and needs as many servers with JetStream: wait for them, or set nats.replicas",
				err, b.replicas())
		}
		if denied := b.deniedSince(before); err != nil && denied != nil {
			return fmt.Errorf("%w; the server's permissions must let our user publish and subscribe to hmap.>, $JS.>, $KV.>, $O.>, $SRV.> and %s.>", denied, b.o.Inbox)
		}
		if code(err) == codeNoAccount {
			err = fmt.Errorf("%w; in the server's configuration, the account of our user needs jetstream: enabled", err)
		}
		if err == nil || hopeless(err) && !crowded || errors.Is(err, errMisfit) || errors.Is(err, ErrNewer) {
			return err
		}
		if b.o.Waits != nil {
			b.o.Waits(fmt.Errorf("its JetStream does not answer yet; a cluster may be choosing its leader (%w)", err))
		}
		if !pause(ctx, n) {
			return err
		}
	}
}

// deniedSince is what the server denied us since the connection's last error was before, nil for nothing; to those who ask it is silence. The connection
// keeps such an error for as long as no other comes. That we may not hear replies is told only once, and holds.
func (b *Bus) deniedSince(before error) error {
	last := b.nc.LastError()
	if errors.Is(last, nats.ErrPermissionViolation) && (last != before || strings.Contains(last.Error(), `"`+b.o.Inbox+".")) {
		return last
	}
	return nil
}

// A stream wants more replicas than there are servers that could keep them, now, or ever since the server is in no cluster.
const (
	codeNoPeers   = jetstream.ErrorCode(10005)
	codeNoCluster = jetstream.ErrorCode(10074)
)

// codeNoAccount is an account without JetStream, or one of a server that has just started.
const codeNoAccount = jetstream.ErrorCode(10039)

func (o *Options) fill() error {
	if o.Server == nil && o.URL == "" {
		return errors.New("neither an embedded server nor a URL given")
	}
	if err := o.checkURL(); err != nil {
		return err
	}
	if o.Tenant == "" {
		o.Tenant = "main"
	}
	if o.Node == "" {
		o.Node = newNode()
	}
	if !ValidToken(o.Tenant) {
		return fmt.Errorf("tenant %.80q: %w", o.Tenant, ErrBadName)
	}
	if !ValidToken(o.Node) {
		return fmt.Errorf("node %.80q: %w", o.Node, ErrBadName)
	}
	if (o.Cert == "") != (o.Key == "") {
		return errors.New("a certificate needs its key, and a key its certificate: give both files")
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.LeaseTTL == 0 {
		o.LeaseTTL = 2500 * time.Millisecond
	}
	o.LeaseTTL = max(o.LeaseTTL, 300*time.Millisecond)
	if o.Silence == 0 {
		o.Silence = 30 * time.Second
	}
	if o.Inbox == "" {
		o.Inbox = "_INBOX_" + o.Node
	}
	return nil
}

func newNode() string {
	host, _ := os.Hostname() // without one the random part still makes a good name
	host = strings.Map(func(r rune) rune {
		if r < 128 && ValidToken(string(r)) {
			return r
		}
		return '-'
	}, host)
	return fmt.Sprintf("%.40s-%s", host, strings.ToLower(nuid.Next()[14:])) // the tail of a nuid is its counting part
}

func (b *Bus) natsOptions() (string, []nats.Option) {
	o := b.o
	opts := []nats.Option{
		nats.Name("hmap " + o.Node),
		nats.CustomInboxPrefix(o.Inbox),
		nats.MaxReconnects(-1),
		nats.CustomReconnectDelay(func(n int) time.Duration { return backoff(n) }),
		nats.IgnoreAuthErrorAbort(), // a server that comes back half ready must not end us
		nats.PingInterval(5 * time.Second),
		nats.MaxPingsOutstanding(2),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil {
				b.log.Warn("bus: connection lost, reconnecting", "err", err)
			}
			b.replies.lose(errLost, false)
			b.down.ring()
		}),
		nats.ReconnectHandler(func(*nats.Conn) {
			b.log.Info("bus: connected again")
			b.up.ring()
		}),
		nats.ErrorHandler(func(_ *nats.Conn, sub *nats.Subscription, err error) {
			subject := ""
			if sub != nil {
				subject = sub.Subject
			}
			b.log.Warn("bus: asynchronous error", "subject", subject, "err", err)
		}),
	}
	if o.Creds != "" {
		opts = append(opts, nats.UserCredentials(o.Creds))
	}
	if o.CA != "" {
		opts = append(opts, nats.RootCAs(o.CA))
	}
	if o.Cert != "" {
		opts = append(opts, nats.ClientCert(o.Cert, o.Key))
	}
	if o.Server != nil {
		return "", append(opts, nats.InProcessServer(o.Server), nats.Token(o.Server.token))
	}
	return o.URL, opts
}

// Tenant is the tenant that all verbs of this bus work in.
func (b *Bus) Tenant() string { return b.o.Tenant }

// Node is who we are among the nodes.
func (b *Bus) Node() string { return b.o.Node }

// Conn is the connection below, for what the verbs do not cover. Do not close it, nor replace its handlers.
func (b *Bus) Conn() *nats.Conn { return b.nc }

// Close withdraws the services, gives the lease up, ends every iterator, and returns when all that the bus started has ended. What was
// published before is sent, if the server is there to take it within 2 s. Twice is harmless.
func (b *Bus) Close() {
	b.mu.Lock()
	services := slices.Collect(maps.Keys(b.services))
	b.mu.Unlock()
	for _, s := range services {
		s.Stop()
	}
	b.cancel()
	b.replies.lose(nats.ErrConnectionClosed, true)
	b.done.Wait()
	if b.nc.IsConnected() {
		_ = b.nc.FlushTimeout(2 * time.Second) // best effort, as promised
	}
	b.nc.Close()
}

// scope is ctx, ended by Close as well.
func (b *Bus) scope(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(b.ctx, cancel)
	return ctx, func() { stop(); cancel() }
}

// maxBody is the most a body may have in bytes: what the server takes, less room for headers.
func (b *Bus) maxBody() int { return int(b.nc.MaxPayload()) - headerRoom }

const headerRoom = 4 << 10

func (b *Bus) checkSize(body []byte) error {
	if most := b.maxBody(); len(body) > most {
		return tooLarge(len(body), most)
	}
	return nil
}

func tooLarge(size, most int) error {
	return fmt.Errorf("%d bytes, at most %d: %w; put the content in Files", size, most, ErrTooLarge)
}

// backoff is the pause before attempt n (from 0): 25 ms doubling up to 2 s, less a random quarter so that many do not come at once.
func backoff(n int) time.Duration {
	d := min(25*time.Millisecond<<min(n, 10), 2*time.Second)
	return d - rand.N(d/4)
}

// pause waits before attempt n, and reports false when ctx ended instead.
func pause(ctx context.Context, n int) bool {
	t := time.NewTimer(backoff(n))
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}
