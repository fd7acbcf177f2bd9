package configs

import (
	"fmt"
	"regexp"
	"strconv"
	"time"
)

var offset = regexp.MustCompile(`^([+-])([01]\d|2[0-3]):([0-5]\d)$`)

// zone reads "local", an offset such as +08:00, or a name of the time zone database, which a small machine may lack.
func zone(name string) (*time.Location, error) {
	if m := offset.FindStringSubmatch(name); m != nil {
		h, _ := strconv.Atoi(m[2]) // two digits each
		min, _ := strconv.Atoi(m[3])
		east := h*3600 + min*60
		if m[1] == "-" {
			east = -east
		}
		return time.FixedZone("UTC"+name, east), nil
	}
	if name == "local" {
		return time.Local, nil
	}
	if at, err := time.LoadLocation(name); err == nil && name != "" {
		return at, nil
	}
	return nil, fmt.Errorf(`zone is %q: want "local", an offset such as +08:00, or a name that this machine knows such as Asia/Shanghai`, name)
}

// Location is [Config.Zone]: where the house's days begin. UTC when it cannot be read, which [Load] refuses.
func (c *Config) Location() *time.Location {
	at, err := zone(c.Zone)
	if err != nil {
		return time.UTC
	}
	return at
}
