package configs

import (
	"fmt"
	"slices"
	"strings"
)

// Mask says what is kept from models: placeholders are sent in its place, and what a model writes with them gets the values again.
type Mask struct {
	// Kinds are some of [MaskKinds].
	Kinds []string `yaml:"kinds"`
	// Names and Addresses are masked to the letter.
	Names     []string `yaml:"names"`
	Addresses []string `yaml:"addresses"`
}

// MaskKinds lists what can be masked without being listed itself.
var MaskKinds = []string{"mobile", "id_card", "bank_card", "email"}

// check says what is wrong; nil if nothing is.
func (m *Mask) check() error {
	for _, k := range m.Kinds {
		if !slices.Contains(MaskKinds, k) {
			return fmt.Errorf("mask.kinds has %q: want some of %s", k, strings.Join(MaskKinds, ", "))
		}
	}
	return nil
}
