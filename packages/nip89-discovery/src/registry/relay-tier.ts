/**
 * How a relay is read (DIS-1). `persistent`: live, all the time. `polled`: every few minutes. `sampled`: about once an hour, at
 * random times.
 */
export type RelayTier = 'persistent' | 'polled' | 'sampled';

/** What one reading of a relay, or one stretch of reading it live, was like. Counts since the observation before. */
export interface RelayObservation {
  /** Ms since epoch. */
  readonly at: number;
  /** It was reached, and said all it had. */
  readonly ok: boolean;
  /** Until it had said all it had, ms; `null` when it never did. */
  readonly latencyMs: number | null;
  /** Connections that broke. */
  readonly interruptions: number;
  /** Cards that were new, or newer than ours. */
  readonly fresh: number;
  /** Events that were what they should be, fresh or not. */
  readonly delivered: number;
  /** Events that were forged, malformed or too many. */
  readonly wasted: number;
}

/** Where a relay stands. */
export interface RelayStanding {
  readonly tier: RelayTier;
  /** Moving average of {@link rateObservation}, 0..1; `null` before the first. */
  readonly score: number | null;
  /** When its tier last changed, ms since epoch. */
  readonly changedAt: number;
}

/** The rules of promotion and demotion. */
export interface TierPolicy {
  /** A relay with this score or more goes up. @default 0.7 */
  readonly promoteAt: number;
  /** A relay with this score or less goes down; well below `promoteAt`, so that nobody goes up and down. @default 0.4 */
  readonly demoteAt: number;
  /** How long a relay stays in a tier at least, ms. @default 1800000 */
  readonly dwellMs: number;
  /** Weight of the newest observation, 0..1. @default 0.3 */
  readonly smoothing: number;
  /** Relays that are read live at the same time, at most. @default 8 */
  readonly maxPersistent: number;
}

/** When relays move between tiers, unless the caller says otherwise (DIS-1). */
export const defaultTierPolicy: TierPolicy = Object.freeze({
  promoteAt: 0.7,
  demoteAt: 0.4,
  dwellMs: 1_800_000,
  smoothing: 0.3,
  maxPersistent: 8,
});

/** A latency that is worth half. */
const halfLatencyMs = 5_000;

/**
 * What an observation is worth, 0..1: how much came of it and how quickly, less what was worthless, nothing when the relay did
 * not answer. A relay that is quick and has nothing gets .64 with the default policy: it stays where it is. Pure.
 */
export function rateObservation(observation: RelayObservation): number {
  const { ok, latencyMs, interruptions, fresh, delivered, wasted } = observation;
  if (!ok) return 0;
  const stability = 1 / (1 + interruptions / 2);
  const clean = (1 + delivered) / (1 + delivered + wasted);
  const yielded = 1 - 0.6 * Math.exp(-(fresh + delivered / 4));
  const speed = latencyMs === null ? 0.5 : halfLatencyMs / (halfLatencyMs + Math.max(0, latencyMs));
  return stability * clean * (0.6 * yielded + 0.4 * speed);
}

const order: readonly RelayTier[] = ['sampled', 'polled', 'persistent'];

/**
 * Where a relay stands after one more observation (DIS-1): at most one tier up or down, not before it has stayed for
 * `dwellMs`, and with a gap between the two thresholds, so that tiers do not flap. Pure.
 */
export function nextStanding(
  standing: RelayStanding,
  observation: RelayObservation,
  policy: TierPolicy = defaultTierPolicy,
): RelayStanding {
  const rating = rateObservation(observation);
  const score =
    standing.score === null ? rating : standing.score + policy.smoothing * (rating - standing.score);
  const here = { ...standing, score };
  if (observation.at - standing.changedAt < policy.dwellMs) return here;
  const step = score >= policy.promoteAt ? 1 : score <= policy.demoteAt ? -1 : 0;
  const tier = order[order.indexOf(standing.tier) + step];
  return step === 0 || tier === undefined ? here : { tier, score, changedAt: observation.at };
}

/** So much better another relay must be to take the place of the last one that is read live. */
const replacementMargin = 0.1;

/**
 * Makes the tiers of all relays fit together: no more than `maxPersistent` are read live, the best of them; and one is,
 * however bad. What has to move does so whatever its dwell time. `incumbent` is the relay that was demoted just now: when
 * it was the last one, it stays, unless another is clearly better. Pure.
 */
export function fitTiers(
  standings: ReadonlyMap<string, RelayStanding>,
  now: number,
  policy: TierPolicy = defaultTierPolicy,
  incumbent: string | null = null,
): ReadonlyMap<string, RelayStanding> {
  // Of equal relays the one that has been there longer stays.
  const ranked = [...standings].sort(
    ([, a], [, b]) => (b.score ?? 0) - (a.score ?? 0) || a.changedAt - b.changedAt,
  );
  const live = ranked.filter(([, { tier }]) => tier === 'persistent');
  const fitted = new Map(standings);
  for (const [relay, standing] of live.slice(policy.maxPersistent)) {
    fitted.set(relay, { ...standing, tier: 'polled', changedAt: now });
  }
  if (live.length > 0) return fitted;
  const last = ranked.find(([relay]) => relay === incumbent);
  const [best] = ranked;
  const isBetter = (best?.[1].score ?? 0) > (last?.[1].score ?? 0) + replacementMargin;
  const chosen = last === undefined || isBetter ? best : last;
  if (chosen !== undefined) fitted.set(chosen[0], { ...chosen[1], tier: 'persistent', changedAt: now });
  return fitted;
}

/** When a relay of a tier is to be read again, ms from now. `random` gives numbers of [0, 1). Pure. */
export function nextReadingMs(
  tier: RelayTier,
  intervals: { readonly pollMs: number; readonly sampleMs: number },
  random: () => number,
): number {
  // Half to one and a half hours: on average one, and nobody can tell when.
  return tier === 'sampled' ? intervals.sampleMs * (0.5 + random()) : intervals.pollMs;
}
