package bus

import (
	"testing"

	"github.com/nats-io/nats-server/v2/server"
)

// A server that is not ready within the millisecond it is given says nothing about its disk: on a busy machine a healthy one fails that.
func TestBusyIsNotIll(t *testing.T) {
	n, err := server.NewServer(&server.Options{DontListen: true, NoSigs: true})
	if err != nil {
		t.Fatal(err)
	}
	if h := n.Healthz(nil); h.Status == "ok" {
		t.Fatal("a server that was never started is ready")
	}
	if why := ill(n); why != "" {
		t.Error(why)
	}
}
