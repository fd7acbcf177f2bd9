package bus

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// keepToken reads the token, or makes one of 192 random bits.
func keepToken(path string) (string, error) {
	old, err := os.ReadFile(path)
	if err == nil {
		if token := strings.TrimSpace(string(old)); token != "" {
			return token, nil
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("token: %w", err)
	}
	raw := make([]byte, 24)
	_, _ = rand.Read(raw) // never fails, by its contract
	token := base64.RawURLEncoding.EncodeToString(raw)
	if err := replaceFile(path, []byte(token+"\n")); err != nil {
		return "", fmt.Errorf("token: %w", err)
	}
	return token, nil
}

// natsContext is the part of the nats CLI's context file that we fill.
type natsContext struct {
	Description string `json:"description"`
	URL         string `json:"url"`
	Token       string `json:"token"`
}

// contextFile is where the nats CLI looks for the context "hmap" when XDG_CONFIG_HOME is dir.
func contextFile(dir string) string { return filepath.Join(dir, "nats", "context", "hmap.json") }

func (s *Server) writeContext(addr string) error {
	body, err := json.MarshalIndent(natsContext{"hmap's embedded server", "nats://" + addr, s.token}, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(contextFile(s.dir)), 0o700); err != nil {
		return err
	}
	return replaceFile(contextFile(s.dir), append(body, '\n'))
}

// ReadContext gives the URL (token inside) of the server that listens for the data directory dir. [ErrNotFound] when none does,
// as far as the file tells: after a kill it may name a server that is gone, and connecting fails.
func ReadContext(dir string) (string, error) {
	body, err := os.ReadFile(contextFile(dir))
	if errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("no server listens for %s: %w", dir, ErrNotFound)
	}
	if err != nil {
		return "", fmt.Errorf("connection details: %w", err)
	}
	var c natsContext
	if err := json.Unmarshal(body, &c); err != nil {
		return "", fmt.Errorf("connection details %s: %w", contextFile(dir), err)
	}
	scheme, addr, ok := strings.Cut(c.URL, "://")
	if !ok || c.Token == "" {
		return "", fmt.Errorf("connection details %s: url or token missing", contextFile(dir))
	}
	return scheme + "://" + c.Token + "@" + addr, nil
}
