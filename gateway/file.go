package gateway

import (
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"strconv"

	"github.com/hmap-project/hmap/bus"
)

// getFile hands an artifact over as a download, never as a page: agents make HTML out of whatever they read, and shown on
// our origin it could act for the user.
func (g *Gateway) getFile(w http.ResponseWriter, r *http.Request) {
	content, file, err := g.bus.Files().Get(r.Context(), r.PathValue("ref"))
	if errors.Is(err, bus.ErrNotFound) || errors.Is(err, bus.ErrBadName) {
		fail(w, http.StatusNotFound, bad("no file %s", clip(r.PathValue("ref"))))
		return
	}
	if err != nil {
		fail(w, http.StatusServiceUnavailable, unavailable("the file cannot be read", err))
		return
	}
	defer content.Close()
	h := w.Header()
	h.Set("Content-Security-Policy", filePolicy)
	h.Set("Content-Type", mediaType(file.Type))
	h.Set("Content-Disposition", attachment(file.Name))
	h.Set("Cache-Control", "private, max-age=31536000, immutable") // a reference never changes its content
	if file.Bytes > 0 {
		h.Set("Content-Length", strconv.FormatInt(file.Bytes, 10))
	}
	if _, err := io.Copy(patient(w), content); err != nil && !errors.Is(err, context.Canceled) {
		panic(http.ErrAbortHandler) // cut, so that nobody takes the part for the whole
	}
}

// mediaType lets through what can stand in a header; anything else is bytes.
func mediaType(s string) string {
	kind, params, err := mime.ParseMediaType(s)
	if err != nil {
		return "application/octet-stream"
	}
	return mime.FormatMediaType(kind, params)
}

// attachment keeps the file's name in any language (RFC 2231), and "file" when it has none.
func attachment(name string) string {
	if name == "" {
		name = "file"
	}
	return mime.FormatMediaType("attachment", map[string]string{"filename": name})
}
