// Package configs is the one configuration of hmap: one Config, one Load. Defaults are the files in this folder, which are
// embedded; a file of the user's is laid over them, and the environment over that. Keys that no line of code reads are refused.
package configs

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"time"

	"github.com/goccy/go-yaml"
)

//go:embed hmap.yaml
var defaults []byte

// VendorURL is the base_url of hmap.yaml. A model there cannot be used without a key; one at another address may need none.
const VendorURL = "https://api.openai.com/v1"

// NoShop as shop leaves out the demo shop, its rules, and the agents that have nothing else.
const NoShop = "none"

// Default is the commented default configuration, as YAML.
func Default() []byte { return bytes.Clone(defaults) }

// Config is everything that can be set. hmap.yaml says what each key means, in which unit, and why one would change it.
type Config struct {
	Tenant    string           `yaml:"tenant"`
	Zone      string           `yaml:"zone"` // see [Config.Location]
	Data      string           `yaml:"data"`
	Listen    string           `yaml:"listen"`
	Origins   []string         `yaml:"origins"`
	NATS      NATS             `yaml:"nats"`
	Limits    Limits           `yaml:"limits"`
	Gateway   Gateway          `yaml:"gateway"`
	Retention Retention        `yaml:"retention"`
	Learning  string           `yaml:"learning"` // on or off
	Models    map[string]Model `yaml:"models"`
	Mind      Mind             `yaml:"mind"`
	Employees Employees        `yaml:"employees"`
	Mask      Mask             `yaml:"mask"`
	Agents    string           `yaml:"agents"`
	Prompts   string           `yaml:"prompts"`
	Phrases   string           `yaml:"phrases"` // a file, see [Config.Phrasebook]
	Shop      string           `yaml:"shop"`    // a file, or [NoShop] in any case
	Knowledge string           `yaml:"knowledge"`
	MCP       MCP              `yaml:"mcp"`

	Interpreter Interpreter `yaml:"interpreter"`
	Search      Search      `yaml:"search"`
	// MessageInterval are stream modes, by tool, as bus.ParseStreamMode reads them.
	MessageInterval map[string]string `yaml:"message_interval"`
}

// NATS says where the bus is.
type NATS struct {
	Listen   string `yaml:"listen"`
	URL      string `yaml:"url"`
	Creds    string `yaml:"creds"`
	CA       string `yaml:"ca"`
	Cert     string `yaml:"cert"`
	Key      string `yaml:"key"`
	Replicas int    `yaml:"replicas"`
	Sync     string `yaml:"sync"`
}

// Limits bound what one node takes on.
type Limits struct {
	Tasks       int           `yaml:"tasks"`
	Calls       int           `yaml:"calls"`
	Queue       int           `yaml:"queue"`
	ToolCalls   int           `yaml:"tool_calls"`
	ToolWaiting int           `yaml:"tool_waiting"`
	Lease       time.Duration `yaml:"lease"`
	Drain       time.Duration `yaml:"drain"`
	AskTTL      time.Duration `yaml:"ask_ttl"`
	EmbedWait   time.Duration `yaml:"embed_wait"`
	Observe     int           `yaml:"observe"`
	History     int           `yaml:"history"`
}

// Gateway bounds what one gateway takes on.
type Gateway struct {
	Connections int   `yaml:"connections"`
	PerAddress  int   `yaml:"per_address"` // 0: no bound
	Sessions    int   `yaml:"sessions"`
	Upload      int64 `yaml:"upload"` // bytes of one file
}

// Retention says how long sessions are kept; zero is for ever.
type Retention struct {
	Age   time.Duration `yaml:"age"`
	Bytes int64         `yaml:"bytes"`
}

// Model is one language model endpoint that speaks the OpenAI protocol.
type Model struct {
	BaseURL     string         `yaml:"base_url"`
	KeyEnv      string         `yaml:"key_env"`
	Name        string         `yaml:"name"`
	Fallbacks   []string       `yaml:"fallbacks"`
	Strategy    string         `yaml:"strategy"`
	Temperature *float32       `yaml:"temperature"`
	MaxTokens   int            `yaml:"max_tokens"`
	Timeout     time.Duration  `yaml:"timeout"`
	Stream      *bool          `yaml:"stream"` // nil: true
	PriceIn     float64        `yaml:"price_in"`
	PriceOut    float64        `yaml:"price_out"`
	Extra       map[string]any `yaml:"extra"`
}

