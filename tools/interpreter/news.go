package interpreter

import (
	"fmt"
	"strconv"
	"sync"
	"time"
)

// beat is after how much silence a person who waits is told that the work goes on.
const beat = 10 * time.Second

// news are the lines that a person who waits is told.
type news struct {
	tell func(line string)
	zh   bool // the language of our own

	mu   sync.Mutex
	line string
	told time.Time // when line was
}

// say tells a line. Safe from many goroutines.
func (n *news) say(line string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.line, n.told = line, time.Now()
	n.tell(line)
}

// beats tells how long a work has been going on, with the line told last, after each beat without a word, until it is stopped.
func (n *news) beats(zh, en string) (stop func()) {
	begun, ended, done := time.Now(), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for wait := beat; ; {
			select {
			case <-ended:
				return
			case <-time.After(wait):
				wait = n.beat(time.Since(begun), zh, en)
			}
		}
	}()
	return func() {
		close(ended)
		<-done
	}
}

// beat tells that the work goes on if nothing has been told for a while, and gives the time until the next look.
func (n *news) beat(after time.Duration, zh, en string) time.Duration {
	n.mu.Lock()
	defer n.mu.Unlock()
	if quiet := time.Since(n.told); quiet < beat {
		return beat - quiet
	}
	line := n.words(zh, en, n.seconds(after.Truncate(time.Second)))
	if n.line != "" {
		line = n.line + " · " + line
	}
	n.tell(line)
	return beat
}

func (n *news) words(zh, en string, v ...any) string {
	if n.zh {
		en = zh
	}
	return fmt.Sprintf(en, v...)
}

// seconds is a time as people say it.
func (n *news) seconds(d time.Duration) string {
	return n.words("%s 秒", "%s s", strconv.FormatFloat(d.Seconds(), 'f', -1, 64))
}
