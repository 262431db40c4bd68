import { describe, expect, it } from 'vitest';
import { inTurn, isFull, partOf } from './proof.ts';
import { failures, javascript, nodeTest, pytest, python } from './split-suites.ts';
import type { UsedJudge } from './use-judge.ts';

/** A correct program with its tests, and wrong ones: what stands in the place of a part, and the test that fails. */
export interface WrongParts {
  readonly id: string;
  /** Python where it is left out. */
  readonly language?: 'python' | 'javascript';
  readonly artifact: string;
  readonly tests: string;
  readonly wrong: readonly WrongPart[];
}
type WrongPart = readonly [right: string, wrong: string, test: string];

/** Wrong parts that one program can have at the same time: none replaces what another replaces, or was put in by it. */
function together(parts: readonly WrongPart[]): WrongPart[][] {
  const groups: WrongPart[][] = [];
  for (const part of parts) {
    const isApart = ([right, wrong]: WrongPart) =>
      ![right, wrong].some((text) => text.includes(part[0])) &&
      !part[1].includes(right) &&
      !part[0].includes(right);
    const group = groups.find((each) => each.every(isApart));
    if (group) group.push(part);
    else groups.push([part]);
  }
  return groups;
}

/**
 * Declares tests: each correct program passes, and each wrong one fails the test that it names; with a reference and without
 * one if all is to be proved, else every third program in one of these two ways.
 */
export function proveWrongParts(title: string, judge: UsedJudge, cases: readonly WrongParts[]): void {
  describe.concurrent(title, () => {
    for (const [at, { id, language = 'python', artifact, tests, wrong }] of partOf(cases, 3).entries()) {
      const own = language === 'python' ? python : javascript;
      const suiteOf = language === 'python' ? pytest : nodeTest;
      for (const reference of inTurn([undefined, artifact], at)) {
        const way = reference === undefined ? 'without a reference' : 'with a reference';
        const suite = suiteOf(tests, reference);
        it(`${id}: a correct program passes ${way} (JDG-21)`, async () => {
          expect(failures(await judge.run({ artifact: own(artifact), suite }))).toEqual([]);
        });
        // Each part alone if all is to be proved; else every second one with others: all at once would hide some.
        const halves = [0, 1].map((half) => wrong.filter((_, index) => index % 2 === half));
        const programs = isFull ? wrong.map((part) => [part]) : halves.flatMap(together);
        it.each(programs.map((parts) => [parts.map(([, , test]) => test).join(', '), parts] as const))(
          `${id}: %s fails for a wrong program ${way} (JDG-17)`,
          async (_tests, parts) => {
            const changed = parts.reduce(
              (source, [right, instead]) => source.replace(right, () => instead),
              artifact,
            );
            expect(changed).not.toBe(artifact);
            const failed = failures(await judge.run({ artifact: own(changed), suite }));
            const names = failed.map((each) => each.slice(0, each.indexOf(': ')).split(' > ').at(-1));
            expect(names).toEqual(expect.arrayContaining(parts.map(([, , test]) => test)));
          },
        );
      }
    }
  });
}
