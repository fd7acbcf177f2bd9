package configs

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"
)

//go:embed agents/*.yaml
var agents embed.FS

// Agent is one agent of the team. All agents are the same actor; this is what they differ by.
type Agent struct {
	// Name is the agent's name on the bus.
	Name string `yaml:"name"`
	// Title is what people see, by language ("zh", "en").
	Title map[string]string `yaml:"title"`
	// Description says what the agent is for, to whoever plans: the planner and language models alike.
	Description string `yaml:"description"`
	// Skills are lines of what it can do. The planner matches requests against them.
	Skills []string `yaml:"skills"`
	Tags   []string `yaml:"tags"`
	// Entry agents take tasks from users, and from nobody else; the others take calls from agents, and from nobody else.
	Entry bool `yaml:"entry"`
	// Prompt names the prompt file, prompts/<language>/<prompt>.md.
	Prompt string `yaml:"prompt"`
	// Model names an entry of models in the configuration.
	Model string `yaml:"model"`
	// Tools and Agents are the names it may call. "*" is everything of that kind that is there.
	Tools  []string `yaml:"tools"`
	Agents []string `yaml:"agents"`
	// Shop: it has the demo shop to work with and nothing else.
	Shop bool `yaml:"shop"`
	// Mode is auto, react or plan.
	Mode   string `yaml:"mode"`
	Budget Budget `yaml:"budget"`
}

// Budget is what one request to the agent may use, with everything below it; 0: no bound of its own.
type Budget struct {
	Rounds  int     `yaml:"rounds"`
	Tokens  int     `yaml:"tokens"`
	Seconds float64 `yaml:"seconds"`
	Money   float64 `yaml:"money"`
	Depth   int     `yaml:"depth"`
}

var name = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// Team is [Team] of the configuration: without a shop, nobody who works with it alone.
func (c *Config) Team() ([]Agent, error) {
	team, err := Team(c.Agents)
	if c.Shop == NoShop {
		team = slices.DeleteFunc(team, func(a Agent) bool { return a.Shop })
	}
	return team, err
}

// Team reads the agents: those that are built in and those in dir ("" for none), where a file of the same name replaces the
// built-in one, and an empty file removes it. The order is by name, entry agents first. Errors name the file.
func Team(dir string) ([]Agent, error) {
	in, err := fs.Sub(agents, "agents")
	if err != nil {
		return nil, err
	}
	files, err := readDir(in)
	if err != nil {
		return nil, err
	}
	if dir != "" {
		own, err := readDir(os.DirFS(dir))
		if err != nil {
			return nil, err
		}
		if len(own) == 0 {
			return nil, fmt.Errorf("agents: no *.yaml file in %s", dir)
		}
		for n, text := range own {
			if files[n] = text; len(strings.TrimSpace(string(text))) == 0 {
				delete(files, n)
			}
		}
	}
	var team []Agent
	var errs []error
	for n, text := range files {
		var a Agent
		if err := decode(text, &a); err != nil {
			errs = append(errs, fmt.Errorf("agents/%s: %w", n, err))
			continue
		}
		if err := a.check(); err != nil {
			errs = append(errs, fmt.Errorf("agents/%s: %w", n, err))
		}
		team = append(team, a)
	}
	slices.SortFunc(team, func(a, b Agent) int {
		if a.Entry != b.Entry {
			if a.Entry {
				return -1
			}
			return 1
		}
		return strings.Compare(a.Name, b.Name)
	})
	seen := map[string]bool{}
	for _, a := range team {
		if seen[a.Name] {
			errs = append(errs, fmt.Errorf("agents: two files are named %q inside", a.Name))
		}
		seen[a.Name] = true
	}
	if len(team) > 0 && !team[0].Entry {
		errs = append(errs, errors.New("agents: none has entry: true, so nobody would take tasks from users"))
	}
	return team, errors.Join(errs...)
}

func (a *Agent) check() error {
	if a.Mode == "" {
		a.Mode = "auto"
	}
	if a.Model == "" {
		a.Model = "default"
	}
	switch {
	case !name.MatchString(a.Name):
		return fmt.Errorf("name is %q: want 1 to 64 of A-Z a-z 0-9 _ -", a.Name)
	case strings.TrimSpace(a.Description) == "":
		return errors.New("description is empty: nobody could choose this agent")
	case !slices.Contains([]string{"auto", "react", "plan"}, a.Mode):
		return fmt.Errorf("mode is %q: want auto, react or plan", a.Mode)
	case a.Prompt == "":
		return errors.New("prompt is empty: name a file of prompts/<language>, without .md")
	}
	return nil
}
