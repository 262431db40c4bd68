import { describe, expect, it } from 'vitest';
import type { Artifact, Suite } from '../src/index.ts';
import { correctConversions, testsOfConversions, wrongConversions } from './corpus/attacks-by-conversions.ts';
import { fidelityJavascriptConversions } from './corpus/fidelity-javascript-conversions.ts';
import { javascript, nodeTest } from './split-suites.ts';
import { useJudge } from './use-judge.ts';

const judge = useJudge();

/** Tests of a correct module that fail, and those of them that the check of the suite does not name. */
async function failed(artifact: Artifact, suite: Suite): Promise<{ failed: string[]; unnamed: string[] }> {
  const { warnings } = await judge.checkSuite(suite);
  const named = new Set(warnings.map((each) => each.test));
  const { tests } = await judge.run({ artifact, suite });
  const ids = tests.flatMap(({ id, status }) => (status === 'passed' ? [] : [id]));
  return {
    failed: ids.map((id) => id.replace(/^.*::/, '')),
    unnamed: ids.filter((id) => !named.has(id)),
  };
}

describe.concurrent('wrong modules whose objects are converted to what a test wants', () => {
  it.each(Object.entries(wrongConversions))('%s: no test passes (JDG-17)', async (_id, source) => {
    const { tests } = await judge.run({
      artifact: javascript(source),
      suite: nodeTest(testsOfConversions),
    });
    expect(tests.length).toBeGreaterThan(25);
    expect(tests.flatMap(({ id, status }) => (status === 'passed' ? [id] : []))).toEqual([]);
  });

  it('an object that stands for a number is none, whatever it is converted to (JDG-17)', async () => {
    const right = correctConversions['a field'] ?? '';
    const wrapped = right.replace('(n) => Math.sqrt(n)', '(n) => new Money(Math.sqrt(n))');
    const { tests } = await judge.run({
      artifact: javascript(wrapped),
      suite: nodeTest(testsOfConversions),
    });
    expect(tests.find(({ id }) => id.endsWith('::a number that is an object'))).toMatchObject({
      status: 'failed',
      reason: expect.stringMatching(
        /^answered an object where a number or text was expected; name its class/,
      ),
    });
  });
});

describe.concurrent('correct modules whose objects are converted', () => {
  it.each(Object.entries(correctConversions))(
    '%s: all tests pass with a reference (JDG-18, JDG-21)',
    async (_id, source) => {
      const { tests } = await judge.run({
        artifact: javascript(source),
        suite: nodeTest(testsOfConversions, source),
      });
      expect(tests.filter(({ status }) => status !== 'passed')).toEqual([]);
    },
  );

  it.each(Object.entries(correctConversions))(
    '%s: without a reference, tests that compare answers with expected objects may fail, and are named (JDG-21)',
    async (_id, source) => {
      const found = await failed(javascript(source), nodeTest(testsOfConversions));
      expect(found.unnamed).toEqual([]);
      expect(found.failed.length).toBeLessThan(8);
    },
  );

  it.each(Object.entries(correctConversions))(
    '%s: all tests pass without a reference where the suite names the class (JDG-21)',
    async (_id, source) => {
      const suite = { ...nodeTest(testsOfConversions), objects: ['Money'] } as Suite;
      expect(await failed(javascript(source), suite)).toEqual({ failed: [], unnamed: [] });
    },
  );

  it('an answer is calculated with where the suite names its class, as its reason says (JDG-17, JDG-21)', async () => {
    const tests = `
import assert from 'node:assert/strict';
import test from 'node:test';
import { add, M } from 'solution';
test('difference', () => assert.equal(add(new M(1), new M(2)) - new M(3), 0));
test('order', () => assert.ok(add(new M(1), new M(2)) < new M(4)));
`;
    const artifact = javascript(
      'export class M { constructor(n) { this.n = n; } valueOf() { return this.n; } }\nexport const add = (a, b) => new M(a.n + b.n);\n',
    );
    const alone = await failed(artifact, nodeTest(tests));
    expect(alone.failed).toHaveLength(2);
    expect(await failed(artifact, { ...nodeTest(tests), objects: ['M'] } as Suite)).toEqual({
      failed: [],
      unnamed: [],
    });
  });

  it('ordinary tests pass without a reference, or are named (JDG-21)', async () => {
    const counts = { tests: 0, failed: 0 };
    for (const { artifact, tests } of fidelityJavascriptConversions) {
      const found = await failed(javascript(String(artifact)), nodeTest(tests));
      expect(found.unnamed).toEqual([]);
      counts.tests += tests.match(/\b(?:test|it)\('/g)?.length ?? 0;
      counts.failed += found.failed.length;
    }
    expect(counts).toEqual({ tests: 53, failed: 3 });
  });
});
