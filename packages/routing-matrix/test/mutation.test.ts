import { probabilityAbove, seededRandom } from '@bonafide/internal';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  compareClocks,
  type ExtendedObservations,
  type MutationInput,
  type MutationProposal,
  matrixMutationHook,
  mergeMutations,
  resolveProposals,
} from '../src/index.ts';
import { start } from './support.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

const propose = (
  more: Omit<Partial<MutationInput>, 'context'> & { context?: Partial<MutationInput['context']> } = {},
) => {
  const { context, ...rest } = more;
  return matrixMutationHook({
    thresholds: { code: 0.5 },
    outcome: 'SUCCESS',
    taskType: 'code',
    platform: 'p1',
    ...rest,
    context: { now: start, alpha: 1, ...context },
  });
};
const next = (...given: Parameters<typeof propose>) => propose(...given).newThresholds.code;

describe('adjustments', () => {
  it.each([
    ['a tenth of the headroom', {}, 0.54],
    ['more for a test score above .95', { metrics: { testScore: 0.96 } }, 0.59],
    ['nothing more at .95', { metrics: { testScore: 0.95 } }, 0.54],
    ['more below half of the baseline', { metrics: { latencyMs: 49 }, context: { baselineMs: 100 } }, 0.57],
    [
      'nothing more at half of the baseline',
      { metrics: { latencyMs: 50 }, context: { baselineMs: 100 } },
      0.54,
    ],
    ['both', { metrics: { testScore: 1, latencyMs: 1 }, context: { baselineMs: 100 } }, 0.62],
    ['less after another success', { context: { consecutiveSuccesses: 2 } }, 0.536],
    ['never less than half', { context: { consecutiveSuccesses: 60 } }, 0.52],
  ] as const)('raises by %s (RTM-14)', (_, input, expected) => {
    expect(next(input)).toBeCloseTo(expected, 9);
  });

  it.each([
    ['benchmark', 0.54],
    ['benchmark-task', 0.54],
    ['critical-path', 0.56],
    ['experimental', 0.524],
    ['background', 0.532],
    ['financial', 0.56],
    ['anything', 0.54],
    ['__proto__', 0.54],
    ['constructor', 0.54],
  ])('multiplies for %s (RTM-14)', (taskType, expected) => {
    const { newThresholds } = propose({ taskType, thresholds: {} });
    expect(Object.getOwnPropertyDescriptor(newThresholds, taskType)?.value).toBeCloseTo(expected, 9);
  });

  it.each([
    ['FAILURE', 0.35],
    ['VALIDATION_FAIL', 0.35],
    ['TIMEOUT', 0.3],
    ['ERROR', 0.4],
    ['PARTIAL', 0.42],
    ['SECURITY_VIOLATION', 0.3],
  ] as const)('lowers for %s, by at most .2 (RTM-13, RTM-14)', (outcome, expected) => {
    expect(next({ outcome })).toBeCloseTo(expected, 9);
  });

  it('takes an error by timeout or processor time for a timeout, and a failure of the judge for nothing (RTM-13)', () => {
    expect(next({ outcome: 'ERROR', metrics: { errorKind: 'timeout' } })).toBeCloseTo(0.3, 9);
    expect(next({ outcome: 'ERROR', metrics: { errorKind: 'cpu' } })).toBeCloseTo(0.3, 9);
    expect(next({ outcome: 'ERROR', metrics: { errorKind: 'oom' } })).toBeCloseTo(0.4, 9);
    expect(propose({ outcome: 'INFRA' })).toMatchObject({
      newThresholds: { code: 0.5 },
      recommendedAction: 'REVIEW',
    });
  });

  it('smooths with .3, seeded with the current value, and takes the smoothed value so far (RTM-14)', () => {
    expect(next({ context: { alpha: 0.3 } })).toBeCloseTo(0.3 * 0.54 + 0.7 * 0.5, 9);
    expect(next({ context: { alpha: 0.3, ema: 0.6 } })).toBeCloseTo(0.3 * 0.54 + 0.7 * 0.6, 9);
  });

  it('suspends when the raw value reaches the floor, also when smoothing hides it (RTM-14)', () => {
    const fallen = propose({ thresholds: { code: 0.25 }, outcome: 'FAILURE', context: { alpha: 0.3 } });
    expect(fallen).toMatchObject({ suspend: ['code'], recommendedAction: 'ALERT' });
    expect(fallen.newThresholds.code).toBeCloseTo(0.205, 9);
    expect(propose({ thresholds: { code: 0.26 }, outcome: 'FAILURE' }).suspend).toEqual([]);
  });

  it('allows .3 a day for each task type (RTM-13)', () => {
    const change = (hoursAgo: number, delta: number, taskType = 'code') => ({
      at: start - hoursAgo * hourMs,
      delta,
      taskType,
    });
    const nextAfter = (...history: ReturnType<typeof change>[]) =>
      next({ outcome: 'TIMEOUT', context: { history } });
    expect(nextAfter(change(1, 0.1), change(2, 0.1))).toBeCloseTo(0.4, 9);
    expect(nextAfter(change(1, 0.1), change(2, 0.2))).toBeCloseTo(0.5, 9);
    expect(nextAfter(change(25, 0.3), change(1, 0.3, 'prose'))).toBeCloseTo(0.3, 9);
  });

  it('stays in .1 … .9 and in ±.2, whatever it is given, and changes no argument (RTM-13)', () => {
    const outcomes = [
      'SUCCESS',
      'PARTIAL',
      'FAILURE',
      'TIMEOUT',
      'ERROR',
      'SECURITY_VIOLATION',
      'INFRA',
    ] as const;
    const history = fc.array(
      fc.record({
        at: fc.integer({ min: start - 2 * dayMs, max: start }),
        taskType: fc.constantFrom('financial', 'code'),
        delta: fc.double({ min: -0.2, max: 0.2, noNaN: true }),
      }),
      { maxLength: 20 },
    );
    fc.assert(
      fc.property(
        fc.double({ min: 0.1, max: 0.9, noNaN: true }),
        fc.constantFrom(...outcomes),
        fc.constantFrom('financial', 'code'),
        history,
        fc.option(fc.double({ min: 0.1, max: 0.9, noNaN: true })),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (current, outcome, taskType, past, ema, alpha) => {
          const thresholds = Object.freeze({ [taskType]: current, other: 0.3 });
          const proposal = matrixMutationHook({
            thresholds,
            outcome,
            taskType,
            platform: 'p',
            metrics: { testScore: 1, latencyMs: 1 },
            context: { now: start, history: past, ema, alpha, baselineMs: 100 },
          });
          const to = proposal.newThresholds[taskType] ?? Number.NaN;
          expect(to).toBeGreaterThanOrEqual(0.1);
          expect(to).toBeLessThanOrEqual(0.9);
          expect(Math.abs(to - current)).toBeLessThanOrEqual(0.2 + 1e-9);
          const spent = past
            .filter((each) => each.taskType === taskType && each.at > start - dayMs)
            .reduce((sum, { delta }) => sum + Math.abs(delta), 0);
          expect(Math.abs(to - current)).toBeLessThanOrEqual(Math.max(0, 0.3 - spent) + 1e-8);
          expect(proposal.newThresholds.other).toBe(0.3);
          expect(Object.isFrozen(proposal) && Object.isFrozen(proposal.newThresholds)).toBe(true);
          expect(proposal.confidence).toBeGreaterThanOrEqual(0);
          expect(proposal.confidence).toBeLessThanOrEqual(1);
        },
      ),
    );
  });
});

