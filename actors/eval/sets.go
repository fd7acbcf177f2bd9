package eval

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan"
	"github.com/hmap-project/hmap/bus"
)

// Set is requests with the plans that are wanted for them.
type Set struct {
	Name string
	// Cards are on offer to every case that has none of its own.
	Cards []bus.Card
	Cases []Case
	// First: a case says the set of the first tools of its plans, and nothing else of them counts. ECom-Bench is judged so: a script does
	// not tell which call serves which of its intents.
	First bool
}

// Case is one row of a set.
type Case struct {
	ID string
	// Requests are planned each by itself. There is one, but in a set with First.
	Requests []string
	// Context is what is known beside the requests.
	Context string
	Cards   []bus.Card
	Wanted  []plan.Call
}

// Names of the development sets.
const (
	NesTools  = "nestools"
	SealTools = "seal-tools"
	EComBench = "ecom-bench"
)

// Names lists the sets that [Open] knows.
var Names = []string{NesTools, SealTools, EComBench}

// Open reads a development set from its folder in dir, with the files that the package comment names. NesTools is two sets: with the right
// tools given, and with all candidates.
func Open(dir, name string) ([]Set, error) {
	dir = filepath.Join(dir, name)
	switch name {
	case NesTools:
		all, err := Read(filepath.Join(dir, "requests.jsonl"), filepath.Join(dir, "gold.jsonl"), "")
		if err != nil {
			return nil, err
		}
		all.Name = "NesTools, six candidates a tool"
		given := given(all)
		given.Name = "NesTools, right tools given"
		return []Set{given, all}, nil
	case SealTools:
		s, err := Read(filepath.Join(dir, "dev.jsonl"), filepath.Join(dir, "dev.jsonl"), filepath.Join(dir, "catalogue.jsonl"))
		s.Name = "Seal-Tools"
		return []Set{s}, err
	case EComBench:
		s, err := ecom(filepath.Join(dir, "tasks.jsonl"), filepath.Join(dir, "tools.json"))
		return []Set{s}, err
	}
	return nil, fmt.Errorf("there is no set %.80q; want some of %v", name, Names)
}

// given is the set with none but the right tools on offer to each case.
func given(s Set) Set {
	s.Cases = slices.Clone(s.Cases)
	for i, c := range s.Cases {
		right := Take(c.Wanted).Tools
		s.Cases[i].Cards = slices.DeleteFunc(slices.Clone(c.Cards), func(c bus.Card) bool { return !slices.Contains(right, c.Name) })
	}
	return s
}

// request is a line of a file of requests.
type request struct {
	ID      json.RawMessage `json:"id"`
	Request string          `json:"request"`
	Context string          `json:"context"`
	Tools   json.RawMessage `json:"tools"`
}

// own reads the cards that came with the request; own is false when none did.
func (r request) own() (cards []bus.Card, rejects []plan.Reject, own bool, err error) {
	if r.Tools == nil || string(r.Tools) == "null" {
		return nil, nil, false, nil
	}
	var raws []json.RawMessage
	if err := json.Unmarshal(r.Tools, &raws); err != nil {
		return nil, nil, true, errors.New(`"tools" is no array of cards`)
	}
	cards, rejects = parse(raws, func(int) string { return "" })
	return cards, rejects, true, nil
}

// wanted is a line of a file of wanted plans. Tools alone are enough.
type wanted struct {
	ID        json.RawMessage `json:"id"`
	Calls     []plan.Call     `json:"calls"`
	ToolsUsed []string        `json:"tools_used"`
}

// Read makes a set of a file of requests, as `hmap plan --batch` takes them, and one of wanted plans, as it writes them, joined by their
// ids; a wanted plan may be "tools_used", names alone, and both files may be one. tools is a file of cards for requests that bring none;
// "" when all do. A request without a wanted plan, a plan without its request and an id that comes twice are errors; a line of plans with
// neither calls nor tools_used wants no tool.
func Read(requests, gold, tools string) (Set, error) {
	s := Set{Name: filepath.Base(requests)}
	if tools != "" {
		var err error
		if s.Cards, _, err = Catalogue(tools); err != nil {
			return s, err
		}
	}
	plans := map[string][]plan.Call{}
	err := rows(gold, func(w wanted) error {
		id := string(w.ID)
		if _, twice := plans[id]; twice {
			return fmt.Errorf("the id %.80s comes twice", id)
		}
		plans[id] = w.Calls
		for _, name := range w.ToolsUsed {
			plans[id] = append(plans[id], plan.Call{ToolName: name})
		}
		return nil
	})
	if err != nil {
		return s, err
	}
	unused := len(plans)
	seen := map[string]bool{}
	err = rows(requests, func(r request) error {
		id := string(r.ID)
		calls, ok := plans[id]
		switch {
		case !ok:
			return fmt.Errorf("%s has no plan for the id %.80s", gold, id)
		case seen[id]:
			return fmt.Errorf("the id %.80s comes twice", id)
		}
		seen[id] = true
		unused--
		c := Case{ID: strings.Trim(id, `"`), Requests: []string{r.Request}, Context: r.Context, Wanted: calls}
		var own bool
		var err error
		if c.Cards, _, own, err = r.own(); err != nil {
			return err
		}
		if !own && tools == "" {
			return errors.New("the request has no tools, and no file of cards was given")
		}
		s.Cases = append(s.Cases, c)
		return nil
	})
	if err == nil && unused > 0 {
		err = fmt.Errorf("%s has %d plans without a request in %s", gold, unused, requests)
	}
	if err == nil && len(s.Cases) == 0 {
		err = fmt.Errorf("%s is empty", requests)
	}
	return s, err
}

// Catalogue reads the cards of a file, or of all .json and .jsonl files of a folder in the order of their names. Rejects are the cards that
// cannot be read, as [Cards] tells of them.
func Catalogue(path string) (cards []bus.Card, rejects []plan.Reject, err error) {
	files := []string{path}
	if fs, err := os.Stat(path); err == nil && fs.IsDir() {
		if files, err = inFolder(path); err != nil {
			return nil, nil, err
		}
	}
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			return nil, nil, err
		}
		some, bad, err := Cards(f, name)
		f.Close()
		if err != nil && !(errors.Is(err, ErrNoCards) && len(files) > 1) {
			return nil, nil, err
		}
		cards, rejects = append(cards, some...), append(rejects, bad...)
	}
	return cards, rejects, nil
}

func inFolder(dir string) ([]string, error) {
	all, err := os.ReadDir(dir)
	var files []string
	for _, e := range all {
		if ext := filepath.Ext(e.Name()); e.Type()&fs.ModeType == 0 && (ext == ".json" || ext == ".jsonl") {
			files = append(files, filepath.Join(dir, e.Name()))
		}
	}
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("%s: %w: the folder has no .json or .jsonl file", dir, ErrNoCards)
	}
	return files, err
}
