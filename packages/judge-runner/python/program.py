"""Launcher of programs of any language: builds them, and runs them once per case. Standard library only.

What it tells are answers: the program has the same user, and could speak in its place. It knows no expected value.
Before each case it empties every folder that can be written to, and after each it kills every other process: no case finds
what another has left.
"""
import base64
import json
import os
import selectors
import signal
import subprocess
import sys
import time

from launch import ANSWERS, REQUESTS, launch

WORK, CASE = '/box/work', '/box/case'
#: Every folder of the box that can be written to.
WRITABLE = ('/box', '/dev/shm')
ECHO_BYTES = 4096
#: Bytes of files in one message, and most files.
PART_BYTES, MAX_PARTS = 512 * 1024, 1000
PIPE_BYTES = 64 * 1024
#: Time for processes that a program leaves behind to finish what they print, and how often its end is looked for.
GRACE_SECONDS, POLL_SECONDS = 0.2, 0.05


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
    return [(path, base64.b64decode(content), mode, first) for path, content, mode, first in files]


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
                yield [os.path.relpath(path, folder), base64.b64encode(os.fsencode(target)).decode(), 'link', True]
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
                        yield [os.path.relpath(path, folder), base64.b64encode(content).decode(), mode, first]
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


def pump(child, stdin, streams, most):
    """Feeds a program and reads what it prints, until it has ended and its streams have, or it has printed too much.

    Processes that it leaves behind may hold its streams open: they have a moment to finish what they print.
    """
    rest, deadline = memoryview(stdin), None
    with selectors.DefaultSelector() as selector:
        for file in streams:
            selector.register(file, selectors.EVENT_READ)
        if rest:
            os.set_blocking(child.stdin.fileno(), False)
            selector.register(child.stdin, selectors.EVENT_WRITE)
        else:
            child.stdin.close()
        while selector.get_map():
            for key, _ in selector.select(POLL_SECONDS):
                file = key.fileobj
                if file is child.stdin:
                    try:
                        rest = rest[os.write(file.fileno(), rest[:PIPE_BYTES]):]
                    except BlockingIOError:
                        continue
                    except OSError:
                        rest = rest[:0]
                    if not rest:
                        selector.unregister(file)
                        file.close()
                    continue
                data = os.read(file.fileno(), PIPE_BYTES)
                if data:
                    streams[file].add(data)
                else:
                    selector.unregister(file)
                    file.close()
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
        child = subprocess.Popen(argv, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    except OSError as error:
        return {'error': '%s: %s' % (argv[0], error.strerror)}
    out, err = Output(most + 1, 0), Output(ECHO_BYTES * 16, ECHO_BYTES)
    try:
        with child.stdin, child.stdout, child.stderr:
            pump(child, stdin, {child.stdout: out, child.stderr: err}, most)
        child.wait()
    finally:
        end_all()
    os.write(2, err.head)
    return {'code': child.returncode, 'out': base64.b64encode(out.head).decode(),
            'err': base64.b64encode(err.tail).decode()}


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
            found[name] = len(content) <= limit and base64.b64encode(content).decode()
    return found


def handle(request, state):
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
    told = start(request['run'], CASE, base64.b64decode(request['stdin']), request['most'])
    told['files'] = read(CASE, request['read'])
    return told


def main():
    requests = os.fdopen(REQUESTS, 'r', encoding='utf-8')

    def answer(reply):
        line = json.dumps(reply).encode() + b'\n'
        while line:
            line = line[os.write(ANSWERS, line):]

    packages = os.environ.pop('JUDGE_PACKAGES', None)
    if packages is not None:
        os.environ['PYTHONPATH'] = packages
    launch(json.loads, requests, answer)
    # A handler, unlike ignoring it, is not passed on to programs.
    signal.signal(signal.SIGINT, lambda *_: None)
    state = {'files': []}
    for line in requests:
        request = json.loads(line)
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