describe('oscillation', () => {
  const historyOf = (...deltas: readonly number[]) =>
    deltas.map((delta, index) => ({ at: start - 10 * dayMs + index, taskType: 'code', delta }));

  it('halves the change and alerts at three reversals (RTM-13)', () => {
    const calm = propose({ outcome: 'ERROR', context: { history: historyOf(0.1, 0.1) } });
    expect(calm.newThresholds.code).toBeCloseTo(0.4, 9);
    const swinging = propose({ outcome: 'ERROR', context: { history: historyOf(0.1, -0.1, 0.1) } });
    expect(swinging.newThresholds.code).toBeCloseTo(0.45, 9);
    expect(swinging.recommendedAction).toBe('ALERT');
  });

  it('does not take noise for an oscillation: 9 % of random histories, where the plain rule fires in 91 % (RTM-13)', () => {
    const random = seededRandom(11);
    const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    let fired = 0;
    const rounds = 2_000;
    for (let round = 0; round < rounds; round += 1) {
      const deltas = Array.from({ length: 10 }, () => 0.02 * normal());
      const { rationale } = propose({
        outcome: 'ERROR',
        context: { alpha: 0, ema: 0.5 + (deltas.pop() ?? 0), history: historyOf(...deltas) },
      });
      if (rationale.includes('reversals')) fired += 1;
    }
    expect(fired / rounds).toBeGreaterThan(0.05);
    expect(fired / rounds).toBeLessThan(0.14);
  });
});

