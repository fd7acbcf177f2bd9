package table

import (
	"archive/zip"
	"context"
	"path/filepath"
	"strings"

	"github.com/xuri/excelize/v2"
)

// What a workbook may unpack to, in bytes: all of it, and what of a single part is held in memory rather than on disk.
const (
	maxUnzipped = 768 << 20
	maxPart     = 16 << 20
	// maxRatio: what unpacks to more times its size is no workbook but a bomb. Sheets of one repeated row come to 200.
	maxRatio = 1000
)

// openXLSX gives the sheets of a workbook that have rows. Formulas are what they came to when the workbook was saved.
func openXLSX(path, name string) (sheets []*sheet, done func() error, err error) {
	if err := unpacksTo(path, name); err != nil {
		return nil, nil, err
	}
	f, err := excelize.OpenFile(path, excelize.Options{
		TmpDir: filepath.Dir(path), UnzipSizeLimit: maxUnzipped, UnzipXMLSizeLimit: maxPart, ShortDatePattern: "yyyy-mm-dd", LongDatePattern: "yyyy-mm-dd", LongTimePattern: "hh:mm:ss",
	})
	if err != nil {
		return nil, nil, refusef("%s 不是可以读取的工作簿（可能有密码或已损坏）", "%s is no workbook that can be read (it may have a password, or be damaged)", name)
	}
	props, err := f.GetWorkbookProps()
	later := err == nil && props.Date1904 != nil && *props.Date1904
	for _, title := range f.GetSheetList() {
		rows := func(o excelize.Options) func(context.Context, func([]string) error) error {
			return func(ctx context.Context, visit func([]string) error) error {
				r, err := f.Rows(title)
				if err != nil {
					return refusef("%s 的工作表「%s」读取失败", "the sheet “%[2]s” of %[1]s cannot be read", name, title)
				}
				defer r.Close()
				for n := 0; r.Next(); n++ {
					if n%1024 == 0 && ctx.Err() != nil {
						return context.Cause(ctx)
					}
					if n > maxRows+peeked {
						return tooLong(title)
					}
					cells, err := r.Columns(o)
					if err != nil {
						return refusef("%s 的工作表「%s」读取失败", "the sheet “%[2]s” of %[1]s cannot be read", name, title)
					}
					if len(cells) == 0 {
						continue
					}
					if err := visit(cells); err != nil {
						return err
					}
				}
				if err := r.Error(); err != nil {
					return refusef("%s 的工作表「%s」已损坏", "the sheet “%[2]s” of %[1]s is damaged", name, title)
				}
				return nil
			}
		}
		sheets = append(sheets, &sheet{name: title, each: rows(excelize.Options{}), exact: rows(excelize.Options{RawCellValue: true}), later: later})
	}
	return sheets, f.Close, nil
}

// unpacksTo refuses what would unpack to more than a table can be.
func unpacksTo(path, name string) error {
	z, err := zip.OpenReader(path)
	if err != nil {
		return refusef("%s 不是可以读取的工作簿（可能有密码或已损坏）", "%s is no workbook that can be read (it may have a password, or be damaged)", name)
	}
	defer z.Close()
	packed, size := uint64(1), uint64(0)
	for _, f := range z.File {
		packed, size = packed+f.CompressedSize64, size+f.UncompressedSize64
		if f.UncompressedSize64 > maxUnzipped || strings.HasSuffix(f.Name, ".zip") {
			size = maxUnzipped + 1
		}
		if size > maxUnzipped {
			break
		}
	}
	if size > maxUnzipped || size > 16<<20 && size/packed > maxRatio {
		return refusef("%s 解压后过大（上限 %d MiB），不读取", "%s would unpack to too much (%d MiB at most) and is not read", name, maxUnzipped>>20)
	}
	return nil
}

func tooLong(name string) error {
	return refusef("「%s」超过 %d 行，不能读取；请先筛选或拆分文件", "“%s” has more than %d rows and is not read; part or filter the file first", name, maxRows)
}

// serial makes the time of a number of days as workbooks count them; "" when it is none.
func serial(days float64, later bool, g grain) string {
	if days < 1 || days > 2_958_465 { // the year 9999
		return ""
	}
	t, err := excelize.ExcelDateToTime(days, later)
	if err != nil {
		return ""
	}
	return instant{t: t}.text(g)
}
