import { beforeAll, describe, expect, it } from 'vitest';
import type { Suite, TestResult } from '../src/index.ts';
import type { BoxFault } from './corpus/box-fault.ts';
import { faultsOfClasses } from './corpus/faults-of-classes.ts';
import { faultsOfErrors } from './corpus/faults-of-errors.ts';
import { faultsOfLoops } from './corpus/faults-of-loops.ts';
import { faultsOfValues } from './corpus/faults-of-values.ts';
import { forgedQuestions } from './corpus/forged-questions.ts';
import { partOf } from './proof.ts';
import { useJudge } from './use-judge.ts';

const judge = useJudge();
const boxFaults = [...faultsOfClasses, ...faultsOfErrors, ...faultsOfLoops, ...faultsOfValues];

/** All programs are modules of one: a judgment for each would take a minute. */
const limits = { wallMs: 600_000, cpuHardMs: 60_000 };
const nameOf = ({ id }: BoxFault) => `m_${id.replaceAll(/\W/g, '_').toLowerCase()}`;
const filesOf = (faults: readonly BoxFault[], source: (fault: BoxFault) => string) =>
  Object.fromEntries(faults.map((each) => [`${nameOf(each)}.py`, source(each)]));
const suiteOf = (faults: readonly BoxFault[], reference: boolean): Suite => ({
  ...{ id: 'two boxes', language: 'python', mode: 'split', limits },
  files: Object.fromEntries(
    faults.map((each) => [
      `test_${nameOf(each)}.py`,
      each.tests.replaceAll('from solution import', `from ${nameOf(each)} import`),
    ]),
  ),
  ...(reference
    ? { reference: { language: 'python', files: filesOf(faults, ({ right }) => right) } as const }
    : {}),
});
const testsOf = (tests: readonly TestResult[], fault: BoxFault) =>
  tests.filter(({ id }) => id.startsWith(`test_${nameOf(fault)}.py`));

describe('correct programs whose faults two boxes could hide', () => {
  it('pass every test (JDG-21)', async () => {
    const artifact = {
      language: 'python',
      files: filesOf(boxFaults, ({ right }) => right),
    } as const;
    const verdict = await judge.run({ artifact, suite: suiteOf(boxFaults, false) });
    const failed = verdict.tests.filter(({ status }) => status !== 'passed');
    expect(failed.map(({ id, reason }) => [id, reason])).toEqual([]);
  });
});

for (const reference of [false, true])
  describe(`programs with faults that one process shows, ${reference ? 'with' : 'without'} a reference`, () => {
    const faults = boxFaults.filter(({ isAlone }) => !reference || isAlone !== true);
    let tests: readonly TestResult[] = [];
    beforeAll(async () => {
      const artifact = { language: 'python', files: filesOf(faults, ({ wrong }) => wrong) } as const;
      ({ tests } = await judge.run({ artifact, suite: suiteOf(faults, reference) }));
    });
    for (const fault of faults)
      it(`${fault.id} fails (JDG-17, JDG-18)`, () => {
        const found = testsOf(tests, fault).map(({ status }) => status);
        expect(found).toContain('failed');
      });
  });

describe.concurrent('programs that ask what no correct one asks', () => {
  for (const fault of partOf(forgedQuestions, 6))
    it(`${fault.id} gains nothing, and nothing is thrown (JDG-17, JDG-20)`, async () => {
      const verdict = await judge.run({
        artifact: { language: 'python', source: fault.wrong },
        suite: {
          ...{ id: 'forged', language: 'python', mode: 'split', limits: { wallMs: 10_000 } },
          files: { 'test_it.py': fault.tests },
        },
      });
      expect(verdict.outcome, verdict.summary).toMatch(/^(?:FAILURE|ERROR)$/);
    });
});
