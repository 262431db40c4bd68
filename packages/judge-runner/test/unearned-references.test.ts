import { describe, expect, it } from 'vitest';
import type { PytestSuite } from '../src/index.ts';
import { type ReferenceCase, unearnedReferences } from './corpus/unearned-references.ts';
import { partOf } from './proof.ts';
import { useJudge } from './use-judge.ts';

const judge = useJudge();

const suiteOf = ({ id, reference, tests }: ReferenceCase): PytestSuite => ({
  ...{ id, language: 'python', mode: 'split', files: { 'test_it.py': tests } },
  reference: { language: 'python', source: reference },
});
const judged = (each: ReferenceCase, source: string) =>
  judge.run({ artifact: { language: 'python', source }, suite: suiteOf(each) });

describe.concurrent('answers of which the reference vouches for a part', () => {
  for (const each of partOf(unearnedReferences, 3)) {
    it(`${each.id}: a wrong program gains nothing (JDG-17, JDG-18)`, async () => {
      const { outcome, tests } = await judged(each, each.wrong);
      expect(outcome, JSON.stringify(tests)).toMatch(/^(?:FAILURE|PARTIAL)$/);
    });
    it(`${each.id}: correct programs pass (JDG-18, JDG-21)`, async () => {
      for (const source of [each.reference, each.other ?? each.reference]) {
        const { outcome, tests } = await judged(each, source);
        expect(outcome, JSON.stringify(tests)).toBe('SUCCESS');
      }
    });
  }
});
