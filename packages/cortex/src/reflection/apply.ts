import { type Logger, orAbort, startDeadline } from '@bonafide/internal';
import type { AppliedAssessment } from '../audit/cycle-record.ts';
import { type DroppedItem, dropped } from '../audit/dropped-item.ts';
import { type Commitment, missedTimes } from '../commitments/commitments.ts';
import type { CortexConfig } from '../config.ts';
import type { AfterAssessEvent } from '../events.ts';
import type { PeerFacts } from '../facts/facts.ts';
import { isKnown } from '../facts/known-peers.ts';
import type { LedgerPort } from '../ledger-port.ts';
import type { TrustMark } from '../state/memory.ts';
import { type AssessContext, type AssessResult, assessPeer, correctPeer, type SeenPeer } from './assess.ts';
import type { ValidatedAnswer } from './validate.ts';

/** Dependencies of the application. */
export interface ApplyTools {
  readonly ledger: LedgerPort;
  readonly clock: () => number;
  readonly logger: Logger;
  readonly onAssessed: (event: AfterAssessEvent) => void;
  /** Aborts when another process took over. */
  readonly lost: AbortSignal;
}

/** Assessments of one cycle with their context. */
export interface ApplyRequest {
  readonly cycle: number;
  readonly config: CortexConfig;
  readonly assessor: string;
  readonly peers: readonly PeerFacts[];
  readonly marks: ReadonlyMap<string, TrustMark>;
  readonly commitments: readonly Commitment[];
  /** Null when the reflector did not answer. */
  readonly answer: ValidatedAnswer | null;
}

/** Writes that may each hang for their part of the time limit before the others are left for the next cycle. */
const writesThatMayHang = 4;
/** Shortest time limit of one write, in ms. */
const leastWriteMs = 1_000;

/** Result of the application. */
export interface Applied {
  readonly assessments: readonly AppliedAssessment[];
  readonly drops: readonly DroppedItem[];
  /** Marks of the peers of the cycle. */
  readonly marks: ReadonlyMap<string, TrustMark>;
  /** Peers whose trust is still outside of the band, so that another cycle is due. */
  readonly unsettled: readonly string[];
}

/**
 * Applies assessments item by item. An item that the ledger rejects is dropped; the others are applied. Peers about which
 * the answer says nothing are corrected where the facts demand it, so that neither silence nor a failing reflector
 * preserves a trust that the facts contradict.
 */
export async function applyAssessments(tools: ApplyTools, request: ApplyRequest): Promise<Applied> {
  const { answer, peers, config, cycle, assessor } = request;
  const assessments: AppliedAssessment[] = [];
  const drops: DroppedItem[] = [];
  const marks = new Map<string, TrustMark>();
  const unsettled: string[] = [];
  if (answer !== null) {
    for (const peer of peers) {
      const { peerId, lastFactAt, latest, evidence } = peer;
      const before = request.marks.get(peerId);
      const assessmentId = before?.seenThroughAt === lastFactAt ? (before?.assessmentId ?? null) : null;
      const known = isKnown(peer);
      marks.set(peerId, {
        ...{ trust: latest?.trust ?? 0, assessmentId, seenThroughAt: lastFactAt, known },
        alarmAt: evidence.alarmAt,
      });
    }
  }

  // One limit for all: a ledger that hangs holds the lock of the cycle once, not once per peer.
  const writeMs = Math.max(leastWriteMs, Math.ceil(config.timeoutMs / writesThatMayHang));
  const whole = startDeadline(writesThatMayHang * writeMs, [tools.lost]);
  const write = async (
    peer: PeerFacts,
    item: unknown,
    decide: (seen: SeenPeer, context: AssessContext) => Promise<AssessResult | null>,
  ) => {
    const deadline = startDeadline(writeMs, [whole.signal]);
    let result: AssessResult | null;
    try {
      if (tools.lost.aborted) throw tools.lost.reason;
      const missedAt = missedTimes(request.commitments, peer.peerId);
      const seen = { peer, mark: request.marks.get(peer.peerId), missedAt };
      const writing = decide(seen, { config, assessor, now: tools.clock() });
      result = await orAbort(writing, deadline.signal);
    } catch (error) {
      tools.logger.error({ err: error, peerId: peer.peerId }, 'The ledger rejected an assessment');
      const timedOut = deadline.timedOut || whole.timedOut;
      if (timedOut) {
        // Still due: its facts were not judged.
        marks.delete(peer.peerId);
        unsettled.push(peer.peerId);
      }
      const message = timedOut
        ? 'The ledger did not write in time.'
        : error instanceof Error
          ? error.message
          : String(error);
      result = { dropped: dropped('assessment', 'write_failed', message, item) };
    } finally {
      deadline.clear();
    }
    if (result === null) return;
    if ('dropped' in result) {
      drops.push(result.dropped);
      return;
    }
    assessments.push(result.applied);
    marks.set(peer.peerId, result.mark);
    if (!result.settled) unsettled.push(peer.peerId);
    const { peerId, trust, rationale, assessmentId } = result.applied;
    tools.onAssessed({ peerId, trust, rationale, infoScore: result.infoScore, cycle, assessmentId });
  };

  const proposals = new Map(answer?.assessments.map((proposal) => [proposal.peerId, proposal]));
  try {
    for (const proposal of proposals.values()) {
      const peer = peers.find((one) => one.peerId === proposal.peerId);
      if (peer === undefined) continue;
      await write(peer, proposal, (seen, context) => assessPeer(tools.ledger, proposal, seen, context));
    }
    for (const peer of peers) {
      if (proposals.has(peer.peerId)) continue;
      await write(peer, { peerId: peer.peerId }, (seen, context) => correctPeer(tools.ledger, seen, context));
    }
  } finally {
    whole.clear();
  }
  return { assessments, drops, marks, unsettled };
}
