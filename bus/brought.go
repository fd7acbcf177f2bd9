package bus

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"
)

// A file comes before the request that names it, and the request may never come. So what is brought is marked in the cache; a submission that names it
// takes the mark away, and the sweep removes what still bears one after a day. The sweep swaps a mark before it removes, so that a submission wins
// that came after the sweep has looked; one that comes after the swap names a file whose day was over, and whoever opens it says that it is gone. Marks that
// are lost with the cache, and submissions that are refused after all, cost room and no file.

// broughtFor is how long a file waits for a request that names it.
const broughtFor = 24 * time.Hour

// brought is the mark of a file that no request has named yet.
type brought struct {
	At time.Time `json:"at"`
}

func broughtKey(ref string) string { return "brought." + ref[len(refPrefix):] }

// Bring is [Files.Put] for a file that a submission is still to name. Within ten minutes after a day without one, a node that runs [Bus.Retain] removes it.
func (f *Files) Bring(ctx context.Context, name, mediaType string, r io.Reader) (File, error) {
	file, err := f.Put(ctx, name, mediaType, "", r)
	if err != nil {
		return File{}, err
	}
	body, err := encode(brought{At: time.Now().UTC()})
	if err == nil {
		_, err = f.bus.Cache(ctx, broughtKey(file.Ref), body)
	}
	if err != nil {
		return File{}, errors.Join(fmt.Errorf("bring %s: %w", name, err), f.Delete(context.WithoutCancel(ctx), file.Ref))
	}
	return file, nil
}

// named takes the marks away from files that a submission names, whether or not they have one: a replica might not know of it yet.
func (f *Files) named(ctx context.Context, files []File) error {
	for _, file := range files {
		if len(file.Ref) <= len(refPrefix) || file.Ref[:len(refPrefix)] != refPrefix || !ValidToken(file.Ref[len(refPrefix):]) {
			continue // whoever opens it says so
		}
		if _, err := f.bus.Cache(ctx, broughtKey(file.Ref), nil); err != nil {
			return fmt.Errorf("keep %s: %w", file.Ref, err)
		}
	}
	return nil
}

// dropUnnamed removes what was brought before a time and that no submission has named, and reports how many files that were.
func (b *Bus) dropUnnamed(ctx context.Context, before time.Time) (removed int, err error) {
	var old []string
	err = b.AllCached(ctx, "brought", func(id string, body []byte) {
		if unnamedSince(body, before) {
			old = append(old, id)
		}
	})
	errs := []error{err}
	for _, id := range old {
		gone, err := b.dropBrought(ctx, id, before)
		if gone {
			removed++
		}
		errs = append(errs, err, ctx.Err())
	}
	return removed, errors.Join(errs...)
}

func unnamedSince(mark []byte, before time.Time) bool {
	var m brought
	return object(mark, &m) == nil && m.At.Before(before)
}

func (b *Bus) dropBrought(ctx context.Context, id string, before time.Time) (bool, error) {
	key := "brought." + id
	mark, revision, err := b.Cached(ctx, key)
	if errors.Is(err, ErrNotFound) || err == nil && !unnamedSince(mark, before) {
		return false, nil
	}
	if err == nil {
		revision, err = b.Recache(ctx, key, mark, revision)
	}
	if errors.Is(err, ErrFenced) { // it was named, or somebody else sweeps
		return false, nil
	}
	if err == nil {
		err = b.Files().Delete(ctx, refPrefix+id)
	}
	if err != nil && !errors.Is(err, ErrNotFound) {
		return false, err // the mark goes last, so the next sweep tries again
	}
	if _, err = b.Recache(ctx, key, nil, revision); errors.Is(err, ErrFenced) {
		err = nil
	}
	return true, err
}
