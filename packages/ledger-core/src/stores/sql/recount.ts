import { sql } from 'kysely';
import type { Scope } from './scope.ts';

interface Counts {
  readonly interactions: number | string;
  readonly first_at: number | string | null;
  readonly last_at: number | string | null;
}

/** Computes a peer's counts and times from the rows that are not voided. The peer's row must be locked. */
export async function recount({ db, agentId }: Scope, peerId: string): Promise<void> {
  const { rows: live } = await sql<Counts>`
    select count(*) as interactions, min(created_at) as first_at, max(created_at) as last_at
    from ledger_interactions where agent_id = ${agentId} and peer_id = ${peerId} and voided_at is null`.execute(
    db,
  );
  const isLive = sql`exists (select 1 from ledger_interactions as message
    where message.agent_id = ${agentId} and message.peer_id = ${peerId}
      and message.correlation_id = outcome.correlation_id and message.voided_at is null)`;
  const { rows: results } = await sql<{ readonly result: string; readonly works: number | string }>`
    select result, count(*) as works from (
      select correlation_id, result, row_number() over (
        partition by correlation_id order by created_at desc, outcome_id desc) as place
      from ledger_outcomes where agent_id = ${agentId} and peer_id = ${peerId}
    ) as outcome where place = 1 and ${isLive} group by result`.execute(db);
  const { rows: violations } = await sql<{
    readonly count: number | string;
    readonly last_at: number | string | null;
  }>`
    select count(*) as count, max(created_at) as last_at from ledger_outcomes as outcome
    where agent_id = ${agentId} and peer_id = ${peerId} and outcome.outcome = 'violation' and ${isLive}`.execute(
    db,
  );
  const works = (result: string) => Number(results.find((row) => row.result === result)?.works ?? 0);
  const [messages] = live;
  const [attacks] = violations;
  await db
    .updateTable('ledger_peers')
    .set({
      interaction_count: Number(messages?.interactions ?? 0),
      // Without a message there is no time; the next one sets it.
      ...(messages?.first_at != null && { first_seen_at: Number(messages.first_at) }),
      ...(messages?.last_at != null && { last_seen_at: Number(messages.last_at) }),
      success_count: works('success'),
      failure_count: works('failure'),
      open_count: works('open'),
      violation_count: Number(attacks?.count ?? 0),
      last_violation_at: attacks?.last_at == null ? null : Number(attacks.last_at),
    })
    .where('agent_id', '=', agentId)
    .where('peer_id', '=', peerId)
    .execute();
}
