/**
 * Reading mode of a relay. `persistent`: live. `polled`: every few minutes. `sampled`: about once an hour, at
 * random times.
 */
export type RelayTier = 'persistent' | 'polled' | 'sampled';

/**
 * The result of one reading of a relay, or of one interval of a live reading. Counts since the previous
 * observation.
 */
export interface RelayObservation {
  /** Ms since epoch. */
  readonly at: number;
  /** True if it was reached and sent EOSE. */
  readonly ok: boolean;
  /** Time to EOSE, ms; `null` without EOSE. */
  readonly latencyMs: number | null;
  /** Number of broken connections. */
  readonly interruptions: number;
  /** Number of cards that were new or newer. */
  readonly fresh: number;
  /** Number of valid events. */
  readonly delivered: number;
  /** Number of forged, malformed and dropped events. */
  readonly wasted: number;
}

/** The tier and score of a relay. */
export interface RelayStanding {
  readonly tier: RelayTier;
  /** Moving average of {@link rateObservation}, 0..1; `null` before the first. */
  readonly score: number | null;
  /** Time of the last change of its tier, ms since epoch. */
  readonly changedAt: number;
}

/** The rules of promotion and demotion. */
export interface TierPolicy {
  /** Score from which a relay is promoted. @default 0.7 */
  readonly promoteAt: number;
  /**
   * Score up to which a relay is demoted. Keep it well below `promoteAt`, so that tiers do not flap. @default
   * 0.4
   */
  readonly demoteAt: number;
  /** Shortest time in a tier, ms. @default 1800000 */
  readonly dwellMs: number;
  /** Weight of the newest observation, 0..1. @default 0.3 */
  readonly smoothing: number;
  /** Largest number of relays that are read live. @default 8 */
  readonly maxPersistent: number;
}

/** Default rules of promotion and demotion. */
export const defaultTierPolicy: TierPolicy = Object.freeze({
  promoteAt: 0.7,
  demoteAt: 0.4,
  dwellMs: 1_800_000,
  smoothing: 0.3,
  maxPersistent: 8,
});

/** Latency with a speed score of one half, ms. */
const halfLatencyMs = 5_000;

/**
 * Rates an observation, 0..1, by yield and latency, reduced by waste and interruptions; 0 without an answer.
 * A fast relay without events gets .64, which keeps its tier by default. Pure.
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
 * Returns the standing after one more observation: at most one tier up or down, and not before `dwellMs`. The
 * gap between both thresholds prevents flapping. Pure.
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

/** Difference in score by which another relay must be better to replace the last one that is read live. */
const replacementMargin = 0.1;

/**
 * Limits the persistent relays to the best `maxPersistent`, and keeps at least one, ignoring the dwell time.
 * `incumbent` is the relay that was demoted just now: if it was the last one, it stays unless another is
 * clearly better. Pure.
 */
export function fitTiers(
  standings: ReadonlyMap<string, RelayStanding>,
  now: number,
  policy: TierPolicy = defaultTierPolicy,
  incumbent: string | null = null,
): ReadonlyMap<string, RelayStanding> {
  // Of equal relays, the one with the longer time in its tier stays.
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

/** Returns the delay until a relay is read again, ms. `random` returns numbers in [0, 1). Pure. */
export function nextReadingMs(
  tier: RelayTier,
  intervals: { readonly pollMs: number; readonly sampleMs: number },
  random: () => number,
): number {
  // Half to one and a half intervals, so that relays cannot predict it.
  return tier === 'sampled' ? intervals.sampleMs * (0.5 + random()) : intervals.pollMs;
}
