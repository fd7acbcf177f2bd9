package bus

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/nats-io/nats.go/jetstream"
)

const (
	cacheStream = "KV_" + CacheBucket
	// CacheBytes bounds the cache of all tenants; what was written longest ago goes first. A vector of 1,536 numbers takes 6 KiB, so it holds 10,000 of them.
	CacheBytes = 64 << 20
)

// cacheConfig is a key-value bucket to whoever looks at it with a client, but drops the oldest when it is full, which a bucket cannot be told.
func cacheConfig(replicas int) jetstream.StreamConfig {
	return jetstream.StreamConfig{
		Name: cacheStream, Subjects: []string{"$KV." + CacheBucket + ".>"}, Description: "H-MAP: what can be made again, bounded",
		MaxMsgsPerSubject: 1, MaxBytes: CacheBytes, Discard: jetstream.DiscardOld, AllowRollup: true, DenyDelete: true, AllowDirect: true,
		Retention: jetstream.LimitsPolicy, Duplicates: dedup, Replicas: replicas,
	}
}

// cacheSubject is where the value of a key lies. A key is tokens with dots between.
func (b *Bus) cacheSubject(key string) (string, error) {
	for token := range strings.SplitSeq(key, ".") {
		if !ValidToken(token) {
			return "", fmt.Errorf("cache key %.80q: %w", key, ErrBadName)
		}
	}
	return b.cachePrefix() + key, nil
}

func (b *Bus) cachePrefix() string { return "$KV." + CacheBucket + "." + b.o.Tenant + "." }

// Cached gives what the tenant's cache has under a key, one or more tokens with dots between, and its revision; [ErrNotFound] when there is nothing,
// with the revision of the empty entry that stands where one was, 0 for none: [Bus.Recache] wants it. Nobody vouches for it: it may be gone at any time, damaged, of another program, or what another replica had a moment ago.
func (b *Bus) Cached(ctx context.Context, key string) (body []byte, revision uint64, err error) {
	subject, err := b.cacheSubject(key)
	if err == nil {
		body, revision, err = b.directLast(ctx, cacheStream, subject)
	}
	if err == nil && len(body) == 0 {
		err = ErrNotFound
	}
	if err != nil {
		return nil, revision, fmt.Errorf("cached %s: %w", key, err)
	}
	return body, revision, nil
}

// Cache puts body under a key, whatever is there, and returns its revision. What was written longest ago goes when the cache is full.
func (b *Bus) Cache(ctx context.Context, key string, body []byte) (revision uint64, err error) {
	subject, err := b.cacheSubject(key)
	if err == nil {
		err = b.checkSize(body)
	}
	if err == nil {
		revision, err = b.publish(ctx, message(subject, "", body), nil) // no id: twice is the same as once
	}
	if err != nil {
		return 0, fmt.Errorf("cache %s: %w", key, err)
	}
	return revision, nil
}

// Recache puts body under a key if that is still at revision (0: not there); [ErrFenced] when it is not. Like every swap it may be told so
// although it was stored, after an acknowledgement that was lost.
func (b *Bus) Recache(ctx context.Context, key string, body []byte, revision uint64) (uint64, error) {
	subject, err := b.cacheSubject(key)
	if err == nil {
		err = b.checkSize(body)
	}
	if err == nil {
		revision, err = b.swap(ctx, subject, body, revision)
	}
	if err != nil {
		return 0, fmt.Errorf("cache %s: %w", key, err)
	}
	return revision, nil
}

// AllCached gives each entry whose key is prefix and one more token, the one written longest ago first. body is each's own.
func (b *Bus) AllCached(ctx context.Context, prefix string, each func(last string, body []byte)) error {
	subject, err := b.cacheSubject(prefix)
	if err != nil {
		return err
	}
	take := func(subject string, body []byte) {
		if len(body) > 0 {
			each(subject[strings.LastIndexByte(subject, '.')+1:], body)
		}
	}
	after := uint64(0)
	err = b.fetch(ctx, cacheStream, subject+".*", 0, func(f fetched) {
		after = f.seq
		take(f.subject, f.msg.Data)
	})
	if !errors.Is(err, errOdd) {
		return err
	}
	for m, err := range b.tail(ctx, cacheStream, []string{subject + ".*"}, after) {
		if err != nil || m.caughtUp {
			return err
		}
		take(m.msg.Subject(), m.msg.Data())
	}
	return b.ended(ctx)
}
