import { describe, expect, it } from 'vitest';
import type { Suite } from '../src/index.ts';
import { attacksOnSurroundings } from './corpus/attacks-on-surroundings.ts';
import { partOf } from './proof.ts';
import { failures, javascript, python } from './split-suites.ts';
import { useJudge } from './use-judge.ts';

const judge = useJudge();

describe.concurrent('programs that use what they share with their test', () => {
  for (const { id, language, files, reference, wrong, failing, isAlone } of partOf(
    attacksOnSurroundings,
    8,
  )) {
    const own = language === 'python' ? python : javascript;
    const suite = {
      ...{ id, language, mode: 'split', limits: { wallMs: 240_000 }, files },
      ...(isAlone ? {} : { reference: own(reference) }),
    } as Suite;
    it(`${language}, ${id}: a correct program passes (JDG-21)`, async () => {
      expect(failures(await judge.run({ artifact: own(reference), suite }))).toEqual([]);
    });
    it(`${language}, ${id}: a wrong one gains nothing, and nothing is thrown (JDG-17, JDG-20)`, async () => {
      const failed = failures(await judge.run({ artifact: own(wrong), suite }));
      expect(failed.map((each) => each.slice(0, each.indexOf(': ')))).toEqual(
        expect.arrayContaining([...failing]),
      );
    });
  }
});
