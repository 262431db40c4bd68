import { clampTrust } from './clamp.ts';

/** What held a proposal back (CTX-14). */
export type TrustGuard =
  /** More than `maxTrustDelta` from the base, or a first judgment beyond it. */
  | 'max_delta'
  /** Positive trust may not exceed what is known: max(3, infoScore). Limits rises. */
  | 'ceiling'
  /** Trust changed a short while ago. Limits rises. */
  | 'cooldown'
  /** This day's rises are used up, or nearly. Limits rises. */
  | 'daily_budget'
  /** Nothing has happened since the last judgment that said the same or moved the same way. */
  | 'no_new_interactions';

/** One assessment of the ledger, as far as the gate needs it. Oldest first in a list. */
export interface GateRow {
  readonly trust: number;
  readonly createdAt: number;
}

/** Settings of the gate. */
export interface GateConfig {
  /** Largest change per cycle and peer, both ways. */
  readonly maxTrustDelta: number;
  /** `'clamp'` leaves only `maxTrustDelta`: a model that a peer has talked over then reaches +10 in four cycles. */
  readonly guards: 'all' | 'clamp';
  /** How long after a change of trust no rise is made, in ms. */
  readonly cooldownMs: number;
  /** Rise allowed within 24 hours, by the height from which it starts: the last entry with `from` ≤ base counts. */
  readonly dailyRise: readonly { readonly from: number; readonly max: number }[];
}

/** Everything that the gate decides from; a cycle's record keeps it, so that the decision can be replayed. */
export interface GateInput {
  /** What the reflector asks for. */
  readonly proposed: number;
  /** All that the ledger holds on this peer, whoever wrote it, oldest first: base, cooldown and budget come from here. */
  readonly rows: readonly GateRow[];
  /** The ledger's infoScore for this moment, 0…10. */
  readonly infoScore: number;
  /** When the peer's newest interaction took place; null when there is none. */
  readonly lastInteractionAt: number | null;
  /**
   * How far the newest row's author had seen, when known: facts that came in while it was thinking are still
   * new. Without it, the row's own time counts.
   */
  readonly seenThroughAt?: number | null;
  readonly now: number;
}

/** What may be written. */
export interface GateDecision {
  /** `skip`: write nothing, the ledger already says so for the same facts. */
  readonly action: 'record' | 'skip';
  /** The trust to write. */
  readonly trust: number;
  readonly proposed: number;
  /** The ledger's newest trust, null when there is none. */
  readonly base: number | null;
  /** Every guard that acted, in the order of {@link TrustGuard}. */
  readonly guards: readonly TrustGuard[];
}

/** The defaults of CTX-14. */
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

/** The span of the daily budget: sliding, not by calendar. */
export const dayMs = 24 * 60 * 60_000;

/** The steps that a series of assessments made; before the first one trust counts as 0. */
function steps(rows: readonly GateRow[]): readonly { readonly change: number; readonly at: number }[] {
  return rows.map((row, index) => ({ change: row.trust - (rows[index - 1]?.trust ?? 0), at: row.createdAt }));
}

function budgetAt(base: number, config: GateConfig): number {
  let max = 0;
  for (const tier of config.dailyRise) if (tier.from <= base) max = tier.max;
  return max;
}

/**
 * Decides what becomes of one proposed trust (CTX-14). Pure: the same rows give the same decision, so a
 * restart resets nothing and a cycle that was killed and repeated writes nothing twice (AGT-4).
 *
 * Falling is free but for `maxTrustDelta`: rise slowly, fall fast. The other guards never force a fall; a rise
 * that they hold back entirely is recorded with unchanged trust, so that its rationale is kept.
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
    // Rows written since the last interaction rest on the same facts. One of them may be corrected downwards or
    // upwards once; saying the same again, or moving on in the same direction, would be repetition.
    const direction = Math.sign(trust - from);
    const sameFacts = changes.filter((step) => step.at >= (input.lastInteractionAt ?? 0));
    const repeats = direction === 0 || sameFacts.some((step) => Math.sign(step.change) === direction);
    if (repeats) {
      return { action: 'skip', trust: from, proposed, base, guards: [...guards, 'no_new_interactions'] };
    }
  }
  return { action: 'record', trust, proposed, base, guards };
}
