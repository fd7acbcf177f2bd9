package bus

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// ErrDamaged: the log lacks records that it had. What to do stands in the error.
var ErrDamaged = errors.New("damaged: records are missing")

// The log proves itself: each record was appended behind the one before it of its call, and its header still names that one, so a record
// that went missing leaves the next one behind nothing. Only of the end of a call this says nothing; see seal.go.
type (
	// chain is how one call stands after the records that were read.
	chain struct {
		last  uint64   // 0: none read
		gaps  []uint64 // the records whose predecessor is missing
		ended bool     // it has its response
	}
	// chains are calls by their log subjects.
	chains map[string]chain
)

// add takes the next record of a call. Records up to after are not part of what is read.
func (c chains) add(subject string, header nats.Header, seq, after uint64) {
	s := c[subject]
	before, err := strconv.ParseUint(header.Get(jetstream.ExpectedLastSubjSeqHeader), 10, 64)
	// Without the header it is a stranger's record, about which nothing is known.
	if err == nil && before != s.last && (s.last > 0 || before > after) {
		s.gaps = append(s.gaps, seq)
	}
	s.last = seq
	if header.Get(HeaderKind) == string(KindResponse) {
		s.ended = true
		if header.Get(HeaderCause) != "" { // it was ended for what it lacks
			s.gaps = nil
		}
	}
	c[subject] = s
}

// broken is an error that wraps [ErrDamaged] when a call that has not ended lacks records: what it does next would be decided without
// them. One that has ended only has a gap in its history.
func (c chains) broken() error {
	for subject, s := range c {
		if len(s.gaps) > 0 && !s.ended {
			return fmt.Errorf("%s before record %d: %w; stop hmap, make a copy of its data, then start it with --accept-damage", subject, s.gaps[0], ErrDamaged)
		}
	}
	return nil
}

// readChains reads the headers of the log behind after, 0 for all of it: about 3 s for half a million records. gap is the highest sequence that it should have and
// has not, 0 for none; sessions that were removed leave gaps, too. What a mark of removal names is passed over, for a server that is killed in
// the middle of a removal has purged any part of it.
func readChains(ctx context.Context, js jetstream.JetStream, after uint64) (all chains, gap uint64, err error) {
	all = chains{}
	stream, err := js.Stream(ctx, LogStream)
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		return all, 0, nil
	}
	if err != nil {
		return nil, 0, err
	}
	marks, err := readRemovals(ctx, js)
	if err != nil {
		return nil, 0, err
	}
	state := stream.CachedInfo().State
	before := after
	if o := stream.CachedInfo().Config; o.MaxAge > 0 || o.MaxBytes > 0 || o.MaxMsgs > 0 || o.MaxMsgsPerSubject > 0 {
		before = max(after, state.FirstSeq-min(state.FirstSeq, 1)) // an operator's limits cut the front
	}
	at := before
	err = scan(ctx, stream, after, jetstream.ConsumerConfig{HeadersOnly: true}, func(m jetstream.Msg, seq uint64) {
		if tenant, w, ok := place(m.Subject()); ok {
			if gone := marks[tenant+"."+w.Session]; !gone.covers(w.Task, seq) {
				all.add(m.Subject(), m.Headers(), seq, max(before, gone.Seq))
			}
		}
		if at+1 < seq {
			gap = seq - 1
		}
		at = seq
	})
	if at < state.LastSeq {
		gap = state.LastSeq
	}
	return all, gap, err
}

// readRemovals gives the marks of removal of all tenants, by <tenant>.<session>. One that cannot be read is left out.
func readRemovals(ctx context.Context, js jetstream.JetStream) (map[string]removal, error) {
	marks := map[string]removal{}
	stream, err := js.Stream(ctx, sessionsStream)
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		return marks, nil
	}
	if err != nil {
		return nil, err
	}
	err = scan(ctx, stream, 0, jetstream.ConsumerConfig{FilterSubject: "$KV." + SessionsBucket + ".*.*.removal"}, func(m jetstream.Msg, _ uint64) {
		if r, ok := parseRemoval(m.Data()); ok {
			t := strings.Split(m.Subject(), ".")
			marks[t[2]+"."+t[3]] = r
		}
	})
	return marks, err
}

// place takes a log subject apart.
func place(subject string) (tenant string, w Where, ok bool) {
	t := strings.Split(subject, ".")
	if len(t) != 6 || t[2] != "log" {
		return "", w, false
	}
	return t[1], Where{Session: t[3], Task: t[4], Call: t[5]}, true
}
