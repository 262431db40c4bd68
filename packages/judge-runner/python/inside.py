"""Measures a box from inside, where the box has a kernel of its own, which shows nothing of it to the machine outside.

Runs in the launcher, before anything that is judged. Reports facts, which the judge compares with what must be there. What
may be fatal is tried in a child process. Python 3.9 or newer, standard library only.
"""
import ctypes
import os
import resource

PR_GET_NO_NEW_PRIVS = 39
CLONE_NEWUSER = 0x10000000
AF_INET, SOCK_STREAM = 2, 1
LIMITS = ('CORE', 'CPU', 'FSIZE', 'NOFILE', 'MEMLOCK')


def read(path):
    with open(path) as file:
        return file.read()


def is_open(descriptor):
    try:
        os.fstat(descriptor)
        return True
    except OSError:
        return False  # The one that listed the folder.


def can_write(folder):
    path = folder.rstrip('/') + '/.judge-probe'
    try:
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    except OSError:
        return False
    os.unlink(path)
    return True


def outcome(attempt):
    """Tries something in a child process: 'done', 'refused', or the number of the signal that ended it."""
    child = os.fork()
    if child == 0:
        try:
            done = attempt()
        except BaseException:
            done = False
        os._exit(0 if done else 1)
    status = os.waitpid(child, 0)[1]
    if os.WIFSIGNALED(status):
        return os.WTERMSIG(status)
    return 'done' if os.WEXITSTATUS(status) == 0 else 'refused'


def look(narrow, forbidden, folders):
    """
    narrow: loads the second filter. forbidden: the number of a call that the first filter allows and the second does not.
    folders: where nothing may be written.
    """
    libc = ctypes.CDLL(None, use_errno=True)

    def network():
        # Not every filter of an engine can look at a call's arguments; the second one does.
        narrow()
        return libc.socket(AF_INET, SOCK_STREAM, 0) >= 0

    def forbidden_call():
        narrow()
        # An operation that no kernel has: refused at once, if it gets so far.
        libc.syscall(forbidden, 0xffff, 0, 0)
        return True

    return {
        'status': read('/proc/self/status'),
        'mounts': read('/proc/self/mountinfo'),
        'interfaces': [line.split(':')[0].strip() for line in read('/proc/net/dev').splitlines()[2:]],
        'processes': [int(name) for name in os.listdir('/proc') if name.isdigit()],
        'descriptors': [int(name) for name in os.listdir('/proc/self/fd') if is_open(int(name))],
        'environment': sorted(os.environ),
        'noNewPrivileges': libc.prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0),
        'limits': {name: resource.getrlimit(getattr(resource, 'RLIMIT_' + name))[1] for name in LIMITS},
        'written': [folder for folder in folders if can_write(folder)],
        'network': outcome(network),
        'namespace': outcome(lambda: libc.unshare(CLONE_NEWUSER) == 0),
        'forbidden': outcome(forbidden_call),
    }
