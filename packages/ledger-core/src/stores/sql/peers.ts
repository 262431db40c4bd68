import { keyset, prepare, StorageError } from '@bonafide/storage';
import { sql } from 'kysely';
import type { Assessment, PeerOrder } from '../../records.ts';
import type { LedgerStore, StoredPeer } from '../../store.ts';
import { type AssessmentRow, toAssessment } from './assessments.ts';
import type { Scope } from './scope.ts';

/** The verbs that read peers. */
export function peerReading(scope: Scope): Pick<LedgerStore, 'getPeer' | 'listPeers'> {
  const find = prepare<{ peer_id: string }, PeerRow>((argument) =>
    selectPeers(scope).where('peer.peer_id', '=', argument('peer_id')),
  );

  return {
    async getPeer(peerId) {
      const { rows } = await find(scope.db, { peer_id: peerId });
      return rows[0] ? toStoredPeer(rows[0]) : null;
    },

    async listPeers({ orderBy, limit, after, handle, peerIdPrefix, trustBelow }) {
      let query = selectPeers(scope);
      if (handle !== undefined) query = query.where('peer.handle', '=', handle);
      if (peerIdPrefix !== undefined) {
        query = query
          .where('peer.peer_id', '>=', peerIdPrefix)
          .where('peer.peer_id', '<', `${peerIdPrefix}\u{10FFFF}`);
      }
      if (trustBelow !== undefined) query = query.where('peer.latest_trust', '<', trustBelow);
      const rows = await keyset(query, {
        by: [orderColumn[orderBy], 'peer.peer_id'],
        direction: 'desc',
        after: after && [after.value, after.id],
      })
        .limit(limit)
        .execute();
      return rows.map(toStoredPeer);
    },
  };
}

/**
 * One peer within a transaction, taken before it is read, so that what is derived from it holds until the transaction
 * ends. Null when there is no such peer.
 */
export async function takePeer(scope: Scope, peerId: string): Promise<StoredPeer | null> {
  if (!(await lockPeer(scope, peerId))) return null;
  const row = await selectPeers(scope).where('peer.peer_id', '=', peerId).executeTakeFirst();
  return row ? toStoredPeer(row) : null;
}

/**
 * Keeps a peer's row for this transaction: a write that changes nothing locks the row in Postgres and the file in
 * SQLite. False when there is no such peer.
 */
export async function lockPeer({ db, agentId }: Scope, peerId: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('ledger_peers')
    .set((eb) => ({ interaction_count: eb.ref('interaction_count') }))
    .where('agent_id', '=', agentId)
    .where('peer_id', '=', peerId)
    .executeTakeFirst();
  return Number(numUpdatedRows) > 0;
}

const orderColumn = {
  lastSeenAt: 'peer.last_seen_at',
  firstSeenAt: 'peer.first_seen_at',
  interactionCount: 'peer.interaction_count',
} as const satisfies Record<PeerOrder, string>;

interface ContactArguments {
  readonly peer_id: string;
  readonly native_id: string;
  readonly handle: string;
  readonly channel: string;
  readonly alias: string | null;
  readonly at: number;
}

/**
 * Counts one more interaction with a peer, or creates the peer, and locks its row; first and last seen only ever widen.
 *
 * No statement does both, because Postgres could deadlock: `on conflict do update` keeps an entry in the primary key while
 * it waits at the other unique index, of handles, for a transaction that updates the peer and waits for that entry.
 * `on conflict do nothing` without a target removes its entries before it waits.
 */
