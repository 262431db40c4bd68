import { sanitizePromptText, shortId } from '@bonafide/internal';
import { boundTokens } from '../reflection/tokens.ts';

/** A statement that the cortex holds for a limited time, about a peer or about the agent itself. */
export interface Belief {
  /** Name of the belief in kebab-case, unique together with `peerId`. */
  readonly key: string;
  readonly value: string;
  /** Reason for the belief. */
  readonly rationale: string;
  /** The peer that the belief is about; null for the agent itself. */
  readonly peerId: string | null;
  /** Number of the cycle that last formed, reaffirmed or revised it. */
  readonly sourceCycle: number;
  /** Time of creation, ms since epoch. */
  readonly createdAt: number;
  /** Time of the last confirmation or revision, ms since epoch. The time to live is counted from here. */
  readonly confirmedAt: number;
  readonly ttlMinutes: number;
}

/** A validated belief that one cycle proposes. */
export interface ProposedBelief {
  readonly key: string;
  readonly value: string;
  readonly rationale: string;
  readonly peerId: string | null;
  /**
   * Key of the belief that it revises. Required when a belief with the same key and peer has another value.
   */
  readonly revises: string | null;
}

/** Changes that one cycle made to the beliefs, as keys. */
export interface BeliefChange {
  readonly beliefs: readonly Belief[];
  readonly added: readonly string[];
  readonly reaffirmed: readonly string[];
  readonly revised: readonly string[];
  /** Expired beliefs. */
  readonly expired: readonly string[];
  /** Least recently confirmed beliefs that exceeded `maxBeliefs`. */
  readonly evicted: readonly string[];
  /** Rejected proposals. */
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

/**
 * Returns true until the belief's time to live has passed. The time includes periods in which the agent is not
 * running.
 */
export function isActive(belief: Belief, now: number): boolean {
  return now - belief.confirmedAt < belief.ttlMinutes * minuteMs;
}

/** Returns the active beliefs in the given order. */
export function activeBeliefs(beliefs: readonly Belief[], now: number): readonly Belief[] {
  return beliefs.filter((belief) => isActive(belief, now));
}

/**
 * Applies the beliefs of one cycle to the current ones. Pure. Expired beliefs are removed first, so that an expired
 * key is created again as a new belief. An equal value reaffirms a belief and renews its time to live; another value
 * must name the belief that it revises. Beyond `maxBeliefs` the least recently confirmed beliefs are evicted.
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
    // Ordered by confirmation: the cap evicts from the front, and this cycle's beliefs keep their order.
    beliefs = [...beliefs.filter((other) => !same(other, belief) && !revisedAway(other, proposal)), belief];
  }
  const excess = Math.max(0, beliefs.length - context.maxBeliefs);
  const evicted = beliefs.slice(0, excess).map((belief) => belief.key);
  return { beliefs: beliefs.slice(excess), added, reaffirmed, revised, expired, evicted, refused };
}

/** Returns true when the proposal replaces a belief with another key about the same peer. */
function revisedAway(other: Belief, proposal: ProposedBelief): boolean {
  return proposal.revises === other.key && other.peerId === proposal.peerId;
}

/** Limits of a belief's line in UTF-8 bytes. */
const maxKeyBytes = 48;
const maxValueBytes = 200;

function line(belief: Belief): string {
  const key = sanitizePromptText(belief.key, maxKeyBytes);
  const about = belief.peerId === null ? '' : ` (${sanitizePromptText(shortId(belief.peerId), 48)})`;
  return `- ${key}${about}: ${sanitizePromptText(belief.value, maxValueBytes)}`;
}

/**
 * Orders beliefs: the current peer first, then the agent itself, then the rest; newest first within each group.
 */
function priority(belief: Belief, peerId: string | null): number {
  if (belief.peerId !== null && belief.peerId === peerId) return 0;
  return belief.peerId === null ? 1 : 2;
}

/**
 * Renders the `## Cortex Beliefs` section of a prompt, or `''` without active beliefs. Text from peers or models is
 * sanitized to one line each, and the section never exceeds `maxTokens`.
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
