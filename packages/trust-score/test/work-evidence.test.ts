import { expect, it } from 'vitest';
import {
  type CheckOutcome,
  computeTrustScore,
  evidenceFromWork,
  type JudgedTask,
  scoreFactors,
} from '../src/index.ts';

const hourMs = 3_600_000;
const task = (rest: Partial<JudgedTask>): JudgedTask => ({
  outcome: 'SUCCESS',
  passed: 3,
  tests: 3,
  at: hourMs,
  ...rest,
});

it('makes evidence of judged work: tests of everything, outcomes of jobs, the age of the newest (TRU-1)', () => {
  const work = [
    task({ isTrial: true, outcome: 'FAILURE', passed: 0, tests: 2 }),
    task({}),
    task({ outcome: 'PARTIAL', passed: 2, at: 3 * hourMs }),
    task({ outcome: 'ERROR', passed: null, tests: null, at: 2 * hourMs }),
    task({ outcome: 'INFRA', passed: null, tests: null, at: 2 * hourMs }),
  ];
  expect(evidenceFromWork(work, { since: 0, now: 4 * hourMs })).toEqual({
    testCoverage: { passing: 5, total: 8 },
    uptime: { periodHours: 4, downtimeHours: 0 },
    successRate: { successful: 2, failed: 1 },
    endorsements: { total: 0, unique: 0, endorserTrustAvg: 0 },
    attestationFreshness: { hours: 1 },
  });
});

it('makes valid evidence without work, in the moment of the first contact, and of an observed uptime (TRU-1)', () => {
  const factors = scoreFactors(evidenceFromWork([], { since: 5, now: 5 }));
  expect(factors.successRate.insufficientData).toBe(true);
  expect(computeTrustScore(factors).value).toBeLessThan(0.5);
  const uptime = { periodHours: 10, downtimeHours: 5 };
  expect(evidenceFromWork([], { since: 0, now: 1, uptime }).uptime).toEqual(uptime);
});

it.each([
  ['SUCCESS', { successful: 1, failed: 0 }],
  ['PARTIAL', { successful: 1, failed: 0 }],
  ['FAILURE', { successful: 0, failed: 1 }],
  ['ERROR', { successful: 0, failed: 1 }],
  ['SECURITY_VIOLATION', { successful: 0, failed: 1 }],
  ['INFRA', { successful: 0, failed: 0 }],
] as const)('counts the outcome %s (TRU-1)', (outcome, counts) => {
  expect(evidenceFromWork([task({ outcome })], { since: 0, now: hourMs }).successRate).toEqual(counts);
});

it.each(['success', 'paid', 'verified', 'timeout', '', 'constructor', 'toString'])(
  'refuses the unknown outcome %j and names the known ones, so that it never counts as a failure (TRU-1, X-3)',
  (outcome) => {
    const work = [task({}), task({ outcome: outcome as CheckOutcome })];
    expect(() => evidenceFromWork(work, { since: 0, now: hourMs })).toThrow(
      expect.objectContaining({
        code: 'INVALID_INPUT',
        message: `work[1].outcome must be "SUCCESS" or "PARTIAL" or "FAILURE" or "ERROR" or "SECURITY_VIOLATION" or "INFRA", not "${outcome}"`,
      }),
    );
  },
);

it('gives 0 for every input that the README gives when it is not known (TRU-1, X-11)', () => {
  const factors = scoreFactors({
    testCoverage: { passing: 0, total: 0 },
    uptime: { periodHours: 1, downtimeHours: 0, coverage: 0 },
    successRate: { successful: 0, failed: 0 },
    endorsements: { total: 0, unique: 0, endorserTrustAvg: 0 },
    attestationFreshness: { hours: 24 },
  });
  expect(computeTrustScore(factors).value).toBe(0);
});
