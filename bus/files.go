package bus

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
	"unicode"

	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nuid"
)

// MaxFile is the most one artifact may have, in bytes.
const MaxFile = 64 << 20

// refPrefix marks a reference to an artifact: the id after it is all it takes to get it, for somebody of the same tenant.
const refPrefix = "obj:"

// Files keeps the tenant's artifacts by reference, so that messages stay small.
type Files struct{ bus *Bus }

// Files are the artifacts of the bus's tenant.
func (b *Bus) Files() *Files { return &Files{b} }

// Put stores what r gives, to its end, and returns the reference. The name is for people: its last path element, without control
// characters, at most 200 bytes, "file" if nothing is left. [ErrTooLarge] above [MaxFile]. When r fails or ctx ends nothing is kept; when the connection is lost or the
// process dies in the middle, pieces that nobody can reach may stay in the store. Storing the same twice makes two artifacts.
func (f *Files) Put(ctx context.Context, name, mediaType, description string, r io.Reader) (File, error) {
	id := nuid.Next()
	name = fileName(name)
	store, err := f.bus.js.ObjectStore(ctx, FilesStore)
	if err != nil {
		return File{}, fmt.Errorf("put %s: %w", name, err)
	}
	// The store cleans up with the context it was given, so that one must not end; the reader ends it.
	info, err := store.Put(context.WithoutCancel(ctx), jetstream.ObjectMeta{Name: f.object(id), Description: description,
		Metadata: map[string]string{"name": name, "type": mediaType}}, &bounded{ctx: ctx, r: r, left: MaxFile})
	if err != nil {
		return File{}, fmt.Errorf("put %s: %w", name, err)
	}
	return File{Ref: refPrefix + id, Name: name, Type: mediaType, Bytes: int64(info.Size), Description: description}, nil
}

// Get opens an artifact. The caller closes it. Reading fails when ctx ends, and at the end when the content is not what was stored.
// [ErrNotFound] when the tenant has none of that reference.
func (f *Files) Get(ctx context.Context, ref string) (io.ReadCloser, File, error) {
	store, id, err := f.find(ctx, ref)
	if err != nil {
		return nil, File{}, err
	}
	o, err := store.Get(ctx, f.object(id))
	if err != nil {
		return nil, File{}, f.failed("get", ref, err)
	}
	info, err := o.Info()
	if err != nil {
		return nil, File{}, errors.Join(f.failed("get", ref, err), o.Close())
	}
	return o, File{Ref: ref, Name: info.Metadata["name"], Type: info.Metadata["type"], Bytes: int64(info.Size), Description: info.Description}, nil
}

// Delete removes an artifact for everybody. [ErrNotFound] when it is not there.
func (f *Files) Delete(ctx context.Context, ref string) error {
	store, id, err := f.find(ctx, ref)
	if err != nil {
		return err
	}
	info, err := store.GetInfo(ctx, f.object(id))
	if err != nil {
		return f.failed("delete", ref, err)
	}
	s, err := f.bus.js.Stream(ctx, "OBJ_"+FilesStore)
	if err != nil {
		return f.failed("delete", ref, err)
	}
	// The store's own Delete would leave a mark for each file that ever was. Subjects as in NATS ADR-20; the name goes first, so that
	// what is cut in the middle cannot be got.
	for _, subject := range []string{".M." + base64.URLEncoding.EncodeToString([]byte(f.object(id))), ".C." + info.NUID} {
		if err := s.Purge(ctx, jetstream.WithPurgeSubject("$O."+FilesStore+subject)); err != nil {
			return f.failed("delete", ref, err)
		}
	}
	return nil
}

func (f *Files) find(ctx context.Context, ref string) (jetstream.ObjectStore, string, error) {
	id, ok := strings.CutPrefix(ref, refPrefix)
	if !ok || !ValidToken(id) {
		return nil, "", fmt.Errorf("reference %.80q: want %s and an id: %w", ref, refPrefix, ErrNotFound)
	}
	store, err := f.bus.js.ObjectStore(ctx, FilesStore)
	if err != nil {
		return nil, "", fmt.Errorf("files: %w", err)
	}
	return store, id, nil
}

// object is the name in the store; with the tenant in it, no reference leads to another's.
func (f *Files) object(id string) string { return f.bus.o.Tenant + "/" + id }

func (f *Files) failed(what, ref string, err error) error {
	if errors.Is(err, jetstream.ErrObjectNotFound) {
		err = ErrNotFound
	}
	return fmt.Errorf("%s %s: %w", what, ref, err)
}

func fileName(name string) string {
	name = path.Base(strings.ReplaceAll(strings.ToValidUTF8(name, ""), `\`, "/"))
	name = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == '/' {
			return -1
		}
		return r
	}, name)
	if len(name) > 200 {
		ext := path.Ext(name)
		if len(ext) > 20 {
			ext = ""
		}
		name = strings.ToValidUTF8(name[:200-len(ext)], "") + ext
	}
	if strings.Trim(name, ". ") == "" {
		return "file"
	}
	return name
}

// bounded reads at most left bytes, and fails where [io.LimitReader] would pretend that the end has come. It fills the buffer it is given,
// because the store makes a message of every read; not by [io.ReadFull], which takes an [io.ErrUnexpectedEOF] of the reader's own for a last short piece: what was
// cut off would be kept as if it were whole.
type bounded struct {
	ctx  context.Context // of the Put it lives in
	r    io.Reader
	left int64
}

func (b *bounded) Read(p []byte) (n int, err error) {
	if err := b.ctx.Err(); err != nil {
		return 0, err
	}
	for n < len(p) && err == nil {
		var more int
		more, err = b.r.Read(p[n:])
		n += more
	}
	if b.left -= int64(n); b.left < 0 {
		return 0, fmt.Errorf("more than %d bytes: %w", MaxFile, ErrTooLarge)
	}
	return n, err
}
