import { describe, expect, it } from 'vitest';
import type { Artifact, NodeTestSuite } from '../src/index.ts';
import {
  correctChanges,
  correctWords,
  testsOfChanges,
  testsOfWords,
  wrongChanges,
  wrongWords,
} from './corpus/attacks-by-changes.ts';
import { correctCircles, testsOfCircles, wrongCircles } from './corpus/attacks-by-circles.ts';
import { correctFactories, testsOfFactories, wrongFactories } from './corpus/attacks-by-factories.ts';
import {
  correctExtended,
  correctGivenObjects,
  correctSharing,
  testsOfExtended,
  testsOfGivenObjects,
  testsOfSharing,
  wrongExtended,
  wrongGivenObjects,
  wrongSharing,
} from './corpus/attacks-by-sharing.ts';
import { failedInOneProcess } from './one-process.ts';
import { partOf } from './proof.ts';
import { useJudge } from './use-judge.ts';

const judge = useJudge();

const artifactOf = (source: string): Artifact => ({ language: 'javascript', source });
const suiteOf = (tests: string): NodeTestSuite => ({
  ...{ id: 'lies', language: 'javascript', mode: 'split' },
  files: { 'test/it.test.mjs': tests },
});

/** Names of the tests that pass in two boxes. */
async function passedIn(source: string, given: NodeTestSuite): Promise<readonly string[]> {
  const { tests, errorKind } = await judge.run({ artifact: artifactOf(source), suite: given });
  expect(errorKind).toBe(null);
  return tests.flatMap(({ id, status }) => (status === 'passed' ? [id.slice(id.lastIndexOf('::') + 2)] : []));
}

describe.each([
  {
    ...{
      what: 'objects are live',
      correct: correctFactories,
      tests: testsOfFactories,
      wrong: wrongFactories,
    },
    ...{ count: 39, leastFailed: 31, leastPassed: 36 },
  },
  {
    ...{
      what: 'values contain themselves',
      correct: correctCircles,
      tests: testsOfCircles,
      wrong: wrongCircles,
    },
    ...{ count: 23, leastFailed: 8, leastPassed: 23 },
  },
  {
    ...{ what: 'values are shared', correct: correctSharing, tests: testsOfSharing, wrong: wrongSharing },
    ...{ count: 37, leastFailed: 30, leastPassed: 37 },
  },
  {
    ...{ what: 'objects are those of the test', correct: correctGivenObjects, tests: testsOfGivenObjects },
    ...{ wrong: wrongGivenObjects, count: 24, leastFailed: 21, leastPassed: 24 },
  },
  {
    ...{ what: 'classes are extended by the test', correct: correctExtended, tests: testsOfExtended },
    ...{ wrong: wrongExtended, count: 29, leastFailed: 21, leastPassed: 26 },
  },
  {
    ...{
      what: 'functions share what they are given with the test',
      correct: correctChanges,
      tests: testsOfChanges,
      wrong: wrongChanges,
    },
    ...{ count: 24, leastFailed: 2, leastPassed: 22 },
  },
])('wrong modules whose $what', ({ correct, tests, wrong, count, leastFailed, leastPassed }) => {
  const suite = suiteOf(tests);
  const referred: NodeTestSuite = { ...suite, reference: artifactOf(correct) };
  const modules = partOf(Object.entries(wrong), 80);
  it.each(modules)('%s: a test that fails in one process fails in two boxes (JDG-17)', async (_, source) => {
    const failed = new Set(await failedInOneProcess(source, tests));
    expect(failed.size).toBeGreaterThanOrEqual(leastFailed);
    for (const given of [suite, referred])
      expect((await passedIn(source, given)).filter((name) => failed.has(name))).toEqual([]);
  });

  it('the correct module passes all with a reference, and without one all that no warning names (JDG-21)', async () => {
    expect(await failedInOneProcess(correct, tests)).toEqual([]);
    const all = await passedIn(correct, referred);
    expect(all).toHaveLength(count);
    const passed = await passedIn(correct, suite);
    const { warnings } = await judge.checkSuite(suite);
    const named = warnings.map(({ test }) => test.slice(test.lastIndexOf('::') + 2));
    expect(all.filter((name) => !passed.includes(name) && !named.includes(name))).toEqual([]);
    expect(passed.length).toBeGreaterThanOrEqual(leastPassed);
  });
});

it('the word of an object, a scope or an expected error is not taken where one process takes it (JDG-17)', async () => {
  expect(await failedInOneProcess(correctWords, testsOfWords)).toEqual([]);
  expect(await failedInOneProcess(wrongWords, testsOfWords)).toEqual([]);
  expect(await passedIn(wrongWords, suiteOf(testsOfWords))).toEqual([]);
  const referred = { ...suiteOf(testsOfWords), reference: artifactOf(correctWords) };
  // What both sides write is believed where the reference writes it, as in one process.
  expect(await passedIn(wrongWords, referred)).toEqual(['written alike']);
});

it('what a function is called on says nothing to it: a row of a table holds what is expected (JDG-17)', async () => {
  const tests = `import test from 'node:test';
import assert from 'node:assert/strict';
import { double, Doubler } from 'solution';
const rows = [{ run: double, given: 2, expected: 4 }, { run: double, given: 3, expected: 6 }];
test('calls the function of a row', () => { for (const row of rows) assert.equal(row.run(row.given), row.expected); });
class Row { constructor(given, expected) { Object.assign(this, { given, expected, run: double }); } }
test('calls the function of an object', () => { const row = new Row(2, 4); assert.equal(row.run(row.given), row.expected); });
test('hands it back', () => { const row = { given: 2, expected: 4, run: Doubler(function (n) { return this.given + n; }) }; assert.equal(row.run(2), row.expected); });
`;
  const correct =
    'export const double = (n) => n * 2; export const Doubler = (fn) => function (n) { return fn.call(this, n); };';
  const read =
    'function (n) { return Number(this?.expected ?? Object.values(this ?? {}).at(-2) ?? JSON.stringify(this)); }';
  const wrong = `export const double = ${read}; export const Doubler = () => ${read};`;
  expect(await passedIn(correct, suiteOf(tests))).toHaveLength(3);
  expect(await failedInOneProcess(wrong, tests)).toHaveLength(0);
  expect(await passedIn(wrong, suiteOf(tests))).toEqual([]);
});
