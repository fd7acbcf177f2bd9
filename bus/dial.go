package bus

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"syscall"

	"github.com/nats-io/nats.go"
)

// dial connects.
func (b *Bus) dial(ctx context.Context) error {
	servers, opts := b.natsOptions()
	for n := 0; ; n++ {
		nc, err := nats.Connect(servers, opts...)
		if err == nil {
			b.nc = nc
			return b.replies.open(nc)
		}
		if b.o.Waits == nil || !absent(err) {
			return err
		}
		b.o.Waits(fmt.Errorf("no server of %s listens (%w)", b.o.where(), err))
		if !pause(ctx, n) {
			return err
		}
	}
}

// absent: nobody listens there, does not answer, or hung up without a word of why, as a server does that ends; what it means to refuse us,
// waiting does not change.
func absent(err error) bool {
	op, slow := new(net.OpError), net.Error(nil)
	hungUp := (errors.Is(err, io.EOF) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE)) && !errors.Is(err, nats.ErrTLS)
	return hungUp || errors.As(err, &slow) && slow.Timeout() || errors.Is(err, nats.ErrNoServers) || errors.Is(err, nats.ErrTimeout) || errors.As(err, &op) && op.Op == "dial"
}

// advice says what to do about a server that could not be dialled.
func advice(err error) string {
	unverified, op := new(tls.CertificateVerificationError), new(net.OpError)
	switch {
	case errors.As(err, &unverified):
		return "the CA file must hold the authority that signed the server's certificate, and that certificate the host as the URL has it"
	// The server refuses after its own handshake: we see its alert, which is what crypto/tls calls a remote error, or only that it hung up.
	case errors.As(err, &op) && op.Op == "remote error", errors.Is(err, nats.ErrTLS):
		return "the server wants a certificate of ours (cert and key) that an authority it knows has signed"
	case errors.Is(err, nats.ErrSecureConnWanted):
		return "the server speaks no TLS, which the URL or the CA or certificate file insists on"
	case errors.Is(err, nats.ErrAuthorization):
		return "the server knows no such user: name one in the URL (nats://USER:PASSWORD@HOST:PORT, or nats://TOKEN@HOST:PORT) or in a credentials file (--creds)"
	}
	return "is the server running, and are token or credentials right?"
}
