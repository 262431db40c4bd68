"""Reads a program without running it: what it plainly means to do, as findings. Standard library only.

Runs in the artifact's own box before any of the artifact does, so that its word is still the judge's.
"""
import _ast
import os

#: Findings that are told, and those of each rule that are told in any case: many of one rule never hide another.
MAX_FINDINGS, MAX_OF_RULE = 200, 20
OPENERS = {'open', 'io.open', 'os.open', 'codecs.open', 'Path', 'pathlib.Path', 'PosixPath', 'pathlib.PosixPath'}
NETWORK = {'socket', 'ssl', 'http', 'urllib', 'ftplib', 'smtplib', 'telnetlib', 'requests', 'httpx', 'aiohttp',
           'urllib3', 'xmlrpc', 'poplib', 'imaplib', 'nntplib', 'socketserver'}
PROCESS = {'subprocess', 'multiprocessing', 'pty', '_posixsubprocess', 'pexpect'}
NATIVE = {'ctypes', 'cffi', '_ctypes', 'mmap', 'fcntl', 'resource'}
HARNESS = {'pytest', '_pytest', 'unittest', '__main__', 'judge_plugin'}
RUNNERS = {'os.system', 'os.popen', 'os.fork', 'os.forkpty', 'os.execv', 'os.execve', 'os.execvp', 'os.spawnv',
           'os.posix_spawn', 'os.kill', 'os.killpg'}
PACKED = {'base64.b64decode', 'b64decode', 'zlib.decompress', 'marshal.loads', 'codecs.decode', 'bytes.fromhex',
          'binascii.a2b_base64', 'binascii.unhexlify', 'lzma.decompress', 'bz2.decompress'}
REFLECTION = {'sys._getframe', 'gc.get_objects', 'gc.get_referrers', 'sys.settrace', 'sys.setprofile',
              'sys._current_frames', 'inspect.stack', 'inspect.currentframe', 'threading.settrace'}


def dotted(node):
    """`a.b.c` of an expression, or ''."""
    parts = []
    while isinstance(node, _ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, _ast.Name):
        return ''
    parts.append(node.id)
    return '.'.join(reversed(parts))


def children(node):
    for field in node._fields:
        value = getattr(node, field, None)
        if isinstance(value, _ast.AST):
            yield value
        elif isinstance(value, list):
            for item in value:
                if isinstance(item, _ast.AST):
                    yield item


def text_of(node):
    """The text of a literal path, bytes included, or None."""
    if isinstance(node, _ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, _ast.Constant) and isinstance(node.value, bytes):
        return node.value.decode('latin-1')
    return None


def normal(path):
    return os.path.normpath('/' + path.lstrip('/'))


def examine(node, secret):
    """(rule, detail) of what one node plainly does."""
    if isinstance(node, (_ast.Import, _ast.ImportFrom)):
        names = [alias.name for alias in node.names] if isinstance(node, _ast.Import) else [node.module or '']
        for name in names:
            top = name.split('.')[0]
            for rule, modules in (('network-import', NETWORK), ('process-import', PROCESS),
                                  ('native-import', NATIVE), ('harness-import', HARNESS)):
                if top in modules:
                    yield rule, 'imports ' + name
    elif isinstance(node, _ast.Call):
        name = dotted(node.func)
        if name in OPENERS and node.args:
            path = text_of(node.args[0])
            if path is not None and path.startswith('/') and secret(normal(path)):
                yield 'secret-path', '%s(%r)' % (name, normal(path)[:200])
        if name in ('exec', 'eval', 'compile') and node.args:
            yield 'dynamic-code', 'calls %s' % name
            inner, depth = node.args[0], 0
            while isinstance(inner, _ast.Call) and depth < 8:
                packer = dotted(inner.func)
                if packer in PACKED or packer.endswith('.decode') and isinstance(inner.func.value, _ast.Call):
                    yield 'packed-code', 'runs what %s unpacks' % (packer or 'a call')
                    break
                inner, depth = (inner.args[0] if inner.args else None), depth + 1
        if name in RUNNERS:
            yield 'process-call', 'calls ' + name
        if name in REFLECTION:
            yield 'reflection', 'calls ' + name
        if name == '__import__' or name == 'importlib.import_module':
            yield 'dynamic-import', 'calls ' + name
    elif isinstance(node, _ast.Attribute):
        if node.attr in ('__code__', '__globals__', '__subclasses__', 'f_back', 'f_locals', 'f_globals', 'tb_frame'):
            yield 'reflection', 'uses ' + node.attr
    elif isinstance(node, _ast.FunctionDef):
        if node.name in ('__eq__', '__ne__') and len(node.body) == 1 and isinstance(node.body[0], _ast.Return):
            value = node.body[0].value
            if isinstance(value, _ast.Constant) and isinstance(value.value, bool):
                yield 'constant-comparison', '%s always answers %s' % (node.name, value.value)


def analyse(folder, patterns):
    """Findings of every Python file below a folder: the first 200, and the first 20 of each rule."""

    def secret(path):
        import re  # Most programs name no file by its full path.
        return re.search('|'.join(patterns), path)

    findings, counts = [], {}

    def add(rule, file, line, detail):
        counts[rule] = counts.get(rule, 0) + 1
        if len(findings) < MAX_FINDINGS or counts[rule] <= MAX_OF_RULE:
            findings.append({'rule': rule, 'file': file, 'line': line, 'detail': detail})
    for top, _, names in sorted(os.walk(folder)):
        for name in sorted(names):
            if not name.endswith('.py'):
                continue
            path = os.path.join(top, name)
            with open(path, 'rb') as file:
                content = file.read()
            short = os.path.relpath(path, folder)
            try:
                tree = compile(content, short, 'exec', 0x400, True)  # PyCF_ONLY_AST
            except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError) as error:
                add('unreadable', short, 0, type(error).__name__)
                continue
            nodes = [tree]
            while nodes:
                node = nodes.pop()
                for rule, detail in examine(node, secret):
                    add(rule, short, getattr(node, 'lineno', 0), detail)
                nodes.extend(reversed(list(children(node))))
    return findings
