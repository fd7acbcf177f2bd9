package configs

import (
	"errors"
	"fmt"
	"time"
)

// Interpreter bounds code_interpreter.
type Interpreter struct {
	Python string        `yaml:"python"` // name or path; "": the system's, else the embedded one; off: none
	Time   time.Duration `yaml:"time"`
	Memory int64         `yaml:"memory"` // bytes
	Disk   int64         `yaml:"disk"`   // bytes
	Output int64         `yaml:"output"` // bytes
	Files  int           `yaml:"files"`
	AtOnce int           `yaml:"at_once"`
}

func (i Interpreter) check() error {
	var errs []error
	if i.Time < time.Second || i.Time > 30*time.Minute {
		errs = append(errs, fmt.Errorf("interpreter.time is %v: want 1s to 30m", i.Time))
	}
	if i.Memory < 64<<20 || i.Disk < 1<<20 || i.Output < 1<<10 {
		errs = append(errs, errors.New("interpreter.memory must be 67108864 (64 MiB) or more, interpreter.disk 1048576 (1 MiB), interpreter.output 1024"))
	}
	if i.Files < 1 || i.Files > 64 || i.AtOnce < 1 {
		errs = append(errs, errors.New("interpreter.files must be 1 to 64, interpreter.at_once 1 or more"))
	}
	return errors.Join(errs...)
}
