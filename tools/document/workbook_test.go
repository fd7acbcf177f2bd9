package document

import (
	"archive/zip"
	"bytes"
	"runtime"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"
)

// A workbook that would unpack to much more than it is, is refused before it is read: what stands beside its rows would be in memory many times over.
func TestWorkbookOfLargeStyles(t *testing.T) {
	const most = 200 << 20 // bytes
	var plain, b bytes.Buffer
	f := excelize.NewFile()
	if err := f.Write(&plain); err != nil {
		t.Fatal(err)
	}
	z, err := zip.NewReader(bytes.NewReader(plain.Bytes()), int64(plain.Len()))
	if err != nil {
		t.Fatal(err)
	}
	w := zip.NewWriter(&b)
	for _, part := range z.File {
		if part.Name != "xl/styles.xml" {
			if err := w.Copy(part); err != nil {
				t.Fatal(err)
			}
		}
	}
	part, err := w.Create("xl/styles.xml")
	if err != nil {
		t.Fatal(err)
	}
	styles := `<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><cellXfs>` + strings.Repeat(`<xf numFmtId="0"/>`, 1<<20) + `</cellXfs></styleSheet>`
	if _, err := part.Write([]byte(styles)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err = readXLSX(t.Context(), b.Bytes())
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; err == nil || took > most {
		t.Errorf("a workbook of %d KiB takes %d MiB: %v", b.Len()>>10, took>>20, err)
	}
}
