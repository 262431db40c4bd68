"""Launcher of programs of any language: builds them, and runs them once per case. Standard library only.

What it tells are answers: the program has the same user, and could speak in its place. It knows no expected value.
Before each case it empties every folder that can be written to, and after each it kills every other process: no case finds
what another has left.
"""
import _signal as signal  # `signal`, `selectors` and `subprocess` take longer to import than all else that this does.
import binascii
import os
import select
import sys
import time

from launch import ANSWERS, REQUESTS, launch
from lines import make

WORK, CASE = '/box/work', '/box/case'
#: Every folder of the box that can be written to.
WRITABLE = ('/box', '/dev/shm')
ECHO_BYTES = 4096
#: Bytes of files in one message, and most files.
PART_BYTES, MAX_PARTS = 512 * 1024, 1000
PIPE_BYTES = 64 * 1024
#: Time for processes that a program leaves behind to finish what they print, and how often its end is looked for.
GRACE_SECONDS, POLL_SECONDS = 0.2, 0.05


def encode(content):
    return binascii.b2a_base64(content, newline=False).decode()


def write(folder, files):
    """Writes the files of a program, or of a case. In the place of a mode, a build has links and empty folders."""
    for path, content, mode, first in files:
        path = os.path.join(folder, path)
        os.makedirs(path if mode == 'folder' else os.path.dirname(path), exist_ok=True)
        if mode == 'folder':
            continue
        if mode == 'link':
            os.symlink(os.fsdecode(content), path)
            continue
        with open(path, 'wb' if first else 'ab') as file:
            file.write(content)
        os.chmod(path, mode)


def decode(files):
    return [(path, binascii.a2b_base64(content), mode, first) for path, content, mode, first in files]


def parts_of(folder):
    """The files below a folder in parts: path, base64, mode, whether it is the first part."""
    for top, folders, names in os.walk(folder):
        for name in folders + names:
            path = os.path.join(top, name)
            if os.path.islink(path):
                target = os.readlink(path)
                # The program runs in another folder than it is built in.
                if target.startswith(folder + '/'):
                    target = os.path.relpath(target, top)
                yield [os.path.relpath(path, folder), encode(os.fsencode(target)), 'link', True]
                continue
            if os.path.isdir(path) and not os.listdir(path):
                yield [os.path.relpath(path, folder), '', 'folder', True]
            if not os.path.isfile(path):
                continue
            # Owner and judge read it again.
            mode = os.lstat(path).st_mode & 0o755 | 0o600
            with open(path, 'rb') as file:
                first = True
                while True:
                    content = file.read(PART_BYTES)
                    if content or first:
                        yield [os.path.relpath(path, folder), encode(content), mode, first]
                    if len(content) < PART_BYTES:
                        break
                    first = False


def pack(parts):
    """The next files of a build, and whether there are more."""
    found, size = [], 0
    for part in parts:
        found.append(part)
        size += len(part[1]) + len(part[0])
        if size >= PART_BYTES or len(found) >= MAX_PARTS:
            return {'parts': found, 'more': True}
    return {'parts': found, 'more': False}


class Output:
    """What a program prints on one stream: the first and the last bytes of it."""

    def __init__(self, first, last):
        self.first, self.last, self.head, self.tail = first, last, bytearray(), bytearray()

    def add(self, data):
        self.head += data[:max(0, self.first - len(self.head))]
        self.tail = (self.tail + data)[-self.last:] if self.last else self.tail


class Program:
    """A program that was started, and our ends of its streams."""

    def __init__(self, argv, folder):
        self.code = None
        (given, self.stdin), (self.stdout, out), (self.stderr, err) = os.pipe(), os.pipe(), os.pipe()
        # A new process begins where this one is.
        os.chdir(folder)
        try:
            streams = [(os.POSIX_SPAWN_DUP2, file, number) for number, file in enumerate((given, out, err))]
            own = [(os.POSIX_SPAWN_CLOSE, file) for file in (REQUESTS, ANSWERS)]
            self.pid = os.posix_spawnp(argv[0], argv, os.environ, file_actions=streams + own,
                                       setsigdef=(signal.SIGPIPE, signal.SIGXFSZ))
        except OSError:
            self.close()
            raise
        finally:
            os.chdir('/')
            for file in (given, out, err):
                os.close(file)

    def poll(self, options=os.WNOHANG):
        """The exit code, or None while it runs."""
        if self.code is None:
            pid, status = os.waitpid(self.pid, options)
            if pid != 0:
                self.code = os.waitstatus_to_exitcode(status)
        return self.code

    def kill(self):
        if self.poll() is None:
            os.kill(self.pid, signal.SIGKILL)

    def end_input(self):
        os.close(self.stdin)
        self.stdin = None

    def close(self):
        for file in (self.stdin, self.stdout, self.stderr):
            if file is not None:
                os.close(file)


