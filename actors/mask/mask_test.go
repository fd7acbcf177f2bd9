package mask

import (
	"encoding/json"
	"strings"
	"testing"
)

func rules(t testing.TB, o Options) *Rules {
	t.Helper()
	r, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

var all = Options{Kinds: Kinds, Names: []string{"王萍萍", "Ann", "Ann Lee"}, Addresses: []string{"北京市海淀区中关村大街1号"}}

func TestHide(t *testing.T) {
	for _, c := range [][2]string{
		// mobile numbers
		{"请打13812345678给他", "请打<mobile-1>给他"},
		{"138 1234 5678, 138-1234-5678, 13812345678", "<mobile-1>, <mobile-2>, <mobile-3>"},
		{"13812345678 13987654321 13812345678", "<mobile-1> <mobile-2> <mobile-1>"},
		{"+86 13812345678 或 +8613812345678 或 8613812345678 或 0086 138 1234 5678", "<mobile-1> 或 <mobile-2> 或 <mobile-3> 或 <mobile-4>"},
		{"call +1 415 555 2671 or +44-7911-123456.", "call <mobile-1> or <mobile-2>."},
		{"１３８１２３４５６７８", "<mobile-1>"},
		{"tel13812345678", "tel<mobile-1>"},
		{`{"phone":13812345678,"t":"\n13812345678"}`, `{"phone":<mobile-1>,"t":"\n<mobile-1>"}`},
		{`\u7535\u8bdd13812345678`, `\u7535\u8bdd<mobile-1>`},
		{"12812345678 138123456789 1381234567", "12812345678 138123456789 1381234567"}, // no such prefix, too long, too short
		{"0.13812345678 and 13812345678.5", "0.13812345678 and 13812345678.5"},
		{"3f13812345678a9c", "3f13812345678a9c"}, // of a hash
		{"客户_13812345678_2026.csv, log_2026_13812345678.7z", "客户_<mobile-1>_2026.csv, log_2026_<mobile-1>.7z"},
		{"13812345678.0 13812345678.00, 13812345678x", "<mobile-1>.0 <mobile-1>.00, <mobile-1>x"}, // a column of a table with gaps, read as numbers
		{"138\u00a01234\u00a05678 138–1234–5678 138\u20111234\u20115678 138－1234－5678 138\u30001234\u30005678", "<mobile-1> <mobile-2> <mobile-3> <mobile-4> <mobile-5>"},
		{"订单 281063663568, 1700000000000 ms", "订单 281063663568, 1700000000000 ms"},
		// identity cards
		{"身份证11010519491231002X。", "身份证<id-card-1>。"},
		{"440524188001010014 and 440524 18800101 0014", "<id-card-1> and <id-card-2>"},
		{"11010519491231002x id_11010519491231002X_v2", "<id-card-1> id_<id-card-2>_v2"},
		{"110105194912310021", "110105194912310021"}, // a wrong check digit
		{"11010519491331002X", "11010519491331002X"}, // the 13th month
		// bank cards
		{"卡号 6222 0200 0000 0000 008? 4111111111111111, 4111-1111-1111-1111", "卡号 6222 0200 0000 0000 008? <bank-card-1>, <bank-card-2>"},
		{"378282246310005 5500005555555559", "<bank-card-1> <bank-card-2>"},
		{"4111111111111112 4444444444444444", "4111111111111112 4444444444444444"},
		// e-mail
		{"写信给zhang.san+x@mail.example.com。", "写信给<email-1>。"},
		{"13812345678@qq.com, a@b, @b.cn, a@b.c1", "<email-1>, a@b, @b.cn, a@b.c1"},
		{`"a\nann@example.com"`, `"a\n<email-1>"`},
		{"x@y.com@z.org", "<email-1>@z.org"},
		// what is listed
		{"王萍萍住在北京市海淀区中关村大街1号", "<name-1>住在<address-1>"},
		{"Ann Lee, Ann and Annual; Joann", "<name-1>, <name-2> and Annual; Joann"},
		{`{"to":"Dear\nAnn","by":"\u4e2dAnn"}`, `{"to":"Dear\n<name-1>","by":"\u4e2d<name-1>"}`}, // what an escape ends with is no letter of a word
		// what looks like a placeholder already
		{"<mobile-1> is 13812345678", "<mobile-1> is <mobile-2>"},
		{"", ""},
	} {
		v := rules(t, all).Veil()
		v.Reserve(c[0])
		got := v.Hide(c[0])
		if got != c[1] {
			t.Errorf("%s\nis   %s\nwant %s", c[0], got, c[1])
		}
		if back := v.Show(got); back != c[0] {
			t.Errorf("%s comes back as %s", c[0], back)
		}
	}
}

// What is listed is found however JSON writes it, as programs do that write plain ASCII, and comes back as it is.
func TestHideEscaped(t *testing.T) {
	const plain = `{"name": "王萍萍", "to": "<Ann Lee>"}`
	for _, text := range []string{
		`{"name": "\u738b\u840d\u840d", "to": "<Ann Lee>"}`,
		`{"name": "\u738B\u840D萍", "to": "<Ann\u0020Lee>"}`,
	} {
		v := rules(t, all).Veil()
		got := v.Hide(text)
		if want := `{"name": "<name-1>", "to": "<<name-2>>"}`; got != want {
			t.Errorf("%s\nis   %s\nwant %s", text, got, want)
		}
		if back := v.Show(got); back != plain {
			t.Errorf("%s comes back as %s", text, back)
		}
	}
	for _, text := range []string{`\u738`, `\u738b\u840`, `\u738b\u840d\u840`, `\uzzzz\u840d`, `\`, "王", "王萍\xe8\x90"} { // cut off, or no escape
		if got := rules(t, all).Veil().Hide(text); got != text {
			t.Errorf("%s is %s", text, got)
		}
	}
}

// What is not asked for stays.
func TestKinds(t *testing.T) {
	text := "13812345678 11010519491231002X 4111111111111111 a@b.com"
	for kind, want := range map[Kind]string{
		Mobile:   "<mobile> 11010519491231002X 4111111111111111 a@b.com",
		IDCard:   "13812345678 <id-card> 4111111111111111 a@b.com",
		BankCard: "13812345678 11010519491231002X <bank-card> a@b.com",
		Email:    "13812345678 11010519491231002X 4111111111111111 <email>",
	} {
		if got := rules(t, Options{Kinds: []Kind{kind}}).Blank(text); got != want {
			t.Errorf("%s: %s", kind, got)
		}
	}
	if r, err := New(Options{}); r != nil || err != nil {
		t.Errorf("nothing to mask is %v, %v", r, err)
	}
	for name, o := range map[string]Options{
		"an unknown kind": {Kinds: []Kind{"phone"}}, "a short name": {Names: []string{"王"}}, "a quote": {Names: []string{`a"b`}},
		"a line": {Addresses: []string{"a\nb"}}, "spaces": {Names: []string{" ab"}}, "too many": {Names: make([]string, maxListed+1)},
	} {
		if _, err := New(o); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestHideJSON(t *testing.T) {
	for _, c := range [][2]string{
		{`{"phone":13812345678,"n":1.50,"to":["王萍萍","a\"b"]}`, `{"phone":"<mobile-1>","n":1.50,"to":["<name-1>","a\"b"]}`},
		{`{"t":"\u7535\u8bdd1\u0033812345678"}`, `{"t":"电话<mobile-1>"}`},
		{`{"13812345678":true}`, `{"<mobile-1>":true}`},
		{`[13812345678.0]`, `["<mobile-1>.0"]`},
		{`{"n":12345678901234567890}`, `{"n":12345678901234567890}`},
		{`{"phone":13812345678`, `{"phone":<mobile-1>`}, // cut off: it is text
		{`13812345678 and more`, `<mobile-1> and more`},
	} {
		if got := string(rules(t, all).Veil().HideJSON([]byte(c[0]))); got != c[1] {
			t.Errorf("%s\nis   %s\nwant %s", c[0], got, c[1])
		}
	}
}

// Brackets may come escaped, as JSON has them; what was never given out stays, and so does everything that only begins like a placeholder.
func TestShow(t *testing.T) {
	v := rules(t, all).Veil()
	v.Hide("13812345678 王萍萍 a@b.com")
	for _, c := range [][2]string{
		{"call <mobile-1>, <name-1> and <email-1>", "call 13812345678, 王萍萍 and a@b.com"},
		{`{"to":"\u003cmobile-1\u003e","cc":"\u003Cname-1>"}`, `{"to":"13812345678","cc":"王萍萍"}`},
		{`{"to":<mobile-1>}`, `{"to":13812345678}`},
		{"<mobile-2> <mobile-> <mobile-12345678> <Mobile-1> <b>", "<mobile-2> <mobile-> <mobile-12345678> <Mobile-1> <b>"},
		{"a < b, <mob", "a < b, <mob"},
		{"<<mobile-1>>", "<13812345678>"},
		{`\\u003`, `\\u003`},
	} {
		if got := v.Show(c[0]); got != c[1] {
			t.Errorf("%s\nis   %s\nwant %s", c[0], got, c[1])
		}
	}
}

// However a text is cut into pieces, what is shown piece by piece is what is shown at once, and no piece shows a part of a placeholder.
func TestOpenInPieces(t *testing.T) {
	v := rules(t, all).Veil()
	v.Hide("13812345678 王萍萍 4111111111111111")
	text := `to <mobile-1>: \u003cname-1\u003e paid by <bank-card-1>, 3 < 4, <mobile-9> <`
	want := v.Show(text)
	for size := 1; size <= len(text); size++ {
		var b strings.Builder
		held := ""
		for i := 0; i < len(text); i += size {
			var shown string
			shown, held = v.Open(held + text[i:min(i+size, len(text))])
			b.WriteString(shown)
		}
		b.WriteString(held)
		if b.String() != want {
			t.Fatalf("in pieces of %d: %s\nwant %s", size, b.String(), want)
		}
	}
}

// Whatever a text is: it comes back as it was, but for escapes in what is listed, and what was found in it is not in what goes out.
func FuzzVeil(f *testing.F) {
	for _, s := range []string{"13812345678", "+86 138-1234-5678 a@b.com", "<mobile-1>13812345678", "6222 0200 1234", `{"a":"\u0031\u738b萍\u840d"}`, "王萍萍Ann Lee", "１３８１２３４５６７８x@y.cn", "11010519491231002X4111111111111111"} {
		f.Add(s)
	}
	r := rules(f, all)
	f.Fuzz(func(t *testing.T, text string) {
		v := r.Veil()
		v.Reserve(text)
		hidden := v.Hide(text)
		want := replaced(text, r.find(text), func(value string, _ Kind) string { return value })
		if got := v.Show(hidden); got != want {
			t.Fatalf("%q is hidden as %q and comes back as %q", text, hidden, got)
		}
		last := 0
		for _, h := range r.find(text) {
			if h.from < last || h.to <= h.from || h.to > len(text) {
				t.Fatalf("%q: hits overlap: %v", text, r.find(text))
			}
			last = h.to
		}
		if out := v.HideJSON([]byte(text)); json.Valid([]byte(text)) && !json.Valid(out) {
			t.Fatalf("%q becomes %q", text, out)
		}
	})
}

func BenchmarkHide(b *testing.B) {
	text := strings.Repeat("The order 281063663568 of 2026-11-09 00:05:57 costs 290; 空气炸锅 5L 可视窗 is on its way. ", 200) + "13812345678"
	r := rules(b, Options{Kinds: Kinds})
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		r.Veil().Hide(text)
	}
}
