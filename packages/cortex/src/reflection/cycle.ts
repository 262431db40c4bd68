import { type Deadline, isBonafideError, type Logger, orAbort, startDeadline } from '@bonafide/internal';
import type { AppliedAssessment, CycleRecord } from '../audit/cycle-record.ts';
import { type DroppedItem, dropped } from '../audit/dropped-item.ts';
import { activeBeliefs, applyBeliefs, type BeliefRefusal } from '../beliefs/beliefs.ts';
import type { CortexConfig } from '../config.ts';
import { CortexError } from '../errors.ts';
import type { AfterAssessEvent } from '../events.ts';
import { countActivity, type PeerFacts, readPeerFacts } from '../facts/facts.ts';
import { findPeersWithUnseenFacts, recentPeers } from '../facts/unseen-facts.ts';
import type { LedgerPeer, LedgerPort } from '../ledger-port.ts';
import type { ObservedEvent } from '../observe/event-buffer.ts';
import type { Memory } from '../state/persistence.ts';
import { type AssessContext, type AssessResult, assessPeer, correctPeer, type SeenPeer } from './assess.ts';
import type { CycleFacts } from './cycle-facts.ts';
import { askReflector, newTrace, type ReflectTrace } from './reflect.ts';
import { buildInput, promptVersion } from './reflection-input.ts';
import type { Reflector } from './reflector.ts';
import { type ValidatedAnswer, validateAnswer } from './validate.ts';

/** Dependencies of a cycle. */
export interface CycleTools {
  readonly ledger: LedgerPort;
  readonly reflector: Reflector;
  readonly soul: (() => Promise<string>) | undefined;
  readonly clock: () => number;
  readonly random: () => number;
  readonly logger: Logger;
  readonly onAssessed: (event: AfterAssessEvent) => void;
}

/** Input of one cycle. */
export interface CycleRequest {
  readonly config: CortexConfig;
  readonly memory: Memory;
  readonly triggers: readonly string[];
  /** True for an explicit request: reflect on the most recent peers when none has new facts. */
  readonly explicit: boolean;
  readonly observed: readonly ObservedEvent[];
  /** Events dropped since the start. */
  readonly eventsDropped: number;
  /** Peers left over from earlier cycles. */
  readonly waiting: ReadonlySet<string>;
  readonly signals: readonly (AbortSignal | undefined)[];
}

/** The result of one cycle: a record with the updated memory, or nothing when no peer was due. */
export type CycleOutcome =
  | {
      readonly status: 'applied' | 'failed';
      readonly record: CycleRecord;
      readonly memory: Memory;
      readonly waiting: ReadonlySet<string>;
    }
  | { readonly status: 'idle' };

/** Number of peers whose marks are kept in memory; others are found again in the ledger. */
const maxRemembered = 1_000;

interface Draft {
  readonly startedAt: number;
  readonly trace: ReflectTrace;
  readonly waiting: Set<string>;
  peers: readonly PeerFacts[];
}

async function gatherFacts(tools: CycleTools, request: CycleRequest, draft: Draft): Promise<CycleFacts> {
  const { ledger } = tools;
  const { config, memory, observed } = request;
  const { waiting } = draft;
  for (const event of observed) if (event.kind === 'message') waiting.add(event.peerId);
  for (const peerId of await findPeersWithUnseenFacts(ledger, memory)) waiting.add(peerId);
  const chosen = waiting.size === 0 && request.explicit ? await recentPeers(ledger, 10) : [...waiting];

  const peers: PeerFacts[] = [];
  for (const peerId of chosen) {
    if (peers.length === (config.peersPerCycle ?? Number.POSITIVE_INFINITY)) break;
    const peer = await findPeer(tools, peerId);
    // Hooks may use the channel's id of a peer; the ledger's id replaces it here.
    if (peer?.peerId !== peerId) waiting.delete(peerId);
    // Null: an excluded sender, or a message that was not recorded.
    if (peer === null || peers.some((other) => other.peerId === peer.peerId)) continue;
    waiting.add(peer.peerId);
    peers.push(
      await readPeerFacts(ledger, peer, {
        window: config.interactionsPerPeer,
        missedAt: [],
        now: draft.startedAt,
      }),
    );
  }
  return {
    cycle: memory.lastCycle + 1,
    now: draft.startedAt,
    agentName: config.agentName,
    triggers: request.triggers,
    activity: countActivity(observed),
    peers,
    beliefs: activeBeliefs(memory.beliefs, draft.startedAt),
    soul: await readSoul(tools),
    previousSummary: memory.cycles.findLast((record) => record.status === 'applied')?.summary || null,
  };
}

