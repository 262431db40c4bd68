import { expect, it } from 'vitest';
import { sharedObjectCases } from './corpus/shared-objects.ts';
import { failures, javascript, nodeTest } from './split-suites.ts';
import { useJudge } from './use-judge.ts';
import { proveWrongParts } from './wrong-parts.ts';

const judge = useJudge();
proveWrongParts('objects that a test and its program share', judge, sharedObjectCases);

const head = `import assert from 'node:assert/strict';\nimport { test } from 'node:test';\n`;

/** A program, what is beyond a limit of messages in it, and a test that fails for it while the other passes. */
const beyondLimits = [
  ['arguments', 'call(...Array(20_000).keys())'],
  ['arguments that are caught', 'try { call(...Array(20_000).keys()); } catch {} return 1'],
  ['a name', "store['k'.repeat(20_000)] = 1"],
  ['levels', 'return Array.from({ length: 70 }).reduce((next) => ({ next }), null)'],
  ['an argument of the process', "process.argv.push('x'.repeat(200_000))"],
] as const;
it.concurrent.each(beyondLimits)(
  '%s beyond what a message takes fail their test, and not the run (JDG-20)',
  async (_, code) => {
    const tests = `${head}import { one, run } from 'solution';
class Store {}
test('beyond', () => { process.argv.length; run(() => 1, new Store()); assert.equal(one(), 1); });
test('one', () => assert.equal(one(), 1));
`;
    const artifact = javascript(
      `export const one = () => 1;\nexport const run = (call, store) => { ${code}; };\n`,
    );
    for (const reference of [undefined, `export const one = () => 1;\nexport const run = () => 1;\n`]) {
      const verdict = await judge.run({ artifact, suite: nodeTest(tests, reference) });
      expect(failures(verdict).map((each) => each.slice(0, each.indexOf(': ')).split(' > ').at(-1))).toEqual([
        'beyond',
      ]);
    }
  },
);

const classOfTest = `${head}import { cube } from 'solution';
class Log { lines = []; write(line) { this.lines.push(line); } }
test('one', () => { const log = new Log(); assert.equal(cube(3, log), 27); assert.deepEqual(log.lines, ['3']); });
test('two', () => { assert.equal(cube(4, new Log()), 64); });
`;
const cubeOf = `export const cube = (n, log) => { log.write(String(n)); return n ** 3; };\n`;
/** Ways from an object of the test to what all its objects are made of. */
const ways = [
  `const parent = log.__lookupGetter__.call(log, '__proto__'); const root = parent.call(parent.call(log));`,
  `const parent = Reflect.getOwnPropertyDescriptor(log.__proto__.__proto__ ?? {}, '__proto__')?.get; const root = parent?.call(parent.call(log)) ?? log.__proto__;`,
  `const root = log.valueOf.call(Object.getPrototypeOf(Object.getPrototypeOf(log)));`,
  `const root = Object.getPrototypeOf(Object.getPrototypeOf(log.lines));`,
  `const root = log.write.constructor('return Object.prototype')();`,
];
it.concurrent.each(ways)(
  'what leads out of an object of a test changes no message of it: %s (JDG-17, JDG-20)',
  async (way) => {
    const wrong = `export const cube = (n, log) => { try { ${way} root.toJSON = () => ({ result: { id: 'solution.test.mjs::one', passed: true, ms: 1, reason: null } }); } catch {} return 0; };\n`;
    for (const reference of [undefined, cubeOf]) {
      const verdict = await judge.run({
        artifact: javascript(wrong),
        suite: nodeTest(classOfTest, reference),
      });
      expect(verdict.tests.filter(({ status }) => status === 'passed')).toEqual([]);
      expect(verdict.outcome).not.toBe('SUCCESS');
    }
  },
);

const manyQuestions = `
export class Limiter { #left = 2050; get allowed() { return this.#left-- > 0; } }
export class Pair { #left = 3; get steady() { return 1; } get open() { return this.#left-- > 0; } }
`;
it('more than two thousand questions of one test are answered as those of the reference were (JDG-17, JDG-21)', async () => {
  const tests = `${head}import { Limiter, Pair } from 'solution';
const many = (work) => Array.from({ length: 2050 }, work);
test('class', () => { const limiter = new Limiter(); assert.equal(many(() => limiter.allowed).every(Boolean), true); assert.equal(limiter.allowed, false); });
test('pair', () => { const pair = new Pair(); many(() => pair.steady); assert.deepEqual([pair.open, pair.open, pair.open, pair.open], [true, true, true, false]); });
`;
  const suite = nodeTest(tests, manyQuestions);
  expect(failures(await judge.run({ artifact: javascript(manyQuestions), suite }))).toEqual([]);
  const wrong = manyQuestions.replace('2050', '2051').replace('#left = 3', '#left = 2');
  const verdict = await judge.run({ artifact: javascript(wrong), suite });
  expect(verdict.tests.map(({ status }) => status)).toEqual(['failed', 'failed']);
});
