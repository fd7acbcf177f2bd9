package model

import (
	"bufio"
	"bytes"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"
)

// readers hold what came of an answer and is not yet read. A question takes one only when its answer begins.
var readers = sync.Pool{New: func() any { return bufio.NewReaderSize(nil, 4<<10) }}

// parting is how long is waited, once all is told, for the end of the body, by which a connection is saved.
const parting = 100 * time.Millisecond

// hear reads an answer to its end: events, or one JSON body from a server that does not stream.
func (c *Client) hear(x *exchange, res *http.Response, g *gather, v *voice) error {
	kind, _, _ := strings.Cut(res.Header.Get("Content-Type"), ";")
	kind = strings.TrimSpace(kind)
	if strings.EqualFold(kind, "application/json") || c.o.NoStream && !strings.EqualFold(kind, "text/event-stream") {
		return hearWhole(x, g, v)
	}
	r := readers.Get().(*bufio.Reader)
	r.Reset(x)
	defer func() {
		r.Reset(nil)
		readers.Put(r)
	}()
	for {
		data, err := nextData(r)
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		case string(data) == "[DONE]":
			x.alarm.hurry(parting)
			_, _ = r.Discard(4 << 10) // only a connection that was read to its end is used again
			return nil
		}
		if err := tell(g, v, data); err != nil {
			return err
		}
		if g.Finish != "" { // only the token counts are still to come
			x.alarm.hurry(c.grace)
		}
	}
}

// tell adds an event to the answer, and lets the watcher hear it.
func tell(g *gather, v *voice, data []byte) error {
	said, reasoning, err := g.add(data)
	if err != nil {
		return err
	}
	v.say("reasoning", reasoning)
	v.text(said)
	return nil
}

// nextData gives the data of the next server-sent event, which is valid until the next call; io.EOF after the last. Comments,
// other fields and empty data are passed over. Each line of data counts as an event, for no vendor breaks one.
func nextData(r *bufio.Reader) ([]byte, error) {
	for {
		line, err := r.ReadSlice('\n')
		if err == bufio.ErrBufferFull {
			line = bytes.Clone(line)
			var rest []byte
			rest, err = r.ReadBytes('\n')
			line = append(line, rest...)
		}
		if err != nil && (err != io.EOF || len(line) == 0) {
			return nil, err
		}
		if data, ok := bytes.CutPrefix(bytes.TrimSpace(line), []byte("data:")); ok {
			if data = bytes.TrimSpace(data); len(data) > 0 {
				return data, nil
			}
		}
	}
}

// hearWhole reads an answer that comes in one piece.
func hearWhole(x *exchange, g *gather, v *voice) error {
	buf := buffers.Get().(*[]byte)
	defer release(buf)
	b := bytes.NewBuffer((*buf)[:0])
	_, err := b.ReadFrom(x)
	*buf = b.Bytes()
	if err != nil {
		return err
	}
	g.whole = true
	return tell(g, v, *buf)
}
