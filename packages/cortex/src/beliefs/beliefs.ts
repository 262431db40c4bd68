import * as z from 'zod';

/** Schema of the name of a belief. */
export const beliefNameSchema = z.object({
  /** Name in kebab-case, unique together with `peerId`. */
  key: z.string(),
  /** The peer that the belief is about; null for the agent itself. */
  peerId: z.string().nullable(),
});

/** Names a belief. */
export type BeliefName = Readonly<z.output<typeof beliefNameSchema>>;

/** Schema of a belief in the state. */
export const beliefSchema = beliefNameSchema.extend({
  value: z.string(),
  /**
   * `template`: its text was written from facts. `note`: a model wrote it, so that a prompt shows it as delimited data.
   * `operator`: the operator wrote it; no reflector changes it.
   */
  // Beliefs from before this field were words of a model.
  kind: z.enum(['template', 'note', 'operator']).default('note'),
  /** Reason for the belief. */
  rationale: z.string(),
  /** The name under which the ledger shows that peer; null without a peer. */
  handle: z.string().nullable().default(null),
  /** True when the operator exempted it from time to live and cap. */
  pinned: z.boolean().default(false),
  /** Number of the cycle that last formed, reaffirmed or revised it; 0 for the operator. */
  sourceCycle: z.number(),
  /** Time of creation, ms since epoch. */
  createdAt: z.number(),
  /** Time of the last confirmation or revision, ms since epoch. The time to live is counted from here. */
  confirmedAt: z.number(),
  ttlMinutes: z.number(),
});

/** A statement that the cortex holds for a limited time, about a peer or about the agent itself. */
export type Belief = Readonly<z.output<typeof beliefSchema>>;

/** A validated belief that one cycle proposes. */
export interface ProposedBelief {
  readonly key: string;
  readonly value: string;
  readonly kind: Belief['kind'];
  readonly rationale: string;
  readonly peerId: string | null;
  readonly handle: string | null;
  /**
   * Key of the belief that it revises. Required when a belief with the same key and peer has another value.
   */
  readonly revises: string | null;
}

/** Changes that one cycle made to the beliefs, as keys. */
export interface BeliefChange {
  readonly beliefs: Belief[];
  readonly added: readonly string[];
  readonly reaffirmed: readonly string[];
  readonly revised: readonly string[];
  /** Expired beliefs. */
  readonly expired: readonly string[];
  /** Least recently confirmed beliefs that exceeded `maxBeliefs`. */
  readonly evicted: readonly string[];
  /** Rejected proposals. */
  readonly refused: readonly { readonly proposal: ProposedBelief; readonly reason: BeliefRefusal }[];
}

/**
 * Reasons for rejecting a proposal: another value without naming the belief that it revises; a belief that the operator
 * wrote; words in place of a belief from facts; a belief that the operator vetoed.
 */
export type BeliefRefusal = 'revision_not_stated' | 'held_by_operator' | 'held_by_facts' | 'vetoed';

/** Limits on beliefs. */
export interface BeliefLimits {
  readonly maxBeliefs: number;
  readonly beliefTtlMs: number;
}

const minuteMs = 60_000;

/** Returns true for the same key about the same peer. */
export const isSameBelief = (a: BeliefName, b: BeliefName): boolean =>
  a.key === b.key && a.peerId === b.peerId;

/**
 * Returns true until the belief's time to live has passed. The time includes periods in which the agent is not
 * running. A pinned belief is always active.
 */
export function isActive(belief: Belief, now: number): boolean {
  return belief.pinned || now - belief.confirmedAt < belief.ttlMinutes * minuteMs;
}

/** Returns the active beliefs in the given order. */
export function activeBeliefs(beliefs: readonly Belief[], now: number): readonly Belief[] {
  return beliefs.filter((belief) => isActive(belief, now));
}

