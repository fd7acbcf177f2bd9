package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"github.com/hmap-project/hmap/configs"
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

// What a hint tells to type reaches the same hmap: it has the flags that said which.
func TestCalled(t *testing.T) {
	for _, c := range []struct {
		flags flags
		want  string
	}{
		{flags{}, "hmap"},
		{flags{Data: "/tmp/数据"}, "hmap --data /tmp/数据"},
		{flags{Data: "my data", Config: "it's.yaml"}, `hmap --config 'it'\''s.yaml' --data 'my data'`},
		{flags{NATS: "tls://ann:secret@a:4222,tls://b:4222", Creds: "c.creds", CA: "ca.pem", Cert: "c.pem", Key: "k.pem"},
			"hmap --nats tls://a:4222,tls://b:4222 --creds c.creds --ca ca.pem --cert c.pem --key k.pem"},
	} {
		if got := c.flags.called(); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}

// What can be seen to be wrong before anything starts is a wrong command line: status 2, and nothing is made.
func TestWrongCommandLines(t *testing.T) {
	for _, args := range [][]string{
		{"ask", " "}, {"answer", "t1"}, {"answer", "t1", ""}, {"sessions", "--limit", "0"}, {"sessions", "--limit", "100000"}, {"sessions", "s1", "--delete", "s2"},
		{"ask", "x", "--seconds", "0"}, {"ask", "x", "--seconds", "NaN"}, {"ask", "x", "--seconds", "1e12"},
		{"drill", "--minutes", "NaN"}, {"drill", "--minutes", "0"}, {"drill", "--minutes", "1e9"}, {"nosuch", "--nosuch"},
	} {
		if _, err := kong.Must(new(flags)).Parse(args); err == nil {
			t.Errorf("%q is taken", args)
		}
	}
	for _, args := range [][]string{{}, {"ask", "x"}, {"answer", "t1", "--approve"}, {"sessions", "--limit", "5"}, {"drill", "--minutes", "0.1"}} {
		if _, err := kong.Must(new(flags)).Parse(args); err != nil {
			t.Errorf("%q: %v", args, err)
		}
	}
}

// A word that is no command is told as one, with the command that was probably meant.
func TestUnknownCommands(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"fils", "did you mean hmap files?"},
		{"sesions --limit 3", "did you mean hmap sessions?"},
		{"--data x exprot s1", "did you mean hmap export?"},
		{"mcp lst", "did you mean hmap mcp list?"},
		{"conf", "did you mean hmap config?"},
		{"xyzzy", `no command "xyzzy"; hmap --help lists them, and a question goes as one word: hmap ask`},
		{"我有多少订单", "hmap ask"},
		{"ask --seconds -1 x", "--seconds is -1: want a number above 0"},
		{"ask --seconds=-1 x", "--seconds is -1: want more than 0"},
		{"ask --seconds soon x", `--seconds is "soon": want a number`},
		{"ask --stream now x", "want general, token:20, 2s, or 5,20"},
		{"sessions --limit -1", "--limit is -1"},
		{"sessions --limit few", `--limit is "few": want a number`},
		{"--data", "--data wants a value"},
		{"dead show -1", "-1 is no flag, and a number here cannot be negative"},
		{"dead show few", `is "few": want a number`},
		{"mcp xyzzy", "hmap mcp --help lists them"},
		{"serve here", "unexpected argument here"},
		{"cancel t1 t2 t3", "unexpected argument"},
	} {
		parser := kong.Must(new(flags), kong.Name("hmap"))
		_, err := parser.Parse(strings.Fields(c.line))
		if err = unknown(err); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.line, err, c.want)
		}
	}
}

// Who asks a log on servers for what it does not have is told which servers, and not of a folder that has nothing to do with it.
func TestWhichLogHasNoSuchSession(t *testing.T) {
	c := configs.Config{Data: "/home/x/hmap"}
	h := &house{config: &c}
	if err := h.noSession("s1"); !strings.Contains(err.Error(), "in /home/x/hmap has no") {
		t.Error(err)
	}
	c.NATS.URL = "nats://me:secret@one:4222,nats://two:4222"
	if err := h.noSession("s1"); !strings.Contains(err.Error(), "on nats://one:4222,nats://two:4222 has no") || strings.Contains(err.Error(), "/home/x") {
		t.Error(err)
	}
}
