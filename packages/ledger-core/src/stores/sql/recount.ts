import { sql } from 'kysely';
import type { Scope } from './scope.ts';

interface Messages {
  readonly interactions: number | string;
  readonly first_at: number | string | null;
  readonly last_at: number | string | null;
  readonly newest_at: number | string | null;
}

interface Violations {
  readonly count: number | string;
  readonly last_at: number | string | null;
  readonly last_sequence: number | string | null;
}

/** Computes a peer's counts and times from the rows that are not voided. The peer's row must be locked. */
export async function recount({ db, agentId }: Scope, peerId: string): Promise<void> {
  const { rows: messages } = await sql<Messages>`
    select count(*) filter (where voided_at is null) as interactions,
      min(created_at) filter (where voided_at is null) as first_at,
      max(created_at) filter (where voided_at is null) as last_at,
      max(created_at) as newest_at
    from ledger_interactions where agent_id = ${agentId} and peer_id = ${peerId}`.execute(db);
  // Works of which every message was voided. A work without messages counts.
  const isLive = sql`correlation_id not in (
    select correlation_id from ledger_interactions
    where agent_id = ${agentId} and peer_id = ${peerId} and correlation_id is not null
    group by correlation_id having count(voided_at) = count(*))`;
  const { rows: results } = await sql<{ readonly result: string; readonly works: number | string }>`
    select result, count(*) as works from (
      select correlation_id, result, row_number() over (partition by correlation_id order by sequence desc) as place
      from ledger_outcomes where agent_id = ${agentId} and peer_id = ${peerId}
    ) as outcome where place = 1 and ${isLive} group by result`.execute(db);
  const { rows: violations } = await sql<Violations>`
    select count(*) as count, max(created_at) as last_at, max(sequence) as last_sequence from ledger_outcomes
    where agent_id = ${agentId} and peer_id = ${peerId} and outcome = 'violation' and ${isLive}`.execute(db);
  const works = (result: string) => Number(results.find((row) => row.result === result)?.works ?? 0);
  const [live] = messages;
  const [attacks] = violations;
  const firstAt = live?.first_at ?? live?.newest_at;
  const lastAt = live?.last_at ?? live?.newest_at;
  await db
    .updateTable('ledger_peers')
    .set({
      interaction_count: Number(live?.interactions ?? 0),
      ...(firstAt != null && { first_seen_at: Number(firstAt) }),
      ...(lastAt != null && { last_seen_at: Number(lastAt) }),
      success_count: works('success'),
      failure_count: works('failure'),
      open_count: works('open'),
      violation_count: Number(attacks?.count ?? 0),
      last_violation_at: attacks?.last_at == null ? null : Number(attacks.last_at),
      last_violation_sequence: attacks?.last_sequence == null ? null : Number(attacks.last_sequence),
    })
    .where('agent_id', '=', agentId)
    .where('peer_id', '=', peerId)
    .execute();
}

/** Computes a peer's assessment count, latest assessment and operator's trust from its assessments. */
export async function recountAssessments({ db, agentId }: Scope, peerId: string): Promise<void> {
  const ofPeer = db
    .selectFrom('ledger_assessments')
    .where('agent_id', '=', agentId)
    .where('peer_id', '=', peerId);
  const { count } = await ofPeer
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  const latest = await ofPeer
    .select(['assessment_id', 'created_at', 'trust'])
    .orderBy('created_at', 'desc')
    .orderBy('assessment_id', 'desc')
    .limit(1)
    .executeTakeFirst();
  const operator = await ofPeer
    .select(['sequence', 'trust'])
    .where('source', '=', 'operator')
    .orderBy('sequence', 'desc')
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  await db
    .updateTable('ledger_peers')
    .set({
      assessment_count: Number(count),
      latest_assessment_id: latest?.assessment_id ?? null,
      latest_assessed_at: latest === undefined ? null : Number(latest.created_at),
      latest_trust: latest === undefined ? null : Number(latest.trust),
      operator_sequence: operator === undefined ? null : Number(operator.sequence),
      operator_trust: operator === undefined ? null : Number(operator.trust),
    })
    .where('agent_id', '=', agentId)
    .where('peer_id', '=', peerId)
    .execute();
}
