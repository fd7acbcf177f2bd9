// Package pdf makes PDF of an outline: by a Chromium that is on the machine, from the same page that people see, or else in a plain layout of our own,
// with fonts of our own, so that Chinese is there on a machine that has neither.
package pdf

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/hmap-project/hmap/tools"
	"github.com/hmap-project/hmap/tools/document/html"
	"github.com/hmap-project/hmap/tools/document/outline"
)

// Browser is the Chromium to print with: what HMAP_CHROMIUM names ("none" for none), else the first that is found; "" when there is none.
func Browser() string {
	if named := os.Getenv("HMAP_CHROMIUM"); named == "none" {
		return ""
	} else if named != "" {
		return named
	}
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge", "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// Render makes a PDF of a cleaned outline. A browser that fails or is slow is done without.
func Render(ctx context.Context, o *outline.Outline) ([]byte, error) {
	light := *o
	if o.Look().Dark { // paper is white
		light.Theme = ""
	}
	if browser := Browser(); browser != "" {
		body, err := printPage(ctx, browser, &light)
		if err == nil || ctx.Err() != nil {
			return body, err
		}
	}
	return Plain(ctx, &light)
}

// browserEnv are the names of the variables that a browser gets of ours: what it needs to run and to find fonts, and no keys.
var browserEnv = []string{"PATH", "USER", "LOGNAME", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR", "TMP", "TEMP", "LD_LIBRARY_PATH", "FONTCONFIG_FILE", "FONTCONFIG_PATH",
	"XDG_RUNTIME_DIR", "XDG_DATA_DIRS", "SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT", "APPDATA", "LOCALAPPDATA", "USERPROFILE", "PROGRAMFILES"}

// patience is how long a browser may take for one document.
const patience = 60 * time.Second

// printPage has a browser print the page. The page holds nothing that runs and fetches nothing, its policy forbids both, and the browser finds no host.
// (Scripts cannot be switched off for it: the part of the browser that prints is a script itself.)
func printPage(ctx context.Context, browser string, o *outline.Outline) ([]byte, error) {
	page, err := html.Render(ctx, o)
	if err != nil {
		return nil, err
	}
	dir, err := tools.Scratch("pdf")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	from, to := filepath.Join(dir, "page.html"), filepath.Join(dir, "page.pdf")
	if err := os.WriteFile(from, page, 0o600); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	args := []string{
		"--headless", "--disable-gpu", "--no-first-run", "--disable-extensions", "--disable-background-networking", "--disable-dev-shm-usage", "--disable-sync",
		"--host-resolver-rules=MAP * ~NOTFOUND", "--no-pdf-header-footer", "--user-data-dir=" + filepath.Join(dir, "profile"),
		"--print-to-pdf=" + to, (&url.URL{Scheme: "file", Path: "/" + strings.TrimPrefix(filepath.ToSlash(from), "/")}).String(),
	}
	if os.Geteuid() == 0 { // it will not start in its own sandbox as root; the page is ours, and its pictures were decoded before
		args = append([]string{"--no-sandbox"}, args...)
	}
	c := exec.CommandContext(ctx, browser, args...)
	c.Env = []string{"HOME=" + dir}
	for _, name := range browserEnv {
		if v, ok := os.LookupEnv(name); ok {
			c.Env = append(c.Env, name+"="+v)
		}
	}
	c.Dir = dir
	tree(c)
	c.WaitDelay = 2 * time.Second
	if err := c.Run(); err != nil {
		return nil, fmt.Errorf("%s: %w", browser, err)
	}
	body, err := os.ReadFile(to)
	if err == nil && len(body) < 100 {
		err = errors.New("the browser printed nothing")
	}
	return body, err
}
