import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  boundSlaTerms,
  evaluateSla,
  newUptimeMonitor,
  performanceByDay,
  recordCheck,
  type SlaMeasurement,
  slaPromises,
  strictTrustPolicy,
  uptimeReport,
} from '../src/index.ts';

const start = Date.UTC(2026, 0, 1);
const hour = 3_600_000;
const day = 24 * hour;
const guarantee = {
  ...{ metric: 'uptime', target: 0.95, measurementWindow: '30 days', breachThreshold: 0.9 },
  penalty: { type: 'trust_score_reduction', amount: 0.1 },
};
const latency = { ...guarantee, metric: 'latency_p99', target: 5_000, breachThreshold: 7_500 };
const hourly = (count: number, value: (i: number) => number, more: object = {}): readonly SlaMeasurement[] =>
  Array.from({ length: count }, (_, i) => ({
    metric: 'uptime',
    at: start + i * hour,
    value: value(i),
    ...more,
  }));
const status = (sla: object, points: readonly SlaMeasurement[], now: number, options: object = {}) =>
  evaluateSla({ guarantees: [sla] }, points, now, options).guarantees[0];

describe('several probers of one promise', () => {
  it('one liar among three changes nothing, whatever it says and however often (TRU-31)', () => {
    const lies = fc.array(
      fc.record({
        // A sample stands for up to half a day on either side: these stand for times that the others observe, too.
        at: fc.integer({ min: 13 * hour, max: 86 * hour }),
        value: fc.double({ min: 0, max: 1, noNaN: true }),
      }),
      { maxLength: 60 },
    );
    const values = fc.array(fc.constantFrom(0, 0.5, 0.92, 1), { minLength: 100, maxLength: 100 });
    fc.assert(
      fc.property(lies, values, (said, seen) => {
        const honest = ['a', 'b'].flatMap((prober) => hourly(100, (i) => seen[i] ?? 0, { prober }));
        const liar = said.map(({ at, value }) => ({ metric: 'uptime', at: start + at, value, prober: 'c' }));
        const now = start + 99 * hour;
        const [alone, together] = [
          status(guarantee, honest, now),
          status(guarantee, [...honest, ...liar], now),
        ];
        expect(together?.current).toBeCloseTo(alone?.current ?? 0, 9);
        expect(together?.downtimeMs).toBeCloseTo(alone?.downtimeMs ?? 0, 0);
        expect(together?.status).toBe(alone?.status);
      }),
      { numRuns: 60 },
    );
  });

  it('of two the worse counts, and under a policy only known ones and the verifier itself (TRU-31)', () => {
    const now = start + 99 * hour;
    const good = hourly(100, () => 1, { prober: 'friend' });
    const bad = hourly(100, () => 0);
    expect(status(guarantee, [...bad, ...good], now)?.status).toBe('breached');
    const policy = { knownProbers: ['friend'] };
    expect(status(guarantee, good, now, { policy })?.status).toBe('compliant');
    expect(status(guarantee, good, now, { policy: strictTrustPolicy })?.current).toBeNull();
    expect(status(guarantee, good, now, { policy, subject: 'Friend ' })?.current).toBeNull();
    const counted = evaluateSla({ guarantees: [guarantee] }, [...bad, ...good], now, {
      policy: strictTrustPolicy,
    });
    expect(counted.ignoredMeasurements).toBe(100);
  });

  it('a bad sample stands for half of the usual gap however many good ones surround it (TRU-31)', () => {
    const now = start + 719 * hour;
    const plain = hourly(720, (i) => (i % 3 === 0 ? 0 : 1));
    const sandwich = plain.flatMap((point) =>
      point.value === 1
        ? [point]
        : [
            ...[-3, -2, -1].map((ms) => ({ ...point, value: 1, at: point.at + ms })),
            point,
            ...[1, 2, 3].map((ms) => ({ ...point, value: 1, at: point.at + ms })),
          ],
    );
    const [alone, surrounded] = [status(guarantee, plain, now), status(guarantee, sandwich, now)];
    expect(surrounded?.downtimeMs).toBeGreaterThan(0.49 * (alone?.downtimeMs ?? 0));
    expect(surrounded?.status).toBe('breached');
  });

  it('the 99th percentile of 40,000 measurements is evaluated at each of them, and agrees with sorting (TRU-31)', () => {
    const value = (i: number) => (i * 7_919) % 10_007;
    const points = Array.from({ length: 40_000 }, (_, i) => ({
      metric: 'latency_p99',
      at: start + i * 1_000,
      value: value(i),
    }));
    const found = status({ ...latency, aggregate: 'p99' }, points, start + 40_000_000);
    const sorted = points.map((point) => point.value).toSorted((left, right) => left - right);
    expect(found?.current).toBe(sorted[Math.ceil(0.99 * 40_000) - 1]);
    expect(found?.status).toBe('breached');
  });

  it('breaches by the 99th percentile begin and end where sorting each window says (TRU-16, TRU-31)', () => {
    const values = fc.array(fc.constantFrom(10, 4_000, 8_000, 20_000), { minLength: 3, maxLength: 60 });
    fc.assert(
      fc.property(values, fc.constantFrom('p99', 'max'), (seen, aggregate) => {
        const own = { ...latency, aggregate, measurementWindow: 10 * hour };
        const points = hourly(seen.length, (i) => seen[i] ?? 0).map((point) => ({
          ...point,
          metric: 'latency_p99',
        }));
        const now = start + seen.length * hour;
        const periods = evaluateSla({ guarantees: [own] }, points, now).recentBreaches.toReversed();
        const states = seen.map((_, i) => Math.max(...seen.slice(Math.max(0, i - 9), i + 1)) > 7_500);
        const begins = states.flatMap((isBroken, i) =>
          isBroken && states[i - 1] !== true ? [start + i * hour] : [],
        );
        const ends = states.flatMap((isBroken, i) =>
          !isBroken && states[i - 1] === true ? [start + i * hour] : [],
        );
        expect(periods.map(({ startedAt }) => startedAt)).toEqual(begins);
        expect(periods.flatMap(({ endedAt }) => endedAt ?? [])).toEqual(ends);
      }),
      { numRuns: 100 },
    );
  });
});

