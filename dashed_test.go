package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

// What a person says may begin with a dash, and flags are flags before and behind it.
func TestWordsThatBeginWithADash(t *testing.T) {
	for _, c := range []struct {
		args []string
		task string // "" for ask
		said string
		bad  bool
	}{
		{args: []string{"answer", "T", "- call mum"}, task: "T", said: "- call mum"},
		{args: []string{"answer", "T", "- call mum", "--no-follow"}, task: "T", said: "- call mum"},
		{args: []string{"--data", "d", "answer", "T", "-5%"}, task: "T", said: "-5%"},
		{args: []string{"answer", "T", "-10"}, task: "T", said: "-10"},
		{args: []string{"answer", "T", "--", "- call mum"}, task: "T", said: "- call mum"},
		{args: []string{"answer", "T", "--steer", "- and call mum"}, task: "T", said: "- and call mum"},
		{args: []string{"ask", "- call mum\n- buy milk", "--session", "s"}, said: "- call mum\n- buy milk"},
		{args: []string{"ask", "--session=s", "--不要的订单"}, said: "--不要的订单"},
		{args: []string{"ask", "--session=a b", "plain"}, said: "plain"},
		{args: []string{"ask", "--seconds", "-5", "plain"}, bad: true},
		{args: []string{"ask", "--sesion", "x", "plain"}, bad: true},
	} {
		var f flags
		parser := kong.Must(&f, kong.Name("hmap"), kong.Vars{"version": "0"})
		_, err := parser.Parse(sayable(slices.Clone(c.args)))
		if err = unknown(err); (err != nil) != c.bad || slices.Contains(c.args, "--sesion") && !strings.Contains(err.Error(), "go behind --") {
			t.Errorf("%s: %v", strings.Join(c.args, " "), err)
		}
		if got := f.Answer.Text + f.Ask.Question; err == nil && (got != c.said || f.Answer.Task != c.task) {
			t.Errorf("%s: %q of %q", strings.Join(c.args, " "), got, f.Answer.Task)
		}
	}
}
