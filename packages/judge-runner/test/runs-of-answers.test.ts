import { describe, expect, it } from 'vitest';
import { failingRuns, ledTo, ownRuns, refusedRuns } from './corpus/runs-of-answers.ts';
import { partOf } from './proof.ts';
import { failures, pytest, python } from './split-suites.ts';
import { useJudge } from './use-judge.ts';

const judge = useJudge();

describe.concurrent('what tests run of an artifact', () => {
  it.each(partOf(refusedRuns, 6))(
    '$id: the suite is refused by its line (JDG-19)',
    async ({ artifact, tests, why }) => {
      const run = judge.run({ artifact: python(artifact), suite: pytest(tests) });
      await expect(run).rejects.toMatchObject({
        code: 'SUITE_UNSUPPORTED',
        message: expect.stringMatching(why),
      });
    },
  );
  it.each(partOf(failingRuns, 14))(
    '$id: the test fails before it runs (JDG-19)',
    async ({ artifact, tests, why }) => {
      const failed = failures(await judge.run({ artifact: python(artifact), suite: pytest(tests) }));
      expect(failed).toEqual([expect.stringMatching(why)]);
    },
  );
  it('is run where the reference leads to the same text, and nothing else is (JDG-20, JDG-21)', async () => {
    const { right, wrong, tests } = ledTo;
    const suite = pytest(tests, right);
    expect(failures(await judge.run({ artifact: python(`${right}# another one\n`), suite }))).toEqual([]);
    expect(failures(await judge.run({ artifact: python(wrong), suite }))).toEqual([
      expect.stringMatching(/a text that the artifact may have answered/),
    ]);
  });
  for (const reference of [undefined, ownRuns.artifact]) {
    const way = reference === undefined ? 'without a reference' : 'with a reference';
    it(`what is the tests' own runs ${way} (JDG-21)`, async () => {
      const suite = pytest(ownRuns.tests, reference);
      expect(failures(await judge.run({ artifact: python(ownRuns.artifact), suite }))).toEqual([]);
    });
  }
});
