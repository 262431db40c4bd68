import { highestAfterViolation, lowestOnAlarm, trustBand } from './band.ts';
import { clampTrust } from './clamp.ts';
import { type GateEvidence, noEvidence } from './evidence.ts';
import { type GateHistory, type GateRow, gateHistory } from './gate-history.ts';

/** All guards. `max_delta` and `violation` always act; the others can be chosen. */
export const trustGuards = [
  'violation',
  'max_delta',
  'band',
  'ceiling',
  'first_contact',
  'cooldown',
  'daily_budget',
  'no_new_outcome',
  'no_new_interactions',
] as const;

/**
 * Guards that limit a proposal.
 *
 * - `violation`: the peer has attacked. Trust is at most −8 until the operator lifts it.
 * - `max_delta`: the proposal exceeded `maxTrustDelta` from the base, or from 0 for a first assessment.
 * - `band`: the proposal was farther than 3 from the center of the facts.
 * - `ceiling`: positive trust may not exceed max(3, infoScore). Limits rises.
 * - `first_contact`: a first opinion stays within ±max(1, infoScore).
 * - `cooldown`: trust changed within the cooldown. Limits rises above the center.
 * - `daily_budget`: the daily budget of rises is used up or nearly so. Limits rises above the center.
 * - `no_new_outcome`: a second rise above the center without a success since, or a second fall below it without a failure.
 * - `no_new_interactions`: no interaction since the last assessment that had the same value or moved in the same direction.
 */
export type TrustGuard = (typeof trustGuards)[number];

/** Settings of the gate. */
export interface GateConfig {
  /** Largest change per cycle and peer, both ways. */
  readonly maxTrustDelta: number;
  /**
   * `'all'`, `'clamp'` (`maxTrustDelta` alone), or the guards that act besides `maxTrustDelta`. With `'clamp'` a manipulated
   * model reaches +10 in four cycles.
   */
  readonly guards: 'all' | 'clamp' | readonly TrustGuard[];
  /** Time after a change of trust in which no rise above the center is allowed, in ms. */
  readonly cooldownMs: number;
  /** Allowed rise within 24 hours by starting trust: the last entry with `from` ≤ base applies. */
  readonly dailyRise: readonly { readonly from: number; readonly max: number }[];
}

/** Input of the gate. A cycle's record contains it, so that the decision can be replayed. */
export interface GateInput {
  /** Trust that the reflector proposes. */
  readonly proposed: number;
  /**
   * All assessments of the peer by any source, oldest first. Base, cooldown and budget are derived from them.
   */
  readonly rows: readonly GateRow[];
  /** The ledger's current infoScore, 0…10. */
  readonly infoScore: number;
  /** Time of the peer's newest interaction, ms since epoch; null without one. */
  readonly lastInteractionAt: number | null;
  /**
   * Time of the newest fact that the author of the newest row had seen, when known: facts that arrived during the
   * reflection are still new. Defaults to the row's own time.
   */
  readonly seenThroughAt?: number | null;
  /** The facts that bound the opinion. @default no facts */
  readonly evidence?: GateEvidence;
  readonly now: number;
}

/** The decision of the gate. */
export interface GateDecision {
  /** `skip`: nothing is written, because the ledger has the same trust for the same facts. */
  readonly action: 'record' | 'skip';
  /** The trust to write. */
  readonly trust: number;
  readonly proposed: number;
  /** The ledger's newest trust, null when there is none. */
  readonly base: number | null;
  /** Every guard that acted. */
  readonly guards: readonly TrustGuard[];
}

/** Default settings of the gate. */
export const defaultGateConfig: GateConfig = {
  maxTrustDelta: 3,
  guards: 'all',
  cooldownMs: 15 * 60_000,
  dailyRise: [
    { from: -10, max: 3 },
    { from: 4, max: 2 },
    { from: 7, max: 1 },
  ],
};

function budgetAt(base: number, config: GateConfig): number {
  let max = 0;
  for (const tier of config.dailyRise) if (tier.from <= base) max = tier.max;
  return max;
}

function activeGuards({ guards }: GateConfig): (guard: TrustGuard) => boolean {
  if (guards === 'all') return () => true;
  if (guards === 'clamp') return () => false;
  return (guard) => guards.includes(guard);
}

