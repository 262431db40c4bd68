import { describe, expect, it } from 'vitest';
import { surroundingsCases } from './corpus/surroundings.ts';
import { failures, javascript, nodeTest, pytest, python } from './split-suites.ts';
import { useJudge } from './use-judge.ts';

const judge = useJudge();

describe.concurrent('what a test and a program change around them', () => {
  for (const { id, language, artifact, tests, wrong } of surroundingsCases) {
    const own = language === 'python' ? python : javascript;
    const suiteOf = language === 'python' ? pytest : nodeTest;
    for (const reference of [undefined, artifact]) {
      const way = reference === undefined ? 'without a reference' : 'with a reference';
      const suite = suiteOf(tests, reference);
      it(`${id}: a correct program passes ${way} (JDG-21)`, async () => {
        expect(failures(await judge.run({ artifact: own(artifact), suite }))).toEqual([]);
      });
      const parts = wrong.map(([right, instead, test]) => [test, right, instead] as const);
      it.each(parts)(`${id}: %s fails for a wrong program ${way} (JDG-17)`, async (test, right, instead) => {
        const changed = artifact.replace(right, () => instead);
        expect(changed).not.toBe(artifact);
        const failed = failures(await judge.run({ artifact: own(changed), suite }));
        expect(failed.map((each) => each.slice(0, each.indexOf(':')).split(' > ').at(-1))).toContain(test);
      });
    }
  }
});
