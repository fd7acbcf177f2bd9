package configs

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Employees says whether tools have role names, and who chooses them.
type Employees struct {
	Names string `yaml:"names"` // on or off
	// Model names the model, by its name in models, that chooses names for the task at hand; "": the built-in ones.
	Model string `yaml:"model"`
}

// check says what is wrong; nil if nothing is.
func (e *Employees) check(models map[string]Model) error {
	if e.Names != "on" && e.Names != "off" {
		return fmt.Errorf("employees.names is %q: want on or off", e.Names)
	}
	if _, there := models[e.Model]; e.Model != "" && !there {
		return fmt.Errorf("employees.model is %q, but models has only %s", e.Model, strings.Join(slices.Sorted(maps.Keys(models)), ", "))
	}
	return nil
}
