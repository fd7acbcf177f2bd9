package interpreter

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/hmap-project/hmap/tools/interpreter/sandbox"
)

//go:embed runner.py
var runner string

// codeFile is where runner.py finds the code; it is gone before the code begins.
const codeFile = ".code"

// argsFile is where it finds what the code shall find as args; it goes with the code.
const argsFile = ".args"

// python finds the Python that is used, once.
type python struct {
	wanted string
	cache  string // where the one that came with the program is unpacked

	mu    sync.Mutex
	found *installed
}

// installed is a Python that has been seen to run in the sandbox.
type installed struct {
	Path string   // of the program
	Show []string // the folders of its library
	Bare bool     // it needs nothing of the system besides
	hold *os.File // keeps others from removing it, as long as this process lives; nil: nobody would
}

func (i *Interpreter) runPython(ctx context.Context, r *running, code string, args []byte) error {
	p, err := i.python.find(ctx, i.options.Log)
	if err != nil {
		return err
	}
	job := p.job(runner)
	job.Files, job.Limits, job.Output, job.Collect = append(slices.Clone(r.brought), sandbox.File{Name: codeFile, Data: []byte(code)}, sandbox.File{Name: argsFile, Data: args}), i.options.Limits, r.said.write, r.collect
	r.result, err = sandbox.Run(ctx, job)
	return err
}

// job runs a program text. Its environment makes output come at once and in UTF-8, plots without a screen, and one thread of each kind of
// arithmetic, for each more takes address space, which is bounded.
func (p *installed) job(program string) sandbox.Job {
	env := []string{
		"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=/tmp", "TMPDIR=/tmp", "LANG=C.UTF-8", "MPLBACKEND=Agg", "MPLCONFIGDIR=/tmp/matplotlib", "MALLOC_ARENA_MAX=2",
		"OMP_NUM_THREADS=1", "OPENBLAS_NUM_THREADS=1", "MKL_NUM_THREADS=1", "NUMEXPR_NUM_THREADS=1",
	}
	if zone := os.Getenv("TZ"); zone != "" {
		env = append(env, "TZ="+zone)
	}
	return sandbox.Job{Args: []string{p.Path, "-I", "-u", "-B", "-X", "utf8", "-c", program}, Env: env, Show: p.Show, Bare: p.Bare}
}

// find gives the first Python that runs in the sandbox. A failure is looked into again the next time, for it may pass.
func (p *python) find(ctx context.Context, log *slog.Logger) (*installed, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.found != nil {
		return p.found, nil
	}
	candidates := []string{p.wanted}
	switch p.wanted {
	case "off":
		return nil, fmt.Errorf("%w: it is switched off by the configuration (interpreter.python)", sandbox.ErrUnsafe)
	case "":
		candidates = []string{"python3", "/usr/bin/python3", "/usr/local/bin/python3"}
		if release != "" {
			candidates = append(candidates, Embedded)
		}
	}
	var why []string
	for _, c := range candidates {
		found, err := p.try(ctx, c)
		if err == nil {
			log.Info("code_interpreter: Python", slog.String("path", found.Path))
			p.found = found
			return found, nil
		}
		if reason := strings.TrimPrefix(err.Error(), sandbox.ErrUnsafe.Error()+": "); !slices.Contains(why, reason) {
			why = append(why, reason)
		}
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return nil, fmt.Errorf("%w: %s", sandbox.ErrUnsafe, strings.Join(why, "; "))
}

// try asks a Python where it lives, outside, for the machine's own Python is trusted; then it must run inside.
func (p *python) try(ctx context.Context, name string) (*installed, error) {
	if name == Embedded {
		one, err := embedded(p.cache)
		if err != nil {
			return nil, err
		}
		return one, one.runs(ctx)
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return nil, err
	}
	const ask = `import json, site, sys, sysconfig
print(json.dumps({"old": sys.version_info < (3, 8), "path": sys.executable, "show": [sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix] + list(sysconfig.get_paths().values()) + site.getsitepackages() + sys.path}))`
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	text, err := exec.CommandContext(ctx, path, "-I", "-c", ask).Output()
	if err != nil {
		return nil, err
	}
	var told struct {
		Old  bool
		Path string
		Show []string
	}
	if err := json.Unmarshal(text, &told); err != nil {
		return nil, err
	}
	if told.Old {
		return nil, errors.New("older than Python 3.8")
	}
	one := &installed{Path: told.Path, Show: append(libraries(told.Show), "/etc/matplotlibrc")} // where Debian keeps it
	return one, one.runs(ctx)
}

// runs is an error unless it runs in the sandbox.
func (p *installed) runs(ctx context.Context) error {
	var out []byte
	job := p.job("print(6 * 7)")
	job.Limits.Time, job.Output = 20*time.Second, func(b []byte) { out = append(out, b...) }
	r, err := sandbox.Run(ctx, job)
	switch {
	case err != nil:
		return err
	case r.Exit != 0 || strings.TrimSpace(string(out)) != "42":
		return fmt.Errorf("%s did not run in the sandbox: status %d %s", p.Path, r.Exit, out)
	}
	return nil
}

// libraries are the folders that the sandbox does not show anyway, outer ones first, each once. The root is none.
func libraries(paths []string) (show []string) {
	slices.Sort(paths)
	for _, path := range paths {
		path = filepath.Clean(path)
		known := slices.ContainsFunc(append([]string{"/usr"}, show...), func(s string) bool { return path == s || strings.HasPrefix(path, s+"/") })
		if info, err := os.Stat(path); !known && path != "/" && filepath.IsAbs(path) && err == nil && info.IsDir() {
			show = append(show, path)
		}
	}
	return show
}
