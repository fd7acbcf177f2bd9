// Package table answers questions about tables: CSV, XLSX, JSON and SQLite files of a session. table_query gives rows and figures,
// data_analysis trend, outliers, attribution, correlation and forecast.
//
// Whatever a file is, its rows are copied into an SQLite file of our own, whose columns have types, and that file is opened anew, read-only, for
// the question: what a stranger's file holds beside rows (views, triggers, formulas, links) never gets that far, and no SQL, whoever wrote it, can change
// or reach anything. Rows beyond a bound are an error and not left out, for a sum of some of the rows is a wrong sum. What is left out of a table or
// read in a way that could be meant otherwise (a line of totals, cells that are no numbers, days before months) is a note of the answer.
package table

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/tools"
)

// Bounds. They hold for one call; what is above them is refused with the bound.
const (
	maxFiles   = 8
	maxTables  = 40
	maxColumns = 256
	maxRows    = 2_000_000 // of a table
	maxCells   = 24_000_000
	maxCell    = 8 << 10   // bytes; longer texts are cut, with a note
	maxDisk    = 512 << 20 // bytes of the copy
	loadWithin = 60 * time.Second
)

// Options of the tools; the zero value works.
type Options struct {
	// Ask asks the language model of the agent whose call it is. nil: there is none, and questions are read by rules.
	Ask func(context.Context, bus.Request, Prompt) (Reply, error)
}

// Prompt is what a model is asked: what it is for, and the turns of user and assistant in order, the user's first.
type Prompt struct {
	System string
	Turns  []string
}

// Reply is what a model answered.
type Reply struct {
	Text  string
	Usage bus.Usage
}

// Tools are table_query and data_analysis. Copies of tables that a killed process has left on the disk go first.
func Tools(o Options) []tools.Tool {
	tools.SweepScratch("table")
	return []tools.Tool{queryTool(o), analysisTool()}
}

// refuse is an error that the agent reads and reacts to, in the language of the person who asks.
func refuse(language, zh, en string, args ...any) error {
	return &bus.Error{Code: bus.CodeInvalidParameter, Message: fmt.Sprintf(say(language, zh, en), args...)}
}

// say is one of two wordings.
func say(language, zh, en string) string {
	if language == "en" {
		return en
	}
	return zh
}

// remark is a sentence in both languages.
type remark struct{ zh, en string }

func remarkf(zh, en string, args ...any) remark {
	return remark{fmt.Sprintf(zh, args...), fmt.Sprintf(en, args...)}
}

func (r remark) in(language string) string { return say(language, r.zh, r.en) }

// refused is an error in both languages, from where it is not known who asks.
type refused struct{ remark }

func (r refused) Error() string { return r.en }

func refusef(zh, en string, args ...any) error { return refused{remarkf(zh, en, args...)} }

// worded makes a refusal one that the agent reads.
func worded(err error, language string) error {
	var r refused
	if errors.As(err, &r) {
		return refuse(language, "%s", "%s", r.in(language))
	}
	return err
}
