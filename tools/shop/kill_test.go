package shop

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// fillUntilKilled is the child process of TestKilledWhileFilling: it says when it is in the middle and never goes on.
func fillUntilKilled(path string) {
	_, err := open(context.Background(), path, clock, fewWeeks, func(done, total int) {
		if done > total/2 {
			os.Stdout.WriteString("half\n")
			select {}
		}
	})
	panic(err) // not reached: the parent kills before
}

func TestKilledWhileFilling(t *testing.T) {
	path := filepath.Join(t.TempDir(), "shop.db")
	child := exec.Command(os.Args[0], "-test.run=^$")
	child.Env = append(os.Environ(), "SHOP_TEST_FILL="+path)
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	line, _ := bufio.NewReader(out).ReadString('\n')
	if err := child.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	child.Wait()
	if line != "half\n" {
		t.Fatalf("the child said %q", line)
	}
	if left, err := filepath.Glob(path + "*"); err != nil || len(left) == 0 {
		t.Fatalf("the child left nothing behind: %v, %v", left, err)
	}
	refilled := false
	s, err := open(t.Context(), path, clock, fewWeeks, func(int, int) { refilled = true })
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if !refilled {
		t.Error("not filled again")
	}
	whole, err := open(t.Context(), filepath.Join(t.TempDir(), "whole.db"), clock, fewWeeks, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer whole.Close()
	for _, table := range []string{"orders", "tracking", "campaign_days", "keywords"} {
		if got, want := one[int](t, s, `SELECT count(*) FROM `+table), one[int](t, whole, `SELECT count(*) FROM `+table); got != want {
			t.Errorf("%s: %d rows, want %d", table, got, want)
		}
	}
}