const within = (value: number, low: number, high: number) => Math.min(high, Math.max(low, value));

/**
 * Decides one proposed change of trust. Pure: equal rows and facts give equal decisions, so that a restart resets nothing
 * and a repeated cycle writes nothing twice.
 *
 * For every proposal, trust ends within the band around the facts, at most `maxTrustDelta` a cycle. Movement towards the
 * center of the facts passes every other guard. Movement away from it is opinion, and limited by all of them: rises by
 * ceiling, cooldown and daily budget, both directions by the need for a new outcome. An opinion that is blocked is recorded
 * with the trust that is allowed, so that its rationale is kept.
 */
export function gateAssessment(input: GateInput, config: GateConfig = defaultGateConfig): GateDecision {
  return decideTrust({ ...input, history: gateHistory(input) }, config);
}

/** Input of {@link decideTrust}: as for the gate, with the rows summarized. */
export type DecisionInput = Omit<GateInput, 'rows' | 'lastInteractionAt' | 'seenThroughAt'> & {
  readonly history: GateHistory;
};

/** Decides as {@link gateAssessment} does, from a summary of the rows that a record can hold. Pure. */
export function decideTrust(input: DecisionInput, config: GateConfig): GateDecision {
  const { infoScore, now, history, evidence = noEvidence } = input;
  const { base, hasNews } = history;
  const from = base ?? 0;
  const proposed = clampTrust(input.proposed, from, 20);
  const decided = { proposed: input.proposed, base };
  const isActive = activeGuards(config);

  if (evidence.violation) {
    const trust = Math.min(proposed, highestAfterViolation, from);
    const action = trust !== base || hasNews ? 'record' : 'skip';
    return { action, trust, ...decided, guards: trust === proposed ? [] : ['violation'] };
  }

  const guards: TrustGuard[] = [];
  let target = proposed;
  const bounded = (guard: TrustGuard, low: number, high: number) => {
    const next = within(target, low, high);
    if (next === target) return;
    target = next;
    guards.push(guard);
  };

  const step = (value: number) => clampTrust(value, base, config.maxTrustDelta);
  bounded('max_delta', step(-10), step(10));
  const band = trustBand(evidence, infoScore);
  if (isActive('band')) {
    const low = Math.min(band.low, Math.max(from, band.keptLow));
    bounded('band', low, Math.max(band.high, Math.min(from, band.keptHigh)));
    // The way into the band takes several cycles.
    target = step(target);
  }
  // Never forces a fall: trust above the ceiling stays.
  if (isActive('ceiling')) bounded('ceiling', -10, Math.max(band.ceiling, Math.min(from, target)));

  // The way to the center is free; only what goes beyond it is opinion.
  const rises = target > from;
  const free = isActive('band')
    ? within(evidence.center, Math.min(from, target), Math.max(from, target))
    : from;
  const limit = (guard: TrustGuard, farthest: number) => {
    if (!isActive(guard)) return;
    if (rises) bounded(guard, -10, Math.max(free, farthest));
    else bounded(guard, Math.min(free, farthest), 10);
  };
  if (base === null) limit('first_contact', Math.max(1, infoScore) * (rises ? 1 : -1));
  if (rises) {
    if (history.changedAt !== null && now - history.changedAt < config.cooldownMs) limit('cooldown', from);
    limit('daily_budget', from + Math.max(0, budgetAt(from, config) - history.risen));
  }
  const beyondAt = rises ? history.roseAboveAt : history.fellBelowAt;
  const supportedAt = rises ? evidence.lastSuccessAt : evidence.lastFailureAt;
  if (beyondAt !== null && (supportedAt === null || supportedAt <= beyondAt)) {
    limit('no_new_outcome', !rises && evidence.alarmAt !== null ? lowestOnAlarm : free);
  }
  if (!hasNews && isActive('no_new_interactions')) {
    // Rows since the last interaction rest on the same facts. One correction in each direction is allowed; repeating a
    // value, or moving further in the same direction, is not.
    if (rises ? history.roseOnSameFacts : history.fellOnSameFacts) limit('no_new_interactions', free);
    if (target === base) {
      if (!guards.includes('no_new_interactions')) guards.push('no_new_interactions');
      return { action: 'skip', trust: from, ...decided, guards };
    }
  }
  return { action: 'record', trust: target, ...decided, guards };
}
