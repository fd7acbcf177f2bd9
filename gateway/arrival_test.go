package gateway

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"
)

// timed is a response that knows the deadlines it was given.
type timed struct {
	http.ResponseWriter
	read, write time.Time
}

func (d *timed) SetReadDeadline(t time.Time) error  { d.read = t; return nil }
func (d *timed) SetWriteDeadline(t time.Time) error { d.write = t; return nil }

// A body has thirty seconds for each piece, and no more for all than the slowest pace that is borne.
func TestArrivalKeepsAPace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &timed{}
		a := arriving(d, io.LimitReader(zeros{}, 2*uploadPace*60))
		piece := make([]byte, uploadPace*60)
		left := func() time.Duration { return time.Until(d.read) }
		for _, step := range []struct {
			pause, left time.Duration // since the piece before; for this one
		}{{0, bodyWait}, {70 * time.Second, 20 * time.Second}, {19 * time.Second, bodyWait}} {
			time.Sleep(step.pause)
			if n, err := a.r.Read(piece[:0]); n != 0 || err != nil {
				t.Fatal(n, err)
			}
			n, err := a.Read(piece[:min(len(piece), 1)])
			if err != nil || left() != step.left {
				t.Fatalf("after %v: %v are left for the next piece, %v", step.pause, left(), err)
			}
			a.bytes += int64(len(piece) - n) // as if the whole piece had come
			if !d.write.After(d.read) {
				t.Fatal("the answer ends before the body")
			}
		}
	})
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// What does not arrive whole is an error, and stays one.
func TestArrivalThatIsCutOff(t *testing.T) {
	for _, why := range []error{io.ErrUnexpectedEOF, http.ErrBodyReadAfterClose} {
		a := arriving(&timed{}, io.MultiReader(strings.NewReader("half"), iotest.ErrReader(why)))
		_, err := io.ReadAll(a)
		if !errors.Is(err, why) || a.failed == nil {
			t.Errorf("%v became %v", why, err)
		}
		if _, again := a.Read(make([]byte, 1)); again != err {
			t.Errorf("then %v", again)
		}
	}
}
