package bus

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// endedBytes bounds what EndedCalls holds of calls that have not ended, and of one that has; what is more is read again, or left out.
const endedBytes = 16 << 20

// EndedCalls reads on in the whole log of the tenant behind sequence after, about most messages, and gives each call whose response it meets: its
// records of the kinds request, round and result, in order, also those that lie before after. to is how far it has read, good as the next after, and
// equal to it when there is nothing new. Of a call that holds more than 16 MiB only the first records are given. After an error forget what was given:
// to is after then.
//
// It is for those who learn, and for nobody who decides what is done: a replica that lags may lack the newest calls, which come the next time, and what
// was removed meanwhile is missing. Only headers of the other records are looked at.
func (b *Bus) EndedCalls(ctx context.Context, after uint64, most int, each func([]Record)) (to uint64, err error) {
	w := window{bus: b, calls: map[string][]fetched{}, ours: "hmap." + b.o.Tenant + ".log.", to: after}
	for tries := 0; w.read < most; {
		from := w.to
		left, err := b.batch(ctx, LogStream, everything, w.to, w.take)
		switch {
		case errors.Is(err, errOdd):
			err = w.crawl(ctx)
			left = 0
		case hopeless(err):
			return after, fmt.Errorf("ended calls: %w", err)
		}
		if w.to > from {
			tries = 0
		}
		if err = errors.Join(err, w.give(ctx, each)); ctx.Err() != nil {
			return after, fmt.Errorf("ended calls: %w", b.ended(ctx))
		}
		if err == nil && (left == 0 || w.to == from) {
			break
		}
		if tries++; err != nil && (tries > fetchTries || !b.again(ctx, tries)) {
			return after, fmt.Errorf("ended calls: %w", err)
		}
	}
	return w.to, nil
}

// LogEnd is the sequence of the newest message of the log, of whatever tenant; 0 when there has been none.
func (b *Bus) LogEnd(ctx context.Context) (uint64, error) {
	s, err := b.js.Stream(ctx, LogStream)
	if err != nil {
		return 0, fmt.Errorf("end of the log: %w", err)
	}
	return s.CachedInfo().State.LastSeq, nil
}

// window is a piece of the log that is being read.
type window struct {
	bus   *Bus
	ours  string               // what the subjects of our records begin with
	calls map[string][]fetched // that have not ended, by subject: what of them is in the window
	bytes int                  // of all calls
	ended []string             // subjects to be given
	read  int
	to    uint64
}

// everything is no filter at all: the server finds the next message at once then, and with a filter that nearly all messages pass it takes three times
// as long (35 µs of processor for a task of seven records, and 11 so). What is not ours is passed over here.
const everything = ">"

// take notes a message of the log.
func (w *window) take(f fetched) {
	w.read++
	w.to = f.seq
	if !strings.HasPrefix(f.subject, w.ours) {
		return
	}
	switch Kind(f.msg.Header.Get(HeaderKind)) {
	case KindRequest, KindRound, KindResult:
		if w.bytes += len(f.msg.Data); w.bytes > endedBytes { // their calls are read anew when they end
			clear(w.calls)
			w.bytes = len(f.msg.Data)
		}
		w.calls[f.subject] = append(w.calls[f.subject], f)
	case KindResponse:
		w.ended = append(w.ended, f.subject)
	}
}

// crawl reads some messages by a consumer, where a batch cannot.
func (w *window) crawl(ctx context.Context) error {
	n := 0
	for m, err := range w.bus.tail(ctx, LogStream, []string{everything}, w.to) {
		if err != nil || m.caughtUp {
			return err
		}
		w.take(fetched{&nats.Msg{Data: m.msg.Data(), Header: m.msg.Headers()}, m.msg.Subject(), m.seq, m.time})
		if n++; n == tailMessages {
			break
		}
	}
	return nil
}

// give hands on the calls that have ended.
func (w *window) give(ctx context.Context, each func([]Record)) error {
	for len(w.ended) > 0 {
		subject := w.ended[0]
		told := w.calls[subject]
		if len(told) == 0 || told[0].msg.Header.Get(jetstream.ExpectedLastSubjSeqHeader) != "0" {
			var err error
			if told, err = w.whole(ctx, subject, told); err != nil {
				return err
			}
		}
		var records []Record
		for _, f := range told {
			if r, ok := w.bus.entry(subject, f.msg.Data, f.seq, f.time); ok {
				if r.Time.After(f.time) { // a clock that runs ahead, or a lie
					r.Time = f.time
				}
				records = append(records, r)
			}
		}
		for _, f := range w.calls[subject] {
			w.bytes -= len(f.msg.Data)
		}
		delete(w.calls, subject)
		w.ended = w.ended[1:]
		if len(records) > 0 {
			each(records)
		}
	}
	return nil
}

// whole is a call from its beginning; told is its end, which a replica that lags may not have yet.
func (w *window) whole(ctx context.Context, subject string, told []fetched) ([]fetched, error) {
	var all []fetched
	bytes := 0
	err := w.bus.fetch(ctx, LogStream, subject, 0, func(f fetched) {
		if kind := Kind(f.msg.Header.Get(HeaderKind)); kind != KindRequest && kind != KindRound && kind != KindResult || bytes > endedBytes {
			return
		}
		bytes += len(f.msg.Data)
		all = append(all, f)
	})
	if err != nil && !errors.Is(err, errOdd) {
		return nil, err
	}
	if n := len(all); n > 0 {
		told = slices.DeleteFunc(slices.Clone(told), func(f fetched) bool { return f.seq <= all[n-1].seq })
	}
	return append(all, told...), nil
}