/** Returns null for an unknown peer and for a name that several peers share. */
async function findPeer(tools: CycleTools, peerId: string): Promise<LedgerPeer | null> {
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

async function readSoul(tools: CycleTools): Promise<string | null> {
  try {
    return (await tools.soul?.()) ?? null;
  } catch (error) {
    tools.logger.warn({ err: error }, 'The soul text could not be read. The cycle continues without it.');
    return null;
  }
}

/**
 * Six digits, two tokens. Peers cannot write the character that follows the marker, so guessing it gains nothing.
 */
function newMarker(random: () => number): string {
  return String(100_000 + Math.floor(random() * 900_000));
}

/** Runs the part of a cycle that changes nothing: gathers facts and asks the reflector. */
async function think(
  tools: CycleTools,
  request: CycleRequest,
  draft: Draft,
  deadline: Deadline,
): Promise<ValidatedAnswer | null> {
  const facts = await orAbort(gatherFacts(tools, request, draft), deadline.signal);
  if (facts.peers.length === 0) return null;
  const marker = newMarker(tools.random);
  const built = buildInput(facts, { marker, maxTokens: request.config.maxContextTokens });
  draft.peers = built.included;
  const question = { facts: { ...facts, peers: built.included }, input: built.text, marker };
  const answer = await askReflector(tools.reflector, question, deadline, draft.trace);
  return validateAnswer(answer.frame, built.included);
}

const refusalMessages: Readonly<Record<BeliefRefusal, string>> = {
  revision_not_stated: 'another value is held: say that this revises it',
  held_by_operator: 'the operator wrote or pinned this belief',
  vetoed: 'the operator vetoed this belief',
};

interface Applied {
  readonly applied: readonly AppliedAssessment[];
  readonly drops: readonly DroppedItem[];
  readonly trusts: Memory['trusts'];
}

/**
 * Applies an answer item by item; null when there is none. An item that the ledger rejects is dropped; the others are
 * applied. Peers about which the answer says nothing are corrected where the facts demand it, so that neither silence nor a
 * failing reflector preserves a trust that the facts contradict.
 */
async function apply(
  tools: CycleTools,
  request: CycleRequest,
  draft: Draft,
  answer: ValidatedAnswer | null,
): Promise<Applied> {
  const { config, memory } = request;
  const assessor = `${tools.reflector.name ?? 'unnamed'}/prompt-${promptVersion}`;
  const applied: AppliedAssessment[] = [];
  const drops: DroppedItem[] = [];
  const trusts = new Map(memory.trusts);
  if (answer !== null) {
    for (const peer of draft.peers) {
      const { peerId, lastFactAt } = peer;
      const before = memory.trusts.get(peerId);
      const assessmentId = before?.seenThroughAt === lastFactAt ? (before?.assessmentId ?? null) : null;
      // Deleted and set again, so that insertion order is recency and the front is evicted first.
      trusts.delete(peerId);
      trusts.set(peerId, { trust: peer.latest?.trust ?? 0, assessmentId, seenThroughAt: lastFactAt });
      draft.waiting.delete(peerId);
    }
  }
  const write = async (
    peer: PeerFacts,
    item: unknown,
    decide: (seen: SeenPeer, context: AssessContext) => Promise<AssessResult | null>,
  ) => {
    const deadline = startDeadline(config.timeoutMs, []);
    let result: AssessResult | null;
    try {
      const seen = { peer, mark: memory.trusts.get(peer.peerId), missedAt: [] };
      const writing = decide(seen, { config, assessor, now: tools.clock() });
      result = await orAbort(writing, deadline.signal);
    } catch (error) {
      tools.logger.error({ err: error, peerId: peer.peerId }, 'The ledger rejected an assessment');
      const message = error instanceof Error ? error.message : String(error);
      result = { dropped: dropped('assessment', 'write_failed', message, item) };
    } finally {
      deadline.clear();
    }
    if (result === null) return;
    if ('dropped' in result) {
      drops.push(result.dropped);
      return;
    }
    applied.push(result.applied);
    trusts.set(peer.peerId, result.mark);
    if (!result.settled) draft.waiting.add(peer.peerId);
    const { peerId, trust, rationale, assessmentId } = result.applied;
    const cycle = memory.lastCycle + 1;
    tools.onAssessed({ peerId, trust, rationale, infoScore: result.infoScore, cycle, assessmentId });
  };

  const proposals = new Map(answer?.assessments.map((proposal) => [proposal.peerId, proposal]));
  for (const proposal of proposals.values()) {
    const peer = draft.peers.find((one) => one.peerId === proposal.peerId);
    if (peer === undefined) continue;
    await write(peer, proposal, (seen, context) => assessPeer(tools.ledger, proposal, seen, context));
  }
  for (const peer of draft.peers) {
    if (proposals.has(peer.peerId)) continue;
    await write(peer, { peerId: peer.peerId }, (seen, context) => correctPeer(tools.ledger, seen, context));
  }
  return { applied, drops, trusts: new Map([...trusts].slice(-maxRemembered)) };
}

/** Converts the error that ended a cycle into a code and a message. */
function explain(thrown: unknown, deadline: Deadline): { readonly code: string; readonly message: string } {
  if (isBonafideError(thrown)) return thrown;
  if (deadline.timedOut) {
    return new CortexError(
      'LEDGER_FAILED',
      'The ledger did not answer in time. Check the store, or raise timeoutMs.',
      { cause: thrown },
    );
  }
  if (deadline.signal.aborted) {
    return new CortexError('ABORTED', 'The cycle was aborted.', { cause: thrown });
  }
  return new CortexError('LEDGER_FAILED', 'The ledger could not be read. See cause.', { cause: thrown });
}

/**
 * Runs one cycle: gathers facts, asks the reflector, validates the answer and applies it. Never throws. A failed
 * cycle changes nothing; an applied one is processed to its end, item by item.
 */
export async function runCycle(tools: CycleTools, request: CycleRequest): Promise<CycleOutcome> {
  const { config, memory, triggers } = request;
  const cycle = memory.lastCycle + 1;
  const draft: Draft = {
    startedAt: tools.clock(),
    trace: newTrace(),
    waiting: new Set(request.waiting),
    peers: [],
  };
  const deadline = startDeadline(config.timeoutMs, request.signals);

  const finish = (
    rest: Pick<CycleRecord, 'status' | 'failure' | 'assessments' | 'beliefs' | 'dropped' | 'summary'>,
    changes: Partial<Memory>,
  ): CycleOutcome => {
    const { startedAt, trace } = draft;
    const record: CycleRecord = {
      ...{ cycle, promptVersion, startedAt },
      trigger: triggers[0] ?? 'manual',
      triggers: [...triggers],
      durationMs: Math.max(0, tools.clock() - startedAt),
      inputDigest: trace.inputDigest,
      output: trace.output,
      parse: trace.parse,
      peers: draft.peers.map((peer) => peer.peerId),
      events: request.observed.length,
      eventsDropped: request.eventsDropped,
      cost: { ...trace.cost },
      ...rest,
    };
    const waiting = rest.status === 'applied' ? draft.waiting : request.waiting;
    return {
      status: rest.status,
      record,
      waiting,
      memory: {
        ...memory,
        ...changes,
        lastCycle: cycle,
        waiting: [...waiting].slice(0, maxRemembered),
        cycles: [...memory.cycles, record].slice(-config.historySize),
      },
    };
  };

  try {
    const answer = await think(tools, request, draft, deadline);
    if (answer === null) return { status: 'idle' };
    // The cycle is committed here: the remaining steps are local and ignore aborts and the timeout.
    const { applied, drops, trusts } = await apply(tools, request, draft, answer);
    const { maxBeliefs, beliefTtlMs } = config;
    const limits = { cycle, maxBeliefs, beliefTtlMs, now: tools.clock() };
    const { beliefs, refused, ...keys } = applyBeliefs(memory.beliefs, answer.beliefs, limits);
    const refusals = refused.map(({ proposal, reason }) =>
      dropped('belief', reason, refusalMessages[reason], proposal),
    );
    return finish(
      {
        status: 'applied',
        failure: null,
        assessments: [...applied],
        beliefs: {
          added: [...keys.added],
          reaffirmed: [...keys.reaffirmed],
          revised: [...keys.revised],
          expired: [...keys.expired],
          evicted: [...keys.evicted],
        },
        dropped: [...answer.dropped, ...drops, ...refusals],
        summary: answer.summary,
      },
      { beliefs, trusts, seenThroughAt: draft.startedAt },
    );
  } catch (thrown) {
    const { code, message } = explain(thrown, deadline);
    tools.logger.warn(
      { err: thrown, cycle, triggers },
      'Cycle failed. Nothing of the answer was applied; its events are kept for the next cycle.',
    );
    const beliefs = { added: [], reaffirmed: [], revised: [], expired: [], evicted: [] };
    const corrected = code === 'ABORTED' ? null : await apply(tools, request, draft, null);
    return finish(
      {
        status: 'failed',
        failure: { code, message },
        assessments: [...(corrected?.applied ?? [])],
        beliefs,
        dropped: [...(corrected?.drops ?? [])],
        summary: '',
      },
      corrected === null ? {} : { trusts: corrected.trusts },
    );
  } finally {
    deadline.clear();
  }
}
