package configs

import (
	"testing"

	"go.uber.org/goleak"
)

// Nothing goes on when the tests have ended.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