describe('what to do with a proposal', () => {
  const sure = { observations: { successes: 99, failures: 1 } };

  it('merges by itself what is small, sure, and rests on thirty jobs (RTM-13)', () => {
    expect(propose({ context: sure }).recommendedAction).toBe('AUTO_MERGE');
    expect(propose({ context: { observations: { successes: 29, failures: 0 } } }).recommendedAction).toBe(
      'REVIEW',
    );
    expect(propose({ context: { observations: { successes: 30, failures: 5 } } }).recommendedAction).toBe(
      'REVIEW',
    );
    expect(propose({ context: { ...sure, recentRollbacks: 1 } }).recommendedAction).toBe('REVIEW');
    expect(
      propose({ outcome: 'TIMEOUT', context: { observations: { successes: 10, failures: 90 } } })
        .recommendedAction,
    ).toBe('REVIEW');
  });

  it('alerts on an attack and at a bound (RTM-13)', () => {
    expect(propose({ outcome: 'SECURITY_VIOLATION', context: sure }).recommendedAction).toBe('ALERT');
    expect(propose({ thresholds: { code: 0.89 }, metrics: { testScore: 1 }, context: sure })).toMatchObject({
      newThresholds: { code: 0.9 },
      recommendedAction: 'ALERT',
    });
  });

  it('has the posterior of Beta(1, 1) as its confidence (RTM-13)', () => {
    // Beta(2, 1): P(p > r) = 1 - r².
    expect(propose({ context: { expectedRate: 0.6 } }).confidence).toBeCloseTo(1 - 0.36, 12);
    expect(propose({ outcome: 'ERROR', context: { expectedRate: 0.6 } }).confidence).toBeCloseTo(
      1 - 0.16,
      12,
    );
    // By numerical integration of the density.
    const byIntegration = (rate: number, s: number, f: number) => {
      const steps = 200_000;
      let [above, all] = [0, 0];
      for (let i = 0; i < steps; i += 1) {
        const p = (i + 0.5) / steps;
        const density = p ** s * (1 - p) ** f;
        all += density;
        if (p > rate) above += density;
      }
      return above / all;
    };
    for (const [rate, s, f] of [
      [0.9, 28, 2],
      [0.5, 7, 7],
      [0.2, 0, 12],
      [0.95, 100, 3],
    ] as const) {
      expect(probabilityAbove(rate, s, f)).toBeCloseTo(byIntegration(rate, s, f), 4);
    }
    expect(probabilityAbove(0.9, 100_000, 0)).toBe(1);
    expect(probabilityAbove(0, 3, 4)).toBe(1);
    expect(probabilityAbove(1, 3, 4)).toBe(0);
  });

  it('refuses what it cannot read (RTM-13)', () => {
    for (const bad of [
      { thresholds: { code: Number.NaN } },
      { outcome: 'FINE' as never },
      { taskType: '' },
      { metrics: { testScore: 2 } },
    ]) {
      expect(() => propose(bad)).toThrow(expect.objectContaining({ code: 'INVALID_INPUT' }));
    }
  });
});

