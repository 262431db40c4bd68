import { silentLogger } from '@bonafide/internal';
import { eventually } from '@bonafide/internal/testing';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import {
  defaultTierPolicy,
  fitTiers,
  nextStanding,
  type RelayObservation,
  type RelayStanding,
  type RelayTier,
  rateObservation,
} from '../src/index.ts';
import { readRelayRecords } from '../src/registry/reader-state.ts';
import { nextReadingMs } from '../src/registry/relay-tier.ts';
import { createRelaySchedule, type ReadingEvents } from '../src/relays/relay-schedule.ts';
import { setUp } from './set-up.ts';
import { cardOf, manualClock, start } from './support.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

const good: RelayObservation = {
  at: start,
  ok: true,
  latencyMs: 100,
  interruptions: 0,
  fresh: 3,
  delivered: 3,
  wasted: 0,
};
const quiet: RelayObservation = { ...good, fresh: 0, delivered: 0 };
const dead: RelayObservation = { ...quiet, ok: false, latencyMs: null };
const polled: RelayStanding = { tier: 'polled', score: null, changedAt: start };

describe('what an observation is worth', () => {
  it('DIS-1 rates yield, latency and stability', () => {
    const rating = (over: Partial<RelayObservation>) => rateObservation({ ...good, ...over });
    expect(rating({})).toBeGreaterThan(0.9);
    expect(rateObservation(quiet)).toBeCloseTo(0.63, 2);
    expect(rateObservation(dead)).toBe(0);
    expect(rating({ fresh: 0 })).toBeLessThan(rating({}));
    expect(rating({ latencyMs: 5_000 })).toBeLessThan(rating({ latencyMs: 500 }));
    expect(rating({ interruptions: 2 })).toBeCloseTo(rating({}) / 2);
    expect(rating({ wasted: 100 })).toBeLessThan(0.1);
  });

  it('DIS-1 rates within 0 and 1, and never worse for more of what is good or less of what is bad', () => {
    const count = fc.nat({ max: 10_000 });
    const observations = fc.record({
      at: fc.constant(start),
      ok: fc.boolean(),
      latencyMs: fc.option(fc.nat({ max: 60_000 })),
      interruptions: fc.nat({ max: 100 }),
      fresh: count,
      delivered: count,
      wasted: count,
    });
    fc.assert(
      fc.property(observations, (observation) => {
        const rating = rateObservation(observation);
        expect(rating).toBeGreaterThanOrEqual(0);
        expect(rating).toBeLessThanOrEqual(1);
        const better = (over: Partial<RelayObservation>) =>
          expect(rateObservation({ ...observation, ...over })).toBeGreaterThanOrEqual(rating);
        better({ fresh: observation.fresh + 1 });
        better({ delivered: observation.delivered + 1 });
        better({ wasted: Math.max(0, observation.wasted - 1) });
        better({ interruptions: Math.max(0, observation.interruptions - 1) });
      }),
    );
  });
});

