package bus

import (
	"testing"
	"time"
)

func TestParseStreamMode(t *testing.T) {
	for text, want := range map[string]StreamMode{
		"":           {},
		"general":    {Mode: StreamGeneral},
		"token":      {Mode: StreamToken},
		"token:20":   {Mode: StreamToken, Token: 20},
		"time:2":     {Mode: StreamTime, Time: 2},
		"time:500ms": {Mode: StreamTime, Time: 0.5},
		"2s":         {Mode: StreamTime, Time: 2},
		" 500ms":     {Mode: StreamTime, Time: 0.5},
		" 5, 20 ":    {Mode: StreamToken, First: 5, Token: 20},
	} {
		got, err := ParseStreamMode(text)
		if err != nil || got != want {
			t.Errorf("%q: %+v, %v; want %+v", text, got, err, want)
		}
		if again, err := ParseStreamMode(got.String()); err != nil || again != got {
			t.Errorf("%q is written as %q, which is read as %+v, %v", text, got, again, err)
		}
	}
	for _, text := range []string{"5,", ",", "0,5", "5,-1", "words", "token:0", "token:x", "token:20000", "time:0", "time:-1s", "time:NaN", "time:1h", "general:3", "5,20,30", "2", "-2s", "0s", "1h"} {
		if m, err := ParseStreamMode(text); err == nil {
			t.Errorf("%q: %+v, want an error", text, m)
		}
	}
	if m := (StreamMode{Mode: StreamTime}); m.Every() != 5*time.Second {
		t.Error(m.Every())
	}
}

func FuzzParseStreamMode(f *testing.F) {
	for _, s := range []string{"5,20", "token:20", "time:2s", "general", "time:0.1", "2s"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		m, err := ParseStreamMode(text)
		if err != nil {
			return
		}
		if again, err := ParseStreamMode(m.String()); err != nil || again != m {
			t.Fatalf("%q: %+v is written as %q, which is read as %+v, %v", text, m, m, again, err)
		}
	})
}
