package oauth

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/hmap-project/hmap/bus"
)

// Kept are the tokens of a person who signed in, in a file that only its owner may read. The file is the truth: processes that share the
// folder share the tokens, and a sign-in of one is seen by the others at their next request. Safe from many goroutines and processes.
type Kept struct {
	path   string
	server string
}

// NewKept is the place of a server's tokens in a folder, which need not be there yet. Tokens that were got for another address than server
// are never given for it. name must be one of a file.
func NewKept(folder, name, server string) *Kept {
	return &Kept{path: filepath.Join(folder, name+".json"), server: server}
}

// login is what the file holds.
type login struct {
	Server   string `json:"server"` // for whose address, and nobody else's
	Resource string `json:"resource"`
	Issuer   string `json:"issuer"`
	TokenURL string `json:"token_url"`
	Revoke   string `json:"revoke,omitempty"`
	Client   Client `json:"client"`
	Tokens   tokens `json:"tokens"`
}

// Mark changes whenever somebody signs in or out; "": nobody is signed in.
func (k *Kept) Mark() string {
	info, err := os.Stat(k.path)
	if err != nil {
		return ""
	}
	return fmt.Sprint(info.ModTime().UnixNano(), info.Size())
}

// load is what was kept for this server; nil with no error: nothing.
func (k *Kept) load() (*login, error) {
	text, err := os.ReadFile(k.path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var l login
	if err := json.Unmarshal(text, &l); err != nil || !sendable(l.Tokens.Access) || Secure(l.TokenURL) != nil {
		return nil, fmt.Errorf("%w: %s cannot be read", ErrLogin, k.path)
	}
	if l.Server != k.server {
		return nil, nil
	}
	return &l, nil
}

// save replaces the file whole; who calls it has the lock.
func (k *Kept) save(l *login) error {
	text, err := json.MarshalIndent(l, "", "  ")
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(k.path), ".new-*") // readable by its owner only
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), k.path)
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return err
}

// Token gives the token, got anew from the refresh token when it is at its end or was refused.
func (k *Kept) Token(ctx context.Context, refused string) (string, error) {
	l, err := k.load()
	switch {
	case err != nil:
		return "", err
	case l == nil && refused != "": // signed out meanwhile
		return "", ErrLogin
	case l == nil:
		return "", nil
	case l.Tokens.good(refused):
		return l.Tokens.Access, nil
	case l.Tokens.Refresh == "":
		return "", ErrLogin
	}
	ctx, cancel := context.WithTimeoutCause(ctx, askWithin, errors.New("no token came in time"))
	defer cancel()
	unlock, err := k.lock(ctx)
	if err != nil {
		return "", err
	}
	defer unlock()
	if l, err = k.load(); err != nil || l == nil { // whoever had the lock may have changed it
		return "", errors.Join(ErrLogin, err)
	}
	if l.Tokens.good(refused) {
		return l.Tokens.Access, nil
	}
	got, err := exchange(ctx, road(ctx, k.server), l.TokenURL, l.Client, url.Values{"grant_type": {"refresh_token"}, "refresh_token": {l.Tokens.Refresh}, "resource": {l.Resource}})
	var no *refusal
	switch {
	case errors.As(err, &no) && no.final():
		return "", errors.Join(fmt.Errorf("%w again: %w", ErrLogin, err), os.Remove(k.path))
	case err != nil:
		return "", err
	case got.Refresh == "": // the old one stays good
		got.Refresh = l.Tokens.Refresh
	}
	l.Tokens = got
	if err := k.save(l); err != nil { // the old refresh token may be worth nothing now
		return "", fmt.Errorf("the new token cannot be kept: %w", err)
	}
	return got.Access, nil
}

// lockLook is how often who waits for the lock looks at it.
const lockLook = 20 * time.Millisecond

// lock makes this one of all processes the only one that changes the file: a refresh token may be good for one use.
func (k *Kept) lock(ctx context.Context) (unlock func(), err error) {
	if err := os.MkdirAll(filepath.Dir(k.path), 0o700); err != nil {
		return nil, err
	}
	for {
		f, err := bus.LockFile(k.path+".lock", false)
		if err == nil {
			return func() { _ = f.Close() }, nil // closing lets it go
		}
		if !errors.Is(err, bus.ErrLocked) {
			return nil, err
		}
		select {
		case <-time.After(lockLook):
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// Forget signs out: the tokens are revoked where that is offered, and gone from the file in any case. False: nobody was signed in. The
// error says that they could not be removed, or that they may be good until they end.
func (k *Kept) Forget(ctx context.Context) (bool, error) {
	if k.Mark() == "" {
		return false, nil
	}
	unlock, err := k.lock(ctx) // or who gets a new token now would keep it afterwards
	if err != nil {
		return true, err
	}
	there := k.Mark() != ""
	l, err := k.load()
	gone := os.Remove(k.path)
	unlock()
	if gone != nil && !errors.Is(gone, os.ErrNotExist) {
		return there, gone
	}
	if err != nil || l == nil || l.Revoke == "" {
		return there, nil
	}
	form := url.Values{"token": {l.Tokens.Access}, "token_type_hint": {"access_token"}}
	if l.Tokens.Refresh != "" { // what was got by it ends with it (RFC 7009, 2.1)
		form = url.Values{"token": {l.Tokens.Refresh}, "token_type_hint": {"refresh_token"}}
	}
	if err := revoke(ctx, road(ctx, k.server), l.Revoke, l.Client, form); err != nil {
		return true, fmt.Errorf("the tokens are removed here, but could not be revoked: %w", err)
	}
	return true, nil
}

func revoke(ctx context.Context, web *http.Client, at string, c Client, form url.Values) error {
	if err := Secure(at); err != nil {
		return err
	}
	authorization := c.sign(form)
	ctx, cancel := context.WithTimeout(ctx, askWithin)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, at, strings.NewReader(form.Encode()))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if authorization != "" {
		r.Header.Set("Authorization", authorization)
	}
	resp, err := web.Do(r)
	if err != nil {
		return err
	}
	_ = resp.Body.Close() // it says nothing (RFC 7009, 2.2)
	if resp.StatusCode/100 != 2 {
		return fmt.Errorf("%s answers %d", hostOf(at), resp.StatusCode)
	}
	return nil
}
