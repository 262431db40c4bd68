import { sanitizePromptText, shortId } from '@bonafide/internal';
import { boundTokens } from './tokens.ts';

/** Something that the cortex holds for true for a while, about a peer or about the agent itself (CTX-16). */
export interface Belief {
  /** kebab-case; together with `peerId` it names the belief. */
  readonly key: string;
  readonly value: string;
  /** Why it is held. */
  readonly rationale: string;
  /** The peer that it is about; null for a belief about the agent itself. */
  readonly peerId: string | null;
  /** The cycle that formed, reaffirmed or revised it last. */
  readonly sourceCycle: number;
  /** When it was first formed, ms since epoch. */
  readonly createdAt: number;
  /** When it was last formed, reaffirmed or revised: its time to live runs from here. */
  readonly confirmedAt: number;
  readonly ttlMinutes: number;
}

/** A belief as one cycle brings it, already validated. */
export interface ProposedBelief {
  readonly key: string;
  readonly value: string;
  readonly rationale: string;
  readonly peerId: string | null;
  /** The key that it revises: required when a belief with this key and peer is held with another value. */
  readonly revises: string | null;
}

/** What one application of beliefs changed. The lists are keys. */
export interface BeliefChange {
  readonly beliefs: readonly Belief[];
  readonly added: readonly string[];
  readonly reaffirmed: readonly string[];
  readonly revised: readonly string[];
  /** Their time ran out. */
  readonly expired: readonly string[];
  /** The oldest, out because there were more than `maxBeliefs`. */
  readonly evicted: readonly string[];
  /** Proposals that were not taken. */
  readonly refused: readonly { readonly proposal: ProposedBelief; readonly reason: 'revision_not_stated' }[];
}

/** Limits on beliefs. */
export interface BeliefLimits {
  readonly maxBeliefs: number;
  readonly beliefTtlMs: number;
}

const minuteMs = 60_000;
const same = (a: { key: string; peerId: string | null }, b: { key: string; peerId: string | null }) =>
  a.key === b.key && a.peerId === b.peerId;

/** True while a belief's time to live has not run out. It keeps running while the agent is switched off. */
export function isActive(belief: Belief, now: number): boolean {
  return now - belief.confirmedAt < belief.ttlMinutes * minuteMs;
}

/** The beliefs that are still active, in the order given. */
export function activeBeliefs(beliefs: readonly Belief[], now: number): readonly Belief[] {
  return beliefs.filter((belief) => isActive(belief, now));
}

/**
 * Applies one cycle's beliefs to those held (CTX-16). Pure. Expired ones go first, so that a belief which
 * comes back after its time is a new one. The same value again reaffirms and resets the clock; another value
 * is a revision and must say so; beyond the cap the least recently confirmed go.
 */
export function applyBeliefs(
  held: readonly Belief[],
  proposals: readonly ProposedBelief[],
  context: { readonly cycle: number; readonly now: number } & BeliefLimits,
): BeliefChange {
  const { cycle, now } = context;
  const expired = held.filter((belief) => !isActive(belief, now)).map((belief) => belief.key);
  let beliefs = activeBeliefs(held, now);
  const added: string[] = [];
  const reaffirmed: string[] = [];
  const revised: string[] = [];
  const refused: { proposal: ProposedBelief; reason: 'revision_not_stated' }[] = [];

  for (const proposal of proposals) {
    const before = beliefs.find((belief) => same(belief, proposal));
    if (before !== undefined && before.value !== proposal.value && proposal.revises !== proposal.key) {
      refused.push({ proposal, reason: 'revision_not_stated' });
      continue;
    }
    if (before === undefined) added.push(proposal.key);
    else (before.value === proposal.value ? reaffirmed : revised).push(proposal.key);
    const { key, value, rationale, peerId } = proposal;
    const belief: Belief = {
      ...{ key, value, rationale, peerId },
      sourceCycle: cycle,
      createdAt: before?.createdAt ?? now,
      confirmedAt: now,
      ttlMinutes: context.beliefTtlMs / minuteMs,
    };
    // Last confirmed last: the cap takes from the front, and what this cycle says stays in the order it said it.
    beliefs = [...beliefs.filter((other) => !same(other, belief) && !revisedAway(other, proposal)), belief];
  }
  const excess = Math.max(0, beliefs.length - context.maxBeliefs);
  const evicted = beliefs.slice(0, excess).map((belief) => belief.key);
  return { beliefs: beliefs.slice(excess), added, reaffirmed, revised, expired, evicted, refused };
}

/** A proposal may replace a belief of another key about the same peer. */
function revisedAway(other: Belief, proposal: ProposedBelief): boolean {
  return proposal.revises === other.key && other.peerId === proposal.peerId;
}

/** How a belief's line is bounded, in UTF-8 bytes. */
const maxKeyBytes = 48;
const maxValueBytes = 200;

function line(belief: Belief): string {
  const key = sanitizePromptText(belief.key, maxKeyBytes);
  const about = belief.peerId === null ? '' : ` (${sanitizePromptText(shortId(belief.peerId), 48)})`;
  return `- ${key}${about}: ${sanitizePromptText(belief.value, maxValueBytes)}`;
}

/** First the peer of this turn, then the agent itself, then the rest; the newest first within each. */
function priority(belief: Belief, peerId: string | null): number {
  if (belief.peerId !== null && belief.peerId === peerId) return 0;
  return belief.peerId === null ? 1 : 2;
}

/**
 * The `## Cortex Beliefs` section of a prompt (CTX-17), or `''` when no belief is active. What it takes from
 * peers or models is neutralised to one harmless line each, and it never exceeds `maxTokens`.
 */
export function renderBeliefs(
  beliefs: readonly Belief[],
  context: { readonly now: number; readonly peerId?: string | null; readonly maxTokens?: number },
): string {
  const peerId = context.peerId ?? null;
  const active = activeBeliefs(beliefs, context.now)
    .map((belief, index) => ({ belief, index, rank: priority(belief, peerId) }))
    .sort((a, b) => a.rank - b.rank || b.belief.confirmedAt - a.belief.confirmedAt || b.index - a.index);
  const heading = '## Cortex Beliefs';
  let room = (context.maxTokens ?? 400) - boundTokens(heading);
  const lines: string[] = [];
  for (const { belief } of active) {
    const text = line(belief);
    const cost = boundTokens(text) + 1;
    if (cost > room) continue;
    room -= cost;
    lines.push(text);
  }
  return lines.length === 0 ? '' : [heading, ...lines].join('\n');
}