describe('tiers', () => {
  /** The tiers that a relay goes through when it is observed every five minutes. */
  function walk(from: RelayStanding, observations: readonly RelayObservation[]): RelayStanding[] {
    const steps = [from];
    for (const [index, observation] of observations.entries()) {
      const [last = from] = steps.slice(-1);
      steps.push(nextStanding(last, { ...observation, at: start + (index + 1) * 5 * minuteMs }));
    }
    return steps;
  }
  const often = (observation: RelayObservation, times: number) =>
    Array.from({ length: times }, () => observation);
  const changes = (steps: readonly RelayStanding[]) =>
    steps.filter((step, index) => index > 0 && step.tier !== steps[index - 1]?.tier).length;

  it('DIS-1 promotes who yields and demotes who does not answer, one tier at a time', () => {
    expect(walk(polled, often(good, 6)).at(-1)?.tier).toBe('persistent');
    const down = walk({ ...polled, tier: 'persistent' }, often(dead, 12)).map(({ tier }) => tier);
    expect([...new Set(down)]).toEqual(['persistent', 'polled', 'sampled']);
    expect(walk({ ...polled, tier: 'sampled' }, often(dead, 100)).at(-1)?.tier).toBe('sampled');
    expect(changes(walk(polled, often(quiet, 288)))).toBe(0);
  });

  it('DIS-1 waits half an hour before it moves a relay, and takes one bad moment for nothing', () => {
    expect(walk(polled, often(good, 5)).at(-1)?.tier).toBe('polled');
    const steady = { ...polled, tier: 'persistent' as const, score: 0.95, changedAt: start - hourMs };
    expect(walk(steady, [dead, good, good, dead, good, good]).at(-1)?.tier).toBe('persistent');
    expect(walk(steady, often(dead, 6)).at(-1)?.tier).toBe('polled');
  });

  it('DIS-1 does not flap: a relay that is good and dead by turns stays where it is', () => {
    const byTurns = Array.from({ length: 288 }, (_, n) => (n % 2 === 0 ? good : dead));
    expect(changes(walk({ ...polled, score: 0.55 }, byTurns))).toBe(0);
  });

  it('DIS-1 moves a relay at most once in its dwell time, whatever it does', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(good, quiet, dead), { maxLength: 300 }), (observations) => {
        const moved = walk(polled, observations).map(({ changedAt }) => changedAt);
        const moments = [...new Set(moved)];
        for (const [index, at] of moments.entries()) {
          if (index > 0)
            expect(at - (moments[index - 1] ?? 0)).toBeGreaterThanOrEqual(defaultTierPolicy.dwellMs);
        }
      }),
    );
  });

  it('DIS-1 reads at most so many live, the best, and always one', () => {
    const standing = (tier: RelayTier, score: number | null) => ({ tier, score, changedAt: start });
    const policy = { ...defaultTierPolicy, maxPersistent: 2 };
    const fitted = (standings: Record<string, RelayStanding>) =>
      Object.fromEntries(
        [...fitTiers(new Map(Object.entries(standings)), start + 1, policy)].map(([relay, { tier }]) => [
          relay,
          tier,
        ]),
      );
    expect(
      fitted({
        a: standing('persistent', 0.7),
        b: standing('persistent', 0.9),
        c: standing('persistent', 0.8),
      }),
    ).toEqual({ a: 'polled', b: 'persistent', c: 'persistent' });
    expect(fitted({ a: standing('sampled', 0.1), b: standing('polled', 0.3) })).toEqual({
      a: 'sampled',
      b: 'persistent',
    });
    expect(fitted({})).toEqual({});
  });

  it('DIS-1 samples about once an hour, at times that nobody can tell', () => {
    const intervals = { pollMs: 300_000, sampleMs: hourMs };
    expect(nextReadingMs('polled', intervals, () => 0.3)).toBe(300_000);
    expect([0, 0.5, 0.999].map((at) => nextReadingMs('sampled', intervals, () => at) / hourMs)).toEqual([
      0.5,
      1,
      expect.closeTo(1.5, 2),
    ]);
  });
});

/** How a relay of the simulation behaves at a time of day. */
type Behaviour = (hour: number) => {
  readonly answersAfterMs: number | null;
  readonly freshPerHour?: number;
  readonly wastedPerHour?: number;
  readonly closes?: boolean;
};

