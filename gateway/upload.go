package gateway

import (
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"os"
	"path"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/hmap-project/hmap/bus"
)

const (
	// uploads is how many files are taken in at the same time. Each holds a piece of 128 KiB and what the store has not acknowledged yet.
	uploads = 16
	// uploadPace is the fewest bytes a second of an upload, on average after its first bodyWait: who is slower holds a place for too long.
	uploadPace = 32 << 10
	// refusedWait is for how long more is read of a file that was refused.
	refusedWait = 5 * time.Second
)

// getFileBound tells how many bytes a file may have, so that nobody sends a larger one in vain.
func (g *Gateway) getFileBound(w http.ResponseWriter, _ *http.Request) {
	answer(w, http.StatusOK, map[string]int64{"bytes": g.opt.MaxFile})
}

// postFile keeps the body as an artifact and answers 201 with its [bus.File], which a submission names in files. Query: name, the file's name
// without folders. It goes to the store while it arrives; what does not arrive whole is not kept, nor what no task names within a day.
func (g *Gateway) postFile(w http.ResponseWriter, r *http.Request) {
	file, status, wrong := g.takeIn(w, r)
	if wrong == nil {
		w.Header().Set("Location", "/v1/files/"+file.Ref)
		answer(w, http.StatusCreated, file)
		return
	}
	if status == http.StatusServiceUnavailable {
		w.Header().Set("Retry-After", "2")
	}
	until := http.NewResponseController(w)
	_ = until.SetWriteDeadline(time.Now().Add(writeWait))
	fail(w, status, wrong)
	// Most senders read the answer only when all is sent, and would find the line cut instead. So it is heard out for a moment.
	_ = until.Flush()
	_ = until.SetReadDeadline(time.Now().Add(refusedWait))
	_, _ = io.Copy(io.Discard, r.Body)
}

// takeIn gives the file that was kept, or the status and the reason to refuse it with.
func (g *Gateway) takeIn(w http.ResponseWriter, r *http.Request) (bus.File, int, *bus.Error) {
	name := r.URL.Query().Get("name")
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	switch err := checkFileName(name); {
	case err != nil:
		return bus.File{}, http.StatusBadRequest, err
	case strings.HasPrefix(kind, "multipart/"):
		return bus.File{}, http.StatusUnsupportedMediaType, bad("send the file itself as the body, not as a part of a form (curl --data-binary @FILE)")
	case r.ContentLength > g.opt.MaxFile:
		return bus.File{}, http.StatusRequestEntityTooLarge, g.tooLarge()
	}
	if err := g.bus.Trouble(); err != nil {
		return bus.File{}, http.StatusInsufficientStorage, unavailable("the file cannot be kept", err)
	}
	select {
	case g.uploads <- struct{}{}:
		defer func() { <-g.uploads }()
	default:
		return bus.File{}, http.StatusServiceUnavailable, &bus.Error{Code: bus.CodeBusy, Message: "too many files are taken in now; try again in a moment", Retryable: true}
	}
	body := arriving(w, http.MaxBytesReader(w, r.Body, g.opt.MaxFile))
	file, err := g.bus.Files().Bring(r.Context(), name, typeOf(name, kind), body)
	var over *http.MaxBytesError
	switch {
	case err == nil:
		return file, 0, nil
	case errors.As(err, &over):
		return file, http.StatusRequestEntityTooLarge, g.tooLarge()
	case errors.Is(err, os.ErrDeadlineExceeded):
		return file, http.StatusRequestTimeout, &bus.Error{Code: bus.CodeTimeout, Retryable: true,
			Message: fmt.Sprintf("the file stopped coming, or came at less than %d KiB a second; nothing of it was kept", uploadPace>>10)}
	case body.failed != nil:
		return file, http.StatusBadRequest, bad("the file did not arrive whole, and nothing of it was kept; send it again")
	case g.bus.Trouble() != nil:
		return file, http.StatusInsufficientStorage, unavailable("the file cannot be kept", g.bus.Trouble())
	}
	return file, http.StatusServiceUnavailable, unavailable("the file cannot be kept", err)
}

func (g *Gateway) tooLarge() *bus.Error {
	size := fmt.Sprintf("%d bytes", g.opt.MaxFile)
	if g.opt.MaxFile%(1<<20) == 0 {
		size = fmt.Sprintf("%d MiB", g.opt.MaxFile>>20)
	}
	return bad("the file is larger than %s, the most that is taken here; leave out what is not needed, or split it", size)
}

// checkFileName refuses what no file picker gives. A long name is no mistake: the store shortens it and keeps its ending.
func checkFileName(name string) *bus.Error {
	// Signs that turn the direction of what follows make a name look like another one.
	hidden := func(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) }
	switch {
	case name == "":
		return bad("the file has no name; add one: POST /v1/files?name=sales.csv")
	case !utf8.ValidString(name):
		return bad("the file's name is not UTF-8")
	case strings.ContainsAny(name, `/\`):
		return bad("the file's name %s has folders in it; send the last part only", clip(name))
	case strings.ContainsFunc(name, hidden):
		return bad("the file's name has control characters: %s", clip(fmt.Sprintf("%+q", name)))
	case strings.Trim(name, ". ") == "":
		return bad("%q is no file's name", clip(name))
	}
	return nil
}

// typeOf is the media type that the name's ending stands for, and else what the sender says. The name goes first, because that is how a file of this machine
// is brought (hmap ask --file), and browsers say of a CSV what the machine's office program has told them.
func typeOf(name, said string) string {
	if kind := mime.TypeByExtension(path.Ext(name)); kind != "" {
		return kind
	}
	if said == "" || said == "application/x-www-form-urlencoded" { // which is only what curl says of any bytes
		return "application/octet-stream"
	}
	return said
}

// arrival is a body that arrives. Its deadline moves on while it does, so that a large file may take its time and one that stops or trickles ends.
type arrival struct {
	r      io.Reader
	until  *http.ResponseController
	since  time.Time
	bytes  int64
	failed error // why it will not arrive whole
}

func arriving(w http.ResponseWriter, r io.Reader) *arrival {
	return &arrival{r: r, until: http.NewResponseController(w), since: time.Now()}
}

// Read implements [io.Reader].
func (a *arrival) Read(p []byte) (int, error) {
	if a.failed != nil {
		return 0, a.failed
	}
	now := time.Now()
	by := a.since.Add(bodyWait + time.Duration(a.bytes)*time.Second/uploadPace)
	if stops := now.Add(bodyWait); stops.Before(by) {
		by = stops
	}
	// The answer's goes on with it. Where they cannot be set (a recorder in a test), nothing hangs either.
	_, _ = a.until.SetReadDeadline(by), a.until.SetWriteDeadline(by.Add(answerWait))
	n, err := a.r.Read(p)
	a.bytes += int64(n)
	switch {
	case err == io.EOF:
		_ = a.until.SetReadDeadline(time.Now().Add(answerWait)) // a deadline that passed now would be taken for the sender's leaving
	case err != nil:
		a.failed = fmt.Errorf("the body did not arrive whole: %w", err)
		return n, a.failed
	}
	return n, err
}
