package mcp

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func TestBounded(t *testing.T) {
	for _, c := range []struct {
		ends int
		text string
		ok   bool
	}{
		{byLine, "12345678\n12345678\n", true}, {byLine, "1234\n56789012345\n", false}, {byLine, strings.Repeat("1\n", 100), true}, {byLine, "12345678901", false},
		{byBlank, "data: 1\n\ndata: 2\n\n", true}, {byBlank, "data:1\r\n\r\ndata:2\r\n", true}, {byBlank, "data: 1\ndata: 2\n", false}, {byBlank, "\n\n\n\n\n\n\n\n\n\n\n\n", true},
		{byEnd, "1\n2\n3\n4\n5\n", true}, {byEnd, "1\n2\n3\n4\n5\n\n", false},
	} {
		for name, way := range map[string]func(io.Reader) io.Reader{"at once": func(r io.Reader) io.Reader { return r }, "byte by byte": iotest.OneByteReader} {
			got, err := io.ReadAll(&bounded{ReadCloser: io.NopCloser(way(strings.NewReader(c.text))), ends: c.ends, most: 10, says: errFlood})
			if c.ok && (err != nil || string(got) != c.text) || !c.ok && !errors.Is(err, errFlood) {
				t.Errorf("%d %q %s: %q %v", c.ends, c.text, name, got, err)
			}
		}
	}
}