/**
 * Applies the beliefs of one cycle to the current ones. Pure. Expired beliefs are removed first, so that an expired
 * key is created again as a new belief. An equal value reaffirms a belief and renews its time to live; another value
 * must name the belief that it revises. Notes revise notes only. Beyond `maxBeliefs` the least recently confirmed beliefs
 * are evicted: notes first, then those from facts, warnings last. What the operator wrote or pinned is never evicted.
 */
export function applyBeliefs(
  held: readonly Belief[],
  proposals: readonly ProposedBelief[],
  context: {
    readonly cycle: number;
    readonly now: number;
    readonly vetoed?: readonly BeliefName[];
  } & BeliefLimits,
): BeliefChange {
  const { cycle, now } = context;
  const expired = held.filter((belief) => !isActive(belief, now)).map((belief) => belief.key);
  let beliefs = activeBeliefs(held, now);
  const added: string[] = [];
  const reaffirmed: string[] = [];
  const revised: string[] = [];
  const refused: { proposal: ProposedBelief; reason: BeliefRefusal }[] = [];

  for (const proposal of proposals) {
    const before = beliefs.find((belief) => isSameBelief(belief, proposal));
    const refusal = refusalOf(proposal, before, context.vetoed ?? []);
    if (refusal !== null) {
      refused.push({ proposal, reason: refusal });
      continue;
    }
    if (before?.kind === 'operator') {
      reaffirmed.push(proposal.key);
      continue;
    }
    if (before === undefined) added.push(proposal.key);
    else (before.value === proposal.value ? reaffirmed : revised).push(proposal.key);
    const { key, value, kind, rationale, peerId, handle } = proposal;
    const belief: Belief = {
      ...{ key, value, kind, rationale, peerId, handle },
      pinned: before?.pinned ?? false,
      sourceCycle: cycle,
      createdAt: before?.createdAt ?? now,
      confirmedAt: now,
      ttlMinutes: context.beliefTtlMs / minuteMs,
    };
    // Ordered by confirmation: the cap evicts from the front, and this cycle's beliefs keep their order.
    beliefs = [
      ...beliefs.filter((other) => !isSameBelief(other, belief) && !revisedAway(other, proposal)),
      belief,
    ];
  }
  const evicted = new Set(excessOf(beliefs, context.maxBeliefs));
  return {
    beliefs: beliefs.filter((belief) => !evicted.has(belief)),
    ...{ added, reaffirmed, revised, expired, refused },
    evicted: [...evicted].map((belief) => belief.key),
  };
}

/** Beliefs from facts that warn of a peer. */
const warnings: ReadonlySet<string> = new Set(['attacked', 'escalating-requests', 'missed-commitment']);

/** Returns the beliefs beyond `maxBeliefs`. */
function excessOf(beliefs: readonly Belief[], maxBeliefs: number): readonly Belief[] {
  const own = beliefs.filter(({ pinned, kind }) => !pinned && kind !== 'operator');
  const rank = ({ kind, key }: Belief) => (kind === 'note' ? 0 : warnings.has(key) ? 2 : 1);
  return own.toSorted((a, b) => rank(a) - rank(b)).slice(0, Math.max(0, own.length - maxBeliefs));
}

function refusalOf(
  proposal: ProposedBelief,
  before: Belief | undefined,
  vetoed: readonly BeliefName[],
): BeliefRefusal | null {
  if (vetoed.some((name) => isSameBelief(name, proposal))) return 'vetoed';
  if (before === undefined || before.value === proposal.value) return null;
  if (before.kind === 'operator' || before.pinned) return 'held_by_operator';
  // A template says what the facts say; only words have to state what they revise.
  if (proposal.kind === 'template') return null;
  if (before.kind === 'template') return 'held_by_facts';
  return proposal.revises === proposal.key ? null : 'revision_not_stated';
}

/** Returns true when the proposal replaces a note with another key about the same peer. */
function revisedAway(other: Belief, proposal: ProposedBelief): boolean {
  return (
    proposal.revises === other.key &&
    other.peerId === proposal.peerId &&
    other.kind === 'note' &&
    !other.pinned
  );
}
