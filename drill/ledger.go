package drill

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/hmap-project/hmap/bus"
)

// Effect is one line of the ledger: something was done in the world, for good.
type Effect struct {
	Session string     `json:"session"`
	Task    string     `json:"task"`
	Call    string     `json:"call"`
	Tool    string     `json:"tool"`
	Effect  bus.Effect `json:"effect"`
	Label   string     `json:"label"`
	Time    time.Time  `json:"time"`
}

// key names a call in the whole drill: ids of calls are unique inside a task only.
func (e Effect) key() string { return e.Session + "." + e.Task + "." + e.Call }

// Ledger is the world outside of hmap: a file to which effects are appended, each synced before its tool comes back. Several
// processes may write to it at once.
type Ledger struct {
	mu   sync.Mutex
	file *os.File
}

// OpenLedger opens or makes the file.
func OpenLedger(path string) (*Ledger, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	return &Ledger{file: f}, nil
}

// Write appends one effect. Once it returns nil the line is on disk. The line is one write, so lines never mix; a kill leaves it
// whole or not there.
func (l *Ledger) Write(e Effect) error {
	if e.Time.IsZero() {
		e.Time = time.Now().UTC()
	}
	line, err := json.Marshal(e)
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, err := l.file.Write(append(line, '\n')); err != nil {
		return err
	}
	return l.file.Sync()
}

// Close closes the file.
func (l *Ledger) Close() error { return l.file.Close() }

// readLedger reads the whole file.
func readLedger(path string) ([]Effect, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var all []Effect
	lines := bufio.NewScanner(bytes.NewReader(text))
	for lines.Scan() {
		var e Effect
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			return nil, fmt.Errorf("%s: line %d: %w", path, len(all)+1, err)
		}
		all = append(all, e)
	}
	return all, lines.Err()
}
