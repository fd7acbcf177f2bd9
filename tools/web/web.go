// Package web fetches pages of the public Internet for agents, and makes Markdown of them. Whatever an address leads to, it ends within bounds of time,
// bytes and redirects, and it never reaches this machine or the networks behind it.
//
//   - The address that is dialled is checked after the name was resolved, on every hop ([ErrForbidden]); proxies of the environment are not used.
//   - http and https only, no passwords in addresses, no cookies, no Referer; at most 5 redirects.
//   - robots.txt is obeyed, as the robot hmap.
//   - Connecting, the TLS handshake, the header and the whole each have a time-out; the body is cut (texts) or refused (files) above a bound, counted
//     after unpacking.
//   - Pages, texts, PDF and DOCX are read ([read]); other types are refused by their name.
package web

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"path"
	"strings"
	"time"

	"github.com/hmap-project/hmap/bus/mailbox"
	"github.com/hmap-project/hmap/tools/web/read"
)

// product is how we call ourselves to servers, and how robots.txt files name us.
const product = "hmap"

// Bounds of one page.
const (
	maxRedirects = 5
	maxAddress   = 4000     // bytes
	maxHeader    = 64 << 10 // bytes
	maxPage      = 4 << 20  // bytes of a text, unpacked; beyond, it is cut
	maxFile      = 24 << 20 // bytes of a PDF or DOCX file; beyond, it is refused
)

// The reasons why a page is not there, besides [ErrForbidden] and [read.ErrUnreadable]. The errors that wrap them say more.
var (
	ErrRobots = errors.New("the site's robots.txt forbids it")
	ErrType   = errors.New("it is no page, text, PDF or DOCX file")
	ErrLarge  = errors.New("it is too large")
	ErrStatus = errors.New("the server refused")
)

// Options of a [Fetcher]; the zero value works.
type Options struct {
	// Time bounds one page, from the first look-up of its name to its last byte. 0: 20 s.
	Time time.Duration
	// Connect bounds connecting, and the TLS handshake; Header the wait for a server to begin its answer. 0: 5 s and 10 s.
	Connect, Header time.Duration
	// Allow are networks that may be reached although they are not the public Internet, such as that of a company's own pages.
	Allow []netip.Prefix
	// NoRobots leaves robots.txt files unread.
	NoRobots bool
	// Resolver looks names up; nil: the system's.
	Resolver *net.Resolver
}

// Fetcher fetches pages. Safe from many goroutines. Close lets go of its idle connections.
type Fetcher struct {
	o      Options
	client *http.Client
	robots *robots
}

