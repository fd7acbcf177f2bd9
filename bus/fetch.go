package bus

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/nats-io/nats.go"
)

// fetched is one message that is stored now.
type fetched struct {
	msg     *nats.Msg
	subject string
	seq     uint64
	time    time.Time // when it was stored
}

// errOdd is what a batch cannot show without doubt; a consumer can.
var errOdd = errors.New("not to be read by batches")

// fetch gives each, in order, the messages on filter with a sequence above after that are stored now, and returns when that is done.
// It asks by batched direct get, which any replica answers: one round trip for 256 messages, and nothing to be made or taken away on
// the server. Lost replies are asked for again, until ctx or the bus ends. The error may be errOdd: go on by [Bus.tail] after the last.
func (b *Bus) fetch(ctx context.Context, stream, filter string, after uint64, each func(fetched)) error {
	owed := uint64(0) // what the last answer said is left
	for n := 0; ; n++ {
		from := after
		left, err := b.batch(ctx, stream, filter, after, func(f fetched) {
			after = f.seq
			each(f)
		})
		if after > from {
			n = 0
		}
		switch {
		case errors.Is(err, errOdd) || hopeless(err):
			return err
		case errors.Is(err, errNoAnswer): // a server that cannot count what is left says nothing
			return fmt.Errorf("%w: %w", errOdd, err)
		case err != nil:
		case after > from && left == 0:
			return nil
		case after > from:
			owed = left
			continue
		case left+owed == 0:
			return nil
		case n == fetchTries: // what was owed is deleted, or lost, or the replicas asked since are long behind
			return fmt.Errorf("%w: %d messages that were announced do not come", errOdd, owed)
		}
		if !b.again(ctx, n) {
			return b.ended(ctx)
		}
	}
}

// fetchTries is how often a batch may bring nothing of what the one before said is left; with the pauses between, about half a second.
const fetchTries = 4

// batch asks once. left is how many more there are behind the last one given.
func (b *Bus) batch(ctx context.Context, stream, filter string, after uint64, each func(fetched)) (left uint64, err error) {
	e, err := b.replies.expect(tailMessages + 1)
	if err != nil {
		return 0, err
	}
	defer e.close()
	// A filter is made of tokens and wildcards, so there is nothing in it to be quoted.
	ask := fmt.Appendf(nil, `{"seq":%d,"next_by_subj":"%s","batch":%d,"max_bytes":%d}`, after+1, filter, tailMessages, tailBytes)
	if err := b.nc.PublishRequest("$JS.API.DIRECT.GET."+stream, e.subject, ask); err != nil {
		return 0, err
	}
	timeout := time.NewTimer(apiTimeout)
	defer timeout.Stop()
	for last := uint64(0); ; {
		m, err := e.next(ctx, timeout)
		if err != nil {
			return 0, err
		}
		seq, stored := numberLast(m.Header, "Nats-Sequence")
		before, _ := numberLast(m.Header, "Nats-Last-Sequence")
		switch {
		case nobodyThere(m):
			return 0, nats.ErrNoResponders
		case !undisguised(m):
			return 0, fmt.Errorf("get from %s: %w", stream, errOdd)
		case !stored && len(m.Data) == 0 && m.Header.Get("Status") != "":
			switch status := m.Header.Get("Status"); {
			case status == "404": // none
				return 0, nil
			case status == "204" && before == last:
				left, _ := numberLast(m.Header, "Nats-Num-Pending")
				return left, nil
			case status == "204":
				return 0, errors.New("the last messages of a batch are lost")
			default:
				return 0, fmt.Errorf("get from %s: status %s %s", stream, status, m.Header.Get("Description"))
			}
		case !stored || seq <= after:
			return 0, fmt.Errorf("get from %s: %w", stream, errOdd)
		case before != last:
			return 0, errors.New("messages of a batch are lost")
		}
		last = seq
		at, err := time.Parse(time.RFC3339Nano, valueLast(m.Header, "Nats-Time-Stamp"))
		if err != nil {
			return 0, fmt.Errorf("get from %s: %w", stream, errOdd)
		}
		each(fetched{m, valueLast(m.Header, "Nats-Subject"), seq, at})
		timeout.Reset(apiTimeout)
	}
}

// valueLast is the last value of a header: a server puts its own behind what the publisher wrote, which may have the same name.
func valueLast(h nats.Header, key string) string {
	if v := h[key]; len(v) > 0 {
		return v[len(v)-1]
	}
	return ""
}

func numberLast(h nats.Header, key string) (uint64, bool) {
	n, err := strconv.ParseUint(valueLast(h, key), 10, 64)
	return n, err == nil
}

// undisguised reports whether the header that we see is all the header there is. A publisher could end his own early with an empty line,
// and then the client library takes what he wrote before it, sequence and subject too, for the server's words, which stand behind it.
// Those have some 150 bytes, so the bytes we see are too few then. Counted as the library and the server write it, a line of his can be
// one byte shorter than we count; 32 lines cannot make up for the difference.
func undisguised(m *nats.Msg) bool {
	size, lines := len("NATS/1.0\r\n")+len("\r\n"), 0
	for key, values := range m.Header {
		for _, v := range values {
			size += len(key) + len(": ") + len(v) + len("\r\n")
			lines++
		}
	}
	seen := m.Size() - len(m.Data) - len(m.Subject) - len(m.Reply)
	// A status stands in the first line, without its name and with a space in front.
	inline := size - len("Status: ") - len("Description: ") - 2*len("\r\n") + 2*len(" ")
	return lines <= 32 && (size == seen || inline == seen && len(m.Header["Status"]) == 1)
}
