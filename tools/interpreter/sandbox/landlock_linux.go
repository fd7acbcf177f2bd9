//go:build amd64 || arm64

package sandbox

import (
	"fmt"
	"unsafe"

	"golang.org/x/sys/unix"
)

// What Landlock knows by its version (https://docs.kernel.org/userspace-api/landlock.html). All that it knows is forbidden but for what
// landlock allows.
const (
	read  = unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_READ_DIR
	write = unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_REMOVE_DIR | unix.LANDLOCK_ACCESS_FS_REMOVE_FILE |
		unix.LANDLOCK_ACCESS_FS_MAKE_DIR | unix.LANDLOCK_ACCESS_FS_MAKE_REG | unix.LANDLOCK_ACCESS_FS_MAKE_FIFO | unix.LANDLOCK_ACCESS_FS_MAKE_SYM
	first = read | write | unix.LANDLOCK_ACCESS_FS_MAKE_CHAR | unix.LANDLOCK_ACCESS_FS_MAKE_BLOCK | unix.LANDLOCK_ACCESS_FS_MAKE_SOCK
)

// landlock shuts this thread in: it may read what it sees, and write in /work and /tmp.
func landlock() error {
	version, _, no := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if no != 0 {
		return fmt.Errorf("Landlock: %w", no)
	}
	handled := unix.LandlockRulesetAttr{Handled_access_fs: first}
	writes := uint64(write)
	if version >= 2 {
		handled.Handled_access_fs |= unix.LANDLOCK_ACCESS_FS_REFER
		writes |= unix.LANDLOCK_ACCESS_FS_REFER
	}
	if version >= 3 {
		handled.Handled_access_fs |= unix.LANDLOCK_ACCESS_FS_TRUNCATE
		writes |= unix.LANDLOCK_ACCESS_FS_TRUNCATE
	}
	if version >= 4 {
		handled.Handled_access_net = unix.LANDLOCK_ACCESS_NET_BIND_TCP | unix.LANDLOCK_ACCESS_NET_CONNECT_TCP
	}
	if version >= 5 {
		handled.Handled_access_fs |= unix.LANDLOCK_ACCESS_FS_IOCTL_DEV
	}
	if version >= 6 {
		handled.Scoped = unix.LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET | unix.LANDLOCK_SCOPE_SIGNAL
	}
	rules, _, no := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&handled)), unsafe.Sizeof(handled), 0)
	if no != 0 {
		return fmt.Errorf("Landlock: %w", no)
	}
	defer unix.Close(int(rules))
	for _, rule := range []struct {
		path    string
		allowed uint64
	}{
		{"/", read},
		{Dir, read | writes},
		{"/tmp", read | writes},
		{"/dev/null", unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_WRITE_FILE},
	} {
		if err := allow(int(rules), rule.path, rule.allowed); err != nil {
			return fmt.Errorf("Landlock: %s: %w", rule.path, err)
		}
	}
	if _, _, no := unix.Syscall(unix.SYS_LANDLOCK_RESTRICT_SELF, rules, 0, 0); no != 0 {
		return fmt.Errorf("Landlock: %w", no)
	}
	return nil
}

func allow(rules int, path string, allowed uint64) error {
	fd, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	beneath := unix.LandlockPathBeneathAttr{Allowed_access: allowed, Parent_fd: int32(fd)}
	if _, _, no := unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE, uintptr(rules), unix.LANDLOCK_RULE_PATH_BENEATH, uintptr(unsafe.Pointer(&beneath)), 0, 0, 0); no != 0 {
		return no
	}
	return nil
}