// New makes a fetcher.
func New(o Options) *Fetcher {
	if o.Time <= 0 {
		o.Time = 20 * time.Second
	}
	if o.Connect <= 0 {
		o.Connect = 5 * time.Second
	}
	if o.Header <= 0 {
		o.Header = 10 * time.Second
	}
	t := &http.Transport{
		Proxy:                  nil, // the address dialled would be the proxy's, and nobody would check the page's
		DialContext:            guard{o.Allow}.dialer(o.Connect, o.Resolver).DialContext,
		TLSHandshakeTimeout:    o.Connect,
		ResponseHeaderTimeout:  o.Header,
		MaxResponseHeaderBytes: maxHeader,
		MaxIdleConns:           32,
		MaxIdleConnsPerHost:    2,
		MaxConnsPerHost:        4,
		IdleConnTimeout:        30 * time.Second,
		ForceAttemptHTTP2:      true,
	}
	f := &Fetcher{o: o, client: &http.Client{Transport: t, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
	f.robots = &robots{sites: map[string]*site{}, get: func(ctx context.Context, u *url.URL) (*http.Response, error) {
		response, _, err := f.follow(ctx, u, false)
		return response, err
	}}
	return f
}

// Close lets go of idle connections. Fetches that run go on.
func (f *Fetcher) Close() { f.client.CloseIdleConnections() }

// Page is what an address led to.
type Page struct {
	URL string // after redirects
	read.Text
	Kind read.Kind
}

// Fetch gets a page and reads it. links says whether the addresses of its links are wanted in the Markdown.
// Errors: [ErrForbidden], [ErrRobots], [ErrType], [ErrLarge], [ErrStatus], [read.ErrUnreadable], context.DeadlineExceeded above [Options.Time], the
// context's, and those of the network.
func (f *Fetcher) Fetch(ctx context.Context, address string, links bool) (Page, error) {
	u, err := Parse(address)
	if err != nil {
		return Page{}, err
	}
	within, cancel := context.WithTimeout(ctx, f.o.Time)
	defer cancel()
	p, err := f.fetch(within, u, links)
	if err == nil {
		return p, nil
	}
	if ctx.Err() != nil {
		return Page{}, context.Cause(ctx)
	}
	if within.Err() != nil {
		return Page{}, fmt.Errorf("%s was not there within %v: %w", u.Host, f.o.Time, context.DeadlineExceeded)
	}
	return Page{}, err
}

// Parse checks an address as far as it can be without looking its name up. One without a scheme is taken for https.
func Parse(address string) (*url.URL, error) {
	address = strings.TrimSpace(address)
	if len(address) > maxAddress {
		return nil, fmt.Errorf("%w: it has %d bytes, %d at most", ErrForbidden, len(address), maxAddress)
	}
	if !strings.Contains(address, "://") {
		address = "https://" + address
	}
	u, err := url.Parse(address)
	if err != nil {
		return nil, fmt.Errorf("%w: it is no address", ErrForbidden)
	}
	return u, admit(u)
}

func admit(u *url.URL) error {
	switch {
	case u.Scheme != "http" && u.Scheme != "https":
		return fmt.Errorf("%w: want http or https, got %.20q", ErrForbidden, u.Scheme)
	case u.Hostname() == "":
		return fmt.Errorf("%w: it names no host", ErrForbidden)
	case u.User != nil:
		return fmt.Errorf("%w: it has a user name or password in it", ErrForbidden)
	case u.Opaque != "":
		return fmt.Errorf("%w: it is no address", ErrForbidden)
	}
	return nil
}

func (f *Fetcher) fetch(ctx context.Context, u *url.URL, links bool) (Page, error) {
	response, u, err := f.follow(ctx, u, !f.o.NoRobots)
	if err != nil {
		return Page{}, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK && response.StatusCode != http.StatusNonAuthoritativeInfo {
		return Page{}, fmt.Errorf("%w: status %d", ErrStatus, response.StatusCode)
	}
	mediaType := response.Header.Get("Content-Type")
	data, err := io.ReadAll(io.LimitReader(response.Body, 1024)) // enough to tell what it is
	if err != nil {
		return Page{}, fmt.Errorf("%s broke off: %w", u.Host, err)
	}
	kind, ok := read.Named(mediaType, u.Path, data)
	if !ok {
		return Page{}, fmt.Errorf("%w: %.80q", ErrType, mediaType)
	}
	most := maxPage
	if kind == read.PDF || kind == read.DOCX {
		most = maxFile
	}
	rest, err := io.ReadAll(io.LimitReader(response.Body, int64(most-len(data)+1)))
	data = append(data, rest...)
	cut := len(data) > most
	switch whole := kind == read.PDF || kind == read.DOCX; {
	case cut && whole:
		return Page{}, fmt.Errorf("%w: more than %d MiB", ErrLarge, most>>20)
	case cut:
		data = data[:most]
	case err != nil && (whole || ctx.Err() != nil || len(data) == 0):
		return Page{}, fmt.Errorf("%s broke off: %w", u.Host, err)
	}
	source := read.Source{Kind: kind, MediaType: mediaType, Data: data}
	if links {
		source.Base = u
	}
	page := Page{URL: u.String(), Kind: kind}
	if p := mailbox.Catch(func() { page.Text, err = read.Read(ctx, source) }); p != nil {
		err = fmt.Errorf("%w: it made its reader fail", read.ErrUnreadable)
	}
	page.Cut = page.Cut || cut
	if page.Title == "" {
		page.Title = strings.TrimSuffix(u.Host+path.Clean("/"+u.Path), "/")
	}
	return page, err
}

// follow gets an address, and what it redirects to. The caller closes the body.
func (f *Fetcher) follow(ctx context.Context, u *url.URL, robots bool) (*http.Response, *url.URL, error) {
	for range maxRedirects + 1 {
		if err := admit(u); err != nil {
			return nil, u, err
		}
		if robots {
			if err := f.robots.check(ctx, u); err != nil {
				return nil, u, err
			}
		}
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
		if err != nil {
			return nil, u, fmt.Errorf("%w: it is no address", ErrForbidden)
		}
		request.Header.Set("User-Agent", product+"/0.1 (agent; obeys robots.txt as "+product+")")
		request.Header.Set("Accept", "text/html,application/xhtml+xml,text/plain,application/pdf;q=0.9,*/*;q=0.5")
		request.Header.Set("Accept-Language", "zh-CN,zh;q=0.9,en;q=0.8")
		response, err := f.client.Do(request)
		if err != nil {
			var wrapped *url.Error
			if errors.As(err, &wrapped) {
				err = wrapped.Err // it repeats the whole address
			}
			var dial *net.OpError
			if errors.Is(err, ErrForbidden) && errors.As(err, &dial) {
				err = dial.Err // as does this one
			}
			return nil, u, fmt.Errorf("%s: %w", u.Host, err)
		}
		switch response.StatusCode {
		case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		default:
			return response, u, nil
		}
		next, err := response.Location()
		_ = response.Body.Close() // of a page that nobody reads
		if err != nil {
			return nil, u, fmt.Errorf("%w: a redirect to nowhere", ErrStatus)
		}
		next.Fragment = ""
		u = next
	}
	return nil, u, fmt.Errorf("%w: more than %d redirects", ErrStatus, maxRedirects)
}