/** A day with relays that are nothing but their behaviour, a second at a time. */
async function simulateDay(behaviours: Readonly<Record<string, Behaviour>>, hours = 24) {
  const clock = manualClock();
  const seconds = hours * 3_600;
  const names = Object.keys(behaviours);
  const totals = new Map(names.map((name) => [name, { fresh: 0, delivered: 0, wasted: 0 }]));
  const sessions = new Map<
    string,
    { readonly openedAt: number; readonly events: ReadingEvents; told: boolean }
  >();
  const readAt = new Map<string, number>();
  const opened = new Map<string, number[]>(names.map((name) => [name, []]));
  const liveSeconds = new Map<string, number>();
  const changes: string[] = [];
  let mostAtOnce = 0;
  let state = 7;
  const random = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  const hour = () => (clock() - start) / hourMs;
  const schedule = createRelaySchedule({
    relays: names,
    policy: { ...defaultTierPolicy, maxPersistent: 4 },
    pollMs: 5 * minuteMs,
    sampleMs: hourMs,
    readingMs: 10_000,
    lingerMs: 1_000,
    async open(relay, events) {
      opened.get(relay)?.push(clock());
      const session = { openedAt: clock(), events, told: false };
      sessions.set(relay, session);
      return {
        isBroken: false,
        close() {
          if (sessions.get(relay) === session) sessions.delete(relay);
        },
      };
    },
    totals: (relay) => ({
      ...(totals.get(relay) ?? { fresh: 0, delivered: 0, wasted: 0 }),
      interruptions: 0,
      isConnected: behaviours[relay]?.(hour()).answersAfterMs !== null,
    }),
    onTier: ({ relay, before, after }) => changes.push(`${relay} ${before} ${after} ${hour().toFixed(1)}`),
    clock,
    random,
    logger: silentLogger,
  });
  for (let second = 0; second < seconds; second += 1) {
    await schedule.tick();
    mostAtOnce = Math.max(mostAtOnce, sessions.size);
    for (const [relay, session] of sessions) {
      liveSeconds.set(relay, (liveSeconds.get(relay) ?? 0) + 1);
      const {
        answersAfterMs,
        freshPerHour = 0,
        wastedPerHour = 0,
        closes,
      } = behaviours[relay]?.(hour()) ?? {
        answersAfterMs: null,
      };
      if (closes === true) session.events.onClosed();
      if (answersAfterMs === null || clock() - session.openedAt < answersAfterMs) continue;
      if (!session.told) session.events.onAnswered();
      session.told = true;
      // What has gathered since it was read the last time.
      const counters = totals.get(relay);
      const hours = (clock() - (readAt.get(relay) ?? start)) / hourMs;
      readAt.set(relay, clock());
      if (counters === undefined) continue;
      const some = (perHour: number) => Math.floor(hours * perHour + random());
      const fresh = some(freshPerHour);
      counters.fresh += fresh;
      counters.delivered += fresh;
      counters.wasted += some(wastedPerHour);
    }
    clock.advance(1_000);
  }
  const tiers = () => Object.fromEntries(names.map((name) => [name, schedule.standing(name)?.tier]));
  const at = (relay: string) => opened.get(relay) ?? [];
  const before = tiers();
  await schedule.stop();
  return { tiers: before, changes, at, liveSeconds, mostAtOnce, sessions };
}

