import { describe, expect, it } from 'vitest';
import { changesBesideErrors } from './corpus/changes-beside-errors.ts';
import { errorsAndFakes } from './corpus/errors-and-fakes.ts';
import { failures, pytest, python } from './split-suites.ts';
import { useJudge } from './use-judge.ts';

const judge = useJudge();

describe.concurrent('errors between a test and a program, and what goes with them', () => {
  for (const { id, artifact, tests, wrong } of [...changesBesideErrors, ...errorsAndFakes]) {
    for (const reference of [undefined, artifact]) {
      const way = reference === undefined ? 'without a reference' : 'with a reference';
      const suite = pytest(tests, reference);
      it(`${id}: a correct program passes ${way} (JDG-21)`, async () => {
        expect(failures(await judge.run({ artifact: python(artifact), suite }))).toEqual([]);
      });
      const parts = wrong.map(([right, instead, test]) => [test, right, instead] as const);
      it.each(parts)(`${id}: %s fails for a wrong program ${way} (JDG-17)`, async (test, right, instead) => {
        const changed = artifact.replace(right, () => instead);
        expect(changed).not.toBe(artifact);
        const failed = failures(await judge.run({ artifact: python(changed), suite }));
        expect(failed.map((each) => each.slice(0, each.indexOf(': ')))).toContain(test);
      });
    }
  }
});