describe('rollback', () => {
  const drop = (outcome: string, more: object = {}) => ({
    at: start - 1,
    taskType: 'code',
    delta: -0.1,
    before: 0.6,
    outcome,
    ...more,
  });

  it('takes a decrease back when a success follows, instead of the increment (RTM-18)', () => {
    expect(next({ context: { history: [drop('TIMEOUT')] } })).toBeCloseTo(0.6, 9);
    expect(next({ context: { history: [drop('ERROR')] } })).toBeCloseTo(0.6, 9);
  });

  it('does so once in 24 hours, and never after wrong or hostile work (RTM-18)', () => {
    expect(next({ context: { history: [drop('VALIDATION_FAIL')] } })).toBeCloseTo(0.54, 9);
    expect(next({ context: { history: [drop('SECURITY_VIOLATION')] } })).toBeCloseTo(0.54, 9);
    const earlier = { at: start - 23 * hourMs, taskType: 'code', delta: 0.05, before: 0.5, rolledBack: true };
    expect(next({ context: { history: [earlier, drop('TIMEOUT')] } })).toBeCloseTo(0.54, 9);
    expect(
      next({ context: { history: [{ ...earlier, at: start - 25 * hourMs }, drop('TIMEOUT')] } }),
    ).toBeCloseTo(0.6, 9);
    expect(next({ outcome: 'ERROR', context: { history: [drop('TIMEOUT')] } })).toBeLessThan(0.5);
  });

  it('returns to the mean of seven days after three moves that were each reversed (RTM-18)', () => {
    const history = [0.05, -0.05, 0.05, -0.05].map((delta, index) => ({
      at: start - dayMs * (4 - index),
      taskType: 'code',
      delta,
      before: index % 2 === 0 ? 0.5 : 0.55,
    }));
    expect(next({ outcome: 'PARTIAL', context: { history } })).toBeCloseTo(
      (0.5 + 0.55 + 0.5 + 0.55 + 0.5) / 5,
      9,
    );
  });
});

describe('extended variables', () => {
  const extend = (extended: ExtendedObservations) => propose({ context: { extended } });

  it.each([
    ['ten early', { early: 10, near: 0, silent: 0 }, 8_000, 'REVIEW'],
    ['nine early', { early: 9, near: 0, silent: 0 }, undefined, 'REVIEW'],
    ['five near', { early: 10, near: 5, silent: 0 }, 13_000, 'REVIEW'],
    ['three silent', { early: 0, near: 5, silent: 3 }, 15_000, 'ALERT'],
  ] as const)('sets timeouts: %s (RTM-15)', (_, seen, timeoutMs, action) => {
    const { extendedMutations, recommendedAction } = extend({ timeout: { timeoutMs: 10_000, ...seen } });
    expect(extendedMutations.TIMEOUT_CONFIGURATION?.timeoutMs).toBe(timeoutMs);
    expect(recommendedAction).toBe(action);
  });

  it.each([
    [{ limit: 3, queueDepth: 11 }, 2],
    [{ limit: 3, queueDepth: 10 }, undefined],
    [{ limit: 1, queueDepth: 50 }, undefined],
    [{ limit: 9, idle: true }, 10],
    [{ limit: 10, idle: true }, undefined],
  ])('limits a platform: %j (RTM-15)', (parallelism, expected) => {
    expect(extend({ parallelism }).extendedMutations.PARALLELISM_LIMIT?.platform).toBe(expected);
  });

  it('raises the global limit under half use, and cuts it when many time out at once (RTM-15)', () => {
    expect(
      extend({ globalParallelism: { limit: 8, utilization: 0.49 } }).extendedMutations.PARALLELISM_LIMIT,
    ).toEqual({ global: 9 });
    expect(extend({ globalParallelism: { limit: 8, utilization: 0.5 } }).extendedMutations).toEqual({});
    expect(extend({ globalParallelism: { limit: 9, utilization: 0.1, cascade: true } })).toMatchObject({
      extendedMutations: { PARALLELISM_LIMIT: { global: 4 } },
      recommendedAction: 'ALERT',
    });
  });

  it('moves money without making or losing any (RTM-15)', () => {
    const budget = { paidMsat: 1_001, experimentsMsat: 10, lowPriorityMsat: 101, reserveMsat: 5 };
    expect(
      extend({
        costBudget: {
          ...budget,
          freeTierAbundant: true,
          qualityScarce: true,
          underspent: { msat: 99, keep: 0.5 },
        },
      }).extendedMutations.COST_BUDGET,
    ).toEqual({
      paidMsat: 801,
      experimentsMsat: 210,
      lowPriorityMsat: 71,
      reserveMsat: 35,
      rolloverMsat: 49,
    });
    expect(extend({ costBudget: budget }).extendedMutations).toEqual({});
  });

  it('prefers the model that leads a role with thirty jobs, and falls back to what two reliable platforms run (RTM-15)', () => {
    const model = (name: string, platform: string, successes: number, jobs: number, role = 'reasoning') => ({
      role,
      model: name,
      platform,
      successes,
      jobs,
    });
    expect(
      extend({
        models: [
          model('a', 'p1', 27, 30),
          model('b', 'p2', 29, 30),
          model('c', 'p3', 29, 29),
          model('c', 'p4', 9, 10),
        ],
      }).extendedMutations.MODEL_PREFERENCE,
    ).toEqual({ roles: { reasoning: 'b' }, fallbackChain: ['c'] });
  });
});

