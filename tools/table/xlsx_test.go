package table

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"github.com/hmap-project/hmap/tools/workbook"
)

// xlsxOf makes an XLSX.
func xlsxOf(t testing.TB, fill func(f *excelize.File)) string {
	t.Helper()
	f := excelize.NewFile()
	fill(f)
	var b bytes.Buffer
	if err := f.Write(&b); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// A workbook's dates are dates whatever way they are shown, its figures are those that are stored, and its formulas what they came to.
func TestWorkbook(t *testing.T) {
	content := xlsxOf(t, func(f *excelize.File) {
		date, _ := f.NewStyle(&excelize.Style{NumFmt: 14})
		share, _ := f.NewStyle(&excelize.Style{NumFmt: 9})
		round, _ := f.NewStyle(&excelize.Style{NumFmt: 3})
		for i, row := range [][]any{{"下单日期", "额", "占比", "编号"}, {45296, 1234.56, .05, "a"}, {45297.0, 1000.44, .125, "b"}} {
			f.SetSheetRow("Sheet1", fmt.Sprintf("A%d", i+1), &row)
		}
		f.SetCellStyle("Sheet1", "A2", "A3", date)
		f.SetCellStyle("Sheet1", "B2", "B3", round)
		f.SetCellStyle("Sheet1", "C2", "C3", share)
		f.NewSheet("第二页")
		f.SetSheetRow("第二页", "A1", &[]any{"名", "数"})
		f.SetSheetRow("第二页", "A2", &[]any{"x", 7})
		f.NewSheet("空")
	})
	b := mustBook(t, "a.xlsx", content)
	if got, want := shape(b), "Sheet1 2: 下单日期 time, 额 real, 占比 real%, 编号 text; 第二页 1: 名 text, 数 real"; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	r, err := b.query(t.Context(), `SELECT "下单日期", "额", "占比" FROM "Sheet1"`)
	if err != nil || fmt.Sprint(r.rows) != "[[2024-01-05 1234.56 5] [2024-01-06 1000.44 12.5]]" {
		t.Error(r, err)
	}
	if got, _ := answered(t, b, "额的合计"); got != "2235" {
		t.Error(got)
	}
}

// A workbook that unpacks to gigabytes is refused before it is unpacked.
func TestZipBomb(t *testing.T) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, name := range []string{"[Content_Types].xml", "xl/workbook.xml", "xl/worksheets/sheet1.xml"} {
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		block := bytes.Repeat([]byte(" "), 1<<20)
		for range 6 {
			if _, err := w.Write(block); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := bookOf(t, "bomb.xlsx", b.String()); err == nil || !strings.Contains(err.Error(), "unpack to too much") {
		t.Errorf("%d bytes: %v", b.Len(), err)
	}
}

// What a workbook holds beside its rows is in memory as a whole, and so is a cell: neither may be larger than a person would make it.
func TestWorkbookOfLargeParts(t *testing.T) {
	text := strings.Repeat("0123456789abcd<!", workbook.MaxPart>>4)
	words := strings.ReplaceAll(text, "<", " ")[:workbook.MaxCell]
	sheet := `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>a</t></is></c></row><row r="2"><c r="A2" t="inlineStr"><is><t>` +
		words + `</t></is></c></row></sheetData></worksheet>`
	for _, c := range []struct{ part, content string }{
		{"xl/styles.xml", `<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><!--` + text + `--></styleSheet>`},
		{"xl/worksheets/sheet1.xml", sheet},
		{"xl/worksheets/sheet1.xml", strings.Replace(sheet, words, strings.ReplaceAll(words, "abcd", "<b/>"), 1)},
		{"xl/media/a.png", strings.Repeat(text, workbook.MaxHeld/workbook.MaxPart+1)},
		{"xl/sharedStrings.xml", strings.Repeat(text, workbook.MaxStrings/workbook.MaxPart+1)},
	} {
		var b bytes.Buffer
		w := zip.NewWriter(&b)
		plain := xlsxOf(t, func(f *excelize.File) { f.SetSheetRow("Sheet1", "A1", &[]any{"a"}) })
		z, err := zip.NewReader(strings.NewReader(plain), int64(len(plain)))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range z.File {
			if f.Name != c.part {
				if err := w.Copy(f); err != nil {
					t.Fatal(err)
				}
			}
		}
		part, err := w.CreateHeader(&zip.FileHeader{Name: c.part, Method: zip.Store})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := part.Write([]byte(c.content)); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if _, err := bookOf(t, "a.xlsx", b.String()); err == nil || !strings.Contains(err.Error(), "unpack to too much") && !strings.Contains(err.Error(), "a cell of") {
			t.Errorf("%s of %d bytes: %v", c.part, len(c.content), err)
		}
	}
}

// Many sheets that are just small enough to be held in memory are not held all at once.
func TestWorkbookOfManySheets(t *testing.T) {
	const sheets, most = 8, 80 << 20 // bytes
	var packed, b bytes.Buffer
	d, err := flate.NewWriter(&packed, flate.BestSpeed)
	if err != nil {
		t.Fatal(err)
	}
	row := "<row><c><v>" + strings.Repeat("1", 1000) + "</v></c></row>"
	rows := bytes.Repeat([]byte(row), (workbook.MaxPart-1)/len(row))
	if _, err := d.Write(rows); err != nil {
		t.Fatal(err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	w := zip.NewWriter(&b)
	plain := xlsxOf(t, func(f *excelize.File) { f.SetSheetRow("Sheet1", "A1", &[]any{"a"}) })
	z, err := zip.NewReader(strings.NewReader(plain), int64(len(plain)))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range z.File {
		if err := w.Copy(f); err != nil {
			t.Fatal(err)
		}
	}
	for i := range sheets {
		part, err := w.CreateRaw(&zip.FileHeader{Name: fmt.Sprintf("xl/worksheets/sheet%d.xml", i+2), Method: zip.Deflate,
			CRC32: crc32.ChecksumIEEE(rows), CompressedSize64: uint64(packed.Len()), UncompressedSize64: uint64(len(rows))})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := part.Write(packed.Bytes()); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "a.xlsx")
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	_, done, err := openXLSX(path, "a.xlsx")
	if err != nil {
		t.Fatal(err)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if err := done(); err != nil {
		t.Fatal(err)
	}
	if held := int64(after.HeapAlloc) - int64(before.HeapAlloc); held > most {
		t.Errorf("a workbook of %d KiB holds %d MiB", b.Len()>>10, held>>20)
	}
}

// Of percents and other figures in one column the percents are fractions, as they are stored, and that is said.
func TestWorkbookOfSomePercents(t *testing.T) {
	b := mustBook(t, "a.xlsx", xlsxOf(t, func(f *excelize.File) {
		share, err := f.NewStyle(&excelize.Style{NumFmt: 9})
		if err != nil {
			t.Fatal(err)
		}
		f.SetSheetRow("Sheet1", "A1", &[]any{"item", "share"})
		f.SetSheetRow("Sheet1", "A2", &[]any{"a", .05})
		f.SetSheetRow("Sheet1", "A3", &[]any{"b", .125})
		f.SetCellStyle("Sheet1", "B2", "B2", share)
	}))
	if got, _ := answered(t, b, "highest share"); got != "b 0.125; a 0.05" {
		t.Error(got)
	}
	if notes := joinRemarks(b.notes(), "en"); !strings.Contains(notes, "5% as 0.05") {
		t.Error(notes)
	}
}

// A day is a day whichever way the workbook shows it, and a moment keeps its hour, be that a quarter of a day, whose number has eight signs.
func TestWorkbookTimes(t *testing.T) {
	for _, c := range []struct {
		form any // the number of a built-in format, or a code
		want string
	}{
		{14, "2024-01-01 2024-02-18"}, {15, "2024-01-01 2024-02-18"}, {16, "2024-01-01 2024-02-18"}, {17, "2024-01-01 2024-02-18"}, {31, "2024-01-01 2024-02-18"}, {57, "2024-01-01 2024-02-18"},
		{"d-mmm", "2024-01-01 2024-02-18"}, {"mmm-yy", "2024-01-01 2024-02-18"}, {"dddd", "2024-01-01 2024-02-18"}, {"m/d/yy", "2024-01-01 2024-02-18"}, {"dd/mm/yyyy;@", "2024-01-01 2024-02-18"},
		{"[$-409]mmm d;@", "2024-01-01 2024-02-18"}, {`m"月"d"日"`, "2024-01-01 2024-02-18"}, {"yyyy", "2024-01-01 2024-02-18"}, {`yyyy"年"m"月"`, "2024-01 2024-02"}, {"yyyy-mm", "2024-01 2024-02"},
		{22, "2024-01-01 06:00:00 2024-02-18 18:00:00"}, {"m/d h:mm AM/PM", "2024-01-01 06:00:00 2024-02-18 18:00:00"},
		{`0.00" days"`, "45292.25 45340.75"}, {`#,##0_d`, "45292.25 45340.75"}, {"General", "45292.25 45340.75"},
	} {
		b := mustBook(t, "a.xlsx", xlsxOf(t, func(f *excelize.File) {
			style := &excelize.Style{}
			switch form := c.form.(type) {
			case int:
				style.NumFmt = form
			case string:
				style.CustomNumFmt = &form
			}
			id, err := f.NewStyle(style)
			if err != nil {
				t.Fatal(err)
			}
			f.SetSheetRow("Sheet1", "A1", &[]any{"when", "n"})
			f.SetSheetRow("Sheet1", "A2", &[]any{45292.25, "x"})
			f.SetSheetRow("Sheet1", "A3", &[]any{45340.75, "y"})
			f.SetCellStyle("Sheet1", "A2", "A3", id)
		}))
		r, err := b.query(t.Context(), `SELECT "when" FROM "Sheet1" ORDER BY 1`)
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(r.rows[0][0], " ", r.rows[1][0]); got != c.want {
			t.Errorf("%v: %s, want %s", c.form, got, c.want)
		}
	}
}
