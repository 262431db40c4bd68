"""Launcher of programs of any language: builds them, and runs them once per case. Standard library only.

What it tells are answers: the program has the same user, and could speak in its place. It knows no expected value.
"""
import base64
import json
import os
import shutil
import subprocess
import sys

from launch import ANSWERS, REQUESTS, launch

WORK = '/box/work'
MAX_FILE_BYTES = 1_000_000
ECHO_BYTES = 4096
#: Bytes of files in one message, and most files.
PART_BYTES, MAX_PARTS = 512 * 1024, 1000


def unpack(folder, files):
    for path, content, mode, first in files:
        path = os.path.join(folder, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, 'wb' if first else 'ab') as file:
            file.write(base64.b64decode(content))
        os.chmod(path, mode)


def parts_of(folder):
    """The files below a folder in parts: path, base64, mode, whether it is the first part."""
    for top, folders, names in os.walk(folder):
        for name in names:
            path = os.path.join(top, name)
            if os.path.islink(path) or not os.path.isfile(path):
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


def start(argv, folder, stdin, most):
    """Runs one command. Its output is cut at `most` bytes, of which one more shows that there was more."""
    try:
        child = subprocess.Popen(argv, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    except OSError as error:
        return {'error': '%s: %s' % (argv[0], error.strerror)}
    out, err = child.communicate(stdin)
    os.write(2, err[:ECHO_BYTES * 16])
    return {'code': child.returncode, 'out': base64.b64encode(out[:most + 1]).decode(),
            'err': base64.b64encode(err[-ECHO_BYTES:]).decode()}


def read(folder, names):
    found = {}
    for name in names:
        path = os.path.join(folder, name)
        if os.path.isfile(path) and not os.path.islink(path) and os.path.getsize(path) <= MAX_FILE_BYTES:
            with open(path, 'rb') as file:
                found[name] = base64.b64encode(file.read(MAX_FILE_BYTES)).decode()
    return found


def handle(request, state):
    if 'unpack' in request:
        unpack(WORK, request['unpack'])
        return {'unpacked': True}
    if 'build' in request:
        return start(request['build'], WORK, b'', request['most'])
    if 'pack' in request:
        if request['pack']:
            state['parts'] = parts_of(WORK)
        return pack(state['parts'])
    folder = '/box/case'
    for used in (folder, '/box/tmp', '/box/home'):
        shutil.rmtree(used, ignore_errors=True)
    for empty in ('/box/tmp', '/box/home'):
        os.makedirs(empty, exist_ok=True)
    shutil.copytree(WORK, folder, symlinks=True, copy_function=os.link)
    unpack(folder, request['files'])
    told = start(request['run'], folder, base64.b64decode(request['stdin']), request['most'])
    told['files'] = read(folder, request['read'])
    return told


def main():
    requests = os.fdopen(REQUESTS, 'r', encoding='utf-8')

    def answer(reply):
        line = json.dumps(reply).encode() + b'\n'
        while line:
            line = line[os.write(ANSWERS, line):]

    launch(json.loads, requests, answer)
    for folder in (WORK, '/box/tmp', '/box/home'):
        os.makedirs(folder, exist_ok=True)
    state = {}
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
