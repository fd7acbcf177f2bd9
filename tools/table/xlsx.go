package table

import (
	"archive/zip"
	"context"
	"errors"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/xuri/excelize/v2"

	"github.com/hmap-project/hmap/tools/workbook"
)

// openXLSX gives the sheets of a workbook that have rows. Formulas are what they came to when the workbook was saved.
func openXLSX(path, name string) (sheets []*sheet, done func() error, err error) {
	hold, err := unpacksTo(path, name)
	if err != nil {
		return nil, nil, err
	}
	f, err := excelize.OpenFile(path, excelize.Options{
		TmpDir: filepath.Dir(path), UnzipSizeLimit: workbook.MaxUnzipped, UnzipXMLSizeLimit: hold, ShortDatePattern: "yyyy-mm-dd", LongDatePattern: "yyyy-mm-dd", LongTimePattern: "hh:mm:ss",
	})
	if err != nil {
		return nil, nil, unreadable(name)
	}
	showDays(f)
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

// unpacksTo refuses what would unpack to more than a workbook can be, and gives how large a part may be to be held in memory.
func unpacksTo(path, name string) (int64, error) {
	z, err := zip.OpenReader(path)
	if err != nil {
		return 0, unreadable(name)
	}
	defer z.Close()
	hold, err := workbook.Check(&z.Reader)
	switch {
	case errors.Is(err, workbook.ErrLarge):
		return 0, refusef("%s 解压后过大（上限 %d MiB，其中图片、样式等 %d MiB），不读取", "%s would unpack to too much (%d MiB at most, of pictures, styles and the like %d) and is not read", name, workbook.MaxUnzipped>>20, workbook.MaxHeld>>20)
	case errors.Is(err, workbook.ErrSheets):
		return 0, refusef("%s 的工作表太多（最多 %d 张）", "%s has too many sheets (%d at most)", name, workbook.MaxSheets)
	case errors.Is(err, workbook.ErrCell):
		return 0, refusef("%s 里有一个单元格超过 %d MiB，不读取", "%s has a cell of more than %d MiB and is not read", name, workbook.MaxCell>>20)
	case err != nil:
		return 0, unreadable(name)
	}
	return hold, nil
}

func unreadable(name string) error {
	return refusef("%s 不是可以读取的工作簿（可能有密码或已损坏）", "%s is no workbook that can be read (it may have a password, or be damaged)", name)
}

// showDays has every date shown in full, and in one way: of Jan-24, Monday or 1/2/24 nobody could tell which day it is.
func showDays(f *excelize.File) {
	if f.Styles == nil || f.Styles.CellXfs == nil {
		return
	}
	codes := map[int]string{}
	if f.Styles.NumFmts != nil {
		for _, n := range f.Styles.NumFmts.NumFmt {
			codes[n.NumFmtID] = n.FormatCode
		}
	}
	for i := range f.Styles.CellXfs.Xf {
		x := &f.Styles.CellXfs.Xf[i]
		if x.NumFmtID == nil {
			continue
		}
		id := *x.NumFmtID
		code, own := codes[id]
		days, clock := dayCode(code)
		switch {
		case own && days && clock:
			id = 22
		case own && days && !monthCode.MatchString(code), !own && (id >= 15 && id <= 17 || id >= 27 && id <= 31 || id == 36 || id >= 50 && id <= 54 || id == 57 || id == 58): // ECMA-376 18.8.30
			id = 14
		}
		x.NumFmtID = &id
	}
}

// dayCode reports whether the code of a format shows a day, and whether it shows a time of day.
func dayCode(code string) (days, clock bool) {
	if elapsed.MatchString(code) {
		return false, false
	}
	code = strings.ToLower(codeText.ReplaceAllString(code, ""))
	clock = strings.ContainsAny(code, "hs")
	return strings.ContainsAny(code, "yd") || !clock && strings.Contains(code, "m"), clock
}

var (
	codeText  = regexp.MustCompile(`(?s)"[^"]*"|\\.|_.|\*.|\[[^\]]*\]|;.*|(?i:general)`)  // what stands for itself, and all but the first section
	elapsed   = regexp.MustCompile(`(?i)\[(?:h+|m+|s+)\]`)                                // a length of time
	monthCode = regexp.MustCompile(`(?i)^(?:\[[^\]]*\])?yyyy"?[-/年]"?mm?"?月?"?(?:;.*)?$`) // which is read as it is shown
)

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
