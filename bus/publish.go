package bus

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// versionHeader is the value of [HeaderVersion] in every message. It is shared, so nobody changes it.
var versionHeader = []string{Version}

// message is a message to be stored, known by id for as long as the server remembers ids; without an id, twice is not the same as once.
func message(subject, id string, body []byte) *nats.Msg {
	m := &nats.Msg{Subject: subject, Data: body, Header: nats.Header{HeaderVersion: versionHeader}}
	if id != "" {
		m.Header[jetstream.MsgIDHeader] = []string{id}
	}
	return m
}

// errUndecided makes publish try again.
var errUndecided = errors.New("not decided yet")

// publish stores m, trying again until it is acknowledged, refused for good, or ctx ends. refused may turn an error into a success
// or into another error; nil: it stays as it is.
func (b *Bus) publish(ctx context.Context, m *nats.Msg, refused func(error) (uint64, error)) (uint64, error) {
	for n := 0; ; n++ {
		seq, err := b.store(ctx, m, n)
		if err == nil {
			return seq, nil
		}
		if refused != nil {
			if seq, err = refused(err); err == nil {
				return seq, nil
			}
		}
		if hopeless(err) || errors.Is(err, ErrFenced) || errors.Is(err, ErrBusy) {
			return 0, err
		}
		if why := b.Trouble(); why != nil {
			err = fmt.Errorf("%w: %w", why, err)
		}
		if n == 2 || n == 0 && b.attemptWithin(0) == apiTimeout && errors.Is(err, errNoAnswer) {
			b.log.Warn("bus: storing takes several attempts and goes on; if it does not pass, see whether a majority of the servers is there and their disks have room",
				"subject", m.Subject, "err", err)
		}
		if !b.again(ctx, n) {
			return 0, fmt.Errorf("%w (the last attempt: %w)", b.ended(ctx), err)
		}
	}
}

// attemptWithin is how long attempt n to store something waits for an answer. In a cluster the first ones are short: a message sent while a
// stream has no leader is answered by nobody, and an election takes some seconds. A single server that says nothing has too much to do,
// and to ask it again makes that worse. An answer that comes too late is made up for by the next attempt.
func (b *Bus) attemptWithin(n int) time.Duration {
	if b.nc.ConnectedClusterName() != "" {
		return min(time.Second<<max(n-2, 0), apiTimeout)
	}
	return apiTimeout << min(n, 3)
}

// store is attempt n of publish.
func (b *Bus) store(ctx context.Context, m *nats.Msg, n int) (uint64, error) {
	reply, err := b.requestWithin(ctx, b.attemptWithin(n), m.Subject, m.Header, m.Data)
	if err != nil {
		return 0, err
	}
	return parseAck(reply.Data)
}

// parseAck reads what a stream says to a message sent to it: its sequence there, or why not.
func parseAck(body []byte) (uint64, error) {
	// Nearly all are of this one form, {"stream":"…","seq":…}; the rest is for the decoder.
	if s, ok := strings.CutPrefix(string(body), `{"stream":"`); ok {
		name, rest, _ := strings.Cut(s, `","seq":`)
		digits, whole := strings.CutSuffix(rest, "}")
		if seq, err := strconv.ParseUint(digits, 10, 64); err == nil && whole && ValidToken(name) {
			return seq, nil
		}
	}
	var ack struct {
		Error  *jetstream.APIError `json:"error"`
		Stream string              `json:"stream"`
		Seq    uint64              `json:"seq"`
	}
	switch err := json.Unmarshal(body, &ack); {
	case err != nil || (ack.Error == nil && ack.Stream == ""):
		return 0, fmt.Errorf("%.200q acknowledges nothing", body)
	case ack.Error != nil:
		return 0, ack.Error
	}
	return ack.Seq, nil
}

// again waits before attempt n+1, and for the connection if it is away; false: ctx or the bus ended instead.
func (b *Bus) again(ctx context.Context, n int) bool {
	ctx, cancel := b.scope(ctx)
	defer cancel()
	up := b.up.wait() // asked for before the check, so that no reconnect falls between
	if !pause(ctx, n) {
		return false
	}
	if b.nc.IsConnected() || b.nc.IsClosed() {
		return true
	}
	select {
	case <-up.Done():
		return true
	case <-ctx.Done():
		return false
	}
}

// ended says why a scope ended.
func (b *Bus) ended(ctx context.Context) error {
	if b.ctx.Err() != nil {
		return nats.ErrConnectionClosed
	}
	return ctx.Err()
}
