import { sql } from 'kysely';
import type { VoidedInteraction, VoidWrite } from '../../store.ts';
import { lockPeer } from './peers.ts';
import { recount } from './recount.ts';
import type { Scope } from './scope.ts';
import { noText } from './text-removal.ts';

/** Voids an interaction within a transaction. */
export async function voidInteraction(
  scope: Scope,
  { interactionId, reason, at }: VoidWrite,
): Promise<VoidedInteraction> {
  const { db, agentId } = scope;
  const row = await db
    .selectFrom('ledger_interactions')
    .select('peer_id')
    .where('agent_id', '=', agentId)
    .where('interaction_id', '=', interactionId)
    .executeTakeFirst();
  if (!row) return { kind: 'unknown' };
  const peerId = row.peer_id;
  await lockPeer(scope, peerId);
  const { numUpdatedRows } = await db
    .updateTable('ledger_interactions')
    .set({ voided_at: at, void_reason: reason })
    .where('agent_id', '=', agentId)
    .where('interaction_id', '=', interactionId)
    .where('voided_at', 'is', null)
    .executeTakeFirst();
  if (Number(numUpdatedRows) === 0) return { kind: 'repeated', peerId };
  await recount(scope, peerId);
  return { kind: 'voided', peerId };
}

/** Erases a peer within a transaction: its rows move to an anonymous peer. */
export async function forgetPeer(scope: Scope, peerId: string, tombstoneId: string): Promise<number | null> {
  const { db, agentId } = scope;
  if (!(await lockPeer(scope, peerId))) return null;
  const counts = sql.raw(
    'first_seen_at, last_seen_at, interaction_count, assessment_count, success_count, failure_count, open_count, violation_count, last_violation_at, latest_assessment_id, latest_assessed_at, latest_trust, sequence, last_violation_sequence, operator_sequence, operator_trust',
  );
  await sql`insert into ledger_peers (agent_id, peer_id, native_id, handle, channel, alias, ${counts})
    select agent_id, ${tombstoneId}, ${tombstoneId}, ${tombstoneId}, 'erased', null, ${counts}
    from ledger_peers where agent_id = ${agentId} and peer_id = ${peerId}`.execute(db);
  const { numUpdatedRows } = await db
    .updateTable('ledger_interactions')
    .set({
      peer_id: tombstoneId,
      channel: 'erased',
      ...noText(db),
      correlation_id: null,
      external_id: null,
      metrics: null,
      pruned: 1,
      void_reason: sql`case when voided_at is null then null else '[erased]' end`,
    })
    .where('agent_id', '=', agentId)
    .where('peer_id', '=', peerId)
    .executeTakeFirst();
  await db
    .updateTable('ledger_outcomes')
    .set((eb) => ({
      peer_id: tombstoneId,
      correlation_id: eb.ref('outcome_id'),
      external_id: null,
      evidence: null,
      metrics: null,
    }))
    .where('agent_id', '=', agentId)
    .where('peer_id', '=', peerId)
    .execute();
  await db
    .updateTable('ledger_assessments')
    .set({ peer_id: tombstoneId, rationale: '[erased]', assessor: null })
    .where('agent_id', '=', agentId)
    .where('peer_id', '=', peerId)
    .execute();
  await db.deleteFrom('ledger_peers').where('agent_id', '=', agentId).where('peer_id', '=', peerId).execute();
  return Number(numUpdatedRows);
}