describe('metrics with a fixed meaning', () => {
  it('a known metric has one direction and units that are converted (TRU-29)', () => {
    const violations = (change: object) =>
      boundSlaTerms({ guarantees: [{ ...guarantee, ...change }] }, strictTrustPolicy.sla).violations.map(
        ({ path }) => path,
      );
    expect(violations({})).toEqual([]);
    expect(violations({ target: 95, unit: 'percent', breachThreshold: 90 })).toEqual([]);
    expect(violations({ breachThreshold: 0.97 })).toEqual(['guarantees.0.breachThreshold']);
    expect(violations({ direction: 'lower_is_better', breachThreshold: 0.97 })).toContain(
      'guarantees.0.direction',
    );
    expect(violations({ unit: 'furlong' })).toContain('guarantees.0.unit');
    expect(violations({ ...latency, target: 5, unit: 'seconds', breachThreshold: 7 })).toEqual([]);
    expect(violations({ metric: 'quality' })).toEqual(['guarantees.0.direction']);
    expect(violations({ metric: 'quality', direction: 'higher_is_better' })).toEqual([]);
    const fixed = { ...strictTrustPolicy.sla, directions: { quality: 'lower_is_better' as const } };
    expect(
      boundSlaTerms(
        { guarantees: [{ ...guarantee, metric: 'quality', direction: 'higher_is_better' }] },
        fixed,
      ).violations,
    ).not.toEqual([]);
  });

  it('promises count in shares and milliseconds, and the weakest of several (TRU-19)', () => {
    const promises = (...guarantees: readonly object[]) => slaPromises({ guarantees });
    expect(promises({ ...guarantee, target: 99, unit: 'percent', breachThreshold: 95 }).uptime).toBeCloseTo(
      0.99,
      12,
    );
    expect(promises({ ...guarantee, target: 99, breachThreshold: 95 }).uptime).toBeNull();
    expect(promises({ ...latency, target: 4, unit: 's', breachThreshold: 7 }).latencyP99Ms).toBe(4_000);
    expect(promises({ ...latency, target: 4, unit: 'hours', breachThreshold: 7 }).latencyP99Ms).toBeNull();
    expect(promises({ ...guarantee, target: 0.99 }, { ...guarantee, target: 0.91 }).uptime).toBe(0.91);
  });

  it('recovery is measured on the terms by which the breach was (TRU-17, TRU-29)', () => {
    const sla = { guarantees: [{ ...guarantee, target: 0.1, breachThreshold: 0 }] };
    const points = hourly(48, () => 0.5);
    const days = (options: object) =>
      performanceByDay(sla, 'uptime', points, start - 1, start + 2 * day, options).map(
        ({ aboveTarget }) => aboveTarget,
      );
    expect(days({})).toEqual([true, true]);
    expect(days({ policy: strictTrustPolicy })).toEqual([false, false]);
    expect(() => performanceByDay(sla, 'uptime', points, -8e15, 8e15)).toThrow(
      expect.objectContaining({ code: 'OUT_OF_RANGE' }),
    );
  });
});

