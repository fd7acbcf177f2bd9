package web

import (
	"context"
	"errors"
	"fmt"
	"slices"
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
	language := call.Request.Language
	page, err := f.Fetch(ctx, a.URL, true)
	if err != nil {
		return Fetched{}, told(err, language)
	}
	out := Fetched{Answer: page.Markdown, Title: page.Title, URL: page.URL, Published: page.Published}
	if strings.TrimSpace(out.Answer) == "" {
		return Fetched{}, told(fmt.Errorf("%w: the page has no text of its own", read.ErrUnreadable), language)
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

// failure is how one sort of failure is told: its code, and in both languages what it is and what can be done.
type failure struct {
	is     error
	code   string
	zh, en string
}

var failures = []failure{
	{ErrForbidden, bus.CodeInvalidParameter, "这个网址不能打开：只能打开公开互联网上 http 或 https 的网址，不能带用户名、密码；请换一个网址，或请管理员在 search.allow 里允许这个网络", "give an http or https address of the public Internet, without user name or password; networks of your own are allowed in the configuration (search.allow)"},
	{ErrType, bus.CodeInvalidParameter, "这个网址不是网页、文本、PDF 或 Word 文件，读不出文字；请换一个网址", "give the address of a page, text, PDF or Word file"},
	{ErrLarge, bus.CodeInvalidParameter, "这个网址上的文件太大；请换一个小一些的", "give the address of a smaller one"},
	{read.ErrUnreadable, bus.CodeInvalidParameter, "这个网址的内容读不出来：可能已损坏、已加密，或者要用浏览器才能显示；请换一个网址", "it may be damaged, encrypted, or need a browser; give another address"},
	{ErrRobots, bus.CodeForbidden, "这个网站不允许程序读取这一页（robots.txt）；请自己打开它，或换一个网址", "open it yourself, or give another address"},
	{ErrStatus, bus.CodeUnavailable, "网站没有给出这一页；请检查网址，或换一个", "check the address, or give another"},
	{context.DeadlineExceeded, bus.CodeTimeout, "网站没有在规定的时间里回答；请稍后再试，或换一个网址", "try again later, or give another address"},
}

// told words a failure for the agent, in the language of who asks: what failed, and what can be done about it. One that is cancelled stays what it is.
func told(err error, language string) error {
	if errors.Is(err, context.Canceled) {
		return err
	}
	f := failure{code: bus.CodeUnavailable, zh: "连接不上这个网站；请检查网址，或稍后再试", en: "check the address, or try again later"}
	if i := slices.IndexFunc(failures, func(f failure) bool { return errors.Is(err, f.is) }); i >= 0 {
		f = failures[i]
	}
	out := &bus.Error{Code: f.code, Message: "the page could not be read: " + err.Error() + "; " + f.en, Retryable: f.code == bus.CodeTimeout}
	if language == "zh" {
		out.Message = fmt.Sprintf("%s。（%v）", f.zh, err)
	}
	return out
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
