package web

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/tools"
	"github.com/hmap-project/hmap/tools/web/read"
)

// maxShown is how much of a page web_fetch returns, in bytes; the whole is an artifact then.
const maxShown = 20 << 10

// Address is what web_fetch is asked for.
type Address struct {
	URL string `json:"url"`
}

// Fetched is what web_fetch returns.
type Fetched struct {
	// Answer is the page as Markdown, or as much of it as an observation may hold.
	Answer    string `json:"answer"`
	Title     string `json:"title,omitempty"`
	URL       string `json:"url"`
	Published string `json:"published,omitempty"`
	Note      string `json:"note,omitempty"` // what is not here, in Chinese and English
	NoteEn    string `json:"note_en,omitempty"`
}

// Tool is web_fetch.
func Tool(f *Fetcher) tools.Tool {
	return tools.New(bus.Card{
		Name: "web_fetch",
		Description: "打开一个网址，读出网页、PDF 或 Word 文件里的文字（Markdown）。只读公开互联网上的地址，遵守 robots.txt。 " +
			"Opens a web address and reads the text of the page, PDF or Word file there, as Markdown. Public addresses only; robots.txt is obeyed.",
		Parameters: []byte(`{"type":"object","properties":{
			"url":{"type":"string","title":"网址","x-title-en":"Address","minLength":4,"maxLength":4000,"pattern":"^(?i)(https?://)?[^\\s/]+\\.[^\\s]+$","description":"要打开的网址，以 http:// 或 https:// 开头。 The address to open.","examples":["https://example.com/news/1.html"]}
			},"required":["url"],"additionalProperties":false}`),
		Returns: []byte(`{"type":"object","properties":{
			"answer":{"type":"string","title":"内容","x-title-en":"Content"},
			"title":{"type":"string","title":"标题","x-title-en":"Title"},
			"url":{"type":"string","title":"网址","x-title-en":"Address"},
			"published":{"type":"string","title":"日期","x-title-en":"Published"},
			"note":{"type":"string","title":"备注","x-title-en":"Note"},"note_en":{"type":"string","title":"英文备注","x-title-en":"Note in English"}
			},"required":["answer","url"]}`),
		Effect:  bus.Read,
		Timeout: f.o.Time + 10*time.Second,
		Tags:    []string{"researcher", "网页", "网址", "链接", "打开网页", "url", "web page", "website", "link"},
	}, f.run)
}

func (f *Fetcher) run(ctx context.Context, call *tools.Call, a Address) (Fetched, error) {
	page, err := f.Fetch(ctx, a.URL, true)
	if err != nil {
		return Fetched{}, told(err)
	}
	out := Fetched{Answer: page.Markdown, Title: page.Title, URL: page.URL, Published: page.Published}
	if strings.TrimSpace(out.Answer) == "" {
		return Fetched{}, told(fmt.Errorf("%w: the page has no text of its own; it may need a browser", read.ErrUnreadable))
	}
	if page.Cut {
		out.Note, out.NoteEn = "网页太长，只读了前一部分。", "The page is too long; only its beginning was read."
	}
	if len(out.Answer) > maxShown {
		name := FileName(page.Title, ".md")
		file, err := call.Files.Put(ctx, name, "text/markdown", page.URL, strings.NewReader(out.Answer))
		if err != nil {
			return Fetched{}, err
		}
		call.Attach(file)
		out.Answer = Clip(out.Answer, maxShown)
		out.Note, out.NoteEn = out.Note+"全文在文件 "+name+" 里。", strings.TrimSpace(out.NoteEn+" The whole text is in the file "+name+".")
	}
	return out, nil
}

// told words a failure for the agent: what can be done about it is its business. Anything else stays what it is.
func told(err error) error {
	code, again := "", false
	switch {
	case errors.Is(err, ErrForbidden), errors.Is(err, ErrType), errors.Is(err, ErrLarge), errors.Is(err, read.ErrUnreadable):
		code = bus.CodeInvalidParameter
	case errors.Is(err, ErrRobots):
		code = bus.CodeForbidden
	case errors.Is(err, context.DeadlineExceeded):
		code, again = bus.CodeTimeout, true
	case errors.Is(err, context.Canceled):
		return err
	default:
		code = bus.CodeUnavailable
	}
	return &bus.Error{Code: code, Message: "the page could not be read: " + err.Error(), Retryable: again}
}

// Clip is the beginning of a text, at most n bytes, cut at the end of a line where there is one in its last quarter, else between characters.
func Clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	s = s[:n]
	for len(s) > 0 && !utf8.RuneStart(s[len(s)-1]) {
		s = s[:len(s)-1]
	}
	if len(s) > 0 && s[len(s)-1] >= utf8.RuneSelf {
		s = s[:len(s)-1]
	}
	if at := strings.LastIndexByte(s, '\n'); at > n*3/4 {
		s = s[:at]
	}
	return s
}

// FileName makes the name of a file of a title: plain on any disk, at most 60 characters before the ending, never empty.
func FileName(title, ending string) string {
	name := strings.Map(func(r rune) rune {
		if strings.ContainsRune(`/\:*?"<>|#%`, r) {
			return ' '
		}
		return r
	}, title)
	name = strings.Trim(strings.Join(strings.Fields(name), " "), ". ")
	if r := []rune(name); len(r) > 60 {
		name = strings.TrimSpace(string(r[:60]))
	}
	for len(name)+len(ending) > tools.MaxFileName {
		r := []rune(name)
		name = string(r[:len(r)-1])
	}
	if !tools.PlainName(name + ending) {
		name = "page"
	}
	return name + ending
}
