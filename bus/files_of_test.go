package bus

import (
	"slices"
	"strings"
	"testing"
)

// The files of a session are those that its records name, wherever they stand, in order and each once.
func TestFilesOf(t *testing.T) {
	b := newBus(t)
	ctx := within(t)
	put := func(name string) File {
		return must(b.Files().Put(ctx, name, "text/plain", "", strings.NewReader(name)))
	}
	given, made, answered, other := put("given"), put("made"), put("answered"), put("other")
	var last uint64
	told := given
	told.Description = "what it holds"
	for _, r := range []Record{
		{Kind: KindRequest, Request: &Request{HMAP: Version, Session: "s1", Task: "t1", Call: "t1", Caller: "user", ToolName: "master", JobDesc: "x", Files: []File{given}}},
		{Kind: KindFile, File: &made},
		{Kind: KindResult, Round: 1, Child: "t1-1-0", ToolName: "x", Status: OK, Files: []File{made, answered, told}},
		{Kind: KindResponse, Status: OK, Files: []File{given, answered}},
	} {
		r.Session, r.Task, r.Call = "s1", "t1", "t1"
		last = must(b.Append(ctx, &r, last))
	}
	must(b.Append(ctx, &Record{Kind: KindFile, Session: "s2", Task: "t2", Call: "t2", File: &other}, 0))
	if got := must(b.Files().Of(ctx, "s1")); !slices.Equal(got, []File{told, made, answered}) {
		t.Errorf("%+v", got)
	}
	if got := must(b.Files().Of(ctx, "s3")); len(got) > 0 {
		t.Errorf("%+v", got)
	}
	for _, bad := range []string{"", "*", ">", "s1.t1"} {
		if got, err := b.Files().Of(ctx, bad); err == nil {
			t.Errorf("%q: %+v", bad, got)
		}
	}
}
