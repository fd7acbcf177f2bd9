package gateway

import (
	"bytes"
	"log/slog"
)

// serverLog is what net/http says of its connections: noise of the network but for a handler that panicked, which is an error of ours.
type serverLog struct{ log *slog.Logger }

func (l serverLog) Write(line []byte) (int, error) {
	if text := string(bytes.TrimSpace(line)); bytes.HasPrefix(line, []byte("http: panic serving")) {
		l.log.Error(text)
	} else {
		l.log.Debug(text)
	}
	return len(line), nil
}
