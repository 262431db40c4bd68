import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { ForgetWrite, VoidedInteraction, VoidWrite } from '../../store.ts';
import { erasedChannel } from '../erased.ts';
import { lockPeer } from './peers.ts';
import { recount, recountAssessments } from './recount.ts';
import type { Scope } from './scope.ts';
import { noText } from './text-removal.ts';

/** Voids an interaction within a transaction. */
export async function voidInteraction(
  scope: Scope,
  { interactionId, reason, at }: VoidWrite,
): Promise<VoidedInteraction> {
  const { db, agentId } = scope;
  const find = () =>
    db
      .selectFrom('ledger_interactions')
      .select(['peer_id', 'channel'])
      .where('agent_id', '=', agentId)
      .where('interaction_id', '=', interactionId)
      .executeTakeFirst();
  const peerId = (await find())?.peer_id;
  if (peerId === undefined || !(await lockPeer(scope, peerId))) return { kind: 'unknown' };
  // Its peer may have been erased before it was locked.
  if ((await find())?.channel === erasedChannel) return { kind: 'unknown' };
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

/** Moves what was recorded of a peer to an anonymous peer, within a transaction. */
export async function forgetPeer(
  scope: Scope,
  { peerId, tombstone, until }: ForgetWrite,
): Promise<number | null> {
  const { db, agentId } = scope;
  if (!(await lockPeer(scope, peerId))) return null;
  const ofPeer = sql`agent_id = ${agentId} and peer_id = ${peerId}`;
  const received = sql`coalesce(received_at, created_at)`;
  const recordedUntil = (time: RawBuilder<unknown>) =>
    until === null ? sql`${ofPeer}` : sql`${ofPeer} and ${time} <= ${until}`;
  const { rows } = await sql<{ readonly moves: number }>`select case when
    exists (select 1 from ledger_interactions where ${recordedUntil(received)})
    or exists (select 1 from ledger_outcomes where ${recordedUntil(received)})
    or exists (select 1 from ledger_assessments where ${recordedUntil(sql`created_at`)}) then 1 else 0 end as moves`.execute(
    db,
  );
  if (Number(rows[0]?.moves) === 0 && until !== null) return 0;

  await sql`insert into ledger_peers
      (agent_id, peer_id, native_id, handle, channel, first_seen_at, last_seen_at, interaction_count, sequence)
    select agent_id, ${tombstone.peerId}, ${tombstone.peerId}, ${tombstone.handle}, ${erasedChannel},
      first_seen_at, last_seen_at, 0, sequence
    from ledger_peers where ${ofPeer}`.execute(db);
  // A work is called by the first of its outcomes from now on. A message of a work without outcomes needs no work.
  const { numUpdatedRows } = await db
    .updateTable('ledger_interactions')
    .set({
      peer_id: tombstone.peerId,
      channel: erasedChannel,
      ...noText(db),
      correlation_id: sql`(select min(outcome_id) from ledger_outcomes as outcome
        where outcome.agent_id = ${agentId} and outcome.peer_id = ${peerId}
          and outcome.correlation_id = ledger_interactions.correlation_id
          ${until === null ? sql`` : sql`and coalesce(outcome.received_at, outcome.created_at) <= ${until}`})`,
      external_id: null,
      metrics: null,
      pruned: 1,
      void_reason: sql`case when voided_at is null then null else '[erased]' end`,
    })
    .where(sql<SqlBool>`${recordedUntil(received)}`)
    .executeTakeFirst();
  await sql`update ledger_outcomes set peer_id = ${tombstone.peerId}, correlation_id = work.name,
      external_id = null, evidence = null, metrics = null
    from (select correlation_id as old_name, min(outcome_id) as name from ledger_outcomes
      where ${recordedUntil(received)} group by correlation_id) as work
    where ledger_outcomes.agent_id = ${agentId} and ledger_outcomes.peer_id = ${peerId}
      and ledger_outcomes.correlation_id = work.old_name
      ${until === null ? sql`` : sql`and coalesce(ledger_outcomes.received_at, ledger_outcomes.created_at) <= ${until}`}`.execute(
    db,
  );
  await db
    .updateTable('ledger_assessments')
    .set({ peer_id: tombstone.peerId, rationale: '[erased]', assessor: null })
    .where(sql<SqlBool>`${recordedUntil(sql`created_at`)}`)
    .execute();
  await recount(scope, tombstone.peerId);
  await recountAssessments(scope, tombstone.peerId);
  if (until !== null && (await hasRows(scope, peerId))) {
    await recount(scope, peerId);
    await recountAssessments(scope, peerId);
  } else {
    await db
      .deleteFrom('ledger_peers')
      .where('agent_id', '=', agentId)
      .where('peer_id', '=', peerId)
      .execute();
  }
  return Number(numUpdatedRows);
}

async function hasRows({ db, agentId }: Scope, peerId: string): Promise<boolean> {
  for (const table of ['ledger_interactions', 'ledger_outcomes', 'ledger_assessments'] as const) {
    const row = await db
      .selectFrom(table)
      .select('peer_id')
      .where('agent_id', '=', agentId)
      .where('peer_id', '=', peerId)
      .limit(1)
      .executeTakeFirst();
    if (row) return true;
  }
  return false;
}
