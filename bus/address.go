package bus

import (
	"fmt"
	"net/url"
	"strings"
)

// where names the server by its address, without the secrets that a URL may hold.
func (o *Options) where() string {
	if o.Server != nil {
		return "the embedded server"
	}
	return strings.ReplaceAll(Redact(o.URL), "nats://", "")
}

// checkURL looks at the servers before the library does, whose errors repeat a URL with its secret. What cannot be read is not shown as
// it stands: the secret may be what is wrong with it.
func (o *Options) checkURL() error {
	for part := range strings.SplitSeq(o.URL, ",") {
		full := strings.TrimSpace(part)
		if !strings.Contains(full, "://") {
			full = "nats://" + full
		}
		// With an "@" left outside the user's part, the secret has been taken for the host.
		if u, err := url.Parse(full); err != nil || strings.Contains(u.Host+u.Path+u.RawQuery+u.Fragment, "@") {
			return fmt.Errorf("%q is not the address of a server: want nats://host:port or nats://token@host:port, "+
				"with special characters of the token as %%40 and the like", Redact(part))
		}
	}
	return nil
}

// Redact is a NATS URL, or several with commas, as it may be shown: without users, passwords and tokens.
func Redact(url string) string {
	parts := strings.Split(url, ",")
	for i, part := range parts {
		scheme, rest, ok := strings.Cut(strings.TrimSpace(part), "://")
		if !ok {
			scheme, rest = "", scheme
		} else {
			scheme += "://"
		}
		parts[i] = scheme + rest[strings.LastIndexByte(rest, '@')+1:]
	}
	return strings.Join(parts, ",")
}
