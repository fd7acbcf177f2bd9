package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/url"
	"strings"
)

// wire is no agent: it writes three requests that were made before and reads the answers up to their end. What it takes is the model's own
// time with that of the connection, so that what an agent takes beyond it is the agent's.
type wire struct {
	address string
	stream  bool
}

func newWire(base string, stream bool) (*wire, error) {
	u, err := url.Parse(base)
	if err != nil {
		return nil, err
	}
	return &wire{u.Host, stream}, nil
}

func (w *wire) task(ctx context.Context) (string, error) {
	var d net.Dialer
	c, err := d.DialContext(ctx, "tcp", w.address)
	if err != nil {
		return "", err
	}
	defer func() { _ = c.Close() }()
	in := bufio.NewReader(c)
	for i, r := range replies {
		body := fmt.Sprintf(`{"stream":%t,"messages":[%s{"role":"user"}]}`, w.stream, strings.Repeat(`{"role":"tool"},`, i))
		if _, err := fmt.Fprintf(c, "POST /v1/chat/completions HTTP/1.1\r\nContent-Length: %d\r\n\r\n%s", len(body), body); err != nil {
			return "", err
		}
		size := len(r.whole)
		if w.stream {
			size = len(r.stream)
		}
		if _, err := io.CopyN(io.Discard, in, int64(size)); err != nil {
			return "", err
		}
	}
	return answer, nil
}
