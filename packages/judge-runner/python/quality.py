"""Launcher of tools that read the artifact's text and never run it: pylint, bandit, mypy, where they are installed.

Each reads a copy of the Python files alone, in an otherwise empty folder, without any settings but those given here
and without what would silence it, since all of that is the artifact author's. A tool that is not installed has measured
nothing: null. One that is, and does not come to an end with these files, says `failed`: that must not help them.
"""
import ast
import importlib.machinery
import io
import json
import os
import re
import subprocess
import sys
import tokenize

from launch import ANSWERS, REQUESTS, launch

SILENCING = re.compile(r'#.*(?:nosec|noqa|pylint:|mypy:|type:\s*ignore|pyright:|flake8:|pragma:)', re.I)
COOKIE = re.compile(r'^[ \t\f]*#.*?coding[:=]')
#: What mypy takes for known, so that it skips what depends on it.
KNOWN_TO_MYPY = {'TYPE_CHECKING', 'MYPY', 'PY2', 'PY3', 'platform', 'version_info'}
WORK, TYPED, CONTROL = '/box/quality', '/box/typed', '/box/control'
#: Seconds that a tool may take, at least and at most, and lines that give it one more.
LIMIT_S, MAX_LIMIT_S, LINES_PER_S = 60, 240, 200
#: How often a kind of statement counts at most, on average: padding must not thin out what a tool finds.
REPEATS = 2
TOOLS = ('pylint', 'bandit', 'mypy')
# A module by its name, with nothing on the path but the library and the tools' own folder.
START = 'import runpy, sys; sys.path += sys.argv[1].split(":"); sys.argv[:] = sys.argv[2:]; ' \
        'runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)'


class Failed(Exception):
    """A tool did not come to an end."""


def decoded(path):
    """The text of a file as Python reads it, with line ends of one kind and without the line that names its encoding."""
    with open(path, 'rb') as file:
        content = file.read()
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(content).readline)
        text = content.decode(encoding)
    except (SyntaxError, LookupError, UnicodeError, ValueError):
        text = content.decode('utf-8', 'replace')
    lines = text.lstrip('\ufeff').replace('\r\n', '\n').replace('\r', '\n').split('\n')
    return '\n'.join(['' if index < 2 and COOKIE.match(line) else line for index, line in enumerate(lines)])


def parsed(text):
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError):
        return None


def without_silencing(text):
    """The text with every comment blanked that tells a tool to look away, and how many there were."""
    # Lines as the tokenizer counts them, which are fewer than those of splitlines().
    lines, count = text.split('\n'), 0
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT and SILENCING.search(token.string):
                row, column = token.start
                lines[row - 1] = lines[row - 1][:column].rstrip()
                count += 1
    except (tokenize.TokenError, SyntaxError):
        tree = parsed(text)
        try:
            if tree is not None:
                return ast.unparse(tree) + '\n', count
        except RecursionError:
            pass  # No tool reads it either.
    return '\n'.join(lines), count


class Checked(ast.NodeTransformer):
    """A program with nothing in it that keeps mypy from looking."""

    def visit_If(self, node):
        self.generic_visit(node)
        names = {getattr(part, 'id', getattr(part, 'attr', '')) for part in ast.walk(node.test)}
        holds = sum(isinstance(part, ast.stmt) for part in ast.walk(node))
        has_code = any(isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) for part in ast.walk(node))
        if names & KNOWN_TO_MYPY and (holds > 6 or has_code):
            node.test = ast.Call(ast.Name('bool', ast.Load()), [node.test], [])
        return node

    def visit_FunctionDef(self, node):
        self.generic_visit(node)
        node.decorator_list = [each for each in node.decorator_list
                               if getattr(each, 'id', getattr(each, 'attr', '')) not in ('no_type_check', 'no_type_check_decorator')]
        return node

    visit_AsyncFunctionDef = visit_ClassDef = visit_FunctionDef


def shape_of(statement):
    """The kinds of nodes of a statement, without those of the statements in it, names and values."""
    found, nodes = [], [statement]
    while nodes and len(found) < 200:
        node = nodes.pop()
        found.append(type(node).__name__)
        nodes += [each for each in ast.iter_child_nodes(node) if not isinstance(each, (ast.stmt, ast.expr_context))]
    return tuple(found)


class Program:
    """The files that are measured."""

    def __init__(self):
        self.names, self.typed, self.suppressions = [], [], 0
        #: Lines that mypy reads, lines of files that nobody can read, statements, and their shapes.
        self.lines, self.unreadable, self.statements, self.shapes = 0, 0, 0, set()

    def add(self, source, short):
        text, count = without_silencing(decoded(source))
        self.suppressions += count
        write(os.path.join(WORK, short), text)
        # A name that begins with a dash or an @ must not become an option.
        self.names.append('./' + short)
        lines = sum(1 for line in text.split('\n') if line.strip())
        tree = parsed(text)
        try:
            typed = None if tree is None else ast.unparse(Checked().visit(tree)) + '\n'
        except RecursionError:
            typed = None
        if typed is None:
            self.unreadable += max(1, lines)
            return
        self.lines += lines
        for part in ast.walk(tree):
            body = getattr(part, 'body', None)
            is_documented = isinstance(body, list) and body and isinstance(part, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef))
            self.statements -= 1 if is_documented and ast.get_docstring(part, clean=False) is not None else 0
            if isinstance(part, ast.stmt):
                self.statements += 1
                self.shapes.add(shape_of(part))
        # mypy takes no file of a folder whose name is no name of a package, and no other file beside it.
        name = '/'.join(re.sub(r'^(?=\d)|\W', '_', each) for each in short[:-3].split('/'))
        while name in self.typed:
            name += '_'
        write(os.path.join(TYPED, name + '.py'), typed)
        self.typed.append(name)

    def limit_s(self):
        return min(MAX_LIMIT_S, LIMIT_S + (self.lines + self.unreadable) // LINES_PER_S)

    def counted(self, count):
        """A number of lines or statements, as far as they differ."""
        return max(1, min(count, round(count * REPEATS * len(self.shapes) / max(1, self.statements))))


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, 'w', encoding='utf-8', errors='replace', newline='') as file:
        file.write(text)


