import type { AppliedAssessment } from '../audit/cycle-record.ts';
import type { CortexConfig } from '../config.ts';
import { type PeerFacts, readAssessments } from '../facts/facts.ts';
import type { LedgerPort } from '../ledger-port.ts';
import { type DroppedItem, dropped, type ProposedAssessment } from '../reflection/validate.ts';
import type { TrustMark } from '../state/persistence.ts';
import { dayMs, gateAssessment } from './gate.ts';

/** The result of one proposed assessment: recorded, skipped or dropped with a reason. */
export type AssessResult =
  | { readonly applied: AppliedAssessment; readonly mark: TrustMark; readonly infoScore: number }
  | { readonly dropped: DroppedItem };

/**
 * Sends one proposal through the gate and records the result. Base trust, cooldown and budget are read from the
 * ledger at this moment, so that restarts and other writers are taken into account.
 */
export async function assessPeer(
  ledger: LedgerPort,
  proposal: ProposedAssessment,
  seen: { readonly peer: PeerFacts; readonly mark: TrustMark | undefined },
  context: { readonly config: CortexConfig; readonly now: number; readonly assessor: string },
): Promise<AssessResult> {
  const { peerId } = proposal;
  const { now } = context;
  const { lastFactAt } = seen.peer;
  const [rows, summary] = await Promise.all([
    readAssessments(ledger, peerId, now - Math.max(dayMs, context.config.cooldownMs)),
    ledger.getPeerAssessmentSummary(peerId),
  ]);
  const infoScore = summary?.infoScoreNow ?? 0;
  // Facts that arrived during an earlier cycle are older than its row, but no assessment covers them.
  const newestIsOurs = seen.mark !== undefined && seen.mark.assessmentId === rows.at(-1)?.assessmentId;
  const seenThroughAt = newestIsOurs ? seen.mark.seenThroughAt : null;
  const decision = gateAssessment(
    { proposed: proposal.trust, rows, infoScore, lastInteractionAt: lastFactAt, seenThroughAt, now },
    context.config,
  );
  if (decision.action === 'skip') {
    const message = 'nothing new since the last assessment';
    return { dropped: dropped('assessment', 'no_new_interactions', message, proposal) };
  }
  const { trust } = decision;
  // The clamp is the normal case; the other guards are named in the rationale.
  const held = decision.guards.filter((guard) => guard !== 'max_delta');
  const note = `[proposed ${decision.proposed}, held at ${trust} by ${held.join(', ')}]`;
  const rationale = held.length === 0 ? proposal.rationale : `${proposal.rationale} ${note}`;
  const row = await ledger.recordAssessment(peerId, trust, rationale, {
    source: 'cortex',
    assessor: context.assessor,
  });
  return {
    applied: {
      ...{ peerId, trust, rationale, infoScore, now },
      assessmentId: row.assessmentId,
      proposed: decision.proposed,
      base: decision.base,
      guards: [...decision.guards],
      evidence: [...proposal.evidence],
    },
    mark: { trust, assessmentId: row.assessmentId, seenThroughAt: lastFactAt },
    infoScore: row.infoScore,
  };
}
