"""Launcher of tools that read the artifact's text and never run it: pylint, bandit, mypy, where they are installed.

Each reads a copy of the Python files alone, in an otherwise empty folder, without any settings but those given here
and without the comments that would silence it, since all of that is the artifact author's. What could not be measured
is null.
"""
import io
import json
import os
import re
import subprocess
import sys
import tokenize

from launch import ANSWERS, REQUESTS, launch

SILENCING = re.compile(r'#.*(?:nosec|noqa|pylint:|mypy:|type:\s*ignore|pyright:|flake8:|pragma:)', re.I)
WORK = '/box/quality'
LIMIT_S = 60
# A module by its name, with nothing on the path but the library and the tools' own folder.
START = 'import runpy, sys; sys.path += sys.argv[1].split(":"); sys.argv[:] = sys.argv[2:]; ' \
        'runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)'


def without_silencing(text):
    """The text with every comment blanked that tells a tool to look away, and how many there were."""
    lines, count = text.splitlines(keepends=True), 0
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT and SILENCING.search(token.string):
                row, column = token.start
                lines[row - 1] = lines[row - 1][:column].rstrip() + '\n'
                count += 1
    except (tokenize.TokenError, SyntaxError):
        pass
    return ''.join(lines), count


def copy(folder):
    names, suppressions, total = [], 0, 0
    for top, _, files in sorted(os.walk(folder)):
        for name in sorted(files):
            if not name.endswith('.py'):
                continue
            source = os.path.join(top, name)
            short = os.path.relpath(source, folder)
            with open(source, encoding='utf-8', errors='replace') as file:
                text, count = without_silencing(file.read())
            target = os.path.join(WORK, short)
            os.makedirs(os.path.dirname(target), exist_ok=True)
            with open(target, 'w', encoding='utf-8', newline='') as file:
                file.write(text)
            # A name that begins with a dash or an @ must not become an option.
            names.append('./' + short)
            suppressions += count
            total += sum(1 for line in text.splitlines() if line.strip())
    return names, suppressions, total


def run(packages, module, arguments):
    """What a tool prints and its exit code, or two times None when it is not there or does not end."""
    command = [sys.executable, '-I', '-S', '-B', '-c', START, packages, module, *arguments]
    environment = {'PATH': '/usr/bin', 'HOME': '/box', 'LC_ALL': 'C.UTF-8'}
    try:
        done = subprocess.run(command, cwd=WORK, env=environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=LIMIT_S)
    except subprocess.TimeoutExpired:
        return None, None
    if b'No module named ' + module.encode() in done.stderr or b'ModuleNotFoundError' in done.stderr:
        return None, None
    return done.stdout.decode('utf-8', 'replace'), done.returncode


def pylint(packages, names, _):
    text, _ = run(packages, 'pylint', ['--rcfile=/dev/null', '--persistent=n', '--jobs=1', '--score=y', '--reports=n',
                                       '--output-format=text', *names])
    # Messages quote the artifact's comments; the rating has a line of its own at the end.
    found = re.findall(r'^Your code has been rated at (-?[\d.]+)/10', text or '', re.M)
    return {'score': float(found[-1])} if found else None


def bandit(packages, names, _):
    text, _ = run(packages, 'bandit', ['-q', '-f', 'json', '--ignore-nosec', *names])
    try:
        totals = json.loads(text or '')['metrics']['_totals']
    except (ValueError, KeyError):
        return None
    return {level.lower(): int(totals['SEVERITY.' + level]) for level in ('HIGH', 'MEDIUM', 'LOW')}


def mypy(packages, names, lines):
    text, code = run(packages, 'mypy', ['--config-file=', '--cache-dir=/dev/null', '--no-site-packages',
                                        '--no-error-summary', '--no-color-output', '--show-error-codes',
                                        '--namespace-packages', '--explicit-package-bases', *names])
    if text is None or lines == 0:
        return None
    errors = len(re.findall(r'^[^\n:]+:\d+: error: ', text, re.M))
    # It refused the files as a whole, as for a folder whose name is no name of a package.
    return None if errors == 0 and code != 0 else {'errors': errors, 'lines': lines}


def main():
    requests = os.fdopen(REQUESTS, 'r', encoding='utf-8')

    def answer(reply):
        os.write(ANSWERS, json.dumps(reply).encode() + b'\n')

    launch(json.loads, requests, answer)
    line = requests.readline()
    if not line:
        os._exit(0)
    packages = os.environ.pop('JUDGE_PACKAGES')
    names, suppressions, lines = copy(json.loads(line)['folder'])
    answer({'suppressions': suppressions, 'pylint': pylint(packages, names, lines),
            'bandit': bandit(packages, names, lines), 'mypy': mypy(packages, names, lines)})
    os._exit(0)


if __name__ == '__main__':
    main()
