import { clampTrust } from './clamp.ts';

/** Guards that limit a proposal. */
export type TrustGuard =
  /** The proposal exceeded `maxTrustDelta` from the base, or from 0 for a first assessment. */
  | 'max_delta'
  /** Positive trust may not exceed max(3, infoScore). Limits rises. */
  | 'ceiling'
  /** Trust changed within the cooldown. Limits rises. */
  | 'cooldown'
  /** The daily budget of rises is used up or nearly so. Limits rises. */
  | 'daily_budget'
  /** No interaction since the last assessment that had the same value or moved in the same direction. */
  | 'no_new_interactions';

/** One assessment of the ledger with the fields that the gate reads. */
export interface GateRow {
  readonly trust: number;
  readonly createdAt: number;
}

/** Settings of the gate. */
export interface GateConfig {
  /** Largest change per cycle and peer, both ways. */
  readonly maxTrustDelta: number;
  /**
   * `'clamp'` disables every guard except `maxTrustDelta`: a manipulated model then reaches +10 in four cycles.
   */
  readonly guards: 'all' | 'clamp';
  /** Time after a change of trust in which no rise is allowed, in ms. */
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
  /** Every guard that acted, in the order of {@link TrustGuard}. */
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

/** Length of the sliding window of the daily budget, in ms. */
export const dayMs = 24 * 60 * 60_000;

/** Returns the steps of a series of assessments. Trust before the first one counts as 0. */
function steps(rows: readonly GateRow[]): readonly { readonly change: number; readonly at: number }[] {
  return rows.map((row, index) => ({ change: row.trust - (rows[index - 1]?.trust ?? 0), at: row.createdAt }));
}

function budgetAt(base: number, config: GateConfig): number {
  let max = 0;
  for (const tier of config.dailyRise) if (tier.from <= base) max = tier.max;
  return max;
}

/**
 * Decides one proposed change of trust. Pure: equal rows give equal decisions, so that a restart resets nothing and a
 * repeated cycle writes nothing twice.
 *
 * Falls are limited by `maxTrustDelta` only. The other guards limit rises and never force a fall. A rise that they
 * block is recorded with unchanged trust, so that its rationale is kept.
 */
export function gateAssessment(input: GateInput, config: GateConfig = defaultGateConfig): GateDecision {
  const { proposed, rows, now } = input;
  const newest = rows.at(-1);
  const base = newest?.trust ?? null;
  const from = base ?? 0;
  const clamped = clampTrust(proposed, base, config.maxTrustDelta);
  const guards: TrustGuard[] = clamped === proposed ? [] : ['max_delta'];
  if (config.guards === 'clamp') return { action: 'record', trust: clamped, proposed, base, guards };

  let trust = clamped;
  const limitRise = (guard: TrustGuard, highest: number) => {
    const allowed = Math.max(from, highest);
    if (trust <= allowed) return;
    trust = allowed;
    guards.push(guard);
  };
  const changes = steps(rows);
  const lastChange = changes.findLast((step) => step.change !== 0);
  const risen = changes
    .filter((step) => step.change > 0 && now - step.at < dayMs)
    .reduce((sum, step) => sum + step.change, 0);

  limitRise('ceiling', Math.max(3, input.infoScore));
  if (lastChange !== undefined && now - lastChange.at < config.cooldownMs) limitRise('cooldown', from);
  limitRise('daily_budget', from + Math.max(0, budgetAt(from, config) - risen));

  if (newest === undefined) return { action: 'record', trust, proposed, base, guards };
  const seenThrough = Math.min(newest.createdAt, input.seenThroughAt ?? newest.createdAt);
  const somethingNew = input.lastInteractionAt !== null && input.lastInteractionAt > seenThrough;
  if (!somethingNew) {
    // Rows since the last interaction rest on the same facts. One correction in each direction is allowed;
    // repeating a value, or moving further in the same direction, is not.
    const direction = Math.sign(trust - from);
    const sameFacts = changes.filter((step) => step.at >= (input.lastInteractionAt ?? 0));
    const repeats = direction === 0 || sameFacts.some((step) => Math.sign(step.change) === direction);
    if (repeats) {
      return { action: 'skip', trust: from, proposed, base, guards: [...guards, 'no_new_interactions'] };
    }
  }
  return { action: 'record', trust, proposed, base, guards };
}
