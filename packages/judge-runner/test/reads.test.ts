import { describe, expect, it } from 'vitest';
import * as corpus from './corpus/attacks-by-reads.ts';
import { isFull } from './proof.ts';
import { useJudge } from './use-judge.ts';

const judge = useJudge();
const { correctReads, testOfRejections, testsOfReads } = corpus;
const wrongReads = isFull ? { ...corpus.wrongReads, ...corpus.moreWrongReads } : corpus.wrongReads;

describe.concurrent('objects that a test reads property by property', () => {
  it.each([['without', null] as const, ['with', correctReads] as const])(
    'no test passes of wrong modules %s a reference (JDG-17)',
    async (_name, own) => {
      const { tests, errorKind } = await judge.run(
        corpus.judgedReads(wrongReads, testsOfReads + testOfRejections, own),
      );
      expect(errorKind).toBe(null);
      expect(tests.length).toBeGreaterThan(Object.keys(wrongReads).length * 10);
      expect(tests.flatMap(({ id, status }) => (status === 'passed' ? [id] : []))).toEqual([]);
    },
  );

  it.each([['without', null] as const, ['with', correctReads] as const])(
    'all tests of a correct module pass %s a reference (JDG-21)',
    async (_name, reference) => {
      const own = reference === null ? testsOfReads : testsOfReads + testOfRejections;
      const { tests } = await judge.run(corpus.judgedReads({ correct: correctReads }, own, reference));
      expect(tests.length).toBeGreaterThan(10);
      expect(tests.flatMap(({ id, status, reason }) => (status === 'passed' ? [] : [[id, reason]]))).toEqual(
        [],
      );
    },
  );

  it('a test that reads the same of an expected object and of an answer is named before it runs (JDG-21)', async () => {
    const { suite } = corpus.judgedReads({ correct: correctReads }, testsOfReads, null);
    const { warnings } = await judge.checkSuite(suite);
    expect(warnings).toContainEqual(
      expect.objectContaining({
        test: 'correct.test.mjs::properties',
        construct: 'reads x of an object of Vector and of an answer',
      }),
    );
    expect(warnings.map(({ test }) => test)).not.toContain('correct.test.mjs::spread');
  });
});
