import { keyset } from '@bonafide/storage';
import { type Selectable, sql } from 'kysely';
import type { OutcomeEvent, OutcomeResult } from '../../records.ts';
import type { OutcomeQuery, RecordedOutcome } from '../../store.ts';
import { inOrder } from './history.ts';
import { fromJson, toJson } from './json.ts';
import { recount } from './recount.ts';
import type { Scope } from './scope.ts';
import type { LedgerTables } from './tables.ts';

type OutcomeRow = Selectable<LedgerTables['ledger_outcomes']>;

/** The part of a piece of work's last outcome that a message shows. */
export type LastOutcome = Pick<OutcomeRow, 'outcome' | 'metrics'>;

/** A peer's outcome events, all or those that count. */
export async function listOutcomes(
  scope: Scope,
  { peerId, order, limit, after, only }: OutcomeQuery,
): Promise<readonly OutcomeEvent[]> {
  let query = selectOutcomes(scope, peerId);
  // The same text as in the partial index, which is used for no other.
  if (only === 'finished') query = query.where(sql<boolean>`result <> 'open'`);
  if (only !== undefined) query = query.where(isCounted);
  const rows = await keyset(query, inOrder('outcome_id', order, after))
    .limit(limit)
    .execute();
  return rows.map(toOutcome);
}

/** True unless the outcome's work has messages and all of them are voided. */
const isCounted = /* @__PURE__ */ sql<boolean>`(
  select count(*) = 0 or count(message.voided_at) < count(*) from ledger_interactions as message
  where message.agent_id = ledger_outcomes.agent_id and message.peer_id = ledger_outcomes.peer_id
    and message.correlation_id = ledger_outcomes.correlation_id)`;

/** Appends an outcome and moves the counts. The peer's row must be locked by this transaction. */
export async function appendOutcome(
  scope: Scope,
  write: Omit<OutcomeEvent, 'sequence'>,
): Promise<RecordedOutcome> {
  const ofWork = selectOutcomes(scope, write.peerId).where('correlation_id', '=', write.correlationId);
  if (write.externalId !== null) {
    const earlier = await ofWork
      .where('external_id', '=', write.externalId)
      .where('outcome', '=', write.outcome)
      .executeTakeFirst();
    if (earlier) return { kind: 'repeated', event: toOutcome(earlier) };
  }
  const previous = await ofWork.orderBy('sequence', 'desc').limit(1).executeTakeFirst();
  const isRecounted = await hasVoided(scope, write);
  const sequence = await takeSequence(scope, write, isRecounted ? null : (previous?.result ?? 'none'));
  const event = { ...write, sequence };
  await scope.db.insertInto('ledger_outcomes').values(fromOutcome(scope.agentId, event)).execute();
  if (isRecounted) await recount(scope, event.peerId);
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
    .select(['correlation_id', 'outcome', 'metrics', 'sequence'])
    .where('agent_id', '=', agentId)
    .where('peer_id', '=', peerId)
    .where('correlation_id', 'in', works)
    .execute();
  // Sorted here: asked for this order, SQLite reads every outcome of the peer by time instead of these works.
  const inOrderOfReceipt = found.toSorted((one, other) => Number(one.sequence) - Number(other.sequence));
  // The later ones overwrite the earlier.
  return new Map(inOrderOfReceipt.map((row) => [row.correlation_id, row]));
}

const countColumn = {
  success: 'success_count',
  failure: 'failure_count',
  open: 'open_count',
} as const satisfies Record<OutcomeResult, string>;

/**
 * Gives the outcome its place in the order of receipt. Counts it as well: instead of the result of the work before, or in
 * addition to `none`. With null the counts stay, for a recount.
 */
async function takeSequence(
  { db, agentId }: Scope,
  { peerId, outcome, result, createdAt }: Omit<OutcomeEvent, 'sequence'>,
  before: OutcomeResult | 'none' | null,
): Promise<number> {
  const moves = before !== null && before !== result;
  const { sequence } = await db
    .updateTable('ledger_peers')
    .set((eb) => ({
      sequence: eb('sequence', '+', 1),
      ...(moves && { [countColumn[result]]: eb(countColumn[result], '+', 1) }),
      ...(moves && before !== 'none' && { [countColumn[before]]: eb(countColumn[before], '-', 1) }),
      // Every violation counts, also when it is not the last outcome of its piece of work.
      ...(before !== null &&
        outcome === 'violation' && {
          violation_count: eb('violation_count', '+', 1),
          last_violation_at: sql<number>`case when last_violation_at > ${createdAt} then last_violation_at else ${createdAt} end`,
          last_violation_sequence: eb('sequence', '+', 1),
        }),
    }))
    .where('agent_id', '=', agentId)
    .where('peer_id', '=', peerId)
    .returning('sequence')
    .executeTakeFirstOrThrow();
  return Number(sequence);
}

/** Returns true when an interaction of this piece of work was voided, so that its outcomes may not count. */
export async function hasVoided(
  { db, agentId }: Scope,
  work: Pick<OutcomeEvent, 'peerId' | 'correlationId'>,
): Promise<boolean> {
  const row = await db
    .selectFrom('ledger_interactions')
    .select('interaction_id')
    .where('agent_id', '=', agentId)
    .where('correlation_id', '=', work.correlationId)
    .where('peer_id', '=', work.peerId)
    .where('voided_at', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
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
    redacted: event.redacted ? 1 : 0,
    created_at: event.createdAt,
    received_at: event.receivedAt,
    sequence: event.sequence,
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
    redacted: Number(row.redacted) === 1,
    createdAt: Number(row.created_at),
    receivedAt: Number(row.received_at ?? row.created_at),
    sequence: Number(row.sequence),
  };
}
