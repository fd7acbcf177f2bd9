package configs

import (
	"strings"
	"testing"
	"time"
)

func TestZone(t *testing.T) {
	at := time.Date(2026, 5, 16, 20, 0, 0, 0, time.UTC)
	for name, day := range map[string]string{"+08:00": "2026-05-17 04:00", "-03:30": "2026-05-16 16:30", "UTC": "2026-05-16 20:00", "local": at.Local().Format("2006-01-02 15:04")} {
		c, err := Load(write(t, "c.yaml", "data: /d\nzone: "+`"`+name+`"`+"\n"))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := at.In(c.Location()).Format("2006-01-02 15:04"); got != day {
			t.Errorf("%s: %s, want %s", name, got, day)
		}
	}
	for _, name := range []string{"", "8", "+8", "+25:00", "Nowhere/At_All", "../etc/passwd"} {
		if _, err := Load(write(t, "c.yaml", "data: /d\nzone: "+`"`+name+`"`+"\n")); err == nil || !strings.Contains(err.Error(), "+08:00") {
			t.Errorf("%q: %v", name, err)
		}
	}
	c, err := Load("")
	if err != nil {
		t.Fatal(err)
	}
	if _, east := at.In(c.Location()).Zone(); east != 8*60*60 {
		t.Errorf("the default is %s, not the demo shop's zone", c.Zone)
	}
}