describe('a simulated day', () => {
  const steady: Behaviour = () => ({ answersAfterMs: 200, freshPerHour: 30 });
  const silent: Behaviour = () => ({ answersAfterMs: null });

  it('DIS-1 reads the good live, the dead about hourly, and takes back who recovers', async () => {
    const day = await simulateDay({
      good: steady,
      dead: silent,
      // Down from the third hour to the tenth.
      patchy: (hour) =>
        hour >= 3 && hour < 10 ? { answersAfterMs: null } : { answersAfterMs: 300, freshPerHour: 30 },
      shut: () => ({ answersAfterMs: null, closes: true }),
      // There is no place among the first four: it has to earn it.
      late: steady,
      flooding: () => ({ answersAfterMs: 200, freshPerHour: 30, wastedPerHour: 3_600 }),
    });
    expect(day.tiers).toEqual({
      good: 'persistent',
      dead: 'sampled',
      patchy: 'persistent',
      shut: 'sampled',
      late: 'persistent',
      flooding: 'sampled',
    });
    const patchy = day.changes
      .filter((change) => change.startsWith('patchy'))
      .map((change) => change.split(' '));
    expect(patchy.map(([, , after]) => after)).toEqual(['polled', 'sampled', 'polled', 'persistent']);
    expect(patchy.every(([, , , hour], index) => Number(hour) > (index < 2 ? 3 : 10))).toBe(true);
    expect(day.at('good')).toHaveLength(1);
    expect(day.liveSeconds.get('good')).toBe(86_400);
    expect(day.sessions.size).toBe(0);
    // Sampled at random, about once an hour: 12 seconds each instead of a day.
    const samples = day.at('dead').filter((at) => at > start + 4 * hourMs);
    expect(samples.length).toBeGreaterThanOrEqual(14);
    expect(samples.length).toBeLessThanOrEqual(28);
    const gaps = samples.slice(1).map((at, index) => at - (samples[index] ?? 0));
    expect(Math.max(...gaps)).toBeLessThanOrEqual(1.5 * hourMs + 15_000);
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(0.5 * hourMs);
    expect(new Set(gaps).size).toBeGreaterThan(5);
  });

  it('DIS-1 polls a quiet relay every five minutes and leaves it where it is', async () => {
    const quietly: Behaviour = () => ({ answersAfterMs: 200 });
    const day = await simulateDay({ a: quietly, b: quietly, c: quietly, d: quietly, e: quietly }, 6);
    expect(day.changes).toEqual([]);
    expect(day.tiers.e).toBe('polled');
    const gaps = day
      .at('e')
      .slice(1)
      .map((at, index) => at - (day.at('e')[index] ?? 0));
    expect(gaps.length).toBeGreaterThan(65);
    for (const gap of gaps) expect(gap).toBeLessThanOrEqual(5 * minuteMs + 5_000);
    for (const gap of gaps) expect(gap).toBeGreaterThanOrEqual(5 * minuteMs);
  });

  it('DIS-1 keeps reading the best live when all are dead, and does not go round in circles', async () => {
    const day = await simulateDay({ a: silent, b: silent, c: silent }, 12);
    expect(Object.values(day.tiers).filter((tier) => tier === 'persistent')).toHaveLength(1);
    expect(day.changes.length).toBeLessThan(8);
  });

  it('DIS-1 polls no more than eight relays of a hundred at the same moment', async () => {
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`r${n}`, steady] as const));
    const day = await simulateDay(many, 1);
    expect(day.mostAtOnce).toBeLessThanOrEqual(4 + 8);
    for (const name of Object.keys(many)) expect(day.at(name).length).toBeGreaterThan(0);
  });
});

describe('a restart', () => {
  it('DIS-1 DIS-15 leaves relays where they stood, with what they gave, also when other relays are read', async () => {
    const { discovery, relays, store, open, clock } = await setUp({
      relayCount: 3,
      config: { tickMs: 5, queryTimeoutMs: 1_000, tiers: { dwellMs: 0, maxPersistent: 3 } },
    });
    const [good, bad, third] = relays;
    if (good === undefined || bad === undefined || third === undefined) throw new Error('three relays');
    for (const n of [1, 2, 3]) good.publish(await cardOf(n));
    await bad.faults.set({ forge: { alter: 'signature', withhold: true } });
    for (let n = 10; n < 40; n += 1) bad.publish(await cardOf(n));
    await discovery.start();
    const statsOf = (which: typeof discovery, url: string) =>
      which.relayStats().find(({ relay }) => relay === url);
    const isDemoted = () => {
      clock.advance(300_000);
      expect(statsOf(discovery, bad.url)?.tier).not.toBe('persistent');
    };
    await eventually(() => expect(discovery.rejections().counts['wrong-signature']).toBe(30));
    await eventually(() => expect(statsOf(discovery, good.url)?.taken).toBe(3));
    await vi.waitFor(isDemoted, { timeout: 500_000, interval: 50 });
    await discovery.close();
    const before = discovery.relayStats();
    const { discovery: again } = open({
      config: { tickMs: 60_000, tiers: { dwellMs: 0, maxPersistent: 3 } },
    });
    await again.start();
    for (const stats of before) expect(statsOf(again, stats.relay)).toEqual(stats);
    await again.close();
    // With one place for a relay that is read live, the best one has it; one that is new stands where new ones stand.
    const added = 'wss://new.example.com';
    const { discovery: other } = open({
      relays: [added, bad.url, good.url],
      config: { tickMs: 60_000, tiers: { maxPersistent: 1 } },
    });
    await other.start();
    expect(statsOf(other, good.url)?.tier).toBe('persistent');
    expect(statsOf(other, bad.url)?.tier).not.toBe('persistent');
    expect(await readRelayRecords(store, [third.url, bad.url, good.url])).toHaveLength(3);
  });
});
