// Package workbook looks at XLSX files of strangers before anybody unpacks them. A workbook is a folder that was packed: some kilobytes may become gigabytes, and
// what reads it holds parts of it in memory many times over.
package workbook

import (
	"archive/zip"
	"bufio"
	"fmt"
	"regexp"
	"strings"
)

// What a workbook may unpack to, in bytes, and how many parts with rows it may have.
const (
	MaxUnzipped = 768 << 20 // all of it
	MaxHeld     = 64 << 20  // all parts that hold no rows, such as pictures; and all with rows that are not on disk
	MaxPart     = 16 << 20  // one part of XML without rows, such as the styles
	MaxStrings  = 128 << 20 // the texts that cells share, which are read one by one
	MaxCell     = 4 << 20   // one cell as it is stored; Excel's have 32,767 signs
	MaxSheets   = 1000      // parts with rows: a file each
	// maxRatio: what unpacks to more times its size is no workbook but a bomb. Sheets of one repeated row come to 200.
	maxRatio = 1000
)

// Why a workbook is not read.
var (
	ErrLarge  = fmt.Errorf("it would unpack to too much (%d MiB at most, of pictures, styles and the like %d)", MaxUnzipped>>20, MaxHeld>>20)
	ErrSheets = fmt.Errorf("it has too many sheets (%d at most)", MaxSheets)
	ErrCell   = fmt.Errorf("it has a cell of more than %d MiB", MaxCell>>20)
)

// Check refuses what would unpack to more than a workbook can be: [ErrLarge], [ErrSheets], [ErrCell], or an error of z. hold is how large, in bytes, a part
// with rows may be to be held in memory instead of on disk, so that all of them together fit into MaxHeld.
func Check(z *zip.Reader) (hold int64, err error) {
	packed, size, held, sheets := uint64(1), uint64(0), uint64(0), 0
	var long []*zip.File // what holds rows, and may hold a cell of any size
	for _, f := range z.File {
		part, unpacked := strings.ToLower(strings.ReplaceAll(f.Name, `\`, "/")), f.UncompressedSize64
		packed, size = packed+f.CompressedSize64, size+min(unpacked, MaxUnzipped+1)
		switch texts := part == "xl/sharedstrings.xml"; {
		case texts && unpacked > MaxStrings, strings.HasSuffix(part, ".zip"):
			return 0, ErrLarge
		case texts || strings.HasPrefix(part, "xl/worksheets/sheet"):
			if sheets++; sheets > MaxSheets {
				return 0, ErrSheets
			}
			if unpacked > MaxCell {
				long = append(long, f)
			}
		case strings.HasSuffix(part, ".xml") && unpacked > MaxPart:
			return 0, ErrLarge
		default:
			held += min(unpacked, MaxUnzipped)
		}
		if size > MaxUnzipped || held > MaxHeld {
			return 0, ErrLarge
		}
	}
	if size > 16<<20 && size/packed > maxRatio {
		return 0, ErrLarge
	}
	for _, f := range long {
		if err := cellsAreShort(f); err != nil {
			return 0, err
		}
	}
	return int64(min(MaxPart, MaxHeld/max(sheets, 1))), nil
}

// cellsAreShort refuses a part with a cell that would be held in memory many times over. What stands between two tags of cells, rows or shared texts is one.
func cellsAreShort(f *zip.File) error {
	part, err := f.Open()
	if err != nil {
		return err
	}
	defer part.Close()
	r := bufio.NewReaderSize(part, 256<<10)
	for n := 0; ; {
		some, err := r.ReadSlice('<')
		if n += len(some); n > MaxCell {
			return ErrCell
		}
		switch {
		case err == bufio.ErrBufferFull:
			continue
		case err != nil: // its end, or damage, which reading it will tell
			return nil
		}
		if tag, _ := r.Peek(4); borders.Match(tag) {
			n = 0
		}
	}
}

var borders = regexp.MustCompile(`^/?(?:c[ >r/]|row|si[ >/])`)