describe('several probers of health checks', () => {
  it('each has its own record; half of those that observe suffice for an outage (TRU-32)', () => {
    const run = (marks: Readonly<Record<string, string>>) => {
      let monitor = newUptimeMonitor;
      for (let i = 0; i < 24; i += 1)
        for (const [prober, text] of Object.entries(marks))
          monitor = recordCheck(monitor, { at: start + i * 300_000, ok: text[i] === '+', prober });
      return uptimeReport(monitor, start + 24 * 300_000);
    };
    const up = '+'.repeat(24);
    const down = `++++++++${'-'.repeat(8)}++++++++`;
    expect(run({ a: up, b: up, c: down })).toMatchObject({ downtimeHours: 0, incidents: [] });
    const most = run({ a: up, b: down, c: down });
    expect(most.downtimeHours).toBeCloseTo(8 / 12, 9);
    expect(most.incidents).toMatchObject([{ startedAt: start + 8 * 300_000, failedChecks: 16 }]);
    expect(run({ a: up, b: down }).downtimeHours).toBeCloseTo(8 / 12, 9);
  });

  it('checks of unknown probers and from the future are ignored; a wrong date does not end the monitor (TRU-32)', () => {
    const options = { probers: ['npub-a'], now: start };
    const unknown = recordCheck(newUptimeMonitor, { at: start, ok: true, prober: 'b' }, options);
    const future = recordCheck(newUptimeMonitor, { at: start + day, ok: true }, options);
    expect([unknown.ignoredChecks, future.ignoredChecks]).toEqual([1, 1]);
    let monitor = recordCheck(newUptimeMonitor, { at: start, ok: true });
    monitor = recordCheck(monitor, { at: start + 3_650 * day, ok: true });
    monitor = recordCheck(monitor, { at: start + 300_000, ok: true });
    expect(monitor).toMatchObject({ checks: 2, ignoredChecks: 1, lastAt: start + 300_000 });
    // A silence of more than a day is real when another check follows it, and counts in a report after its date.
    const back = recordCheck(monitor, { at: start + 5 * day, ok: true });
    expect(uptimeReport(back, start + 5 * day + 60_000).observedHours).toBeGreaterThan(
      uptimeReport(monitor, start + 5 * day + 60_000).observedHours,
    );
    expect(recordCheck(back, { at: start + 5 * day + 300_000, ok: true })).toMatchObject({ checks: 4 });
  });
});
