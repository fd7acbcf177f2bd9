package main

import (
	"os"
	"path/filepath"
	"testing"
)

// One file may hold everything: people keep a certificate, its key and who signed it in one PEM.
func TestOneFileForSeveralFlags(t *testing.T) {
	pem := filepath.Join(t.TempDir(), "client.pem")
	if err := os.WriteFile(pem, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for range 20 { // what is lost may be so by chance
		a := &app{ctx: t.Context(), flags: &flags{Data: t.TempDir(), NATS: "tls://127.0.0.1:4222", Creds: pem, CA: pem, Cert: pem, Key: pem}}
		c, err := a.config()
		if err != nil {
			t.Fatal(err)
		}
		if n := c.NATS; n.Creds != pem || n.CA != pem || n.Cert != pem || n.Key != pem {
			t.Fatalf("creds %q, ca %q, cert %q, key %q: want all four", n.Creds, n.CA, n.Cert, n.Key)
		}
	}
}