describe('several agents', () => {
  const counters = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.nat(3), { maxKeys: 3 });
  const proposals = fc
    .record({
      outcome: fc.constantFrom('SUCCESS' as const, 'ERROR' as const, 'SECURITY_VIOLATION' as const),
      taskType: fc.constantFrom('x', 'y'),
      threshold: fc.double({ min: 0.1, max: 0.9, noNaN: true }),
      limit: fc.integer({ min: 2, max: 9 }),
      timeoutMs: fc.integer({ min: 1_000, max: 9_000 }),
      model: fc.constantFrom('m', 'n'),
      clock: counters,
    })
    .map(({ outcome, taskType, threshold, limit, timeoutMs, model, clock }) =>
      matrixMutationHook({
        thresholds: { [taskType]: threshold },
        outcome,
        taskType,
        platform: 'p',
        context: {
          now: start,
          clock,
          extended: {
            timeout: { timeoutMs, early: 10, near: 0, silent: 0 },
            parallelism: { limit, idle: true },
            models: [{ role: 'r', model, platform: 'p', successes: 30, jobs: 30 }],
          },
        },
      }),
    );
  const equal = (a: MutationProposal, b: MutationProposal) => expect(a).toEqual(b);

  it('merge in any order and any number of times to the same proposal (RTM-17)', () => {
    fc.assert(
      fc.property(proposals, proposals, proposals, (a, b, c) => {
        equal(mergeMutations(a, b), mergeMutations(b, a));
        equal(mergeMutations(mergeMutations(a, b), c), mergeMutations(a, mergeMutations(b, c)));
        equal(mergeMutations(a, a), a);
      }),
    );
  });

  it('merge to the safer of both (RTM-17)', () => {
    fc.assert(
      fc.property(proposals, proposals, (a, b) => {
        const merged = mergeMutations(a, b);
        for (const side of [a, b]) {
          for (const [type, threshold] of Object.entries(side.newThresholds)) {
            expect(merged.newThresholds[type]).toBeLessThanOrEqual(threshold);
          }
          expect(merged.confidence).toBeLessThanOrEqual(side.confidence);
          expect(merged.extendedMutations.TIMEOUT_CONFIGURATION?.timeoutMs).toBeGreaterThanOrEqual(
            side.extendedMutations.TIMEOUT_CONFIGURATION?.timeoutMs ?? 0,
          );
          expect(merged.extendedMutations.PARALLELISM_LIMIT?.platform).toBeLessThanOrEqual(
            side.extendedMutations.PARALLELISM_LIMIT?.platform ?? 0,
          );
          if (side.recommendedAction === 'ALERT') expect(merged.recommendedAction).toBe('ALERT');
        }
      }),
    );
  });

  it('take the later proposal, and merge those that do not know each other (RTM-17)', () => {
    const at = (clock: Record<string, number>, code: number) =>
      propose({ thresholds: { code }, outcome: 'INFRA', context: { clock } });
    const first = at({ a: 1 }, 0.4);
    expect(compareClocks({ a: 1 }, { a: 1, b: 0 })).toBe('equal');
    equal(resolveProposals(first, at({ a: 2 }, 0.7)), at({ a: 2 }, 0.7));
    equal(resolveProposals(at({ a: 2 }, 0.7), first), at({ a: 2 }, 0.7));
    expect(resolveProposals(first, at({ b: 1 }, 0.7))).toMatchObject({
      newThresholds: { code: 0.4 },
      clock: { a: 1, b: 1 },
    });
  });
});