def copy(folder):
    program = Program()
    os.makedirs(WORK, exist_ok=True)
    os.makedirs(TYPED, exist_ok=True)
    for top, _, files in sorted(os.walk(folder)):
        for name in sorted(files):
            if name.endswith('.py'):
                source = os.path.join(top, name)
                program.add(source, os.path.relpath(source, folder))
    return program


def run(packages, module, arguments, folder, program):
    """What a tool prints, and its exit code."""
    command = [sys.executable, '-I', '-S', '-B', '-c', START, packages, module, *arguments]
    environment = {'PATH': '/usr/bin', 'HOME': '/box', 'LC_ALL': 'C.UTF-8'}
    try:
        done = subprocess.run(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=program.limit_s() if program else LIMIT_S)
    except subprocess.TimeoutExpired:
        raise Failed from None
    return done.stdout.decode('utf-8', 'replace'), done.returncode


def read_json(text):
    try:
        return json.loads(text)
    except ValueError:
        raise Failed from None


def pylint(packages, names, folder, program):
    text, _ = run(packages, 'pylint', ['--rcfile=/dev/null', '--persistent=n', '--jobs=1', '--reports=n', '--ignore=', '--ignore-patterns=',
                                       '--ignore-paths=', '--output-format=json', *names], folder, program)
    found = read_json(text)
    kinds = [each['type'] for each in found]
    if 'fatal' in kinds or any(each['symbol'] == 'astroid-error' for each in found):
        raise Failed
    weight = sum({'error': 5, 'info': 0}.get(kind, 1) for kind in kinds)
    # As pylint's own rating.
    return {'score': 10 - 10 * weight / (program.counted(program.statements) if program else 1)}


def bandit(packages, names, folder, program):
    # Some folders are left out unless others are named.
    text, _ = run(packages, 'bandit', ['-q', '-f', 'json', '--ignore-nosec', '-x', '/nothing', *names], folder, program)
    try:
        found = read_json(text)
        totals = found['metrics']['_totals']
        counts = {level.lower(): int(totals['SEVERITY.' + level]) for level in ('HIGH', 'MEDIUM', 'LOW')}
        # Of a file that it could not read it says nothing else.
        return {**counts, 'high': counts['high'] + len(found['errors'])}
    except (KeyError, TypeError):
        raise Failed from None


def mypy(packages, names, folder, program):
    if program and not program.typed:
        return {'errors': program.unreadable, 'lines': program.unreadable}
    text, code = run(packages, 'mypy', ['--config-file=', '--cache-dir=/dev/null', '--no-site-packages', '--check-untyped-defs',
                                        '--no-error-summary', '--no-color-output', '--show-error-codes',
                                        '--namespace-packages', '--explicit-package-bases', *names], folder, program)
    errors = len(re.findall(r'^[^\n:]+:\d+: error: ', text, re.M))
    # It refused the files as a whole, or stopped at one of them.
    if code not in (0, 1) or errors == 0 and code != 0:
        raise Failed
    if not program:
        return {'errors': errors, 'lines': 1}
    return {'errors': errors + program.unreadable, 'lines': program.counted(program.lines) + program.unreadable}


def measure(tool, packages, names, folder, program):
    """The findings of a tool; 'failed' where it fails with these files, and None where it fails with any."""
    try:
        return tool(packages, names, folder, program)
    except Failed:
        pass
    try:
        write(CONTROL + '/control.py', '"""A program."""\n')
        tool(packages, ['./control.py'], CONTROL, None)
    except Failed:
        return None
    return 'failed'


def main():
    requests = os.fdopen(REQUESTS, 'r', encoding='utf-8')

    def answer(reply):
        os.write(ANSWERS, json.dumps(reply).encode() + b'\n')

    launch(json.loads, requests, answer)
    line = requests.readline()
    if not line:
        os._exit(0)
    packages = os.environ.pop('JUDGE_PACKAGES')
    path = [*packages.split(':'), *sys.path]
    installed = [name for name in TOOLS if importlib.machinery.PathFinder.find_spec(name, path) is not None]
    # Told beforehand, so that files with which a tool exhausts this box gain nothing.
    answer({'installed': installed})
    if not requests.readline():
        os._exit(0)
    sys.setrecursionlimit(5000)
    found = dict.fromkeys(TOOLS)
    try:
        program = copy(json.loads(line)['folder'])
    except (RecursionError, MemoryError):
        answer({'suppressions': 0, **found, **dict.fromkeys(installed, 'failed')})
        os._exit(0)
    if program.names:
        typed = ['./%s.py' % name for name in program.typed]
        for name, tool, names, folder in (('pylint', pylint, program.names, WORK), ('bandit', bandit, program.names, WORK),
                                          ('mypy', mypy, typed, TYPED)):
            if name in installed:
                found[name] = measure(tool, packages, names, folder, program)
    answer({'suppressions': program.suppressions, **found})
    os._exit(0)


if __name__ == '__main__':
    main()
