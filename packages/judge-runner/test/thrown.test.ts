import { describe, expect, it } from 'vitest';
import type { Artifact, Suite } from '../src/index.ts';
import { useJudge } from './use-judge.ts';

const warnings: string[] = [];
const ignore = () => {};
const judge = useJudge({
  logger: {
    debug: ignore,
    info: ignore,
    warn: (_fields, message) => warnings.push(String(message)),
    error: ignore,
  },
});

const limits = { wallMs: 240_000 };
const javascript = (source: string, test: string): { artifact: Artifact; suite: Suite } => ({
  artifact: { language: 'javascript', source },
  suite: {
    ...{ id: 'thrown', language: 'javascript', mode: 'split', limits },
    files: {
      'it.test.mjs': `import test from 'node:test';\nimport assert from 'node:assert/strict';\nimport { f } from 'solution';\ntest('it', ${test});\ntest('other', () => assert.equal(1, 1));\n`,
    },
  },
});
const python = (source: string): { artifact: Artifact; suite: Suite } => ({
  artifact: { language: 'python', source },
  suite: {
    ...{ id: 'thrown', language: 'python', mode: 'split', limits },
    files: {
      'test_it.py':
        'from solution import f\ndef test_it(): assert f() == 1\ndef test_other(): assert 1 == 1\n',
    },
  },
});

const oddMessage = (value: string) =>
  `Object.defineProperty(new Error('x'), 'message', { value: ${value}, enumerable: true })`;
const calls = '() => assert.equal(f(), 1)';
const later = 'async () => { f(); await new Promise((resolve) => setTimeout(resolve, 200)); }';
/** Errors of which each repeats the last one as its argument, its cause and its context. */
const chained = `
def f(count=14):
    try:
        if count == 0: raise ValueError('first')
        return f(count - 1)
    except ValueError as error:
        raise ValueError(error) from error
`;

describe('what an artifact throws', () => {
  it.each([
    [
      'a symbol as its text',
      javascript(`export function f() { throw ${oddMessage("Symbol('x')")}; }`, calls),
    ],
    [
      'an object as its text',
      javascript(`class P {}\nexport function f() { throw ${oddMessage('new P()')}; }`, calls),
    ],
    [
      'a function as its name',
      javascript("export function f() { throw Object.assign(new Error('x'), { name: () => 1 }); }", calls),
    ],
    ['an object of its own class', javascript('class P {}\nexport function f() { throw new P(); }', calls)],
    ['a function', javascript('export function f() { throw () => 1; }', calls)],
    [
      'an object, later',
      javascript('class P {}\nexport function f() { return Promise.reject(new P()); }', later),
    ],
    [
      'a symbol as its text, later',
      javascript(`export function f() { return Promise.reject(${oddMessage("Symbol('x')")}); }`, later),
    ],
    ['a chain of errors that hold each other', python(chained)],
    [
      'errors that hold each other in a circle',
      python(
        'def f():\n    one, other = ValueError(), ValueError()\n    one.args, other.args = (other,), (one,)\n    one.__cause__ = other\n    raise one from other\n',
      ),
    ],
  ])('%s fails its test, and no other one (JDG-20)', async (_what, { artifact, suite }) => {
    warnings.length = 0;
    const { outcome, tests } = await judge.run({ artifact, suite });
    expect([outcome, tests.map(({ status }) => status)], tests[0]?.reason ?? '').toEqual([
      'FAILURE',
      ['failed', 'passed'],
    ]);
    // None was judged again: the judge has not failed.
    expect(warnings).toEqual([]);
  });

  it('is written in the reason of the test, and asked for nothing (JDG-20)', async () => {
    const { tests } = await judge.run(
      javascript('class Problem {}\nexport function f() { throw new Problem(); }', calls),
    );
    expect(tests[0]?.reason).toBe('thrown: an object of Problem');
  });
});
