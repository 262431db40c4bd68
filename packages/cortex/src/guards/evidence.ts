import type { AssessmentSource, LedgerOutcome } from '../ledger-port.ts';
import { clampTrust } from './clamp.ts';
import { finishedWork } from './finished-work.ts';
import { ruleTrust } from './rule-trust.ts';

/** The facts about a peer that bound an opinion. A cycle's record contains them, so that a decision can be replayed. */
export interface GateEvidence {
  /**
   * The trust that facts justify: {@link ruleTrust} of the finished work, 0 without any. After an assessment by the
   * operator: that trust plus what later outcomes changed.
   */
  readonly center: number;
  /** The trust that the operator gave last; null without an assessment by the operator. */
  readonly operatorTrust: number | null;
  /**
   * The trust that the agent itself had given before the cortex, plus what later outcomes changed; null without one.
   * Values up to it are not forced into the band.
   */
  readonly inherited: number | null;
  /** Time of the operator's newest assessment, ms since epoch: earlier changes of trust are settled. Null without one. */
  readonly settledAt: number | null;
  /** Time of the newest finished work that ended well, ms since epoch; null without one. */
  readonly lastSuccessAt: number | null;
  /** Time of the newest finished work that ended badly; null without one. */
  readonly lastFailureAt: number | null;
  /** Time of the newest open alarm or missed commitment, which permits an opinion down to −3; null without one. */
  readonly alarmAt: number | null;
  /** True after an attack, until the operator lifts it. */
  readonly violation: boolean;
}

/** No facts at all: the evidence about a stranger. */
export const noEvidence: GateEvidence = {
  center: 0,
  operatorTrust: null,
  inherited: null,
  settledAt: null,
  lastSuccessAt: null,
  lastFailureAt: null,
  alarmAt: null,
  violation: false,
};

/** An assessment by its trust, time and author. */
export interface SourcedRow {
  readonly trust: number;
  readonly createdAt: number;
  readonly source: AssessmentSource;
}

/** Time after which an alarm that no success has answered no longer counts, in ms. */
const alarmMs = 30 * 86_400_000;

/** Derives the evidence from the ledger's rows. Pure. */
export function gateEvidence(facts: {
  /** The peer's outcomes, newest last. */
  readonly outcomes: readonly LedgerOutcome[];
  /** All assessments by any source, oldest first. */
  readonly rows: readonly SourcedRow[];
  /** Times of alarms and missed commitments, ms since epoch. */
  readonly alarms?: readonly number[];
  readonly violation?: boolean;
  readonly now: number;
}): GateEvidence {
  const { outcomes, rows, alarms = [], violation = false, now } = facts;
  const work = finishedWork(outcomes);
  const rule = ruleTrust(work);
  const carried = (row: SourcedRow) =>
    clampTrust(row.trust + rule - ruleTrust(finishedWork(outcomes, row.createdAt)), null, 10);
  const operator = rows.findLast((row) => row.source === 'operator');
  const agent = rows.findLast((row) => row.source === 'agent');
  const settledAt = operator?.createdAt ?? null;
  const lastSuccessAt = work.findLast((piece) => piece.result === 'success')?.at ?? null;
  const answered = Math.max(lastSuccessAt ?? 0, settledAt ?? 0, now - alarmMs);
  const open = alarms.filter((at) => at > answered && at <= now);
  return {
    center: operator === undefined ? rule : carried(operator),
    operatorTrust: operator?.trust ?? null,
    inherited: agent === undefined || agent.createdAt < (settledAt ?? 0) ? null : carried(agent),
    settledAt,
    lastSuccessAt,
    lastFailureAt: work.findLast((piece) => piece.result === 'failure')?.at ?? null,
    alarmAt: open.length === 0 ? null : Math.max(...open),
    violation,
  };
}
