import type { AppliedAssessment } from '../audit/cycle-record.ts';
import { type DroppedItem, dropped } from '../audit/dropped-item.ts';
import type { CortexConfig } from '../config.ts';
import type { PeerFacts } from '../facts/facts.ts';
import { isKnown } from '../facts/known-peers.ts';
import { readPeerRecord } from '../facts/peer-record.ts';
import { highestAfterViolation, trustBand } from '../guards/band.ts';
import { describeLimit } from '../guards/describe-limit.ts';
import { noEvidence } from '../guards/evidence.ts';
import { type DecisionInput, decideTrust, type GateDecision } from '../guards/gate.ts';
import { gateHistory } from '../guards/gate-history.ts';
import type { LedgerPort } from '../ledger-port.ts';
import type { TrustMark } from '../state/memory.ts';
import type { ProposedAssessment } from './validate.ts';

/** The result of one proposed assessment: recorded, skipped or dropped with a reason. */
export type AssessResult =
  | {
      readonly applied: AppliedAssessment;
      readonly mark: TrustMark;
      readonly infoScore: number;
      /** False while trust is still outside of the band around the facts, so that another cycle is due. */
      readonly settled: boolean;
    }
  | { readonly dropped: DroppedItem };

/** A peer of the cycle with what earlier cycles saw of it. */
export interface SeenPeer {
  readonly peer: PeerFacts;
  readonly mark: TrustMark | undefined;
  /** Times of missed commitments, ms since epoch. */
  readonly missedAt: readonly number[];
}

/** Settings and names of one decision. */
export interface AssessContext {
  readonly config: CortexConfig;
  readonly now: number;
  readonly assessor: string;
}

/**
 * Reads the gate's input for one peer. Base, cooldown, budget and evidence are read from the ledger at this moment, so that
 * restarts and other writers are taken into account.
 */
async function readGateInput(
  ledger: LedgerPort,
  { peer, mark, missedAt }: SeenPeer,
  now: number,
): Promise<Omit<DecisionInput, 'proposed'>> {
  const { lastFactAt } = peer;
  const { evidence, summary, ...record } = await readPeerRecord(ledger, peer, { missedAt, mark, now });
  // Facts that arrived during an earlier cycle are older than its row, but no assessment covers them.
  const newestIsOurs = mark !== undefined && mark.assessmentId === record.rows.at(-1)?.assessmentId;
  const seenThroughAt = newestIsOurs ? mark.seenThroughAt : null;
  return {
    infoScore: summary?.infoScoreNow ?? 0,
    history: gateHistory({ ...record, lastInteractionAt: lastFactAt, seenThroughAt, evidence, now }),
    evidence,
    now,
  };
}

/** Sends one proposal through the gate and records the result. */
export async function assessPeer(
  ledger: LedgerPort,
  proposal: ProposedAssessment,
  seen: SeenPeer,
  context: AssessContext,
): Promise<AssessResult> {
  const input = { ...(await readGateInput(ledger, seen, context.now)), proposed: proposal.trust };
  const decision = decideTrust(input, context.config);
  if (decision.action === 'skip') {
    const message = 'nothing new since the last assessment';
    return { dropped: dropped('assessment', 'no_new_interactions', message, proposal) };
  }
  const limit = describeLimit(decision);
  const rationale = limit === null ? proposal.rationale : `${proposal.rationale} ${limit}`;
  return record(ledger, { proposal, input, decision, rationale, by: 'reflector' }, seen, context);
}

/**
 * Corrects the trust in a peer about which the reflector said nothing, when the facts alone demand it: after an attack, and
 * when trust is outside of the band. Returns null when the facts demand nothing.
 */
export async function correctPeer(
  ledger: LedgerPort,
  seen: SeenPeer,
  context: AssessContext,
): Promise<AssessResult | null> {
  const read = await readGateInput(ledger, seen, context.now);
  const { base } = read.history;
  const input = { ...read, proposed: base ?? 0 };
  const decision = decideTrust(input, context.config);
  if (decision.trust === (input.evidence?.violation ? base : input.proposed)) return null;
  const reason = input.evidence?.violation
    ? 'The ledger records an attack by this peer.'
    : `Finished work since then justifies ${input.evidence?.center ?? 0}.`;
  const before = base === null ? '' : ` Trust before: ${base}.`;
  const proposal = { peerId: seen.peer.peerId, trust: input.proposed, rationale: reason, evidence: [] };
  const rationale = `${reason}${before}`;
  return record(ledger, { proposal, input, decision, rationale, by: 'facts' }, seen, {
    ...context,
    assessor: 'facts',
  });
}

async function record(
  ledger: LedgerPort,
  decided: {
    readonly proposal: ProposedAssessment;
    readonly input: DecisionInput;
    readonly decision: GateDecision;
    readonly rationale: string;
    readonly by: AppliedAssessment['by'];
  },
  { peer }: SeenPeer,
  { now, assessor }: AssessContext,
): Promise<AssessResult> {
  const { proposal, input, decision, rationale, by } = decided;
  const { peerId, lastFactAt } = peer;
  const { trust, proposed, base, guards } = decision;
  const row = await ledger.recordAssessment(peerId, trust, rationale, { source: 'cortex', assessor });
  return {
    applied: {
      ...{ peerId, trust, rationale, now, by, proposed, base },
      infoScore: input.infoScore,
      assessmentId: row.assessmentId,
      guards: [...guards],
      evidence: [...proposal.evidence],
      gate: { history: input.history, facts: input.evidence ?? noEvidence },
    },
    mark: {
      ...{ trust, assessmentId: row.assessmentId, seenThroughAt: lastFactAt, known: isKnown(peer) },
      alarmAt: input.evidence?.alarmAt ?? null,
    },
    infoScore: row.infoScore,
    settled: isWithinBand(trust, input),
  };
}

function isWithinBand(trust: number, { evidence = noEvidence, infoScore }: DecisionInput): boolean {
  if (evidence.violation) return trust <= highestAfterViolation;
  const { keptLow, keptHigh } = trustBand(evidence, infoScore);
  return trust >= keptLow && trust <= keptHigh;
}
