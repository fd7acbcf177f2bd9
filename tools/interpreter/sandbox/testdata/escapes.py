# What a hostile program would try. Each attempt prints "ESCAPED <name>" when it came through. The arguments are what the test has set up
# outside: its process id, a folder that everybody may write, with a secret and a socket in it, ports, an abstract socket, an open file.
import ctypes, json, os, signal, socket, sys

outside = json.loads(sys.argv[1])
libc = ctypes.CDLL(None, use_errno=True)
tried = 0


def attempt(name):
    def run(f):
        global tried
        tried += 1
        try:
            if f():
                print("ESCAPED", name, flush=True)
        except (OSError, MemoryError):
            pass
    return run


def call(amd64, arm64, *args):
    """Makes a system call by its number; whether it came through."""
    number = amd64 if os.uname().machine == "x86_64" else arm64
    return libc.syscall(number, *args) != -1


def text(path):
    with open(path, "rb") as f:
        return f.read()


def wrote(path):
    with open(path, "w") as f:
        f.write("x")
    os.remove(path)
    return True


def segment():
    made = libc.syscall(29 if os.uname().machine == "x86_64" else 194, 0, 4096, 0o1600)
    return made != -1 and call(31, 195, made, 0, 0)  # and away with it


def connected(kind, address):
    s = socket.socket(kind[0], kind[1])
    s.settimeout(2)
    s.connect(address)
    return s.send(b"x") == 1


attempt("read /etc/passwd")(lambda: text("/etc/passwd"))
attempt("read a file outside")(lambda: text(outside["folder"] + "/secret"))
attempt("see a file outside")(lambda: os.path.exists(outside["folder"]))
attempt("see the homes")(lambda: os.path.exists("/home") or os.path.exists("/root"))
attempt("list processes")(lambda: os.listdir("/proc"))
attempt("environment of the parent")(lambda: text("/proc/%d/environ" % outside["pid"]))
attempt("own environment")(lambda: text("/proc/self/environ"))
attempt("a variable of the parent")(lambda: "SANDBOX_TEST_SECRET" in os.environ)
attempt("an open file of the parent")(lambda: os.fstat(outside["fd"]))
attempt("write outside")(lambda: wrote(outside["folder"] + "/mine"))
attempt("write into the system")(lambda: wrote("/usr/mine"))
attempt("write at the root")(lambda: wrote("/mine"))
attempt("write shared memory")(lambda: wrote("/dev/shm/mine"))
attempt("TCP")(lambda: connected((socket.AF_INET, socket.SOCK_STREAM), ("127.0.0.1", outside["tcp"])))
attempt("UDP")(lambda: connected((socket.AF_INET, socket.SOCK_DGRAM), ("127.0.0.1", outside["udp"])))
attempt("unix socket")(lambda: connected((socket.AF_UNIX, socket.SOCK_STREAM), outside["folder"] + "/socket"))
attempt("abstract socket")(lambda: connected((socket.AF_UNIX, socket.SOCK_STREAM), "\0" + outside["abstract"]))
attempt("listen")(lambda: socket.create_server(("127.0.0.1", 0)))
attempt("raw netlink")(lambda: socket.socket(16, socket.SOCK_RAW, 0))
attempt("datagram pair")(lambda: socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM))
attempt("signal to the parent")(lambda: os.kill(outside["pid"], 0) is None)
attempt("priority of the parent")(lambda: os.getpriority(os.PRIO_PROCESS, outside["pid"]) is not None)
attempt("name of the machine")(lambda: os.uname().nodename == outside["host"])
attempt("ptrace")(lambda: call(101, 117, 0, 0, 0, 0))
attempt("memory of the parent")(lambda: call(310, 270, outside["pid"], 0, 0, 0, 0, 0))
attempt("user namespace")(lambda: call(272, 97, 0x10000000))
attempt("user namespace by clone")(lambda: call(56, 220, 0x10000000 | signal.SIGCHLD, 0, 0, 0, 0))
attempt("keyring")(lambda: call(250, 219, 0, -3, 1))
attempt("io_uring")(lambda: call(425, 425, 8, ctypes.create_string_buffer(256)))
attempt("memory that is nobody's")(lambda: call(319, 279, b"x", 0))
attempt("shared memory segment")(segment)
attempt("userfaultfd")(lambda: call(323, 282, 1))
attempt("inotify")(lambda: call(294, 26, 0))
attempt("pidfd")(lambda: call(434, 434, os.getpid(), 0))
attempt("mount")(lambda: call(165, 40, b"none", b"/tmp", b"tmpfs", 0, 0))
attempt("chroot")(lambda: call(161, 51, b"/tmp"))
attempt("device")(lambda: os.mknod("disk", 0o600 | 0o060000, os.makedev(8, 0)) is None)
attempt("become root")(lambda: os.setuid(0) is None)
attempt("terminal input")(lambda: call(16, 29, 0, 0x5412, b"x"))

# A program that keeps privileges could make files of any owner.
attempt("capabilities")(lambda: libc.prctl(23, 21, 0, 0, 0) == 1 and os.chown("a.txt", 0, 0) is None)
print("tried", tried)
