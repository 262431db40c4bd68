import { describe, expect, it } from 'vitest';
import type { Artifact, Suite } from '../src/index.ts';
import { unearnedDefaults } from './corpus/unearned-defaults.ts';
import { unearnedMembers } from './corpus/unearned-members.ts';
import { unearnedMakings, unearnedOrders } from './corpus/unearned-orders.ts';
import {
  type ReferenceCase,
  unearnedReferences,
  unearnedReferencesOfJavascript,
} from './corpus/unearned-references.ts';
import { partOf } from './proof.ts';
import { useJudge } from './use-judge.ts';

const judge = useJudge();

const artifactOf = (each: ReferenceCase, source: string): Artifact => ({
  language: each.language ?? 'python',
  source,
});
const suiteOf = (each: ReferenceCase): Suite =>
  each.language === 'javascript'
    ? {
        ...{ id: each.id, language: 'javascript', mode: 'split', files: { 'it.test.mjs': each.tests } },
        reference: { language: 'javascript', source: each.reference },
      }
    : {
        ...{ id: each.id, language: 'python', mode: 'split', files: { 'test_it.py': each.tests } },
        reference: { language: 'python', source: each.reference },
      };
const judged = (each: ReferenceCase, source: string) =>
  judge.run({ artifact: artifactOf(each, source), suite: suiteOf(each) });

describe.concurrent('answers of which the reference vouches for a part', () => {
  const ofJavascript = [
    ...partOf(unearnedReferencesOfJavascript, 14),
    ...partOf([...unearnedOrders, ...unearnedMakings], 26),
    ...partOf(unearnedDefaults, 6),
  ];
  for (const each of [...partOf(unearnedReferences, 40), ...partOf(unearnedMembers, 30), ...ofJavascript]) {
    const id = `${each.language ?? 'python'}, ${each.id}`;
    it(`${id}: a wrong program gains nothing (JDG-17, JDG-18)`, async () => {
      const { outcome, tests } = await judged(each, each.wrong);
      expect(outcome, JSON.stringify(tests)).toMatch(/^(?:FAILURE|PARTIAL)$/);
      if (each.isWhollyWrong) expect(tests.filter(({ status }) => status === 'passed')).toEqual([]);
    });
    it(`${id}: correct programs pass (JDG-18, JDG-21)`, async () => {
      for (const source of [each.reference, each.other ?? each.reference]) {
        const { outcome, tests } = await judged(each, source);
        expect(outcome, JSON.stringify(tests)).toBe('SUCCESS');
      }
    });
  }
});
