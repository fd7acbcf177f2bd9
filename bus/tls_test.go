package bus

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/jwt/v2"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nkeys"
)

// authority signs certificates, into PEM files of one folder.
type authority struct {
	t    *testing.T
	dir  string
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
	file string
}

func newAuthority(t *testing.T) *authority {
	t.Helper()
	a := &authority{t: t, dir: t.TempDir()}
	a.cert = &x509.Certificate{Subject: pkix.Name{CommonName: "authority"}, IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign}
	a.file, _, a.key = a.sign("ca", a.cert)
	return a
}

// sign gives the files of a certificate and of its key; a nil key of our own makes the certificate sign itself.
func (a *authority) sign(name string, c *x509.Certificate) (cert, keyFile string, key *ecdsa.PrivateKey) {
	a.t.Helper()
	key = must(ecdsa.GenerateKey(elliptic.P256(), rand.Reader))
	c.SerialNumber = must(rand.Int(rand.Reader, big.NewInt(1<<62)))
	c.NotBefore, c.NotAfter = time.Now().Add(-time.Hour), time.Now().Add(time.Hour)
	signer := a.key
	if signer == nil {
		signer = key
	}
	der := must(x509.CreateCertificate(rand.Reader, c, a.cert, &key.PublicKey, signer))
	write := func(file, kind string, der []byte) string {
		file = filepath.Join(a.dir, file)
		if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600); err != nil {
			a.t.Fatal(err)
		}
		return file
	}
	return write(name+".pem", "CERTIFICATE", der), write(name+"-key.pem", "PRIVATE KEY", must(x509.MarshalPKCS8PrivateKey(key))), key
}

// client is a certificate to show to a server.
func (a *authority) client() (cert, key string) {
	cert, key, _ = a.sign("client", &x509.Certificate{Subject: pkix.Name{CommonName: "node"}, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}})
	return cert, key
}

// guarded starts a server that shows a certificate of the authority, for the name, and wants one of it; it gives its host and port.
func guarded(t *testing.T, a *authority, name string) string {
	t.Helper()
	c := &x509.Certificate{Subject: pkix.Name{CommonName: name}, DNSNames: []string{name}, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}}
	if ip := net.ParseIP(name); ip != nil {
		c.DNSNames, c.IPAddresses = nil, []net.IP{ip}
	}
	cert, key, _ := a.sign("server", c)
	config, err := server.GenTLSConfig(&server.TLSConfigOpts{CertFile: cert, KeyFile: key, CaFile: a.file, Verify: true})
	if err != nil {
		t.Fatal(err)
	}
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, JetStream: true, StoreDir: t.TempDir(), NoSigs: true,
		TLSConfig: config, TLSVerify: true, TLSTimeout: 10})
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	return s.Addr().String()
}

// A server that shows a certificate and wants one: the bus works over it, and each thing that can be wrong has an error that says so, at
// once, also for those who wait for a server that is not there yet.
func TestTLS(t *testing.T) {
	a, other := newAuthority(t), newAuthority(t)
	at, elsewhere := guarded(t, a, "127.0.0.1"), guarded(t, a, "nats.example.org")
	cert, key := a.client()
	strange, strangeKey := other.client()

	for _, scheme := range []string{"tls://", "nats://"} {
		b := connect(t, Options{URL: scheme + at, CA: a.file, Cert: cert, Key: key})
		if _, err := b.Conn().TLSConnectionState(); err != nil {
			t.Errorf("%s: %v", scheme, err)
		}
		if _, err := b.Append(within(t), record("s", scheme[:3], scheme[:3], KindRequest), 0); err != nil {
			t.Errorf("%s: %v", scheme, err)
		}
	}
	for name, c := range map[string]struct {
		o    Options
		says []string
	}{
		"wrong CA":              {Options{URL: "tls://" + at, CA: other.file, Cert: cert, Key: key}, []string{"unknown authority", "CA file"}},
		"a plain client":        {Options{URL: "nats://" + at}, []string{"unknown authority", "CA file"}},
		"no CA":                 {Options{URL: "tls://" + at, Cert: cert, Key: key}, []string{"unknown authority", "CA file"}},
		"another host":          {Options{URL: "tls://" + elsewhere, CA: a.file, Cert: cert, Key: key}, []string{"127.0.0.1", "host as the URL has it"}},
		"no certificate":        {Options{URL: "tls://" + at, CA: a.file}, []string{"wants a certificate of ours"}},
		"a strange certificate": {Options{URL: "tls://" + at, CA: a.file, Cert: strange, Key: strangeKey}, []string{"wants a certificate of ours"}},
		"the key of another":    {Options{URL: "tls://" + at, CA: a.file, Cert: cert, Key: strangeKey}, []string{"private key does not match"}},
		"no key":                {Options{URL: "tls://" + at, CA: a.file, Cert: cert}, []string{"needs its key"}},
		"no such file":          {Options{URL: "tls://" + at, CA: filepath.Join(a.dir, "nosuch.pem")}, []string{"nosuch.pem"}},
		"not a CA file":         {Options{URL: "tls://" + at, CA: key}, []string{"failed to parse root certificate"}},
		"no TLS there":          {Options{URL: startServer(t, ServerOptions{Listen: "127.0.0.1:0"}).URL(), CA: a.file}, []string{"speaks no TLS"}},
	} {
		t.Run(name, func(t *testing.T) {
			c.o.Waits = func(why error) { t.Errorf("waits: %v", why) }
			b, err := Connect(within(t), c.o)
			if err == nil {
				b.Close()
				t.Fatal("connected")
			}
			for _, s := range c.says {
				if !strings.Contains(err.Error(), s) {
					t.Errorf("%v; it does not say %q", err, s)
				}
			}
		})
	}
}

