package bus

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"
)

const toolsStream = "KV_" + ToolsBucket

func (b *Bus) savedSubject(name string) string {
	return "$KV." + ToolsBucket + "." + b.o.Tenant + "." + name
}

// SavedTool gives the saved tool of a name as the leader of the bucket has it; [ErrNotFound] when there is none, or not any more.
func (b *Bus) SavedTool(ctx context.Context, name string) (SavedTool, error) {
	t, _, err := b.savedTool(ctx, name)
	if err == nil && (t.Name == "" || t.Gone) {
		err = ErrNotFound
	}
	if err != nil {
		return SavedTool{}, fmt.Errorf("saved tool %.80s: %w", name, err)
	}
	return t, nil
}

// savedTool gives also what is left of one that was removed, and revision 0 for one that never was.
func (b *Bus) savedTool(ctx context.Context, name string) (t SavedTool, revision uint64, err error) {
	if err := required("name", name); err != nil {
		return t, 0, err
	}
	for n := 0; ; n++ {
		m, err := b.lastOf(ctx, toolsStream, b.savedSubject(name))
		switch {
		case errors.Is(err, ErrNotFound):
			return t, 0, nil
		case err == nil:
			t, _ = parseSaved(m.Subject, m.Data) // one that cannot be read is gone
			return t, m.Sequence, nil
		case hopeless(err) || !b.again(ctx, n):
			return t, 0, err
		}
	}
}

// parseSaved reads what the bucket has under a subject. What is damaged, or of an hmap to come, can be replaced, and not run: with an error the tool is
// gone, and of what stands there only the version counts.
func parseSaved(subject string, body []byte) (SavedTool, error) {
	var t SavedTool
	name := subject[strings.LastIndexByte(subject, '.')+1:]
	err := json.Unmarshal(body, &t)
	if err == nil && t.Name != name {
		err = fmt.Errorf("it says that its name is %.80q", t.Name)
	}
	if err == nil {
		err = t.Check()
	}
	if err != nil {
		return SavedTool{Name: name, Version: max(t.Version, 0), Gone: true}, err
	}
	return t, nil
}

// KeepTool keeps a saved tool for all nodes, in the place of the version over; 0: the name must be free. It comes back with its new version and time.
// [ErrFenced] when the name stands at another version: somebody else was faster, read it anew. An error of [SavedTool.Check]; [ErrBusy] when
// there are [MaxSavedTools].
func (b *Bus) KeepTool(ctx context.Context, t SavedTool, over int) (SavedTool, error) {
	if err := t.Check(); err != nil {
		return t, err
	}
	if over == 0 {
		all, err := b.SavedTools(ctx)
		if err != nil {
			return t, err
		}
		if len(all) >= MaxSavedTools {
			return t, fmt.Errorf("save tool %s: there are %d already; remove one first: %w", t.Name, len(all), ErrBusy)
		}
	}
	return b.replaceTool(ctx, t, over)
}

// RemoveTool takes a saved tool away; its name and version stay, so that the next of that name has a version of its own. [ErrNotFound].
func (b *Bus) RemoveTool(ctx context.Context, name string) error {
	for {
		t, err := b.SavedTool(ctx, name)
		if err != nil {
			return err
		}
		if _, err = b.replaceTool(ctx, SavedTool{Name: name, Gone: true}, t.Version); !errors.Is(err, ErrFenced) {
			return err
		}
	}
}

func (b *Bus) replaceTool(ctx context.Context, t SavedTool, over int) (SavedTool, error) {
	old, revision, err := b.savedTool(ctx, t.Name)
	if err != nil {
		return t, fmt.Errorf("save tool %s: %w", t.Name, err)
	}
	stands := old.Version
	if old.Gone {
		stands = 0
	}
	if stands != over {
		return t, fmt.Errorf("save tool %s: the name stands at version %d and not %d: %w", t.Name, stands, over, ErrFenced)
	}
	t.Version, t.Saved = old.Version+1, time.Now().UTC()
	body, err := encode(t)
	if err == nil {
		err = b.checkSize(body)
	}
	if err == nil {
		_, err = b.swap(ctx, b.savedSubject(t.Name), body, revision)
	}
	if errors.Is(err, ErrFenced) { // it may have been ourselves, after an acknowledgement that was lost
		if m, failed := b.lastOf(ctx, toolsStream, b.savedSubject(t.Name)); failed == nil && bytes.Equal(m.Data, body) {
			err = nil
		}
	}
	if err != nil {
		return t, fmt.Errorf("save tool %s: %w", t.Name, err)
	}
	return t, nil
}

// SavedTools lists the saved tools, by name.
func (b *Bus) SavedTools(ctx context.Context) ([]SavedTool, error) {
	var all []SavedTool
	for t, err := range b.FollowTools(ctx) {
		switch {
		case err != nil:
			return nil, err
		case t.Name == "":
			slices.SortFunc(all, func(a, b SavedTool) int { return strings.Compare(a.Name, b.Name) })
			return all, nil
		}
		all = slices.DeleteFunc(all, func(old SavedTool) bool { return old.Name == t.Name })
		if !t.Gone {
			all = append(all, t)
		}
	}
	return nil, fmt.Errorf("saved tools: %w", errors.Join(b.ended(ctx), errors.New("the list ended early")))
}

// FollowTools gives the saved tools that there are, then one without a name, then each that is saved, changed or removed (Gone), until ctx ends or
// the server refuses. What cannot be read counts as removed.
func (b *Bus) FollowTools(ctx context.Context) iter.Seq2[SavedTool, error] {
	return func(yield func(SavedTool, error) bool) {
		for m, err := range b.tail(ctx, toolsStream, []string{b.savedSubject("*")}, 0) {
			if err != nil {
				yield(SavedTool{}, fmt.Errorf("saved tools: %w", err))
				return
			}
			var t SavedTool
			if !m.caughtUp {
				subject := m.msg.Subject()
				if t, err = parseSaved(subject, m.msg.Data()); err != nil {
					b.log.Warn("bus: a saved tool cannot be read", "subject", subject, "err", err)
				}
			}
			if !yield(t, nil) {
				return
			}
		}
	}
}
