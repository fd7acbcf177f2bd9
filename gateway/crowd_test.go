//go:build unix

package gateway_test

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// A crowd is many followers of one session in a process of their own, so that what they cost can be told from what the gateway
// costs. They are cheap: plain TCP, and of a frame only its header is read, and the time that stands after "@" in it.

// crowdEnv, when set, makes the test binary a crowd: "address session followers".
const crowdEnv = "HMAP_CROWD"

// crowdStep is after how many frames per follower the crowd says how far it is.
const crowdStep = 16

type crowd struct {
	n   int
	cmd *exec.Cmd
	in  io.Closer
	out *bufio.Scanner

	mu   sync.Mutex
	more *sync.Cond
	got  int // records per follower, on average, in steps
}

// crowdReport is the last line of a crowd.
type crowdReport struct {
	Least, Most int           // records that a follower got
	CPU         time.Duration // of the whole process, since all had caught up
	P50, P99    time.Duration // from the time in the record to its arrival
}

func startCrowd(t testing.TB, address, session string, n int) *crowd {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%s %s %d", crowdEnv, address, session, n))
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		cmd.Wait()
	})
	c := &crowd{n: n, cmd: cmd, in: in, out: bufio.NewScanner(out)}
	c.more = sync.NewCond(&c.mu)
	if !c.out.Scan() || c.out.Text() != "ready" {
		t.Fatalf("the crowd did not come together: %q %v", c.out.Text(), c.out.Err())
	}
	return c
}

// listen notes how far the crowd is, until its report comes.
func (c *crowd) listen() (crowdReport, error) {
	var r crowdReport
	for c.out.Scan() {
		line := c.out.Text()
		if strings.HasPrefix(line, "{") {
			return r, json.Unmarshal([]byte(line), &r)
		}
		n, err := strconv.Atoi(line)
		if err != nil {
			return r, err
		}
		c.mu.Lock()
		c.got = max(c.got, n)
		c.mu.Unlock()
		c.more.Broadcast()
	}
	return r, io.ErrUnexpectedEOF
}

// wait returns when the followers have n records each, on average and but for a step.
func (c *crowd) wait(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for c.got < n {
		c.more.Wait()
	}
}

// joinCrowd is the main function of a crowd.
func joinCrowd(order string) error {
	var address, session string
	var n int
	if _, err := fmt.Sscan(order, &address, &session, &n); err != nil {
		return err
	}
	conns := make([]*follower, n)
	for i := range conns {
		f, err := handshake(address)
		if err == nil {
			err = f.follow(session, 0)
		}
		if err != nil {
			return fmt.Errorf("follower %d: %w", i, err)
		}
		conns[i] = f
	}
	var total atomic.Int64
	var says sync.Mutex
	step := int64(crowdStep * n)
	said := func(frames int64) {
		if now := total.Add(frames); now/step != (now-frames)/step {
			says.Lock()
			fmt.Println(now / step * crowdStep)
			says.Unlock()
		}
	}
	for _, f := range conns {
		if err := f.catchUp(); err != nil {
			return err
		}
	}
	before := cpuTime()
	fmt.Println("ready")
	var all sync.WaitGroup
	for _, f := range conns {
		all.Go(func() { f.run(said) })
	}
	io.Copy(io.Discard, os.Stdin) // until the benchmark closes it
	r := crowdReport{Least: 1 << 60, CPU: cpuTime() - before}
	var late []time.Duration
	for _, f := range conns {
		f.conn.Close()
	}
	all.Wait()
	for _, f := range conns {
		r.Least, r.Most = min(r.Least, f.records), max(r.Most, f.records)
		late = append(late, f.late...)
	}
	if len(late) > 0 {
		slices.Sort(late)
		r.P50, r.P99 = late[len(late)/2], late[len(late)*99/100]
	}
	says.Lock()
	defer says.Unlock()
	return json.NewEncoder(os.Stdout).Encode(r)
}

// follower is one connection of a crowd.
type follower struct {
	conn    net.Conn
	br      *bufio.Reader
	records int
	late    []time.Duration
}

// handshake opens a WebSocket, and leaves it to the caller what to do with it.
func handshake(address string) (*follower, error) {
	conn, err := net.DialTimeout("tcp", address, 10*time.Second)
	if err != nil {
		return nil, err
	}
	conn.SetDeadline(time.Now().Add(10 * time.Second))
	defer conn.SetDeadline(time.Time{})
	fmt.Fprintf(conn, "GET /v1/ws HTTP/1.1\r\nHost: %s\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"+
		"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n", address)
	f := &follower{conn: conn, br: bufio.NewReaderSize(conn, 16<<10)}
	for first := true; ; first = false {
		line, err := f.br.ReadString('\n')
		if err == nil && first && !strings.HasPrefix(line, "HTTP/1.1 101") {
			err = fmt.Errorf("refused: %s", line)
		}
		if err != nil {
			conn.Close()
			return nil, err
		}
		if line == "\r\n" {
			return f, nil
		}
	}
}

func (f *follower) follow(session string, after uint64) error {
	_, err := f.conn.Write(masked(1, fmt.Appendf(nil, `{"type":"follow","session":%q,"after":%d}`, session, after)))
	return err
}

// masked is a client's frame of up to 64 KiB; the mask is zero.
func masked(opcode byte, payload []byte) []byte {
	head := []byte{0x80 | opcode, 0x80}
	switch n := len(payload); {
	case n < 126:
		head[1] |= byte(n)
	default:
		head[1] |= 126
		head = binary.BigEndian.AppendUint16(head, uint16(n))
	}
	return append(append(head, 0, 0, 0, 0), payload...)
}

func (f *follower) catchUp() error {
	for {
		_, payload, err := f.next()
		if err != nil || bytes.HasPrefix(payload, []byte(`{"type":"caught_up"`)) {
			return err
		}
	}
}

// next reads a frame; of its payload only the first bytes are given, until the next call.
func (f *follower) next() (opcode byte, payload []byte, err error) {
	head, err := f.br.Peek(2)
	if err != nil {
		return 0, nil, err
	}
	opcode = head[0] & 15
	n, skip := int(head[1]), 2
	switch n {
	case 126:
		if head, err = f.br.Peek(4); err != nil {
			return 0, nil, err
		}
		n, skip = int(binary.BigEndian.Uint16(head[2:])), 4
	case 127:
		if head, err = f.br.Peek(10); err != nil {
			return 0, nil, err
		}
		n, skip = int(binary.BigEndian.Uint64(head[2:])), 10
	}
	f.br.Discard(skip)
	if payload, err = f.br.Peek(min(n, 4<<10)); err == nil {
		_, err = f.br.Discard(n)
	}
	if n > 4<<10 {
		payload = nil // it has been read over
	}
	return opcode, payload, err
}

func (f *follower) run(said func(int64)) {
	since := int64(0)
	for {
		opcode, payload, err := f.next()
		if err != nil {
			return
		}
		if opcode == 9 {
			f.conn.Write(masked(10, nil))
			continue
		}
		if opcode != 1 || !bytes.HasPrefix(payload, []byte(`{"type":"record"`)) {
			continue
		}
		f.records++
		if at := bytes.IndexByte(payload, '@'); at >= 0 {
			if sent, err := strconv.ParseInt(string(payload[at+1:at+20]), 10, 64); err == nil {
				f.late = append(f.late, time.Duration(time.Now().UnixNano()-sent))
			}
		}
		if since++; since == crowdStep || f.br.Buffered() == 0 {
			said(since)
			since = 0
		}
	}
}

// cpuTime is what this process has used so far, user and system.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
