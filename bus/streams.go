package bus

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// The names of what the bus keeps, shared by all tenants of a NATS account.
const (
	LogStream      = "HMAP_LOG"      // records and inputs, in one order
	TaskStream     = "HMAP_TASKS"    // the bounded work queue
	DeadStream     = "HMAP_DEAD"     // what could not be worked on
	NodesBucket    = "HMAP_NODES"    // leases
	OpenBucket     = "HMAP_OPEN"     // index of open tasks
	SessionsBucket = "HMAP_SESSIONS" // snapshots of sessions
	CacheBucket    = "HMAP_CACHE"    // what can be made again: see [Bus.Cache]
	ToolsBucket    = "HMAP_TOOLS"    // saved tools
	FilesStore     = "HMAP_FILES"    // artifacts
)

// Headers of H-MAP.
const (
	HeaderVersion = "Hmap-Version"
	HeaderKind    = "Hmap-Kind"
	HeaderID      = "Hmap-Id"      // of a record, by which its writer knows it again
	HeaderCause   = "Hmap-Cause"   // why a dead letter died
	HeaderCode    = "Hmap-Code"    // the code of that, an [Error.Code]
	HeaderTries   = "Hmap-Tries"   // and after how many deliveries
	HeaderFresh   = "Hmap-Fresh"   // on a submission: its session was made for it
	HeaderOrderly = "Hmap-Orderly" // on the mark of deletion of a node's key: the node left in good order
	HeaderRemoved = "Hmap-Removed" // on what stands where a session's snapshot was: the log's records of it up to this sequence are gone
)

const (
	defaultQueue = 10_000
	deadBytes    = 256 << 20 // of dead letters; the oldest go first
	// logReaders bounds who reads the log at the same time: each follower is a consumer. Left unset, the server takes 1,000 and refuses the next
	// (nats-server 2.15). What a follower costs is in SCALE.md.
	logReaders = 50_000
	// dedup is how long the server knows a Nats-Msg-Id. Two minutes is its own default; the guards by sequence have no window.
	dedup = 2 * time.Minute
)

// replicas is how often everything new is kept.
func (b *Bus) replicas() int {
	switch {
	case b.o.Replicas > 0:
		return b.o.Replicas
	case b.o.Server == nil && b.nc.ConnectedClusterName() != "":
		return 3
	}
	return 1
}

func (b *Bus) makeStreams(ctx context.Context) error {
	replicas := b.replicas()
	queue := int64(b.o.MaxQueue)
	if queue == 0 {
		queue = defaultQueue
	}
	streams := []jetstream.StreamConfig{{
		Name: LogStream, Subjects: []string{"hmap.*.log.*.*.*", "hmap.*.input.*.*"},
		Description: "H-MAP: every record of every call, and what people said",
		Retention:   jetstream.LimitsPolicy, AllowDirect: true, Duplicates: dedup, Replicas: replicas, MaxConsumers: logReaders,
	}, {
		Name: TaskStream, Subjects: []string{"hmap.*.task.*"},
		Description: "H-MAP: submissions that wait for a slot; full means busy",
		Retention:   jetstream.WorkQueuePolicy, Discard: jetstream.DiscardNew, MaxMsgs: queue, Duplicates: dedup, Replicas: replicas,
	}, {
		Name: DeadStream, Subjects: []string{"hmap.*.dead.*"},
		Description: "H-MAP: submissions that could not be worked on, with their cause",
		Retention:   jetstream.LimitsPolicy, MaxBytes: deadBytes, Duplicates: dedup, Replicas: replicas,
	}, cacheConfig(replicas)}
	for _, want := range streams {
		if err := b.makeStream(ctx, want); err != nil {
			return fmt.Errorf("stream %s: %w", want.Name, err)
		}
	}
	// The age only cleans up after nodes that are gone; a living one renews its key every second.
	nodes := jetstream.KeyValueConfig{Bucket: NodesBucket, Description: "H-MAP: leases of nodes", TTL: time.Hour, Replicas: replicas}
	open := jetstream.KeyValueConfig{Bucket: OpenBucket, Description: "H-MAP: tasks that somebody works on", Replicas: replicas}
	sessions := jetstream.KeyValueConfig{Bucket: SessionsBucket, Description: "H-MAP: sessions, folded", Replicas: replicas}
	saved := jetstream.KeyValueConfig{Bucket: ToolsBucket, Description: "H-MAP: saved tools", Replicas: replicas}
	if b.o.Server != nil {
		if err := b.makeOpen(ctx, open); err != nil {
			return fmt.Errorf("bucket %s: %w", open.Bucket, err)
		}
	}
	for _, want := range []jetstream.KeyValueConfig{nodes, open, sessions, saved} {
		if _, err := b.js.KeyValue(ctx, want.Bucket); errors.Is(err, jetstream.ErrBucketNotFound) {
			if _, err = b.js.CreateKeyValue(ctx, want); err != nil && !errors.Is(err, jetstream.ErrBucketExists) {
				return fmt.Errorf("bucket %s: %w", want.Bucket, err)
			}
		} else if err != nil {
			return fmt.Errorf("bucket %s: %w", want.Bucket, err)
		}
	}
	for _, bucket := range []string{OpenBucket, SessionsBucket} {
		if err := b.makeForgetful(ctx, bucket); err != nil {
			return fmt.Errorf("bucket %s: %w", bucket, err)
		}
	}
	files := jetstream.ObjectStoreConfig{Bucket: FilesStore, Description: "H-MAP: artifacts", Replicas: replicas}
	if _, err := b.js.ObjectStore(ctx, FilesStore); errors.Is(err, jetstream.ErrBucketNotFound) {
		if _, err = b.js.CreateObjectStore(ctx, files); err != nil && !errors.Is(err, jetstream.ErrBucketExists) {
			return fmt.Errorf("store %s: %w", FilesStore, err)
		}
	} else if err != nil {
		return fmt.Errorf("store %s: %w", FilesStore, err)
	}
	return nil
}

