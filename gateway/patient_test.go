package gateway

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// pressed is a response whose deadlines are counted.
type pressed struct {
	http.ResponseWriter
	by  time.Time
	set int
}

func (p *pressed) SetWriteDeadline(t time.Time) error {
	p.by, p.set = t, p.set+1
	return nil
}

// A reader of a long response has its time for each piece, and not for the whole.
func TestPatienceIsForAPiece(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &pressed{ResponseWriter: httptest.NewRecorder()}
		out := patient(w)
		for range 1000 {
			out.Write([]byte("a line"))
		}
		if w.set != 1 || w.by != time.Now().Add(writeWait) {
			t.Errorf("set %d times, until %v", w.set, w.by)
		}
		time.Sleep(time.Minute)
		out.Write([]byte("a line"))
		if w.set != 2 || w.by != time.Now().Add(writeWait) {
			t.Errorf("set %d times, until %v", w.set, w.by)
		}
	})
}

// A body that does not come ends the request, so that nobody holds a connection by half a sentence.
func TestBodyHasItsTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ours, theirs := net.Pipe()
		srv := &http.Server{Handler: (&Gateway{opt: Options{}.withDefaults()}).Handler()}
		done := make(chan error, 1)
		go func() { done <- srv.Serve(&once{conn: ours, closed: make(chan struct{})}) }()
		begun := time.Now()
		io.WriteString(theirs, "POST /v1/tasks HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{")
		io.Copy(io.Discard, theirs)
		if took := time.Since(begun); took < bodyWait || took > bodyWait+5*time.Second {
			t.Errorf("ended after %v", took)
		}
		srv.Close()
		<-done
	})
}

// An answer that is not read ends the request, whatever was asked for.
func TestAnswerHasItsTime(t *testing.T) {
	for _, path := range []string{"/", "/app.js", "/healthz", "/v1/nothing"} {
		synctest.Test(t, func(t *testing.T) {
			ours, theirs := net.Pipe()
			srv := &http.Server{Handler: (&Gateway{opt: Options{}.withDefaults()}).Handler()}
			done := make(chan error, 1)
			go func() { done <- srv.Serve(&once{conn: ours, closed: make(chan struct{})}) }()
			io.WriteString(theirs, "GET "+path+" HTTP/1.1\r\nHost: h\r\n\r\n")
			begun := time.Now()
			time.Sleep(answerWait + time.Second)
			theirs.SetReadDeadline(begun.Add(time.Hour))
			if got, err := io.ReadAll(theirs); err != nil || len(got) > 0 {
				t.Errorf("%s: long after, there still came %.40q, %v", path, got, err)
			}
			theirs.Close()
			srv.Close()
			<-done
		})
	}
}

// Few lists of sessions are read at a time; who does not get a turn is told to come again.
func TestListsWaitForATurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, begun := &Gateway{lists: make(chan struct{}, 1)}, time.Now()
		g.lists <- struct{}{}
		w := httptest.NewRecorder()
		g.getSessions(w, httptest.NewRequest("GET", "/v1/sessions", nil))
		if w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") == "" || !strings.Contains(w.Body.String(), `"code":"busy"`) {
			t.Errorf("%d %v %s", w.Code, w.Header(), w.Body)
		}
		if took := time.Since(begun); took != thinkWait {
			t.Errorf("answered after %v", took)
		}
	})
}

// once is a listener with one connection.
type once struct {
	conn   net.Conn
	closed chan struct{}
}

func (o *once) Accept() (net.Conn, error) {
	if c := o.conn; c != nil {
		o.conn = nil
		return c, nil
	}
	<-o.closed
	return nil, net.ErrClosed
}

func (o *once) Close() error {
	select {
	case <-o.closed:
	default:
		close(o.closed)
	}
	return nil
}

func (o *once) Addr() net.Addr { return address("pipe") }