// A server that knows its users: the bus works for the right one, and everybody else is told what to give it, at once, also those who wait
// for a server that is not there yet. No error repeats a password.
func TestCredentials(t *testing.T) {
	t.Parallel()
	config := filepath.Join(t.TempDir(), "nats.conf")
	if err := os.WriteFile(config, []byte(`
		jetstream: { store_dir: "`+t.TempDir()+`" }
		accounts {
			HMAP: { jetstream: enabled, users: [
				{ user: node, password: s3cret }
				{ user: mute, password: s3cret, permissions: { publish: { deny: "$JS.>" } } }
				{ user: late, password: s3cret, permissions: { publish: { deny: "$JS.API.STREAM.CREATE.>" } } }
			] }
			NONE: { users: [ { user: guest, password: s3cret } ] }
		}`), 0o600); err != nil {
		t.Fatal(err)
	}
	o := must(server.ProcessConfigFile(config))
	o.Host, o.Port, o.NoSigs = "127.0.0.1", server.RANDOM_PORT, true
	s := must(server.NewServer(o))
	s.Start()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	if !s.ReadyForConnections(patience) {
		t.Fatal("the server does not start")
	}
	at := s.Addr().String()
	b := connect(t, Options{URL: "nats://node:s3cret@" + at})
	if _, err := b.Append(within(t), record("s", "t", "t", KindRequest), 0); err != nil {
		t.Error(err)
	}
	connect(t, Options{URL: "nats://late:s3cret@" + at}) // finds all that it may not make
	must(0, b.js.DeleteStream(within(t), cacheStream))   // as a cluster has it that only an older hmap has used
	key := must(nkeys.CreateUser())
	creds := filepath.Join(t.TempDir(), "user.creds")
	claims := jwt.NewUserClaims(must(key.PublicKey()))
	text := must(jwt.FormatUserConfig(must(claims.Encode(must(nkeys.CreateAccount()))), must(key.Seed())))
	if err := os.WriteFile(creds, text, 0o600); err != nil {
		t.Fatal(err)
	}
	token := startServer(t, ServerOptions{Listen: "127.0.0.1:0"})
	for name, c := range map[string]struct {
		o    Options
		says string
	}{
		"a wrong password":         {Options{URL: "nats://node:s3cretS@" + at}, "the server knows no such user"},
		"a user that is not there": {Options{URL: "nats://nobody:s3cret@" + at}, "the server knows no such user"},
		"no user":                  {Options{URL: "nats://" + at}, "--creds"},
		"credentials of another":   {Options{URL: "nats://" + at, Creds: creds}, "the server knows no such user"},
		"no such file":             {Options{URL: "nats://" + at, Creds: creds + "x"}, "user.credsx"},
		"a wrong token":            {Options{URL: "nats://s3cret@" + Redact(token.URL())[len("nats://"):]}, "the server knows no such user"},
		"no JetStream":             {Options{URL: "nats://guest:s3cret@" + at}, "jetstream: enabled"},
		"no right to make":         {Options{URL: "nats://late:s3cret@" + at}, "STREAM.CREATE." + cacheStream + "\"; the server's permissions must let our user"},
		"no permission":            {Options{URL: "nats://mute:s3cret@" + at}, "Publish to \"$JS.API"},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(within(t))
			defer cancel()
			c.o.Waits = func(why error) {
				if cancel(); name != "no JetStream" { // which a server that has just started says, too
					t.Errorf("waits: %v", why)
				}
			}
			b, err := Connect(ctx, c.o)
			if err == nil {
				b.Close()
				t.Fatal("connected")
			}
			if !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "s3cret") {
				t.Errorf("%v; it does not say %q", err, c.says)
			}
		})
	}
}
