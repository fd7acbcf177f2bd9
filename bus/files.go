package bus

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"strconv"
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
	id, pieces := nuid.Next(), nuid.Next()
	name = fileName(name)
	info := jetstream.ObjectInfo{Bucket: FilesStore, NUID: pieces, ObjectMeta: jetstream.ObjectMeta{Name: f.object(id), Description: description,
		Metadata: map[string]string{"name": name, "type": mediaType}, Opts: &jetstream.ObjectMetaOptions{ChunkSize: maxPiece}}}
	if err := f.store(ctx, id, &info, &bounded{ctx: ctx, r: r, left: MaxFile}); err != nil {
		clean, cancel := context.WithTimeout(context.WithoutCancel(ctx), apiTimeout)
		defer cancel()
		if info.Chunks > 0 {
			err = errors.Join(err, f.settle(clean, pieces), f.purge(clean, f.titled(id), ".C."+pieces))
		}
		return File{}, fmt.Errorf("put %s: %w", name, err)
	}
	return File{Ref: refPrefix + id, Name: name, Type: mediaType, Bytes: int64(info.Size), Description: description}, nil
}

// maxPiece is how many bytes of an artifact one message holds, as in NATS ADR-20.
const maxPiece = 128 << 10

// store writes an object as NATS ADR-20 says: its pieces one after the other, then its name, which makes it one. The client's own Put leaves a goroutine behind for
// ever when an answer is faster than its scheduler (nats.go 1.55.0).
func (f *Files) store(ctx context.Context, id string, info *jetstream.ObjectInfo, r io.Reader) error {
	if _, err := f.bus.js.Stream(ctx, "OBJ_"+FilesStore); err != nil { // a piece would be sent to nobody until ctx ends
		return err
	}
	piece, sum := make([]byte, maxPiece), sha256.New()
	for read := error(nil); read == nil; {
		var n int
		if n, read = r.Read(piece); n > 0 {
			sum.Write(piece[:n])
			id := info.NUID + "-" + strconv.FormatUint(uint64(info.Chunks), 10)
			info.Chunks, info.Size = info.Chunks+1, info.Size+uint64(n) // also of one that nobody acknowledges
			if _, err := f.bus.publish(ctx, message("$O."+FilesStore+".C."+info.NUID, id, piece[:n]), nil); err != nil {
				return err
			}
		}
		if read != nil && read != io.EOF {
			return read
		}
	}
	info.Digest = jetstream.GetObjectDigestValue(sum)
	body, err := json.Marshal(info)
	if err != nil {
		return err
	}
	m := message("$O."+FilesStore+f.titled(id), info.NUID, body)
	m.Header.Set(jetstream.MsgRollup, jetstream.MsgRollupSubject)
	_, err = f.bus.publish(ctx, m, nil)
	return err
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
	if err := f.purge(ctx, f.titled(id), ".C."+info.NUID); err != nil {
		return f.failed("delete", ref, err)
	}
	return nil
}

// settle waits until whatever was sent of an artifact is stored or never will be: a piece whose writer gave up waiting may be on its way, and would come behind a
// purge. A last piece is stored behind all of them.
func (f *Files) settle(ctx context.Context, pieces string) error {
	_, err := f.bus.publish(ctx, message("$O."+FilesStore+".C."+pieces, pieces+"-end", nil), nil)
	return err
}

// purge removes what lies under subjects of the store, in their order. The store's own Delete would leave a mark for each file that ever was; the name
// goes first, so that what is cut in the middle cannot be got.
func (f *Files) purge(ctx context.Context, subjects ...string) error {
	s, err := f.bus.js.Stream(ctx, "OBJ_"+FilesStore)
	for _, subject := range subjects {
		if err == nil {
			err = s.Purge(ctx, jetstream.WithPurgeSubject("$O."+FilesStore+subject))
		}
	}
	return err
}

// titled is the subject of an artifact's name, in the store.
func (f *Files) titled(id string) string {
	return ".M." + base64.URLEncoding.EncodeToString([]byte(f.object(id)))
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
