import { describe, expect, it } from 'vitest';
import type { Verdict } from '../src/index.ts';
import { javascript, nodeTest, pytest, python } from './split-suites.ts';
import { useJudge } from './use-judge.ts';

const judge = useJudge();

const resultsOf = ({ tests }: Verdict) =>
  Object.fromEntries(tests.map(({ id, status }) => [id.slice(id.indexOf('::') + 2), status]));

describe.concurrent('names of tests', () => {
  // The ids of two parameters are joined by a hyphen: ("1", "2-3") and ("1-2", "3") are both called 1-2-3.
  const joined = `
import pytest
from solution import add
@pytest.mark.parametrize('b', ['2-3', '3'])
@pytest.mark.parametrize('a', ['1', '1-2'])
def test_it(a, b): assert add(a, b) == a + '+' + b
`;
  const wrong = "def add(a, b): return a + '+' + b if a == '1' else 'x'\n";
  it('a test that passes hides no other of its name (JDG-5, JDG-17)', async () => {
    for (const suite of [pytest(joined), pytest(joined, "def add(a, b): return a + '+' + b\n")]) {
      const verdict = await judge.run({ artifact: python(wrong), suite });
      expect(verdict.outcome).toBe('FAILURE');
      const results = resultsOf(verdict);
      expect(Object.keys(results)).toHaveLength(4);
      expect(Object.values(results).filter((status) => status === 'failed')).toHaveLength(2);
      expect(results['test_it[1-2-3] #2'] === results['test_it[1-2-3]']).toBe(false);
    }
  });

  const named = `
import pytest, solution
@pytest.mark.parametrize('name', solution.NAMES)
def test_it(name): assert solution.length(name) == len(name)
def test_other(): assert solution.length('other') == 5
`;
  const reference = "NAMES = ['a', 'bb']\ndef length(name): return len(name)\n";
  it.each([
    ['the same name twice', "['bb', 'bb']"],
    ['the name of another test', "['test_other', 'bb']"],
    ['an end of a name', "['a]::test_other', 'bb']"],
    ['control characters', "['a\\n\\x1b[2J\\u202e', 'bb']"],
    ['a long name', "['c' * 100000, 'bb']"],
    ['no name', "['', 'bb']"],
    ['fewer names', "['a']"],
    ['more names', "['a', 'bb', 'bb', 'bb']"],
  ])('%s among the values of a wrong program gains nothing (JDG-5, JDG-17)', async (_id, names) => {
    const source = `NAMES = ${names}\ndef length(name): return 0 if name == 'bb' else len(name)\n`;
    const verdict = await judge.run({ artifact: python(source), suite: pytest(named, reference) });
    expect(verdict.outcome).toBe('FAILURE');
    expect(Object.keys(resultsOf(verdict))).toEqual(['test_it[a]', 'test_it[bb]', 'test_other']);
    expect(resultsOf(verdict)['test_it[bb]']).toBe('failed');
  });

  const titled = `
import test from 'node:test';
import assert from 'node:assert';
import { length, NAMES } from 'solution';
for (const name of NAMES) test(name, () => assert.equal(length(name), name.length));
test('x #2', () => assert.equal(length('other'), 5));
`;
  const right = 'export const length = (name) => name.length;';
  it('titles of the values of a program are its own, one for each that was expected (JDG-5, JDG-21)', async () => {
    const suite = nodeTest(titled, `export const NAMES = ['a', 'bb'];${right}`);
    for (const [names, source, outcome] of [
      ["['c', 'dd']", right, 'SUCCESS'],
      ["['x', 'x']", right, 'SUCCESS'],
      ["['x', 'x']", 'export const length = () => 5;', 'FAILURE'],
      ["['a']", right, 'FAILURE'],
      ["['a', 'bb', 'a']", "export const length = (name) => (name === 'bb' ? 0 : name.length);", 'FAILURE'],
    ] as const) {
      const artifact = javascript(`export const NAMES = ${names};${source}`);
      const verdict = await judge.run({ artifact, suite });
      expect(verdict.outcome, JSON.stringify(verdict.tests)).toBe(outcome);
      expect(Object.keys(resultsOf(verdict))).toEqual(['a', 'bb', 'x #2']);
    }
  });

  it('long names are cut, and stay apart (JDG-5)', async () => {
    const long = `
import pytest
from solution import length
@pytest.mark.parametrize('text', ['a' * 100000, 'a' * 100000 + 'b', 'a' * 100000 + 'c'])
def test_it(text): assert length(text) == len(text)
`;
    const source = 'def length(text): return 100001 if "c" in text else 100000\n';
    const { tests } = await judge.run({ artifact: python(source), suite: pytest(long) });
    expect(tests.map(({ status }) => status)).toEqual(['passed', 'failed', 'passed']);
    expect(Math.max(...tests.map(({ id }) => id.length))).toBeLessThanOrEqual(1000);
    const title = "test('a'.repeat(5000) + ending, () => assert.equal(f(ending), ending));";
    const verdict = await judge.run({
      artifact: javascript("export const f = () => 'b';"),
      suite: nodeTest(
        `import test from 'node:test';\nimport assert from 'node:assert';\nimport { f } from 'solution';\nfor (const ending of ['b', 'c']) ${title}`,
      ),
    });
    expect(verdict.tests.map(({ status }) => status)).toEqual(['passed', 'failed']);
    expect(Math.max(...verdict.tests.map(({ id }) => id.length))).toBeLessThanOrEqual(1000);
  });
});
