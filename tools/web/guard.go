package web

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"syscall"
	"time"
)

// ErrForbidden is returned for an address that must not be fetched: one inside a private network, with a password in it, of another scheme, or
// on a port that is no web server's. The error that wraps it says which.
var ErrForbidden = errors.New("this address is not fetched")

// closed are the networks inside what netip calls global unicast that are not the public Internet (the IANA special-purpose registries of IPv4 and IPv6).
var closed = prefixes(
	"0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24", "192.31.196.0/24", "192.52.193.0/24",
	"192.88.99.0/24", "192.168.0.0/16", "192.175.48.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
	"64:ff9b::/96", "64:ff9b:1::/48", "100::/64", "2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20", "5f00::/16", "fc00::/7", "fe80::/10", "fec0::/10", "ff00::/8",
)

// internet is where public IPv6 addresses lie.
var internet = netip.MustParsePrefix("2000::/3")

func prefixes(texts ...string) []netip.Prefix {
	var out []netip.Prefix
	for _, t := range texts {
		out = append(out, netip.MustParsePrefix(t))
	}
	return out
}

// Public reports whether an address is one of the public Internet.
func Public(a netip.Addr) bool {
	a = a.Unmap()
	if !a.IsValid() || a.Zone() != "" || !a.IsGlobalUnicast() || a.Is6() && !internet.Contains(a) {
		return false
	}
	for _, p := range closed {
		if p.Contains(a) {
			return false
		}
	}
	return true
}

// guard decides which addresses are connected to. It looks at the address that is really dialled, after the name was resolved: neither a redirect nor
// a name that resolves differently the second time gets past it.
type guard struct{ allow []netip.Prefix }

func (g guard) check(a netip.Addr, port string) error {
	a = a.Unmap()
	for _, p := range g.allow {
		if p.Contains(a) {
			return nil
		}
	}
	if !Public(a) {
		return fmt.Errorf("%w: %v is not on the public Internet", ErrForbidden, a)
	}
	if n, err := strconv.Atoi(port); port != "80" && port != "443" && (err != nil || n < 1024) {
		return fmt.Errorf("%w: port %s is no web server's", ErrForbidden, port)
	}
	return nil
}

// dialer connects within the bound, to what the guard lets through.
func (g guard) dialer(within time.Duration, resolver *net.Resolver) *net.Dialer {
	return &net.Dialer{
		Timeout: within, Resolver: resolver,
		ControlContext: func(_ context.Context, network, address string, _ syscall.RawConn) error {
			to, err := netip.ParseAddrPort(address)
			if err != nil || network != "tcp4" && network != "tcp6" {
				return fmt.Errorf("%w: %s %s", ErrForbidden, network, address)
			}
			return g.check(to.Addr(), fmt.Sprint(to.Port()))
		},
	}
}
