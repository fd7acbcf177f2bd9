package bus

import (
	"context"
	"log/slog"
	"os"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/hmap-project/hmap/bus/bustest/leaks"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, append(leaks.OfLibraries(), goleak.Cleanup(func(status int) {
		if folderDir != "" {
			_ = os.RemoveAll(folderDir)
		}
		os.Exit(status)
	}))...)
}

// patience bounds what a test waits for; it is only reached when the test fails.
const patience = time.Minute

func within(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	t.Cleanup(cancel)
	return ctx
}

func startServer(t *testing.T, o ServerOptions) *Server {
	t.Helper()
	if o.Dir == "" {
		o.Dir = t.TempDir()
	}
	s, err := StartServer(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Stop)
	return s
}

func connect(t *testing.T, o Options) *Bus {
	t.Helper()
	if o.Log == nil && testing.Verbose() {
		o.Log = slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelDebug}))
	}
	b, err := Connect(within(t), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	return b
}

// newBus is a bus on a server of its own.
func newBus(t *testing.T) *Bus {
	t.Helper()
	return connect(t, Options{Server: startServer(t, ServerOptions{NoSync: true})})
}

// beside is a second node on the same server.
func beside(t *testing.T, b *Bus) *Bus {
	t.Helper()
	return connect(t, Options{Server: b.o.Server, Tenant: b.o.Tenant, LeaseTTL: b.o.LeaseTTL})
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
