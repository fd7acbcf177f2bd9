// Package read makes Markdown of what others wrote: web pages, PDF, DOCX and plain text. Whatever the bytes are, it ends: time and memory are bounded by
// their length, nothing in them is carried out, fetched or included, and no input is a panic.
package read

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"path"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/simplifiedchinese"
)

// maxText is the longest Markdown of one document, in bytes. What is longer is cut, and says so.
const maxText = 2 << 20

// Text is what a document says.
type Text struct {
	Title string // one line; empty when the document names none
	// Markdown is valid UTF-8 of at most 2 MiB, without control characters but line ends and tabs. HTML in it is a stranger's text, not markup.
	Markdown string
	// Published is the day the document gives for itself, "2006-01-02"; empty when it does not.
	Published string
	Cut       bool // the document is longer than what is here
}

// Kind is a format that can be read.
type Kind string

// The formats.
const (
	HTML  Kind = "html"
	PDF   Kind = "pdf"
	DOCX  Kind = "docx"
	Plain Kind = "text" // text of any sort: Markdown, CSV, JSON, XML
)

// ErrUnreadable is returned for what is no document of its kind, is damaged beyond reading, or is encrypted. The error that wraps it says which.
var ErrUnreadable = errors.New("it cannot be read")

func unreadable(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrUnreadable, fmt.Sprintf(format, args...))
}

const docxType = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"

// Named is the kind that a media type stands for, with or without its parameters; false for what cannot be read. An empty one, and the ones that only
// say "bytes", are told by the data and, where these are silent, by the ending of name.
func Named(mediaType, name string, data []byte) (Kind, bool) {
	base, _, err := mime.ParseMediaType(mediaType)
	if err != nil {
		base, _, _ = strings.Cut(mediaType, ";")
		base = strings.ToLower(strings.TrimSpace(base))
	}
	if base == "" || base == "application/octet-stream" || base == "binary/octet-stream" {
		if k, ok := Ending(name); ok {
			return k, true
		}
		base, _, _ = mime.ParseMediaType(http.DetectContentType(data))
	}
	switch {
	case base == "text/html" || base == "application/xhtml+xml":
		return HTML, true
	case base == "application/pdf" || base == "application/x-pdf":
		return PDF, true
	case base == docxType:
		return DOCX, true
	case strings.HasPrefix(base, "text/"), base == "application/json", base == "application/xml", base == "application/yaml",
		strings.HasSuffix(base, "+json"), strings.HasSuffix(base, "+xml") && base != "image/svg+xml":
		return Plain, true
	}
	return "", false
}

// Ending is the kind that a file's name stands for.
func Ending(name string) (Kind, bool) {
	switch strings.ToLower(path.Ext(name)) {
	case ".html", ".htm", ".xhtml":
		return HTML, true
	case ".pdf":
		return PDF, true
	case ".docx":
		return DOCX, true
	case ".txt", ".md", ".markdown", ".text":
		return Plain, true
	}
	return "", false
}

// Source is a document and what is known of it besides its bytes.
type Source struct {
	Kind      Kind
	MediaType string   // as the server gave it; its charset counts
	Base      *url.URL // of relative links; nil: links are left out, and their words stay
	Data      []byte
}

// Read makes Markdown of a document. Errors: [ErrUnreadable], and the context's.
func Read(ctx context.Context, s Source) (Text, error) {
	switch s.Kind {
	case HTML:
		return readHTML(ctx, decode(s.Data, s.MediaType), s.Base)
	case PDF:
		return readPDF(ctx, s.Data)
	case DOCX:
		return readDOCX(ctx, s.Data)
	case Plain:
		if bytes.IndexByte(s.Data[:min(len(s.Data), 1024)], 0) >= 0 && !bytes.HasPrefix(s.Data, []byte("\xff\xfe")) && !bytes.HasPrefix(s.Data, []byte("\xfe\xff")) {
			return Text{}, unreadable("it is called a text, and is none")
		}
		var t Text
		t.Markdown, t.Cut = clean(string(decodeText(s.Data, s.MediaType)))
		return t, nil
	}
	return Text{}, unreadable("kind %q", s.Kind)
}

