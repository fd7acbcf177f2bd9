package read

import (
	"context"
	"errors"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/runes"
	"golang.org/x/text/transform"
	"golang.org/x/text/unicode/norm"

	"github.com/hmap-project/hmap/tools/web/read/pdf"
)

// readPDF takes the text out of a PDF file.
func readPDF(ctx context.Context, data []byte) (Text, error) {
	t, err := pdf.Read(ctx, data)
	if errors.Is(err, pdf.ErrNotPDF) || errors.Is(err, pdf.ErrEncrypted) || errors.Is(err, pdf.ErrNoText) {
		return Text{}, unreadable("%v", err)
	}
	if err != nil {
		return Text{}, err
	}
	out := Text{Title: oneLine(t.Title, 200)}
	out.Markdown, out.Cut = clean(flow(plainSigns(t.Body)))
	out.Cut = out.Cut || t.Cut
	return out, nil
}

// radicals are signs that look like Han characters and are none. Browsers that print pages name them in the place of those.
var radicals = strings.NewReplacer("⻁", "虎", "⻄", "西", "⻅", "见", "⻆", "角", "⻉", "贝", "⻋", "车", "⻓", "长", "⻔", "门", "⻘", "青", "⻙", "韦", "⻚", "页", "⻛", "风", "⻜", "飞",
	"⻝", "食", "⻢", "马", "⻣", "骨", "⻤", "鬼", "⻥", "鱼", "⻦", "鸟", "⻧", "卤", "⻨", "麦", "⻩", "黄", "⻬", "齐", "⻮", "齿", "⻰", "龙", "⻳", "龟")

// plainSigns puts characters in the place of radicals and of letters that were drawn together.
func plainSigns(s string) string {
	joined := runes.Predicate(func(r rune) bool { return r >= 0x2f00 && r <= 0x2fdf || r >= 0xfb00 && r <= 0xfb06 })
	out, _, err := transform.String(runes.If(joined, norm.NFKC, nil), radicals.Replace(s))
	if err != nil {
		return s
	}
	return out
}

// full is how many characters a line has at least that ends because the page does.
const full = 45

// flow joins the lines of a paragraph: one that is nearly as long as the longest runs on in the next.
func flow(s string) string {
	lines := strings.Split(s, "\n")
	longest := 0
	for _, l := range lines {
		longest = max(longest, utf8.RuneCountInString(l))
	}
	var out strings.Builder
	for i, l := range lines {
		l = strings.TrimSpace(l)
		out.WriteString(l)
		switch n := utf8.RuneCountInString(l); {
		case i+1 == len(lines):
		case n >= full && 4*n >= 3*min(longest, 200) && strings.TrimSpace(lines[i+1]) != "" && !strings.HasSuffix(l, ".") && !strings.HasSuffix(l, "。"):
			out.WriteByte(' ')
		default:
			out.WriteByte('\n')
		}
	}
	return out.String()
}