var errMisfit = errors.New("move the stream out of the way")

// makeStream makes a stream, or sets right what the verbs depend on; limits that an operator set stay.
func (b *Bus) makeStream(ctx context.Context, want jetstream.StreamConfig) error {
	s, err := b.js.Stream(ctx, want.Name)
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		if _, err = b.js.CreateStream(ctx, want); !errors.Is(err, jetstream.ErrStreamNameAlreadyInUse) {
			return err
		}
		s, err = b.js.Stream(ctx, want.Name) // another node was faster
	}
	if err != nil {
		return err
	}
	if want.Name == LogStream {
		if _, err := b.storedFormat(s); err != nil {
			return err
		}
	}
	have := s.CachedInfo().Config
	if have.Retention != want.Retention {
		return fmt.Errorf("retention is %v, must be %v; %w", have.Retention, want.Retention, errMisfit)
	}
	if want.Name == LogStream {
		b.warnOfCuts(have)
	}
	queue := want.MaxMsgs
	if b.o.MaxQueue == 0 {
		queue = have.MaxMsgs
	}
	readers := have.MaxConsumers
	if readers <= 0 && want.MaxConsumers > 0 {
		readers = want.MaxConsumers
	}
	if slices.Equal(have.Subjects, want.Subjects) && have.AllowDirect == want.AllowDirect && have.Discard == want.Discard &&
		have.MaxConsumers == readers && (want.Name != TaskStream || have.MaxMsgs == queue) {
		return nil
	}
	have.Subjects, have.AllowDirect, have.Discard, have.MaxConsumers = want.Subjects, want.AllowDirect, want.Discard, readers
	if want.Name == TaskStream {
		have.MaxMsgs = queue
	}
	if s, err = b.js.UpdateStream(ctx, have); err != nil || want.Name != TaskStream {
		return err
	}
	return b.dropUnread(ctx, s)
}

// dropUnread takes away what lies in the queue on subjects that it took in before and nobody reads: it would hold places of the queue for ever.
func (b *Bus) dropUnread(ctx context.Context, s jetstream.Stream) error {
	info, err := s.Info(ctx, jetstream.WithSubjectFilter(">"))
	if err != nil {
		return err
	}
	for subject, n := range info.State.Subjects {
		if strings.Count(subject, ".") == strings.Count(TaskSubject("t", "a"), ".") {
			continue
		}
		if err := s.Purge(ctx, jetstream.WithPurgeSubject(subject)); err != nil {
			return err
		}
		b.log.Warn("bus: submissions on a subject that nobody reads were dropped", "subject", subject, "count", n)
	}
	return nil
}

