package gateway

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"
	"net/http"
	"strings"
	"time"
)

//go:embed web/index.html web/*.css web/*.js web/*.svg
var web embed.FS

// webPage serves the embedded page. Browsers ask each time whether it has changed, so that a new binary is a new page at once.
func webPage() http.Handler {
	files := map[string]asset{}
	names, err := fs.Glob(web, "web/*")
	if err != nil {
		panic(err) // only a bad pattern, and it is ours
	}
	for _, name := range names {
		content, err := web.ReadFile(name)
		if err != nil {
			panic(err) // it was embedded
		}
		sum := sha256.Sum256(content)
		files[strings.TrimPrefix(name, "web")] = asset{content, `"` + hex.EncodeToString(sum[:8]) + `"`}
	}
	files["/"] = files["/index.html"]
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a, ok := files[r.URL.Path]
		if !ok || r.Method != http.MethodGet && r.Method != http.MethodHead {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Cache-Control", "no-cache")
		w.Header().Set("ETag", a.etag)
		name := r.URL.Path
		if name == "/" {
			name = "/index.html"
		}
		http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(a.content))
	})
}

type asset struct {
	content []byte
	etag    string
}
