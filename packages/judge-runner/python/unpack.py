"""Launcher that unpacks one archive of a package: reads `/archive/package`, and answers with its files in parts.

Nothing of a package is run. Modules of Python are compiled, which does not run them either. Standard library only.
"""
import base64
import glob
import importlib.util
import io
import json
import os
import sys
import tarfile
import zipfile
from importlib._bootstrap_external import _code_to_hash_pyc

from launch import ANSWERS, REQUESTS, launch

ARCHIVE = '/archive/package'
#: Bytes of one part, and of the parts of one answer.
PART = 256 * 1024
#: Longest module that is compiled.
MAX_SOURCE = 2 * 1024 * 1024
#: Entries of one archive, folders and links included: what is left out is not counted elsewhere.
MAX_ENTRIES = 200_000
#: The folder in which boxes are shown packages of Python.
SHOWN = '/packages/'
DEBIAN = 'usr/lib/python3/dist-packages/'
LIBRARIES = ['/usr/lib', '/usr/lib64'] + glob.glob('/usr/lib/*-linux-gnu*')


def counted(members):
    for count, member in enumerate(members):
        if count == MAX_ENTRIES:
            raise ValueError('it has more than %d entries' % MAX_ENTRIES)
        yield member


def tar_files(archive):
    for member in counted(archive):
        # A link stands for the file of this archive that it leads to.
        if member.isfile() or member.issym() or member.islnk():
            try:
                file = archive.extractfile(member)
            except (KeyError, RecursionError):
                continue
            if file is not None:
                yield member.name, file, bool(member.mode & 0o111)


def npm_files():
    with tarfile.open(ARCHIVE, 'r:*') as archive:
        for name, file, executable in tar_files(archive):
            yield name.partition('/')[2], file, executable


def wheel_files():
    with zipfile.ZipFile(ARCHIVE) as archive:
        for member in counted(archive.infolist()):
            name = member.filename
            top, _, rest = name.partition('/')
            if top.endswith('.data'):
                kind, _, name = rest.partition('/')
                if kind not in ('purelib', 'platlib'):
                    continue
            if not member.is_dir():
                with archive.open(member) as file:
                    yield name, file, bool(member.external_attr >> 16 & 0o111)


def data_of_deb():
    """The files of a package of Debian: the member data.tar.… of an ar archive."""
    with open(ARCHIVE, 'rb') as file:
        if file.read(8) != b'!<arch>\n':
            raise ValueError('it is no package of Debian')
        while True:
            header = file.read(60)
            if len(header) < 60:
                raise ValueError('it has no data')
            name, size = header[:16].decode().strip().rstrip('/'), int(header[48:58])
            if name.startswith('data.tar'):
                return io.BytesIO(file.read(size))
            file.seek(size + size % 2, 1)


def is_here(library):
    """True for a library that this machine has: its own comes first, since every program of a box finds the others before it."""
    return any(os.path.exists(os.path.join(folder, library)) for folder in LIBRARIES)


def deb_files():
    with tarfile.open(fileobj=data_of_deb(), mode='r:*') as archive:
        for name, file, executable in tar_files(archive):
            name = os.path.normpath(name)
            if name.startswith(DEBIAN):
                yield name[len(DEBIAN):], file, executable
            elif name.startswith('usr/lib/') and '.so' in os.path.basename(name) and not is_here(os.path.basename(name)):
                yield '.lib/' + os.path.basename(name), file, False


def compiled(name, content):
    """The compiled form of a module, which is used whatever the time of its source; None when it has a fault."""
    try:
        code = compile(content, SHOWN + name, 'exec', dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError):
        return None
    return _code_to_hash_pyc(code, importlib.util.source_hash(content), False)


def parts_of(kind):
    """(path, content, whether it is the first part, whether it can be executed)."""
    files = {'tar': npm_files, 'wheel': wheel_files, 'deb': deb_files}[kind]()
    for name, file, executable in files:
        name = os.path.normpath(name)
        if name in ('', '.', '..') or name.startswith(('/', '../')) or '__pycache__' in name:
            continue
        first, source = True, b''
        while True:
            content = file.read(PART)
            if content or first:
                yield name, content, first, executable
            if kind != 'tar' and name.endswith('.py') and len(source) <= MAX_SOURCE:
                source += content
            first = False
            if len(content) < PART:
                break
        if source and len(source) <= MAX_SOURCE:
            code = compiled(name, source)
            if code is not None:
                folder, _, base = name.rpartition('/')
                cached = '%s__pycache__/%s.%s.pyc' % (folder and folder + '/', base[:-3], sys.implementation.cache_tag)
                yield cached, code, True, False


def main():
    requests = os.fdopen(REQUESTS, 'r', encoding='utf-8')
    parts = None

    def answer(reply):
        line = json.dumps(reply).encode() + b'\n'
        while line:
            line = line[os.write(ANSWERS, line):]

    launch(json.loads, requests, answer)
    for line in requests:
        request = json.loads(line)
        try:
            if 'unpack' in request:
                parts = parts_of(request['unpack'])
            found, size, more = [], 0, True
            while size < PART:
                part = next(parts, None)
                if part is None:
                    more = False
                    break
                name, content, first, executable = part
                found.append([name, base64.b64encode(content).decode(), first, executable])
                size += len(content) + len(name)
            reply = {'parts': found, 'more': more}
        except Exception as error:
            reply = {'error': '%s: %s' % (type(error).__name__, str(error)[:500])}
        answer(reply)
    os._exit(0)


if __name__ == '__main__':
    main()
