package bus

import (
	"os"
	"path/filepath"
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
	if why := ill(n, nil); why != "" {
		t.Error(why)
	}
}

// A stream has its folder a moment before the server knows it. On a slow disk somebody looks in between; what was there before and is not known is ill.
func TestStreamThatIsMadeIsNotIll(t *testing.T) {
	dir := t.TempDir()
	s := startServer(t, ServerOptions{Dir: dir, NoSync: true})
	must(0, os.MkdirAll(filepath.Join(dir, streamsFolder, openStream), 0o700))
	if why := ill(s.nats, s.found); why != "" {
		t.Error(why)
	}
	if why := ill(s.nats, []string{openStream}); why == "" {
		t.Error("a stream that could not be opened is well")
	}
}
