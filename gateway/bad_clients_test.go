//go:build unix

package gateway_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"sync"
	"testing"
	"time"
)

// siegeEnv, when set, makes the test binary a siege: "address clients". It has a process of its own, so that its work is not ours.
const siegeEnv = "HMAP_SIEGE"

// startSiege gives what ends it, and what tells how much CPU it has spent.
func startSiege(t testing.TB, address string, n int) (lift func(), spent func() time.Duration) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%s %d", siegeEnv, address, n))
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
	lines := bufio.NewReader(out)
	if line, err := lines.ReadString('\n'); err != nil {
		t.Errorf("the siege did not begin: %q %v", line, err)
	}
	lift = func() {
		in.Close()
		if err := cmd.Wait(); err != nil {
			t.Errorf("the siege: %v", err)
		}
	}
	spent = func() (d time.Duration) {
		if _, err := io.WriteString(in, "spent?\n"); err != nil {
			t.Error(err)
		}
		if _, err := fmt.Fscanln(lines, &d); err != nil {
			t.Errorf("what the siege has spent: %v", err)
		}
		return d
	}
	return lift, spent
}

// joinSiege is the main function of a siege.
func joinSiege(order string) error {
	var address string
	var n int
	if _, err := fmt.Sscan(order, &address, &n); err != nil {
		return err
	}
	ctx, lift := context.WithCancel(context.Background())
	var all, begun sync.WaitGroup
	begun.Add(n)
	for i := range n {
		all.Go(func() { worst[i%len(worst)].do(ctx, address, begun.Done) })
	}
	begun.Wait()
	fmt.Println("begun")
	for asked := bufio.NewScanner(os.Stdin); asked.Scan(); { // until the test closes it
		fmt.Println(int64(cpuTime()))
	}
	lift()
	all.Wait()
	return nil
}

// worst is what bad clients do until ctx ends. Where they are cut off they come back within 100 ms.
var worst = []badClient{
	{"never reads", func(f *follower) error { return f.follow("big", 0) }, nil},
	{"reads a byte now and then", func(f *follower) error { return f.follow("big", 0) }, func(f *follower) error {
		time.Sleep(100 * time.Millisecond)
		_, err := f.conn.Read(make([]byte, 1))
		return err
	}},
	{"sends frames that are no JSON", nil, flood(func() []byte { return masked(1, noise(200)) })},
	{"sends what is no frame", nil, func(f *follower) error {
		_, err := f.conn.Write(noise(500))
		return err
	}},
	{"sends a frame of 1 GiB", func(f *follower) error {
		_, err := f.conn.Write([]byte{0x81, 0xff, 0, 0, 0, 0, 0x40, 0, 0, 0, 0, 0, 0, 0})
		return err
	}, func(f *follower) error {
		_, err := f.conn.Write(zeros)
		return err
	}},
	{"floods with pings", nil, flood(func() []byte { return masked(9, noise(100)) })},
	{"floods with empty fragments", func(f *follower) error {
		_, err := f.conn.Write([]byte{1, 0x80, 0, 0, 0, 0})
		return err
	}, func(f *follower) error {
		_, err := f.conn.Write(fragments)
		return err
	}},
	{"follows whatever comes to mind", nil, flood(func() []byte {
		return masked(1, fmt.Appendf(nil, `{"type":"follow","session":"x%d","after":%d}`, rand.N(100_000), rand.Uint64N(1000)))
	})},
	{"follows and unfollows", nil, flood(func() []byte {
		return append(masked(1, []byte(`{"type":"follow","session":"big"}`)), masked(1, []byte(`{"type":"unfollow","session":"big"}`))...)
	})},
	{"comes back in a storm", func(f *follower) error {
		f.follow("s0", 0)
		f.conn.(*net.TCPConn).SetLinger(0)
		return io.EOF
	}, nil},
}

type badClient struct {
	name  string
	begin func(*follower) error // nil: nothing
	again func(*follower) error // nil: waits for the end
}

func (b badClient) do(ctx context.Context, address string, begun func()) {
	begun = sync.OnceFunc(begun)
	if rand.N(20) == 0 {
		begun()
		halfOpen(ctx, address)
		return
	}
	for ctx.Err() == nil {
		f, err := handshake(address)
		begun()
		if err != nil {
			continue
		}
		f.conn.(*net.TCPConn).SetWriteBuffer(64 << 10) // filling it is no work for the gateway
		end := context.AfterFunc(ctx, func() { f.conn.Close() })
		if b.begin != nil {
			err = b.begin(f)
		}
		for err == nil && ctx.Err() == nil {
			if b.again == nil {
				<-ctx.Done()
				break
			}
			err = b.again(f)
		}
		end()
		f.conn.Close()
		select { // a storm, but one that leaves this machine some time for the gateway
		case <-time.After(rand.N(100 * time.Millisecond)):
		case <-ctx.Done():
		}
	}
}

// halfOpen begins a request and never ends it.
func halfOpen(ctx context.Context, address string) {
	c, err := net.Dial("tcp", address)
	if err != nil {
		return
	}
	defer c.Close()
	io.WriteString(c, "GET /v1/ws HTTP/1.1\r\nHost: ")
	<-ctx.Done()
}

// flood sends many frames with one write, so that it costs the machine as little as can be beside what it costs the gateway.
func flood(frame func() []byte) func(*follower) error {
	return func(f *follower) error {
		var burst []byte
		for range 100 {
			burst = append(burst, frame()...)
		}
		for {
			if _, err := f.conn.Write(burst); err != nil {
				return err
			}
		}
	}
}

func noise(n int) []byte {
	b := make([]byte, rand.N(n))
	for i := range b {
		b[i] = byte(rand.Uint32())
	}
	return b
}
