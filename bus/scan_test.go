package bus

import (
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// A server that says nothing for longer than the library waits for a batch has not come to the end of the stream.
func TestSilenceIsNotTheEndOfTheLog(t *testing.T) {
	t.Parallel()
	s := startServer(t, ServerOptions{NoSync: true, Listen: "127.0.0.1:0"})
	write(t, connect(t, Options{Server: s}), Where{Session: "s", Task: "t", Call: "t"}, 10, 0)
	url, way := relayed(t, s, ".MSG.NEXT."+LogStream)
	way.still = func() {
		way.held.Lock()
		time.AfterFunc(1500*time.Millisecond, way.held.Unlock)
	}
	far := connect(t, Options{URL: url})
	calls, gap, err := readChains(within(t), far.js, 0)
	if err != nil || gap != 0 || len(calls) != 1 {
		t.Errorf("read %v, a gap at %d, %v", calls, gap, err)
	}
	seen := 0
	err = scan(within(t), must(far.js.Stream(within(t), LogStream)), 0, jetstream.ConsumerConfig{}, func(jetstream.Msg, uint64) { seen++ })
	if err != nil || seen != 10 {
		t.Errorf("%d of 10 records were seen, %v", seen, err)
	}
}
