import { isBonafideError, type Logger } from '@bonafide/internal';
import { activeBeliefs } from '../beliefs/beliefs.ts';
import {
  type Commitment,
  fulfils,
  missedTimes,
  overdue,
  pruneCommitments,
} from '../commitments/commitments.ts';
import type { CortexConfig } from '../config.ts';
import { countActivity, type PeerFacts, readPeerFacts } from '../facts/facts.ts';
import type { KnownPeers } from '../facts/known-peers.ts';
import { findPeersWithUnseenFacts, recentPeers } from '../facts/unseen-facts.ts';
import type { LedgerPeer, LedgerPort } from '../ledger-port.ts';
import type { ObservedEvent } from '../observe/event-buffer.ts';
import type { Memory } from '../state/memory.ts';
import type { CycleFacts } from './cycle-facts.ts';

/** Sources of facts. */
export interface GatherTools {
  readonly ledger: LedgerPort;
  readonly soul: (() => Promise<string>) | undefined;
  readonly logger: Logger;
}

/** The occasion of a cycle. */
export interface CycleOccasion {
  readonly config: CortexConfig;
  readonly memory: Memory;
  readonly triggers: readonly string[];
  /**
   * `host`: an explicit request, which reflects on the most recent peers when none has new facts. `strangers`: their share of
   * the budget applies. `activity`: the peers of the cycle decide whose budget applies.
   */
  readonly causedBy: 'host' | 'known' | 'strangers' | 'activity';
  readonly known: KnownPeers;
  /** Failed cycles before this one: each halves the number of peers, so that one peer's text cannot stop all cycles. */
  readonly failuresInARow: number;
  readonly observed: readonly ObservedEvent[];
}

/** Input of {@link gatherFacts}. */
export interface GatherRequest extends CycleOccasion {
  readonly now: number;
  /** Peers that are due. Peers with news are added, unknown ones are removed. */
  readonly waiting: Set<string>;
}

const lessonsShown = 5;
/** Fewest tokens of a peer's section: no more peers are read than can be in the input. */
const leastPerPeer = 60;

/** Orders peers: known ones before strangers, so that a swarm does not delay them. Stable. */
export function knownFirst(peerIds: readonly string[], known: KnownPeers): readonly string[] {
  return [...peerIds.filter((id) => known.has(id)), ...peerIds.filter((id) => !known.has(id))];
}

/** Gathers the facts of a cycle, and settles commitments that are due. */
export async function gatherFacts(tools: GatherTools, request: GatherRequest): Promise<CycleFacts> {
  const { ledger } = tools;
  const { config, memory, observed, waiting, now } = request;
  for (const event of observed) if (event.kind === 'message') waiting.add(event.peerId);
  for (const peerId of await settleCommitments(tools, memory, now)) waiting.add(peerId);
  const marks = new Map(Object.entries(memory.trusts.value.trusts));
  const { seenThroughAt, cycles, lastCycle } = memory.history.value;
  for (const peerId of await findPeersWithUnseenFacts(ledger, { marks, seenThroughAt })) waiting.add(peerId);
  const isIdle = waiting.size === 0 && request.causedBy === 'host';
  const chosen = isIdle ? await recentPeers(ledger, 10) : knownFirst([...waiting], request.known);
  const room = Math.ceil(config.maxContextTokens / leastPerPeer);
  const limit = Math.min(config.peersPerCycle ?? room, room, chosen.length);
  const most = Math.ceil(limit / 2 ** request.failuresInARow);

  const peers: PeerFacts[] = [];
  for (const peerId of chosen) {
    if (peers.length === Math.max(1, most)) break;
    const peer = await findPeer(tools, peerId);
    // Hooks may use the channel's id of a peer; the ledger's id replaces it here.
    if (peer?.peerId !== peerId) waiting.delete(peerId);
    if (peer !== null && peer.peerId !== peerId) request.known.rename(peerId, peer.peerId);
    // Null: an excluded sender, or a message that was not recorded.
    if (peer === null || peers.some((other) => other.peerId === peer.peerId)) continue;
    waiting.add(peer.peerId);
    const missedAt = missedTimes(memory.commitments.value.commitments, peer.peerId);
    const own = { missedAt, mark: marks.get(peer.peerId) };
    peers.push(await readPeerFacts(ledger, peer, { ...own, window: config.interactionsPerPeer, now }));
  }
  // Restores the order of waiting.
  const place = new Map([...waiting].map((peerId, index) => [peerId, index]));
  peers.sort((a, b) => (place.get(a.peerId) ?? 0) - (place.get(b.peerId) ?? 0));
  return {
    cycle: lastCycle + 1,
    now,
    agentName: config.agentName,
    triggers: request.triggers,
    activity: countActivity(observed),
    peers,
    beliefs: activeBeliefs(memory.beliefs.value.beliefs, now),
    soul: await readSoul(tools),
    previousSummary: cycles.findLast((record) => record.status === 'applied')?.summary || null,
    lessons: memory.lessons.value.lessons.slice(-lessonsShown),
  };
}

/** Returns null for an unknown peer and for a name that several peers share. */
export async function findPeer(
  tools: Pick<GatherTools, 'ledger' | 'logger'>,
  peerId: string,
): Promise<LedgerPeer | null> {
  try {
    return await tools.ledger.getPeer(peerId);
  } catch (error) {
    if (!isBonafideError(error, 'PEER_AMBIGUOUS')) throw error;
    tools.logger.warn(
      { err: error },
      'Ignored events of an ambiguous peer name. Pass the full peerId to the hooks.',
    );
    return null;
  }
}

async function readSoul(tools: GatherTools): Promise<string | null> {
  try {
    return (await tools.soul?.()) ?? null;
  } catch (error) {
    tools.logger.warn({ err: error }, 'The soul text could not be read. The cycle continues without it.');
    return null;
  }
}

/**
 * Decides about commitments whose due time has passed: the ledger says whether the peer wrote in time, also to another
 * process. Returns the peers that missed one.
 */
async function settleCommitments(
  tools: GatherTools,
  memory: Memory,
  now: number,
): Promise<readonly string[]> {
  const due = overdue(memory.commitments.value.commitments, now);
  if (due.length === 0) return [];
  const kept = new Set<string>();
  for (const commitment of due) if (await wasKept(tools.ledger, commitment)) kept.add(commitment.id);
  const settled = new Set(due.map(({ id }) => id));
  await memory.commitments.update((stored) => ({
    ...stored,
    commitments: pruneCommitments(
      stored.commitments
        .filter(({ id }) => !kept.has(id))
        .map((each) => (settled.has(each.id) ? { ...each, status: 'missed' as const } : each)),
      now,
    ),
  }));
  return due.filter(({ id }) => !kept.has(id)).map(({ peerId }) => peerId);
}

async function wasKept(ledger: LedgerPort, commitment: Commitment): Promise<boolean> {
  const { items } = await ledger.getInteractions(commitment.peerId, { limit: 100 });
  return items.some(
    ({ direction, correlationId, createdAt: at, voided }) =>
      direction === 'in' && !voided && fulfils({ peerId: commitment.peerId, correlationId, at }, commitment),
  );
}