// Load reads the configuration: the defaults, then the file at path (missing only if path is ""), then the environment
// variables OPENAI_BASE_URL and DEFAULT_MODEL for the model named "default". Errors name the file, line and key.
func Load(path string) (*Config, error) {
	var c Config
	if err := decode(defaults, &c); err != nil {
		return nil, fmt.Errorf("built-in configuration: %w", err)
	}
	if path != "" {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		// Models are laid over key by key, so that a file can change one field of the default model.
		before := c.Models
		c.Models = nil
		if err := decode(text, &c); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		if c.Models, err = overlay(text, before); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	m := c.Models["default"]
	if v := os.Getenv("OPENAI_BASE_URL"); v != "" {
		m.BaseURL = v
	}
	if v := os.Getenv("DEFAULT_MODEL"); v != "" {
		m.Name = v
	}
	if c.Models == nil {
		c.Models = map[string]Model{}
	}
	c.Models["default"] = m
	if c.Data == "" {
		dir, err := stateDir()
		if err != nil {
			return nil, err
		}
		c.Data = dir
	}
	return &c, c.check()
}

func overlay(text []byte, models map[string]Model) (map[string]Model, error) {
	file := struct {
		Models map[string]yaml.MapSlice `yaml:"models"`
	}{}
	if err := yaml.Unmarshal(text, &file); err != nil {
		return nil, err
	}
	for name, keys := range file.Models {
		m := models[name]
		raw, err := yaml.Marshal(keys)
		if err != nil {
			return nil, err
		}
		if err := decode(raw, &m); err != nil {
			return nil, fmt.Errorf("models.%s: %w", name, err)
		}
		models[name] = m
	}
	return models, nil
}

func (c *Config) check() error {
	var errs []error
	bad := func(format string, a ...any) { errs = append(errs, fmt.Errorf(format, a...)) }
	if c.NATS.Sync != "always" && c.NATS.Sync != "interval" {
		bad(`nats.sync is %q: want "always" or "interval"`, c.NATS.Sync)
	}
	if strings.EqualFold(c.Shop, NoShop) {
		c.Shop = NoShop
	}
	if c.Shop == NoShop && c.Knowledge != "" {
		bad("knowledge is %q beside shop: none, which leaves out the rules of the shop: put texts of another trade under search.folders, or take out one of the two", c.Knowledge)
	}
	if c.NATS.Replicas < 0 || c.NATS.Replicas > 5 {
		bad("nats.replicas is %d: want 1 to 5, or 0 for three on a cluster and one on a single server", c.NATS.Replicas)
	}
	if (c.NATS.Cert == "") != (c.NATS.Key == "") {
		bad("nats.cert and nats.key belong together: set both")
	}
	if c.Limits.Drain < 0 {
		bad("limits.drain is %v: want 0 (hand over at once) or more", c.Limits.Drain)
	}
	if c.Limits.Tasks < 1 || c.Limits.Calls < 1 || c.Limits.Queue < 1 {
		bad("limits.tasks, limits.calls and limits.queue must be 1 or more")
	}
	if c.Limits.ToolCalls < 1 || c.Limits.ToolWaiting < 0 {
		bad("limits.tool_calls must be 1 or more, limits.tool_waiting 0 (none waits) or more")
	}
	if c.Gateway.Connections < 1 || c.Gateway.Sessions < 1 || c.Gateway.PerAddress < 0 {
		bad("gateway.connections and gateway.sessions must be 1 or more, gateway.per_address 0 (no bound) or more")
	}
	if c.Gateway.Upload < 1 || c.Gateway.Upload > 64<<20 {
		bad("gateway.upload is %d: want 1 to %d bytes, the most that a file may have", c.Gateway.Upload, 64<<20)
	}
	if c.Limits.EmbedWait <= 0 {
		bad("limits.embed_wait is %v: want more than 0, e.g. 300ms; to do without an embedding model give models.embedding no name", c.Limits.EmbedWait)
	}
	if c.Limits.Lease < time.Second {
		bad("limits.lease is %v: want 1s or more, the least that NATS keeps", c.Limits.Lease)
	}
	if c.Limits.AskTTL <= 0 || c.Limits.Observe < 200 || c.Limits.History < 100 {
		bad("limits.ask_ttl must be over 0, limits.observe 200 or more, limits.history 100 or more")
	}
	if c.Retention.Age < 0 || c.Retention.Bytes < 0 {
		bad("retention.age and retention.bytes must be 0 (for ever) or more")
	}
	if _, err := zone(c.Zone); err != nil {
		errs = append(errs, err)
	}
	if c.Learning != "on" && c.Learning != "off" {
		bad("learning is %q: want on or off", c.Learning)
	}
	if err := c.Mask.check(); err != nil {
		errs = append(errs, err)
	}
	if err := c.Employees.check(c.Models); err != nil {
		errs = append(errs, err)
	}
	if err := c.Mind.check(c.Models); err != nil {
		errs = append(errs, err)
	}
	if err := c.Search.check(); err != nil {
		errs = append(errs, err)
	}
	if err := c.MCP.check(); err != nil {
		errs = append(errs, err)
	}
	if err := c.Interpreter.check(); err != nil {
		errs = append(errs, err)
	}
	for name, m := range c.Models {
		if m.Strategy != "function_call" && m.Strategy != "struct_parse" && m.Strategy != "" {
			bad(`models.%s.strategy is %q: want "function_call" or "struct_parse"`, name, m.Strategy)
		}
	}
	return errors.Join(errs...)
}

// decode is strict: a key that is not a field is an error that shows the line.
func decode(text []byte, into any) error {
	err := yaml.NewDecoder(bytes.NewReader(text), yaml.Strict()).Decode(into)
	if errors.Is(err, io.EOF) { // nothing but comments
		return nil
	}
	if wrong := (*yaml.TypeError)(nil); errors.As(err, &wrong) && wrong.DstType == reflect.TypeFor[time.Duration]() {
		return fmt.Errorf("a time has a unit, as in 5s or 500ms: %w", err)
	}
	return err
}

// stateDir is where data live by default: $XDG_STATE_HOME/hmap or ~/.local/state/hmap.
func stateDir() (string, error) {
	if d := os.Getenv("XDG_STATE_HOME"); filepath.IsAbs(d) {
		return filepath.Join(d, "hmap"), nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("no home directory to keep data in; name one with --data: %w", err)
	}
	return filepath.Join(home, ".local", "state", "hmap"), nil
}

// readDir gives the YAML files of a folder, by name.
func readDir(f fs.FS) (map[string][]byte, error) {
	names, err := fs.Glob(f, "*.yaml")
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for _, n := range names {
		if files[n], err = fs.ReadFile(f, n); err != nil {
			return nil, err
		}
	}
	return files, nil
}