// decode gives a page in UTF-8, by what the server says, its byte order mark or its own meta element.
func decode(data []byte, mediaType string) []byte {
	e, name, certain := charset.DetermineEncoding(data, mediaType)
	if !certain {
		return guessed(data)
	}
	return decoded(data, e, name)
}

// decodeText is the same for a text, which has no meta element.
func decodeText(data []byte, mediaType string) []byte {
	_, params, err := mime.ParseMediaType(mediaType)
	if err == nil && params["charset"] != "" || bytes.HasPrefix(data, []byte("\xff\xfe")) || bytes.HasPrefix(data, []byte("\xfe\xff")) {
		return decode(data, mediaType)
	}
	return guessed(data)
}

// guessed gives a text of which nobody said how it is written in UTF-8: it is that, or Chinese, whose bytes beyond ASCII come in pairs, or Western.
func guessed(data []byte) []byte {
	whole := data
	for n := 1; n < utf8.UTFMax && n <= len(data); n++ { // its last sign may be cut off
		if last := data[len(data)-n:]; utf8.RuneStart(last[0]) {
			if !utf8.FullRune(last) {
				whole = data[:len(data)-n]
			}
			break
		}
	}
	good, bad := 0, 0
	for i := 0; i < len(whole); {
		r, n := utf8.DecodeRune(whole[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			bad++
		case n > 1:
			good++
		}
		i += n
	}
	if 10*bad <= good { // a few broken bytes are no other writing
		return whole
	}
	pairs, alone := 0, 0
	for i := 0; i < len(data); i++ {
		switch {
		case data[i] < utf8.RuneSelf:
		case i+1 < len(data) && data[i+1] >= utf8.RuneSelf:
			pairs++
			i++
		default:
			alone++
		}
	}
	if pairs > alone {
		return decoded(data, simplifiedchinese.GB18030, "gb18030")
	}
	return decoded(data, charmap.Windows1252, "windows-1252")
}

func decoded(data []byte, e encoding.Encoding, name string) []byte {
	if name == "utf-8" || name == "windows-1252" && utf8.Valid(data) {
		return data
	}
	if out, err := e.NewDecoder().Bytes(data); err == nil {
		return out
	}
	return data
}

// clean makes a text fit for a log and a screen: valid, without control characters, not too long, no more than one empty line in a row.
func clean(s string) (text string, cut bool) {
	s = strings.TrimPrefix(s, "\ufeff")
	if cut = len(s) > maxText; cut {
		s = s[:maxText]
	}
	s = strings.ToValidUTF8(s, "\uFFFD")
	var out strings.Builder
	out.Grow(len(s))
	ends := 2 // line ends just written: none at the beginning
	for _, r := range s {
		switch {
		case r == '\n':
			if ends++; ends > 2 {
				continue
			}
		case r == '\t' || r == ' ' || r == '\u00a0':
			if r == '\u00a0' {
				r = ' '
			}
		case r < ' ' || r >= 0x7f && r < 0xa0 || invisible(r):
			continue
		default:
			ends = 0
		}
		out.WriteRune(r)
	}
	return strings.TrimSpace(out.String()), cut
}

// invisible are signs that a reader does not see and a model does: those that turn the direction of others, that join or part nothing in any script, and
// the tags and variants in which whole texts have been hidden.
func invisible(r rune) bool {
	switch {
	case r == 0xad, r == 0x61c, r == 0x180e, r == 0x200b, r == 0x200e, r == 0x200f, r == 0xfeff:
		return true
	}
	return 0x202a <= r && r <= 0x202e || 0x2060 <= r && r <= 0x206f || 0xfff9 <= r && r <= 0xfffb || 0xe0000 <= r && r <= 0xe0fff
}

// oneLine is a text as a title: no line ends, at most n characters.
func oneLine(s string, n int) string {
	s, _ = clean(s)
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > n {
		s = string(r[:n-1]) + "…"
	}
	return s
}
