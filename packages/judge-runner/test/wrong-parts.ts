import { describe, expect, it } from 'vitest';
import { isFull } from './proof.ts';
import { failures, javascript, nodeTest, pytest, python } from './split-suites.ts';
import type { UsedJudge } from './use-judge.ts';

/** A correct program with its tests, and wrong ones: what stands in the place of a part, and the test that fails. */
export interface WrongParts {
  readonly id: string;
  /** Python where it is left out. */
  readonly language?: 'python' | 'javascript';
  readonly artifact: string;
  readonly tests: string;
  readonly wrong: readonly (readonly [right: string, wrong: string, test: string])[];
}

/** Declares tests: each correct program passes, with a reference and without one, and each wrong one fails the test that it names. */
export function proveWrongParts(title: string, judge: UsedJudge, cases: readonly WrongParts[]): void {
  describe.concurrent(title, () => {
    for (const { id, language = 'python', artifact, tests, wrong } of cases) {
      const own = language === 'python' ? python : javascript;
      const suiteOf = language === 'python' ? pytest : nodeTest;
      for (const reference of [undefined, artifact]) {
        const way = reference === undefined ? 'without a reference' : 'with a reference';
        const suite = suiteOf(tests, reference);
        it(`${id}: a correct program passes ${way} (JDG-21)`, async () => {
          expect(failures(await judge.run({ artifact: own(artifact), suite }))).toEqual([]);
        });
        // Each in one of the two ways, unless all is to be proved.
        const parts = wrong
          .filter((_, index) => isFull || index % 2 === (reference === undefined ? 0 : 1))
          .map(([right, instead, test]) => [test, right, instead] as const);
        it.each(parts)(
          `${id}: %s fails for a wrong program ${way} (JDG-17)`,
          async (test, right, instead) => {
            const changed = artifact.replace(right, () => instead);
            expect(changed).not.toBe(artifact);
            const failed = failures(await judge.run({ artifact: own(changed), suite }));
            expect(failed.map((each) => each.slice(0, each.indexOf(': ')).split(' > ').at(-1))).toContain(
              test,
            );
          },
        );
      }
    }
  });
}
