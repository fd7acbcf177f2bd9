package bus

import (
	"context"
	"fmt"
	"log/slog"
)

// serverLog hands the server's words to slog. What it calls a notice is our debug: start-up banners. Its warnings
// are our info: most tell that it rebuilds an index after a kill, which is its business and loses nothing.
type serverLog struct {
	log   *slog.Logger
	fatal chan string
}

func (l *serverLog) say(level slog.Level, format string, v []any) {
	if l.log != nil {
		l.log.Log(context.Background(), level, "nats: "+fmt.Sprintf(format, v...))
	}
}

func (l *serverLog) Noticef(format string, v ...any) { l.say(slog.LevelDebug, format, v) }
func (l *serverLog) Warnf(format string, v ...any)   { l.say(slog.LevelInfo, format, v) }
func (l *serverLog) Errorf(format string, v ...any)  { l.say(slog.LevelError, format, v) }
func (l *serverLog) Debugf(string, ...any)           {}
func (l *serverLog) Tracef(string, ...any)           {}

// Fatalf is called from the server's own goroutines, which then end; StartServer tells it.
func (l *serverLog) Fatalf(format string, v ...any) {
	l.say(slog.LevelError, format, v)
	select {
	case l.fatal <- fmt.Sprintf(format, v...):
	default:
	}
}