export function prepareCountContact({ db, agentId }: Scope) {
  const update = prepare<Pick<ContactArguments, 'peer_id' | 'alias' | 'at'>, unknown>((argument) => {
    const [at, alias] = [argument('at'), argument('alias')];
    return db
      .updateTable('ledger_peers')
      .set({
        alias: sql`case when ${at} >= last_seen_at then coalesce(${alias}, alias) else coalesce(alias, ${alias}) end`,
        first_seen_at: sql`case when ${at} < first_seen_at or interaction_count = 0 then ${at} else first_seen_at end`,
        last_seen_at: sql`case when ${at} > last_seen_at or interaction_count = 0 then ${at} else last_seen_at end`,
        interaction_count: sql`interaction_count + 1`,
      })
      .where('agent_id', '=', agentId)
      .where('peer_id', '=', argument('peer_id'));
  });
  const insert = prepare<ContactArguments, unknown>((argument) =>
    db
      .insertInto('ledger_peers')
      .values({
        agent_id: agentId,
        peer_id: argument('peer_id'),
        native_id: argument('native_id'),
        handle: argument('handle'),
        channel: argument('channel'),
        alias: argument('alias'),
        first_seen_at: argument('at'),
        last_seen_at: argument('at'),
        interaction_count: 1,
      })
      .onConflict((conflict) => conflict.doNothing()),
  );

  return async ({ db: transaction }: Scope, contact: ContactArguments): Promise<void> => {
    const isDone = async (query: typeof insert) =>
      Number((await query(transaction, contact)).numAffectedRows) > 0;
    // The last one for a peer that another process has created meanwhile.
    if ((await isDone(update)) || (await isDone(insert)) || (await isDone(update))) return;
    throw new StorageError(
      'STORAGE_NOT_UNIQUE',
      `The handle '${contact.handle}' belongs to another peer. Nothing was changed.`,
    );
  };
}

function selectPeers({ db, agentId }: Scope) {
  return db
    .selectFrom('ledger_peers as peer')
    .leftJoin('ledger_assessments as latest', (join) =>
      join
        .onRef('latest.agent_id', '=', 'peer.agent_id')
        .onRef('latest.assessment_id', '=', 'peer.latest_assessment_id'),
    )
    .select([
      'peer.peer_id',
      'peer.native_id',
      'peer.handle',
      'peer.channel',
      'peer.alias',
      'peer.first_seen_at',
      'peer.last_seen_at',
      'peer.interaction_count',
      'peer.assessment_count',
      'peer.success_count',
      'peer.failure_count',
      'peer.open_count',
      'peer.violation_count',
      'peer.last_violation_at',
      'peer.last_violation_sequence',
      'peer.operator_sequence',
      'peer.operator_trust',
      'latest.assessment_id',
      'latest.info_score',
      'latest.trust',
      'latest.rationale',
      'latest.source',
      'latest.assessor',
      'latest.created_at',
    ])
    .where('peer.agent_id', '=', agentId);
}

type PeerRow = Awaited<ReturnType<ReturnType<typeof selectPeers>['executeTakeFirstOrThrow']>>;

function toStoredPeer(row: PeerRow): StoredPeer {
  return {
    peer: {
      peerId: row.peer_id,
      nativeId: row.native_id,
      handle: row.handle ?? row.peer_id,
      channel: row.channel,
      alias: row.alias,
      firstSeenAt: Number(row.first_seen_at),
      lastSeenAt: Number(row.last_seen_at),
      interactionCount: Number(row.interaction_count),
      assessmentCount: Number(row.assessment_count),
      successCount: Number(row.success_count),
      failureCount: Number(row.failure_count),
      openCount: Number(row.open_count),
      violationCount: Number(row.violation_count),
      lastViolationAt: row.last_violation_at === null ? null : Number(row.last_violation_at),
      operatorTrust: operatorTrustOf(row),
    },
    latest: latestOf(row),
  };
}

function operatorTrustOf(row: PeerRow): number | null {
  if (row.operator_sequence === null || row.operator_trust === null) return null;
  const isLater = Number(row.operator_sequence) > Number(row.last_violation_sequence ?? -1);
  return isLater ? Number(row.operator_trust) : null;
}

/** Columns of the joined assessment, all null for a peer without one. A column that the join omits fails to compile. */
type JoinedAssessment = { readonly [Column in keyof AssessmentRow]: AssessmentRow[Column] | null };

function latestOf(row: JoinedAssessment): Assessment | null {
  return row.assessment_id === null ? null : toAssessment(row as AssessmentRow);
}
