package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strconv"
	"time"
)

// script is how the scripted model behaves.
type script struct {
	delay time.Duration // before the first byte of every answer
	hold  time.Duration // instead of delay, before the first answer of every task
	flush bool          // every event is a write of its own; otherwise an answer is one write
}

// serveModel is a process of its own: an endpoint that speaks as much of OpenAI's protocol as the script needs, straight on TCP, so
// that it takes as little as can be of the processors that the contenders share with it. It serves until its standard input ends.
func serveModel(s script) error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Printf("ready http://%s/v1\n", l.Addr())
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		l.Close()
	}()
	for {
		c, err := l.Accept()
		if errors.Is(err, net.ErrClosed) {
			return nil
		}
		if err != nil {
			return err
		}
		go func() {
			defer func() { _ = c.Close() }()
			if err := s.serve(c); !errors.Is(err, io.EOF) {
				fmt.Fprintln(os.Stderr, "model:", err)
			}
		}()
	}
}

// serve answers the requests of one connection until an error, or io.EOF at its end.
func (s script) serve(c net.Conn) error {
	in := bufio.NewReader(c)
	var body []byte
	for {
		size, err := head(in)
		if err != nil {
			return err
		}
		body = append(body[:0], make([]byte, size)...)
		if _, err := io.ReadFull(in, body); err != nil {
			return err
		}
		if err := s.answer(c, body); err != nil {
			return err
		}
	}
}

func (s script) answer(c net.Conn, body []byte) error {
	r := next(body)
	pause := s.delay
	if s.hold > 0 && &r.stream[0] == &replies[0].stream[0] {
		pause = s.hold
	}
	if pause > 0 {
		time.Sleep(pause)
	}
	if !bytes.Contains(body, []byte(`"stream":true`)) {
		_, err := c.Write(r.whole)
		return err
	}
	if !s.flush {
		_, err := c.Write(r.stream)
		return err
	}
	for _, e := range r.events {
		if _, err := c.Write(e); err != nil {
			return err
		}
	}
	return nil
}

// head reads the head of a request and gives the length of its body.
func head(in *bufio.Reader) (size int, err error) {
	size = -1
	for {
		line, err := in.ReadSlice('\n')
		if err != nil {
			return 0, err
		}
		line = bytes.TrimRight(line, "\r\n")
		if len(line) == 0 {
			break
		}
		if v, ok := bytes.CutPrefix(line, []byte("Content-Length: ")); ok {
			if size, err = strconv.Atoi(string(v)); err != nil {
				return 0, err
			}
		}
	}
	if size < 0 {
		return 0, errors.New("a request without Content-Length")
	}
	return size, nil
}