// warnOfCuts says that limits on the log itself take records away wherever a session happens to lie.
func (b *Bus) warnOfCuts(log jetstream.StreamConfig) {
	if log.MaxAge > 0 || log.MaxBytes > 0 || log.MaxMsgs > 0 || log.MaxMsgsPerSubject > 0 {
		b.log.Warn("bus: the log has limits of its own, which cut sessions and running tasks in half; set retention in hmap's configuration "+
			"instead, and take them away: nats stream edit "+LogStream+" --max-age=0 --max-bytes=-1 --max-msgs=-1 --max-msgs-per-subject=-1",
			"max_age", log.MaxAge, "max_bytes", log.MaxBytes, "max_msgs", log.MaxMsgs, "max_msgs_per_subject", log.MaxMsgsPerSubject)
	}
}

// lastOf reads the last message of a subject from the stream's leader: a direct get may be answered by a replica that lags, and
// whoever asks here is about to decide who owns something. ErrNotFound when there is none.
func (b *Bus) lastOf(ctx context.Context, stream, subject string) (*jetstream.RawStreamMsg, error) {
	return b.getRaw(ctx, stream, map[string]any{"last_by_subj": subject})
}

func (b *Bus) getRaw(ctx context.Context, stream string, what map[string]any) (*jetstream.RawStreamMsg, error) {
	ask, err := json.Marshal(what)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, apiTimeout)
	defer cancel()
	reply, err := b.nc.RequestWithContext(ctx, "$JS.API.STREAM.MSG.GET."+stream, ask)
	if err != nil {
		return nil, err
	}
	var got struct {
		Error   *jetstream.APIError `json:"error"`
		Message *struct {
			Subject string    `json:"subject"`
			Seq     uint64    `json:"seq"`
			Header  []byte    `json:"hdrs"`
			Data    []byte    `json:"data"`
			Time    time.Time `json:"time"`
		} `json:"message"`
	}
	if err := json.Unmarshal(reply.Data, &got); err != nil {
		return nil, fmt.Errorf("get from %s: %w", stream, err)
	}
	switch {
	case got.Error != nil && got.Error.ErrorCode == jetstream.JSErrCodeMessageNotFound:
		return nil, ErrNotFound
	case got.Error != nil:
		return nil, got.Error
	case got.Message == nil:
		return nil, fmt.Errorf("get from %s: the server sent no message", stream)
	}
	m := &jetstream.RawStreamMsg{Subject: got.Message.Subject, Sequence: got.Message.Seq, Data: got.Message.Data, Time: got.Message.Time}
	if len(got.Message.Header) > 0 {
		if m.Header, err = nats.DecodeHeadersMsg(got.Message.Header); err != nil {
			return nil, fmt.Errorf("get from %s: %w", stream, err)
		}
	}
	return m, nil
}

// apiTimeout bounds one request to the server; retries are the caller's.
const apiTimeout = 5 * time.Second

// hopeless reports whether trying again cannot help: the server understood and refused, or the bus is closed. One that is flooded (429) refuses for now.
func hopeless(err error) bool {
	var api *jetstream.APIError
	if errors.As(err, &api) {
		return api.Code >= 400 && api.Code < 500 && api.Code != 429 && api.ErrorCode != codeNoRoom && api.ErrorCode != codeInProcess
	}
	return errors.Is(err, nats.ErrConnectionClosed) || errors.Is(err, nats.ErrBadSubject) || errors.Is(err, nats.ErrMaxPayload)
}

// codeNoRoom is a server that has used up what it may store. It passes when something is removed or the limit is raised.
const codeNoRoom = jetstream.ErrorCode(10002)

// codeInProcess is said to a repeat while the first of its id waits for a majority of the servers. Later it is told what came of that.
const codeInProcess = jetstream.ErrorCode(10158)

// code is the JetStream error code of err, 0 if it has none.
func code(err error) jetstream.ErrorCode {
	var api *jetstream.APIError
	if errors.As(err, &api) {
		return api.ErrorCode
	}
	return 0
}
