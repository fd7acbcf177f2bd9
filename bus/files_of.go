package bus

import (
	"context"
	"fmt"
)

// Of lists the artifacts of a session in the order in which its log first names them, each once: those that its requests brought, and those that its
// calls made. It reads the whole session. On a cluster it may lack what another node recorded a moment ago; an unknown session has none.
func (f *Files) Of(ctx context.Context, session string) ([]File, error) {
	records, err := f.bus.Read(ctx, Where{Session: session}, 0)
	if err != nil {
		return nil, fmt.Errorf("files of session %.80q: %w", session, err)
	}
	var list []File
	at := map[string]int{}
	add := func(files ...File) {
		for _, file := range files {
			i, seen := at[file.Ref]
			if !seen {
				at[file.Ref] = len(list)
				list = append(list, file)
			} else if list[i].Description == "" { // who looked into it may tell what it holds
				list[i].Description = file.Description
			}
		}
	}
	for _, r := range records {
		if r.Request != nil {
			add(r.Request.Files...)
		}
		if r.File != nil {
			add(*r.File)
		}
		add(r.Files...)
	}
	return list, nil
}