def pump(child, stdin, streams, most):
    """Feeds a program and reads what it prints, until it has ended and its streams have, or it has printed too much.

    Processes that it leaves behind may hold its streams open: they have a moment to finish what they print.
    """
    rest, deadline, waited = memoryview(stdin), None, select.poll()
    for file in streams:
        waited.register(file, select.POLLIN)
    open_files = set(streams)
    if rest:
        os.set_blocking(child.stdin, False)
        waited.register(child.stdin, select.POLLOUT)
        open_files.add(child.stdin)
    else:
        child.end_input()
    while open_files:
        for file, _ in waited.poll(POLL_SECONDS * 1000):
            if file == child.stdin:
                try:
                    rest = rest[os.write(file, rest[:PIPE_BYTES]):]
                except BlockingIOError:
                    continue
                except OSError:
                    rest = rest[:0]
                if rest:
                    continue
                waited.unregister(file)
                open_files.discard(file)
                child.end_input()
                continue
            data = os.read(file, PIPE_BYTES)
            if data:
                streams[file].add(data)
            else:
                waited.unregister(file)
                open_files.discard(file)
        if len(streams[child.stdout].head) > most:
            child.kill()
            return
        if child.poll() is not None:
            now = time.monotonic()
            deadline = deadline or now + GRACE_SECONDS
            if now >= deadline:
                return


def end_all():
    """Kills every other process of the box: whatever a program has left behind."""
    try:
        os.kill(-1, signal.SIGKILL)
    except ProcessLookupError:
        return
    while True:
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return


def start(argv, folder, stdin, most):
    """Runs one command, and ends what it leaves running. Of its output, one byte more than `most` shows that there was more."""
    try:
        child = Program(argv, folder)
    except OSError as error:
        return {'error': '%s: %s' % (argv[0], error.strerror)}
    out, err = Output(most + 1, 0), Output(ECHO_BYTES * 16, ECHO_BYTES)
    try:
        pump(child, stdin, {child.stdout: out, child.stderr: err}, most)
        child.close()
        child.poll(0)
    finally:
        end_all()
    os.write(2, err.head)
    return {'code': child.code, 'out': encode(out.head),
            'err': encode(err.tail)}


def empty(top):
    """Removes everything below a folder, whatever its depth and its permissions, or raises OSError."""
    pending = [top]
    while pending:
        folder = pending.pop()
        with os.scandir(folder) as entries:
            found = list(entries)
        for entry in found:
            if not entry.is_dir(follow_symlinks=False):
                os.unlink(entry.path)
                continue
            # Folders are moved up, so that no path becomes too long; a program cannot know the name in advance.
            os.chmod(entry.path, 0o700)
            aside = '%s/%s' % (top, os.urandom(16).hex())
            os.rename(entry.path, aside)
            pending.append(aside)
        if folder != top:
            os.rmdir(folder)


def prepare():
    """Leaves nothing in the box of what an earlier case has written."""
    for folder in WRITABLE:
        # Engines of containers make it another user's, whose permissions no program can change.
        if os.stat(folder).st_uid == os.getuid():
            os.chmod(folder, 0o755)
        empty(folder)
    for folder in ('/box/tmp', '/box/home'):
        os.mkdir(folder)


def read(folder, limits):
    """Files that a program has written, by name; False for one that is larger than its limit."""
    found = {}
    for name, limit in limits.items():
        path = os.path.join(folder, name)
        if os.path.isfile(path) and not os.path.islink(path):
            with open(path, 'rb') as file:
                content = file.read(limit + 1)
            found[name] = len(content) <= limit and encode(content)
    return found


def is_installed(name):
    return any(os.access(os.path.join(folder, name), os.X_OK) for folder in os.environ.get('PATH', os.defpath).split(':'))


def handle(request, state):
    if 'which' in request:
        return {'installed': is_installed(request['which'])}
    if 'unpack' in request:
        # Kept where no program can change it.
        state['files'] += decode(request['unpack'])
        return {'unpacked': True}
    if 'build' in request:
        prepare()
        os.mkdir(WORK)
        write(WORK, state.pop('files'))
        return start(request['build'], WORK, b'', request['most'])
    if 'pack' in request:
        if request['pack']:
            state['parts'] = parts_of(WORK)
        return pack(state['parts'])
    prepare()
    os.mkdir(CASE)
    write(CASE, state['files'])
    write(CASE, decode(request['files']))
    told = start(request['run'], CASE, binascii.a2b_base64(request['stdin']), request['most'])
    told['files'] = read(CASE, request['read'])
    return told


def main():
    requests = os.fdopen(REQUESTS, 'r', encoding='utf-8')
    dumps, loads = make()

    def answer(reply):
        line = dumps(reply).encode() + b'\n'
        while line:
            line = line[os.write(ANSWERS, line):]

    packages = os.environ.pop('JUDGE_PACKAGES', None)
    if packages is not None:
        os.environ['PYTHONPATH'] = packages
    launch(loads, requests, answer)
    # A handler, unlike ignoring it, is not passed on to programs.
    signal.signal(signal.SIGINT, lambda *_: None)
    state = {'files': []}
    for line in requests:
        request = loads(line)
        try:
            reply = handle(request, state)
        except Exception as error:
            reply = {'error': '%s: %s' % (type(error).__name__, error)}
        reply['id'] = request['id']
        answer(reply)
    sys.stdout.flush()
    os._exit(0)


if __name__ == '__main__':
    main()
