import { describe, expect, it } from 'vitest';
import type { Artifact, Suite } from '../src/index.ts';
import { useJudge } from './use-judge.ts';

const judge = useJudge();

type Judged = { artifact: Artifact; suite: Suite };
const limits = { wallMs: 60_000 };
const python = (source: string, test: string): Judged => ({
  artifact: { language: 'python', source },
  suite: {
    ...{ id: 'objects', language: 'python', mode: 'split', limits },
    files: { 'test_it.py': `from solution import *\n${test}\ndef test_other(): assert 1 == 1\n` },
  },
});
const javascript = (source: string, test: string): Judged => ({
  artifact: { language: 'javascript', source },
  suite: {
    ...{ id: 'objects', language: 'javascript', mode: 'split', limits },
    files: {
      'it.test.mjs': `import test from 'node:test';\nimport assert from 'node:assert/strict';\nimport { f, P } from 'solution';\n${test}\ntest('other', () => assert.equal(1, 1));\n`,
    },
  },
});

/** A class whose constructor keeps what an expression makes of its parameter. */
const keeps = (expression: string) =>
  `class P:\n    def __init__(self, a):\n        self.x = ${expression}\n    def __eq__(self, other): return self.x == other.x\ndef f(): return P(1)\n`;
const compares = 'def test_it(): assert f().x == P(1).x\n';
const levels = Array.from({ length: 12 });
const conditional = levels.reduce((inner: string) => `(a if a is not None else ${inner})`, 'a');
const alternatives = `${'('.repeat(40)}a${' or a)'.repeat(40)}`;

const methods = Array.from(
  { length: 400 },
  (_, at) => `  m${at}(a, b) { if (a > b) { return [a, b]; } return a + b; }`,
);

describe('correct programs with unusual classes', () => {
  it.each([
    ['keeps one of many alternatives', python(keeps(conditional), compares)],
    ['keeps an alternative of an alternative, and so on', python(keeps(alternatives), compares)],
    ['keeps a deep list', python(keeps(`${'['.repeat(12)}a${']'.repeat(12)}`), compares)],
    [
      'has a long text, and many objects',
      javascript(
        `export class P { constructor(i) { this.i = i; }\n${methods.join('\n')}\n}\nexport const f = () => Array.from({ length: 20_000 }, (_, i) => new P(i));\n`,
        "test('it', () => assert.equal(f()[1999].i, 1999));",
      ),
    ],
    [
      'has functions of the test call it, 400 deep',
      javascript(
        'export class P {}\nexport const f = (n, g) => n === 0 ? 0 : 1 + g(n - 1);\n',
        "test('it', () => { const g = (n) => f(n, g); assert.equal(f(400, g), 400); });",
      ),
    ],
  ])('one that %s passes within its limits (JDG-21, JDG-25)', async (_what, { artifact, suite }) => {
    const { outcome, errorKind, summary, tests } = await judge.run({
      artifact,
      suite: { ...suite, limits: { wallMs: 240_000 } },
    });
    expect([outcome, errorKind], `${summary} ${tests[0]?.reason}`).toEqual(['SUCCESS', null]);
  });
});

/** A class that shows another constructor than it has. */
const forged = (expression: string) => `
import linecache
from fractions import Fraction
MANY = range(10**9)
lines = linecache.getlines
linecache.getlines = lambda *args: [line.replace('self.x = a', '''self.x = ${expression}''') for line in lines(*args)]
class P:
    def __init__(self, a):
        self.x = a
    def __eq__(self, other): return True
def f(): return P(2)
`;

/** A data class that is described by more fields than it has. */
const manyFields = `
import copy
import dataclasses
class P:
    def __init__(self, x): self.x = x
def named(name):
    field = copy.copy(shape.__dataclass_fields__['x'])
    field.name = name
    return field
shape = dataclasses.make_dataclass('Shape', ['x'])
P.__eq__, P.__dataclass_params__ = shape.__eq__, shape.__dataclass_params__
P.__dataclass_fields__ = {name: named(name) for name in map('f%d'.__mod__, range(50_000))}
def f(): return P(1)
`;

describe('wrong programs', () => {
  it.each([["Fraction('1e2000000000')"], ['list(MANY)']])(
    'whose class claims to keep %s fail their test, and no other one (JDG-20)',
    async (expression) => {
      const { artifact, suite } = python(forged(expression), 'def test_it(): assert f() == P(1)\n');
      const { outcome, tests } = await judge.run({
        artifact,
        suite: { ...suite, limits: { wallMs: 240_000 } },
      });
      expect([outcome, ...tests.map(({ status }) => status)]).toEqual(['FAILURE', 'failed', 'passed']);
    },
  );

  it('that answer a fraction with a huge exponent end at once (JDG-20, JDG-25)', async () => {
    const { artifact, suite } = python(
      "from fractions import Fraction\nFraction.__str__ = lambda self: '1e2000000000'\ndef f(): return Fraction(1)\n",
      'def test_it(): assert f() == 2\n',
    );
    const { outcome, errorKind } = await judge.run({
      artifact,
      suite: { ...suite, limits: { wallMs: 240_000 } },
    });
    expect([outcome, errorKind]).toEqual(['ERROR', 'protocol']);
  });

  it('whose data class describes 50,000 fields end at once, with that reason (JDG-20, JDG-25)', async () => {
    const { artifact, suite } = python(manyFields, 'def test_it(): assert f() == P(1)\n');
    const { outcome, errorKind, summary } = await judge.run({ artifact, suite });
    expect([outcome, errorKind]).toEqual(['ERROR', 'protocol']);
    expect(summary).toContain('a class (P) of 50000 fields; a class may have 5000');
  });

  it.each([
    ['whose == ends the program', 'raises SystemExit', 'assert P(1) != P(2)'],
    // Escaped twice, it would be longer than a line may be.
    [
      'that hide a long message of an assertion',
      'which hid it: (',
      "hide(lambda: fail('\\\\' * 5_000_000, 1))",
    ],
  ])('%s fail their test, and no other one (JDG-20)', async (_what, reason, statement) => {
    const { artifact, suite } = python(
      `class P:\n    def __init__(self, x): self.x = x\n    def __eq__(self, other): raise SystemExit('no')\n
def hide(function):\n    try: function()\n    except AssertionError: pass\n`,
      `def fail(*args): raise AssertionError(*args)\ndef test_it(): ${statement}\n`,
    );
    const { outcome, tests } = await judge.run({ artifact, suite });
    expect([outcome, ...tests.map(({ status }) => status)]).toEqual(['FAILURE', 'failed', 'passed']);
    expect(tests[0]?.reason).toContain(reason);
  });

  it('that call a function of the test without end fail their test, and no other one (JDG-20)', async () => {
    const { artifact, suite } = javascript(
      'export class P {}\nexport const f = (g) => g(f);\n',
      "test('it', () => { const g = (h) => h(g); assert.equal(f(g), 1); });",
    );
    const { outcome, tests } = await judge.run({ artifact, suite });
    expect([outcome, ...tests.map(({ status }) => status)]).toEqual(['FAILURE', 'failed', 'passed']);
    expect(tests[0]?.reason).toContain('too many calls');
  });
});
