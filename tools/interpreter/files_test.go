package interpreter

import (
	"strings"
	"testing"
)

func TestFilesInAndOut(t *testing.T) {
	t.Parallel()
	for _, language := range []string{"python", "javascript"} {
		t.Run(language, func(t *testing.T) {
			if language == "python" {
				able(t)
			}
			r := newRoom(t, Options{})
			r.give("销售.csv", "a,b\n1,2\n")
			r.give("销售.csv", "a,b\n3,4\n") // the newer one
			other := r.give("other.txt", "x")
			code := "text = open('销售.csv').read()\nopen('out.csv', 'w').write(text.upper())\nprint(text)"
			if language == "javascript" {
				code = "const text = readFile('销售.csv'); writeFile('out.csv', text.toUpperCase()); print(text)"
			}
			o, files := r.outcome(Arguments{Code: code, Language: language})
			if o.Answer != "```\na,b\n3,4\n```" || len(files) != 1 || files[0].Name != "out.csv" || files[0].Type != "text/csv" || len(o.Made) != 1 || o.Made[0].Ref != files[0].Ref {
				t.Fatalf("%+v %+v", o, files)
			}
			if got := r.read(files[0]); string(got) != "A,B\n3,4\n" {
				t.Errorf("%q", got)
			}
			list := "import os; print(sorted(os.listdir('.')))"
			if language == "javascript" {
				list = "print(listFiles().sort())"
			}
			if o, _ := r.outcome(Arguments{Code: list, Language: language}); !strings.Contains(o.Answer, "out.csv") {
				t.Errorf("what one run made is not there in the next: %s", o.Answer)
			}
			if o, _ := r.outcome(Arguments{Code: list, Language: language, Files: []string{other.Ref}}); strings.Contains(o.Answer, "csv") || !strings.Contains(o.Answer, "other.txt") {
				t.Errorf("not only what was named: %s", o.Answer)
			}
			if o, _ := r.outcome(Arguments{Code: list, Language: language, Files: []string{other.Ref, "other.txt"}}); !strings.Contains(o.Answer, "other.txt") {
				t.Errorf("named twice: %s", o.Answer)
			}
			r.give(".env", "x")
			for name, want := range map[string]string{"none.txt": "other.txt", ".env": "such a name"} {
				answer := r.ask(Arguments{Code: list, Language: language, Files: []string{name}}, nil)
				if answer.Error == nil || !strings.Contains(answer.Error.Message, want) {
					t.Errorf("%s: %+v", name, answer.Error)
				}
			}
		})
	}
}

func TestOnlyFilesAreKept(t *testing.T) {
	able(t)
	t.Parallel()
	r := newRoom(t, Options{Keep: 3})
	r.give("same.txt", "same")
	o, files := r.outcome(Arguments{Code: `
import os
os.symlink("/etc/passwd", "link"); os.symlink("/proc/self/environ", "link.txt"); os.mkfifo("pipe"); os.mkdir("folder"); open("folder/in", "w")
open("a\nb", "w"); open("a\u202eb", "w"); open(".hidden", "w"); open("x" * 250, "w"); open("-rf", "w").write("x")
os.link("same.txt", "z-linked.txt")
open("p.png", "wb").write(bytes([137, 80, 78, 71]))
None`})
	var names []string
	for _, f := range files {
		names = append(names, f.Name+" "+f.Type)
	}
	if got := strings.Join(names, ", "); got != "-rf text/plain; charset=utf-8, p.png image/png, z-linked.txt text/plain; charset=utf-8" {
		t.Error(got)
	}
	if !strings.Contains(o.NoteEn, "7 things were not kept") {
		t.Error(o.NoteEn)
	}
	if o, _ = r.outcome(Arguments{Code: "for i in range(3): open('a%d' % i, 'w').write('new')\nNone"}); o.NoteEn != "" {
		t.Errorf("what was there before and has not changed is told as lost: %s", o.NoteEn)
	}
	// Holes and second names take no room inside.
	o, files = r.outcome(Arguments{Code: "import os\nwith open('a', 'w') as f: f.truncate(40 << 20)\nos.link('a', 'b')\nNone"})
	if len(files) != 1 || files[0].Bytes != 40<<20 || !strings.Contains(o.NoteEn, "too large together") {
		t.Errorf("%+v %s", files, o.NoteEn)
	}
	o, files = r.outcome(Arguments{Code: "for i in range(9): open('f%d' % i, 'w').write('x')"})
	if len(files) != 3 || !strings.Contains(o.NoteEn, "were not kept") {
		t.Errorf("%d files %s", len(files), o.NoteEn)
	}
}
