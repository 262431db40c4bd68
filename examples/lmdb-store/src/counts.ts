import type { Assessment, OutcomeEvent } from '@bonafide/ledger-core';
import type { MessageRow, PeerRecord, Tables } from './tables.ts';

/** The count that a result of a work belongs to. */
export const countOf = { success: 'successCount', failure: 'failureCount', open: 'openCount' } as const;

/** Returns true when every message of a work was voided, so that its outcomes do not count. */
export function isDead(tables: Tables, peerId: string, correlationId: string): boolean {
  const work = tables.works.get(correlationId, peerId);
  return work !== undefined && work.messages > 0 && work.messages === work.voided;
}

/** Computes what follows from a peer's rows, after some were voided or moved. */
export function recount(tables: Tables, record: PeerRecord): PeerRecord {
  const { peerId } = record.peer;
  const messages: MessageRow[] = [...tables.messages.list([peerId])].map(({ value }) => value);
  const live = messages.filter((row) => row.voided === null);
  const timed = live.length > 0 ? live : messages.slice(-1);
  const counts = { successCount: 0, failureCount: 0, openCount: 0 };
  for (const { value } of tables.lastOutcomes.list([peerId])) {
    if (!isDead(tables, peerId, value.correlationId)) counts[countOf[value.result]] += 1;
  }
  const violations: OutcomeEvent[] = [];
  for (const { value } of tables.outcomes.list([peerId])) {
    if (value.outcome === 'violation' && !isDead(tables, peerId, value.correlationId)) violations.push(value);
  }
  let latest: Assessment | null = null;
  let operator: PeerRecord['operator'] = null;
  let assessmentCount = 0;
  for (const { value } of tables.assessments.list([peerId])) {
    assessmentCount += 1;
    latest = value.row;
    const { source, trust } = value.row;
    if (source === 'operator' && value.sequence > (operator?.sequence ?? 0)) {
      operator = { sequence: value.sequence, trust };
    }
  }
  const { firstSeenAt, lastSeenAt } = record.peer;
  return {
    ...record,
    latest,
    operator,
    lastViolationSequence: Math.max(0, ...violations.map(({ sequence }) => sequence)),
    peer: {
      ...record.peer,
      ...counts,
      assessmentCount,
      interactionCount: live.length,
      firstSeenAt: timed[0]?.createdAt ?? firstSeenAt,
      lastSeenAt: timed.at(-1)?.createdAt ?? lastSeenAt,
      violationCount: violations.length,
      lastViolationAt:
        violations.length === 0 ? null : Math.max(...violations.map((event) => event.createdAt)),
    },
  };
}
