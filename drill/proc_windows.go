package drill

import (
	"errors"
	"os"
)

// freeze stops a process where it is, which only Unix can.
func freeze(*os.Process) error { return errors.ErrUnsupported }

func thaw(*os.Process) error { return errors.ErrUnsupported }
