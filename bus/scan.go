package bus

import (
	"context"

	"github.com/nats-io/nats.go/jetstream"
)

const (
	scanBatch = 1000
	// scanTries is how often in a row nothing may come of what the server counts; what is counted and does not come is damaged then.
	scanTries = 4
)

// scan gives each message that a stream holds now, in order, those behind after. Silence is not the end of it: the library gives a batch up after a second without a
// word, and a busy server may need longer. Who took that for the end found calls without their last records, and open tasks nowhere.
func scan(ctx context.Context, stream jetstream.Stream, after uint64, o jetstream.ConsumerConfig, each func(m jetstream.Msg, seq uint64)) error {
	o.AckPolicy, o.MemoryStorage, o.Replicas, o.InactiveThreshold = jetstream.AckNonePolicy, true, 1, tailIdle
	o.DeliverPolicy = jetstream.DeliverByStartSequencePolicy
	for n := 0; ; n++ {
		o.OptStartSeq = after + 1
		c, err := stream.CreateConsumer(ctx, o)
		if err != nil {
			return err
		}
		if c.CachedInfo().NumPending == 0 {
			return nil
		}
		from, got := after, uint64(0)
		for more := true; more; {
			if after, got, more, err = scanOn(c, after, got, each); err != nil {
				return err
			}
		}
		info, err := c.Info(ctx)
		if err != nil {
			return err
		}
		if after > from {
			n = 0
		}
		if info.NumPending == 0 && info.Delivered.Consumer == got || n == scanTries {
			return nil
		}
		if !pause(ctx, n) {
			return ctx.Err()
		}
	}
}

// scanOn hands on one batch of a consumer of which got messages have come, the last of them at after in the stream. more: there was one, and all
// before it.
func scanOn(c jetstream.Consumer, after, got uint64, each func(m jetstream.Msg, seq uint64)) (at, now uint64, more bool, err error) {
	batch, err := c.FetchNoWait(scanBatch)
	if err != nil {
		return after, got, false, err
	}
	for m := range batch.Messages() { // the channel holds them all, so it may be left
		meta, err := m.Metadata()
		if err != nil {
			return after, got, false, err
		}
		if meta.Sequence.Consumer != got+1 {
			return after, got, false, nil
		}
		after, got, more = meta.Sequence.Stream, got+1, true
		each(m, after)
	}
	return after, got, more, batch.Error()
}
