package read

import (
	"bytes"
	"compress/zlib"
	"context"
	"errors"
	"fmt"
	"net/url"
	"runtime"
	"strings"
	"testing"
	"time"
)

// TestGreedy reads documents of some kilobytes that would take gigabytes, or hours, and holds what they take of memory, all together, to a bound.
func TestGreedy(t *testing.T) {
	const most = 600 << 20 // bytes
	page := func(content, cmap string) []byte {
		return []byte("%PDF-1.7\n1 0 obj << /Pages 2 0 R >> endobj 2 0 obj << /Kids [3 0 R] >> endobj 3 0 obj << /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >> endobj " +
			"5 0 obj << /Subtype /Type0 /ToUnicode 6 0 R >> endobj 4 0 obj " + packed(t, content) + " endobj 6 0 obj " + packed(t, cmap) + " endobj trailer << /Root 1 0 R >>")
	}
	long := "<" + strings.Repeat("0041", 20_000) + ">"
	for _, d := range []struct {
		name string
		kind Kind
		data []byte
	}{
		{"cells in cells", DOCX, docx(t, "<tbl><tr>"+strings.Repeat("<tc>", 900)+"<p><r><t>"+strings.Repeat("x ", 1<<20)+"</t></r></p>"+strings.Repeat("</tc>", 900)+"</tr></tbl>")},
		{"a sign that stands for a long text", PDF, page("/F 1 Tf ("+strings.Repeat("A", 100_000)+") Tj", "<4141> "+long+" endbfchar")},
		{"many texts in one list", PDF, page("/F 1 Tf ["+strings.Repeat("("+strings.Repeat("A", 1000)+")", 20_000)+"] TJ", "<4141> <"+strings.Repeat("0041", 250)+"> endbfchar")},
		{"a range of long texts", PDF, page("/F 1 Tf (A) Tj", "<0000> <ffff> "+long+" endbfrange")},
		{"wide rows that are not there", PDF, []byte("%PDF-1.7\n" + strings.Repeat("7 0 obj << /Type /ObjStm /N 1 /First 1 /Filter /FlateDecode /DecodeParms << /Predictor 15 /Columns 1048576 /Colors 32 /BitsPerComponent 16 >> >> stream\nendstream endobj ", 200))},
		{"links in links", HTML, []byte(strings.Repeat("<a href=/x>", 118) + strings.Repeat("word ", 700_000))},
	} {
		t.Run(d.name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			_, err := Read(ctx, Source{Kind: d.kind, Data: d.data, Base: &url.URL{Scheme: "https", Host: "example.com"}})
			if err != nil && !errors.Is(err, ErrUnreadable) {
				t.Error(err)
			}
			runtime.ReadMemStats(&after)
			if took := after.TotalAlloc - before.TotalAlloc; took > most {
				t.Errorf("%d bytes took %d MiB of memory, more than %d", len(d.data), took>>20, most>>20)
			}
		})
	}
}

// packed is a stream of a PDF file.
func packed(t *testing.T, content string) string {
	t.Helper()
	var out bytes.Buffer
	z := zlib.NewWriter(&out)
	if _, err := z.Write([]byte(content)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("<< /Filter /FlateDecode /Length %d >> stream\n%s\nendstream", out.Len(), out.Bytes())
}
