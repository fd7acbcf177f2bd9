package configs

import (
	"bytes"
	_ "embed"
	"fmt"
	"os"
	"strings"
)

//go:embed phrases.yaml
var phrases []byte

// DefaultPhrases are the phrases that are built in, as YAML with comments.
func DefaultPhrases() []byte { return bytes.Clone(phrases) }

// Phrase is something that people say, and what it means in the words of the cards. phrases.yaml says how one is written.
type Phrase struct {
	Say    string   `yaml:"say"`    // a regular expression (RE2)
	Means  string   `yaml:"means"`  // what stands for it; ${1} is its first group
	Not    string   `yaml:"not"`    // a regular expression that its first group that is not empty must not hold; "": none
	Where  []string `yaml:"where"`  // a card of the house must speak of one of these words; nil: any house
	Unless string   `yaml:"unless"` // a regular expression that the request must not hold; "": none
}

// phraseFile is what phrases.yaml holds. An entry with phrases of its own is a group, whose where and unless are theirs.
type phraseFile struct {
	Terms   map[string]string `yaml:"terms"` // parts of expressions, which stand for {name} in them
	Phrases []struct {
		Phrase `yaml:",inline"`
		Group  []Phrase `yaml:"phrases"`
	} `yaml:"phrases"`
}

// Phrasebook are the phrases in their order: those of the file of [Config.Phrases], then those built in. Errors name the file.
func (c *Config) Phrasebook() ([]Phrase, error) {
	var own []Phrase
	if c.Phrases != "" {
		text, err := os.ReadFile(c.Phrases)
		if err != nil {
			return nil, err
		}
		if own, err = readPhrases(text); err != nil {
			return nil, fmt.Errorf("%s: %w", c.Phrases, err)
		}
	}
	built, err := readPhrases(phrases)
	if err != nil {
		return nil, fmt.Errorf("phrases.yaml, which is built in: %w", err)
	}
	return append(own, built...), nil
}

func readPhrases(text []byte) ([]Phrase, error) {
	var f phraseFile
	if err := decode(text, &f); err != nil {
		return nil, err
	}
	var pairs []string
	for name, part := range f.Terms {
		pairs = append(pairs, "{"+name+"}", part)
	}
	terms := strings.NewReplacer(pairs...)
	var all []Phrase
	for i, e := range f.Phrases {
		group := e.Group
		switch {
		case e.Say == "" && len(group) == 0:
			return nil, fmt.Errorf("phrase %d has neither say nor phrases", i+1)
		case e.Say != "" && len(group) > 0:
			return nil, fmt.Errorf("phrase %d has both say and phrases", i+1)
		case e.Say != "":
			group = []Phrase{e.Phrase}
		}
		for _, p := range group {
			if len(e.Group) > 0 && (len(p.Where) > 0 || p.Unless != "") {
				return nil, fmt.Errorf("phrase %d: where and unless stand with the group", i+1)
			}
			if p.Say == "" || p.Means == "" {
				return nil, fmt.Errorf("phrase %d lacks say or means", i+1)
			}
			p.Where, p.Unless = e.Where, terms.Replace(e.Unless)
			p.Say, p.Not = terms.Replace(p.Say), terms.Replace(p.Not)
			all = append(all, p)
		}
	}
	return all, nil
}
