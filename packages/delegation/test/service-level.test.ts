// Service levels by the agreements of trust-score.
import { evaluateSla, parseSla } from '@bonafide/trust-score';
import { expect, it } from 'vitest';
import { createSlaServiceLevel, type Order, type ServedWork } from '../src/index.ts';
import { key, platform, startWorld } from './support/world.ts';

const dayMs = 86_400_000;
const start = 1_700_000_000_000;
const suspension = { type: 'temporary_suspension', duration: '2 days' };
const promise = (metric: string, rest: object = {}) => ({
  guarantees: [
    {
      ...{ metric, target: 0.95, breachThreshold: 0.9, measurementWindow: '7 days', penalty: suspension },
      ...rest,
    },
  ],
});

const levelOf = (terms: unknown, minMeasurements?: number) =>
  createSlaServiceLevel({
    rules: { parseSla, evaluateSla },
    termsOf: () => terms,
    ...(minMeasurements === undefined ? {} : { minMeasurements }),
  });

/** A work each hour, the first at `start`. */
const works = (count: number, rest: (index: number) => Partial<ServedWork>): readonly ServedWork[] =>
  Array.from({ length: count }, (_, index) => ({
    ...{ key: `${index}`, at: start + index * 3_600_000, latencyMs: 100, isTrial: false },
    ...{ outcome: 'SUCCESS', isAnswered: true },
    ...rest(index),
  }));

const context = (given: readonly ServedWork[], suspendedUntilAt: number | null = null) => ({
  ...{ platform: platform(1), taskType: 'code', suspendedUntilAt },
  now: given.at(-1)?.at ?? start,
});

const failing = (index: number): Partial<ServedWork> => (index % 2 === 0 ? {} : { outcome: 'FAILURE' });

it('suspends for a broken promise, from its last breach for as long as agreed (DLG-6, TRU-16)', () => {
  const level = levelOf(promise('success_rate'));
  const bad = works(10, failing);
  expect(level(bad, context(bad))).toEqual({
    untilAt: (bad.at(-1)?.at ?? 0) + 2 * dayMs,
    reason: expect.stringMatching(/^It broke its promise: success_rate is 0\.\d+, and 0\.95 was agreed\.$/u),
  });
  const good = works(10, () => ({}));
  expect(level(good, context(good))).toBeNull();
});

it.each([
  { metric: 'successRate', rest: { unit: 'percent', target: 95, breachThreshold: 90 }, work: failing },
  { metric: 'error_rate', rest: { target: 0.05, breachThreshold: 0.1 }, work: failing },
  {
    metric: 'uptime',
    rest: {},
    work: (index: number): Partial<ServedWork> =>
      index % 2 === 0 ? {} : { outcome: 'ERROR', isAnswered: false, latencyMs: null },
  },
  {
    metric: 'latency_p99',
    rest: { unit: 'seconds', target: 1, breachThreshold: 2 },
    work: (index: number): Partial<ServedWork> => (index % 2 === 0 ? {} : { latencyMs: 9_000 }),
  },
])('measures $metric by the works of a platform (DLG-6)', ({ metric, rest, work }) => {
  const level = levelOf(promise(metric, rest));
  const bad = works(10, work);
  expect(level(bad, context(bad))?.reason).toContain(metric);
  const good = works(10, () => ({}));
  expect(level(good, context(good))).toBeNull();
});

it('does not suspend by too few works, by what is unknown, or for another penalty (DLG-6)', () => {
  const bad = works(10, failing);
  expect(levelOf(promise('success_rate'), 11)(bad, context(bad))).toBeNull();
  expect(levelOf(promise('politeness'))(bad, context(bad))).toBeNull();
  expect(levelOf(null)(bad, context(bad))).toBeNull();
  const financial = { type: 'financial', amount: 1, currency: 'EUR' };
  expect(levelOf(promise('success_rate', { penalty: financial }))(bad, context(bad))).toBeNull();
  const unknown = works(10, () => ({ isAnswered: null, latencyMs: null }));
  expect(levelOf(promise('uptime'))(unknown, context(unknown))).toBeNull();
  expect(
    levelOf(promise('latency', { target: 1, breachThreshold: 2 }))(unknown, context(unknown)),
  ).toBeNull();
});

it('counts works from before the end of a suspension once (DLG-6)', () => {
  const level = levelOf(promise('success_rate'));
  const bad = works(10, failing);
  const untilAt = level(bad, context(bad))?.untilAt ?? 0;
  // While it is suspended, late answers change nothing.
  expect(level(bad, context(bad, untilAt))).toBeNull();
  const later = (count: number, outcome: ServedWork['outcome']) =>
    works(count, (index) => ({ at: untilAt + index * 3_600_000, outcome }));
  const back = [...bad, ...later(6, 'SUCCESS')];
  expect(level(back, context(back, untilAt))).toBeNull();
  const again = [...bad, ...later(6, 'FAILURE')];
  expect(level(again, context(again, untilAt))?.untilAt).toBeGreaterThan(untilAt);
});

it('feeds deliveries to the agreement of a platform, and its suspension reaches the matrix (DLG-6, RTM-8)', async () => {
  const world = await startWorld(({ provider }) => (provider === key(1) ? 'wrong' : 'right'), {
    count: 1,
    serviceLevel: levelOf(promise('success_rate'), 2),
  });
  await world.qualifyAll();
  await using delegation = world.delegation;
  const order = (id: string): Order => ({
    ...{ id, taskType: 'code', inputs: [{ data: id }], suite: {}, valueMsat: 1_000 },
  });
  for (const id of ['a', 'b']) {
    expect((await world.matrix.entry('code', platform(1)))?.suspended, id).toBe(false);
    await delegation.delegate(order(id)).catch(() => {});
    await delegation.settled(id);
  }
  const entry = await world.matrix.entry('code', platform(1));
  expect(entry?.suspended).toBe(true);
  const { picks, excluded } = await world.matrix.select({ taskType: 'code', jobId: 'next' });
  expect({ picks: picks.length, excluded }).toMatchObject({
    picks: 0,
    excluded: [{ platformId: `${key(1)}:x`, reason: 'suspended' }],
  });
});
