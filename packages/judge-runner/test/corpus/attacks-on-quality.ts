/** A program with faults that each quality tool of Python finds. */
export const badProgram = `import os
import subprocess
def solve(x: int) -> object:
    if x > 5:
        eval('1')
        subprocess.call('ls', shell=True)
        return 'five' + 5
    return x + 1
def other(a, b):
    password = 'hunter2'
    total: int = 'a' + 1
    for i in range(len(a)):
        total = total + a[i] + 'x'
    exec(b)
    return total.nothing
`;

const silenced = (text: string, comment = '#') =>
  text
    .split('\n')
    .map((line) =>
      line === '' ? line : `${line}  ${comment} nosec ${comment} pylint: disable=all ${comment} type: ignore`,
    )
    .join('\n');
const indented = (text: string) => text.replace(/^(?=.)/gm, '    ');
const many = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => line(index)).join('');

/** The same program, made to look better without being better. */
export const attacksOnQuality: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'comments after separators that only some readers take for line ends': {
    'solution.py': `S = "\u2028\u2028\u2028\f\u0085"\n# pylint: skip-file\n# mypy: ignore-errors\n${silenced(badProgram)}`,
  },
  'comments in an encoding in which they are none': {
    'solution.py': `# coding: utf-7\n+ACM- pylint: skip-file\n+ACM- mypy: ignore-errors\n${silenced(badProgram.replaceAll('+', '+-'), '+ACM-')}`,
  },
  'a second file that no tool can read': { 'solution.py': badProgram, 'notes.py': 'def (:\n' },
  'padding by statements': {
    'solution.py': `${badProgram}${many(3000, (index) => `N${index} = ${index}\n`)}`,
  },
  'padding by functions': {
    'solution.py': `${badProgram}${many(400, (index) => `def part_${index}():\n    """A part."""\n    return ${index}\n`)}`,
  },
  'code that type checkers skip': {
    'solution.py': `from typing import TYPE_CHECKING\nif not TYPE_CHECKING:\n${indented(badProgram)}`,
  },
  'functions that ask not to be checked': {
    'solution.py': badProgram
      .replaceAll(/^def /gm, '@typing.no_type_check\ndef ')
      .replace('import os', 'import typing'),
  },
  'functions without types': {
    'solution.py': badProgram.replace('x: int) -> object', 'x)').replace('total: int', 'total'),
  },
  'a folder that tools leave out': {
    'solution.py': 'from CVS.impl import solve\n',
    'CVS/impl.py': badProgram,
  },
  'a folder whose name is no name of a package': { 'solution.py': badProgram, 'no-name/a.py': 'x = 1\n' },
  'a warning of the interpreter that speaks of a missing module': {
    'solution.py': `${badProgram}P = "\\d"  # ModuleNotFoundError: No module named pylint\n`,
  },
  'an expression that exhausts readers': { 'solution.py': `${badProgram}X = ${many(4000, () => '1 + ')}1\n` },
};
