package gateway

import (
	"net/http"
	"time"
)

// patientWriter is a response whose deadline moves on while it is read.
type patientWriter struct {
	http.ResponseWriter
	until *http.ResponseController
	next  time.Time
}

// patient gives whoever reads the response writeWait for each piece of it, so that a long one may take its time and one that is not
// read ends.
func patient(w http.ResponseWriter) *patientWriter {
	return &patientWriter{ResponseWriter: w, until: http.NewResponseController(w)}
}

// Write implements [io.Writer].
func (p *patientWriter) Write(b []byte) (int, error) {
	if now := time.Now(); now.After(p.next) { // not for every line
		p.next = now.Add(writeWait / 10)
		_ = p.until.SetWriteDeadline(now.Add(writeWait)) // where it cannot be set (a recorder in a test), nothing hangs either
	}
	return p.ResponseWriter.Write(b)
}
