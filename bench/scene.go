package main

import (
	"fmt"
	"time"
)

// scene is one situation in which the contenders are measured, and the columns of its table.
type scene struct {
	title       string
	only        []string // contenders; the first is what the others are compared with
	kinds       []string // stream, whole
	tasks, at   int
	runs        int
	delay, hold time.Duration // see [script]
	rest        time.Duration // before each look at the memory of a contender that has nothing to do
	columns     []column
}

// column is a figure of the table: what it says of the medians, given those of the first contender.
type column struct {
	head string
	text func(f, first figures) string
}

var (
	processor = column{"CPU a task", func(f, _ figures) string { return fmt.Sprintf("%.0f µs", f.cpu) }}
	times     = column{"× the first", func(f, first figures) string { return fmt.Sprintf("%.2f", f.cpu/first.cpu) }}
	rate      = column{"tasks/s", func(f, _ figures) string { return fmt.Sprintf("%.0f", f.rate) }}
	done      = column{"all done in", func(f, _ figures) string { return fmt.Sprintf("%.2f s", f.wall) }}
	half      = column{"p50", func(f, _ figures) string { return fmt.Sprintf("%.2f ms", f.p50/1e3) }}
	most      = column{"p99", func(f, _ figures) string { return fmt.Sprintf("%.2f ms", f.p99/1e3) }}
	overhead  = column{"p50 of a round, beyond the first", func(f, first figures) string { return fmt.Sprintf("%.2f ms", (f.p50-first.p50)/rounds/1e3) }}
	peak      = column{"peak memory a task", func(f, _ figures) string { return fmt.Sprintf("%.1f KiB", f.peak) }}
	held      = column{"held memory a task", func(f, _ figures) string { return fmt.Sprintf("%.1f KiB", f.held) }}
	left      = column{"memory left a task", func(f, _ figures) string { return fmt.Sprintf("%.2f KiB", f.left) }}
)

// forgotten is a little more than NATS remembers the id of each message, so as to refuse a repeat of it: 2 min by default.
const forgotten = 125 * time.Second

var all = []string{"loop", "eino", "hmap", "hmap-synced"}

// scenes are the situations that the targets of the project name.
var scenes = map[string]scene{
	"speed": {
		title: "many short answers", only: all, kinds: []string{"stream", "whole"}, tasks: 4000, at: 64, runs: 3,
		columns: []column{processor, times, rate, half, most},
	},
	"alone": {
		title: "one task after the other", only: append([]string{"wire"}, all...), kinds: []string{"stream", "whole"}, tasks: 1000, at: 1, runs: 3,
		columns: []column{half, most, overhead, processor},
	},
	"crowd": {
		title: "all tasks at once, with a model that takes its time", only: all, kinds: []string{"stream"}, tasks: 5000, at: 5000, runs: 3, delay: 500 * time.Millisecond,
		columns: []column{done, half, most, peak, processor, times},
	},
	"hold": {
		title: "all tasks held up on one answer", only: all, kinds: []string{"stream"}, tasks: 5000, at: 5000, runs: 1, hold: 20 * time.Second,
		columns: []column{held, peak, done},
	},
	"idle": {
		title: "sessions in which nothing happens any more", only: []string{"hmap"}, kinds: []string{"stream"}, tasks: 20000, at: 64, runs: 1, rest: forgotten,
		columns: []column{left, peak, done},
	},
}
