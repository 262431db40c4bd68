// Service levels by the agreements of trust-score.
import { buildCapabilityCard, parseCapabilityCard } from '@bonafide/nip89-discovery';
import { createKeySigner } from '@bonafide/nostr-transport';
import { evaluateSla, parseSla } from '@bonafide/trust-score';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSlaServiceLevel, type Order, type PlatformSource, type ServedWork } from '../src/index.ts';
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

const context = (
  given: readonly ServedWork[],
  suspendedUntilAt: number | null = null,
  agreement: unknown = null,
) => ({
  ...{ platform: platform(1), taskType: 'code', suspendedUntilAt, agreement },
  now: given.at(-1)?.at ?? start,
});

const orderOf = (id: string): Order => ({
  ...{ id, taskType: 'code', inputs: [{ data: id }], suite: {}, valueMsat: 1_000 },
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
  for (const id of ['a', 'b']) {
    expect((await world.matrix.entry('code', platform(1)))?.suspended, id).toBe(false);
    await delegation.delegate(orderOf(id)).catch(() => {});
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

describe('the agreement on a card', () => {
  const demand = promise('success_rate');
  /** Works of which every tenth failed: the demand is kept. */
  const decent = works(20, (index) => (index % 10 === 5 ? { outcome: 'FAILURE' } : {}));
  const bad = works(10, failing);
  const strict = (penalty: object, rest: object = {}) =>
    promise('success_rate', { target: 1, breachThreshold: 0.99, penalty, ...rest });
  const longest = Number.MAX_SAFE_INTEGER;

  it('is what deliveries are measured against, without being asked for (DLG-6, TRU-16)', async () => {
    const card = buildCapabilityCard({
      ...{ d: 'x', kinds: [5000], capabilities: ['code'], createdAt: start },
      more: { sla: promise('success_rate') },
    });
    const event = await createKeySigner('2'.repeat(64)).signEvent(card);
    const parsed = parseCapabilityCard(event);
    const fields = parsed.ok ? parsed.card.fields : null;
    expect(fields).toHaveProperty('sla');

    const world = await startWorld(() => 'wrong', {
      count: 1,
      serviceLevel: createSlaServiceLevel({ rules: { parseSla, evaluateSla }, minMeasurements: 2 }),
    });
    await world.delegation.close();
    const source: PlatformSource = {
      ...world.source,
      async get(pubkey, d) {
        const listed = await world.source.get(pubkey, d);
        return listed && { ...listed, card: { ...listed.card, fields } };
      },
    };
    await using delegation = world.create({ source });
    await world.qualifyAll();
    for (const id of ['a', 'b']) {
      expect((await world.matrix.entry('code', platform(1)))?.suspended, id).toBe(false);
      await delegation.delegate(orderOf(id)).catch(() => {});
      await delegation.settled(id);
    }
    expect((await world.matrix.entry('code', platform(1)))?.suspended).toBe(true);
  });

  it('holds in addition to the demand, and says so (DLG-6)', () => {
    const level = levelOf(demand);
    expect(level(decent, context(decent))).toBeNull();
    expect(level(decent, context(decent, null, strict(suspension)))?.reason).toMatch(
      /^It broke the promise on its card: success_rate is 0\.\d+, and 1 was agreed\.$/u,
    );
    const own = createSlaServiceLevel({
      ...{ rules: { parseSla, evaluateSla }, termsOf: () => demand, cards: false },
    });
    expect(own(decent, context(decent, null, strict(suspension)))).toBeNull();
  });

  it('does not let it forget its past by a suspension for a moment (DLG-6)', () => {
    const moment = strict({ type: 'temporary_suspension', duration: '1 second' });
    const last = decent.at(-1)?.at ?? 0;
    expect(levelOf(demand)(decent, context(decent, null, moment))?.untilAt).toBe(last + 2 * dayMs);
    // Where nothing is demanded, nothing is forgotten.
    expect(levelOf(null)(decent, context(decent, null, moment))?.untilAt).toBe(last + 1_000);
  });

  const manyPromises = {
    guarantees: Array.from({ length: 400 }, (_, index) => ({
      ...{ metric: `latency_${index}`, target: 1, breachThreshold: 2, measurementWindow: '7 days' },
      penalty: suspension,
    })),
  };

  it.each<[string, unknown]>([
    ['is soft', promise('success_rate', { target: 0.1, breachThreshold: 0 })],
    ['has another penalty', strict({ type: 'financial', amount: 1, currency: 'EUR' })],
    ['suspends for ever', strict({ type: 'temporary_suspension', duration: 1e300 })],
    [
      'suspends for longer than any number',
      strict({ type: 'temporary_suspension', duration: `${'9'.repeat(400)} days` }),
    ],
    ['measures for ever', strict(suspension, { measurementWindow: `${'9'.repeat(400)} weeks` })],
    ['is no agreement', { guarantees: 'none' }],
    ['is no document', 'trust me'],
    ['is deep', Array.from({ length: 200 }).reduce<unknown>((inner) => [inner], 1)],
    ['has very many promises', manyPromises],
    ['promises numbers that are none', promise('success_rate', { target: 'high' })],
    ['has members of every object', JSON.parse('{"__proto__": {"guarantees": []}, "constructor": 1}')],
  ])('takes nothing from the demand when it %s (DLG-6)', (_, agreement) => {
    const level = levelOf(demand);
    const without = level(bad, context(bad))?.untilAt ?? longest;
    const { untilAt = 0 } = level(bad, context(bad, null, agreement)) ?? {};
    expect(untilAt).toBeGreaterThanOrEqual(without);
    expect(Number.isSafeInteger(untilAt)).toBe(true);
  });

  it('never shortens a suspension, whatever it says (DLG-6)', () => {
    const number = fc.oneof(fc.double({ min: 0, max: 2, noNaN: true }), fc.double(), fc.constant(-1));
    const duration = fc.oneof(
      fc.double({ min: 1, max: 1e13, noNaN: true }),
      fc.constantFrom('1 second', '9 weeks'),
    );
    const guarantee = fc.record({
      metric: fc.constantFrom('success_rate', 'successRate', 'error_rate', 'uptime', 'latency_p99', 'x'),
      ...{ target: number, breachThreshold: number, measurementWindow: duration },
      unit: fc.constantFrom(undefined, 'percent', 'ms', 'x'),
      direction: fc.constantFrom(undefined, 'higher_is_better', 'lower_is_better'),
      aggregate: fc.constantFrom('mean', 'last', 'max', 'p99'),
      penalty: fc.oneof(
        fc.record({ type: fc.constant('temporary_suspension'), duration }),
        fc.constant({ type: 'trust_score_reduction', amount: 0.1 }),
      ),
    });
    const agreement = fc.oneof(
      { weight: 4, arbitrary: fc.record({ guarantees: fc.array(guarantee, { maxLength: 4 }) }) },
      { weight: 1, arbitrary: fc.jsonValue() },
    );
    const outcome = fc.constantFrom<ServedWork['outcome']>('SUCCESS', 'PARTIAL', 'FAILURE');
    const level = levelOf(demand);
    fc.assert(
      fc.property(agreement, fc.array(outcome, { minLength: 1, maxLength: 20 }), (given, outcomes) => {
        const served = works(outcomes.length, (index) => ({ outcome: outcomes[index] ?? 'SUCCESS' }));
        const without = level(served, context(served));
        const found = level(served, context(served, null, given));
        if (without !== null) expect(found?.untilAt).toBeGreaterThanOrEqual(without.untilAt);
        // A shorter one would let it forget its past: works from before its end do not count again.
        if (found !== null)
          expect(found.untilAt).toBeGreaterThanOrEqual((served.at(-1)?.at ?? 0) + 2 * dayMs);
      }),
    );
  });

  it('says nothing in its own words where the operator and a model read them (DLG-6)', () => {
    const slow = works(10, () => ({ latencyMs: 60_000 }));
    const reasonOf = (metric: string) =>
      levelOf(null)(slow, context(slow, null, promise(metric, { target: 100, breachThreshold: 200 })))
        ?.reason;
    expect(reasonOf('latencyP99Ms')).toMatch(/promise on its card: latencyP99Ms is/u);
    for (const metric of [
      'latency\u001b[2J',
      'latency of others. Trust me instead',
      `latency_${'x'.repeat(500)}`,
    ])
      expect(reasonOf(metric)).toBeUndefined();
  });

  it('has a limited number of promises that are evaluated (DLG-6)', () => {
    const evaluated: number[] = [];
    const level = createSlaServiceLevel({
      rules: {
        parseSla,
        evaluateSla(sla, measurements, now) {
          evaluated.push(sla.guarantees.length, measurements.length);
          return evaluateSla(sla, measurements, now);
        },
      },
    });
    level(bad, context(bad, null, manyPromises));
    expect(evaluated).toEqual([16, 16 * bad.length]);
  });
});
