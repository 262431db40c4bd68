import { compareUtf8 } from '@bonafide/internal';
import { keyset } from '@bonafide/storage';
import { type Selectable, sql } from 'kysely';
import type { OutcomeEvent, OutcomeResult } from '../../records.ts';
import type { HistoryQuery, RecordedOutcome } from '../../store.ts';
import { inOrder } from './history.ts';
import { fromJson, toJson } from './json.ts';
import { recount } from './recount.ts';
import type { Scope } from './scope.ts';
import type { LedgerTables } from './tables.ts';

type OutcomeRow = Selectable<LedgerTables['ledger_outcomes']>;

/** The part of a piece of work's last outcome that a message shows. */
export type LastOutcome = Pick<OutcomeRow, 'outcome' | 'metrics'>;

/** A peer's outcome events. */
export async function listOutcomes(
  scope: Scope,
  { peerId, order, limit, after }: HistoryQuery,
): Promise<readonly OutcomeEvent[]> {
  const rows = await keyset(selectOutcomes(scope, peerId), inOrder('outcome_id', order, after))
    .limit(limit)
    .execute();
  return rows.map(toOutcome);
}

/** Appends an outcome and moves the counts. The peer's row must be locked by this transaction. */
export async function appendOutcome(scope: Scope, event: OutcomeEvent): Promise<RecordedOutcome> {
  const ofPeer = selectOutcomes(scope, event.peerId);
  if (event.externalId !== null) {
    const earlier = await ofPeer.where('external_id', '=', event.externalId).executeTakeFirst();
    if (earlier) return { kind: 'repeated', event: toOutcome(earlier) };
  }
  const previous = await keyset(
    ofPeer.where('correlation_id', '=', event.correlationId),
    inOrder('outcome_id', 'newest'),
  )
    .limit(1)
    .executeTakeFirst();
  await scope.db.insertInto('ledger_outcomes').values(fromOutcome(scope.agentId, event)).execute();
  if (await hasVoided(scope, event)) {
    await recount(scope, event.peerId);
  } else {
    await moveCounts(scope, previous ? toOutcome(previous) : null, event);
    if (event.outcome === 'violation') await countViolation(scope, event);
  }
  return { kind: 'recorded', event };
}

/** The last outcome of each piece of work that the rows belong to, by correlationId. */
export async function lastOutcomes(
  { db, agentId }: Scope,
  peerId: string,
  rows: readonly { readonly correlation_id: string | null }[],
): Promise<ReadonlyMap<string | null, LastOutcome>> {
  const works = [...new Set(rows.flatMap(({ correlation_id }) => correlation_id ?? []))];
  if (works.length === 0) return new Map();
  const found = await db
    .selectFrom('ledger_outcomes')
    .select(['correlation_id', 'outcome', 'metrics', 'created_at', 'outcome_id'])
    .where('agent_id', '=', agentId)
    .where('peer_id', '=', peerId)
    .where('correlation_id', 'in', works)
    .execute();
  // Sorted here: asked for this order, SQLite reads every outcome of the peer by time instead of these works.
  const inTime = found.toSorted(
    (one, other) =>
      Number(one.created_at) - Number(other.created_at) || compareUtf8(one.outcome_id, other.outcome_id),
  );
  // The later ones overwrite the earlier.
  return new Map(inTime.map((row) => [row.correlation_id, row]));
}

const countColumn = {
  success: 'success_count',
  failure: 'failure_count',
  open: 'open_count',
} as const satisfies Record<OutcomeResult, string>;

/** Of one piece of work only the last outcome counts: it takes the place of the one before. */
async function moveCounts(
  { db, agentId }: Scope,
  before: OutcomeEvent | null,
  event: OutcomeEvent,
): Promise<void> {
  const isLast =
    !before ||
    event.createdAt > before.createdAt ||
    (event.createdAt === before.createdAt && event.outcomeId > before.outcomeId);
  if (!isLast || before?.result === event.result) return;
  await db
    .updateTable('ledger_peers')
    .set((eb) => ({
      [countColumn[event.result]]: eb(countColumn[event.result], '+', 1),
      ...(before && { [countColumn[before.result]]: eb(countColumn[before.result], '-', 1) }),
    }))
    .where('agent_id', '=', agentId)
    .where('peer_id', '=', event.peerId)
    .execute();
}

/** Returns true when an interaction of this piece of work was voided, so that its outcomes may not count. */
async function hasVoided({ db, agentId }: Scope, event: OutcomeEvent): Promise<boolean> {
  const row = await db
    .selectFrom('ledger_interactions')
    .select('interaction_id')
    .where('agent_id', '=', agentId)
    .where('correlation_id', '=', event.correlationId)
    .where('peer_id', '=', event.peerId)
    .where('voided_at', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Every violation counts, also when it is not the last outcome of its piece of work. */
async function countViolation({ db, agentId }: Scope, event: OutcomeEvent): Promise<void> {
  await db
    .updateTable('ledger_peers')
    .set((eb) => ({
      violation_count: eb('violation_count', '+', 1),
      last_violation_at: sql`case when last_violation_at > ${event.createdAt} then last_violation_at else ${event.createdAt} end`,
    }))
    .where('agent_id', '=', agentId)
    .where('peer_id', '=', event.peerId)
    .execute();
}

function selectOutcomes({ db, agentId }: Scope, peerId: string) {
  return db
    .selectFrom('ledger_outcomes')
    .selectAll()
    .where('agent_id', '=', agentId)
    .where('peer_id', '=', peerId);
}

function fromOutcome(agentId: string, event: OutcomeEvent) {
  return {
    agent_id: agentId,
    outcome_id: event.outcomeId,
    peer_id: event.peerId,
    correlation_id: event.correlationId,
    outcome: event.outcome,
    result: event.result,
    metrics: toJson(event.metrics),
    external_id: event.externalId,
    evidence: toJson(event.evidence),
    created_at: event.createdAt,
  };
}

function toOutcome(row: OutcomeRow): OutcomeEvent {
  return {
    outcomeId: row.outcome_id,
    peerId: row.peer_id,
    correlationId: row.correlation_id,
    outcome: row.outcome,
    result: row.result,
    metrics: fromJson(row.metrics),
    externalId: row.external_id,
    evidence: fromJson(row.evidence),
    createdAt: Number(row.created_at),
  };
}
