package mcp

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
)

// maxMessage bounds one message of a server, in bytes. The client library reads a message whole before anybody can look at it.
const maxMessage = 16 << 20

var errFlood = errors.New("the server sent a message of more than 16 MiB")

// How messages end in a stream.
const (
	byLine  = iota // stdio: one message a line
	byBlank        // server-sent events: an empty line
	byEnd          // one message a stream
)

// bounded ends a stream with an error when a message in it grows beyond most bytes.
type bounded struct {
	io.ReadCloser
	ends  int
	most  int
	since int  // bytes of the message that is being read
	fresh bool // nothing of the line that is being read has come but an end of line
	// says is the error; io.EOF for a library that writes any other to the standard error of the process.
	says    error
	flooded atomic.Bool
}

func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	for rest := p[:n]; len(rest) > 0; {
		end := bytes.IndexByte(rest, '\n') + 1
		if end == 0 || b.ends == byEnd {
			end = len(rest)
		}
		line := rest[:end]
		rest = rest[end:]
		if b.since += len(line); b.since > b.most {
			b.flooded.Store(true)
			return 0, b.says
		}
		whole := line[len(line)-1] == '\n'
		empty := b.fresh && len(bytes.TrimRight(line, "\r\n")) == 0
		if whole && (b.ends == byLine || b.ends == byBlank && empty) {
			b.since = 0
		}
		b.fresh = whole || empty
	}
	return n, err
}

// boundedTransport bounds what a server may answer over HTTP.
type boundedTransport struct{ http.RoundTripper }

func (t boundedTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := t.RoundTripper.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	ends := byEnd
	if strings.HasPrefix(strings.ToLower(resp.Header.Get("Content-Type")), "text/event-stream") {
		ends = byBlank
	}
	resp.Body = &bounded{ReadCloser: resp.Body, ends: ends, most: maxMessage, says: errFlood}
	return resp, nil
}

// sameHost refuses to follow a redirect to another host: our headers may hold a key that is for nobody else.
func sameHost(r *http.Request, via []*http.Request) error {
	if first := via[0].URL; r.URL.Host != first.Host || r.URL.Scheme != first.Scheme {
		return errors.New("the server redirects to another host; configure that one if it is meant")
	}
	if len(via) >= 5 {
		return errors.New("the server redirects in circles")
	}
	return nil
}
