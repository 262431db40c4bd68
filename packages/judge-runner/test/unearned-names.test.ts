import { describe, expect, it } from 'vitest';
import { unearnedNames } from './corpus/unearned-names.ts';
import type { ReferenceCase } from './corpus/unearned-references.ts';
import { unearnedVisits } from './corpus/unearned-visits.ts';
import { inTurn, partOf } from './proof.ts';
import { pytest, python } from './split-suites.ts';
import { useJudge } from './use-judge.ts';

const judge = useJudge();

/** The tests that a wrong program passes, and those that the reference fails. */
async function unearned({ wrong, reference, tests }: ReferenceCase, withReference: boolean) {
  const suite = pytest(tests, withReference ? reference : undefined);
  const lies = await judge.run({ artifact: python(wrong), suite });
  const right = withReference ? await judge.run({ artifact: python(reference), suite }) : undefined;
  const named = (passed: boolean, verdict: typeof right) =>
    (verdict?.tests ?? [])
      .filter(({ status }) => (status === 'passed') === passed)
      .map(({ id, reason }) => [id, reason]);
  return { earned: named(true, lies), failed: named(false, right) };
}

describe.concurrent('what the suite knows by name, answered in the place of a value', () => {
  it.each([...unearnedNames.entries()])(
    '%i earns nothing, with a reference and without one (JDG-17)',
    async (at, each) => {
      for (const withReference of inTurn([true, false], at))
        expect(await unearned(each, withReference)).toEqual({ earned: [], failed: [] });
    },
  );
});

describe.concurrent('visits of a place, of which the reference has an object at some', () => {
  it.each(partOf(unearnedVisits, 32))('$id earn nothing (JDG-17, JDG-18)', async (each) => {
    expect(await unearned(each, true)).toEqual({ earned: [], failed: [] });
  });
});
